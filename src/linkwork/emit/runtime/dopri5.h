/* The explicit Runge-Kutta method of Dormand and Prince of order 5, with an error estimate of order 4.

   J. R. Dormand, P. J. Prince, "A family of embedded Runge-Kutta formulae", J. Comp. Appl. Math. 6 (1980);
   Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", table II.5.2. Its seventh stage is
   the first one of the next step (FSAL), so that a step costs six evaluations. The continuous extension has
   order 4 and costs none (Shampine 1986; Hairer I, II.6). A good choice for tolerances between 1e-3 and 1e-6;
   beyond, dop853.h is faster. */
#ifndef LW_DOPRI5_H
#define LW_DOPRI5_H

#include "integrate.h"
#include "linkage.h"
#include "vector.h"

/* Where the stability domain ends on the negative real axis, a little inside. */
#define LW_DOPRI5_EDGE 3.25

/* What the method needs of the caller, in doubles. */
#define LW_DOPRI5_WORK(n) (14 * (n))

/* Make s ready to integrate from y (n) at t. work is LW_DOPRI5_WORK(n) long; it, y and atol must stay. */
LW_STATIC void lw_dopri5_begin(lw_integrator *s, int n, lw_rate f, void *context, double t, double *y,
                               double rtol, const double *atol, double *work)
{
    lw_integrator_begin(s, n, f, context, t, y, rtol, atol);
    s->y_old = work;
    s->y_new = LW_ROW(work, 1, n);
    s->rate = LW_ROW(work, 2, n);
    s->other_rate = LW_ROW(work, 3, n);
    s->trial = LW_ROW(work, 4, n);
    s->stages = LW_ROW(work, 5, n); /* k2 to k6, then the four rows of the dense output */
}

/* An lw_attempt. */
LW_INLINE int lw_dopri5_attempt(lw_integrator *s, int n, lw_rate f, double h, double t_new, double *error)
{
    double *restrict k1 = s->rate, *restrict k7 = s->other_rate, *restrict trial = s->trial;
    double *restrict k2 = s->stages, *restrict k3 = LW_ROW(k2, 1, n), *restrict k4 = LW_ROW(k2, 2, n);
    double *restrict k5 = LW_ROW(k2, 3, n), *restrict k6 = LW_ROW(k2, 4, n);
    double *restrict y = s->y, *restrict y_new = s->y_new;
    double t = s->t, squares = 0.0;
    LW_STAGE(k2, 1.0 / 5.0, 1.0 / 5.0 * k1[i]);
    LW_STAGE(k3, 3.0 / 10.0, 3.0 / 40.0 * k1[i] + 9.0 / 40.0 * k2[i]);
    LW_STAGE(k4, 4.0 / 5.0, 44.0 / 45.0 * k1[i] - 56.0 / 15.0 * k2[i] + 32.0 / 9.0 * k3[i]);
    LW_STAGE(k5, 8.0 / 9.0, 19372.0 / 6561.0 * k1[i] - 25360.0 / 2187.0 * k2[i] + 64448.0 / 6561.0 * k3[i]
             - 212.0 / 729.0 * k4[i]);
    LW_STAGE(k6, 1.0, 9017.0 / 3168.0 * k1[i] - 355.0 / 33.0 * k2[i] + 46732.0 / 5247.0 * k3[i]
             + 49.0 / 176.0 * k4[i] - 5103.0 / 18656.0 * k5[i]);
    for (int i = 0; i < n; ++i) {
        y_new[i] = y[i] + h * (35.0 / 384.0 * k1[i] + 500.0 / 1113.0 * k3[i] + 125.0 / 192.0 * k4[i]
                               - 2187.0 / 6784.0 * k5[i] + 11.0 / 84.0 * k6[i]);
    }
    if (lw_evaluate(s, f, t_new, y_new, k7)) {
        return 1;
    }
    for (int i = 0; i < n; ++i) {
        double e = 71.0 / 57600.0 * k1[i] - 71.0 / 16695.0 * k3[i] + 71.0 / 1920.0 * k4[i]
                   - 17253.0 / 339200.0 * k5[i] + 22.0 / 525.0 * k6[i] - 1.0 / 40.0 * k7[i];
        double scaled = h * e / lw_error_scale(s, i, y[i], y_new[i]);
        squares += scaled * scaled;
    }
    *error = n > 0 ? sqrt(squares / n) : 0.0;
    if (*error <= 1.0) {
        if (!lw_all_finite(n, y_new) || !lw_all_finite(n, k7)) {
            return 1;
        }
        lw_stiffness_watch(s, n, h, LW_DOPRI5_EDGE, y_new, k7, trial, k6);
    }
    return 0;
}

/* Advance by one accepted step, not beyond t_end. For the fastest code give n and f as constants, which must
   be those given to begin. */
LW_INLINE lw_step_status lw_dopri5_advance(lw_integrator *s, int n, lw_rate f, double t_end)
{
    const lw_step_control control = {5, 0.04, 0.2, 10.0};
    return lw_explicit_step(s, n, f, t_end, lw_dopri5_attempt, &control);
}

/* Advance by one accepted step, not beyond t_end. */
LW_STATIC lw_step_status lw_dopri5_step(lw_integrator *s, double t_end)
{
    return lw_dopri5_advance(s, s->n, s->f, t_end);
}

/* The coefficients of the dense output: how y changes in the step; by how much its rates at both ends differ
   from that; and the rest. */
LW_STATIC void lw_dopri5_dense_rows(lw_integrator *s)
{
    int n = s->n;
    const double *k1 = s->other_rate, *k3 = LW_ROW(s->stages, 1, n), *k4 = LW_ROW(s->stages, 2, n);
    const double *k5 = LW_ROW(s->stages, 3, n), *k6 = LW_ROW(s->stages, 4, n), *k7 = s->rate;
    double *change = LW_ROW(s->stages, 5, n), *at_start = LW_ROW(s->stages, 6, n);
    double *at_end = LW_ROW(s->stages, 7, n), *bulge = LW_ROW(s->stages, 8, n), h = s->reach;
    for (int i = 0; i < n; ++i) {
        change[i] = s->y_new[i] - s->y_old[i];
        at_start[i] = h * k1[i] - change[i];
        at_end[i] = change[i] - h * k7[i] - at_start[i];
        bulge[i] = h * (-12715105075.0 / 11282082432.0 * k1[i] + 87487479700.0 / 32700410799.0 * k3[i]
                        - 10690763975.0 / 1880347072.0 * k4[i] + 701980252875.0 / 199316789632.0 * k5[i]
                        - 1453857185.0 / 822651844.0 * k6[i] + 69997945.0 / 29380423.0 * k7[i]);
    }
}

/* The solution at t within the last accepted step into y (n). Always returns 0. */
LW_STATIC int lw_dopri5_dense(lw_integrator *s, double t, double *y)
{
    int n = s->n;
    const double *change = LW_ROW(s->stages, 5, n), *at_start = LW_ROW(s->stages, 6, n);
    const double *at_end = LW_ROW(s->stages, 7, n), *bulge = LW_ROW(s->stages, 8, n);
    double theta = (t - s->t_old) / s->reach, rest = 1.0 - theta;
    if (s->reach == 0.0) {
        for (int i = 0; i < n; ++i) {
            y[i] = s->y[i];
        }
        return 0;
    }
    if (!s->dense_ready) {
        lw_dopri5_dense_rows(s);
        s->dense_ready = 1;
    }
    for (int i = 0; i < n; ++i) {
        double later = theta * (at_end[i] + rest * bulge[i]);
        y[i] = s->y_old[i] + theta * (change[i] + rest * (at_start[i] + later));
    }
    return 0;
}

#endif
