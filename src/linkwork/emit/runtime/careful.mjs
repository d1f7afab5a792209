// Careful steps, which lead through singular positions. There the constraints depend on each other and say nothing of
// some velocity, and near them rounding has more to say than they; the motion itself passes smoothly. So a machine
// that gets no further goes back a little and comes again by steps none of which ends there. Where those become too
// short to get by, a polynomial through the last positions leaps over it; that counts only if the machine moves behind
// it as the polynomial does, so a force that jumps is not leapt over.
const STEADY_RANK = 1e-13; // rows that depend on others within this do so always
const STEADY_SHARE = 3e-3; // share of the best steadiness below which no step should end
const NEARLY_SINGULAR = 0.05; // and below which a singular position may be what stops a machine
const LEAP_POINTS = 9; // of the polynomial
const LEAP_SHARE = 1e-2; // share of the longest step below which steps are too short
const LEAP_REACH = 8; // in spacings of the points: the longest leap
const LEAP_AGREES = 1e-4; // by how much rates behind a leap may differ from it
const LEAP_ATTEMPTS = 50; // steps from one point to the next
const OTHER_LENGTHS = [0.7, 0.45, 1.5, 0.85, 0.25, 3]; // of a step that would end there, in its lengths
const FADES = 0.8; // how much of the longest step is remembered after one more
const PAST_STEPS = 12; // that are remembered for a leap
const STUCK_STEPS = 1000; // careful steps that must lead further than one of the longest
const SPOILS = 100; // tolerances of a step by which the constraints may move its end
const SPOILS_LEAST = 1e-7; // and share of the state by which they always may
const KEPT = 32; // states behind a machine that it can go back to
const KEPT_A_STEP = 4; // of them in the longest step

// How far the constraints are from depending on each other, beyond those that always do: 0 in singular positions.
function steadiness(machine, y, t) {
  let least = 1;
  for (const component of STABILISE) {
    const room = (component.room ??= roomOf(component)), n = component.places.length, { rows } = room;
    room.clock[0] = t;
    component.residual(y, [], machine.k, machine.taken, room.clock, room.r, room.j.fill(0));
    weigh(room, n);
    nextStep(room, room.ease, n, STEADY_RANK);
    least = Math.min(least, rows.most > 0 ? rows.least / rows.most : 0);
  }
  return least;
}

// Whether the constraints have moved the end of a step from `before` by more than its error can be: so they do close to
// a singular position.
function isSpoilt(before, { y, rtol, atol }) {
  let moved = 0;
  for (let i = 0; i < y.length; i++) moved = Math.max(moved, Math.abs(y[i] - before[i]));
  return moved > Math.max(SPOILS * rtol, SPOILS_LEAST) * Math.max(largest(y), atol / rtol);
}

// States behind a machine, a share of its longest step apart.
class Trail {
  constructor() {
    this.clear();
  }

  clear() {
    this.states = [];
    this.longest = 0;
  }

  add({ t, h, y }) {
    this.longest = Math.max(this.longest, Math.abs(h));
    if (this.states.length && Math.abs(t - this.states.at(-1).t) * KEPT_A_STEP < this.longest) return;
    const state = this.states.length < KEPT ? { y: y.slice() } : this.states.shift();
    state.t = t;
    state.y.set(y);
    this.states.push(state);
  }

  // Where to come from again, if a singular position may be what stops the machine at y; else nothing.
  before(machine, y, t) {
    const all = this.states.map((state) => steadiness(machine, state.y, state.t)), best = Math.max(0, ...all);
    if (!(Math.min(...all, steadiness(machine, y, t)) < NEARLY_SINGULAR * best)) return null;
    return { ...this.states[all.findIndex((each) => each > 0.5 * best)], best };
  }
}

class Careful {
  // Comes again from a state, in steps no longer than from there to the time `here`.
  constructor(machine, { t, y, best }, here) {
    const { rtol, atol } = machine.integrator, room = y.slice(), clock = new Float64Array(1);
    const rate = (time, at, dy) => {
      room.set(at);
      clock[0] = time;
      if (machine.settles(room, time)) machine_derivative(room, machine.k, machine.taken, clock, dy);
      else dy.fill(NaN);
    };
    const integrator = new Integrator(rate, t, y.slice(), rtol, atol);
    Object.assign(this, { machine, rate, integrator, best, longestStep: here - t, past: [], longest: 0, leapt: null });
  }

  // Whether its steps go from one time towards another.
  leadsFrom(here, there) {
    return (there - here) * this.longestStep >= 0;
  }

  // The state at a time, not behind the last one.
  reach(t) {
    const here = this.integrator, begun = here.steps + here.rejected;
    let seen = here.t;
    for (let steps = 1; (t - here.t) * this.longestStep > 0; steps++) {
      demand(here.steps + here.rejected - begun < this.machine.mostSteps, TOO_SLOW);
      this.step();
      if (steps % STUCK_STEPS) continue;
      demand(Math.abs(here.t - seen) >= Math.abs(this.longestStep), NO_WAY_OUT);
      seen = here.t;
    }
    if (t === here.t) return here.y;
    const y = this.leapt ? this.leapt.at(t) : here.dense(t), before = y.slice();
    return !this.leapt && this.isSteady(y, t) && !this.machine.settles(y, t) ? before : y;
  }

  steadiness(y, t) {
    const found = steadiness(this.machine, y, t);
    this.best = Math.max(this.best, found);
    return found;
  }

  isSteady(y, t) {
    return this.steadiness(y, t) >= STEADY_SHARE * this.best;
  }

  standAt({ t, y }, h) {
    const here = this.integrator;
    here.y.set(y);
    Object.assign(here, { t, h, fresh: false });
  }

  // One step, not beyond a time, and back onto the constraints. Returns why there is none, else nothing.
  move(end = this.integrator.t + this.longestStep) {
    const here = this.integrator, problem = here.step(end);
    if (problem) return problem;
    const before = here.y.slice();
    if (!this.machine.settles(here.y, here.t)) return NOT_RESTORED;
    here.fresh &&= sameNumbers(before, here.y);
    return "";
  }

  step() {
    const here = this.integrator, { h } = here, start = { t: here.t, y: here.y.slice() };
    this.leapt = null;
    this.past.push(start);
    if (this.past.length > PAST_STEPS) this.past.shift();
    const steady = this.steadyStep(start), length = Math.abs(here.t - start.t);
    if (!steady || length < LEAP_SHARE * this.longest) {
      if (this.leap(start)) {
        this.past = [];
        this.longest = 0;
        return;
      }
      this.leapt = null;
      this.standAt(start, h);
      const problem = this.move();
      if (problem) throw new Stopped(problem);
    }
    this.longest = Math.max(Math.abs(here.t - start.t), FADES * this.longest);
  }

  // A step that does not end near a singular position, if one of several lengths does not. Returns whether it does.
  steadyStep(start) {
    const here = this.integrator;
    let problem = this.move();
    const length = here.t - start.t;
    for (const share of OTHER_LENGTHS) {
      if (problem || this.isSteady(here.y, here.t)) break;
      this.standAt(start, share * length);
      problem = this.move();
    }
    return !problem && this.isSteady(here.y, here.t);
  }

  // Leap over what steps do not get by, to where the machine moves away from it again. Returns whether that is sound.
  leap(start) {
    const here = this.integrator, leap = this.runUp(start);
    if (!leap) return false;
    let last = this.steadiness(start.y, start.t);
    for (let reach = 1; reach <= LEAP_REACH; reach++) {
      const t = start.t + reach * leap.spacing, y = leap.at(t), steady = this.steadiness(y, t);
      if (steady > last && steady >= STEADY_SHARE * this.best && this.lands(leap, y, t)) {
        this.standAt({ t, y }, leap.spacing);
        here.tOld = start.t;
        this.leapt = leap;
        return true;
      }
      last = steady;
    }
    return false;
  }

  // The polynomial from a state of the past to where the leap begins; none where steps do not lead from one to the other.
  runUp(start) {
    const here = this.integrator, far = this.past.filter(({ t }) => Math.abs(start.t - t) >= this.longest);
    if (!far.length || !(this.longest > 0)) return null;
    const from = far.at(-1), spacing = (start.t - from.t) / (LEAP_POINTS - 1), points = [from.y];
    this.standAt(from, spacing);
    for (let place = 1; place < LEAP_POINTS; place++) {
      const next = place < LEAP_POINTS - 1 ? from.t + place * spacing : start.t;
      for (let tried = 0; here.t !== next; tried++) if (tried === LEAP_ATTEMPTS || this.move(next)) return null;
      points.push(here.y.slice());
    }
    return new Leap(from.t, spacing, points);
  }

  // Brings y onto the constraints. Returns whether the machine moves there as the polynomial does.
  lands(leap, y, t) {
    const rates = y.slice();
    if (!this.machine.settles(y, t)) return false;
    this.rate(t, y, rates);
    return largest(leap.at(t, true).map((each, i) => each - rates[i])) <= LEAP_AGREES * largest(rates);
  }
}

// A polynomial through states that are equally far apart in time.
class Leap {
  constructor(from, spacing, points) {
    Object.assign(this, { from, spacing, points });
  }

  // The state at a time, or its rates (by Lagrange's formula).
  at(t, rates = false) {
    const x = (t - this.from) / this.spacing, found = new Float64Array(this.points[0].length);
    this.points.forEach((point, i) => {
      let weight = 1, slope = 0;
      for (let j = 0; j < LEAP_POINTS; j++) {
        if (j === i) continue;
        slope = (slope * (x - j) + weight) / (i - j);
        weight *= (x - j) / (i - j);
      }
      const share = rates ? slope / this.spacing : weight;
      for (let c = 0; c < found.length; c++) found[c] += share * point[c];
    });
    return found;
  }
}
