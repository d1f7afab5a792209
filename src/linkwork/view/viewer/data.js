// What the page shows, as Python has written it, and numbers out of their text.

const stage = JSON.parse(byId("stage-data").textContent);
const flat = stage.dimension === 2;
const count = stage.placements.length - 1; // the ground is never sent
const inkOf = (name) => stage.inks[theme.isDark() ? "dark" : "light"][name];

function bytesOf(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  return bytes.buffer;
}

const floats = (text) => new Float32Array(bytesOf(text));
const indices = (text, wide) => (wide ? new Uint32Array(bytesOf(text)) : new Uint16Array(bytesOf(text)));

/** The middle of what is seen, and how far it reaches from there. */
const extent = (() => {
  const [low, high] = stage.extent ?? [[-1, -1, -1], [1, 1, 1]];
  const middle = low.map((value, k) => (value + high[k]) / 2);
  return { low, high, middle, reach: Math.hypot(...high.map((value, k) => (value - low[k]) / 2)) || 1 };
})();

/** The image of a point under twelve numbers. */
function movedBy(m, [x, y, z]) {
  return [
    m[0] * x + m[1] * y + m[2] * z + m[3],
    m[4] * x + m[5] * y + m[6] * z + m[7],
    m[8] * x + m[9] * y + m[10] * z + m[11],
  ];
}

/** The image of a direction, one long. */
function turnedBy(m, [x, y, z]) {
  const found = [m[0] * x + m[1] * y + m[2] * z, m[4] * x + m[5] * y + m[6] * z, m[8] * x + m[9] * y + m[10] * z];
  const length = Math.hypot(...found) || 1;
  return found.map((value) => value / length);
}

const standing = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
