/* Parametric hinge
   Two leaves and a pin, printed apart, drawn assembled. */

// [Size]
width      = 60;   // along the pin
leaf       = 25;   // from the pin to the edge
thickness  = 3;
knuckles   = 5;
// [Fit]
pin_d      = 4;
clearance  = 0.3;  // on the diameter
gap        = 0.4;  // between knuckles

/* [Hidden] */
$fn = 64;
eps = 0.01;
barrel = pin_d + 2*thickness;
pitch  = width/knuckles;

module knuckle(i) {
  translate([i*pitch + gap/2, 0, 0]) rotate([0, 90, 0])
    cylinder(d = barrel, h = pitch - gap);
}

module leaf(parity) {
  difference() {
    union() {
      for (i = [parity : 2 : knuckles - 1]) {
        knuckle(i);
        translate([i*pitch + gap/2, 0, -barrel/2]) cube([pitch - gap, barrel/2 + 1, thickness]);
      }
      translate([0, barrel/2 + gap, -barrel/2]) cube([width, leaf, thickness]);
    }
    translate([-eps, 0, 0]) rotate([0, 90, 0]) cylinder(d = pin_d + clearance, h = width + 2*eps);
    // screw holes
    for (x = [width/4, 3*width/4])
      translate([x, leaf/2 + barrel/2, -barrel/2 - eps]) cylinder(d = 4.2, h = thickness + 2*eps);
  }
}

module pin() translate([0, 0, 0]) rotate([0, 90, 0]) union() {
  cylinder(d = pin_d, h = width);
  translate([0, 0, -2]) cylinder(d = barrel, h = 2 - eps*0);
}

color("SteelBlue") leaf(0);
color("Khaki") mirror([0, 1, 0]) leaf(1);
pin();
