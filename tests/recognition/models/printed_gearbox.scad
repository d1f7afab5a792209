// two-stage gearbox with idler; involute gears the usual way
$fn=48;
function inv(rb,t) = [rb*(cos(t)+t*PI/180*sin(t)), rb*(sin(t)-t*PI/180*cos(t))];
function rot(p,a) = [p[0]*cos(a)-p[1]*sin(a), p[0]*sin(a)+p[1]*cos(a)];
module gear2d(m,z,pa=20,bl=0.15){ rp=m*z/2; rb=rp*cos(pa); ra=rp+m; rf=rp-1.25*m; n=8;
 tmax=sqrt(pow(ra/rb,2)-1)*180/PI; tp=sqrt(pow(rp/rb,2)-1)*180/PI; tmin = rf>rb ? sqrt(pow(rf/rb,2)-1)*180/PI : 0;
 half=90/z + atan2(inv(rb,tp)[1],inv(rb,tp)[0]) - bl/rp*90/PI;
 right=[for(i=[0:n]) rot(inv(rb,tmin+(tmax-tmin)*i/n),-half)];
 left=[for(i=[n:-1:0]) let(p=right[i]) [p[0],-p[1]]];
 difference(){ union(){ circle(r=rf); for(i=[0:z-1]) rotate(i*360/z) polygon(concat([[0,-0.01]],right,left,[[0,0.01]])); } }
}
module spur(m,z,h,bore) linear_extrude(h) difference(){ gear2d(m,z); circle(d=bore);} 
m=1; pos=[[0,0],[22,0],[22+25,0],[22+25,32]];
module housing(){ difference(){ translate([-20,-30,-8]) cube([110,95,5]); for(p=pos) translate([p[0],p[1],-9]) cylinder(d=5.3,h=20);} 
 for(p=[[-15,-25],[85,-25],[-15,60],[85,60]]) translate([p[0],p[1],-4]) cylinder(d=6,h=24); 
 translate([0,0,20]) difference(){ translate([-20,-30,0]) cube([110,95,4]); for(p=pos) translate([p[0],p[1],-9]) cylinder(d=5.3,h=20);} }
module axle(h0,h1) translate([0,0,h0]) cylinder(d=5,h=h1-h0);
housing();
label("input") { translate([pos[0][0],pos[0][1],0]) { spur(m,16,6,1); axle(-20,23);} }
label("idler") translate([pos[1][0],pos[1][1],0]) { rotate(180/28) spur(m,28,6,1); axle(-8,23);} 
label("lay") translate([pos[2][0],pos[2][1],0]) { rotate(0) spur(m,22,6,1); translate([0,0,8]) rotate(0) spur(m,14,8,1); axle(-8,23);} 
label("out") translate([pos[3][0],pos[3][1],8]) { rotate(90+0*180/50) spur(m,50,6,1); translate([0,0,-8]) axle(-8,30);} 
