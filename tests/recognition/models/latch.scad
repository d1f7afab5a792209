// sliding latch with a knob
L = 60; H = 12; W = 10; fit = 0.2; wall = 3; EPS = 0.01;
module shell() difference() {
  cube([L, W + 2*wall, H + 2*wall], center = true);
  cube([L + 2*EPS, W, H], center = true);
  translate([-10, 0, (H + wall)/2]) cube([25, 5, wall + 2], center = true);   // slot of the knob
}
module bolt_bar() {
  translate([6, 0, 0]) cube([L + 12, W - fit, H - fit], center = true);
  translate([-10, 0, H/2 - EPS]) cylinder(d = 4.6, h = 14, $fn = 30);
  translate([-10, 0, H/2 + 13]) sphere(d = 9, $fn = 60);
}
label("housing") shell();
label("slide") bolt_bar();
module label(name) { children(); }
