// Flange with a bolt circle; names with a dollar reach the children.
module bolt_circle(n, d) for (i = [0:n-1]) { $index = i; rotate(i * 360 / n) translate([d / 2, 0, 0]) children(); }
module stepped_hole() translate([0, 0, -1]) { cylinder(d = 5, h = 20); if ($index % 2 == 0) translate([0, 0, 6]) cylinder(d = 9, h = 10); }
$fn = 64;
difference() {
  union() { cylinder(d = 70, h = 8); cylinder(d = 34, h = 22); }
  translate([0, 0, -1]) cylinder(d = 24, h = 30);
  bolt_circle(6, 52) stepped_hole();
}
