/* bumper: force, touching from x, v, k, c, limit (14 operations). */
#include <math.h>

static inline double lw_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static inline double lw_min(double x, double y) { return x < y || x != x ? x : y; }
static inline double lw_max(double x, double y) { return x > y || x != x ? x : y; }

void bumper(double x, double v, double k, double c, double limit, double *force_out, double *touching_out)
{
    const double t1 = lw_max(x - 1.0, 0.0);
    const double t2 = lw_min(lw_max(c*v + k*t1, 0.0), limit);
    *force_out = (0.0 < t1 ? (-0.3)*(t2*lw_sign(v)) - t2 : 0.0);
    *touching_out = (double)(1.0 <= x);
}

/* The same for many rows: 5 numbers in, 2 out. */
void bumper_rows(long rows, const double *in, double *out)
{
    for (long row = 0; row < rows; row++, in += 5, out += 2)
        bumper(in[0], in[1], in[2], in[3], in[4], &out[0], &out[1]);
}
