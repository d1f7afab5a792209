// Slider crank with bushings in the bed and in the rod's big end.
$fn = 96;
module bed() difference() { union() { translate([-40, -40, -10]) cube([200, 80, 10]); translate([110, -15, -1]) cube([40, 30, 31]); } translate([0, 0, -11]) cylinder(d = 14, h = 20); translate([100, 0, 15]) rotate([0, 90, 0]) cylinder(d = 12, h = 60); }
module bush(od, id, h) difference() { cylinder(d = od, h = h); translate([0, 0, -1]) cylinder(d = id, h = h + 2); }
module main_bush() translate([0, 0, -10]) bush(14, 10, 10);
module crankshaft() { translate([0, 0, -10]) cylinder(d = 10, h = 15); translate([0, 0, 5]) cylinder(d = 50, h = 5); translate([18, 0, 10]) cylinder(d = 6, h = 10); }
module rod_bush() translate([18, 0, 11]) bush(9, 6, 8);
module conrod() difference() { union() { translate([18, 0, 11]) cylinder(d = 16, h = 8); translate([90, 0, 11]) cylinder(d = 14, h = 8); translate([18, -4, 11]) cube([72, 8, 8]); } translate([18, 0, 10]) cylinder(d = 9, h = 10); translate([90, 0, 10]) cylinder(d = 6.05, h = 10); }
module piston_rod() difference() { union() { translate([85, 0, 15]) rotate([0, 90, 0]) cylinder(d = 11.9, h = 90); translate([82, -9, 4]) cube([16, 18, 22]); } translate([80, -10, 10.8]) cube([18, 20, 8.4]); translate([90, 0, 0]) cylinder(d = 6, h = 40); }
module gudgeon_pin() translate([90, 0, 4]) cylinder(d = 6, h = 22);
bed(); main_bush(); crankshaft(); rod_bush(); conrod(); piston_rod(); gudgeon_pin();
