// Stand: hulls in space, minkowski for a rounded foot, resize, background and debug marks.
$fn = 48;
minkowski() { cube([40, 30, 2]); cylinder(r = 4, h = 2); }
hull() {
  translate([10, 10, 3]) cube([20, 10, 1]);
  translate([15, 12, 40]) cube([10, 6, 1]);
}
translate([20, 15, 41]) #cylinder(d1 = 8, d2 = 4, h = 6);
%translate([0, 0, 60]) cube([40, 30, 1]);
*cube(500);
translate([50, 0, 0]) resize([20, 12, 6]) cube([5, 3, 2]);
