// Ratchet wheel from a computed polygon.
teeth = 16; r = 30; depth = 4; h = 6;
points = [for (i = [0:teeth-1]) for (p = [[r, i], [r - depth, i + 0.02]]) [p[0] * cos(p[1] * 360 / teeth), p[0] * sin(p[1] * 360 / teeth)]];
linear_extrude(height = h) difference() {
  polygon(points);
  circle(d = 12, $fn = 50);
}
