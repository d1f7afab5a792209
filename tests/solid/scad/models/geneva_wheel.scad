// Geneva wheel with n slots; distances from the crank's radius.
n = 6; crank = 20; pin_r = 2.5; t = 5; clearance = 0.2;
alpha = 180 / n;
centre = crank / sin(alpha);
wheel_r = centre * cos(alpha);
stop_r = crank - 1.5 * pin_r;
$fn = 100;
difference() {
  cylinder(r = wheel_r, h = t);
  for (i = [0:n-1]) rotate(i * 360 / n) {
    translate([centre - crank - pin_r, -pin_r - clearance / 2, -1]) cube([wheel_r, 2 * pin_r + clearance, t + 2]);
    translate([centre - crank - pin_r, 0, -1]) cylinder(r = pin_r + clearance / 2, h = t + 2);
    rotate(alpha) translate([centre, 0, -1]) cylinder(r = stop_r + clearance, h = t + 2);
  }
  translate([0, 0, -1]) cylinder(d = 6, h = t + 2);
}
