// pendulum: 52 operations; fills and returns `out`.
export function pendulum(state, parameters, out = {}) {
  const rate = Object.hasOwn(out, "rate") ? out.rate : (out.rate = new Float64Array(4));
  const delta = state[0] - state[1];
  const t1 = parameters[2]*parameters[1]*parameters[3];
  const t2 = Math.cos(delta)*t1;
  const t3 = parameters[0] + parameters[1];
  const t4 = parameters[2]*parameters[2]*t3;
  const t5 = parameters[3]*parameters[3]*parameters[1];
  const determinant = t4*t5 - t2*t2;
  rate[0] = state[2];
  rate[1] = state[3];
  const t6 = Math.sin(delta)*t1;
  const t7 = state[3]*state[3];
  const t8 = parameters[4]*t3*parameters[2];
  const t9 = t6*t7 + t8*Math.sin(state[0]);
  const t10 = state[2]*state[2];
  const t11 = parameters[4]*parameters[1]*parameters[3];
  const t12 = t6*t10 - t11*Math.sin(state[1]);
  rate[2] = -(t9*t5 + t2*t12)/determinant;
  rate[3] = (t12*t4 + t2*t9)/determinant;
  const t13 = t2*state[2]*state[3] + 0.5*(t4*t10) + 0.5*(t5*t7) - t8*Math.cos(state[0]) - t11*Math.cos(state[1]);
  out.energy = t13;
  return out;
}
