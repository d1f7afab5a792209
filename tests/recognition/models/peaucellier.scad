// Peaucellier cell printed with separate pins in clearance holes
$fn=40; c=0.25; d=6; t=4;
O=[0,0]; Q=[20,0]; 
// crank QP radius 20: circle through O
th=20; P=[20+20*cos(th),20*sin(th)];
l=70; s=35;
n=norm(P); e=P/n; k=(l*l-s*s)/n; Rr=e*k;   // OP*OR = l^2-s^2
mid=(P+Rr)/2; h=sqrt(s*s-pow(norm(Rr-P)/2,2)); nn=[-e[1],e[0]];
A=mid+nn*h; B=mid-nn*h;
module link(p,q,z) difference(){ hull(){translate([p[0],p[1],z*t]) cylinder(d=12,h=t-0.2); translate([q[0],q[1],z*t]) cylinder(d=12,h=t-0.2);} 
  for(w=[p,q]) translate([w[0],w[1],z*t-1]) cylinder(d=d+c,h=t+2);}
module pin(p,z0,z1) translate([p[0],p[1],z0*t]) cylinder(d=d,h=(z1-z0)*t-0.2);
module base(){ translate([-15,-15,-6]) cube([50,30,5.8]); pin(O,-1,3); pin(Q,-1,1);}
base();
label("crank") link(Q,P,0);
label("oa") link(O,A,1);
label("ob") link(O,B,2);
label("ap") link(A,P,2);
label("bp") link(B,P,3);
label("ar") link(A,Rr,3);
label("br") link(B,Rr,4);
label("pin_a") pin(A,0.5,4.5); label("pin_b") pin(B,1.5,5.5); label("pin_p") pin(P,-0.03,4.5); label("pin_r") pin(Rr,2.5,5.5);
