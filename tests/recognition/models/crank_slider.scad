include <crank_slider_parts/sizes.scad>
use <crank_slider_parts/parts.scad>

theta = 35;
B = [r*cos(theta), r*sin(theta), 0];
C = [B.x + sqrt(l*l - B.y*B.y), 0, 0];

module assembly() {
  frame(C.x);
  rotate([0, 0, theta]) crank();
  translate(B) rotate([0, 0, atan2(C.y - B.y, C.x - B.x)]) conrod();
  translate(C) slider();
}

assembly();
