// Ratchet wheel and pawl on one plate
teeth = 12; R = 20; r_root = 16; thick = 5; shaft = 6; C = 0.15;
function polar(r, a) = [r*cos(a), r*sin(a)];
profile = [for (i = [0:teeth-1]) each [polar(r_root, i*360/teeth), polar(R, i*360/teeth + 2)]];

module plate() {
  translate([-30, -30, -5]) cube([75, 60, 4]);
  translate([0, 0, -2]) cylinder(d = shaft, h = thick + 4, $fn = 50);
  translate([32, 8, -2]) cylinder(d = shaft - 2, h = thick + 4, $fn = 50);
}
module wheel() linear_extrude(thick) difference() { polygon(profile); circle(d = shaft + C, $fn = 50); }
module pawl() translate([32, 8, 0]) linear_extrude(height = thick) difference() {
  union() { circle(d = 10, $fn = 40); polygon([[-5, 0], [5, -2], [-9, -9.5], [-10.5, -8]]); }
  circle(d = shaft - 2 + C, $fn = 40);
}

plate();
wheel();
pawl();
