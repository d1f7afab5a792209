const lw_min = (x, y) => (x < y || x !== x ? x : y);
const lw_max = (x, y) => (x > y || x !== x ? x : y);
// bumper: 14 operations; fills and returns `out`.
export function bumper(x, v, k, c, limit, out = {}) {
  const t1 = lw_max(x - 1.0, 0.0);
  const t2 = lw_min(lw_max(c*v + k*t1, 0.0), limit);
  out.force = (0.0 < t1 ? (-0.3)*(t2*Math.sign(v)) - t2 : 0.0);
  out.touching = (1.0 <= x ? 1 : 0);
  return out;
}
