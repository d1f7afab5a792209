/* Systems F(x) = 0 with as many equations and unknowns as you like, by Newton's method in a trust region.

   At x, with J = F'(x), the model is ||F + J p||. Its minimiser of least length is the Newton step
   p_N = -J^+ F: by LU if J is square and far from singular, else by the complete orthogonal decomposition. It
   is trusted up to a radius. Where it is longer, Powell's dogleg takes its place (M.J.D. Powell, "A hybrid
   method for nonlinear equations", 1970): from x along -g, with g = J^T F, to the model's minimum on that
   line at p_C = -g ||g||^2 / ||J g||^2, and from there straight to p_N, as far as the radius allows. A damped
   Newton step alone can converge to a point where J is singular and ||F|| is not even stationary; the bend
   towards -g prevents that.

   The radius grows or shrinks with the gain, the reduction of ||F||^2 over the one that the model promised. A
   trial point where F is not finite has no gain: the step is refused and the radius shrinks, so the search
   turns back at the edge of the domain of a square root or a logarithm. All norms are divided by ||F|| before
   they are squared. */
#ifndef LW_NEWTON_H
#define LW_NEWTON_H

#include <float.h>

#include "linkage.h"
#include "lu.h"
#include "minimum_norm.h"
#include "status.h"
#include "vector.h"

/* A gain below which a step is refused. Any small positive number serves. */
#define LW_NEWTON_REFUSED 1e-4
/* A gain below which the radius shrinks to a quarter of the step, and one above which it may double. */
#define LW_NEWTON_POOR 0.25
#define LW_NEWTON_GOOD 0.75
/* A promised relative reduction of ||F||^2 that rounding makes unverifiable: the search has stalled. */
#define LW_NEWTON_STALLED (4.0 * DBL_EPSILON)

/* Puts F (equations) at x (unknowns) into residual and, unless jacobian is null, the row-major
   equations x unknowns matrix of dF_i/dx_j into jacobian. Outside the domain of F it writes NaN. */
typedef void (*lw_system)(const double *x, double *residual, double *jacobian, void *context);

typedef struct {
    double residual_tolerance; /* converged when ||F|| is at most this, in the unit of F */
    double rank_tolerance;     /* see lw_minimum_norm_factor; 0 for its default */
    double first_radius;       /* the longest first step, in the unit of x; 0 to let Newton choose */
    int iteration_limit;       /* steps tried, refused ones included */
} lw_newton_options;

typedef struct {
    double residual_norm; /* ||F(x)|| at the x returned, the best one met */
    int status;           /* an lw_status */
    int iterations;       /* steps tried */
    int rank;             /* of the last Jacobian, -1 if there was none */
} lw_newton_report;

/* What lw_newton needs of the caller, in doubles and in ints. */
#define LW_NEWTON_WORK(equations, unknowns) \
    (2 * (equations) * (unknowns) + 4 * (equations) + 4 * (unknowns) + LW_MINIMUM_NORM_WORK(unknowns))
#define LW_NEWTON_INTEGERS(unknowns) (unknowns)

/* One solution under way: the system and the pieces into which the workspace is cut. */
typedef struct {
    int equations, unknowns;
    double *residual, *trial_residual, *right_side, *model; /* equations each */
    double *newton, *descent, *step, *trial, *x;            /* unknowns each; x is the caller's */
    double *jacobian, *factors;                             /* equations x unknowns each */
    double *work;
    int *integers;
    double residual_norm, newton_length;
    double cauchy_length; /* negative until the dogleg is needed */
} lw_newton_search;

LW_STATIC void lw_newton_lay_out(lw_newton_search *s, int equations, int unknowns, double *x, double *work,
                                 int *integers)
{
    ptrdiff_t size = (ptrdiff_t)equations * unknowns;
    s->equations = equations;
    s->unknowns = unknowns;
    s->x = x;
    s->jacobian = work;
    s->factors = s->jacobian + size;
    s->residual = s->factors + size;
    s->trial_residual = s->residual + equations;
    s->right_side = s->trial_residual + equations;
    s->model = s->right_side + equations;
    s->newton = s->model + equations;
    s->descent = s->newton + unknowns;
    s->step = s->descent + unknowns;
    s->trial = s->step + unknowns;
    s->work = s->trial + unknowns;
    s->integers = integers;
    s->residual_norm = 0.0;
    s->newton_length = 0.0;
    s->cauchy_length = -1.0;
}

/* Solve J p = -F into newton. Returns the rank of J, or -1 if J is not finite. */
LW_STATIC int lw_newton_step(lw_newton_search *s, double rank_tolerance)
{
    int m = s->equations, n = s->unknowns, rank = -1;
    ptrdiff_t size = (ptrdiff_t)m * n;
    double tolerance = rank_tolerance > 0.0 ? rank_tolerance : (m > n ? m : n) * DBL_EPSILON;
    for (ptrdiff_t i = 0; i < size; ++i) {
        s->factors[i] = s->jacobian[i];
    }
    for (int i = 0; i < m; ++i) {
        s->right_side[i] = -s->residual[i];
    }
    if (m == n && lw_lu_factor(n, s->factors, s->integers) == 0) {
        double norm = lw_lu_norm(n, s->jacobian);
        if (lw_lu_reciprocal_condition(n, s->factors, s->integers, norm, s->work) > tolerance) {
            lw_lu_solve(n, s->factors, s->integers, s->right_side);
            for (int j = 0; j < n; ++j) {
                s->newton[j] = s->right_side[j];
            }
            return n;
        }
    }
    for (ptrdiff_t i = 0; i < size; ++i) {
        s->factors[i] = s->jacobian[i];
    }
    rank = lw_minimum_norm_factor(m, n, s->factors, tolerance, s->work, s->integers);
    if (rank >= 0) {
        lw_minimum_norm_solve(m, n, rank, s->factors, s->work, s->integers, s->right_side, s->newton);
    }
    return rank;
}

/* Put the unit vector along -g into descent and the distance to the model's minimum on that line into
   cauchy_length: with u = F / ||F|| and d = -g / ||g||, it is ||F|| (||J^T u|| / ||J d||) / ||J d||. */
LW_STATIC void lw_newton_descent(lw_newton_search *s)
{
    double slope, curvature;
    for (int j = 0; j < s->unknowns; ++j) {
        s->descent[j] = 0.0;
    }
    for (int i = 0; i < s->equations; ++i) {
        double weight = -s->residual[i] / s->residual_norm;
        for (int j = 0; j < s->unknowns; ++j) {
            s->descent[j] += weight * LW_ROW(s->jacobian, i, s->unknowns)[j];
        }
    }
    slope = lw_norm(s->unknowns, s->descent);
    for (int j = 0; j < s->unknowns && slope > 0.0; ++j) {
        s->descent[j] /= slope;
    }
    for (int i = 0; i < s->equations; ++i) {
        s->model[i] = lw_dot(s->unknowns, LW_ROW(s->jacobian, i, s->unknowns), s->descent);
    }
    curvature = lw_norm(s->equations, s->model);
    s->cauchy_length = curvature > 0.0 ? s->residual_norm * (slope / curvature) / curvature : 0.0;
}

/* Put the dogleg's point at the radius into step. Returns the length of the step. */
LW_STATIC double lw_newton_dogleg(lw_newton_search *s, double radius)
{
    double along = 0.0, across = 0.0, remaining, fraction;
    if (isfinite(s->newton_length) && s->newton_length <= radius) {
        for (int j = 0; j < s->unknowns; ++j) {
            s->step[j] = s->newton[j];
        }
        return s->newton_length;
    }
    if (s->cauchy_length < 0.0) {
        lw_newton_descent(s);
    }
    if (!(s->cauchy_length < radius) || !isfinite(s->newton_length)) {
        double length = fmin(s->cauchy_length, radius);
        for (int j = 0; j < s->unknowns; ++j) {
            s->step[j] = length * s->descent[j];
        }
        return length;
    }
    /* Where || p_C + fraction (p_N - p_C) || = radius, all lengths in units of the radius: a quadratic whose
       positive root is written so that nothing cancels. */
    for (int j = 0; j < s->unknowns; ++j) {
        double cauchy = s->cauchy_length / radius * s->descent[j];
        double rest = s->newton[j] / radius - cauchy;
        along += cauchy * rest;
        across += rest * rest;
    }
    remaining = (1.0 - s->cauchy_length / radius) * (1.0 + s->cauchy_length / radius);
    fraction = remaining / (along + sqrt(along * along + across * remaining));
    for (int j = 0; j < s->unknowns; ++j) {
        double cauchy = s->cauchy_length * s->descent[j];
        s->step[j] = cauchy + fraction * (s->newton[j] - cauchy);
    }
    return radius;
}

/* The relative reduction of ||F||^2 that the model promises for step. */
LW_STATIC double lw_newton_promise(lw_newton_search *s)
{
    double remaining;
    for (int i = 0; i < s->equations; ++i) {
        s->model[i] = s->residual[i] + lw_dot(s->unknowns, LW_ROW(s->jacobian, i, s->unknowns), s->step);
    }
    remaining = lw_norm(s->equations, s->model) / s->residual_norm;
    return (1.0 - remaining) * (1.0 + remaining);
}

/* Put x + step into trial. Returns whether it differs from x. */
LW_STATIC int lw_newton_moves(lw_newton_search *s)
{
    int moved = 0;
    for (int j = 0; j < s->unknowns; ++j) {
        s->trial[j] = s->x[j] + s->step[j];
        moved = moved || s->trial[j] != s->x[j];
    }
    return moved;
}

/* Make the trial point the current one. */
LW_STATIC void lw_newton_accept(lw_newton_search *s, double norm)
{
    double *kept = s->residual;
    s->residual = s->trial_residual;
    s->trial_residual = kept;
    s->residual_norm = norm;
    for (int j = 0; j < s->unknowns; ++j) {
        s->x[j] = s->trial[j];
    }
}

/* Evaluate F and J at x and find the Newton step there. Returns the rank of J, or -1 if J is not finite. */
LW_STATIC int lw_newton_linearise(lw_newton_search *s, lw_system system, void *context, double rank_tolerance)
{
    int rank;
    system(s->x, s->residual, s->jacobian, context);
    rank = lw_newton_step(s, rank_tolerance);
    s->newton_length = lw_norm(s->unknowns, s->newton);
    s->cauchy_length = -1.0;
    return rank;
}

/* Improve x (unknowns) until ||F(x)|| is small enough. work is LW_NEWTON_WORK(equations, unknowns) long,
   integers LW_NEWTON_INTEGERS(unknowns). With fewer equations than unknowns, or a singular Jacobian, every
   full step is the shortest one, so that x stays near where it began. Whatever the status, x is the best
   point met. */
LW_STATIC lw_newton_report lw_newton(int equations, int unknowns, lw_system system, void *context,
                                     const lw_newton_options *options, double *x, double *work, int *integers)
{
    lw_newton_search s;
    lw_newton_report report = {0.0, LW_NOT_FINITE, 0, -1};
    double radius = options->first_radius > 0.0 ? options->first_radius : DBL_MAX;
    int moved = 1;
    lw_newton_lay_out(&s, equations, unknowns, x, work, integers);
    system(x, s.residual, NULL, context);
    s.residual_norm = lw_norm(equations, s.residual);
    while (isfinite(s.residual_norm)) {
        double length, promise, norm, remaining, gain;
        if (s.residual_norm <= options->residual_tolerance) {
            report.status = LW_CONVERGED;
            break;
        }
        if (report.iterations >= options->iteration_limit) {
            report.status = LW_ITERATION_LIMIT;
            break;
        }
        if (moved) {
            report.rank = lw_newton_linearise(&s, system, context, options->rank_tolerance);
            if (report.rank < 0) {
                break;
            }
        }
        ++report.iterations;
        length = lw_newton_dogleg(&s, radius);
        promise = lw_newton_promise(&s);
        if (promise <= LW_NEWTON_STALLED || !lw_newton_moves(&s)) {
            report.status = LW_NO_PROGRESS;
            break;
        }
        system(s.trial, s.trial_residual, NULL, context);
        norm = lw_norm(equations, s.trial_residual);
        remaining = norm / s.residual_norm;
        gain = (1.0 - remaining) * (1.0 + remaining) / promise; /* if NaN, refused by all that follows */
        if (report.iterations == 1) {
            radius = fmin(radius, length);
        }
        if (!(gain >= LW_NEWTON_POOR)) {
            radius = 0.25 * length;
        } else if (gain >= LW_NEWTON_GOOD) {
            radius = fmax(radius, 2.0 * length);
        }
        moved = gain > LW_NEWTON_REFUSED;
        if (moved) {
            lw_newton_accept(&s, norm);
        }
    }
    report.residual_norm = s.residual_norm;
    return report;
}

#endif
