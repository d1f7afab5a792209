// What players of every kind share: light and dark, buttons, numbers in words.

const byId = (id) => document.getElementById(id);

/** Light or dark, as the reader's system says until a button says otherwise. */
const theme = (() => {
  const system = window.matchMedia("(prefers-color-scheme: dark)"), listeners = [];
  let chosen = null;
  const tell = () => { for (const listener of listeners) listener(); };
  system.addEventListener("change", tell);
  return {
    isDark: () => chosen ?? system.matches,
    onChange: (listener) => listeners.push(listener),
    choose(dark) {
      chosen = dark;
      document.documentElement.dataset.theme = dark ? "dark" : "light";
      tell();
    },
  };
})();

const withUnit = (name, unit) => (unit ? `${name} (${unit})` : name);

/** A number as short as it stays useful. */
function shortNumber(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace("-", "−");
  return String(+value.toPrecision(4)).replace("-", "−");
}

/** The largest of 1, 2, 5 times a power of ten that is not longer. */
function roundLength(longest) {
  const power = 10 ** Math.floor(Math.log10(longest));
  return power * [5, 2, 1].find((step) => step * power <= longest * (1 + 1e-12));
}

/** The value of a list between two frames; null where a neighbour is missing. */
function valueAt(values, at) {
  const frame = Math.floor(at), part = at - frame;
  if (part === 0) return values[frame];
  const [a, b] = [values[frame], values[frame + 1]];
  return a === null || b === null ? null : a + part * (b - a);
}

/** The place between two entries of a rising list where a value stands. */
function placeIn(values, value) {
  let low = 0, high = values.length - 1;
  if (high < 1) return 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle; else high = middle;
  }
  return low + Math.min(1, Math.max(0, (value - values[low]) / (values[high] - values[low])));
}

function button(text, className) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.append(text);
  return made;
}

/** Shows on the button for playing what a press will do. */
function showPlaying(playing) {
  const word = playing ? "Pause" : "Play";
  byId("play").classList.toggle("playing", playing);
  byId("play").setAttribute("aria-label", word);
  byId("play").title = `${word} (space)`;
}

/** A button that goes round a list of states and shows the present one. */
function cycleButton(id, state, key, states, texts, changed) {
  const button = byId(id);
  const show = () => {
    button.dataset.state = String(state[key]);
    button.title = texts[states.indexOf(state[key])];
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    state[key] = states[(states.indexOf(state[key]) + 1) % states.length];
    show(); changed();
  });
  show();
}

/** A button that opens and closes a box too full to be shown as it is. */
function foldButton(box, className, more, less, changed) {
  const folding = button("", className);
  const show = (open) => {
    folding.textContent = open ? less : more;
    folding.setAttribute("aria-expanded", String(open));
  };
  folding.addEventListener("click", () => { show(box.classList.toggle("open")); changed(); });
  box.classList.add("folding");
  show(false);
  return folding;
}

/** Space on a button that has the focus is for the player, not for the button. */
function keepSpaceFree() {
  for (const each of document.querySelectorAll("#controls button")) {
    each.addEventListener("keyup", (event) => { if (event.key === " ") event.preventDefault(); });
  }
}
