// The explicit Runge-Kutta method of Dormand and Prince of order 8, with error estimates of orders 5 and 3
// (Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", II.5, II.6, II.10): for each stage
// where it stands in the step and the weights of the stages before it. Stage 13 begins the next step; 14 to
// 16 serve the dense output.
const STAGES = {
  2: [0.05260015195876773, {1: 0.05260015195876773}],
  3: [0.0789002279381516, {1: 0.0197250569845379, 2: 0.0591751709536137}],
  4: [0.1183503419072274, {1: 0.02958758547680685, 3: 0.08876275643042054}],
  5: [0.2816496580927726, {1: 0.2413651341592667, 3: -0.8845494793282861, 4: 0.924834003261792}],
  6: [0.3333333333333333, {1: 0.037037037037037035, 4: 0.17082860872947386, 5: 0.12546768756682242}],
  7: [0.25, {1: 0.037109375, 4: 0.17025221101954405, 5: 0.06021653898045596, 6: -0.017578125}],
  8: [0.3076923076923077, {1: 0.03709200011850479, 4: 0.17038392571223998, 5: 0.10726203044637328,
    6: -0.015319437748624402, 7: 0.008273789163814023}],
  9: [0.6512820512820513, {1: 0.6241109587160757, 4: -3.3608926294469414, 5: -0.868219346841726,
    6: 27.59209969944671, 7: 20.154067550477894, 8: -43.48988418106996}],
  10: [0.6, {1: 0.47766253643826434, 4: -2.4881146199716677, 5: -0.590290826836843, 6: 21.230051448181193,
    7: 15.279233632882423, 8: -33.28821096898486, 9: -0.020331201708508627}],
  11: [0.8571428571428571, {1: -0.9371424300859873, 4: 5.186372428844064, 5: 1.0914373489967295,
    6: -8.149787010746927, 7: -18.52006565999696, 8: 22.739487099350505, 9: 2.4936055526796523,
    10: -3.0467644718982196}],
  12: [1.0, {1: 2.273310147516538, 4: -10.53449546673725, 5: -2.0008720582248625, 6: -17.9589318631188,
    7: 27.94888452941996, 8: -2.8589982771350235, 9: -8.87285693353063, 10: 12.360567175794303,
    11: 0.6433927460157636}],
  14: [0.1, {1: 0.056167502283047954, 7: 0.25350021021662483, 8: -0.2462390374708025,
    9: -0.12419142326381637, 10: 0.15329179827876568, 11: 0.00820105229563469, 12: 0.007567897660545699,
    13: -0.008298}],
  15: [0.2, {1: 0.03183464816350214, 6: 0.028300909672366776, 7: 0.053541988307438566,
    8: -0.05492374857139099, 11: -0.00010834732869724932, 12: 0.0003825710908356584,
    13: -0.00034046500868740456, 14: 0.1413124436746325}],
  16: [0.7777777777777778, {1: -0.42889630158379194, 6: -4.697621415361164, 7: 7.683421196062599,
    8: 4.06898981839711, 9: 0.3567271874552811, 13: -0.0013990241651590145, 14: 2.9475147891527724,
    15: -9.15095847217987}],
};
const WEIGHTS = {1: 0.054293734116568765, 6: 4.450312892752409, 7: 1.8915178993145003,
  8: -5.801203960010585, 9: 0.3111643669578199, 10: -0.1521609496625161,
  11: 0.20136540080403034, 12: 0.04471061572777259};
// Besides the weights.
const ERROR_3 = {1: -0.2440944881889764, 9: -0.7338466882816118, 12: -0.022058823529411766};
const ERROR_5 = {1: 0.01312004499419488, 6: -1.2251564463762044, 7: -0.4957589496572502,
  8: 1.6643771824549864, 9: -0.35032884874997366, 10: 0.3341791187130175,
  11: 0.08192320648511571, 12: -0.022355307863886294};
const DENSE = [
  {1: -8.428938276109013, 6: 0.5667149535193777, 7: -3.0689499459498917, 8: 2.38466765651207,
    9: 2.117034582445028, 10: -0.871391583777973, 11: 2.2404374302607883, 12: 0.6315787787694688,
    13: -0.08899033645133331, 14: 18.148505520854727, 15: -9.194632392478356, 16: -4.436036387594894},
  {1: 10.427508642579134, 6: 242.28349177525817, 7: 165.20045171727028, 8: -374.5467547226902,
    9: -22.113666853125306, 10: 7.733432668472264, 11: -30.674084731089398, 12: -9.332130526430229,
    13: 15.697238121770845, 14: -31.139403219565178, 15: -9.35292435884448, 16: 35.81684148639408},
  {1: 19.985053242002433, 6: -387.0373087493518, 7: -189.17813819516758, 8: 527.8081592054236,
    9: -11.57390253995963, 10: 6.8812326946963, 11: -1.0006050966910838, 12: 0.7777137798053443,
    13: -2.778205752353508, 14: -60.19669523126412, 15: 84.32040550667716, 16: 11.99229113618279},
  {1: -25.69393346270375, 6: -154.18974869023643, 7: -231.5293791760455, 8: 357.6391179106141,
    9: 93.40532418362432, 10: -37.45832313645163, 11: 104.0996495089623, 12: 29.8402934266605,
    13: -43.53345659001114, 14: 96.32455395918828, 15: -39.17726167561544, 16: -149.72683625798564},
];
const ORDER = 8, DAMPING = 0.03, LEAST_GROWTH = 1 / 3, MOST_GROWTH = 6, SAFETY = 0.9;
const ATTEMPTS = 100; // of one step before it is given up
const SHORTEST = 10 * Number.EPSILON; // share of the time below which a step is lost in rounding
const ERROR_FLOOR = 1e-4; // no error counts as smaller when the next step is damped by it
const STABILITY_EDGE = 6.1; // of the method on the negative real axis
const SUSPICIONS = 15, ACQUITTALS = 6; // steps beyond it that make a system stiff, and inside that clear it

// Weights beside the stages that they belong to.
const asWeights = (given) => ({
  stages: Object.keys(given).map(Number),
  weights: Float64Array.from(Object.values(given)),
});
const STAGE_WEIGHTS = Array.from({ length: 17 }, (_, stage) => STAGES[stage] && asWeights(STAGES[stage][1]));
const [SOLUTION_WEIGHTS, ERROR_3_WEIGHTS, ERROR_5_WEIGHTS] = [WEIGHTS, ERROR_3, ERROR_5].map(asWeights);
const DENSE_WEIGHTS = DENSE.map(asWeights);

function allFinite(v) {
  for (let i = 0; i < v.length; i++) if (!Number.isFinite(v[i])) return false;
  return true;
}

const withSign = (length, direction) => (direction < 0 ? -length : length);

// Puts the weighted sum of stages into sum.
function combine({ stages, weights }, k, sum) {
  sum.fill(0);
  for (let s = 0; s < stages.length; s++) {
    const values = k[stages[s]], weight = weights[s];
    for (let i = 0; i < sum.length; i++) sum[i] += weight * values[i];
  }
  return sum;
}

// Integrates y' = rate(t, y, dy) step by step; y and t may be changed between steps if `fresh` is unset.
class Integrator {
  constructor(rate, t, y, rtol, atol) {
    Object.assign(this, { rate, t, y, rtol, atol, h: 0, fresh: false, lastError: ERROR_FLOOR });
    Object.assign(this, { tOld: t, steps: 0, rejected: 0, evaluations: 0, denseRows: null });
    Object.assign(this, { stiff: false, suspicions: 0, acquittals: 0 });
    const vector = () => new Float64Array(y.length);
    this.k = Array.from({ length: 17 }, vector); // by the stages' numbers, from 1
    [this.sum, this.trial, this.yOld, this.yNew] = Array.from({ length: 4 }, vector);
  }

  // One accepted step, not beyond tEnd. Returns why there is none, else nothing.
  step(tEnd) {
    if (this.t === tEnd) return "";
    const problem = this.prepare(tEnd);
    if (problem) return problem;
    for (let refused = 0; refused < ATTEMPTS; refused++) {
      const h = this.length(tEnd), tNew = h === tEnd - this.t ? tEnd : this.t + h;
      if (tNew !== tEnd && (Math.abs(h) <= SHORTEST * Math.abs(this.t) || tNew === this.t))
        return "the tolerance demands steps too short for the clock";
      const error = this.attempt(h, tNew);
      if (error <= 1) {
        this.propose(h, error, refused);
        this.accept(tNew);
        return "";
      }
      this.rejected++;
      this.h = h * (error < Infinity ? Math.max(LEAST_GROWTH, SAFETY * error ** (-1 / ORDER)) : 0.5);
    }
    return "no length of the step is accepted";
  }

  evaluate(t, y, dy) {
    this.evaluations++;
    this.rate(t, y, dy);
  }

  // See that there is a rate at t and a proposal for h.
  prepare(tEnd) {
    if (!this.fresh) {
      this.evaluate(this.t, this.y, this.k[1]);
      if (!allFinite(this.y) || !allFinite(this.k[1]))
        return "the state or its rates are not finite where the step begins";
      this.fresh = true;
    }
    if (this.h === 0) {
      this.h = this.firstLength(tEnd - this.t);
      this.lastError = ERROR_FLOOR;
    }
    return "";
  }

  norm(v) {
    return Math.sqrt(
      v.reduce((sum, value, i) => sum + (value / (this.atol + this.rtol * Math.abs(this.y[i]))) ** 2, 0),
    );
  }

  // A length for the first step (Hairer I, II.4): an Euler step shows the second derivative.
  firstLength(longest) {
    const size = this.norm(this.y), speed = this.norm(this.k[1]);
    const floor = 100 * SHORTEST * Math.abs(this.t), limit = Math.abs(longest);
    const guess = size > 1e-5 && speed > 1e-5 ? (0.01 * size) / speed : 1e-6;
    const h = withSign(Math.min(Math.max(guess, floor), limit), longest), euler = this.k[2];
    this.evaluate(this.t + h, this.trial.map((_, i) => this.y[i] + h * this.k[1][i]), euler);
    if (!allFinite(euler)) return h;
    const bend = Math.max(this.norm(euler.map((value, i) => value - this.k[1][i])) / Math.abs(h), speed);
    const second = bend > 1e-15 ? (0.01 / bend) ** (1 / ORDER) : Math.max(1e-6, 1e-3 * Math.abs(h));
    return withSign(Math.min(100 * Math.abs(h), Math.max(second, floor), limit), longest);
  }

  // The length to try: the proposal; all that remains, or half of it, if that is hardly more.
  length(tEnd) {
    const remaining = tEnd - this.t, proposal = Math.abs(this.h);
    if (Math.abs(remaining) <= 1.01 * proposal) return remaining;
    if (Math.abs(remaining) < 2 * proposal) return 0.5 * remaining;
    return withSign(proposal, remaining);
  }

  stage(number, t, y, h) {
    const { sum, trial } = this, node = STAGES[number][0];
    combine(STAGE_WEIGHTS[number], this.k, sum);
    for (let i = 0; i < y.length; i++) trial[i] = y[i] + h * sum[i];
    this.evaluate(t + node * h, trial, this.k[number]);
  }

  // yNew, and its error in units of the tolerance (Hairer I, II.10.17); infinite where there is none.
  attempt(h, tNew) {
    const { y, yNew, k, sum } = this, n = y.length;
    for (let number = 2; number <= 12; number++) this.stage(number, this.t, y, h);
    combine(SOLUTION_WEIGHTS, k, sum);
    const third = combine(ERROR_3_WEIGHTS, k, k[14]), fifth = combine(ERROR_5_WEIGHTS, k, k[15]);
    let squares3 = 0, squares5 = 0;
    for (let i = 0; i < n; i++) {
      yNew[i] = y[i] + h * sum[i];
      const scale = this.atol + this.rtol * Math.max(Math.abs(y[i]), Math.abs(yNew[i]));
      squares3 += ((sum[i] + third[i]) / scale) ** 2;
      squares5 += (fifth[i] / scale) ** 2;
    }
    const both = squares5 + 0.01 * squares3;
    if (!Number.isFinite(both) || !allFinite(yNew)) return Infinity;
    const error = both > 0 ? (Math.abs(h) * squares5) / Math.sqrt(n * both) : 0;
    if (error <= 1) {
      this.evaluate(tNew, yNew, k[13]);
      if (!allFinite(k[13])) return Infinity;
      this.watch(h);
    }
    return error;
  }

  // Stability limits the steps if |h lambda| keeps beyond the edge of its domain (Hairer II, IV.2).
  watch(h) {
    let rates = 0, values = 0;
    for (let i = 0; i < this.y.length; i++) {
      rates += (this.k[13][i] - this.k[12][i]) ** 2;
      values += (this.yNew[i] - this.trial[i]) ** 2;
    }
    if (h * h * rates > STABILITY_EDGE ** 2 * values && values > 0) {
      this.acquittals = 0;
      this.suspicions++;
      this.stiff ||= this.suspicions >= SUSPICIONS;
    } else if (++this.acquittals >= ACQUITTALS) this.suspicions = 0;
  }

  // The length of the next step; one that tEnd has left only a crumb of says nothing about it.
  propose(h, error, refused) {
    let growth = SAFETY * Math.max(error, 2.3e-308) ** -(1 / ORDER - 0.75 * DAMPING);
    growth *= this.lastError ** DAMPING;
    const limit = refused ? 1 : Math.max(MOST_GROWTH, Math.abs(this.h / h));
    let length = Math.abs(h) * Math.min(Math.max(growth, LEAST_GROWTH), limit);
    if (growth >= 1 && Math.abs(h) < 0.1 * Math.abs(this.h)) length = Math.abs(this.h);
    this.h = withSign(length, h);
    this.lastError = Math.max(error, ERROR_FLOOR);
  }

  accept(tNew) {
    const near = this.k[1]; // first the far end's rates, last the near end's
    this.k[1] = this.k[13];
    this.k[13] = near;
    this.yOld.set(this.y);
    this.y.set(this.yNew);
    this.tOld = this.t;
    this.t = tNew;
    this.denseRows = null;
    this.steps++;
  }

  // The solution at t within the last step.
  dense(t) {
    const h = this.t - this.tOld, theta = (t - this.tOld) / h, rest = 1 - theta;
    const r = (this.denseRows ??= this.preparedRows(h));
    return this.yOld.map((value, i) => {
      const inner = r[3][i] + theta * (r[4][i] + rest * (r[5][i] + theta * r[6][i]));
      return value + theta * (r[0][i] + rest * (r[1][i] + theta * (r[2][i] + rest * inner)));
    });
  }

  // The coefficients of the dense output, which cost three further stages.
  preparedRows(h) {
    const { k } = this;
    [k[1], k[13]] = [k[13], k[1]]; // for a while in the order of the step
    for (const number of [14, 15, 16]) this.stage(number, this.tOld, this.yOld, h);
    const change = this.yNew.map((value, i) => value - this.yOld[i]);
    const first = change.map((value, i) => h * k[1][i] - value);
    const second = change.map((value, i) => value - h * k[13][i] - first[i]);
    const further = DENSE_WEIGHTS.map((weights) => combine(weights, k, new Float64Array(change.length)));
    [k[1], k[13]] = [k[13], k[1]];
    return [change, first, second, ...further.map((row) => row.map((value) => h * value))];
  }
}
