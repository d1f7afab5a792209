// Crankshaft: webs, journals and a crank pin, by a module that takes children.
$fn = 72;
throw = 12;
module along_x(x) { translate([x, 0, 0]) rotate([0, 90, 0]) children(); }
module web(x, t = 5) along_x(x) hull() {
  cylinder(r = 9, h = t);
  translate([0, throw, 0]) cylinder(r = 7, h = t);
}
along_x(-25) cylinder(d = 10, h = 25);
web(0);
along_x(5) translate([0, throw, 0]) cylinder(d = 9, h = 14);
web(19);
along_x(24) cylinder(d = 10, h = 25);
