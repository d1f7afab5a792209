/* meeting: x, height, V_x, V_height from a, r, s, V_a (22 operations). Where equations that are
 * solved together have no solution, it and what follows are NaN. */
#include <math.h>

/* How the functions of the runtime are linked: private to the program they are pasted into.

   A program uses only some of them, so the others must not be reported as unused. `static inline` is not
   enough for that: clang reports an unused inline function unless it stands in a header. Define LW_STATIC
   as nothing before including the runtime to make its functions public, as the tests do. */
#ifndef LW_LINKAGE_H
#define LW_LINKAGE_H

#ifndef LW_STATIC
#if defined(__GNUC__)
#define LW_STATIC static __attribute__((unused))
#else
#define LW_STATIC static inline
#endif
#endif

/* For functions whose speed rests on the compiler's seeing what they are called with. */
#if defined(__GNUC__)
#define LW_INLINE static inline __attribute__((always_inline, unused))
#else
#define LW_INLINE static inline
#endif

#endif

/* Equations solved together: f(x) = 0 with as many equations as unknowns, by Newton's method.

   A step goes from x to x + s d with J d = -f. s is 1, and is halved as long as the residual does not
   fall. Residuals are weighed by the largest entry of their row in J, and so are pivots, so that
   equations in different units count alike. The search ends well when each correction in d is at most
   1e-15 of its unknown or f is zero, and when a full step brings no progress although each correction is
   at most 1e-9 of its unknown or each residual at most 1e-13 of the sum of the sizes of its terms, and of
   its slopes times the unknowns: the rest is rounding. It fails when J is singular, when s falls below
   1e-9, and after 200 trials. A linear block takes one step, from zero.

   The elimination keeps no factors, for every matrix is used once. The same operations stand in the same
   order in block.mjs and block.py.txt. */
#ifndef LW_BLOCK_H
#define LW_BLOCK_H

#include <math.h>
#include <stddef.h>


#define LW_BLOCK_WORK(n) ((n) * ((n) + 8))

/* Residuals f, the sizes of their terms, and the Jacobian j (row-major, handed over filled with zeros). */
typedef void lw_block_equations(const double *x, const double *known, double *f, double *size, double *j);

LW_STATIC double lw_block_largest(int n, const double *v)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        if (!(fabs(v[i]) <= largest)) {
            largest = fabs(v[i]);
            if (largest != largest) {
                break;
            }
        }
    }
    return largest;
}

/* Put -J^-1 f into d and the weights of the equations into weight (2 n long); j is overwritten.
   Returns the largest weighted residual, or -1 where j has no inverse. */
LW_STATIC double lw_block_correction(int n, double *j, const double *f, double *weight, double *d)
{
    double norm = 0.0, *share = weight + n; /* the weights that go with the rows */
    for (int i = 0; i < n; ++i) {
        double largest = lw_block_largest(n, j + (ptrdiff_t)i * n);
        if (!(largest > 0.0 && largest < INFINITY && fabs(f[i]) < INFINITY)) {
            return -1.0;
        }
        share[i] = weight[i] = 1.0 / largest;
        d[i] = -f[i];
        norm = fabs(f[i] * weight[i]) > norm ? fabs(f[i] * weight[i]) : norm;
    }
    for (int k = 0; k < n; ++k) {
        double *row_k = j + (ptrdiff_t)k * n, *row_p = row_k;
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(j[(ptrdiff_t)i * n + k]) * share[i] > fabs(row_p[k]) * share[pivot]) {
                pivot = i;
                row_p = j + (ptrdiff_t)i * n;
            }
        }
        if (!(fabs(row_p[k]) > 0.0 && fabs(row_p[k]) < INFINITY)) {
            return -1.0;
        }
        if (pivot != k) {
            double kept = d[k];
            d[k] = d[pivot];
            d[pivot] = kept;
            share[pivot] = share[k];
            for (int c = k; c < n; ++c) {
                kept = row_k[c];
                row_k[c] = row_p[c];
                row_p[c] = kept;
            }
        }
        for (int i = k + 1; i < n; ++i) {
            double *row_i = j + (ptrdiff_t)i * n;
            double factor = row_i[k] / row_k[k];
            for (int c = k + 1; c < n && factor != 0.0; ++c) {
                row_i[c] -= factor * row_k[c];
            }
            d[i] -= factor * d[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *row = j + (ptrdiff_t)i * n;
        for (int c = i + 1; c < n; ++c) {
            d[i] -= row[c] * d[c];
        }
        d[i] /= row[i];
    }
    return lw_block_largest(n, d) < INFINITY ? norm : -1.0;
}

LW_STATIC int lw_block_is_within(double share, int n, const double *small, const double *large)
{
    for (int i = 0; i < n; ++i) {
        if (!(fabs(small[i]) <= share * fabs(large[i]))) {
            return 0;
        }
    }
    return 1;
}

/* The equations at x; what may round in them is added to size. */
LW_STATIC void lw_block_evaluate(int n, lw_block_equations *equations, const double *known, const double *x,
                                 double *f, double *size, double *j)
{
    for (int i = 0; i < n * n; ++i) {
        j[i] = 0.0;
    }
    equations(x, known, f, size, j);
    for (int i = 0; i < n; ++i) {
        for (int c = 0; c < n; ++c) {
            size[i] += fabs(j[(ptrdiff_t)i * n + c] * x[c]);
        }
    }
}

/* The search from x, whose result replaces x. Returns whether it ended well. */
LW_STATIC int lw_block_newton(int n, lw_block_equations *equations, const double *known, double *x,
                              double *work)
{
    double *f = work, *size = f + n, *g = size + n, *new_size = g + n;
    double *weight = new_size + n, *d = weight + 2 * n, *y = d + n, *j = y + n;
    double step = 1.0, norm;
    lw_block_evaluate(n, equations, known, x, f, size, j);
    norm = lw_block_correction(n, j, f, weight, d);
    for (int trial = 0; trial < 200; ++trial) {
        double new_norm = 0.0;
        if (norm < 0.0) {
            return lw_block_is_within(1e-13, n, f, size);
        }
        if (norm == 0.0) {
            return 1;
        }
        for (int i = 0; i < n; ++i) {
            y[i] = x[i] + step * d[i];
        }
        lw_block_evaluate(n, equations, known, y, g, new_size, j);
        for (int i = 0; i < n && new_norm == new_norm; ++i) {
            double share = fabs(g[i] * weight[i]);
            new_norm = share <= new_norm ? new_norm : share;
        }
        if (new_norm < norm) {
            for (int i = 0; i < n; ++i) {
                x[i] = y[i];
                f[i] = g[i];
                size[i] = new_size[i];
            }
            if (step == 1.0 && lw_block_is_within(1e-15, n, d, y)) {
                return 1;
            }
            norm = lw_block_correction(n, j, f, weight, d);
            step = 1.0;
        } else {
            if (step == 1.0 && (lw_block_is_within(1e-9, n, d, y) || lw_block_is_within(1e-13, n, f, size))) {
                return 1;
            }
            step *= 0.5;
            if (step < 1e-9) {
                return 0;
            }
        }
    }
    return 0;
}

/* Replace the start x by the solution, by NaN where none was found; work is LW_BLOCK_WORK(n) long. */
LW_STATIC void lw_block_solve(int n, lw_block_equations *equations, const double *known, double *x,
                              double *work)
{
    if (!lw_block_newton(n, equations, known, x, work)) {
        for (int i = 0; i < n; ++i) {
            x[i] = NAN;
        }
    }
}

/* The same for equations that are linear: f is their value where all unknowns are zero. */
LW_STATIC void lw_block_solve_linear(int n, lw_block_equations *equations, const double *known, double *x,
                                     double *work)
{
    double *f = work, *weight = f + n, *d = weight + 2 * n, *j = d + n;
    int solved;
    for (int i = 0; i < n * n; ++i) {
        j[i] = 0.0;
    }
    equations(x, known, f, NULL, j);
    solved = lw_block_correction(n, j, f, weight, d) >= 0.0;
    for (int i = 0; i < n; ++i) {
        x[i] = solved ? d[i] : NAN;
    }
}

#endif

/* meeting_block1: the equations of x_ = (x, y), with known = (a, r, s). */
static void meeting_block1(const double *restrict x_, const double *restrict known, double *restrict f, double
    *restrict size, double *restrict j)
{
    const double t1 = known[0] - x_[0];
    const double t2 = x_[1]*x_[1];
    const double t3 = t1*t1 + t2;
    const double t4 = known[1]*known[1];
    f[0] = t3 - t4;
    const double t5 = known[2]*known[2];
    const double t6 = x_[0]*x_[0] + t2;
    f[1] = t6 - t5;
    size[0] = t3 + t4;
    size[1] = t5 + t6;
    j[0] = (-2.0)*t1;
    const double t7 = 2.0*x_[1];
    j[1] = t7;
    j[2] = 2.0*x_[0];
    j[3] = t7;
}

/* meeting_block2: the equations of x_ = (V_x, V_y), with known = (V_a, a, x, y). */
static void meeting_block2(const double *restrict x_, const double *restrict known, double *restrict f, double
    *restrict size, double *restrict j)
{
    (void)x_;
    (void)size;
    const double t1 = known[1] - known[2];
    f[0] = t1*known[0];
    f[1] = 0.0;
    j[0] = -t1;
    j[1] = known[3];
    j[2] = known[2];
    j[3] = known[3];
}

void meeting(double a, double r, double s, double V_a, double *x_out, double *height_out, double *V_x_out,
    double *V_height_out)
{
    double solution1[2] = {a, r}, work1[LW_BLOCK_WORK(2)];
    lw_block_solve(2, meeting_block1, (const double[]){a, r, s}, solution1, work1);
    const double x = solution1[0];
    const double y = solution1[1];
    const double height = y - 0.5*x;
    double solution2[2] = {0.0, 0.0}, work2[LW_BLOCK_WORK(2)];
    lw_block_solve_linear(2, meeting_block2, (const double[]){V_a, a, x, y}, solution2, work2);
    const double V_x = solution2[0];
    const double V_y = solution2[1];
    const double V_height = V_y - 0.5*V_x;
    *x_out = x;
    *height_out = height;
    *V_x_out = V_x;
    *V_height_out = V_height;
}

/* The same for many rows: 4 numbers in, 4 out. */
void meeting_rows(long rows, const double *in, double *out)
{
    for (long row = 0; row < rows; row++, in += 4, out += 4)
        meeting(in[0], in[1], in[2], in[3], &out[0], &out[1], &out[2], &out[3]);
}
