// A ball caster: a ball in a cup that goes beyond its equator.
$fn = 64;
module cup() difference() { translate([0, 0, -4]) cylinder(d = 30, h = 20); sphere(r = 10.05); translate([0, 0, -20]) cylinder(d = 18, h = 16.5); }
module ball() sphere(r = 10);
cup(); ball();
