// The plots under the picture: columns against the drive, one strip for each unit, and a moving cursor.

const plots = document.getElementById("plots");
const plotCanvas = document.getElementById("plot");
const plotPen = plotCanvas.getContext("2d");
const plotLeft = 52, plotRight = 14, plotFoot = 34;
const axis = scene.drive ?? (scene.times.length
  ? { name: "time", unit: "s", values: scene.times }
  : { name: "frame", unit: "", values: scene.poses.map((_, frame) => frame) });
const shown = new Set(scene.plot);
let plotWidth = 1, stripHeight = 92;

const withUnit = (name, unit) => (unit ? `${name} (${unit})` : name);
const seriesColour = (column) => inkOf(`trace-${column % scene.series}`).stroke;

/** Columns in view, those of one unit together. */
function strips() {
  const groups = new Map();
  scene.columns.forEach((column, number) => {
    if (shown.has(number)) groups.set(column.unit, [...(groups.get(column.unit) ?? []), number]);
  });
  return [...groups.entries()];
}

/** The value of a list between two frames; null where a neighbour is missing. */
function valueAt(values, at) {
  const frame = Math.floor(at), part = at - frame;
  if (part === 0) return values[frame];
  const [a, b] = [values[frame], values[frame + 1]];
  return a === null || b === null ? null : a + part * (b - a);
}

function rangeOf(lists) {
  let low = Infinity, high = -Infinity;
  for (const values of lists) {
    for (const value of values) if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
  }
  if (!Number.isFinite(low)) return [0, 1];
  const margin = high > low ? 0 : Math.abs(high) * 0.1 || 1;
  return [low - margin, high + margin];
}

function ticks([low, high], about) {
  const step = roundLength(((high - low) / about) * 1.5), found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(+(k * step).toPrecision(12));
  return found;
}

const plotX = (value, range) => plotLeft + ((value - range[0]) / (range[1] - range[0])) * (plotWidth - plotLeft - plotRight);

function paintPlot() {
  if (!scene.columns.length) return;
  const groups = strips();
  const beside = getComputedStyle(document.body).display === "grid";
  const free = beside ? plots.clientHeight - plotCanvas.offsetTop - plotFoot - 8 : window.innerHeight * 0.26;
  stripHeight = Math.min(beside ? 170 : 92, Math.max(58, free / (beside ? groups.length : 2)));
  const tall = groups.length * stripHeight + (groups.length ? plotFoot : 0);
  plotWidth = Math.max(plots.clientWidth, 120);
  const wide = Math.round(plotWidth * sharpness), high = Math.round(tall * sharpness);
  if (plotCanvas.width !== wide || plotCanvas.height !== high) {
    plotCanvas.style.height = `${tall}px`;
    plotCanvas.width = wide; plotCanvas.height = high;
  }
  plotPen.setTransform(sharpness, 0, 0, sharpness, 0, 0);
  plotPen.clearRect(0, 0, plotWidth, tall);
  plotPen.font = `11px ${scene.font}`;
  plotPen.lineJoin = "round";
  const xRange = rangeOf([axis.values]);
  groups.forEach(([unit, columns], k) => paintStrip(unit, columns, k * stripHeight, xRange));
  if (groups.length) paintDriveAxis(xRange, tall - plotFoot);
}

function paintStrip(unit, columns, top, xRange) {
  const lists = columns.map((number) => scene.columns[number].values);
  const yRange = rangeOf(lists), [upper, lower] = [top + 16, top + stripHeight - 6];
  const y = (value) => lower - ((value - yRange[0]) / (yRange[1] - yRange[0])) * (lower - upper);
  const faint = inkOf("legend").fill;
  plotPen.lineWidth = 1;
  plotPen.textAlign = "right";
  for (const tick of ticks(yRange, 3)) {
    plotPen.strokeStyle = inkOf("grid").stroke;
    plotPen.beginPath(); plotPen.moveTo(plotLeft, y(tick)); plotPen.lineTo(plotWidth - plotRight, y(tick)); plotPen.stroke();
    plotPen.fillStyle = faint;
    plotPen.fillText(shortNumber(tick), plotLeft - 6, y(tick) + 4);
  }
  plotPen.textAlign = "left";
  if (unit) plotPen.fillText(unit, plotLeft, top + 10);
  columns.forEach((number, k) => paintSeries(lists[k], seriesColour(number), xRange, y));
}

function paintSeries(values, colour, xRange, y) {
  plotPen.strokeStyle = colour;
  plotPen.lineWidth = 1.8;
  plotPen.beginPath();
  let down = false;
  values.forEach((value, frame) => {
    const drive = axis.values[frame];
    if (value === null || drive === null) { down = false; return; }
    plotPen[down ? "lineTo" : "moveTo"](plotX(drive, xRange), y(value));
    down = true;
  });
  plotPen.stroke();
  const value = valueAt(values, state.at), drive = valueAt(axis.values, state.at);
  if (value === null || drive === null) return;
  plotPen.fillStyle = colour;
  plotPen.beginPath(); plotPen.arc(plotX(drive, xRange), y(value), 3.6, 0, 2 * Math.PI); plotPen.fill();
}

function paintDriveAxis(xRange, y) {
  plotPen.fillStyle = inkOf("legend").fill;
  plotPen.textAlign = "center";
  for (const tick of ticks(xRange, Math.max(3, plotWidth / 110))) plotPen.fillText(shortNumber(tick), plotX(tick, xRange), y + 12);
  plotPen.fillText(withUnit(axis.name, axis.unit), (plotLeft + plotWidth - plotRight) / 2, y + 27);
  const drive = valueAt(axis.values, state.at);
  if (drive === null) return;
  plotPen.strokeStyle = inkOf("scale").stroke;
  plotPen.lineWidth = 1;
  plotPen.beginPath(); plotPen.moveTo(plotX(drive, xRange), 14); plotPen.lineTo(plotX(drive, xRange), y); plotPen.stroke();
}

/** The frame whose drive is nearest to a place on the plot; of equals, the one nearest to now. */
function frameUnder(clientX) {
  const xRange = rangeOf([axis.values]), x = clientX - plotCanvas.getBoundingClientRect().left;
  const away = (frame) => Math.abs(plotX(axis.values[frame], xRange) - x) + 1e-4 * Math.abs(frame - state.at);
  let best = 0;
  axis.values.forEach((value, frame) => { if (value !== null && away(frame) < away(best)) best = frame; });
  return best;
}

/** A number as short as it stays useful. */
function shortNumber(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace("-", "−");
  return String(+value.toPrecision(4)).replace("-", "−");
}

const mostNames = 10, mostOthers = 8;

/** A button that opens and closes a box too full to be shown as it is. */
function foldButton(box, className, more, less) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  const show = (open) => {
    button.textContent = open ? less : more;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => { show(box.classList.toggle("open")); resize(); repaint(); });
  box.classList.add("folding");
  show(false);
  return button;
}

if (scene.columns.length) {
  plots.hidden = false;
  document.body.classList.add("plotted");
  const chips = document.getElementById("chips");
  let others = 0;
  scene.columns.forEach((column, number) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = "chip";
    chip.append(document.createElement("i"), withUnit(column.name, column.unit));
    const refresh = () => {
      chip.setAttribute("aria-pressed", String(shown.has(number)));
      chip.firstChild.style.background = seriesColour(number);
    };
    chip.addEventListener("click", () => {
      if (!shown.delete(number)) shown.add(number);
      refresh(); resize(); repaint();
    });
    wantsDark.addEventListener("change", refresh);
    refresh();
    if (!shown.has(number) && ++others > mostOthers) chip.classList.add("spare");
    chips.append(chip);
  });
  if (others > mostOthers) {
    chips.append(foldButton(chips, "chip fold", `${others - mostOthers} more…`, "fewer"));
  }
  const drag = (event) => { if (event.buttons) { pause(); seek(frameUnder(event.clientX)); } };
  plotCanvas.addEventListener("pointerdown", (event) => { plotCanvas.setPointerCapture(event.pointerId); drag(event); });
  plotCanvas.addEventListener("pointermove", drag);
}
