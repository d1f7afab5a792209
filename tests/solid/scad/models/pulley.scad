// V-belt pulley turned from a profile, with lightening holes and a hub.
profile = [[6, 0], [30, 0], [30, 3], [24, 7], [24, 9], [30, 13], [30, 16], [10, 16], [10, 24], [6, 24]];
difference() {
  rotate_extrude($fn = 120) polygon(profile);
  for (a = [0:60:300]) rotate(a) translate([17, 0, -1]) cylinder(d = 8, h = 18, $fn = 40);
}
