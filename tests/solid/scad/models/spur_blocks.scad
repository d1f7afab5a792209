// A wheel with straight teeth made of turned blocks, a bore and a keyway.
teeth = 12;
module tooth(l, w, h) translate([0, -w/2, 0]) cube([l, w, h]);
difference() {
  union() {
    cylinder(r = 20, h = 6, $fn = 90);
    for (k = [0 : teeth - 1]) rotate(k * 360 / teeth) tooth(26, 5, 6);
  }
  translate([0, 0, -1]) cylinder(d = 8, h = 8, $fn = 40);
  translate([0, -1.5, -1]) cube([6, 3, 8]);
}
