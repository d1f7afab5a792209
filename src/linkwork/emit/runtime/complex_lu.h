/* Square linear systems A x = b of complex numbers by LU factors with partial pivoting, as lu.h does for real
   ones. A number is two neighbouring doubles, real part first; <complex.h> is avoided, for its products and
   quotients look after infinities at several times the cost. */
#ifndef LW_COMPLEX_LU_H
#define LW_COMPLEX_LU_H

#include <math.h>

#include "linkage.h"
#include "vector.h"

/* Start of row i of a complex matrix with n columns. */
#define LW_COMPLEX_ROW(a, i, n) ((a) + 2 * (ptrdiff_t)(i) * (n))

/* z -= u v */
LW_STATIC void lw_complex_subtract_product(double *z, const double *u, const double *v)
{
    z[0] -= u[0] * v[0] - u[1] * v[1];
    z[1] -= u[0] * v[1] + u[1] * v[0];
}

/* z /= d, scaled so that |d|^2 neither overflows nor vanishes (Smith 1962). */
LW_STATIC void lw_complex_divide(double *z, const double *d)
{
    double real = z[0], imaginary = z[1];
    if (fabs(d[0]) >= fabs(d[1])) {
        double ratio = d[1] / d[0], size = d[0] + d[1] * ratio;
        z[0] = (real + imaginary * ratio) / size;
        z[1] = (imaginary - real * ratio) / size;
    } else {
        double ratio = d[0] / d[1], size = d[0] * ratio + d[1];
        z[0] = (real * ratio + imaginary) / size;
        z[1] = (imaginary * ratio - real) / size;
    }
}

LW_STATIC void lw_complex_exchange(double *u, double *v)
{
    double real = u[0], imaginary = u[1];
    u[0] = v[0];
    u[1] = v[1];
    v[0] = real;
    v[1] = imaginary;
}

/* Replace a (n x n) by its factors. pivot (n) tells which row was exchanged with row k.
   Returns 0, or 1 + the index of the first pivot that is zero or not finite; then a is useless. */
LW_STATIC int lw_complex_lu_factor(int n, double *a, int *pivot)
{
    for (int k = 0; k < n; ++k) {
        double *row_k = LW_COMPLEX_ROW(a, k, n), *row_p;
        double largest = 0.0;
        pivot[k] = k;
        for (int i = k; i < n; ++i) {
            const double *entry = LW_COMPLEX_ROW(a, i, n) + 2 * k;
            double size = fabs(entry[0]) + fabs(entry[1]);
            if (!isfinite(size)) {
                return 1 + k;
            }
            if (size > largest) {
                largest = size;
                pivot[k] = i;
            }
        }
        if (largest == 0.0) {
            return 1 + k;
        }
        row_p = LW_COMPLEX_ROW(a, pivot[k], n);
        for (int j = 0; j < n && row_p != row_k; ++j) {
            lw_complex_exchange(row_k + 2 * j, row_p + 2 * j);
        }
        for (int i = k + 1; i < n; ++i) {
            double *row_i = LW_COMPLEX_ROW(a, i, n), *factor = row_i + 2 * k;
            lw_complex_divide(factor, row_k + 2 * k);
            for (int j = k + 1; j < n; ++j) {
                lw_complex_subtract_product(row_i + 2 * j, factor, row_k + 2 * j);
            }
        }
    }
    return 0;
}

/* Replace b (n) by the solution of A x = b. */
LW_STATIC void lw_complex_lu_solve(int n, const double *lu, const int *pivot, double *b)
{
    for (int k = 0; k < n; ++k) {
        lw_complex_exchange(b + 2 * k, b + 2 * pivot[k]);
    }
    for (int i = 1; i < n; ++i) {
        const double *row = LW_COMPLEX_ROW(lu, i, n);
        for (int j = 0; j < i; ++j) {
            lw_complex_subtract_product(b + 2 * i, row + 2 * j, b + 2 * j);
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *row = LW_COMPLEX_ROW(lu, i, n);
        for (int j = i + 1; j < n; ++j) {
            lw_complex_subtract_product(b + 2 * i, row + 2 * j, b + 2 * j);
        }
        lw_complex_divide(b + 2 * i, row + 2 * i);
    }
}

#endif
