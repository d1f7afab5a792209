/* The interval in which a function of one variable changes sign, and how a root finder narrows it.

   Values may be infinite, since only their sign is needed to halve the interval; NaN may not. A function that
   jumps across zero has no root, only a place of change, and that is what is found: look at the value. */
#ifndef LW_BRACKET_H
#define LW_BRACKET_H

#include <float.h>
#include <math.h>

#include "linkage.h"
#include "status.h"

typedef double (*lw_function)(double x, void *context);

/* Two ends and the values of the function there. */
typedef struct {
    double left, right;
    double left_value, right_value;
} lw_bracket;

typedef struct {
    double x;     /* the end of the final bracket with the smaller value */
    double value; /* of the function there */
    int status;   /* an lw_status */
    int calls;    /* of the function */
} lw_root;

/* The bracket with these two ends; calls the function twice. A caller that has the values,
   such as one that watches for events between two steps, fills in the struct itself, in any order. */
LW_STATIC lw_bracket lw_bracket_between(lw_function function, void *context, double left, double right)
{
    lw_bracket bracket;
    bracket.left = left;
    bracket.right = right;
    bracket.left_value = function(left, context);
    bracket.right_value = function(right, context);
    return bracket;
}

/* The better end of the bracket as the answer. */
LW_STATIC lw_root lw_bracket_answer(const lw_bracket *bracket, lw_status status, int calls)
{
    int left_is_better = fabs(bracket->left_value) <= fabs(bracket->right_value);
    lw_root root;
    root.x = left_is_better ? bracket->left : bracket->right;
    root.value = left_is_better ? bracket->left_value : bracket->right_value;
    root.status = (int)status;
    root.calls = calls;
    return root;
}

/* Put the ends in order. Returns LW_ITERATION_LIMIT if there is work to do (as no call has been allowed yet),
   LW_CONVERGED if an end is a root already, else the fault. */
LW_STATIC lw_status lw_bracket_prepare(lw_bracket *bracket)
{
    lw_bracket given = *bracket;
    if (given.left > given.right) {
        bracket->left = given.right;
        bracket->right = given.left;
        bracket->left_value = given.right_value;
        bracket->right_value = given.left_value;
    }
    if (!isfinite(given.left) || !isfinite(given.right)) {
        return LW_NOT_FINITE;
    }
    if (isnan(given.left_value) || isnan(given.right_value)) {
        return LW_NOT_FINITE;
    }
    if (given.left_value == 0.0 || given.right_value == 0.0) {
        return LW_CONVERGED;
    }
    return (given.left_value < 0.0) == (given.right_value < 0.0) ? LW_NO_SIGN_CHANGE : LW_ITERATION_LIMIT;
}

/* Put x, which lies between the ends, in the place of the end on its side of zero; a root takes both. */
LW_STATIC void lw_bracket_narrow(lw_bracket *bracket, double x, double value)
{
    if (value == 0.0 || (value < 0.0) == (bracket->left_value < 0.0)) {
        bracket->left = x;
        bracket->left_value = value;
    }
    if (value == 0.0 || (value < 0.0) == (bracket->right_value < 0.0)) {
        bracket->right = x;
        bracket->right_value = value;
    }
}

/* How far apart the ends may stay: the caller's tolerance, and what doubles near x can tell apart. */
LW_STATIC double lw_bracket_allowance(double x, double tolerance)
{
    return fmax(tolerance, 0.0) + 4.0 * DBL_EPSILON * fabs(x) + DBL_MIN;
}

/* The middle; halves are added since the sum of the ends may overflow. */
LW_STATIC double lw_bracket_middle(const lw_bracket *bracket)
{
    return 0.5 * bracket->left + 0.5 * bracket->right;
}

#endif
