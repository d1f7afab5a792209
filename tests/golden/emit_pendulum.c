/* pendulum: rate[4], energy from state[4], parameters[5] (52 operations). */
#include <math.h>

void pendulum(const double *state, const double *parameters, double *rate, double *energy_out)
{
    const double delta = state[0] - state[1];
    const double t1 = parameters[2]*parameters[1]*parameters[3];
    const double t2 = cos(delta)*t1;
    const double t3 = parameters[0] + parameters[1];
    const double t4 = parameters[2]*parameters[2]*t3;
    const double t5 = parameters[3]*parameters[3]*parameters[1];
    const double determinant = t4*t5 - t2*t2;
    rate[0] = state[2];
    rate[1] = state[3];
    const double t6 = sin(delta)*t1;
    const double t7 = state[3]*state[3];
    const double t8 = parameters[4]*t3*parameters[2];
    const double t9 = t6*t7 + t8*sin(state[0]);
    const double t10 = state[2]*state[2];
    const double t11 = parameters[4]*parameters[1]*parameters[3];
    const double t12 = t6*t10 - t11*sin(state[1]);
    rate[2] = -(t9*t5 + t2*t12)/determinant;
    rate[3] = (t12*t4 + t2*t9)/determinant;
    const double t13 = t2*state[2]*state[3] + 0.5*(t4*t10) + 0.5*(t5*t7) - t8*cos(state[0]) - t11*cos(state[1]);
    *energy_out = t13;
}

/* The same for many rows: 9 numbers in, 5 out. */
void pendulum_rows(long rows, const double *in, double *out)
{
    for (long row = 0; row < rows; row++, in += 9, out += 5)
        pendulum(in + 0, in + 4, out + 0, &out[4]);
}
