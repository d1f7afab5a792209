// Where everything that is seen stands in the state as it is: twelve numbers for each placement, put into `out`.
function show(machine, out = new Float64Array(PLACEMENTS)) {
  const { state, time, k } = machine;
  machine_show(state, zeroth(machine), k, machine.inputs(), [time], out);
  return out;
}
