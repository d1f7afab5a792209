/* Two forces by elimination: most touches that hold together in a clock have no more. */
#ifndef LW_BALANCE_TWO_H
#define LW_BALANCE_TWO_H

#include <math.h>

#include "linkage.h"
#include "vector.h"

/* The forces f with matrix f = -bias. Returns 0 where that does not show at once that none of them is spare,
   by the rule of lw_minimum_norm with this tolerance, or numbers are not finite. */
LW_STATIC int lw_balance_two(const double *matrix, const double *bias, double tolerance, double *force)
{
    int big = fabs(matrix[2]) > fabs(matrix[0]) ? 2 : 0, small = 2 - big;
    double one = matrix[0] * matrix[0] + matrix[2] * matrix[2];
    double other = matrix[1] * matrix[1] + matrix[3] * matrix[3];
    double factor = matrix[small] / matrix[big], rest = matrix[small + 1] - factor * matrix[big + 1];
    if (!(fabs(rest * matrix[big]) > tolerance * lw_larger(one, other))) {
        return 0;
    }
    force[1] = (factor * bias[big / 2] - bias[small / 2]) / rest;
    force[0] = -(bias[big / 2] + matrix[big + 1] * force[1]) / matrix[big];
    return isfinite(force[0]) && isfinite(force[1]);
}

#endif
