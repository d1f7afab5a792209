// Plates with round corners.
$fn = 64;
module rounded_plate(size, r, h) {
  linear_extrude(height = h)
    translate([r, r]) offset(r = r) square([size[0] - 2 * r, size[1] - 2 * r]);
}
cube(1000); // what a used file shows is not drawn
