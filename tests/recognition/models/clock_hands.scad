// motion work of a clock: three coaxial tubes, only the arbor is held by the baseplate
$fn=72;
module baseplate(){ difference(){ translate([-40,-40,0]) cube([80,80,3]); translate([0,0,-1]) cylinder(d=3.2,h=9);} 
  difference(){ translate([0,0,2]) cylinder(d=9,h=8); translate([0,0,-1]) cylinder(d=3.2,h=20);} bezel(); }
module seconds(){ translate([0,0,-6]) cylinder(d=3,h=40); translate([0,0,-4]) cylinder(d=10,h=3.8); translate([-1,-4,32]) cube([2,36,1]);}
module minute(){ difference(){ union(){ translate([0,0,11]) cylinder(d=6,h=16); translate([-1.5,-3,26]) cube([3,28,1]); translate([0,0,11]) cylinder(d=14,h=2);} translate([0,0,0]) cylinder(d=3.25,h=60);} }
module hour(){ difference(){ union(){ translate([0,0,14]) cylinder(d=10,h=8); translate([-2,-5,21]) cube([4,22,1]); translate([0,0,14]) cylinder(d=20,h=1.5);} cylinder(d=6.3,h=60);} }
// a rim that only surrounds everything
module bezel(){ difference(){ translate([0,0,2]) cylinder(d=78,h=34); translate([0,0,2]) cylinder(d=72,h=50);} }
baseplate(); seconds(); minute(); hour();
