
module base() { cube([40, 20, 2]); for (x = [10, 30]) translate([x, 10, 0]) cylinder(d = 4, h = 9); }
module wheel() difference() { cylinder(d = 12, h = 4); cylinder(d = 4.2, h = 20, center = true); }
base();
for (x = [10, 30]) translate([x, 10, 3]) wheel();
