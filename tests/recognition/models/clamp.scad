// shaft clamp: two halves, two M4 screws, a tube that turns in it
tube_d = 20; tube_l = 60; clear = 0.2; m4 = 4; head = 7;
$fn = 72;
module half() difference() {
  translate([-25, -10, 0.25]) cube([50, 20, 15]);
  rotate([90, 0, 0]) cylinder(d = tube_d + clear, h = 50, center = true);
  for (x = [-18, 18]) translate([x, 0, -1]) cylinder(d = m4, h = 40);
}
module bottom() rotate([0, 180, 0]) half();
module top() half();
module m4x30() { translate([0, 0, -15.25]) cylinder(d = m4, h = 30.5); translate([0, 0, 15.25]) cylinder(d = head, h = 4, $fn = 6); }
module tube() rotate([90, 0, 0]) difference() { cylinder(d = tube_d, h = tube_l, center = true); cylinder(d = tube_d - 4, h = tube_l + 1, center = true); }

color("gray") bottom();
color("gray") top();
color("silver") { for (x = [-18, 18]) translate([x, 0, 0]) m4x30(); }
tube();
