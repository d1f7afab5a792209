/* A bracketed root by ITP: near the secant method on smooth functions, never two calls worse than bisection.

   I. F. D. Oliveira and R. H. C. Takahashi, "An enhancement of the bisection method average performance
   preserving minmax optimality", ACM TOMS 47 (2020), algorithm 1. With the bracket [a, b], its middle m and
   the wanted half-width epsilon, each round
   - interpolates:  x_f = (b f_a - a f_b) / (f_a - f_b), the zero of the chord;
   - truncates:     x_t = x_f moved by delta = kappa_1 (b - a)^2 towards m, but not beyond it;
   - projects:      x_t moved into [m - r, m + r], with r = epsilon 2^(n_max - j) - (b - a) / 2 in round j.
   The last keeps b - a <= epsilon 2^(n_max - j + 1), so the bracket is small enough after at most
   n_max = ceil(log2((b_0 - a_0) / (2 epsilon))) + n_0 calls, whatever the function. The price: on a function
   that misleads the first chords, the slack n_0 is soon spent and the rest is bisection. */
#ifndef LW_ITP_H
#define LW_ITP_H

#include "bracket.h"

/* kappa_1 (b_0 - a_0): how far to mistrust the chord. kappa_2 is 2. Both as the authors recommend. */
#define LW_ITP_TRUNCATION 0.2
/* n_0: calls that may be lost against bisection. With 0 the first step is always the middle. */
#define LW_ITP_SLACK 1

/* A trifle taken off epsilon; see lw_itp_half_width. */
#define LW_ITP_SHRINK (1.0 - 1e-10)

/* The half-width epsilon that the bound n_max is counted for: the tolerance, or what rounding allows. It asks
   for a little more than lw_itp does, half of the allowance for rounding and the shrink, so that an x
   rounded to the wrong side of the projection cannot cost a call beyond the bound. */
LW_STATIC double lw_itp_half_width(const lw_bracket *bracket, double tolerance)
{
    double nearest_to_zero = (bracket->left < 0.0) == (bracket->right < 0.0)
                                 ? fmin(fabs(bracket->left), fabs(bracket->right))
                                 : 0.0;
    return 0.5 * LW_ITP_SHRINK * lw_bracket_allowance(0.5 * nearest_to_zero, tolerance);
}

/* n_max, the most calls that lw_itp makes on this bracket with this tolerance. */
LW_STATIC int lw_itp_bound(const lw_bracket *bracket, double tolerance)
{
    /* neither the width nor the ratio itself need be a finite double */
    double half = fabs(0.5 * bracket->right - 0.5 * bracket->left);
    double halvings = log2(half) - log2(lw_itp_half_width(bracket, tolerance));
    return LW_ITP_SLACK + (halvings > 0.0 && isfinite(halvings) ? (int)ceil(halvings) : 0);
}

/* Where to call the function next; reach is epsilon 2^(n_max - j). Any doubt ends in the middle. */
LW_STATIC double lw_itp_next(const lw_bracket *bracket, double first_width, double reach)
{
    double middle = lw_bracket_middle(bracket), width = bracket->right - bracket->left;
    double slope_inverse = width / (bracket->right_value - bracket->left_value);
    double chord_zero = bracket->left - bracket->left_value * slope_inverse;
    double truncation = LW_ITP_TRUNCATION * (width / first_width) * width;
    double radius = fmax(reach - 0.5 * width, 0.0);
    double away = middle - chord_zero, x;
    if (!(chord_zero > bracket->left && chord_zero < bracket->right)) {
        return middle;
    }
    x = truncation <= fabs(away) ? chord_zero + copysign(truncation, away) : middle;
    x = fabs(x - middle) <= radius ? x : middle - copysign(radius, away);
    return x > bracket->left && x < bracket->right ? x : middle;
}

/* Narrow the bracket until its ends are within tolerance + 4 DBL_EPSILON |x| of each other. */
LW_STATIC lw_root lw_itp(lw_function function, void *context, lw_bracket *bracket, double tolerance,
                         int iteration_limit)
{
    lw_status status = lw_bracket_prepare(bracket);
    double first_width = bracket->right - bracket->left;
    double half_width = lw_itp_half_width(bracket, tolerance);
    int bound = lw_itp_bound(bracket, tolerance), calls = 0;
    while (status == LW_ITERATION_LIMIT) {
        lw_root best = lw_bracket_answer(bracket, status, calls);
        double x, value;
        if (bracket->right - bracket->left <= lw_bracket_allowance(best.x, tolerance)) {
            status = LW_CONVERGED;
            break;
        }
        if (calls >= iteration_limit) {
            break;
        }
        x = lw_itp_next(bracket, first_width, ldexp(half_width, bound - calls));
        value = function(x, context);
        ++calls;
        if (isnan(value)) {
            status = LW_NOT_FINITE;
            break;
        }
        lw_bracket_narrow(bracket, x, value);
        status = value == 0.0 ? LW_CONVERGED : status;
    }
    return lw_bracket_answer(bracket, status, calls);
}

#endif
