/* Vectors and rows of row-major matrices: length, inner product, and whether all entries are finite. */
#ifndef LW_VECTOR_H
#define LW_VECTOR_H

#include <math.h>
#include <stddef.h>

#include "linkage.h"

/* Start of row i of a matrix with n columns. The product is taken in ptrdiff_t, so it cannot overflow. */
#define LW_ROW(a, i, n) ((a) + (ptrdiff_t)(i) * (n))

/* fmax and fmin for numbers that are known not to be NaN, without their call. */
LW_INLINE double lw_larger(double a, double b)
{
    return a > b ? a : b;
}

LW_INLINE double lw_smaller(double a, double b)
{
    return a < b ? a : b;
}

LW_STATIC int lw_all_finite(ptrdiff_t count, const double *v)
{
    for (ptrdiff_t i = 0; i < count; ++i) {
        if (!isfinite(v[i])) {
            return 0;
        }
    }
    return 1;
}

/* Largest absolute value; entries that are NaN are passed over. */
LW_STATIC double lw_largest(ptrdiff_t count, const double *v)
{
    double largest = 0.0;
    for (ptrdiff_t i = 0; i < count; ++i) {
        double size = fabs(v[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

LW_STATIC double lw_dot(int n, const double *u, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += u[i] * v[i];
    }
    return sum;
}

/* Euclidean length. Where the squares would overflow or vanish, it is taken of v / max |v_i| instead.
   NaN if an entry is NaN; infinite if one is infinite. */
LW_STATIC double lw_norm(int n, const double *v)
{
    const double smallest_safe = 1e-290, largest_safe = 1e290; /* of the sum of squares, with room for n */
    double squares = lw_dot(n, v, v);
    double largest, sum = 0.0;
    if ((squares > smallest_safe && squares < largest_safe) || isnan(squares)) {
        return sqrt(squares);
    }
    largest = lw_largest(n, v);
    if (largest == 0.0 || isinf(largest)) {
        return largest;
    }
    for (int i = 0; i < n; ++i) {
        double scaled = v[i] / largest;
        sum += scaled * scaled;
    }
    return largest * sqrt(sum);
}

#endif
