/* The shortest x with A x = b, for a matrix A of few entries whose rows only have columns in common with rows
   near them.

   x = transpose(A) y with (A transpose(A)) y = b. Rows more than band places apart share no column, so
   A transpose(A) is a band, and its Cholesky factor as well: the cost is m band^2, not m^3. Squaring A costs
   half of the digits, which is no harm in a Newton step; where too few are left, the caller must solve it by
   orthogonal reflections instead (minimum_norm.h). */
#ifndef LW_SHORTEST_BAND_H
#define LW_SHORTEST_BAND_H

#include <math.h>
#include <stddef.h>

#include "linkage.h"

#define LW_SHORTEST_BAND_WORK(m, band) ((m) * ((band) + 2))
#define LW_SHORTEST_BAND_RANK 1e-8 /* share of a row's square that must stand apart from the rows before it */

/* The inner product of two rows of A. The entries of row i are a[starts[i]] and on, in rising columns. */
LW_STATIC double lw_row_product(const int *starts, const int *columns, const double *a, int i, int k)
{
    int p = starts[i], q = starts[k];
    double sum = 0.0;
    while (p < starts[i + 1] && q < starts[k + 1]) {
        if (columns[p] == columns[q]) {
            sum += a[p++] * a[q++];
        } else if (columns[p] < columns[q]) {
            ++p;
        } else {
            ++q;
        }
    }
    return sum;
}

/* Factor A transpose(A) = L transpose(L); l keeps band + 1 entries of each row, the diagonal last. Returns
   the smallest share of a row's square that stands apart from the rows before it; 0 where that is too small
   or an entry is not finite, and then the factor is not complete. */
LW_STATIC double lw_band_factor(int m, const int *starts, const int *columns, const double *a, int band,
                                double *l)
{
    double smallest = 1.0;
    for (int i = 0; i < m; ++i) {
        double *row_i = l + (ptrdiff_t)i * (band + 1) + band - i; /* row_i[c] is its entry in column c */
        double own = lw_row_product(starts, columns, a, i, i), left = own;
        int first = i > band ? i - band : 0;
        for (int k = first; k < i; ++k) {
            const double *row_k = l + (ptrdiff_t)k * (band + 1) + band - k;
            int shared = k > band ? k - band : 0;
            double sum = lw_row_product(starts, columns, a, i, k);
            for (int c = shared > first ? shared : first; c < k; ++c) {
                sum -= row_i[c] * row_k[c];
            }
            row_i[k] = sum / row_k[k];
            left -= row_i[k] * row_i[k];
        }
        if (!(left > LW_SHORTEST_BAND_RANK * own) || isinf(left)) {
            return 0.0;
        }
        smallest = left < smallest * own ? left / own : smallest;
        row_i[i] = sqrt(left);
    }
    return smallest;
}

/* Put the solution into x (n). work is LW_SHORTEST_BAND_WORK(m, band) long. Returns 0 where the rows depend
   too much on each other; then x is unchanged. */
LW_STATIC int lw_shortest_band(int m, int n, const int *starts, const int *columns, const double *a, int band,
                               const double *b, double *x, double *work)
{
    double *y = work, *l = work + m;
    if (lw_band_factor(m, starts, columns, a, band, l) == 0.0) {
        return 0;
    }
    for (int i = 0; i < m; ++i) {
        const double *row = l + (ptrdiff_t)i * (band + 1) + band - i;
        y[i] = b[i];
        for (int k = i > band ? i - band : 0; k < i; ++k) {
            y[i] -= row[k] * y[k];
        }
        y[i] /= row[i];
    }
    for (int i = m - 1; i >= 0; --i) {
        const double *row = l + (ptrdiff_t)i * (band + 1) + band - i;
        y[i] /= row[i];
        for (int k = i > band ? i - band : 0; k < i; ++k) {
            y[k] -= row[k] * y[i];
        }
    }
    for (int c = 0; c < n; ++c) {
        x[c] = 0.0;
    }
    for (int i = 0; i < m; ++i) {
        for (int p = starts[i]; p < starts[i + 1]; ++p) {
            x[columns[p]] += a[p] * y[i];
        }
    }
    return 1;
}

#endif
