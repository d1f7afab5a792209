// What moves: a program that computes as it goes, or a motion that was computed before. Both answer the same
// questions: step, seek, reset, set, control, placements, values; and which placements it has passed since a time.

const WINDOW = 20; // seconds of a running simulation that its plots show
const SAMPLE = 1 / 30; // seconds between their points, at least
const FRAME_STEPS = 3000; // of the program in one of the driver's slices: a machine that needs more is too slow to be seen
const NEARLY_ENDED = 1e-9; // share of the time until the end of a range that is not waited for
const TRIAL = 1e-3, TRIAL_STEPS = 300; // seconds by which a machine with another value must get on, and steps for them

/** Places of everything at the start, for a page without any motion. */
function standingEngine() {
  return {
    time: 0, first: 0, last: 0, parameters: {}, controls: {}, placements: () => stage.start,
    step() {}, seek() {}, reset() {}, set() {}, control() {}, passed: () => [], values: () => [], axis: [], history: [], at: () => 0,
  };
}

/** A motion in rows; between two rows everything is between. */
function replayEngine({ times, placements, columns }) {
  const numbers = series(placements), values = series(columns), rows = times.length, found = new Float64Array(12 * count);
  const first = times[0], last = times.at(-1);
  const history = stage.columns.map((_, column) =>
    Array.from(values.subarray(column * rows, (column + 1) * rows), (value) => (Number.isFinite(value) ? value : null)));
  return {
    time: first, first, last, parameters: {}, controls: {}, axis: times, history,
    step(dt) { this.time = Math.min(last, Math.max(first, this.time + dt)); },
    seek(t) { this.time = Math.min(last, Math.max(first, t)); },
    reset() { this.time = first; },
    set(name) { throw new RangeError(`a replay has no parameter '${name}'`); },
    control(name) { throw new RangeError(`a replay has no control '${name}'`); },
    at() { return placeIn(times, this.time); },
    /** The rows behind a time, or from the start, and before now: for each, what tells where something was. */
    *passed(since) {
      for (let row = since === null ? 0 : Math.floor(placeIn(times, since)) + 1; row < rows && times[row] < this.time; row++) {
        yield (placement) => (placement === 0 ? standing : Array.from({ length: 12 }, (_, k) => numbers[(12 * placement - 12 + k) * rows + row]));
      }
    },
    placements() {
      const at = this.at(), row = Math.min(Math.floor(at), rows - 1), part = at - row;
      for (let k = 0; k < found.length; k++) {
        const value = numbers[k * rows + row];
        found[k] = part ? value + part * (numbers[k * rows + row + 1] - value) : value;
      }
      if (part) for (let k = 0; k < found.length; k += 12) keepSizes(found, numbers, rows, row, part, k);
      return found;
    },
    values() { return history.map((list) => valueAt(list, this.at())); },
  };
}

/** Lets the axes of a placement between two rows have lengths between theirs: turning does not shrink. */
function keepSizes(found, numbers, rows, row, part, k) {
  const lengthIn = (at, axis) =>
    Math.hypot(numbers[(k + axis) * rows + at], numbers[(k + axis + 4) * rows + at], numbers[(k + axis + 8) * rows + at]);
  for (let axis = 0; axis < 3; axis++) {
    const a = k + axis, b = a + 4, c = a + 8, length = Math.hypot(found[a], found[b], found[c]);
    const one = lengthIn(row, axis), other = lengthIn(row + 1, axis);
    const share = length > 1e-9 * one ? (one + part * (other - one)) / length : 1;
    found[a] *= share; found[b] *= share; found[c] *= share;
  }
}

/** The last seconds of columns, sample by sample. */
function createRecord(names) {
  const axis = [], history = names.map(() => []);
  return {
    axis, history,
    clear() { axis.length = 0; for (const list of history) list.length = 0; },
    add(time, values) {
      if (axis.length > 1 && time - axis.at(-2) < SAMPLE) { axis.pop(); for (const list of history) list.pop(); }
      axis.push(time);
      history.forEach((list, k) => list.push(Number.isFinite(values[k]) ? values[k] : null));
      if (time - axis[0] < 1.1 * WINDOW) return;
      const old = axis.findIndex((each) => each >= time - WINDOW);
      axis.splice(0, old);
      for (const list of history) list.splice(0, old);
    },
  };
}

/** A simulation: the program of the page steps the machine. */
function liveEngine({ tolerance, ends = [] }) {
  const given = {}, found = new Float64Array(12 * count), trial = new Float64Array(12 * count + ends.length);
  const names = stage.columns.map(({ name }) => name);
  const record = createRecord(names), { program } = computing;
  const begun = (parameters, mostSteps = FRAME_STEPS) => program.initialise({ parameters, rtol: tolerance, mostSteps });
  const shownBy = (one) => {
    program.show(one, trial);
    const places = trial.subarray(0, 12 * count);
    if (!places.every(Number.isFinite)) throw new Error("a position is not a number here");
    return places;
  };
  /** When the first range of a drive ends; what the program shows tells it behind the places. */
  const endOf = (one) => {
    program.show(one, trial);
    return Math.min(...trial.subarray(12 * count).filter((time) => time > one.time), Infinity);
  };
  /** Fails where a machine does not get on from its start. */
  const tryOut = (parameters) => {
    const other = begun(parameters, TRIAL_STEPS);
    other.controls = { ...machine.controls };
    shownBy(program.step(other, TRIAL));
  };
  let machine = begun(given), end = endOf(machine);
  const rest = { ...machine.controls };
  const values = () => { const seen = program.observe(machine); return names.map((name) => seen[name]); };
  const engine = {
    get time() { return machine.time; },
    get controls() { return { ...machine.controls }; },
    get parameters() { return Object.fromEntries(program.parameters.map((name, k) => [name, machine.values[k]])); },
    get last() { return end * (1 - NEARLY_ENDED); },
    first: machine.time, rest, axis: record.axis, history: record.history, values, passed: () => [],
    at: () => record.axis.length - 1,
    step(dt) {
      if (engine.time >= engine.last) return;
      program.step(machine, Math.min(dt, end - machine.time));
      record.add(machine.time, values());
    },
    seek(time) { if (time <= engine.first) engine.reset(); },
    reset() { replace(begun(given)); },
    /** Starts again with another value; where that is impossible, everything stays as it was. */
    set(name, value) {
      const parameters = { ...given, [name]: value }, other = begun(parameters);
      shownBy(other);
      tryOut(parameters);
      replace(other);
      given[name] = value;
    },
    control(name, value) {
      if (!(name in machine.controls)) throw new RangeError(`there is no control '${name}'`);
      if (!Number.isFinite(value)) throw new RangeError(`control ${name} is no number: ${value}`);
      machine.controls[name] = value;
    },
    placements() {
      found.set(shownBy(machine));
      return found;
    },
    /** Placements in time to come, of a machine of its own, as far as it gets. */
    *ahead(seconds, step) {
      try {
        const other = program.initialise({ rtol: AHEAD_TOLERANCE, mostSteps: FRAME_STEPS });
        for (let t = 0; t < seconds && other.time < engine.last; t += step) {
          program.step(other, Math.min(step, end - other.time));
          yield shownBy(other);
        }
      } catch { /* so far and no further */ }
    },
  };
  function replace(other) {
    other.controls = { ...machine.controls };
    machine = other;
    end = endOf(machine);
    record.clear();
    record.add(machine.time, values());
  }
  record.add(machine.time, values());
  return engine;
}

const createEngine = () =>
  stage.live ? liveEngine(stage.live) : stage.motion ? replayEngine(stage.motion) : standingEngine();
