// Plots: columns against an axis, one strip for each unit, and a moving cursor.

const plotLeft = 52, plotRight = 14, plotFoot = 34, barHeight = 24;

/** The least and the largest value of lists, apart. */
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

/**
 * The plots of a page. `columns` and `axis` have values, which may grow; `at` is the place in them that is shown,
 * `seek` goes to another, `changed` is called when other columns are chosen, `heightOf` tells how high each of
 * several strips is above what stands below, `mostOthers` how many columns are offered besides those chosen before the
 * rest is folded away. `bars` last from when to when, with moments as ticks; they stand below the columns.
 */
function createPlots({ columns, bars = [], axis, chosen, series, font, inkOf, at, seek, changed, heightOf, mostOthers }) {
  const box = byId("plots"), canvas = byId("plot"), pen = canvas.getContext("2d"), shown = new Set(chosen);
  let wide = 1, stripHeight = 92;
  const order = [...new Set([...chosen, ...columns.keys()])]; // neighbours in the plot have different colours
  const seriesColour = (column) => inkOf(`trace-${order.indexOf(column) % series}`).stroke;
  const plotX = (value, range) => plotLeft + ((value - range[0]) / (range[1] - range[0])) * (wide - plotLeft - plotRight);

  /** Columns in view, those of one group or unit together. */
  function strips() {
    const groups = new Map();
    columns.forEach(({ unit, group = unit }, number) => {
      if (shown.has(number)) groups.set(group, [...(groups.get(group) ?? []), number]);
    });
    return [...groups.values()];
  }

  function paint() {
    if (!columns.length && !bars.length) return;
    const groups = strips(), sharpness = window.devicePixelRatio || 1, below = bars.length * barHeight;
    stripHeight = heightOf(Math.max(groups.length, 1), below);
    const tall = groups.length * stripHeight + below + (groups.length || below ? plotFoot : 0);
    wide = Math.max(box.clientWidth, 120);
    const columnsOfPixels = Math.round(wide * sharpness), rows = Math.round(tall * sharpness);
    if (canvas.width !== columnsOfPixels || canvas.height !== rows) {
      canvas.style.height = `${tall}px`;
      canvas.width = columnsOfPixels; canvas.height = rows;
    }
    pen.setTransform(sharpness, 0, 0, sharpness, 0, 0);
    pen.clearRect(0, 0, wide, tall);
    pen.font = `11px ${font}`;
    pen.lineJoin = "round";
    const xRange = rangeOf([axis.values]);
    groups.forEach((numbers, k) => paintStrip(numbers, k * stripHeight, xRange));
    bars.forEach((one, k) => paintBars(one, groups.length * stripHeight + k * barHeight, xRange));
    if (groups.length || below) paintAxis(xRange, tall - plotFoot);
  }

  /** What lasts from when to when: a name, bars, and ticks for moments. */
  function paintBars({ name, spans, moments }, top, xRange) {
    pen.textAlign = "left";
    pen.fillStyle = inkOf("legend").fill;
    pen.fillText(name, plotLeft, top + 10);
    pen.fillStyle = inkOf("grid").stroke;
    pen.fillRect(plotLeft, top + 14, wide - plotLeft - plotRight, 6);
    pen.fillStyle = inkOf("legend").fill;
    for (const [from, until] of spans) {
      const left = plotX(from, xRange);
      pen.fillRect(left, top + 14, Math.max(1, plotX(until, xRange) - left), 6);
    }
    pen.fillStyle = inkOf("contact").fill;
    for (const moment of moments) pen.fillRect(plotX(moment, xRange) - 0.5, top + 12, 1, 10);
  }

  /** Where the values of a strip end: not so near to one another that the numbers beside them are the same. */
  function heights(lists) {
    const [low, high] = rangeOf(lists), least = 4e-3 * Math.max(Math.abs(low), Math.abs(high));
    const margin = Math.max(0, least - (high - low)) / 2;
    return [low - margin, high + margin];
  }

  function paintStrip(numbers, top, xRange) {
    const { unit, title = unit } = columns[numbers[0]], lists = numbers.map((number) => columns[number].values);
    const yRange = heights(lists), [upper, lower] = [top + 16, top + stripHeight - 6];
    const y = (value) => lower - ((value - yRange[0]) / (yRange[1] - yRange[0])) * (lower - upper);
    const faint = inkOf("legend").fill;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const tick of ticks(yRange, 3)) {
      pen.strokeStyle = inkOf("grid").stroke;
      pen.beginPath(); pen.moveTo(plotLeft, y(tick)); pen.lineTo(wide - plotRight, y(tick)); pen.stroke();
      pen.fillStyle = faint;
      pen.fillText(shortNumber(tick), plotLeft - 6, y(tick) + 4);
    }
    pen.textAlign = "left";
    if (title) pen.fillText(title, plotLeft, top + 10);
    numbers.forEach((number, k) => paintSeries(lists[k], seriesColour(number), xRange, y));
  }

  function paintSeries(values, colour, xRange, y) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.8;
    pen.beginPath();
    let down = false;
    values.forEach((value, frame) => {
      const drive = axis.values[frame];
      if (value === null || drive === null) { down = false; return; }
      pen[down ? "lineTo" : "moveTo"](plotX(drive, xRange), y(value));
      down = true;
    });
    pen.stroke();
    const value = valueAt(values, at()), drive = valueAt(axis.values, at());
    if (value === null || drive === null) return;
    pen.fillStyle = colour;
    pen.beginPath(); pen.arc(plotX(drive, xRange), y(value), 3.6, 0, 2 * Math.PI); pen.fill();
  }

  function paintAxis(xRange, y) {
    pen.fillStyle = inkOf("legend").fill;
    pen.textAlign = "center";
    for (const tick of ticks(xRange, Math.max(3, wide / 110))) pen.fillText(shortNumber(tick), plotX(tick, xRange), y + 12);
    pen.fillText(withUnit(axis.name, axis.unit), (plotLeft + wide - plotRight) / 2, y + 27);
    const drive = valueAt(axis.values, at());
    if (drive === null) return;
    pen.strokeStyle = inkOf("scale").stroke;
    pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(plotX(drive, xRange), 14); pen.lineTo(plotX(drive, xRange), y); pen.stroke();
  }

  /** The frame whose drive is nearest to a place on the plot; of equals, the one nearest to now. */
  function frameUnder(clientX) {
    const xRange = rangeOf([axis.values]), x = clientX - canvas.getBoundingClientRect().left;
    const away = (frame) => Math.abs(plotX(axis.values[frame], xRange) - x) + 1e-4 * Math.abs(frame - at());
    let best = 0;
    axis.values.forEach((value, frame) => { if (value !== null && away(frame) < away(best)) best = frame; });
    return best;
  }

  /** A button that shows and hides a column. */
  function chipOf(column, number) {
    const chip = button(document.createElement("i"), "chip");
    chip.append(withUnit(column.name, column.unit));
    const refresh = () => {
      chip.setAttribute("aria-pressed", String(shown.has(number)));
      chip.firstChild.style.background = seriesColour(number);
    };
    chip.addEventListener("click", () => {
      if (!shown.delete(number)) shown.add(number);
      refresh(); changed();
    });
    theme.onChange(refresh);
    refresh();
    return chip;
  }

  function build() {
    box.hidden = false;
    document.body.classList.add("plotted");
    const chips = byId("chips");
    let others = 0;
    columns.forEach((column, number) => {
      const chip = chipOf(column, number);
      if (!shown.has(number) && ++others > mostOthers) chip.classList.add("spare");
      chips.append(chip);
    });
    if (others > mostOthers) {
      chips.append(foldButton(chips, "chip fold", `${others - mostOthers} more…`, "fewer", changed));
    }
    const drag = (event) => { if (event.buttons) seek(frameUnder(event.clientX)); };
    canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); drag(event); });
    canvas.addEventListener("pointermove", drag);
  }

  if (columns.length || bars.length) build();
  return { paint };
}
