/* The implicit Runge-Kutta method Radau IIA of order 5, for stiff systems.

   E. Hairer, G. Wanner, "Solving Ordinary Differential Equations II", 2nd edition, IV.8; names follow it. A
   step looks for the polynomial of degree 3 that satisfies the equation at three points t + c_i h, c_3 = 1.
   With z_i = y(t + c_i h) - y the collocation equations are

       z = h (A x I) F(z),    F_i = f(t + c_i h, y + z_i).

   Simplified Newton keeps one Jacobian J for all stages. The change of variables w = (T^-1 x I) z turns A^-1
   into a number gamma and a block with the eigenvalues alpha +- i beta, so that an iteration solves one real
   and one complex system of size n instead of a real one of size 3 n:

       (gamma/h - J) dw_1 = (T^-1 F)_1 - gamma/h w_1,
       (mu/h - J) (dw_2 + i dw_3) = (T^-1 F)_2 + i (T^-1 F)_3 - mu/h (w_2 + i w_3),    mu = alpha + i beta.

   The error is estimated by a formula of order 3, filtered through the real system so that it stays bounded
   as h J grows (equation IV.8.19); the next length is predicted after Gustafsson (IV.8.21). J is reused as
   long as Newton contracts well with it, and the factors as long as h stays the same. Dense output is the
   polynomial itself, of order 4 inside a step. */
#ifndef LW_RADAU5_H
#define LW_RADAU5_H

#include "complex_lu.h"
#include "integrate.h"
#include "linkage.h"
#include "lu.h"
#include "vector.h"

#define LW_RADAU5_C1 0.15505102572168219 /* (4 - sqrt(6)) / 10 */
#define LW_RADAU5_C2 0.64494897427831781 /* (4 + sqrt(6)) / 10 */
#define LW_RADAU5_GAMMA 3.6378342527444957
#define LW_RADAU5_ALPHA 2.6810828736277521
#define LW_RADAU5_BETA 3.0504301992474106
/* Newton iterations in a step, before it is shortened. */
#define LW_RADAU5_ITERATIONS 7
/* A contraction up to which the Jacobian is kept, and one from which the iteration is given up. */
#define LW_RADAU5_KEEP_JACOBIAN 0.001
#define LW_RADAU5_DIVERGENCE 0.99
/* A proposal up to so much longer than the last step is not worth new factors. */
#define LW_RADAU5_KEEP_LENGTH 1.2
/* No error counts as smaller than this. */
#define LW_RADAU5_ERROR_FLOOR 1e-10
/* Bounds on the ratio of lengths from step to step. */
#define LW_RADAU5_LEAST 0.2
#define LW_RADAU5_MOST 8.0

/* What the method needs of the caller, in doubles and in ints. */
#define LW_RADAU5_WORK(n) (4 * (n) * (n) + 17 * (n))
#define LW_RADAU5_INTEGERS(n) (2 * (n))

/* The pieces into which the workspace is cut. */
typedef struct {
    double *z1, *z2, *z3;       /* n each: the stages less y; during an iteration f at them */
    double *w1, *w2, *w3;       /* n each: the same, transformed */
    double *p1, *p2, *p3;       /* n each: the polynomial of the last accepted step, in Newton's form */
    double *scale;              /* n: the unit of the error of each component */
    double *pair;               /* n complex numbers */
    double *jacobian, *real_lu; /* n x n: J, and the factors of gamma/h - J */
    double *complex_lu;         /* n x n complex numbers: the factors of (alpha + i beta)/h - J */
} lw_radau5_pieces;

LW_STATIC lw_radau5_pieces lw_radau5_cut(const lw_integrator *s)
{
    ptrdiff_t n = s->n;
    lw_radau5_pieces p;
    p.z1 = s->stages;
    p.z2 = p.z1 + n;
    p.z3 = p.z2 + n;
    p.w1 = p.z3 + n;
    p.w2 = p.w1 + n;
    p.w3 = p.w2 + n;
    p.p1 = p.w3 + n;
    p.p2 = p.p1 + n;
    p.p3 = p.p2 + n;
    p.scale = p.p3 + n;
    p.pair = p.scale + n;
    p.jacobian = p.pair + 2 * n;
    p.real_lu = p.jacobian + n * n;
    p.complex_lu = p.real_lu + n * n;
    return p;
}

/* Make s ready to integrate from y (n) at t. work is LW_RADAU5_WORK(n) long, integers LW_RADAU5_INTEGERS(n);
   they, y and atol must stay. Set s->jacobian afterwards if df/dy is known. */
LW_STATIC void lw_radau5_begin(lw_integrator *s, int n, lw_rate f, void *context, double t, double *y,
                               double rtol, const double *atol, double *work, int *integers)
{
    lw_integrator_begin(s, n, f, context, t, y, rtol, atol);
    s->y_old = work;
    s->y_new = LW_ROW(work, 1, n);
    s->rate = LW_ROW(work, 2, n);
    s->other_rate = LW_ROW(work, 3, n);
    s->trial = LW_ROW(work, 4, n);
    s->stages = LW_ROW(work, 5, n);
    s->pivots = integers;
}

/* The estimate has order 3, the solution order 5, so a step is held to 0.1 rtol^(2/3) in place of rtol, and
   atol is stretched alike: Hairer's choice, with which the true error comes out near rtol. */
LW_STATIC double lw_radau5_stretch(const lw_integrator *s)
{
    return s->rtol > 10.0 * DBL_EPSILON ? 0.1 / cbrt(s->rtol) : 1.0;
}

/* How far to move y_j to see a slope: sqrt(eps) |y_j|, but no less than makes the rounding of f, times h, a
   thousandth of the change (as in CVODE; the norm is that of f in units of the scale). */
LW_STATIC double lw_radau5_increment(const lw_integrator *s, const lw_radau5_pieces *p, int j, double norm)
{
    double visible = 1000.0 * DBL_EPSILON * s->n * fabs(s->h) * norm * p->scale[j];
    double delta = lw_larger(sqrt(DBL_EPSILON) * fabs(s->y[j]), visible);
    return delta > 0.0 && isfinite(delta) ? delta : p->scale[j];
}

/* J at (t, y), by the caller's function or by differences. Returns 0, or not 0 if it cannot be had. */
LW_STATIC int lw_radau5_jacobian(lw_integrator *s, const lw_radau5_pieces *p)
{
    int n = s->n;
    double norm = lw_scaled_norm(s, n, s->rate) / (lw_radau5_stretch(s) * sqrt(n));
    s->jacobian_wanted = 0;
    s->jacobian_current = 1;
    s->h_factored = 0.0;
    ++s->jacobians;
    if (s->jacobian) {
        return s->jacobian(s->t, s->y, p->jacobian, s->context)
               || !lw_all_finite((ptrdiff_t)n * n, p->jacobian);
    }
    for (int i = 0; i < n; ++i) {
        s->trial[i] = s->y[i];
    }
    for (int j = 0; j < n; ++j) {
        double delta = lw_radau5_increment(s, p, j, norm);
        for (int side = 0; side < 2; ++side) { /* the other side if f ends on this one */
            s->trial[j] = s->y[j] + delta;
            delta = s->trial[j] - s->y[j];
            if (!lw_evaluate(s, s->f, s->t, s->trial, p->z1) && lw_all_finite(n, p->z1)) {
                break;
            }
            if (side == 1) {
                return 1;
            }
            delta = -delta;
        }
        for (int i = 0; i < n; ++i) {
            LW_ROW(p->jacobian, i, n)[j] = (p->z1[i] - s->rate[i]) / delta;
        }
        s->trial[j] = s->y[j];
    }
    return 0;
}

/* Factor both matrices for steps of length h. Returns 0, or not 0 if one is singular. */
LW_STATIC int lw_radau5_factor(lw_integrator *s, const lw_radau5_pieces *p, double h)
{
    int n = s->n;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; ++i) {
        double diagonal = i % (n + 1) == 0 ? 1.0 / h : 0.0;
        p->real_lu[i] = LW_RADAU5_GAMMA * diagonal - p->jacobian[i];
        p->complex_lu[2 * i] = LW_RADAU5_ALPHA * diagonal - p->jacobian[i];
        p->complex_lu[2 * i + 1] = LW_RADAU5_BETA * diagonal;
    }
    ++s->factorisations;
    s->h_factored = 0.0;
    if (lw_lu_factor(n, p->real_lu, s->pivots) || lw_complex_lu_factor(n, p->complex_lu, s->pivots + n)) {
        return 1;
    }
    s->h_factored = h;
    return 0;
}

/* The polynomial of the last step less its end, where x is the time since then in units of its length. */
LW_STATIC double lw_radau5_polynomial(const lw_radau5_pieces *p, int i, double x)
{
    return x * (p->p1[i] + (x + 1.0 - LW_RADAU5_C2) * (p->p2[i] + (x + 1.0 - LW_RADAU5_C1) * p->p3[i]));
}

/* Begin Newton's iteration where the polynomial of the last step leads, or at 0 if that is too far. */
LW_STATIC void lw_radau5_guess(const lw_integrator *s, const lw_radau5_pieces *p, double h)
{
    double ratio = s->h_accepted != 0.0 ? h / s->h_accepted : INFINITY;
    for (int i = 0; i < s->n; ++i) {
        double z1 = 0.0, z2 = 0.0, z3 = 0.0;
        if (LW_STEP_CRUMB * fabs(ratio) <= 1.0) {
            z1 = lw_radau5_polynomial(p, i, LW_RADAU5_C1 * ratio);
            z2 = lw_radau5_polynomial(p, i, LW_RADAU5_C2 * ratio);
            z3 = lw_radau5_polynomial(p, i, ratio);
        }
        p->z1[i] = z1;
        p->z2[i] = z2;
        p->z3[i] = z3;
        p->w1[i] = 4.3255798900631554 * z1 + 0.33919925181580987 * z2 + 0.54177053993587487 * z3;
        p->w2[i] = -4.1787185915519047 * z1 - 0.32768282076106239 * z2 + 0.47662355450055045 * z3;
        p->w3[i] = -0.50287263494578688 * z1 + 2.5719269498556054 * z2 - 0.59603920482822492 * z3;
    }
}

/* Put f(t, y + z) in place of z. Returns 0, or not 0 if it cannot be evaluated. */
LW_STATIC int lw_radau5_stage(lw_integrator *s, double t, double *z)
{
    for (int i = 0; i < s->n; ++i) {
        s->trial[i] = s->y[i] + z[i];
    }
    return lw_evaluate(s, s->f, t, s->trial, z);
}

/* One iteration of simplified Newton: improve w and z. Returns the size of the correction, NaN on failure. */
LW_STATIC double lw_radau5_iterate(lw_integrator *s, const lw_radau5_pieces *p, double h)
{
    double gamma = LW_RADAU5_GAMMA / h, alpha = LW_RADAU5_ALPHA / h, beta = LW_RADAU5_BETA / h, sum = 0.0;
    double *dw1 = s->trial;
    if (lw_radau5_stage(s, s->t + LW_RADAU5_C1 * h, p->z1)
        || lw_radau5_stage(s, s->t + LW_RADAU5_C2 * h, p->z2)
        || lw_radau5_stage(s, s->t + h, p->z3)) {
        return NAN;
    }
    for (int i = 0; i < s->n; ++i) {
        double f1 = p->z1[i], f2 = p->z2[i], f3 = p->z3[i], w2 = p->w2[i], w3 = p->w3[i];
        dw1[i] = 4.3255798900631554 * f1 + 0.33919925181580987 * f2 + 0.54177053993587487 * f3
                 - gamma * p->w1[i];
        p->pair[2 * i] = -4.1787185915519047 * f1 - 0.32768282076106239 * f2 + 0.47662355450055045 * f3
                         - (alpha * w2 - beta * w3);
        p->pair[2 * i + 1] = -0.50287263494578688 * f1 + 2.5719269498556054 * f2 - 0.59603920482822492 * f3
                             - (alpha * w3 + beta * w2);
    }
    lw_lu_solve(s->n, p->real_lu, s->pivots, dw1);
    lw_complex_lu_solve(s->n, p->complex_lu, s->pivots + s->n, p->pair);
    for (int i = 0; i < s->n; ++i) {
        double unit = 1.0 / p->scale[i], dw2 = p->pair[2 * i], dw3 = p->pair[2 * i + 1], w1, w2, w3;
        sum += (dw1[i] * unit) * (dw1[i] * unit) + (dw2 * unit) * (dw2 * unit) + (dw3 * unit) * (dw3 * unit);
        p->w1[i] = w1 = p->w1[i] + dw1[i];
        p->w2[i] = w2 = p->w2[i] + dw2;
        p->w3[i] = w3 = p->w3[i] + dw3;
        p->z1[i] = 0.091232394870892943 * w1 - 0.14125529502095421 * w2 - 0.030029194105147425 * w3;
        p->z2[i] = 0.24171793270710702 * w1 + 0.20412935229379993 * w2 + 0.38294211275726194 * w3;
        p->z3[i] = 0.96604818261509294 * w1 + w2;
    }
    return s->n > 0 ? sqrt(sum / (3.0 * s->n)) : 0.0;
}

/* Solve the collocation equations. Returns the number of iterations, or 0 if the step has to be shorter; then
   shorter says how much. */
LW_STATIC int lw_radau5_newton(lw_integrator *s, const lw_radau5_pieces *p, double h, double *shorter)
{
    const int limit = LW_RADAU5_ITERATIONS;
    double rtol = s->rtol * lw_radau5_stretch(s);
    double tolerance = lw_larger(10.0 * DBL_EPSILON / lw_larger(rtol, 1e-12), lw_smaller(0.03, sqrt(rtol)));
    double last_size = 0.0, last_ratio = 0.0;
    *shorter = 0.5;
    s->contraction = LW_RADAU5_KEEP_JACOBIAN;
    s->remaining_share = pow(lw_larger(s->remaining_share, DBL_EPSILON), 0.8);
    lw_radau5_guess(s, p, h);
    for (int iteration = 1; iteration <= limit; ++iteration) {
        double size = lw_radau5_iterate(s, p, h);
        if (!isfinite(size)) {
            return 0;
        }
        if (iteration > 1) {
            double ratio = size / last_size, expected;
            s->contraction = iteration == 2 ? ratio : sqrt(ratio * last_ratio);
            last_ratio = ratio;
            if (!(s->contraction < LW_RADAU5_DIVERGENCE)) {
                return 0;
            }
            s->remaining_share = s->contraction / (1.0 - s->contraction);
            expected = s->remaining_share * size * pow(s->contraction, limit - iteration) / tolerance;
            if (expected >= 1.0 && iteration < limit) { /* will not get there in time (IV.8.11) */
                double excess = lw_smaller(20.0, expected);
                *shorter = 0.8 * pow(excess, -1.0 / (4 + limit - iteration));
                return 0;
            }
        }
        last_size = lw_larger(size, DBL_EPSILON);
        if (s->remaining_share * size <= tolerance) {
            return iteration;
        }
    }
    return 0;
}

/* The error of y_new = y + z_3, solved through the real system; NaN if f cannot be evaluated. sharpen is for
   first and repeated steps, in which an estimate that is too large is filtered a second time. */
LW_STATIC double lw_radau5_error(lw_integrator *s, const lw_radau5_pieces *p, double h, int sharpen)
{
    int n = s->n;
    double *defect = p->w1, *e = p->w2, *far_rate = p->w3, stretch = lw_radau5_stretch(s), error = 0.0;
    for (int i = 0; i < n; ++i) {
        defect[i] = (-10.048809399827416 * p->z1[i] + 1.3821427331607489 * p->z2[i] - p->z3[i] / 3.0) / h;
        e[i] = defect[i] + s->rate[i];
    }
    for (int pass = 0; pass < 2; ++pass) {
        double sum = 0.0;
        lw_lu_solve(n, p->real_lu, s->pivots, e);
        for (int i = 0; i < n; ++i) {
            double scaled = e[i] / (stretch * lw_error_scale(s, i, s->y[i], s->y[i] + p->z3[i]));
            sum += scaled * scaled;
        }
        error = n > 0 ? sqrt(sum / n) : 0.0;
        if (error < 1.0 || !sharpen || pass == 1) {
            break;
        }
        for (int i = 0; i < n; ++i) {
            s->trial[i] = s->y[i] + e[i];
        }
        if (lw_evaluate(s, s->f, s->t, s->trial, far_rate)) {
            return NAN;
        }
        for (int i = 0; i < n; ++i) {
            e[i] = defect[i] + far_rate[i];
        }
    }
    return error < LW_RADAU5_ERROR_FLOOR ? LW_RADAU5_ERROR_FLOOR : error;
}

/* Keep the polynomial through 0 at -1 and z_i at c_i - 1, less z_3, by divided differences. */
LW_STATIC void lw_radau5_keep(const lw_integrator *s, const lw_radau5_pieces *p)
{
    const double c1 = LW_RADAU5_C1, c2 = LW_RADAU5_C2;
    for (int i = 0; i < s->n; ++i) {
        double middle = (p->z1[i] - p->z2[i]) / (c1 - c2);
        double first = (middle - p->z1[i] / c1) / c2;
        p->p1[i] = (p->z2[i] - p->z3[i]) / (c2 - 1.0);
        p->p2[i] = (middle - p->p1[i]) / (c1 - 1.0);
        p->p3[i] = p->p2[i] - first;
    }
}

/* Take the step to y_new at t_new and propose the next one. */
LW_STATIC void lw_radau5_accept(lw_integrator *s, const lw_radau5_pieces *p, double h, double t_new,
                                double error, int iterations, int refused)
{
    const int limit = LW_RADAU5_ITERATIONS;
    double safety = lw_smaller(LW_STEP_SAFETY, LW_STEP_SAFETY * (1 + 2 * limit) / (iterations + 2 * limit));
    double growth = safety * pow(error, -0.25), length = fabs(h);
    double ratio = s->h_accepted != 0.0 ? fabs(h / s->h_accepted) : 0.0;
    if (ratio > LW_STEP_CRUMB) { /* Gustafsson's prediction from the last two errors */
        growth = lw_smaller(growth, LW_STEP_SAFETY * ratio * pow(s->last_error / (error * error), 0.25));
    }
    lw_radau5_keep(s, p);
    lw_step_propose(s, h, growth, LW_RADAU5_LEAST, LW_RADAU5_MOST, refused);
    s->jacobian_wanted = s->contraction > LW_RADAU5_KEEP_JACOBIAN;
    s->jacobian_current = 0;
    if (!s->jacobian_wanted && fabs(s->h) >= length && fabs(s->h) <= LW_RADAU5_KEEP_LENGTH * length) {
        s->h = h;
    }
    s->last_error = lw_larger(error, 1e-2);
    s->h_accepted = h;
    lw_integrator_accept(s, s->n, t_new);
}

/* y_new and f there. Returns 0, or not 0 if f cannot be evaluated or what counts is not finite. */
LW_STATIC int lw_radau5_finish(lw_integrator *s, const lw_radau5_pieces *p, double t_new)
{
    for (int i = 0; i < s->n; ++i) {
        s->y_new[i] = s->y[i] + p->z3[i];
    }
    return !lw_all_finite(s->n, s->y_new) || lw_evaluate(s, s->f, t_new, s->y_new, s->other_rate)
           || !lw_all_finite(s->n, s->other_rate);
}

/* Try a step of length h. Returns the number of iterations, with the error; or 0, with how much shorter the
   step should be. */
LW_STATIC int lw_radau5_attempt(lw_integrator *s, const lw_radau5_pieces *p, double h, double t_new,
                                int refused, double *error, double *shorter)
{
    int iterations;
    *shorter = 0.5;
    if (h != s->h_factored && lw_radau5_factor(s, p, h)) {
        return 0;
    }
    iterations = lw_radau5_newton(s, p, h, shorter);
    if (iterations == 0) {
        return 0;
    }
    *error = lw_radau5_error(s, p, h, refused || s->h_accepted == 0.0);
    if (*error < 1.0) {
        return lw_radau5_finish(s, p, t_new) ? 0 : iterations;
    }
    *shorter = isnan(*error) ? 0.5
               : s->h_accepted == 0.0 ? 0.1
               : lw_larger(LW_RADAU5_LEAST, LW_STEP_SAFETY * pow(*error, -0.25));
    return 0;
}

/* Advance by one accepted step, not beyond t_end. */
LW_STATIC lw_step_status lw_radau5_step(lw_integrator *s, double t_end)
{
    lw_radau5_pieces p = lw_radau5_cut(s);
    lw_step_status status;
    double stretch = lw_radau5_stretch(s);
    if (t_end == s->t) {
        return LW_STEP_DONE;
    }
    status = lw_integrator_prepare(s, s->n, s->f, t_end, 4);
    if (status != LW_STEP_DONE) {
        return status;
    }
    for (int i = 0; i < s->n; ++i) {
        p.scale[i] = stretch * lw_error_scale(s, i, s->y[i], s->y[i]);
    }
    for (int refused = 0; refused < LW_STEP_ATTEMPTS; ++refused) {
        double h = lw_step_length(s, t_end), t_new = lw_step_end(s, h, t_end), error = NAN, shorter = 0.5;
        int iterations;
        if (lw_step_vanishes(s, h, t_new, t_end)) {
            return LW_STEP_TOO_SHORT;
        }
        if (s->jacobian_wanted && lw_radau5_jacobian(s, &p)) {
            s->jacobian_wanted = 1;
            return LW_STEP_NOT_FINITE;
        }
        iterations = lw_radau5_attempt(s, &p, h, t_new, refused, &error, &shorter);
        if (iterations > 0) {
            lw_radau5_accept(s, &p, h, t_new, error, iterations, refused);
            return LW_STEP_DONE;
        }
        ++s->rejected;
        s->h = h * shorter;
        s->jacobian_wanted = !s->jacobian_current;
    }
    return LW_STEP_REFUSED;
}

/* The solution at t within the last accepted step into y (n). Always returns 0. */
LW_STATIC int lw_radau5_dense(lw_integrator *s, double t, double *y)
{
    lw_radau5_pieces p = lw_radau5_cut(s);
    for (int i = 0; i < s->n; ++i) {
        y[i] = s->reach == 0.0
                   ? s->y[i]
                   : s->y_new[i] + lw_radau5_polynomial(&p, i, (t - (s->t_old + s->reach)) / s->reach);
    }
    return 0;
}

#endif
