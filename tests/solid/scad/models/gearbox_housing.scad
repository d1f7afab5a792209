// Housing: shells by difference, bosses in a loop over a table of places.
size = [80, 60, 30]; wall = 3;
bosses = [[15, 15], [65, 15], [65, 45], [15, 45]];
shafts = [[25, 30, 8], [53, 30, 12]]; // x, y, bore
module at(places) for (p = places) translate([p[0], p[1], 0]) children();
$fn = 50;
difference() {
  union() {
    difference() {
      cube(size);
      translate([wall, wall, wall]) cube([size[0] - 2 * wall, size[1] - 2 * wall, size[2]]);
    }
    at(bosses) cylinder(d = 9, h = size[2]);
    for (s = shafts) translate([s[0], s[1], 0]) cylinder(d = s[2] + 8, h = 8);
  }
  at(bosses) translate([0, 0, 5]) cylinder(d = 3.2, h = size[2]);
  for (s = shafts) translate([s[0], s[1], -1]) cylinder(d = s[2], h = 20);
}
