// machine vice: captive hex nut, screw with handle, jaw on rails
$fn=40; 
module body(){ difference(){ union(){ translate([0,-30,0]) cube([120,60,8]); translate([0,-30,0]) cube([15,60,40]); translate([105,-30,0]) cube([15,60,40]); } 
  translate([100,0,24]) rotate([0,90,0]) cylinder(d=10.4,h=40);
  translate([104.9,0,24]) rotate([0,90,0]) cylinder(d=18.4,h=8.3,$fn=6);
  for(s=[-1,1]) translate([14.9,s*20-2.2,4]) cube([90.2,4.4,10]);
  for(s=[-1,1]) translate([14.9,s*20-4.2,3.8]) cube([90.2,8.4,2.4]); }}
module jaw(){ difference(){ translate([50,-30,8.2]) cube([20,60,32]); translate([62,0,24]) rotate([0,90,0]) cylinder(d=8.3,h=20); translate([61.8,0,24]) rotate([0,90,0]) cylinder(d=12.4,h=4.4);}
  for(s=[-1,1]) { translate([50,s*20-2,5.5]) cube([20,4,4]); translate([50,s*20-4,4]) cube([20,8,2]); } }
module lead_screw(){ translate([62,0,24]) rotate([0,90,0]) { cylinder(d=12,h=4); cylinder(d=8,h=10); thread(1.5) translate([0,0,9]) cylinder(d=10,h=80); translate([0,0,89]) cylinder(d=20,h=12);} translate([157,-30,24]) rotate([-90,0,0]) cylinder(d=5,h=60); }
module hexnut(){ translate([105,0,24]) rotate([0,90,0]) difference(){ cylinder(d=18,h=8,$fn=6); thread(1.5) translate([0,0,-1]) cylinder(d=10,h=20);} }
body(); jaw(); lead_screw(); hexnut();
