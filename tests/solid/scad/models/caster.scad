// Caster fork: mirrored cheeks, a stem, an axle hole.
$fn = 64;
module cheek() {
  translate([0, 9, 0]) rotate([90, 0, 0]) linear_extrude(height = 3) hull() {
    circle(d = 14);
    translate([-12, 24]) square([20, 4]);
  }
}
difference() {
  union() {
    cheek();
    mirror([0, 1, 0]) cheek();
    translate([-12, -9, 24]) cube([20, 18, 4]);
    translate([-2, 0, 28]) cylinder(d = 10, h = 15);
  }
  rotate([90, 0, 0]) cylinder(d = 6, h = 40, center = true);
}
