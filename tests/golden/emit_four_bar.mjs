// four_bar: 71 operations; fills and returns `out`.
export function four_bar(q, a, b, c, d, V_q, out = {}) {
  const t1 = Math.cos(q);
  const pin_x = a*t1;
  const t2 = Math.sin(q);
  const pin_y = a*t2;
  const t3 = d - pin_x;
  const t4 = t3*t3 + pin_y*pin_y;
  const e = Math.sqrt(t4);
  const lean = Math.atan2(-pin_y, t3);
  const t5 = b*e;
  const t6 = (b*b + e*e - c*c)/t5;
  const coupler = Math.acos(0.5*t6) + lean;
  const t7 = Math.sin(coupler);
  const t8 = b*t7 + pin_y;
  const t9 = Math.cos(coupler);
  const t10 = b*t9 + pin_x - d;
  const rocker = Math.atan2(t8, t10);
  const V_pin_x = -a*(t2*V_q);
  const V_pin_y = a*(t1*V_q);
  const V_e = -(t3*V_pin_x - pin_y*V_pin_y)/e;
  const V_lean = -(pin_y/t4*V_pin_x + t3/t4*V_pin_y);
  const V_coupler = 0.5*(V_e*(t6*b - 2.0*e)/t5/Math.sqrt(1.0 - 0.25*(t6*t6))) + V_lean;
  const t11 = t10*t10 + t8*t8;
  const V_rocker = t8/t11*(b*(t7*V_coupler) - V_pin_x) + (b*(t9*V_coupler) + V_pin_y)*(t10/t11);
  out.coupler = coupler;
  out.rocker = rocker;
  out.V_coupler = V_coupler;
  out.V_rocker = V_rocker;
  return out;
}
