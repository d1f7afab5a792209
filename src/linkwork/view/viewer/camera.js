// Cameras: those of the stage, which may ride along, and one that the reader moves. A plane stage is seen from above.

const FREE = "free", FOLLOW = "follow"; // the reader's cameras: where it was left, and going along with the machine
const FOLLOW_ROOM = 0.15; // of what moves, or of all that is seen, on each side of what is followed
const LEAST_SEEN = 0.05; // of all that is seen at the start: nothing is fitted closer
const FREE_ANGLE = 40; // degrees from the lowest to the highest that is seen
const USUAL_ASPECT = 1.25; // narrower screens see more from top to bottom, so as to lose less at the sides
const STEEPEST = 1e-6; // sine of the angle below which an eye looks along what is upwards
const SPREAD = 1.04; // room around what is seen

const minus = (a, b) => a.map((value, k) => value - b[k]);
const plus = (a, b, share = 1) => a.map((value, k) => value + share * b[k]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const length = Math.hypot(...a) || 1; return a.map((value) => value / length); };

/** Two directions across `up`. */
const upright = unit(stage.up);
const [east, north] = (() => {
  const first = Math.abs(upright[0]) < 0.9 ? unit(minus([1, 0, 0], upright.map((value) => value * upright[0]))) : [0, 1, 0];
  return [first, cross(upright, first)];
})();

/** Where the reader's camera is: about a target, at a distance, seen from a direction. While it is `fitted`, all is in
 * view; `away` is how far the machine had come when it was told to. A camera that goes along counts from the start. */
const orbit = { target: [...extent.middle], azimuth: -0.95, elevation: 0.38, distance: 1, scale: 1, fitted: true, away: [0, 0, 0] };

/** From the target to the reader's eye. */
function outward() {
  const c = Math.cos(orbit.elevation), along = plus(east.map((value) => value * Math.cos(orbit.azimuth)), north, Math.sin(orbit.azimuth));
  return plus(along.map((value) => value * c), upright, Math.sin(orbit.elevation));
}

/** What is left of the picture beside panels and bars, and the angles under which it is seen. */
const view = { width: 1, height: 1, left: 0, top: 0, freeWidth: 1, freeHeight: 1 };

/** The lowest distance, or the largest scale of a plane stage, at which all of a box is in view. */
function fitBox({ low, high }, away) {
  const middle = low.map((value, k) => (value + high[k]) / 2), wide = minus(high, low);
  orbit.target = plus(middle, away);
  if (!flat) {
    orbit.distance = fittingDistance({ low, high }, outward(), upright, FREE_ANGLE);
    return;
  }
  const [across, tall] = wide.map((value) => Math.max(value, LEAST_SEEN * extentAtStart.reach));
  orbit.scale = Math.min(view.freeWidth / across, view.freeHeight / tall) / (1.06 * SPREAD);
}

/** How far from its middle a box is in view, for an eye in a direction that sees so many degrees from top to bottom. */
function fittingDistance({ low, high }, back, up, angle) {
  const right = unit(cross(up, back)), above = cross(back, right), middle = low.map((value, k) => (value + high[k]) / 2);
  const tall = Math.tan((angle * Math.PI) / 360), across = (tall * view.freeWidth) / view.freeHeight;
  let distance = LEAST_SEEN * extentAtStart.reach;
  for (const corner of boxCorners({ low, high })) {
    const at = minus(corner, middle), near = dot(at, back);
    distance = Math.max(distance, near + Math.abs(dot(at, right)) / across, near + Math.abs(dot(at, above)) / tall);
  }
  return SPREAD * distance;
}

function turnView(dx, dy) {
  orbit.azimuth -= 0.008 * dx;
  orbit.elevation = Math.min(1.55, Math.max(-1.55, orbit.elevation + 0.008 * dy));
  orbit.fitted = false;
}

/** Moves what is looked at by pixels. */
function shiftView(dx, dy) {
  orbit.fitted = false;
  if (flat) {
    orbit.target = [orbit.target[0] - dx / orbit.scale, orbit.target[1] + dy / orbit.scale, orbit.target[2]];
    return;
  }
  const back = outward(), right = unit(cross(upright, back)), above = cross(back, right);
  const pixel = (2 * orbit.distance * Math.tan((FREE_ANGLE * Math.PI) / 360)) / view.freeHeight;
  orbit.target = plus(plus(orbit.target, right, -dx * pixel), above, dy * pixel);
}

/** Nearer by a factor; on a plane stage what is under the pixel stays there. */
function zoomView(factor, x, y) {
  orbit.fitted = false;
  if (!flat) {
    orbit.distance = Math.min(100 * extent.reach, Math.max(1e-3 * extent.reach, orbit.distance / factor));
    return;
  }
  const dx = x - view.left - view.freeWidth / 2, dy = y - view.top - view.freeHeight / 2;
  shiftView(dx * (1 / factor - 1), dy * (1 / factor - 1));
  orbit.scale *= factor;
}

/** What is upwards in a picture; where the eye looks along `up`, x of its carrier is to the right, or y. */
function upwards(eye, goal, up, matrix) {
  const back = unit(minus(eye, goal));
  let right = cross(up, back);
  for (const axis of [[1, 0, 0], [0, 1, 0]]) {
    if (Math.hypot(...right) > STEEPEST) break;
    const along = turnedBy(matrix, axis);
    right = plus(along, back, -dot(along, back));
  }
  return cross(back, right);
}

/** Lets the reader's camera begin where another one is. */
function takeOver(eye, target, up) {
  const back = minus(eye, target), direction = unit(back), height = dot(direction, upright);
  const isSteep = Math.hypot(...cross(direction, upright)) < STEEPEST, level = isSteep ? up.map((value) => -Math.sign(height) * value) : direction;
  orbit.target = target;
  orbit.distance = Math.hypot(...back);
  orbit.elevation = Math.asin(Math.min(1, Math.max(-1, height)));
  orbit.azimuth = Math.atan2(dot(level, north), dot(level, east));
  orbit.fitted = false;
}

function createCamera() {
  const lens = flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera();
  const fixed = new Map((flat ? [] : stage.cameras).map((each) => [each.name, each]));
  const names = () => [...new Set([...fixed.keys(), ...(stage.live ? [FOLLOW] : []), FREE])];
  let [chosen] = fixed.has(stage.camera) ? [stage.camera] : [...fixed.keys(), FREE];
  let company = emptyBox(); // what moves, as it was seen by the camera that goes along with it

  /** What a camera that goes along shows: all that has moved before it, and some room around. */
  function around(matrixOf) {
    const { low, high } = company.add(matrixOf, drift(matrixOf)), room = FOLLOW_ROOM * Math.max(...minus(high, low), extentAtStart.reach);
    return low[0] <= high[0] ? { low: low.map((value) => value - room), high: high.map((value) => value + room) } : extentAtStart;
  }

  /** Lets the reader's camera show all, until somebody takes it. */
  function fit(matrixOf) {
    if (!orbit.fitted || fixed.has(chosen)) return;
    if (chosen === FOLLOW) fitBox(around(matrixOf), [0, 0, 0]); else fitBox(extent, orbit.away);
  }

  function fitAll(matrixOf) {
    Object.assign(orbit, { fitted: true, away: goneAway(matrixOf) });
    company = emptyBox();
  }

  function choose(name, matrixOf) {
    if (!names().includes(name)) throw new RangeError(`there is no camera '${name}'; there are: ${names().join(", ")}`);
    if (name !== chosen && (name === FOLLOW || (name === FREE && orbit.fitted))) fitAll(matrixOf);
    if (name === FREE && chosen === FOLLOW && !orbit.fitted) orbit.target = target(matrixOf);
    chosen = name;
  }

  /** What the reader's camera looks at. */
  const target = (matrixOf) => (chosen === FOLLOW ? plus(orbit.target, drift(matrixOf)) : orbit.target);

  /** Eye, target, up and angle of the camera that is chosen. */
  function sight(matrixOf) {
    if (!fixed.has(chosen)) {
      const goal = target(matrixOf);
      return { eye: plus(goal, outward(), orbit.distance), goal, up: upright, angle: FREE_ANGLE };
    }
    const { placement, at, toward, toward_placement: other, up, angle, automatic: fits } = fixed.get(chosen);
    if (fits) {
      const goal = [...extent.middle], back = unit(minus(at, toward));
      return { eye: plus(goal, back, fittingDistance(extent, back, up, angle)), goal, up, angle };
    }
    const matrix = matrixOf(placement);
    const eye = movedBy(matrix, at), goal = movedBy(matrixOf(other ?? 0), toward);
    return { eye, goal, up: upwards(eye, goal, turnedBy(matrix, up), matrix), angle };
  }

  function aim(matrixOf) {
    fit(matrixOf);
    if (flat) aimFlat(target(matrixOf)); else aimDeep(sight(matrixOf));
    lens.setViewOffset(view.freeWidth, view.freeHeight, -view.left, -view.top, view.width, view.height);
    lens.updateProjectionMatrix();
  }

  function aimDeep({ eye, goal, up, angle }) {
    const aspect = view.freeWidth / view.freeHeight;
    const tall = Math.tan((angle * Math.PI) / 360) * (fixed.has(chosen) && !fixed.get(chosen).automatic ? Math.max(1, USUAL_ASPECT / aspect) ** 0.75 : 1);
    lens.fov = (Math.atan(tall) * 360) / Math.PI;
    lens.aspect = aspect;
    lens.near = 5e-4 * Math.max(extent.reach, 10 * Math.hypot(...minus(eye, goal))); // the farther, the coarser is depth
    lens.far = 400 * extent.reach;
    lens.up.set(...up);
    lens.position.set(...eye);
    lens.lookAt(...goal);
  }

  function aimFlat([x, y]) {
    const far = 4 * extent.reach + 10, dx = view.freeWidth / orbit.scale / 2, dy = view.freeHeight / orbit.scale / 2;
    Object.assign(lens, { left: -dx, right: dx, bottom: -dy, top: dy, near: 0, far: 2 * far });
    lens.position.set(x, y, extent.high[2] + far);
    lens.lookAt(x, y, 0);
  }

  /** How far the eye is from what it looks at. */
  function distance(matrixOf) {
    if (flat) return 0;
    const { eye, goal } = sight(matrixOf);
    return Math.hypot(...minus(eye, goal));
  }

  return {
    lens, names, aim, distance, choose, fitAll,
    name: () => chosen,
    /** The reader takes the camera from where it is. */
    release(matrixOf) {
      if (!fixed.has(chosen)) return false;
      const { eye, goal, up } = sight(matrixOf);
      takeOver(eye, goal, up);
      chosen = FREE;
      return true;
    },
  };
}
