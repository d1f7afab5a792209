// Written long ago: assign, no spaces, deprecated ranges.
L=40;W=8;T=4;
module hole(x){translate([x,0,-1])cylinder(r=2,h=T+2,$fn=32);}
difference(){
union(){translate([0,-W/2,0])cube([L,W,T]);
for(x=[0,L])translate([x,0,0])cylinder(r=W/2,h=T,$fn=48);}
for(i=[0:2])assign(x=i*L/2)hole(x);
}
