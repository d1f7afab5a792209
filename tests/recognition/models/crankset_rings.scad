// A bicycle's bottom bracket: two cups in the shell, the axle with square ends, cranks, spider and chainrings.
$fn = 72;
module frame() difference() { cylinder(d = 40, h = 68, center = true); cylinder(d = 34, h = 70, center = true); }
module cup() difference() { cylinder(d = 34, h = 10); translate([0, 0, -1]) cylinder(d = 20, h = 12); }
module axle() { cylinder(d = 20, h = 76, center = true); for (s = [-1, 1]) translate([0, 0, 49*s]) cube([12, 12, 24], center = true); }
module arm() difference() { union() { cylinder(d = 32, h = 10); translate([-8, 0, 0]) cube([16, 170, 10]); } translate([0, 0, 5]) cube([12, 12, 20], center = true); translate([0, 160, -1]) cylinder(d = 9, h = 12); }
module ring(d) difference() { cylinder(d = d, h = 3); translate([0, 0, -1]) cylinder(d = 60, h = 5); for (k = [0:4]) rotate([0, 0, 72*k + 36]) translate([35, 0, -1]) cylinder(d = 8, h = 5); }
module spider() difference() { union() { cylinder(d = 50, h = 5); for (k = [0:4]) rotate([0, 0, 72*k + 36]) translate([0, -6, 0]) cube([41, 12, 5]); } cube([12, 12, 30], center = true); for (k = [0:4]) rotate([0, 0, 72*k + 36]) translate([35, 0, -1]) cylinder(d = 8, h = 10); }
module chainring_bolt() { cylinder(d = 8, h = 11); translate([0, 0, 11]) cylinder(d = 11, h = 1); translate([0, 0, -1.5]) cylinder(d = 11, h = 1.5); }
frame();
translate([0, 0, 24]) cup();
translate([0, 0, -34]) cup();
axle();
translate([0, 0, 50]) arm();
translate([0, 0, -60]) rotate([0, 0, 180]) arm();
translate([0, 0, 43]) spider();
translate([0, 0, 40]) ring(130);
translate([0, 0, 37]) ring(100);
for (k = [0:4]) rotate([0, 0, 72*k + 36]) translate([35, 0, 37]) chainring_bolt();
