// The same program compiled: a module of WebAssembly, which answers as this script does. One machine at a time lies in
// its memory; others are set aside as copies of it, and taken up when they are asked for.

// The numbers that module and script share, in the module's order, and how many there are of each.
const SHARED = Object.entries({
  parameters: parameters.length, positions: variables.length, rates: variables.length, controls: controls.length,
  tolerance: 1, mostSteps: 1, time: 1, state: states.length, values: parameters.length, until: 1,
  columns: columns.length, placements: PLACEMENTS,
});

// Puts what is given by name where it belongs.
function put(places, names, given) {
  for (const [name, value] of Object.entries(given)) places[names.indexOf(name)] = value;
}

// What offers the same as this program, computed by a module. Fails where the browser refuses it.
async function compiled(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, { Math });
  return answering(instance.exports);
}

function answering(module) {
  const from = module.open();
  if (!from) throw new RangeError("there is not enough memory");
  const { buffer } = module.memory, whole = new Uint8Array(buffer, from, module.size());
  const held = Object.fromEntries(
    SHARED.map(([name, length], place) => [name, new Float64Array(buffer, module.place(place), length)]),
  );
  let present = null; // the machine that lies there

  function wordsOf(status) {
    const start = module.words(status), bytes = new Uint8Array(buffer);
    return new TextDecoder().decode(bytes.slice(start, bytes.indexOf(0, start)));
  }

  function setAside() {
    if (present) present.kept = whole.slice();
    present = null;
  }

  // Let the module see a machine as its caller has left it.
  function takeUp(machine) {
    if (machine !== present) {
      setAside();
      whole.set(machine.kept);
      machine.kept = null;
      present = machine;
    }
    held.time[0] = machine.time;
    held.state.set(machine.state);
    controls.forEach((name, i) => (held.controls[i] = machine.controls[name]));
  }

  // Let the caller see where the module has got to.
  function handOver(machine) {
    machine.time = held.time[0];
    machine.state = held.state.slice();
  }

  function initialise({
    parameters: given = {}, controls: wanted = {}, start = {}, rates = {}, rtol = 1e-9, mostSteps = MOST_STEPS,
  } = {}) {
    setAside();
    module.begin(); // all that is not put is what the machine says
    put(held.parameters, parameters, checked(given, parameters, "parameter"));
    put(held.controls, controls, checked(wanted, controls, "control"));
    put(held.positions, variables, checked(start, variables, "variable"));
    put(held.rates, variables, checked(rates, variables.slice(ZEROTH), "variable"));
    held.tolerance[0] = rtol;
    held.mostSteps[0] = mostSteps;
    const status = module.initialise();
    if (status) throw new Stopped(wordsOf(status));
    present = { values: held.values.slice(), until: held.until[0], kept: null };
    present.controls = Object.fromEntries(controls.map((name, i) => [name, held.controls[i]]));
    handOver(present);
    return present;
  }

  function step(machine, dt) {
    takeUp(machine);
    const status = module.step(dt);
    handOver(machine);
    if (status) throw new Stopped(wordsOf(status));
    return machine;
  }

  function observe(machine) {
    takeUp(machine);
    module.observe();
    const found = {};
    columns.forEach((name, i) => (found[name] = held.columns[i]));
    return found;
  }

  function show(machine, out = new Float64Array(PLACEMENTS)) {
    takeUp(machine);
    module.show();
    out.set(held.placements);
    return out;
  }

  return { parameters, controls, variables, states, columns, Stopped, initialise, step, observe, show };
}
