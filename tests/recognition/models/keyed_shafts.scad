// motor with D-shaft, pulley keyed by a grub screw, a loose pulley beside it with bearing clearance, feather key on out shaft
$fn=64;
module dshape(d,flat) intersection(){ circle(d=d); translate([-d/2,-d/2]) square([d,d/2+flat]); }
module mount(){ difference(){ translate([-30,-30,-6]) cube([130,60,6]); translate([0,0,-7]) cylinder(d=8.4,h=20); translate([70,0,-7]) cylinder(d=10.3,h=20);} }
module motor_shaft(){ translate([0,0,-20]) cylinder(d=8,h=21); translate([0,0,0.5]) linear_extrude(34.5) dshape(8,2.5); translate([0,0,-14]) cylinder(d=14,h=7.8); }
module pulley(){ translate([0,0,2]) difference(){ cylinder(d=30,h=12); translate([0,0,-1]) linear_extrude(20) dshape(8.2,2.6); translate([0,0,6]) rotate([-90,0,0]) cylinder(d=3,h=30);} }
module grub_screw(){ translate([0,2.5,8]) rotate([-90,0,0]) cylinder(d=3,h=10); }
module out_shaft(){ difference(){ union(){ translate([70,0,-15]) cylinder(d=10,h=50); translate([70,0,-12]) cylinder(d=16,h=5.8);} translate([70-1.5,3,4]) cube([3,4,14]); } }
module feather_key(){ translate([70-1.5,3,4]) cube([3,3.5,14]); }
module big_pulley(){ translate([70,0,2]) difference(){ cylinder(d=50,h=16); translate([0,0,-1]) cylinder(d=10.2,h=30); translate([-1.6,0,-1]) cube([3.2,6.7,30]); } }
mount(); motor_shaft(); pulley(); grub_screw(); out_shaft(); feather_key(); big_pulley();
