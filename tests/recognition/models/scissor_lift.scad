// One stage of a scissor lift: two bars, a pin in the middle, shoes that slide in channels.
len = 80; ang = 30; bar_w = 8; bar_t = 4; pin = 4; tol = 0.2; $fn = 36;
dx = len*cos(ang); dz = len*sin(ang);
eps = 0.01;

module along_y(x, z) translate([x, 0, z]) rotate([90, 0, 0]) children();
module bar() rotate([90, 0, 0]) difference() {
  hull() for (x = [0, len]) translate([x, 0, 0]) cylinder(d = bar_w, h = bar_t);
  for (x = [0, len/2, len]) translate([x, 0, -eps]) cylinder(d = pin + tol, h = bar_t + 2*eps);
}
module channel(z) difference() {
  translate([dx - 30, 4, z - 5]) cube([45, 12, 10]);
  translate([dx - 32, 6, z - 3]) cube([60, 6, 6]);
  translate([dx - 32, 4 - eps, z - pin/2 - .5]) cube([60, 3, pin + 1]);   // slit of the pin
}
module shoe() {
  translate([-5, 6 + tol/4, -3 + tol/4]) cube([10, 6 - tol/2, 6 - tol/2]);
  rotate([90, 0, 0]) translate([0, 0, -7]) cylinder(d = pin, h = 11);
}
module deck(z, out) {
  translate([-20, -16, z]) cube([dx + 40, 32, 4]);
  if (out > 0) translate([dx - 30, 4, z - 4]) cube([45, 12, 4 + eps]);
  else translate([dx - 30, 4, z + 4 - eps]) cube([45, 12, 4 + 2*eps]);
}
module base() {
  deck(-13, -1);
  channel(0);
  translate([-6, 6, -9 - eps]) cube([12, 6, 14]);
  along_y(0, 0) translate([0, 0, -6 - eps]) cylinder(d = pin, h = 10);
}
module platform() {
  deck(dz + 9, 1);
  channel(dz);
  translate([-6, 6, dz - 5]) cube([12, 6, 14 + eps]);
  along_y(0, dz) translate([0, 0, -6 - eps]) cylinder(d = pin, h = 10);
}
module arm_up() rotate([0, -ang, 0]) translate([0, 4, 0]) bar();
module arm_down() translate([0, 0, dz]) rotate([0, ang, 0]) bar();
module middle_pin() along_y(dx/2, dz/2) cylinder(d = pin, h = 12, center = true);

base();
platform();
arm_up();
arm_down();
middle_pin();
for (z = [0, dz]) translate([dx, 0, z]) shoe();
