// The viewer: puts engine, driver, picture, panel and controls together, and offers them as window.linkwork.

const SLOW_PICTURES = 0.05; // real seconds between two pictures
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

function start(engine) {
  const choices = { traces: true }, picture = createPicture(engine, notice);
  const stopped = (problem) => notice(`${sentence(problem)} Press reset.`);
  const driver = createDriver(engine, { picture: paint, stepped: look, stopped });
  const panel = createPanel(engine, {
    change, changed: resize,
    seek: (row) => { if (!stage.live) { driver.pause(); go(engine.axis[row]); } },
  });
  const steer = createSteering(engine, driver.refresh);
  const recorder = createRecorder(picture.canvas, stage.title, (on) => {
    byId("record").classList.toggle("on", on);
    byId("record").title = on ? "Stop recording (v)" : "Record a film (v)";
  });
  const slider = byId("slider"), clock = byId("clock");
  let traced = null, thrift = 0;

  // ---- what is seen

  /** Everything as it is now; traces go on where time did. */
  function look() {
    try {
      picture.takePlacements();
    } catch (problem) {
      driver.pause();
      stopped(problem);
      return;
    }
    if (traced !== null && engine.time < traced) picture.traces.clear();
    if (engine.time !== traced) picture.traces.add();
    traced = engine.time;
  }

  /** Draws less finely while pictures follow one another too slowly, and as well as it can when it stands. */
  function saveWork() {
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
    if (driver.playing && driver.pace < 0.85) parts.push(`slow motion: this computer manages ${shortNumber(+(driver.pace * driver.speed).toPrecision(1))}×`);
    else if (driver.speed !== 1) parts.push(`${driver.speed}×`);
    return parts.join("  ·  ");
  }

  /** The room that panel, bar and pads leave to the picture. */
  function resize() {
    const whole = picture.canvas.getBoundingClientRect(), box = byId("panel-box").getBoundingClientRect();
    const bar = byId("controls").getBoundingClientRect(), open = !byId("panel-box").hidden;
    const beside = open && box.left > whole.left + 40, above = open && !beside ? box.top : bar.top;
    const freeWidth = beside ? box.left - whole.left : whole.width;
    picture.resize({ left: 0, top: 0, freeWidth: Math.max(freeWidth, 50), freeHeight: Math.max(above - whole.top, 50) });
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
      notice(`${withValue(name, value)} is impossible: ${problem.message}. It stays ${shortNumber(engine.parameters[name])}.`);
    }
    panel.showParameters();
    driver.refresh();
    return state();
  }

  const withValue = (name, value) => `${name} = ${shortNumber(value)}`;

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
    fitAll();
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

  const fullScreen = () =>
    (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});

  const shortcuts = [
    { key: " ", label: "play, pause", act: () => (driver.playing ? driver.pause() : driver.play()), button: "play" },
    { key: ".", label: "one step", act: stepOnce, button: "forth" },
    { key: "r", label: "from the start", act: reset, button: "reset" },
    { key: "c", label: "next camera", act: nextCamera, needs: picture.cameras().length > 1 },
    { key: "f", label: "show all", act: showAll, button: "fit", needs: picture.works },
    { key: "t", label: "traces", act: () => byId("traces").click(), needs: stage.traces.length > 0, hides: "traces" },
    { key: "p", label: "parameters and plots", act: () => showPanel(byId("panel-box").hidden), button: "panel", needs: !panel.isEmpty },
    { key: "v", label: "record a film", act: recorder.toggle, button: "record", needs: recorder.offered && picture.works },
    { key: "d", label: "light, dark", act: () => theme.choose(!theme.isDark()), button: "theme" },
    { key: "x", label: "full screen", act: fullScreen, button: "full", needs: Boolean(document.fullscreenEnabled) },
    { key: "?", label: "this help", act: () => showHelp(offered), button: "help" },
  ];
  const offered = shortcuts.filter(({ needs = true, key }) => needs && !steeringKeys.has(key));

  // ---- wiring

  function wire() {
    for (const { act, button: name, hides = name, needs = true } of shortcuts) {
      if (hides) byId(hides).hidden = !needs;
      if (name) byId(name).addEventListener("click", act);
    }
    const menu = byId("camera");
    for (const name of picture.cameras()) menu.append(new Option(name, name));
    menu.hidden = picture.cameras().length < 2;
    menu.value = picture.camera();
    menu.addEventListener("change", () => { chooseCamera(menu.value); menu.blur(); });
    byId("speed").addEventListener("change", (event) => { chooseSpeed(Number(event.target.value)); event.target.blur(); });
    slider.hidden = !stage.motion;
    slider.max = 1000;
    slider.step = "any";
    slider.addEventListener("input", () => {
      driver.pause();
      go(engine.first + (Number(slider.value) / 1000) * (engine.last - engine.first));
    });
    cycleButton("traces", choices, "traces", [true, false], ["Traces: shown (t)", "Traces: hidden (t)"], () => {
      picture.traces.show(choices.traces);
      driver.refresh();
    });
    document.body.classList.toggle("still", engine.last === engine.first);
    byId("help-text").addEventListener("click", () => { byId("help-text").hidden = true; });
    followFingers(picture, (released) => { if (released) menu.value = FREE; driver.refresh(); });
    theme.onChange(driver.refresh);
    keepSpaceFree();
    document.addEventListener("keydown", keyDown);
    document.addEventListener("keyup", (event) => steer.key(event, false));
    new ResizeObserver(resize).observe(byId("stage"));
  }

  function keyDown(event) {
    const { tagName, type } = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || tagName === "SELECT" || (tagName === "INPUT" && type === "number")) return;
    if (tagName === "INPUT" && event.key.startsWith("Arrow")) return;
    if (event.key === "Escape") byId("help-text").hidden = true;
    const shortcut = offered.find(({ key }) => key === plainKey(event.key));
    if (steer.key(event, true)) event.preventDefault();
    else if (shortcut && !event.repeat) { event.preventDefault(); shortcut.act(); }
  }

  // ---- for programs

  function state() {
    const values = engine.values();
    return {
      time: engine.time, playing: driver.playing, speed: driver.speed, pace: driver.pace, camera: picture.camera(),
      notice: shownNotice, controls: engine.controls, parameters: engine.parameters, placements: Array.from(engine.placements()),
      columns: Object.fromEntries(stage.columns.map(({ name }, k) => [name, values[k]])),
    };
  }

  function advance(seconds) {
    guarded(() => driver.advance(seconds));
    paint();
    return state();
  }

  wire();
  showPanel(!panel.isEmpty && window.innerWidth >= 900);
  paint();
  const isQuiet = window.location.hash === "#paused" || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isQuiet) driver.pause(); else driver.play();
  return {
    state, advance, reset, seek: go, step: stepOnce, play: driver.play, pause: driver.pause, speed: chooseSpeed,
    set: change, camera: chooseCamera, cameras: picture.cameras,
    control: (name, value) => steer.set({ name }, value),
    picture: () => { paint(); return picture.canvas.toDataURL(); },
  };
}

async function open() {
  try {
    await Promise.all([unpackScript(), unpackNumbers()]);
    Object.assign(window.linkwork, start(createEngine()));
    return await new Promise((resolve) => requestAnimationFrame(() => resolve(true)));
  } catch (problem) {
    notice(`The machine cannot start: ${sentence(problem)}`);
    return false;
  }
}

window.linkwork = { state: () => ({ notice: shownNotice }) };
window.linkwork.ready = open();
