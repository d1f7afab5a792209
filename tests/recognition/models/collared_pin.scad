// An arm that turns on a pin between collars.
$fn = 64;
module base() difference(){ union(){ cube([60,40,6]); translate([0,0,0]) cube([60,8,50]); } translate([30,-1,35]) rotate([-90,0,0]) cylinder(d=10,h=20);}
module pin() translate([30,-6,35]) rotate([-90,0,0]) cylinder(d=10,h=44);
module collar() rotate([-90,0,0]) difference(){ cylinder(d=18,h=5); translate([0,0,-1]) cylinder(d=10,h=9);} 
module arm() difference(){ union(){ translate([30,14,35]) rotate([-90,0,0]) cylinder(d=24,h=12); translate([25,14,35]) cube([10,12,70]); } translate([30,0,35]) rotate([-90,0,0]) cylinder(d=10.2,h=40); }
base(); pin(); arm();
module inner_collar() translate([30,8.5,35]) collar();
module outer_collar() translate([30,27,35]) collar();
inner_collar(); outer_collar();
