// Knob with grips, a set screw and a D-shaped bore.
$fn = 80;
d = 32; h = 18; grips = 10;
difference() {
  union() {
    cylinder(d = d, h = h - 4);
    translate([0, 0, h - 4]) cylinder(d1 = d, d2 = d - 8, h = 4);
  }
  for (a = [0:360/grips:359]) rotate([0, 0, a]) translate([d / 2 + 2.5, 0, -1]) cylinder(r = 4, h = h + 2);
  translate([0, 0, -0.01]) intersection() {
    cylinder(d = 6.2, h = 12);
    translate([-5, -5 + 0.8, 0]) cube([10, 10, 12]);
  }
  translate([0, 0, 6]) rotate([90, 0, 0]) cylinder(d = 3, h = d);
}
