/* A bracketed root by Brent's method: interpolation where it pays, bisection where it does not.

   R. P. Brent, "An algorithm with guaranteed convergence for finding a zero of a function", The Computer
   Journal 14 (1971). Three points are kept: the best, the other end of the bracket, and the previous best.
   The next step from the best is that of inverse quadratic interpolation through the three (of the secant
   when two coincide), unless it goes beyond three quarters of the way to the other end, or is not less than
   half of the step before the last; then the bracket is halved. No step is shorter than half of the
   allowance, so that the far end of the bracket comes in too. */
#ifndef LW_BRENT_H
#define LW_BRENT_H

#include "bracket.h"

typedef struct {
    double x, value;
} lw_sample;

typedef struct {
    lw_sample best, other, previous;
    double step, step_before; /* the last two */
} lw_brent_search;

/* Name the ends of the bracket by their worth. */
LW_STATIC void lw_brent_rank(lw_brent_search *s, const lw_bracket *bracket)
{
    lw_sample left, right;
    int left_is_better = fabs(bracket->left_value) <= fabs(bracket->right_value);
    left.x = bracket->left;
    left.value = bracket->left_value;
    right.x = bracket->right;
    right.value = bracket->right_value;
    s->best = left_is_better ? left : right;
    s->other = left_is_better ? right : left;
}

/* Choose the next step from the best point; half is the step to the middle. */
LW_STATIC void lw_brent_choose(lw_brent_search *s, double half, double shortest)
{
    double ratio = s->best.value / s->previous.value, numerator, denominator;
    int finite = isfinite(s->previous.value) && isfinite(s->other.value);
    int improving = fabs(s->previous.value) > fabs(s->best.value) && fabs(s->step_before) >= shortest;
    if (s->previous.x == s->other.x) {
        numerator = 2.0 * half * ratio;
        denominator = 1.0 - ratio;
    } else {
        double q = s->previous.value / s->other.value, r = s->best.value / s->other.value;
        numerator = ratio * (2.0 * half * q * (q - r) - (s->best.x - s->previous.x) * (r - 1.0));
        denominator = (q - 1.0) * (r - 1.0) * (ratio - 1.0);
    }
    if (numerator > 0.0) {
        denominator = -denominator;
    }
    numerator = fabs(numerator);
    if (finite && improving && 2.0 * numerator < 3.0 * half * denominator - fabs(shortest * denominator) &&
        2.0 * numerator < fabs(s->step_before * denominator)) {
        s->step_before = s->step;
        s->step = numerator / denominator;
    } else {
        s->step_before = half;
        s->step = half;
    }
}

/* Narrow the bracket until its ends are within tolerance + 4 DBL_EPSILON |x| of each other. */
LW_STATIC lw_root lw_brent(lw_function function, void *context, lw_bracket *bracket, double tolerance,
                           int iteration_limit)
{
    lw_status status = lw_bracket_prepare(bracket);
    lw_brent_search s;
    int calls = 0;
    lw_brent_rank(&s, bracket);
    s.previous = s.other;
    s.step = s.step_before = s.best.x - s.other.x;
    while (status == LW_ITERATION_LIMIT) {
        double allowance = lw_bracket_allowance(s.best.x, tolerance);
        double half = 0.5 * s.other.x - 0.5 * s.best.x, shortest = 0.5 * allowance;
        lw_sample new_point;
        if (fabs(half) <= shortest) {
            status = LW_CONVERGED;
            break;
        }
        if (calls >= iteration_limit) {
            break;
        }
        lw_brent_choose(&s, half, shortest);
        new_point.x = s.best.x + (fabs(s.step) > shortest ? s.step : copysign(shortest, half));
        new_point.value = function(new_point.x, context);
        ++calls;
        if (isnan(new_point.value)) {
            status = LW_NOT_FINITE;
            break;
        }
        lw_bracket_narrow(bracket, new_point.x, new_point.value);
        if ((new_point.value < 0.0) != (s.best.value < 0.0)) { /* the old best is now the other end */
            s.step = s.step_before = new_point.x - s.best.x;
        }
        s.previous = s.best;
        lw_brent_rank(&s, bracket);
        if (s.best.x != new_point.x) {
            s.previous = new_point;
        }
        status = new_point.value == 0.0 ? LW_CONVERGED : status;
    }
    return lw_bracket_answer(bracket, status, calls);
}

#endif
