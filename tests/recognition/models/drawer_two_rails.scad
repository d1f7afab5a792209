// A drawer with a strip on each side that runs in a grooved rail; rails are screwed to the cabinet.
$fn = 32;
module cabinet() difference() { cube([100, 80, 40]); translate([5, -1, 5]) cube([90, 76, 30]); for (y = [12, 60]) { translate([-1, y, 16]) rotate([0, 90, 0]) cylinder(d = 3, h = 102); } }
module rail() difference() { cube([4, 70, 8]); translate([1.5, -1, 2.5]) cube([3.5, 80, 3]); for (y = [10, 58]) translate([-1, y, 2]) rotate([0, 90, 0]) cylinder(d = 3, h = 9); }
module rail_screw() { rotate([0, 90, 0]) cylinder(d = 3, h = 6.4); translate([-2, 0, 0]) rotate([0, 90, 0]) cylinder(d = 6, h = 2); }
module drawer() { translate([10, 0, 8]) difference() { cube([80, 70, 20]); translate([3, 3, 3]) cube([74, 64, 20]); } translate([6.7, 5, 16.6]) cube([3.4, 60, 2.8]); translate([89.9, 5, 16.6]) cube([3.4, 60, 2.8]); }
cabinet();
translate([5, 2, 14]) rail();
translate([95, 2, 14]) mirror([1, 0, 0]) rail();
for (y = [12, 60]) { translate([0, y, 16]) rail_screw(); translate([100, y, 16]) mirror([1, 0, 0]) rail_screw(); }
drawer();
