// Steering: keys, pads under a finger and the sticks of a gamepad set the controls. What was touched last counts.

const DEAD_ZONE = 0.12; // share of a stick's way that is no movement
const KEY_SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space" };
const keySign = (key) => KEY_SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
const plainKey = (key) => (key.length === 1 ? key.toLowerCase() : key);
const steering = stage.live?.controls ?? [];
const steeringKeys = new Set(steering.flatMap(({ keys }) => keys ?? []).map(plainKey));
const SIDEWAYS = [["ArrowLeft", "ArrowRight"], ["a", "d"]], UPWARDS = [["ArrowDown", "ArrowUp"], ["s", "w"]];

/** How a pad and a stick lie: upright or not, and -1 where less is to the right or up, as its keys say. */
function layOf({ keys }) {
  const [less, more] = (keys ?? []).map(plainKey);
  const isPair = (pairs, one, other) => pairs.some(([first, second]) => one === first && other === second);
  return {
    tall: isPair(UPWARDS, less, more) || isPair(UPWARDS, more, less),
    sense: isPair([...SIDEWAYS, ...UPWARDS], more, less) ? -1 : 1,
  };
}

/** The least and the most that a control may be. */
const rangeOfControl = ({ least, most }, rest) => [least ?? rest - 1, most ?? rest + 1];

function createSteering(engine, changed) {
  const pressed = new Set(), pads = new Map(), sticks = new Map();

  /** Sets a control by a share of its way from rest: -1 is least, 1 is most. */
  function steer(control, share) {
    const rest = engine.rest[control.name], [least, most] = rangeOfControl(control, rest);
    set(control, rest + (share < 0 ? -share * (least - rest) : share * (most - rest)));
  }

  /** Sets a control to a value, held to its range. */
  function set(control, value) {
    const [least, most] = rangeOfControl(control, engine.rest[control.name]);
    const held = Math.min(most, Math.max(least, value));
    engine.control(control.name, held);
    pads.get(control.name)?.(held);
    changed();
  }

  function followKeys() {
    for (const control of steering) {
      if (control.keys?.length !== 2) continue;
      const [less, more] = control.keys.map((key) => pressed.has(plainKey(key)));
      steer(control, more - less);
    }
  }

  function release() {
    if (!pressed.size) return;
    pressed.clear();
    followKeys();
  }

  /** Whether a key is one that steers; if so, it has done it. */
  function key(event, down) {
    const name = plainKey(event.key);
    if (!steeringKeys.has(name)) return false;
    if (down) pressed.add(name); else pressed.delete(name);
    if (!event.repeat) followKeys();
    return true;
  }

  /** Axes of a gamepad: those of a stick that goes up and down belong to controls whose keys do. */
  function followGamepad() {
    let pad = null;
    try {
      pad = [...(navigator.getGamepads?.() ?? [])].find(Boolean);
    } catch { /* a frame that may not ask */ }
    if (!pad) return;
    const free = { up: [1, 3], side: [0, 2] };
    for (const control of steering) {
      const { tall, sense } = layOf(control), axis = free[tall ? "up" : "side"].shift();
      if (axis === undefined) continue;
      const value = (tall ? -sense : sense) * (pad.axes[axis] ?? 0);
      const share = Math.abs(value) < DEAD_ZONE ? 0 : value;
      if (share !== (sticks.get(control.name) ?? 0)) steer(control, share);
      sticks.set(control.name, share);
    }
  }

  for (const control of steering) byId("pads").append(createPad(control, engine.rest[control.name], steer, pads));
  window.addEventListener("blur", release);
  return { key, followGamepad, set, release };
}

/** A rail with a knob that follows a finger and springs back. */
function createPad(control, rest, steer, pads) {
  const pad = document.createElement("div"), rail = document.createElement("div"), knob = document.createElement("div");
  const { tall, sense } = layOf(control), [least, most] = rangeOfControl(control, rest);
  const label = document.createElement("span"), signs = control.keys?.length === 2 ? control.keys.map(keySign) : ["−", "+"];
  pad.className = tall ? "pad upright" : "pad";
  rail.className = "rail";
  knob.className = "knob";
  label.append(control.name);
  rail.append(document.createElement("b"), knob, document.createElement("b"));
  [rail.firstChild.textContent, rail.lastChild.textContent] = sense > 0 ? signs : signs.toReversed();
  rail.setAttribute("role", "slider");
  rail.setAttribute("aria-label", control.name);
  rail.setAttribute("aria-valuemin", least);
  rail.setAttribute("aria-valuemax", most);
  const show = (value) => {
    const share = value < rest ? -(value - rest) / (least - rest) : (value - rest) / (most - rest || 1);
    knob.style.setProperty("--share", String(sense * Math.min(1, Math.max(-1, share || 0))));
    rail.setAttribute("aria-valuenow", String(+value.toPrecision(6)));
  };
  const follow = (event) => {
    const box = rail.getBoundingClientRect();
    const share = tall ? 1 - (2 * (event.clientY - box.top)) / box.height : (2 * (event.clientX - box.left)) / box.width - 1;
    steer(control, sense * Math.min(1, Math.max(-1, 1.25 * share)));
  };
  rail.addEventListener("pointerdown", (event) => { rail.setPointerCapture(event.pointerId); follow(event); });
  rail.addEventListener("pointermove", (event) => { if (rail.hasPointerCapture(event.pointerId)) follow(event); });
  for (const kind of ["pointerup", "pointercancel"]) rail.addEventListener(kind, () => steer(control, 0));
  pads.set(control.name, show);
  show(rest);
  pad.append(rail, label);
  return pad;
}
