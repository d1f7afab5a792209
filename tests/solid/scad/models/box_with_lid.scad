// Rounded box by offset outlines; the lid stands beside it.
use <parts/rounded.scad>
inner = [60, 40, 25];
wall = 2; r = 5; lip = 3;

module box() difference() {
  rounded_plate([inner.x + 2 * wall, inner.y + 2 * wall], r + wall, inner.z + wall);
  translate([wall, wall, wall]) rounded_plate([inner.x, inner.y], r, inner.z + 1);
}
module lid() {
  rounded_plate([inner.x + 2 * wall, inner.y + 2 * wall], r + wall, wall);
  translate([wall + 0.2, wall + 0.2, 0]) rounded_plate([inner.x - 0.4, inner.y - 0.4], r - 0.2, wall + lip);
}
box();
translate([0, inner.y + 20, 0]) lid();
