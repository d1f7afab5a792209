// mechanical iris: blades on pins of a base ring, driven by slots in a cap
blades = 5; R = 40; pin_d = 4; c = 0.2; t = 3; a0 = 20;
$fn = 48;
arm = 24;
module at_blades() { for (k = [0:blades-1]) rotate([0, 0, k*360/blades]) translate([R, 0, 0]) rotate(180 - a0) children(); }

module base() {
  difference() { translate([0,0,-4]) cylinder(r = R + 12, h = 4); translate([0,0,-5]) cylinder(r = R - 18, h = 6); }
  at_blades() cylinder(d = pin_d, h = t);
  difference() { translate([0,0,-4]) cylinder(r = R + 16, h = 14); translate([0,0,-5]) cylinder(r = R + 12, h = 16); }
}
module blade() {
  difference() {
    hull() { cylinder(d = 10, h = t); translate([arm, 0, 0]) cylinder(d = 10, h = t); }
    translate([0, 0, -1]) cylinder(d = pin_d + c, h = t + 2);
  }
  translate([arm, 0, t - 0.01]) cylinder(d = pin_d, h = 5);
}
module cap() difference() {
  translate([0, 0, t + 0.5]) cylinder(r = R + 12 - c, h = 4);
  translate([0, 0, 0]) cylinder(r = 9, h = 20);
  at_blades() translate([arm, 0, 0]) rotate(a0 + 180) hull() for (x = [-6, 6]) translate([x, 0, 0]) cylinder(d = pin_d + c, h = 20);
}
base();
for (k = [0:blades-1]) rotate([0, 0, k*360/blades]) translate([R, 0, 0]) rotate(180 - a0) blade();
cap();
