// A machine vise: the spindle's thread in the body, its journal in the sliding jaw between shoulder and retaining ring.
$fn = 64;
module body() { difference() { translate([0, 0, 0]) cube([140, 50, 12]); } difference() { cube([20, 50, 40]); translate([-1, 25, 26]) rotate([0, 90, 0]) thread(4) cylinder(d = 16, h = 22); } translate([120, 0, 0]) cube([20, 50, 40]); for (y = [0, 42]) translate([20, y, 11.9]) cube([100, 8, 6.1]); }
module jaw() { difference() { union() { translate([60, 8, 12]) cube([25, 34, 28]); translate([60, 2, 18.1]) cube([25, 46, 21.9]); } translate([50, 25, 26]) rotate([0, 90, 0]) cylinder(d = 10, h = 25); } }
module spindle() { translate([-30, 25, 26]) rotate([0, 90, 0]) thread(4) cylinder(d = 16, h = 85); translate([55, 25, 26]) rotate([0, 90, 0]) cylinder(d = 16, h = 4.9); translate([55, 25, 26]) rotate([0, 90, 0]) cylinder(d = 10, h = 19); translate([-40, 25, 26]) rotate([0, 90, 0]) cylinder(d = 24, h = 10); }
body(); jaw(); spindle();
