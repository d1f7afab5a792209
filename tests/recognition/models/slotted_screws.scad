// A motor plate on slots under screws with washers: clamped, nothing slides; the motor's shaft turns a disc.
$fn = 48;
module base() difference() { cube([100, 60, 10]); for (x = [20, 80], y = [15, 45]) translate([x, y, -1]) cylinder(d = 5, h = 12); }
module slot(x, y) { for (s = [-8, 8]) translate([x + s, y, -1]) cylinder(d = 5.5, h = 10); translate([x - 8, y - 2.75, -1]) cube([16, 5.5, 10]); }
module motor_plate() translate([0, 0, 10]) difference() { translate([5, 5, 0]) cube([90, 50, 6]); for (x = [20, 80], y = [15, 45]) slot(x, y); translate([50, 30, -1]) cylinder(d = 8, h = 10); }
module washer() difference() { cylinder(d = 12, h = 1); translate([0, 0, -1]) cylinder(d = 5.3, h = 3); }
module cap_screw() { translate([0, 0, -17]) cylinder(d = 5, h = 17); cylinder(d = 8.5, h = 5); }
module disc() { translate([50, 30, 10.5]) cylinder(d = 8, h = 12); translate([50, 30, 16.5]) cylinder(d = 30, h = 4); }
base(); motor_plate();
for (x = [20, 80], y = [15, 45]) translate([x, y, 16]) washer();
for (x = [20, 80], y = [15, 45]) translate([x, y, 17]) cap_screw();
disc();
