/* Symmetric positive definite systems A x = b, such as mass matrices, by A = L transpose(L).

   Row by row: L_ij = (A_ij - sum_{k<j} L_ik L_jk) / L_jj for j < i, and L_ii^2 = A_ii - sum_{k<i} L_ik^2, so
   that every sum runs along two rows. No pivoting is needed. A pivot L_ii^2 that is not positive proves that
   A is not positive definite to working accuracy. */
#ifndef LW_CHOLESKY_H
#define LW_CHOLESKY_H

#include "linkage.h"
#include "vector.h"

/* Replace the lower triangle of a (n x n) by L; the upper triangle is neither read nor written.
   Returns 0, or 1 + the index of the first pivot that is not positive and finite; then a is useless. */
LW_STATIC int lw_cholesky_factor(int n, double *a)
{
    for (int i = 0; i < n; ++i) {
        double *row_i = LW_ROW(a, i, n);
        double pivot;
        for (int j = 0; j < i; ++j) {
            const double *row_j = LW_ROW(a, j, n);
            row_i[j] = (row_i[j] - lw_dot(j, row_i, row_j)) / row_j[j];
        }
        pivot = row_i[i] - lw_dot(i, row_i, row_i);
        if (!(pivot > 0.0 && isfinite(pivot))) {
            return 1 + i;
        }
        row_i[i] = sqrt(pivot);
    }
    return 0;
}

/* Replace b by the solution of A x = b. */
LW_STATIC void lw_cholesky_solve(int n, const double *l, double *b)
{
    for (int i = 0; i < n; ++i) {
        const double *row = LW_ROW(l, i, n);
        b[i] = (b[i] - lw_dot(i, row, b)) / row[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *row = LW_ROW(l, i, n);
        b[i] /= row[i];
        for (int j = 0; j < i; ++j) {
            b[j] -= row[j] * b[i];
        }
    }
}

#endif
