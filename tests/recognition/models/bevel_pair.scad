// Two bevel gears drawn as cones that touch along a line, on shafts at right angles in one block.
$fn = 96;
module block() difference() { translate([-50, -15, -50]) cube([30, 30, 70]); translate([-60, 0, 0]) rotate([0, 90, 0]) cylinder(d = 8, h = 60); }
module stand() { difference() { translate([-50, -15, -50]) cube([30, 30, 70]); translate([-60, 0, 0]) rotate([0, 90, 0]) cylinder(d = 8, h = 60); } difference() { translate([-50, -15, -60]) cube([70, 30, 12]); translate([0, 0, -61]) cylinder(d = 8, h = 20); } }
module gear_1() { translate([-58, 0, 0]) rotate([0, 90, 0]) cylinder(d = 8, h = 40); translate([-20, 0, 0]) rotate([0, 90, 0]) cylinder(r1 = 20, r2 = 10, h = 10); }
module gear_2() { translate([0, 0, -62]) cylinder(d = 8, h = 43); translate([0, 0, -20]) cylinder(r1 = 20, r2 = 10, h = 10); }
stand(); gear_1(); gear_2();
