// A fork, its pin, an arm with a sleeve in it.
$fn = 64;
module fork() difference(){ union(){ cube([40,30,4]); for(y=[0,25]) translate([0,y,0]) cube([40,5,40]); } translate([20,-1,28]) rotate([-90,0,0]) cylinder(d=8,h=40);}
module pin(){ translate([20,-3,28]) rotate([-90,0,0]) cylinder(d=8,h=36); translate([20,-6,28]) rotate([-90,0,0]) cylinder(d=14,h=3); }
module sleeve() translate([20,5.5,28]) rotate([-90,0,0]) difference(){ cylinder(d=12,h=19); translate([0,0,-1]) cylinder(d=8,h=30);} 
module arm() difference(){ union(){ translate([20,6,28]) rotate([-90,0,0]) cylinder(d=22,h=18); translate([15,6,28]) cube([10,18,70]); } translate([20,0,28]) rotate([-90,0,0]) cylinder(d=12,h=40); }
fork(); pin(); sleeve(); arm();
