// Pipe clip: a ring open at the top, on a foot.
pipe = 20; wall = 3; width = 12; opening = 70;
$fn = 90;
difference() {
  union() {
    linear_extrude(width) circle(d = pipe + 2 * wall);
    translate([-pipe / 2 - wall, -pipe / 2 - 2 * wall, 0]) cube([pipe + 2 * wall, wall * 2, width]);
  }
  translate([0, 0, -1]) linear_extrude(width + 2) {
    circle(d = pipe);
    polygon([[0, 0], [pipe * cos(90 - opening / 2), pipe * sin(90 - opening / 2)], [pipe * cos(90 + opening / 2), pipe * sin(90 + opening / 2)]]);
  }
}
