// A worm (drawn as a plain cylinder with collars) beside its wheel: axes are skew, no pair between them.
$fn = 72;
module box() { difference() { translate([-40, -40, -12]) cube([100, 80, 10]); translate([0, 0, -13]) cylinder(d = 10, h = 14); } for (y = [-38, 28]) difference() { translate([28, y, -3]) cube([24, 10, 24]); translate([40, y - 1, 9]) rotate([-90, 0, 0]) cylinder(d = 8, h = 12); } }
module worm() { translate([40, -45, 9]) rotate([-90, 0, 0]) cylinder(d = 8, h = 95); translate([40, -14, 9]) rotate([-90, 0, 0]) cylinder(d = 19, h = 28); }
module worm_wheel() { translate([0, 0, -14]) cylinder(d = 10, h = 14); translate([0, 0, 0]) cylinder(d = 60, h = 18); }
box(); worm(); worm_wheel();
