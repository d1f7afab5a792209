// Two plates on dowel pins and a bolt with its nut; a roller on a shoulder bolt.
$fn = 48;
module lower() difference() { cube([80, 40, 10]); for (x = [10, 70]) translate([x, 20, -1]) cylinder(d = 6, h = 12); translate([40, 10, -1]) cylinder(d = 8.4, h = 12); translate([40, 30, -1]) cylinder(d = 8, h = 12); }
module upper() translate([0, 0, 10]) difference() { cube([80, 40, 8]); for (x = [10, 70]) translate([x, 20, -1]) cylinder(d = 6, h = 12); translate([40, 10, -1]) cylinder(d = 8.4, h = 12);translate([40, 30, -1]) cylinder(d = 8, h = 12); }
module dowel_pin() cylinder(d = 6, h = 18);
module bolt() { cylinder(d = 8, h = 26); translate([0, 0, -5]) cylinder(d = 13, h = 5, $fn = 6); }
module nut() difference() { cylinder(d = 13, h = 6, $fn = 6); translate([0, 0, -1]) cylinder(d = 8, h = 9); }
module shoulder_bolt() { cylinder(d = 8, h = 34); translate([0, 0, 34]) cylinder(d = 14, h = 4); }
module roller() difference() { cylinder(d = 22, h = 12); translate([0, 0, -1]) cylinder(d = 8.1, h = 20); }
lower(); upper();
for (x = [10, 70]) translate([x, 20, 0]) dowel_pin();
translate([40, 10, 0]) bolt();
translate([40, 10, 18]) nut();
translate([40, 30, 0]) shoulder_bolt();
translate([40, 30, 20]) roller();
