// A shaper's quick return: a bull wheel with a crank pin, a die on it in the slot of the rocker, a ram with a pin slot.
$fn = 64;
module frame() { translate([-60, -80, -10]) cube([160, 180, 7]); translate([0, 0, -3.5]) cylinder(d = 10, h = 8); translate([0, -60, -3.5]) cylinder(d = 10, h = 13); }
module bull_wheel() { difference() { translate([0, 0, -2]) cylinder(d = 50, h = 5); translate([0, 0, -3]) cylinder(d = 10, h = 10); } translate([20, 0, 3]) cylinder(d = 6, h = 8); }
module die() translate([20, 0, 4]) difference() { rotate([0, 0, 71.565]) translate([-7, -5, 0]) cube([14, 10, 5]); translate([0, 0, -5]) cylinder(d = 6, h = 15); }
module rocker() translate([0, -60, 4]) rotate([0, 0, 71.565]) difference() { translate([-9, -9, 0]) cube([130, 18, 5]); translate([30, -5, -1]) cube([80, 10, 7]); translate([0, 0, -1]) cylinder(d = 10, h = 8); }
frame(); bull_wheel(); die(); rocker();
