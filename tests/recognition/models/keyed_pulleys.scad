// A shaft with two keyways, keys of their own, a pulley and a gear blank keyed to it.
$fn = 72;
module housing() { translate([-20, -25, -40]) cube([160, 50, 10]); for (x = [0, 100]) difference() { translate([x, -15, -31]) cube([15, 30, 50]); translate([x - 1, 0, 0]) rotate([0, 90, 0]) cylinder(d = 20, h = 17); } }
module shaft() difference() { translate([-15, 0, 0]) rotate([0, 90, 0]) cylinder(d = 20, h = 160); for (x = [30, 65]) translate([x, -3, 6.5]) cube([20, 6, 10]); }
module key() cube([20, 6, 6]);
module hub(d) difference() { rotate([0, 90, 0]) cylinder(d = d, h = 20); translate([-1, 0, 0]) rotate([0, 90, 0]) cylinder(d = 20, h = 30); translate([-1, -3, 0]) cube([30, 6, 12.6]); }
housing(); shaft();
translate([30, -3, 6.5]) key();
translate([65, -3, 6.5]) key();
translate([30, 0, 0]) hub(44);
module gear_blank() hub(50);
translate([65, 0, 0]) gear_blank();
