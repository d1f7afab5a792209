// Looking ahead: a page that chooses its own view shows all places to which the machine will come in a while.

const AHEAD = 20, AHEAD_STEP = 0.25; // seconds of the machine
const AHEAD_BUDGET = 0.4; // real seconds of computing, at most
const AHEAD_TOLERANCE = 1e-4; // of its steps
const FARTHEST = 6; // times what is seen at the start: a machine that goes further goes away, and is followed

const isAutomatic = stage.cameras.some((camera) => camera.automatic);
let bounds = null; // where the machine comes to, as far as room is made for it

/** Whether the machine has gone so far that no room would do. */
const isFar = () => minus(bounds.high, bounds.low).some((value) => value > FARTHEST * 2 * extentAtStart.reach);

/** Lets all that is known to come count as seen; cameras that fit step back by themselves. */
const makeRoom = () => widen({ low: [...bounds.low], high: [...bounds.high] });

/** Makes room for what will be seen; returns whether the machine goes away. */
function lookAhead(engine) {
  if (!stage.live || !(flat || isAutomatic)) return false;
  const began = performance.now();
  bounds = wideningBox(extent.low, extent.high);
  for (const numbers of engine.ahead(AHEAD, AHEAD_STEP)) {
    bounds.add(matrixIn(numbers));
    if (isFar()) {
      bounds = null;
      return true;
    }
    if (performance.now() - began > 1000 * AHEAD_BUDGET) break;
  }
  makeRoom();
  return false;
}

/** Makes room for what nobody has foreseen. */
function keepInView(numbers) {
  if (!bounds) return;
  bounds.add(matrixIn(numbers));
  if (isFar()) bounds = null;
  else if (bounds.low.some((value, k) => value < extent.low[k]) || bounds.high.some((value, k) => value > extent.high[k])) makeRoom();
}
