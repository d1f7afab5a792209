// print in place chain, n links in a row
n = 4; pitch = 20; w = 12; d = 8; pin = 4; gap = .3; wall = 2.5;
$fn = 40;

module eye(y, l, hole) rotate([-90, 0, 0]) translate([0, 0, y]) difference() {
  cylinder(d = d, h = l);
  if (hole) translate([0, 0, -1]) cylinder(d = pin + gap, h = l + 2);
}
module link() {
  // outer cheeks with the pin at the back end
  for (y = [-w/2, w/2 - wall]) eye(y, wall, false);
  rotate([90, 0, 0]) cylinder(d = pin, h = w - 1, center = true);
  for (y = [-w/2, w/2 - wall]) translate([0, y, -d/2]) cube([pitch/2, wall, d]);
  translate([pitch/2 - 2, -w/2, -d/2]) cube([2.01, w, d]);
  // inner tongue with the hole at the front end
  inner = w - 2*wall - 2*gap;
  translate([pitch, 0, 0]) eye(-inner/2, inner, true);
  difference() {
    translate([pitch/2 - .01, -inner/2, -d/2]) cube([pitch/2, inner, d]);
    translate([pitch, 0, 0]) rotate([90, 0, 0]) cylinder(d = d, h = w, center = true);
  }
  translate([pitch/2, -inner/2, -1.5]) cube([pitch/2 - pin/2 - .5, inner, 3]);
}
for (i = [0 : n - 1]) translate([i*pitch, 0, 0]) link();
