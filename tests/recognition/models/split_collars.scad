// A shaft in two pillow blocks, kept by split collars that screws clamp on it.
$fn = 64;
module bed() { translate([-10, -20, -30]) cube([120, 40, 8]); for (x = [0, 80]) difference() { translate([x, -12, -23]) cube([12, 24, 38]); translate([x - 1, 0, 0]) rotate([0, 90, 0]) cylinder(d = 12, h = 14); } }
module shaft() translate([-20, 0, 0]) rotate([0, 90, 0]) cylinder(d = 12, h = 140);
module collar() difference() { rotate([0, 90, 0]) cylinder(d = 26, h = 9); translate([-1, 0, 0]) rotate([0, 90, 0]) cylinder(d = 12, h = 12); translate([-1, -0.75, 0]) cube([12, 1.5, 20]); translate([4.5, 20, 9.5]) rotate([90, 0, 0]) cylinder(d = 3, h = 40); }
module clamp_screw() { translate([4.5, 11.2, 9.5]) rotate([90, 0, 0]) cylinder(d = 3, h = 20); translate([4.5, 14.2, 9.5]) rotate([90, 0, 0]) cylinder(d = 5.5, h = 3); }
module pulley() difference() { rotate([0, 90, 0]) cylinder(d = 40, h = 12); translate([-1, 0, 0]) rotate([0, 90, 0]) cylinder(d = 12, h = 20); translate([6, 0, 5]) cylinder(d = 4, h = 30); }
module set_screw() translate([6, 0, 6]) cylinder(d = 4, h = 12);
bed(); shaft();
for (x = [13, 70]) translate([x, 0, 0]) collar();
for (x = [13, 70]) translate([x, 0, 0]) clamp_screw();
translate([40, 0, 0]) pulley();
translate([40, 0, 0]) set_screw();
