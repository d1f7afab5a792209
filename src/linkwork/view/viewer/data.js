// What the page shows, as Python has written it, and numbers out of their text.

const stage = JSON.parse(byId("stage-data").textContent);
const flat = stage.dimension === 2;
const count = stage.placements.length - 1; // the ground is never sent
const inkOf = (name) => stage.inks[theme.isDark() ? "dark" : "light"][name];

/** The bytes that an element holds as packed text. */
function unpack(id) {
  const letters = atob(byId(id).textContent), bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  byId(id).remove();
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

let words = new ArrayBuffer(0);

/** Takes all numbers out of their planes of bytes. */
async function unpackNumbers() {
  const planes = new Uint8Array(await unpack("numbers")), size = planes.length / 4, bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < 4; plane++) {
    for (let k = 0; k < size; k++) bytes[4 * k + plane] = planes[plane * size + k];
  }
  words = bytes.buffer;
  for (const object of stage.objects) if (object.instances) object.instances = rowsOf(series(object.instances), 12);
}

/** Rows of so many numbers, of which the columns stand one behind the other. */
function rowsOf(numbers, wide) {
  const rows = numbers.length / wide;
  return Array.from({ length: rows }, (_, row) => Array.from({ length: wide }, (_, k) => numbers[k * rows + row]));
}

/** Runs the script that draws in space; it defines THREE. */
async function unpackScript() {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await unpack("three"));
  document.head.append(script);
}

// What computes a live page, and in which language.
const computing = { program: typeof program === "undefined" ? null : program, language: stage.live ? "javascript" : "" };

/** Lets the module compute instead of the script, unless the browser refuses it. */
async function unpackModule() {
  if (!byId("module")) return;
  try {
    Object.assign(computing, { program: await program.compiled(await unpack("module")), language: "webassembly" });
  } catch {
    // The script computes the same.
  }
}

const floats = ([from, size]) => new Float32Array(words, 4 * from, size);

/** Numbers that are written as differences, which wrap around. */
function summed([from, size]) {
  const found = new Uint32Array(words.slice(4 * from, 4 * (from + size)));
  for (let k = 1; k < size; k++) found[k] += found[k - 1];
  return found;
}

/** Series in time, one behind the other. */
const series = (place) => new Float32Array(summed(place).buffer);

/** The middle of what is seen, and how far it reaches from there. */
const extent = {};

function widen({ low, high }) {
  const middle = low.map((value, k) => (value + high[k]) / 2);
  Object.assign(extent, { low, high, middle, reach: Math.hypot(...high.map((value, k) => (value - low[k]) / 2)) || 1 });
}

{
  const [low, high] = stage.extent ?? [[-1, -1, -1], [1, 1, 1]];
  widen({ low, high });
}
const extentAtStart = { ...extent };

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
