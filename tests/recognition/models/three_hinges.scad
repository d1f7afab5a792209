// A door on three butt hinges: leaves are let into door and jamb, pins through their knuckles.
$fn = 48;
H = [20, 90, 160];
module knuckles(z, cuts) for (k = cuts) translate([0, -3, z + 4*k + 0.05]) cylinder(d = 6, h = 3.9);
module bores() for (z = H) translate([0, -3, z - 1]) cylinder(d = 3, h = 24);
module jamb() difference() { union() { translate([-24, 0, 0]) cube([20, 40, 200]); for (z = H) { knuckles(z, [0, 2, 4]); for (k = [0, 2, 4]) translate([-6, -6, z + 4*k + 0.05]) cube([6, 6, 3.9]); translate([-8, -6, z]) cube([4, 6.5, 20]); } } bores(); }
module door() difference() { union() { translate([4, 0, 5]) cube([80, 6, 190]); for (z = H) { knuckles(z, [1, 3]); for (k = [1, 3]) translate([0, -6, z + 4*k + 0.05]) cube([6, 6, 3.9]); translate([4, -6, z]) cube([4, 6.5, 20]); } } bores(); }
module hinge_pin() { cylinder(d = 3, h = 20); translate([0, 0, 20]) cylinder(d = 5, h = 1.5); }
jamb(); door();
for (z = H) translate([0, -3, z]) hinge_pin();
