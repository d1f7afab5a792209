// The player: time, controls, fingers and keys.

const slider = byId("slider"), clock = byId("clock");
const span = scene.times.length ? scene.times.at(-1) - scene.times[0] : 0;

/** The seconds of the show that have passed at a place between two frames. */
function secondsAt(at) {
  if (!span) return (at / Math.max(lastFrame, 1)) * scene.seconds;
  return ((valueAt(scene.times, at) - scene.times[0]) / span) * scene.seconds;
}

/** The place between two frames at these seconds of the show. */
function placeAt(seconds) {
  if (!span) return (seconds / scene.seconds) * lastFrame;
  const time = scene.times[0] + (seconds / scene.seconds) * span;
  return placeIn(scene.times, time);
}

const mostNames = 10;
const plots = createPlots({
  columns: scene.columns,
  axis: (scene.bars.length ? null : scene.drive) ?? (scene.times.length
    ? { name: "time", unit: scene.time_unit, values: scene.times }
    : { name: "frame", unit: "", values: scene.poses.map((_, frame) => frame) }),
  chosen: scene.plot, mostOthers: 8, series: scene.series, font: scene.font, inkOf,
  at: () => state.at,
  seek: (frame) => { pause(); seek(frame); },
  changed: () => { resize(); repaint(); },
  bars: scene.bars,
  heightOf(strips, below) {
    const box = byId("plots"), beside = getComputedStyle(document.body).display === "grid";
    const room = box.clientHeight - byId("plot").offsetTop - plotFoot - 8 - below;
    const free = beside ? room : window.innerHeight * 0.26;
    return Math.min(beside ? 170 : 92, Math.max(58, free / (beside ? strips : 2)));
  },
});

let asked = false, before = null;

function repaint() {
  paintPicture();
  plots.paint();
  slider.value = state.at;
  clock.textContent = clockText();
}

/** Paint with the next frame of the screen. */
function refresh() {
  if (!asked) { asked = true; requestAnimationFrame(tick); }
}

function tick(now) {
  asked = false;
  if (state.playing) {
    if (before !== null) advance(((now - before) / 1000) * state.speed);
    before = now;
    refresh();
  } else before = null;
  repaint();
}

function advance(seconds) {
  const length = scene.seconds;
  let time = secondsAt(state.at) + (state.forward ? seconds : -seconds);
  if (state.mode === "bounce") {
    if (time > length || time < 0) {
      time = time < 0 ? -time : 2 * length - time;
      state.forward = !state.forward;
    }
  } else if (state.mode === "loop") time %= length;
  else if (time >= length) { time = length; pause(); }
  state.at = Math.min(lastFrame, Math.max(0, placeAt(Math.min(length, Math.max(0, time)))));
}

/** A value with as many decimals as the range of its column needs, so that the text does not jump. */
function steadyNumber(values) {
  const value = valueAt(values, state.at);
  if (value === null) return "–";
  const [low, high] = rangeOf([values]), size = Math.floor(Math.log10(high - low));
  if (size < -4 || size > 5) return shortNumber(value);
  return value.toFixed(Math.max(1, 2 - size)).replace("-", "−");
}

function clockText() {
  const parts = [];
  if (span) parts.push(`t = ${steadyNumber(scene.times)}${scene.time_unit && ` ${scene.time_unit}`}`);
  if (scene.drive) {
    const unit = scene.drive.unit === "°" ? "°" : scene.drive.unit && ` ${scene.drive.unit}`;
    parts.push(`${scene.drive.name} = ${steadyNumber(scene.drive.values)}${unit}`);
  }
  if (!parts.length && lastFrame) parts.push(`frame ${Math.round(state.at)} of ${lastFrame}`);
  return parts.join("  ·  ");
}

function seek(frame) {
  state.at = Math.min(lastFrame, Math.max(0, Number(frame) || 0));
  repaint();
}

function play() {
  if (!lastFrame) return;
  if (state.mode === "once" && state.at >= lastFrame) state.at = 0;
  if (state.mode !== "bounce") state.forward = true;
  state.playing = true;
  showPlaying(state.playing);
  refresh();
}

function pause() {
  state.playing = false;
  before = null;
  showPlaying(state.playing);
}

const toggle = () => (state.playing ? pause() : play());
const step = (by) => { pause(); seek(by > 0 ? Math.floor(state.at + 1e-9) + 1 : Math.ceil(state.at - 1e-9) - 1); };

function zoom(factor, x, y) {
  const worldX = state.x + (x - width / 2) / state.scale, worldY = state.y - (y - height / 2) / state.scale;
  state.scale *= factor;
  state.x = worldX - (x - width / 2) / state.scale;
  state.y = worldY + (y - height / 2) / state.scale;
  state.fitted = false;
  refresh();
}

function pan(dx, dy) {
  state.x -= dx / state.scale;
  state.y += dy / state.scale;
  state.fitted = false;
  refresh();
}

function orbit(dx, dy) {
  const middle = middleOfScene(), before = seenBy(cameraAxes(), middle);
  state.azimuth -= dx * 0.01;
  state.elevation = Math.min(1.55, Math.max(-1.55, state.elevation + dy * 0.01));
  const after = seenBy(cameraAxes(), middle);  // turn about the middle, not about the origin
  state.x += after[0] - before[0];
  state.y += after[1] - before[1];
  refresh();
}

function middleOfScene() {
  const { xs, ys, height: floor } = scene.floor;
  return [(xs[0] + xs.at(-1)) / 2, (ys[0] + ys.at(-1)) / 2, floor];
}

/** The name of the body under a pixel: of several, the one painted last. */
function nameUnder(x, y) {
  if (!flat) return "";
  for (let k = scene.parts.length - 1; k >= 0; k--) {
    const { body, path, text, closed = true } = scene.parts[k];
    if (text !== undefined || !closed || !scene.bodies[body].ink) continue;
    const [px, py, angle] = poseAt(body, state.at), c = Math.cos(angle), s = Math.sin(angle);
    const dx = state.x + (x - width / 2) / state.scale - px;
    const dy = state.y - (y - height / 2) / state.scale - py;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    if (pen.isPointInPath(path, c * dx + s * dy, c * dy - s * dx, "evenodd")) return scene.bodies[body].name;
  }
  return "";
}

const fingers = new Map();

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
});
canvas.addEventListener("pointermove", (event) => {
  const last = fingers.get(event.pointerId);
  if (!last) { canvas.title = nameUnder(event.offsetX, event.offsetY); return; }
  const here = [event.offsetX, event.offsetY], dx = here[0] - last[0], dy = here[1] - last[1];
  if (fingers.size === 2) {
    const [other] = [...fingers.entries()].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
    pan(dx / 2, dy / 2);
    zoom(apart(here) / apart(last), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
  } else if (flat || event.shiftKey || event.buttons & 6) pan(dx, dy);
  else orbit(dx, dy);
  fingers.set(event.pointerId, here);
});
for (const kind of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
}
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
}, { passive: false });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

function showAll() {
  if (!flat) { state.azimuth = scene.camera.azimuth; state.elevation = scene.camera.elevation; }
  fit();
  repaint();
}
canvas.addEventListener("dblclick", showAll);

const keys = {
  " ": toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  Home: () => { pause(); seek(0); }, End: () => { pause(); seek(lastFrame); },
  "+": () => zoom(1.25, width / 2, height / 2), "-": () => zoom(0.8, width / 2, height / 2),
  f: showAll, c: () => byId("pushes").click(), t: () => byId("traces").click(), l: () => byId("labels").click(), m: () => byId("mode").click(),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

keepSpaceFree();
byId("play").addEventListener("click", toggle);
byId("back").addEventListener("click", () => step(-1));
byId("forth").addEventListener("click", () => step(1));
byId("fit").addEventListener("click", showAll);
byId("speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
slider.max = lastFrame;
slider.addEventListener("input", () => { pause(); seek(slider.value); });
cycleButton("mode", state, "mode", ["loop", "bounce", "once"],
  ["Again from the start (m)", "There and back (m)", "Once (m)"], repaint);
cycleButton("traces", state, "traces", ["whole", "growing", "off"],
  ["Traces: whole (t)", "Traces: growing (t)", "Traces: hidden (t)"], repaint);
cycleButton("pushes", state, "pushes", [true, false], ["Contacts: shown (c)", "Contacts: hidden (c)"], repaint);
cycleButton("labels", state, "labels", [true, false], ["Labels: shown (l)", "Labels: hidden (l)"], repaint);
byId("traces").hidden = !scene.traces.length;
byId("labels").hidden = !scene.labelled;
byId("pushes").hidden = !scene.pushes?.length;
document.body.classList.toggle("still", !lastFrame);

/** Names of the bodies in their colours, many of them folded away; the one under the pointer stands out. */
function buildLegend() {
  const legend = byId("legend"), count = scene.bodies.filter(({ ink }) => ink).length;
  const again = () => { resize(); repaint(); };
  if (count > mostNames) legend.append(foldButton(legend, "fold", `${count} parts…`, "hide names", again));
  scene.bodies.forEach(({ name, ink }, body) => {
    if (!ink) return;
    const item = button(document.createElement("i"), "");
    item.append(name);
    const colour = () => {
      item.firstChild.style.background = inkOf(ink).fill;
      item.firstChild.style.borderColor = inkOf(ink).stroke;
    };
    const single = (one) => { state.highlight = one; refresh(); };
    item.addEventListener("pointerenter", () => single(body));
    item.addEventListener("pointerleave", () => single(null));
    item.addEventListener("focus", () => { if (item.matches(":focus-visible")) single(body); });
    item.addEventListener("blur", () => single(null));
    theme.onChange(colour);
    colour();
    legend.append(item);
  });
}

buildLegend();
theme.onChange(refresh);
new ResizeObserver(() => { resize(); repaint(); }).observe(byId("stage"));
resize();

window.linkwork = {
  frames: scene.poses.length, seek, play, pause, frame: () => state.at, playing: () => state.playing,
};

// "#frame=12" in the address shows that frame and waits.
const wanted = /^#frame=(\d+(?:\.\d+)?)$/.exec(window.location.hash);
seek(wanted ? wanted[1] : 0);
if (!wanted && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) play(); else pause();
