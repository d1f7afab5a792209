// Two rings turned on a lathe, and balls between them.
bore = 10; outer = 30; height = 9; ball_d = 6;
pitch = (bore + outer) / 4;
n = floor(PI * 2 * pitch / (ball_d * 1.25));
$fn = 96;

module ring(r1, r2) {
  rotate_extrude()
    difference() {
      translate([r1, -height / 2]) square([r2 - r1, height]);
      translate([pitch, 0]) circle(d = ball_d + 0.2);
    }
}
ring(bore / 2, pitch - 1.5);
ring(pitch + 1.5, outer / 2);
for (i = [1:n]) rotate([0, 0, i * 360 / n]) translate([pitch, 0, 0]) sphere(d = ball_d);
