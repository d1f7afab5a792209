// oscillating steam engine, printed, all holes 0.3 larger
$fn = 64;
clr = 0.3;
stroke = 20; crank_r = stroke/2; a = 35;
piv = [0, 60];           // trunnion above crank axis
pin = [crank_r*sin(a), crank_r*cos(a)];
d = piv - pin; L = norm(d); lean = atan2(d[0], d[1]);
module standard() {
  difference() {
    translate([-25, -20, 0]) cube([50, 100, 6]);
    translate([0, 0, -1]) cylinder(d = 8 + clr, h = 20);
    translate([piv[0], piv[1], -1]) cylinder(d = 6 + clr, h = 20);
  }
  translate([-40, -30, 0]) cube([80, 10, 40]);
}
module crank() {
  translate([0, 0, -10]) cylinder(d = 8, h = 17);
  translate([0, 0, -16]) cylinder(d = 40, h = 6);      // flywheel behind
  translate([0, 0, 7]) hull() { cylinder(d = 14, h = 4); translate([pin[0], pin[1], 0]) cylinder(d = 9, h = 4); }
  translate([pin[0], pin[1], 10]) cylinder(d = 5, h = 12);
}
module barrel() {
  translate([piv[0], piv[1], 0]) rotate(-lean) {
    translate([0, 0, -8]) cylinder(d = 6, h = 16);
    difference() {
      translate([-9, -12, 7.5]) cube([18, 44, 18]);
      translate([0, -13, 16.5]) rotate([-90, 0, 0]) cylinder(d = 12 + clr, h = 40);
    }
    translate([0,0,-12]) cylinder(d=11,h=5);
  }
}
module piston() {
  translate([pin[0], pin[1], 16.5]) rotate(-lean) {
    translate([0, L - 8, 0]) rotate([-90, 0, 0]) cylinder(d = 12, h = 18);
    translate([0, 4, 0]) rotate([-90, 0, 0]) cylinder(d = 4, h = L - 6);
    difference() { translate([0,0,-3.5]) cylinder(d = 10, h = 7); translate([0, 0, -10]) cylinder(d = 5 + clr, h = 20); }
  }
}
standard(); crank(); barrel(); piston();
