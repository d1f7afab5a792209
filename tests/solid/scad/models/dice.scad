// Cube, sphere and dimples.
size = 20;
dots = [[[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]]];
module face(n) for (d = dots[n - 1]) translate([d[0] * 5, d[1] * 5, size / 2]) sphere(r = 2, $fn = 24);
difference() {
  intersection() { cube(size, center = true); sphere(r = size * 0.7, $fn = 36); }
  face(1);
  rotate([90, 0, 0]) face(2);
  rotate([0, 90, 0]) face(3);
}
