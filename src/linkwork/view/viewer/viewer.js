// The viewer: what is seen, and what can be done.

const SLOW_PICTURES = 0.05; // real seconds between two pictures
const NEARLY_REAL = 0.85; // share of real time below which motion is called slow
const NO_FULL_SCREEN = "This browser, or the frame in which the page stands, allows no full screen.";
const NO_FILM = "This browser records no films.";
const EMPTY_FILM = "No picture was recorded in so short a time, so there is no film. Record for longer.";
const PERHAPS_NO_FILM = "The film is ready. If it was not saved, the frame in which the page stands forbids that: open the page by itself.";
const noticeBox = byId("notice");
let shownNotice = "";

function notice(text) {
  shownNotice = text;
  noticeBox.textContent = text;
  noticeBox.hidden = !text;
}

/** A problem in a sentence. */
const sentence = (problem) => {
  const text = String(problem?.message ?? problem);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

const slider = byId("slider"), clock = byId("clock"), choices = { traces: true };
let engine, picture, driver, panel, steer, recorder; // made when everything is unpacked
let traced = null, thrift = 0;

const remedy = stage.live?.parameters.length ? "Change a parameter or press reset." : "Press reset.";
const stopped = (problem) => notice(`${sentence(problem)} ${remedy}`);

// ---- what is seen

/** Everything as it is now; traces go on where time did. */
function look() {
  try {
    picture.takePlacements();
    keepInView(picture.placements());
  } catch (problem) {
    driver.pause();
    stopped(problem);
    return;
  }
  const isBack = traced !== null && engine.time < traced;
  if (isBack) {
    picture.traces.clear();
    if (orbit.fitted) picture.fitAll();
  }
  if (engine.time === traced) return;
  for (const placementOf of engine.passed(isBack ? null : traced)) picture.traces.add(placementOf);
  picture.traces.add();
  traced = engine.time;
}

/** Draws less finely while pictures follow one another too slowly, and as well as it can when it stands. */
function saveWork() {
  if (recorder.isRunning()) return; // a film has one size
  if (!driver.playing) thrift = 0;
  else if (driver.interval > SLOW_PICTURES && thrift < THRIFT.length - 1) {
    thrift++;
    driver.interval = 0;
  }
  picture.save(thrift);
}

function paint() {
  steer.followGamepad();
  saveWork();
  look();
  picture.draw();
  if (!byId("panel-box").hidden) panel.paint();
  clock.textContent = clockText();
  if (Number.isFinite(engine.last)) slider.value = String(1000 * share());
}

const share = () => (engine.time - engine.first) / (engine.last - engine.first || 1);

function clockText() {
  const parts = engine.last === engine.first ? [] : [`${engine.time.toFixed(1).replace("-", "−")} s`];
  if (driver.playing && driver.pace < NEARLY_REAL) parts.push(`slow motion: this computer manages ${shortNumber(+(driver.pace * driver.speed).toPrecision(2))}×`);
  else if (driver.speed !== 1) parts.push(`${driver.speed}×`);
  if (stage.live && engine.time >= engine.last) parts.push("the end");
  return parts.join("  ·  ");
}

/** The room that title, panel and bar leave to the picture. */
function resize() {
  const whole = picture.canvas.getBoundingClientRect(), box = byId("panel-box").getBoundingClientRect();
  const bar = byId("controls").getBoundingClientRect(), open = !byId("panel-box").hidden;
  const beside = open && box.left > whole.left + 40, above = open && !beside ? box.top : bar.top;
  const freeWidth = beside ? box.left - whole.left : whole.width, title = document.querySelector("header").getBoundingClientRect();
  const top = title.width > freeWidth / 2 ? title.bottom - whole.top : 0; // a title in a corner is in nobody's way
  picture.resize({ left: 0, top, freeWidth: Math.max(freeWidth, 50), freeHeight: Math.max(above - whole.top - top, 50) });
  driver.refresh();
}

// ---- what can be done

function go(time) { engine.seek(time); driver.refresh(); }

function reset() {
  notice("");
  try {
    engine.reset();
  } catch (problem) {
    notice(sentence(problem));
  }
  picture.traces.clear();
  driver.refresh();
}

function change(name, value) {
  try {
    engine.set(name, value);
    notice("");
    picture.traces.clear();
  } catch (problem) {
    const old = engine.parameters[name], rest = old === undefined ? "" : ` It stays ${shortNumber(old)}.`;
    notice(`${name} = ${typeof value === "number" ? shortNumber(value) : value} is impossible: ${problem.message}.${rest}`);
  }
  panel.showParameters();
  driver.refresh();
  return state();
}

function stepOnce() {
  driver.pause();
  const rows = engine.axis;
  guarded(() => (stage.motion ? engine.seek(rows[Math.min(rows.length - 1, Math.floor(engine.at() + 1e-9) + 1)]) : driver.advance(1 / 60)));
  driver.refresh();
}

function guarded(act) {
  try { act(); } catch (problem) { stopped(problem); }
}

function chooseCamera(name) {
  picture.choose(name);
  byId("camera").value = name;
  driver.refresh();
}

function showAll() {
  if (![FREE, FOLLOW].includes(picture.camera())) chooseCamera(FREE);
  picture.fitAll();
  driver.refresh();
}

function nextCamera() {
  const names = picture.cameras();
  chooseCamera(names[(names.indexOf(picture.camera()) + 1) % names.length]);
}

function showPanel(open) {
  byId("panel-box").hidden = !open;
  byId("panel").setAttribute("aria-pressed", String(open));
  resize();
}

function chooseSpeed(speed) {
  driver.speed = speed;
  byId("speed").value = String(speed);
  driver.refresh();
}

function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  done.catch(() => notice(NO_FULL_SCREEN));
}
