// Hooke's joint between two shafts in line, a cross of two pins.
$fn = 48;
module base() for (z = [-60, 50]) difference() { translate([-20, -20, z]) cube([60, 40, 10]); translate([0, 0, z - 1]) cylinder(d = 10, h = 12); }
module frame() { base(); translate([30, -20, -60]) cube([10, 40, 120]); }
module yoke() difference() { union() { translate([0, 0, -65]) cylinder(d = 10, h = 47); translate([-14, -6, -20]) cube([28, 12, 5]); for (x = [-14, 9]) translate([x, -6, -20]) cube([5, 12, 26]); } rotate([0, 90, 0]) cylinder(d = 5, h = 60, center = true); }
module spider() { rotate([0, 90, 0]) cylinder(d = 5, h = 28, center = true); rotate([90, 0, 0]) cylinder(d = 5, h = 28, center = true); sphere(d = 10); }
frame(); yoke();
module yoke_out() rotate([180, 0, 90]) yoke();
yoke_out(); spider();
