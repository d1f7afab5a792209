// Equations solved together, f(x) = 0, by Newton's method: full steps, halved as long as the residual, each
// equation divided by the largest slope of its unknowns, does not fall. NaN where no solution is found.
function lw_block_largest(v) {
  let largest = 0;
  for (const entry of v) {
    if (!(Math.abs(entry) <= largest)) {
      largest = Math.abs(entry);
      if (largest !== largest) break;
    }
  }
  return largest;
}

// Puts -J^-1 f into d; returns the largest weighted residual, or -1 where j has no inverse.
function lw_block_correction(n, j, f, weight, d) {
  let norm = 0;
  for (let i = 0; i < n; i++) {
    const largest = lw_block_largest(j.subarray(i * n, i * n + n));
    if (!(largest > 0 && largest < Infinity && Math.abs(f[i]) < Infinity)) return -1;
    weight[i] = 1 / largest;
    d[i] = -f[i];
    if (Math.abs(f[i] * weight[i]) > norm) norm = Math.abs(f[i] * weight[i]);
  }
  const share = weight.slice(); // the weights that go with the rows
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++)
      if (Math.abs(j[i * n + k]) * share[i] > Math.abs(j[pivot * n + k]) * share[pivot]) pivot = i;
    const size = Math.abs(j[pivot * n + k]);
    if (!(size > 0 && size < Infinity)) return -1;
    if (pivot !== k) {
      [d[k], d[pivot]] = [d[pivot], d[k]];
      share[pivot] = share[k];
      for (let c = k; c < n; c++) [j[k * n + c], j[pivot * n + c]] = [j[pivot * n + c], j[k * n + c]];
    }
    for (let i = k + 1; i < n; i++) {
      const factor = j[i * n + k] / j[k * n + k];
      for (let c = k + 1; c < n && factor !== 0; c++) j[i * n + c] -= factor * j[k * n + c];
      d[i] -= factor * d[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let c = i + 1; c < n; c++) d[i] -= j[i * n + c] * d[c];
    d[i] /= j[i * n + i];
  }
  return lw_block_largest(d) < Infinity ? norm : -1;
}

function lw_block_solve(equations, known, start) {
  const n = start.length, x = new Float64Array(start), nothing = new Float64Array(n).fill(NaN);
  const [f, size, g, newSize, weight, d, y] = Array.from({ length: 7 }, () => new Float64Array(n));
  const j = new Float64Array(n * n);
  const isWithin = (share, small, large) =>
    small.every((entry, i) => Math.abs(entry) <= share * Math.abs(large[i]));
  const evaluate = (x, f, size) => {
    equations(x, known, f, size, j.fill(0)); // what may round is added to size
    for (let i = 0; i < n; i++) for (let c = 0; c < n; c++) size[i] += Math.abs(j[i * n + c] * x[c]);
  };
  evaluate(x, f, size);
  let norm = lw_block_correction(n, j, f, weight, d), step = 1;
  for (let trial = 0; trial < 200; trial++) {
    if (norm < 0) return isWithin(1e-13, f, size) ? x : nothing;
    if (norm === 0) return x;
    for (let i = 0; i < n; i++) y[i] = x[i] + step * d[i];
    evaluate(y, g, newSize);
    if (lw_block_largest(g.map((entry, i) => entry * weight[i])) < norm) {
      x.set(y);
      f.set(g);
      size.set(newSize);
      if (step === 1 && isWithin(1e-15, d, y)) return x;
      norm = lw_block_correction(n, j, f, weight, d);
      step = 1;
    } else {
      if (step === 1 && (isWithin(1e-9, d, y) || isWithin(1e-13, f, size))) return x;
      step *= 0.5;
      if (step < 1e-9) return nothing;
    }
  }
  return nothing;
}

// The same for linear equations: f is their value where all unknowns are zero.
function lw_block_solve_linear(equations, known, start) {
  const n = start.length;
  const [f, weight, d] = Array.from({ length: 3 }, () => new Float64Array(n));
  const j = new Float64Array(n * n);
  equations(start, known, f, null, j);
  return lw_block_correction(n, j, f, weight, d) < 0 ? new Float64Array(n).fill(NaN) : d;
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
