// A tree of struts: modules that call themselves.
module strut(length, level) {
  cylinder(h = length, r1 = level, r2 = level * 0.7, $fn = 32);
  if (level > 1)
    translate([0, 0, length])
      for (a = [0, 120, 240])
        rotate([30, 0, a]) strut(length * 0.7, level - 1);
}
strut(20, 3);
