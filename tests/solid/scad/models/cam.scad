// Plate cam: base circle, nose, flanks as the hull of both, a shaft with a flat.
base = 15; nose = 5; lift = 10; t = 8; shaft = 10;
difference() {
  linear_extrude(height = t, convexity = 4) hull() {
    circle(r = base, $fn = 120);
    translate([0, base + lift - nose]) circle(r = nose, $fn = 60);
  }
  translate([0, 0, -1]) linear_extrude(height = t + 2) difference() {
    circle(d = shaft, $fn = 60);
    translate([-shaft, shaft / 2 - 1]) square([2 * shaft, shaft]);
  }
}
