// Blades leaning on a hub: prisms turned in space.
$fn = 60;
blades = 5;
cylinder(d = 16, h = 12);
for (i = [0:blades-1])
  rotate([0, 0, i * 72]) translate([6, 0, 6]) rotate([35, 0, 0]) translate([0, -6, -0.75]) cube([30, 12, 1.5]);
difference() {
  translate([0, 0, 0]) cylinder(r = 38, h = 12);
  translate([0, 0, -1]) cylinder(r = 36.5, h = 14);
}
