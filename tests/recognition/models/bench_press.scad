// An arbor press without teeth drawn: a square ram in its guide, a shaft across with a lever and a collar pinned to it.
$fn = 64;
module frame() { cube([60, 60, 10]); translate([0, 40, 0]) cube([60, 20, 120]); translate([10, 0, 90]) difference() { cube([40, 41, 30]); translate([10, 2, -1]) cube([20, 20, 32]); translate([-1, 32, 15]) rotate([0, 90, 0]) cylinder(d = 8, h = 60); } }
module ram() translate([20.05, 2.05, 30]) cube([19.9, 19.9, 100]);
module pinion_shaft() difference() { translate([-20, 32, 105]) rotate([0, 90, 0]) cylinder(d = 7.9, h = 90); for (x = [-14, 64]) translate([x, 32, 80]) cylinder(d = 2, h = 50); }
module lever() difference() { union() { translate([-18, 32, 105]) rotate([0, 90, 0]) cylinder(d = 16, h = 8); translate([-18, 28, 105]) cube([8, 8, 100]); } translate([-30, 32, 105]) rotate([0, 90, 0]) cylinder(d = 7.9, h = 30); translate([-14, 32, 80]) cylinder(d = 2, h = 50); }
module collar() difference() { translate([60, 32, 105]) rotate([0, 90, 0]) cylinder(d = 16, h = 8); translate([50, 32, 105]) rotate([0, 90, 0]) cylinder(d = 7.9, h = 30); translate([64, 32, 80]) cylinder(d = 2, h = 50); }
module dowel() cylinder(d = 2, h = 15);
frame(); ram(); pinion_shaft(); lever(); collar();
translate([-14, 32, 97.5]) dowel();
translate([64, 32, 97.5]) dowel();
