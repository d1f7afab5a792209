// Involute teeth from the formula, as libraries do it.
teeth = 14; mod = 2; pa = 20; thick = 6; steps = 6;
rp = teeth * mod / 2; rb = rp * cos(pa); ra = rp + mod; rf = rp - 1.25 * mod;
function inv(a) = tan(a) * 180 / PI - a;
function angle_at(r) = r <= rb ? 0 : inv(acos(rb / r));
half = 90 / teeth + inv(pa);
function flank(i, side) = let (r = max(rb, rf) + (ra - max(rb, rf)) * i / steps, a = side * (half - angle_at(r))) [r * cos(a), r * sin(a)];
module tooth() polygon(concat([[0, 0]], [for (i = [0:steps]) flank(i, -1)], [for (i = [steps:-1:0]) flank(i, 1)]));
linear_extrude(height = thick) difference() {
  union() {
    circle(r = rf, $fn = 80);
    for (k = [0:teeth-1]) rotate(k * 360 / teeth) tooth();
  }
  circle(d = 8, $fn = 60);
}
