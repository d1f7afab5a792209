// Initialise, then integrate and bring the state back onto the constraints after each step (T. Ellman, R.
// Deak, J. Fotinatos 2003, Fig. 10). The state is y = (q1, q2, v2): variables of first and second order,
// and the rates of the latter; those of order zero are computed from it when they are asked for.
const SETTLE_STEPS = 60; // of Newton's method before a component is given up
const SETTLED = 1e-14; // residual of a row, divided by its largest slope and the unknowns, that is rounding
const SETTLED_WELL = 1e-9; // residual that is accepted where it falls no further
const SETTLE_RANK = 1e-10; // rows that depend on others within this count as dependent
const MOST_STEPS = 1e7; // of one call
const FIRST_SHARE = 0.1; // the tolerance of the first run's steps, as a share of what is asked: errors add up
const TIGHTER = 0.02; // and of each run after it, as a share of the one before
const TIGHTEST = 3e-15; // no step is more accurate
const REFINEMENTS = 4; // how often it is tightened before it is said that the accuracy is not reached
const LEAST_SCALE = 1e-3; // what counts as the size of variables where all are smaller at the start

// Why a machine cannot start or go on.
export class Stopped extends Error {}

const largest = (v) => v.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

// Takes from row what points along the unit vectors of basis, twice for the sake of rounding; returns how
// much.
function takeOff(row, basis) {
  const taken = new Float64Array(basis.length);
  for (let again = 0; again < 2; again++)
    basis.forEach((unit, c) => {
      const share = dot(row, unit);
      taken[c] += share;
      for (let i = 0; i < row.length; i++) row[i] -= share * unit[i];
    });
  return taken;
}

// The shortest x with A x = b: rows of A are made orthogonal, the one with most left first, and those that
// depend on others are passed over.
function shortestSolution(rows, b) {
  const rest = rows.map((row) => Float64Array.from(row)), basis = [], sides = [];
  const x = new Float64Array(rows[0].length), waiting = new Set(rows.keys());
  const longest = Math.max(...rows.map((row) => Math.sqrt(dot(row, row))));
  while (waiting.size > 0) {
    const lengths = [...waiting].map((place) => [Math.sqrt(dot(rest[place], rest[place])), place]);
    const [length, place] = lengths.reduce((most, each) => (each[0] > most[0] ? each : most));
    if (!(length > SETTLE_RANK * longest)) break;
    waiting.delete(place);
    const row = Float64Array.from(rows[place]), taken = takeOff(row, basis), left = Math.sqrt(dot(row, row));
    const side = (b[place] - dot(taken, sides)) / left, unit = row.map((value) => value / left);
    basis.push(unit);
    sides.push(side);
    for (let i = 0; i < x.length; i++) x[i] += side * unit[i];
    for (const other of waiting) takeOff(rest[other], [unit]);
  }
  return x;
}

// Bring x onto the constraints of a component by the shortest way. Returns the residual that is left.
function settle({ equations, places, weights: ease, residual }, x, other, k, c, t) {
  const eased = (values) => (ease.length ? values.map((value, i) => value * ease[i]) : values);
  const n = places.length, r = new Float64Array(equations), j = new Float64Array(equations * n);
  const unknowns = () => Float64Array.from(places, (place) => x[place]);
  const size = Math.max(largest(unknowns()), 1e-3);
  let before = unknowns(), step = new Float64Array(n), last = Infinity, scale = 1;
  for (let trial = 0; trial < SETTLE_STEPS; trial++) {
    residual(x, other, k, c, [t], r, j.fill(0));
    const rows = Array.from(r, (_, i) => j.subarray(i * n, i * n + n));
    const weights = rows.map((row) => largest(row) || 1);
    const left = largest(r.map((value, i) => value / weights[i])) / size;
    if (left <= SETTLED) return left;
    if (left < last) {
      [last, scale, before] = [left, 1, unknowns()];
      const scaled = rows.map((row, i) => eased(row).map((value) => value / weights[i]));
      step = eased(shortestSolution(scaled, r.map((value, i) => -value / weights[i])));
    } else if (last <= SETTLED_WELL || scale < 1e-4) { // what is nearly solved cannot be solved better
      places.forEach((place, i) => (x[place] = before[i]));
      return last;
    } else scale *= 0.5;
    places.forEach((place, i) => (x[place] = before[i] + scale * step[i]));
  }
  return last;
}

// Bring x onto the constraints of all components.
function settleAll(components, x, other, k, c, t, problem) {
  for (const component of components)
    if (!(settle(component, x, other, k, c, t) <= SETTLED_WELL)) throw new Stopped(problem);
}

// Numbers by name, each of which must be known.
function checked(given, names, what) {
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw new RangeError(`there is no ${what} '${name}'; there are: ${names.join(", ") || "none"}`);
    if (!Number.isFinite(value)) throw new RangeError(`${what} ${name} is no number: ${value}`);
  }
  return given;
}

// The values of all parameters: those that are not given follow their formulas, which may use others.
function valuesOf(given) {
  checked(given, parameters, "parameter");
  const values = Float64Array.from(parameters, (name) => given[name] ?? NaN);
  const formulas = new Float64Array(parameters.length);
  for (const _ of parameters) {
    machine_defaults(values, formulas);
    parameters.forEach((name, i) => (values[i] = given[name] ?? formulas[i]));
  }
  return values;
}

// Put what the caller wants in the places of the names.
function prefer(values, names, wanted) {
  checked(wanted, names, "variable");
  names.forEach((name, i) => (values[i] = wanted[name] ?? values[i]));
}

// What counts as the size of each variable where it passes through zero.
const scaleOf = (state) => Math.min(Math.max(largest(state), LEAST_SCALE), 1);

const sameNumbers = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

// Where a machine stands: `time`, `state` and `controls`, which may be changed between steps.
class Machine {
  constructor(given, wanted, start, rates, rtol) {
    const vector = (length) => new Float64Array(length);
    const q = vector(ZEROTH + FIRST + SECOND), v = vector(FIRST + SECOND), c = vector(controls.length);
    const span = vector(2);
    this.values = valuesOf(given);
    this.k = vector(CONSTANTS);
    machine_constants(this.values, this.k);
    machine_start(this.values, q, v, c, span);
    [this.time, this.until] = span;
    this.controls = Object.fromEntries(controls.map((name, i) => [name, c[i]]));
    Object.assign(this.controls, checked(wanted, controls, "control"));
    prefer(q, variables, start);
    prefer(v, variables.slice(ZEROTH), rates);
    const { k, time } = this, inputs = this.inputs();
    settleAll(INITIALISE, q, [], k, inputs, time, "no position satisfies the constraints");
    const problem = "no velocities satisfy the constraints and initial conditions";
    settleAll(VELOCITIES, v, q, k, inputs, time, problem);
    this.q0 = q.slice(0, ZEROTH);
    this.state = Float64Array.from([...q.slice(ZEROTH), ...v.slice(FIRST)]);
    const atol = rtol * scaleOf(this.state);
    const rate = (t, y, dy) => machine_derivative(y, this.k, this.taken, [t], dy);
    this.integrator = new Integrator(rate, time, this.state.slice(), rtol, atol);
    this.handOver(this.state, time);
  }

  // The controls as the functions take them.
  inputs() {
    return Float64Array.from(controls, (name) => this.controls[name]);
  }

  // Let the caller see a state at a time.
  handOver(y, t) {
    this.time = this.seenTime = t;
    this.state = y.slice();
    this.seenState = y.slice();
    this.taken = this.inputs();
  }

  stabilise(y, t) {
    settleAll(STABILISE, y, [], this.k, this.taken, t, "the constraints could not be restored after a step");
  }

  // Go on from where the caller is, if that is not where the last step has led.
  takeUp(exactlyHere) {
    const here = this.integrator, inputs = this.inputs();
    const moved = this.time !== this.seenTime || !sameNumbers(this.state, this.seenState);
    if (!moved && sameNumbers(inputs, this.taken) && !(exactlyHere && here.t !== this.time)) return;
    this.taken = inputs;
    if (moved) here.h = 0;
    here.t = this.time;
    here.y.set(this.state);
    here.fresh = false;
    this.stabilise(here.y, here.t);
  }

  // Step until t lies behind, never beyond `limit`.
  stepUntil(t, limit) {
    const here = this.integrator, last = here.steps + here.rejected + MOST_STEPS, backwards = limit < here.t;
    while (backwards ? here.t > t : here.t < t) {
      const problem = here.steps + here.rejected < last ? here.step(limit) : "too many steps";
      if (problem) throw new Stopped(problem);
      const before = here.y.slice();
      this.stabilise(here.y, here.t);
      here.fresh &&= sameNumbers(before, here.y);
    }
  }
}

// The machine at its start: positions and rates that satisfy all constraints and initial conditions. All
// are given by name; `start` and `rates` replace where variables start, if the constraints leave them free.
export function initialise({ parameters = {}, controls = {}, start = {}, rates = {}, rtol = 1e-9 } = {}) {
  return new Machine(parameters, controls, start, rates, rtol);
}

// Advance by dt, in as many steps as the tolerance asks for, each followed by a return to the constraints.
export function step(machine, dt) {
  const end = machine.time + dt, here = machine.integrator;
  machine.takeUp(true);
  try {
    machine.stepUntil(end, end);
  } finally {
    machine.handOver(here.y, here.t);
  }
  return machine;
}

// The columns at time t. Steps may go beyond t, up to `limit`; rows between their ends are interpolated.
export function row(machine, t, limit) {
  const here = machine.integrator;
  machine.takeUp(false);
  machine.stepUntil(t, limit);
  const y = t === here.t ? here.y : here.dense(t);
  if (t !== here.t) machine.stabilise(y, t);
  machine.handOver(y, t);
  return observe(machine);
}

// The columns of the state as it is, by name.
export function observe(machine) {
  const { state, time, k, q0 } = machine, out = new Float64Array(columns.length - 2);
  if (ZEROTH > 0) machine_zeroth(state, q0.slice(), k, [time], q0);
  machine_observe(state, q0, k, machine.inputs(), [time], out);
  const found = { time };
  columns.slice(1, -1).forEach((name, i) => (found[name] = out[i]));
  found.energy = found.kinetic + found.potential;
  return found;
}

// The rates of a state at a time.
export function derivative(machine, t, y) {
  const rates = new Float64Array(states.length);
  machine_derivative(y, machine.k, machine.inputs(), [t], rates);
  return rates;
}

// The motion until a time, in rows `step` apart, of a machine that is given as to `initialise`. Unless
// `check` is false it is computed again with tighter tolerance until the rows agree within `rtol`.
// `accurate` tells whether they do, `error` how far they are apart.
export function simulate(options = {}) {
  const { rtol = 1e-9, check = true } = options;
  let tolerance = Math.max(rtol * (check ? FIRST_SHARE : 1), TIGHTEST), error = NaN;
  let found = run({ ...options, rtol: tolerance });
  for (let i = 0; check && i < REFINEMENTS && !(error <= rtol) && tolerance > TIGHTEST; i++) {
    tolerance = Math.max(tolerance * TIGHTER, TIGHTEST);
    const coarse = found;
    found = run({ ...options, rtol: tolerance });
    error = difference(coarse.states, found.states);
  }
  return { ...found, error, accurate: error <= rtol };
}

// All rows with one tolerance.
function run(options) {
  const machine = initialise(options), first = machine.time, last = options.until ?? machine.until;
  const spacing = options.step ?? Math.abs(last - first) / 1000;
  if (!(Number.isFinite(last) && last !== first && spacing > 0))
    throw new RangeError("there is no time to run: until must differ from the start, step be above 0");
  const count = Math.max(1, Math.round(Math.abs(last - first) / spacing)), rows = [], found = [];
  let why = "";
  for (let i = 0; i <= count && !why; i++) {
    const t = i === count ? last : first + (i / count) * (last - first);
    try {
      rows.push(Object.values(row(machine, t, last)));
      found.push(machine.state);
    } catch (stop) {
      if (!(stop instanceof Stopped)) throw stop;
      why = `stopped at t = ${machine.integrator.t}: ${stop.message}`;
    }
  }
  const { stiff, steps, evaluations } = machine.integrator;
  return { columns, rows, states: found, complete: !why, why, stiff, steps, evaluations };
}

// The largest difference of two runs, relative to the size of each variable; infinite if one is shorter.
function difference(coarse, fine) {
  if (coarse.length !== fine.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < states.length && fine.length > 0; i++) {
    let size = scaleOf(fine[0]), apart = 0;
    fine.forEach((state, place) => {
      size = Math.max(size, Math.abs(state[i]));
      apart = Math.max(apart, Math.abs(coarse[place][i] - state[i]));
    });
    worst = Math.max(worst, apart / size);
  }
  return worst;
}

// What the words of a command line ask for.
function readOptions(words) {
  const options = {};
  const named = { "--set": "parameters", "--control": "controls", "--start": "start", "--rate": "rates" };
  const number = (text) => {
    if (!text?.trim() || !Number.isFinite(Number(text))) throw new RangeError(`this is no number: ${text}`);
    return Number(text);
  };
  for (let i = 0; i < words.length; i += 2) {
    const [option, value = ""] = [words[i], words[i + 1]], [name, text] = value.split("=");
    if (["--until", "--step", "--rtol"].includes(option)) options[option.slice(2)] = number(value);
    else if (option in named) (options[named[option]] ??= {})[name] = number(text);
    else throw new RangeError(`there is no option ${option}`);
  }
  if (options.rtol !== undefined && !(options.rtol > 0 && options.rtol < 1))
    throw new RangeError("a tolerance lies between 0 and 1");
  return options;
}

// Print a row of columns for each time, as CSV. Returns the exit status.
function main(words, print, complain) {
  let found;
  try {
    found = simulate(readOptions(words));
  } catch (problem) {
    if (!(problem instanceof RangeError || problem instanceof Stopped)) throw problem;
    complain(`error: ${problem.message}`);
    return problem instanceof Stopped ? 1 : 2;
  }
  print([columns, ...found.rows].map((each) => each.join(",")).join("\n"));
  if (!found.accurate)
    complain(`the accuracy was not reached: runs with tighter tolerance differ by ${found.error}`);
  if (found.stiff)
    complain("the system is stiff: explicit steps are slow; the program in C has implicit ones");
  if (found.why) complain(found.why);
  return found.accurate && found.complete ? 0 : 1;
}

if (typeof process !== "undefined" && process.argv?.[1]) {
  const [{ realpathSync }, { pathToFileURL }] = await Promise.all([import("node:fs"), import("node:url")]);
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
    process.exitCode = main(process.argv.slice(2), console.log, console.error);
}
