// Angle bracket with two rows of screw holes and a rib.
width = 40; leg = 50; thick = 5; hole = 4.5;
$fn = 48;

module plate() {
  difference() {
    cube([leg, width, thick]);
    for (y = [width / 4, 3 * width / 4])
      translate([leg - 12, y, -1]) {
        cylinder(h = thick + 2, d = hole);
        translate([0, 0, thick - 1]) cylinder(h = 3, d1 = hole, d2 = 2 * hole);
      }
  }
}

plate();
translate([thick, 0, 0]) rotate([0, -90, 0]) plate();
translate([thick, width / 2 + 2, thick]) rotate([90, 0, 0])
  linear_extrude(height = 4) polygon([[0, 0], [25, 0], [0, 25]]);
