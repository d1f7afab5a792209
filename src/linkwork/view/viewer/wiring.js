// Wiring: keys, buttons and menus to what they do.

let offered = []; // shortcuts of this page

/** What keys and buttons do; `needs` tells whether the page has it, `refusal` what a key says where it has not. */
const createShortcuts = () => [
  { key: " ", label: "play, pause", act: () => (driver.playing ? driver.pause() : driver.play()), button: "play" },
  { key: ".", label: "one step", act: stepOnce, button: "forth" },
  { key: "r", label: "from the start", act: reset, button: "reset" },
  { key: "c", label: "next camera", act: nextCamera, needs: picture.cameras().length > 1 },
  { key: "f", label: "show all", act: showAll, button: "fit", needs: picture.works },
  { key: "t", label: "traces", act: () => byId("traces").click(), needs: stage.traces.length > 0, hides: "traces" },
  { key: "p", label: "parameters and plots", act: () => showPanel(byId("panel-box").hidden), button: "panel", needs: !panel.isEmpty },
  { key: "v", label: "record a film", act: recorder.toggle, button: "record", needs: recorder.offered && picture.works, refusal: NO_FILM },
  { key: "d", label: "light, dark", act: () => theme.choose(!theme.isDark()), button: "theme" },
  { key: "x", label: "full screen", act: fullScreen, button: "full", needs: Boolean(document.fullscreenEnabled), refusal: NO_FULL_SCREEN },
  { key: "?", label: "this help", act: () => showHelp(offered.filter(({ needs }) => needs !== false)), button: "help" },
];

function wireButtons(shortcuts) {
  for (const { act, button: name, hides = name, needs = true } of shortcuts) {
    if (hides) byId(hides).hidden = !needs;
    if (name) byId(name).addEventListener("click", act);
  }
  cycleButton("traces", choices, "traces", [true, false], ["Traces: shown (t)", "Traces: hidden (t)"], () => {
    picture.traces.show(choices.traces);
    driver.refresh();
  });
  noticeBox.addEventListener("click", () => notice(""));
  byId("help-text").addEventListener("click", () => { byId("help-text").hidden = true; });
  keepSpaceFree();
}

function wireMenus() {
  const menu = byId("camera");
  for (const name of picture.cameras()) menu.append(new Option(name, name));
  menu.hidden = picture.cameras().length < 2;
  menu.value = picture.camera();
  menu.addEventListener("change", () => { chooseCamera(menu.value); menu.blur(); });
  byId("speed").addEventListener("change", (event) => { chooseSpeed(Number(event.target.value)); event.target.blur(); });
  followFingers(picture, (released) => { if (released) menu.value = FREE; driver.refresh(); });
}

function wireSlider() {
  slider.hidden = !stage.motion;
  slider.max = 1000;
  slider.step = "any";
  slider.addEventListener("input", () => {
    driver.pause();
    go(engine.first + (Number(slider.value) / 1000) * (engine.last - engine.first));
  });
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

/** Everything out of what is unpacked; the machine starts unless the reader wants it to stand. */
function start() {
  engine = createEngine();
  const goesAway = lookAhead(engine);
  picture = createPicture(engine, notice);
  driver = createDriver(engine, { picture: paint, stepped: look, stopped });
  panel = createPanel(engine, {
    change, changed: resize,
    seek: (row) => { if (!stage.live) { driver.pause(); go(engine.axis[row]); } },
  });
  steer = createSteering(engine, driver.refresh);
  recorder = createRecorder(picture.canvas, stage.title, {
    told(on) {
      byId("record").classList.toggle("on", on);
      byId("record").title = on ? "Stop recording (v)" : "Record a film (v)";
      driver.refresh(); // a machine that stands is drawn for its film, too
    },
    saved() { if (window.parent !== window) notice(PERHAPS_NO_FILM); },
    lost() { notice(EMPTY_FILM); },
  });
  const shortcuts = createShortcuts();
  offered = shortcuts.filter(({ needs = true, refusal, key }) => (needs || refusal) && !steeringKeys.has(key))
    .map((each) => (each.needs === false ? { ...each, act: () => notice(each.refusal) } : each));
  wireButtons(shortcuts);
  if (goesAway) picture.choose(FOLLOW);
  wireMenus();
  wireSlider();
  theme.onChange(driver.refresh);
  document.addEventListener("keydown", keyDown);
  document.addEventListener("keyup", (event) => steer.key(event, false));
  document.body.classList.toggle("still", engine.last === engine.first);
  new ResizeObserver(resize).observe(byId("stage"));
  clock.textContent = clockText(); // which may need a row of the title's
  showPanel(!panel.isEmpty && window.innerWidth >= 900);
  const isQuiet = window.location.hash === "#paused" || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isQuiet) driver.pause(); else driver.play();
}

async function open() {
  try {
    await Promise.all([unpackScript(), unpackNumbers(), unpackModule()]);
    start();
    Object.assign(window.linkwork, offers());
    return await new Promise((resolve) => requestAnimationFrame(() => resolve(true)));
  } catch (problem) {
    notice(`The machine cannot start: ${sentence(problem)}`);
    return false;
  }
}

window.linkwork = { state: () => ({ notice: shownNotice }) };
window.linkwork.ready = open();
