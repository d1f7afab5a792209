// A shaft in a deep groove ball bearing with eight balls, in a bored plate.
$fn = 120;
module torus(R, r) rotate_extrude() translate([R, 0, 0]) circle(r = r);
module plate() difference() { translate([-30, -30, -5]) cube([60, 60, 10]); cylinder(d = 32, h = 20, center = true); }
module outer() difference() { cylinder(d = 32, h = 9, center = true); cylinder(d = 25, h = 20, center = true); torus(11, 2.4); }
module inner() difference() { cylinder(d = 19, h = 9, center = true); cylinder(d = 12, h = 20, center = true); torus(11, 2.4); }
module shaft() { translate([0, 0, -20]) cylinder(d = 12, h = 40); translate([0, 0, 4.5]) cylinder(d = 15, h = 3); }
plate(); outer(); inner(); shaft();
for (k = [0:7]) rotate([0, 0, 45*k]) translate([11, 0, 0]) sphere(r = 2.4);
