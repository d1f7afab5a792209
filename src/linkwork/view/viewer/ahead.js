// Looking ahead: a page that chooses its own view shows all places to which the machine will come in a while.

const AHEAD = 20, AHEAD_STEP = 0.25; // seconds of the machine
const AHEAD_BUDGET = 0.4; // real seconds of computing, at most
const MOST_PLACES = 100; // of an object in many places that are looked at
const AHEAD_TOLERANCE = 1e-4; // of its steps
const FARTHEST = 6; // times what is seen at the start: a machine that goes further goes away, and is followed

/** Takes the corners of what moves into account, where it stands by these numbers. */
function createBounds() {
  const low = [...extent.low], high = [...extent.high];
  const corners = stage.objects.filter(({ placement }) => placement > 0)
    .map(({ placement, mesh, matrix, instances }) => {
      const box = cornersOf(floats(stage.meshes[mesh].positions)), places = instances ?? [matrix ?? standing];
      const some = places.filter((_, k) => k % Math.ceil(places.length / MOST_PLACES) === 0);
      return { placement, points: some.flatMap((place) => box.map((corner) => movedBy(place, corner))) };
    });
  return {
    low, high,
    add(numbers) {
      for (const { placement, points } of corners) {
        const matrix = numbers.slice(12 * placement - 12, 12 * placement);
        for (const point of points) movedBy(matrix, point).forEach((value, k) => {
          low[k] = Math.min(low[k], value);
          high[k] = Math.max(high[k], value);
        });
      }
    },
  };
}

/** The corners of the box around points. */
function cornersOf(positions) {
  const low = [Infinity, Infinity, Infinity], high = low.map((value) => -value);
  positions.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value);
    high[k % 3] = Math.max(high[k % 3], value);
  });
  return Array.from({ length: 8 }, (_, corner) => low.map((value, k) => (corner & (1 << k) ? high[k] : value)));
}

const isAutomatic = stage.cameras.some((camera) => camera.automatic);
let bounds = null; // where the machine comes to, as far as room is made for it

/** Whether the machine has gone so far that no room would do. */
const isFar = () => minus(bounds.high, bounds.low).some((value) => value > FARTHEST * 2 * extentAtStart.reach);

/** Steps back until all that is known to come is in view. */
function makeRoom() {
  widen({ low: [...bounds.low], high: [...bounds.high] });
  if (orbit.fitted) fitAll();
}

/** Makes room for what will be seen; returns whether the machine goes away. */
function lookAhead(engine) {
  if (!stage.live || !(flat || isAutomatic)) return false;
  const began = performance.now();
  bounds = createBounds();
  for (const numbers of engine.ahead(AHEAD, AHEAD_STEP)) {
    bounds.add(numbers);
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
  bounds.add(numbers);
  if (isFar()) bounds = null;
  else if (bounds.low.some((value, k) => value < extent.low[k]) || bounds.high.some((value, k) => value > extent.high[k])) makeRoom();
}
