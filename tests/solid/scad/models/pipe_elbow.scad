// A quarter turn of a pipe with flanges; rotate_extrude with an angle.
r = 20; od = 12; id = 9;
$fn = 36;
difference() {
  union() {
    rotate_extrude(angle = 90) translate([r, 0]) circle(d = od);
    translate([r, 0, 0]) rotate([90, 0, 0]) cylinder(d = 22, h = 4);
    translate([0, r, 0]) rotate([0, -90, 0]) cylinder(d = 22, h = 4);
  }
  rotate_extrude(angle = 90) translate([r, 0]) circle(d = id);
  translate([r, 1, 0]) rotate([90, 0, 0]) cylinder(d = id, h = 10);
  translate([1, r, 0]) rotate([0, -90, 0]) cylinder(d = id, h = 10);
}
