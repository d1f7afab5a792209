// The panel: parameters that can be changed, and plots.

/** The ends of a slider for a parameter that names none. */
function endsOf({ value, least, most }) {
  const size = Math.abs(value) || 1;
  return [least ?? (value < 0 ? 2 * value : 0), most ?? (value < 0 ? 0 : 2 * size)];
}

const MOST_CHIPS = 10;
const ENERGIES = ["energy", "kinetic", "potential"];

/** What is plotted together: columns of one unit; without units energies, and what has the same name on several parts. */
const groupOf = ({ name, unit }) => unit || (ENERGIES.includes(name) ? "energy" : `.${name.split(".").at(-1)}`);

/** A row with a slider and a field for a parameter; `change` may refuse, and the row then shows what is. */
function createRow(parameter, engine, change) {
  const row = document.createElement("div"), label = document.createElement("label");
  const slider = document.createElement("input"), field = document.createElement("input");
  const [least, most] = endsOf(parameter);
  row.className = "row";
  label.append(withUnit(parameter.name, parameter.unit));
  Object.assign(slider, { type: "range", min: least, max: most, step: (most - least) / 400 || 1, id: `p-${parameter.name}` });
  Object.assign(field, { type: "number", step: "any" });
  label.htmlFor = slider.id;
  field.setAttribute("aria-label", parameter.name);
  const show = () => {
    const value = engine.parameters[parameter.name];
    slider.value = value;
    field.value = String(+value.toPrecision(4));
  };
  slider.addEventListener("input", () => change(parameter.name, Number(slider.value)));
  slider.addEventListener("change", () => slider.blur());
  field.addEventListener("change", () => { if (field.value.trim()) change(parameter.name, Number(field.value)); else show(); });
  row.append(label, slider, field);
  show();
  return { row, show };
}

function createPanel(engine, { change, seek, changed }) {
  const parameters = stage.live?.parameters ?? [], rows = parameters.map((each) => createRow(each, engine, change));
  byId("parameters").hidden = !rows.length;
  for (const { row } of rows) byId("rows").append(row);
  const plots = createPlots({
    columns: stage.columns.map((column, k) => ({ ...column, group: groupOf(column), values: engine.history[k] ?? [] })),
    axis: { name: "time", unit: "s", values: engine.axis },
    chosen: stage.plots, mostOthers: stage.columns.length > MOST_CHIPS ? 0 : MOST_CHIPS, series: stage.series, font: stage.font, inkOf, at: () => engine.at(), seek, changed,
    heightOf(strips) {
      const box = byId("panel-box"), above = byId("plot").getBoundingClientRect().top + box.scrollTop;
      const free = window.innerHeight - above - plotFoot - 24;
      return Math.min(150, Math.max(84, free / strips));
    },
  });
  return {
    isEmpty: !rows.length && !stage.columns.length,
    paint: plots.paint,
    showParameters() { for (const { show } of rows) show(); },
  };
}
