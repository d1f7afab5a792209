// Caster wheel with two 608 bearings. Units: mm.
wheel_d = 60; wheel_w = 24; axle_d = 8; fork_t = 5; play = 0.1; press = 0.05;
bearing_od = 22; bearing_id = 8; bearing_w = 7;
$fs = 0.4; $fa = 4;

module ring(od, id, w) difference() { cylinder(d = od, h = w, center = true); cylinder(d = id, h = w + 1, center = true); }
module across() rotate([90, 0, 0]) children();

module tire() across() difference() {
  cylinder(d = wheel_d, h = wheel_w, center = true);
  cylinder(d = bearing_od - 6, h = wheel_w + 1, center = true);
  for (s = [-1, 1]) translate([0, 0, s*(wheel_w - bearing_w)/2]) cylinder(d = bearing_od - press, h = bearing_w + 0.02, center = true);
}
module bearing() across() ring(bearing_od, bearing_id, bearing_w);
module axle() across() cylinder(d = axle_d, h = wheel_w + 2*fork_t + 6, center = true);

module fork() {
  for (s = [-1, 1]) scale([1, s, 1]) translate([0, wheel_w/2 + 1, 0]) difference() {
    rotate([-90, 0, 0]) hull() { cylinder(d = 20, h = fork_t); translate([-20, -45, 0]) cylinder(d = 20, h = fork_t); }
    rotate([-90, 0, 0]) translate([0, 0, -1]) cylinder(d = axle_d + play, h = fork_t + 2);
  }
  translate([-32, -wheel_w/2 - 1 - fork_t, 40]) cube([24, wheel_w + 2 + 2*fork_t, 15.9]);
  translate([-20, 0, 50]) cylinder(d = 12, h = 20);
  translate([-20, 0, 66.2]) cylinder(d = 18, h = 3);   // collar
}
module mount() difference() {
  translate([-50, -25, 56]) cube([60, 50, 10]);
  translate([-20, 0, 50]) cylinder(d = 12 + play, h = 20);
}

mount();
fork();
axle();
tire();
for (s = [-1, 1]) translate([0, s*(wheel_w - bearing_w)/2, 0]) bearing();
