// Roller chain: a plate repeated with for and children.
pitch = 12.7;
module plate(t = 1.5) difference() {
  hull() for (x = [0, pitch]) translate([x, 0, 0]) cylinder(d = 11, h = t, $fn = 60);
  for (x = [0, pitch]) translate([x, 0, -1]) cylinder(d = 4.5, h = t + 2, $fn = 40);
}
module repeat(n, by) for (i = [0:n-1]) translate(i * by) children();
module link() {
  plate();
  translate([0, 0, 9]) plate();
  for (x = [0, pitch]) translate([x, 0, 0]) cylinder(d = 4.4, h = 10.5, $fn = 40);
}
repeat(3, [2 * pitch, 0, 0]) link();
