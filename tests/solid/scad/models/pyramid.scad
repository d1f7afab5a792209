// A polyhedron given by its corners, a frustum by scale, a twisted bar by slices.
polyhedron(points = [[10, 10, 0], [10, -10, 0], [-10, -10, 0], [-10, 10, 0], [0, 0, 12]],
  faces = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 3], [2, 1, 3]]);
translate([30, 0, 0]) linear_extrude(height = 10, scale = 0.5) square(12, center = true);
translate([60, 0, 0]) linear_extrude(height = 20, twist = 90, slices = 6) square([10, 4], center = true);
translate([90, 0, 0]) cylinder(h = 10, r1 = 8, r2 = 3, $fn = 5);
translate([120, 0, 5]) sphere(r = 6, $fn = 8);
translate([150, 0, 0]) rotate_extrude($fn = 7) translate([4, 0]) square([3, 5]);
