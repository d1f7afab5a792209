length = 60; big = 24; small = 16; thick = 8;
$fn = 100;
difference() {
    union() {
        cylinder(d=big, h=thick);
        translate([length,0,0]) cylinder(d=small, h=thick);
        translate([0,-4,1]) cube([length,8,thick-2]);
    }
    translate([0,0,-1]) cylinder(d=big-8, h=thick+2);
    translate([length,0,-1]) cylinder(d=small-6, h=thick+2);
    translate([big/2+2,-2,thick-2]) cube([length-big/2-small/2-4,4,5]);
}
