// Equations solved together, f(x) = 0, by Newton's method: full steps, halved as long as the residual, each
// equation divided by the largest slope of its unknowns, does not fall. NaN where no solution is found.
// Loops count, nothing is copied, and room is kept from call to call: that makes them several times faster.
const lw_block_rooms = new Map();

// What the solvers need for n unknowns besides their result.
function lw_block_room(n) {
  let room = lw_block_rooms.get(n);
  if (!room) {
    const vector = () => new Float64Array(n);
    room = { f: vector(), size: vector(), g: vector(), newSize: vector(), weight: vector(), d: vector() };
    Object.assign(room, { y: vector(), share: vector(), j: new Float64Array(n * n) });
    lw_block_rooms.set(n, room);
  }
  return room;
}

// The largest size of n entries of v; NaN if one of them is.
function lw_block_largest(v, from, n) {
  let largest = 0;
  for (let i = from; i < from + n; i++) {
    const size = Math.abs(v[i]);
    if (!(size <= largest)) {
      largest = size;
      if (size !== size) break;
    }
  }
  return largest;
}

// Puts -J^-1 f into d; returns the largest weighted residual, or -1 where j has no inverse.
function lw_block_correction(n, j, f, weight, share, d) {
  let norm = 0;
  for (let i = 0; i < n; i++) {
    const largest = lw_block_largest(j, i * n, n);
    if (!(largest > 0 && largest < Infinity && Math.abs(f[i]) < Infinity)) return -1;
    weight[i] = 1 / largest;
    share[i] = weight[i]; // goes with the row
    d[i] = -f[i];
    if (Math.abs(f[i] * weight[i]) > norm) norm = Math.abs(f[i] * weight[i]);
  }
  for (let k = 0; k < n; k++) {
    const row = k * n;
    let pivot = k, most = Math.abs(j[row + k]) * share[k];
    for (let i = k + 1; i < n; i++) {
      const weighted = Math.abs(j[i * n + k]) * share[i];
      if (weighted > most) {
        pivot = i;
        most = weighted;
      }
    }
    const size = Math.abs(j[pivot * n + k]);
    if (!(size > 0 && size < Infinity)) return -1;
    if (pivot !== k) {
      const side = d[k];
      d[k] = d[pivot];
      d[pivot] = side;
      share[pivot] = share[k];
      for (let c = k; c < n; c++) {
        const entry = j[row + c];
        j[row + c] = j[pivot * n + c];
        j[pivot * n + c] = entry;
      }
    }
    for (let i = k + 1; i < n; i++) {
      const other = i * n, factor = j[other + k] / j[row + k];
      if (factor === 0) continue;
      for (let c = k + 1; c < n; c++) j[other + c] -= factor * j[row + c];
      d[i] -= factor * d[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let side = d[i];
    for (let c = i + 1; c < n; c++) side -= j[i * n + c] * d[c];
    d[i] = side / j[i * n + i];
  }
  return lw_block_largest(d, 0, n) < Infinity ? norm : -1;
}

// Whether all of n entries are a small share of others.
function lw_block_within(n, share, small, large) {
  for (let i = 0; i < n; i++) if (!(Math.abs(small[i]) <= share * Math.abs(large[i]))) return false;
  return true;
}

// Fills f and j, and size with what may round.
function lw_block_evaluate(equations, known, n, x, f, size, j) {
  equations(x, known, f, size, j.fill(0));
  for (let i = 0; i < n; i++) for (let c = 0; c < n; c++) size[i] += Math.abs(j[i * n + c] * x[c]);
}

function lw_block_solve(equations, known, start) {
  const n = start.length, x = new Float64Array(start);
  const { f, size, g, newSize, weight, share, d, y, j } = lw_block_room(n);
  lw_block_evaluate(equations, known, n, x, f, size, j);
  let norm = lw_block_correction(n, j, f, weight, share, d), step = 1;
  for (let trial = 0; trial < 200; trial++) {
    if (norm < 0) return lw_block_within(n, 1e-13, f, size) ? x : x.fill(NaN);
    if (norm === 0) return x;
    for (let i = 0; i < n; i++) y[i] = x[i] + step * d[i];
    lw_block_evaluate(equations, known, n, y, g, newSize, j);
    for (let i = 0; i < n; i++) share[i] = g[i] * weight[i];
    if (lw_block_largest(share, 0, n) < norm) {
      x.set(y);
      f.set(g);
      size.set(newSize);
      if (step === 1 && lw_block_within(n, 1e-15, d, y)) return x;
      norm = lw_block_correction(n, j, f, weight, share, d);
      step = 1;
    } else {
      if (step === 1 && (lw_block_within(n, 1e-9, d, y) || lw_block_within(n, 1e-13, f, size))) return x;
      step *= 0.5;
      if (step < 1e-9) return x.fill(NaN);
    }
  }
  return x.fill(NaN);
}

// The same for linear equations: f is their value where all unknowns are zero.
function lw_block_solve_linear(equations, known, start) {
  const n = start.length, { f, weight, share, j } = lw_block_room(n), d = new Float64Array(n);
  equations(start, known, f.fill(0), null, j.fill(0));
  return lw_block_correction(n, j, f, weight, share, d) < 0 ? d.fill(NaN) : d;
}

// meeting_block1: the equations of x_ = (x, y), with known = (a, r, s).
function meeting_block1(x_, known, f, size, j) {
  const t1 = known[0] - x_[0];
  const t2 = x_[1]*x_[1];
  const t3 = t1*t1 + t2;
  const t4 = known[1]*known[1];
  f[0] = t3 - t4;
  const t5 = known[2]*known[2];
  const t6 = x_[0]*x_[0] + t2;
  f[1] = t6 - t5;
  size[0] = t3 + t4;
  size[1] = t5 + t6;
  j[0] = (-2.0)*t1;
  const t7 = 2.0*x_[1];
  j[1] = t7;
  j[2] = 2.0*x_[0];
  j[3] = t7;
}

// meeting_block2: the equations of x_ = (V_x, V_y), with known = (V_a, a, x, y).
function meeting_block2(x_, known, f, size, j) {
  const t1 = known[1] - known[2];
  f[0] = t1*known[0];
  f[1] = 0.0;
  j[0] = -t1;
  j[1] = known[3];
  j[2] = known[2];
  j[3] = known[3];
}

// meeting: 22 operations; fills and returns `out`.
// Where equations that are solved together have no solution, it and what follows are NaN.
export function meeting(a, r, s, V_a, out = {}) {
  const solution1 = lw_block_solve(meeting_block1, [a, r, s], [a, r]);
  const x = solution1[0];
  const y = solution1[1];
  const height = y - 0.5*x;
  const solution2 = lw_block_solve_linear(meeting_block2, [V_a, a, x, y], [0.0, 0.0]);
  const V_x = solution2[0];
  const V_y = solution2[1];
  const V_height = V_y - 0.5*V_x;
  out.x = x;
  out.height = height;
  out.V_x = V_x;
  out.V_height = V_height;
  return out;
}
