include <sizes.scad>
$fn = $preview ? 32 : 90;

module hole(d, h) { translate([0, 0, -e]) cylinder(d = d, h = h + 2*e); }

module frame(x) {
  translate([-25, -25, -14]) cube([l + r + 60, 50, 6]);
  translate([0, 0, -8 - e]) cylinder(d = pin, h = 12 + e);
  for (s = [0, 1]) mirror([0, s, 0]) difference() {
    translate([20, 10, -8 - e]) cube([l + r - 10, 5, 7.9]);
    translate([20 - e, 10 - e, -6]) cube([l + r, 2, 2]);      // groove
  }
}
module crank() {
  difference() {
    hull() { translate([0, 0, -4]) cylinder(d = 14, h = 4); translate([r, 0, -4]) cylinder(d = 12, h = 4); }
    translate([0, 0, -4]) hole(pin + fit, 4);
  }
  translate([r, 0, -e]) cylinder(d = pin, h = 5);
}
module conrod() {
  difference() {
    hull() { cylinder(d = 12, h = 4); translate([l, 0, 0]) cylinder(d = 12, h = 4); }
    hole(pin + fit, 4);
    translate([l, 0, 0]) hole(pin + fit, 4);
  }
}
module slider() {
  translate([-8, -10 + fit/2, -8]) cube([16, 20 - fit, 8]);
  translate([-8, -12 + fit, -6 + fit/4]) cube([16, 24 - 2*fit, 2 - fit/2]);
  translate([0, 0, -e]) cylinder(d = pin, h = 5);
}
