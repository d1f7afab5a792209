// Piston with ring grooves and a pin hole.
bore = 40; height = 36; crown = 6; wall = 4; pin_d = 10; grooves = 3;
$fn = 60;
difference() {
  cylinder(d = bore, h = height);
  translate([0, 0, -1]) cylinder(d = bore - 2 * wall, h = height - crown + 1);
  for (i = [0:grooves-1])
    translate([0, 0, height - crown / 2 - 4 * i - 2])
      difference() {
        cylinder(d = bore + 2, h = 2);
        translate([0, 0, -1]) cylinder(d = bore - 3, h = 4);
      }
  translate([0, 0, 12]) rotate([0, 90, 0]) cylinder(d = pin_d, h = bore + 2, center = true);
}
