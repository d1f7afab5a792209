// Gear bearing: sun, planets and outer ring; a cage holds the planets. Teeth as pitch cylinders.
m = 1; zs = 15; zp = 10; n = 5; h = 10; play = .2;
rs = m*zs/2; rp = m*zp/2; rr = rs + 2*rp; $fn = 100;
module gear() { children(); }
module around() for (a = [0:360/n:359]) rotate(a) translate([rs + rp, 0, 0]) children();

module outer() difference() {
  cylinder(r = rr + 6, h = h + 6);
  gear() translate([0, 0, -1]) cylinder(r = rr, h = h + 8);
}
module sun() difference() {
  union() { gear() cylinder(r = rs, h = h); translate([0, 0, h - .01]) cylinder(r = rs - 2, h = 8); }
  translate([0, 0, -1]) cylinder(d = 6.7/cos(180/6), h = h + 20, $fn = 6);   // key
}
module planet() difference() { gear() cylinder(r = rp, h = h); translate([0, 0, -1]) cylinder(d = 4 + play, h = h + 2); }
module cage() {
  around() cylinder(d = 4, h = h + 2.01);
  translate([0, 0, h + 2]) difference() { cylinder(r = rr - play/2, h = 3); translate([0, 0, -1]) cylinder(r = rs - 2 + play/2, h = 5); }
}
color("Gold") outer();
color("Tomato") sun();
color("Teal") around() planet();
cage();
