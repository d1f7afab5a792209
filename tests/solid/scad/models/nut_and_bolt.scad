// Hexagons are cylinders with six sides.
m = 8; head_h = 5.3; across = 13;
function hex_d(af) = af / cos(30);
module hexagon(af, h) cylinder(d = hex_d(af), h = h, $fn = 6);
module bolt(l) {
  hexagon(across, head_h);
  translate([0, 0, head_h]) cylinder(d = m, h = l, $fn = 64);
}
module nut() difference() {
  hexagon(across, 6.5);
  translate([0, 0, -1]) cylinder(d = m, h = 9, $fn = 64);
}
bolt(30);
translate([25, 0, 0]) nut();
