// Wheel and teeth as in an old clock: blocks around a disc.
module tooth() { translate([-3.2, 0, 0]) cube([0.3, 5.4, 1]); }
difference() {
  union() {
    cylinder(d = 10, h = 1, $fn = 64);
    for (i = [0:9]) rotate([0, 0, 36 * i]) tooth();
  }
  translate([0, 0, -0.5]) cylinder(d = 1, h = 2, $fn = 32);
}
