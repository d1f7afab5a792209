// The hook: window.linkwork, by which programs do what readers do with keys and buttons.

const asText = (value) => (typeof value === "string" ? `'${value}'` : String(value));

/** A number that is asked for, at least so large, or above that. */
function demandNumber(what, value, { least = -Infinity, above = -Infinity } = {}) {
  if (Number.isFinite(value) && value >= least && value > above) return value;
  const bound = Number.isFinite(least) ? ` from ${least}` : Number.isFinite(above) ? ` above ${above}` : "";
  throw new RangeError(`${what} takes a number${bound}, not ${asText(value)}`);
}

/** A name that is asked for, one of those that there are. */
function demandName(what, name, names) {
  if (!names.includes(name)) throw new RangeError(`there is no ${what} ${asText(name)}; there are: ${names.join(", ") || "none"}`);
}

/** Where everything stands; places that are no numbers are those of the last picture. */
function placementsNow() {
  try {
    return engine.placements();
  } catch {
    return picture.placements();
  }
}

function state() {
  const values = engine.values();
  return {
    time: engine.time, playing: driver.playing, speed: driver.speed, pace: driver.pace, camera: picture.camera(),
    notice: shownNotice, program: computing.language, controls: engine.controls, parameters: engine.parameters,
    placements: Array.from(placementsNow()),
    columns: Object.fromEntries(stage.columns.map(({ name }, k) => [name, values[k]])),
  };
}

function advance(seconds) {
  demandNumber("advance", seconds, { least: 0 });
  guarded(() => driver.advance(seconds));
  paint();
  return state();
}

function seek(time) {
  if (stage.live) throw new RangeError("a machine that runs in the page cannot seek; a replay can");
  go(demandNumber("seek", time));
}

function control(name, value) {
  demandName("control", name, steering.map((each) => each.name));
  steer.set(steering.find((each) => each.name === name), demandNumber(`control ${name}`, value));
  return state();
}

function set(name, value) {
  demandName("parameter", name, Object.keys(engine.parameters));
  return change(name, demandNumber(`parameter ${name}`, value));
}

const offers = () => ({
  state, advance, seek, control, reset, step: stepOnce, play: driver.play, pause: driver.pause,
  speed: (factor) => chooseSpeed(demandNumber("speed", factor, { above: 0 })),
  set, camera: chooseCamera, cameras: picture.cameras,
  picture: () => { paint(); return picture.canvas.toDataURL(); },
});
