// Oldham: two shafts two millimetres apart, a disc with crossed tongues between grooved hubs.
$fn = 64;
module housing() { difference() { translate([-20, -20, -40]) cube([42, 40, 10]); translate([0, 0, -41]) cylinder(d = 8, h = 12); } difference() { translate([-20, -20, 30]) cube([42, 40, 10]); translate([2, 0, 29]) cylinder(d = 8, h = 12); } translate([21, -20, -40]) cube([10, 40, 80]); }
module input() difference() { union() { translate([0, 0, -45]) cylinder(d = 8, h = 30); translate([0, 0, -15]) cylinder(d = 30, h = 10); } translate([-20, -3, -9]) cube([40, 6, 5]); }
module disc() { translate([1, 0, -5]) cylinder(d = 30, h = 8); translate([-13, -3, -9]) cube([28, 6, 5]); translate([-2, -13, 2.9]) cube([6, 26, 4]); }
module output() difference() { union() { translate([2, 0, 13]) cylinder(d = 8, h = 32); translate([2, 0, 3]) cylinder(d = 30, h = 10); } translate([-1, -20, 2]) cube([6, 40, 4.9]); }
housing(); input();
module mid() difference() { union() { translate([1, 0, -5]) cylinder(d = 30, h = 8); translate([-13, -3, -9]) cube([28, 6, 5]); translate([-1, -13, 2.9]) cube([6, 26, 4]); } }
mid(); output();
