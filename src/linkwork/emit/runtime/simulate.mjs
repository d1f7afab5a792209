// Whole motions, computed again with tighter tolerance until they agree.
const FIRST_SHARE = 0.1; // the tolerance of the first run's steps, as a share of what is asked: errors add up
const TIGHTER = 0.02; // and of each run after it, as a share of the one before
const TIGHTEST = 3e-15; // no step is more accurate
const REFINEMENTS = 4; // how often it is tightened before it is said that the accuracy is not reached

// The motion until a time, in rows `step` apart, of a machine that is given as to `initialise`. Unless
// `check` is false it is computed again with tighter tolerance until the rows agree within `rtol`.
// `accurate` tells whether they do, `error` how far they are apart.
function simulate(options = {}) {
  const { rtol = 1e-9, check = true } = options;
  let tolerance = Math.max(rtol * (check ? FIRST_SHARE : 1), TIGHTEST), error = NaN;
  let found = run({ ...options, rtol: tolerance }, false);
  for (let i = 0; check && i < REFINEMENTS && !(error <= rtol) && tolerance > TIGHTEST; i++) {
    tolerance = Math.max(tolerance * TIGHTER, TIGHTEST);
    const coarse = found;
    found = run({ ...options, rtol: tolerance }, true);
    error = difference(coarse.states, found.states);
  }
  return { ...found, error, accurate: error <= rtol };
}

// All rows with one tolerance. Steps that end by rows go beyond none of them, so that nothing shorter than a
// row is stepped over unseen.
function run(options, byRows) {
  const machine = initialise(options), first = machine.time, last = options.until ?? machine.until;
  const spacing = options.step ?? Math.abs(last - first) / 1000;
  if (!(Number.isFinite(last) && last !== first && spacing > 0))
    throw new RangeError("there is no time to run: until must differ from the start, step be above 0");
  const count = Math.max(1, Math.round(Math.abs(last - first) / spacing)), rows = [], found = [];
  let why = "";
  for (let i = 0; i <= count && !why; i++) {
    const t = i === count ? last : first + (i / count) * (last - first);
    try {
      rows.push(Object.values(row(machine, t, byRows ? t : last)));
      found.push(machine.state);
    } catch (stop) {
      if (!(stop instanceof Stopped)) throw stop;
      why = `stopped at t = ${machine.time}: ${stop.message}`;
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
