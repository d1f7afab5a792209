// quill of a drill press: rack cut into the quill, pinion shaft across, spindle in the quill
$fn = 96;
m = 1.5; z = 12; rp = m*z/2;
module tooth_profile(r, n) { // simple trapezoid teeth
  circle(r = r - 1.25*m);
  for (i = [0:n-1]) rotate(i*360/n) polygon([[r-1.3*m, -0.40*PI*m], [r, -0.235*PI*m], [r+0.95*m, -0.11*PI*m], [r+0.95*m, 0.11*PI*m], [r, 0.235*PI*m], [r-1.3*m, 0.40*PI*m]]);
}
module head() {
  difference() {
    translate([-30, -30, -20]) cube([70, 60, 60]);
    translate([0, 0, -21]) cylinder(d = 30.3, h = 80);
    translate([15 + rp - 1, 0, 0]) rotate([90, 0, 0]) cylinder(r = rp + m + 1, h = 16, center = true);
    translate([15 + rp, -40, 0]) rotate([-90, 0, 0]) cylinder(d = 8.3, h = 80);
    translate([-20,-2.15,-21]) cube([8, 4.3, 80]);
  }
}
module quill() {
  difference() {
    union() {
      translate([0, 0, -50]) cylinder(d = 30, h = 100);
      translate([-17, -2, -50]) cube([6, 4, 100]);
    }
    translate([0, 0, -60]) cylinder(d = 12.4, h = 120);
    for (k = [-7:8]) translate([15, 0, (k-0.5) * PI * m])
      rotate([90, 0, 0]) linear_extrude(14, center = true)
        polygon([[-1.25*m-0.2, -0.12*PI*m], [0, -0.27*PI*m], [m+2, -0.43*PI*m], [m+2, 0.43*PI*m], [0, 0.27*PI*m], [-1.25*m-0.2, 0.12*PI*m]]);
  }
}
module spindle() {
  translate([0, 0, -70]) cylinder(d = 12, h = 140);
  translate([0, 0, -58]) cylinder(d = 20, h = 7.8);
  translate([0, 0, 50.2]) cylinder(d = 20, h = 6);
}
module feed() {
  translate([15 + rp, 0, 0]) rotate([90, 0, 0]) { linear_extrude(13.4, center = true) rotate(180/z) tooth_profile(rp, z);
    cylinder(d = 8, h = 90, center = true);
    for (s = [-1, 1]) translate([0, 0, s*32.2]) cylinder(d = 14, h = 4, center = true);
    translate([0, 0, 40]) rotate([0, 90, 0]) cylinder(d = 5, h = 60, center=true); }
}
head(); quill(); spindle(); feed();
