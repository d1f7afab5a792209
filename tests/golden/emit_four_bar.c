/* four_bar: coupler, rocker, V_coupler, V_rocker from q, a, b, c, d, V_q (71 operations). */
#include <math.h>

void four_bar(double q, double a, double b, double c, double d, double V_q, double *coupler_out, double
    *rocker_out, double *V_coupler_out, double *V_rocker_out)
{
    const double t1 = cos(q);
    const double pin_x = a*t1;
    const double t2 = sin(q);
    const double pin_y = a*t2;
    const double t3 = d - pin_x;
    const double t4 = t3*t3 + pin_y*pin_y;
    const double e = sqrt(t4);
    const double lean = atan2(-pin_y, t3);
    const double t5 = b*e;
    const double t6 = (b*b + e*e - c*c)/t5;
    const double coupler = acos(0.5*t6) + lean;
    const double t7 = sin(coupler);
    const double t8 = b*t7 + pin_y;
    const double t9 = cos(coupler);
    const double t10 = b*t9 + pin_x - d;
    const double rocker = atan2(t8, t10);
    const double V_pin_x = -a*(t2*V_q);
    const double V_pin_y = a*(t1*V_q);
    const double V_e = -(t3*V_pin_x - pin_y*V_pin_y)/e;
    const double V_lean = -(pin_y/t4*V_pin_x + t3/t4*V_pin_y);
    const double V_coupler = 0.5*(V_e*(t6*b - 2.0*e)/t5/sqrt(1.0 - 0.25*(t6*t6))) + V_lean;
    const double t11 = t10*t10 + t8*t8;
    const double V_rocker = t8/t11*(b*(t7*V_coupler) - V_pin_x) + (b*(t9*V_coupler) + V_pin_y)*(t10/t11);
    *coupler_out = coupler;
    *rocker_out = rocker;
    *V_coupler_out = V_coupler;
    *V_rocker_out = V_rocker;
}

/* The same for many rows: 6 numbers in, 4 out. */
void four_bar_rows(long rows, const double *in, double *out)
{
    for (long row = 0; row < rows; row++, in += 6, out += 4)
        four_bar(in[0], in[1], in[2], in[3], in[4], in[5], &out[0], &out[1], &out[2], &out[3]);
}
