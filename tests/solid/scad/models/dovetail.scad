// Dovetail slide: trapezium by points, a slot with clearance, everything by multmatrix.
w = 20; h = 8; l = 50; c = 0.2;
module tail(w, h, l) multmatrix([[1, 0, 0, 0], [0, 0, -1, l], [0, 1, 0, 0], [0, 0, 0, 1]])
  linear_extrude(height = l) polygon([[-w / 2 + h * tan(30), 0], [w / 2 - h * tan(30), 0], [w / 2, h], [-w / 2, h]]);
difference() {
  translate([-20, 0, 0]) cube([40, l, 14]);
  translate([0, -1, 14 - h]) tail(w + c, h + 1, l + 2);
}
translate([0, 0, 30]) tail(w, h, l);
