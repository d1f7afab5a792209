// planetary gear set, pitch cylinders only (use real teeth for printing)
m = 1.5;
z_sun = 18; z_planet = 12; z_ring = z_sun + 2*z_planet;
n = 3; h = 8; pin = 5; tol = .2;
$fa = 5; $fs = .5;

function r(z) = m*z/2;
module gear() { children(); }
module bore(d) { difference() { children(); translate([0, 0, -50]) cylinder(d = d, h = 100); } }

module sun()    { gear() cylinder(r = r(z_sun), h = h); 
  difference() { translate([0, 0, -30]) cylinder(d = 8, h = 50); translate([2.5, -5, -31]) cube([5, 10, 10]); } }
module planet() bore(pin + tol) gear() cylinder(r = r(z_planet), h = h);
module carrier() {
  bore(8 + tol) translate([0, 0, h + 1]) cylinder(r = r(z_sun) + r(z_planet) + pin, h = 4);
  for (a = [0 : 360/n : 359]) rotate(a) translate([r(z_sun) + r(z_planet), 0, 0]) cylinder(d = pin, h = h + 2);
  bore(8 + tol) translate([0, 0, h + 5 - .01]) cylinder(d = 20, h = 10);
}
module housing() {
  bore(8 + tol) translate([0, 0, -16]) cylinder(r = r(z_ring) + 12, h = 8);
  difference() {
    translate([0, 0, -8 - 0.01]) cylinder(r = r(z_ring) + 12, h = h + 32);
    gear() translate([0, 0, -9]) cylinder(r = r(z_ring), h = h + 50);
  }
  bore(20 + tol) translate([0, 0, h + 8]) cylinder(r = r(z_ring) + 0.5, h = 4);
}

housing();
sun();
for (i = [0 : n - 1]) rotate(i*360/n) translate([r(z_sun) + r(z_planet), 0, 0]) planet();
carrier();
