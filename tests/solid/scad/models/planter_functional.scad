// Functional style: everything is computed in lists, geometry at the end.
function circle_points(n, r, phase = 0) = [for (i = [0:n-1]) r * [cos(phase + i * 360 / n), sin(phase + i * 360 / n)]];
function total(v, i = 0) = i < len(v) ? v[i] + total(v, i + 1) : 0;
function steps(v) = [for (i = 0, s = 0; i < len(v); s = s + v[i], i = i + 1) s];
heights = [4, 6, 8, 6];
radii = [16, 20, 22, 18];
base = steps(heights);
assert(total(heights) == 24, "the heights must add up");
for (i = [0:len(heights)-1])
  translate([0, 0, base[i]]) linear_extrude(height = heights[i]) difference() {
    polygon(circle_points(8, radii[i], i * 22.5));
    polygon(circle_points(8, radii[i] - 2, i * 22.5));
  }
