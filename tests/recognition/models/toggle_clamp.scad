// A vertical toggle clamp of sheet metal: base, arm, handle and link on four rivets, and a rubber foot on a spindle.
$fn = 48;
module plate(a, b, w, t) hull_free(a, b, w, t);
module hull_free(a, b, w, t) { // a strap from a to b with round ends
  d = b - a; l = norm(d); g = atan2(d[1], d[0]);
  translate([a[0], a[1], 0]) rotate([0, 0, g]) { translate([0, -w/2, 0]) cube([l, w, t]); cylinder(d = w, h = t); translate([l, 0, 0]) cylinder(d = w, h = t); }
}
A = [0, 0]; B = [40, 0]; C = [10, 30]; D = [38, 26];
module hole(p, d = 5.1) translate([p[0], p[1], -20]) cylinder(d = d, h = 40);
module base() { difference() { union() { plate(A, B, 12, 3); translate([-10, -16, 0]) cube([70, 10.5, 3]); } hole(A); hole(B); } }
module arm() translate([0, 0, 3.2]) difference() { union() { plate(A, C, 12, 3); plate(C, [-40, 30], 12, 3); } hole(A); hole(C); translate([-40, 30, -5]) cylinder(d = 8.2, h = 20); }
module handle() translate([0, 0, 6.4]) difference() { union() { plate(C, D, 12, 3); plate(D, [80, 60], 12, 3); } hole(C); hole(D); }
module link() translate([0, 0, 9.6]) difference() { plate(B, D, 10, 3); hole(B); hole(D); }
module rivet_a() translate([A[0], A[1], -1]) cylinder(d = 5, h = 8.5);
module rivet_b() translate([B[0], B[1], -1]) cylinder(d = 5, h = 15);
module rivet_c() translate([C[0], C[1], 2.5]) cylinder(d = 5, h = 8.5);
module rivet_d() translate([D[0], D[1], 5]) cylinder(d = 5, h = 9);
base(); arm(); handle(); link(); rivet_a(); rivet_b(); rivet_c(); rivet_d();
