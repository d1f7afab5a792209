// Initialise, then integrate and bring the state back onto the constraints after each step (T. Ellman, R.
// Deak, J. Fotinatos 2003, Fig. 10). The state is y = (q1, q2, v2): variables of first and second order,
// and the rates of the latter; those of order zero are computed from it when they are asked for.
const SETTLE_STEPS = 60; // of Newton's method before a component is given up
const SETTLED = 1e-14; // residual of a row, divided by its largest slope and the unknowns, that is rounding
const SETTLED_WELL = 1e-9; // residual that is accepted where it falls no further
const HELD = 1e-6; // how readily what is given moves, beside what is not
const SETTLE_RANK = 1e-10; // rows that depend on others within this count as dependent
const MOST_STEPS = 1e7; // of one call, where nothing else is said
const STEPS_A_LOOK = 200; // of one call before it is asked whether a singular position keeps them short
const NOT_RESTORED = "the constraints could not be restored after a step";
const TOO_SLOW = "too slow here: the number of steps reached its limit";
const NO_WAY_OUT = "no step leads out of a singular position";
const LEAST_SCALE = 1e-3; // what counts as the size of variables where all are smaller at the start

// Why a machine cannot start or go on.
class Stopped extends Error {}

// The largest size of the entries of v.
function largest(v) {
  let most = 0;
  for (let i = 0; i < v.length; i++) most = Math.max(most, Math.abs(v[i]));
  return most;
}

// Takes from n entries of `row` what points along the unit vector in `unit`; returns how much.
function takeOff(n, row, at, unit, from) {
  let share = 0;
  for (let i = 0; i < n; i++) share += row[at + i] * unit[from + i];
  for (let i = 0; i < n; i++) row[at + i] -= share * unit[from + i];
  return share;
}

function lengthOf(n, row, at) {
  let squares = 0;
  for (let i = 0; i < n; i++) squares += row[at + i] * row[at + i];
  return Math.sqrt(squares);
}

// The rows of a matrix, made orthogonal one after the other, and the solution that grows with them.
class Rows {
  constructor(count, n) {
    this.count = count;
    this.n = n;
    [this.a, this.rest, this.basis] = Array.from({ length: 3 }, () => new Float64Array(count * n));
    [this.b, this.sides] = Array.from({ length: 2 }, () => new Float64Array(count));
    this.x = new Float64Array(n);
    this.waiting = new Uint8Array(count);
  }

  // The shortest x with a x = b: of the rows the one with most left comes first, and those that depend on
  // others within `rank` are passed over. `most` and `least` are what the first and the last of the others have left.
  solve(rank) {
    const { count, n, rest, waiting, x } = this;
    let limit = 0, taken = 0;
    this.most = this.least = 0;
    for (let r = 0; r < count; r++) limit = Math.max(limit, rank * lengthOf(n, this.a, r * n));
    rest.set(this.a);
    waiting.fill(1);
    x.fill(0);
    for (let place = this.longest(limit); place >= 0; place = this.longest(limit)) {
      waiting[place] = 0;
      this.take(place, taken++);
    }
    return x;
  }

  // The row with most left, beyond a limit; -1 if there is none.
  longest(limit) {
    let most = limit, found = -1;
    for (let r = 0; r < this.count; r++) {
      const length = this.waiting[r] ? lengthOf(this.n, this.rest, r * this.n) : 0;
      if (length > most) {
        most = length;
        found = r;
      }
    }
    return found;
  }

  // Make the next unit vector of a row; what points along others is taken off twice for the sake of rounding.
  take(place, taken) {
    const { n, a, basis, sides, rest, x } = this, at = taken * n;
    let side = 0;
    for (let i = 0; i < n; i++) basis[at + i] = a[place * n + i];
    for (let again = 0; again < 2; again++)
      for (let c = 0; c < taken; c++) side += takeOff(n, basis, at, basis, c * n) * sides[c];
    const left = (this.least = lengthOf(n, basis, at));
    this.most ||= left;
    sides[taken] = (this.b[place] - side) / left;
    for (let i = 0; i < n; i++) {
      basis[at + i] /= left;
      x[i] += sides[taken] * basis[at + i];
    }
    for (let r = 0; r < this.count; r++)
      if (this.waiting[r]) for (let again = 0; again < 2; again++) takeOff(n, rest, r * n, basis, at);
  }
}

// A component's unknowns, residual, Jacobian and rows: room that is kept from step to step.
function roomOf(component) {
  const { equations, places, weights } = component, n = places.length, vector = (size) => new Float64Array(size);
  const room = { r: vector(equations), j: vector(equations * n), weight: vector(equations), clock: vector(1) };
  room.ease = weights.length ? Float64Array.from(weights) : vector(n).fill(1);
  return Object.assign(room, { before: vector(n), rows: new Rows(equations, n) });
}

// Divide each row of the Jacobian by its largest slope; returns the largest residual that is left.
function weigh({ r, j, weight }, n) {
  let left = 0;
  for (let e = 0; e < r.length; e++) {
    let slope = 0;
    for (let i = 0; i < n; i++) slope = Math.max(slope, Math.abs(j[e * n + i]));
    weight[e] = slope || 1;
    left = Math.max(left, Math.abs(r[e] / weight[e]));
  }
  return left;
}

// The shortest step to where the linearised constraints hold.
function nextStep({ r, j, weight, rows }, ease, n, rank = SETTLE_RANK) {
  for (let e = 0; e < r.length; e++) {
    for (let i = 0; i < n; i++) rows.a[e * n + i] = (j[e * n + i] * ease[i]) / weight[e];
    rows.b[e] = -r[e] / weight[e];
  }
  rows.solve(rank);
  for (let i = 0; i < n; i++) rows.x[i] *= ease[i];
}

// Bring x onto the constraints of a component by the shortest way; `eases`, where there are any, say how readily
// each entry of x moves besides. Returns the residual that is left.
function settle(component, x, other, k, c, t, eases) {
  const { places, residual } = component, room = (component.room ??= roomOf(component)), n = places.length;
  const { r, j, before, clock } = room, step = room.rows.x;
  const ease = eases ? room.ease.map((each, i) => each * eases[places[i]]) : room.ease;
  let size = 1e-3, last = Infinity, scale = 1;
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs((before[i] = x[places[i]])));
  clock[0] = t;
  for (let trial = 0; trial < SETTLE_STEPS; trial++) {
    residual(x, other, k, c, clock, r, j.fill(0));
    const left = weigh(room, n) / size;
    if (left <= SETTLED) return left;
    if (left < last) {
      last = left;
      scale = 1;
      for (let i = 0; i < n; i++) before[i] = x[places[i]];
      nextStep(room, ease, n);
    } else if (last <= SETTLED_WELL || scale < 1e-4) { // what is nearly solved cannot be solved better
      for (let i = 0; i < n; i++) x[places[i]] = before[i];
      return last;
    } else scale *= 0.5;
    for (let i = 0; i < n; i++) x[places[i]] = before[i] + scale * step[i];
  }
  return last;
}

// Bring x onto the constraints of all components; what `eases` hold stays where it is, if that is possible. Returns
// whether there is such an x.
function settleAll(components, x, other, k, c, t, eases) {
  for (const component of components) {
    let left = settle(component, x, other, k, c, t, eases);
    if (eases && !(left <= SETTLED_WELL)) left = settle(component, x, other, k, c, t);
    if (!(left <= SETTLED_WELL)) return false;
  }
  return true;
}

function demand(holds, problem) {
  if (!holds) throw new Stopped(problem);
}

// How readily each value moves from where it starts: what the caller wants hardly does.
const easesOf = (names, wanted) => Float64Array.from(names, (name) => (name in wanted ? HELD : 1));

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

function sameNumbers(a, b) {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

// Where a machine stands: `time`, `state` and `controls`, which may be changed between steps.
class Machine {
  constructor(given, wanted, start, rates, rtol, mostSteps) {
    const vector = (length) => new Float64Array(length);
    const q = vector(ZEROTH + FIRST + SECOND), v = vector(FIRST + SECOND), c = vector(controls.length);
    const span = vector(2);
    this.mostSteps = mostSteps;
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
    const eased = easesOf(variables, start), easedRates = easesOf(variables.slice(ZEROTH), rates);
    demand(settleAll(INITIALISE, q, [], k, inputs, time, eased), "no position satisfies the constraints");
    const problem = "no velocities satisfy the constraints and initial conditions";
    demand(settleAll(VELOCITIES, v, q, k, inputs, time, easedRates), problem);
    this.q0 = q.slice(0, ZEROTH);
    this.state = Float64Array.from([...q.slice(ZEROTH), ...v.slice(FIRST)]);
    this.before = this.state.slice();
    this.seenState = this.state.slice();
    const atol = rtol * scaleOf(this.state);
    this.clock = vector(1);
    const rate = (t, y, dy) => {
      this.clock[0] = t;
      machine_derivative(y, this.k, this.taken, this.clock, dy);
    };
    this.integrator = new Integrator(rate, time, this.state.slice(), rtol, atol);
    this.trail = new Trail();
    this.careful = null;
    this.handOver(this.state, time);
  }

  // The controls as the functions take them.
  inputs() {
    const found = new Float64Array(controls.length);
    for (let i = 0; i < found.length; i++) found[i] = this.controls[controls[i]];
    return found;
  }

  // Let the caller see a state at a time.
  handOver(y, t) {
    this.time = this.seenTime = t;
    this.state = y.slice();
    this.seenState.set(y);
    this.taken = this.inputs();
  }

  // Brings y onto the constraints, if that is possible.
  settles(y, t) {
    return settleAll(STABILISE, y, [], this.k, this.taken, t);
  }

  stabilise(y, t) {
    demand(this.settles(y, t), NOT_RESTORED);
  }

  // Go on to t from where the caller is, if that is not where the last step has led.
  takeUp(t, exactlyHere) {
    const here = this.integrator, inputs = this.inputs();
    const moved = this.time !== this.seenTime || !sameNumbers(this.state, this.seenState);
    const leads = this.careful ? this.careful.leadsFrom(this.time, t) : !(exactlyHere && here.t !== this.time);
    if (leads && !moved && sameNumbers(inputs, this.taken)) return;
    this.taken = inputs;
    this.careful = null;
    this.trail.clear();
    if (moved) here.h = 0;
    here.t = this.time;
    here.y.set(this.state);
    here.fresh = false;
    this.stabilise(here.y, here.t);
  }

  // Step until t lies behind, never beyond `limit`.
  stepUntil(t, limit) {
    const here = this.integrator, backwards = limit < here.t, begun = here.steps + here.rejected;
    let looked = begun, seen = here.t;
    if (STABILISE.length) this.trail.add(here);
    while (backwards ? here.t > t : here.t < t) {
      const steps = here.steps + here.rejected, problem = steps - begun < this.mostSteps ? here.step(limit) : TOO_SLOW;
      demand(!problem, problem);
      this.before.set(here.y);
      this.stabilise(here.y, here.t);
      here.fresh &&= sameNumbers(this.before, here.y);
      demand(!(isSpoilt(this.before, here) && this.trail.before(this, here.y, here.t)), NO_WAY_OUT);
      if (STABILISE.length) this.trail.add(here);
      if (steps - looked < STEPS_A_LOOK) continue;
      const isSlow = Math.abs(here.t - seen) < STEPS_A_LOOK * LEAP_SHARE * this.trail.longest;
      demand(!(isSlow && this.trail.before(this, here.y, here.t)), NO_WAY_OUT);
      [looked, seen] = [steps, here.t];
    }
  }

  // The state at t, by steps that end at `limit` or before; where they lead no further because of a singular position,
  // by careful ones, which may go beyond.
  reach(t, limit) {
    if (this.careful) return this.careful.reach(t);
    const here = this.integrator;
    try {
      this.stepUntil(t, limit);
    } catch (problem) {
      const start = problem instanceof Stopped ? this.trail.before(this, here.y, here.t) : null;
      if (!start) throw problem;
      this.careful = new Careful(this, start, here.t);
      return this.careful.reach(t);
    }
    const y = t === here.t ? here.y : here.dense(t);
    if (t !== here.t) this.stabilise(y, t);
    return y;
  }

  // Let the caller see the state at t, or the last one before a machine stopped.
  goTo(t, limit) {
    try {
      this.handOver(this.reach(t, limit), t);
    } catch (problem) {
      const { y, t: reached } = (this.careful ?? this).integrator;
      if ((reached - this.time) * (t - this.time) >= 0) this.handOver(y, reached);
      throw problem;
    }
  }
}

// The machine at its start: positions and rates that satisfy all constraints and initial conditions. All
// are given by name; `start` and `rates` replace where variables start, if the constraints leave them free. `mostSteps`
// is how many a call may take before the machine counts as too slow.
function initialise(wanted = {}) {
  const { parameters = {}, controls = {}, start = {}, rates = {}, rtol = 1e-9, mostSteps = MOST_STEPS } = wanted;
  return new Machine(parameters, controls, start, rates, rtol, mostSteps);
}

// Advance by dt, in as many steps as the tolerance asks for, each followed by a return to the constraints.
function step(machine, dt) {
  const end = machine.time + dt;
  machine.takeUp(end, true);
  machine.goTo(end, end);
  return machine;
}

// The columns at time t. Steps may go beyond t, up to `limit`; rows between their ends are interpolated.
function row(machine, t, limit) {
  machine.takeUp(t, false);
  machine.goTo(t, limit);
  return observe(machine);
}

// The positions of order zero, from those of the last time.
function zeroth({ state, time, k, q0 }) {
  if (ZEROTH > 0) machine_zeroth(state, q0.slice(), k, [time], q0);
  return q0;
}

// The columns of the state as it is, by name.
function observe(machine) {
  const { state, time, k } = machine, q0 = zeroth(machine), out = new Float64Array(columns.length - 2);
  machine_observe(state, q0, k, machine.inputs(), [time], out);
  const found = { time };
  columns.slice(1, -1).forEach((name, i) => (found[name] = out[i]));
  found.energy = found.kinetic + found.potential;
  return found;
}

// The rates of a state at a time.
function derivative(machine, t, y) {
  const rates = new Float64Array(states.length);
  machine_derivative(y, machine.k, machine.inputs(), [t], rates);
  return rates;
}
