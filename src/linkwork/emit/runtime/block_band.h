/* Linear equations whose matrix has entries only near its diagonal, solved together.

   Entries stand at most below places under and above places over the diagonal. Row i keeps the columns from
   i - below to i + above + below, since rows that change places bring longer ones along. Rows are weighed as
   in block.h. The cost is n (below + above) below, not n^3: a chain of loops costs what its links do. */
#ifndef LW_BLOCK_BAND_H
#define LW_BLOCK_BAND_H

#include <math.h>
#include <stddef.h>

#include "block.h"
#include "linkage.h"

#define LW_BLOCK_BAND_WORK(n, width) ((n) * ((width) + 2))

/* Put the solution into x, NaN where there is none; f is the value of the equations where all unknowns are
   zero. work is LW_BLOCK_BAND_WORK(n, 2 below + above + 1) long. */
LW_STATIC void lw_block_solve_linear_band(int n, int below, int above, lw_block_equations *equations,
                                          const double *known, double *x, double *work)
{
    int width = 2 * below + above + 1, solved = 1;
    double *f = work, *share = f + n, *j = share + n;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * width; ++i) {
        j[i] = 0.0;
    }
    equations(x, known, f, NULL, j);
    for (int i = 0; i < n; ++i) {
        double largest = lw_block_largest(width, j + (ptrdiff_t)i * width);
        solved = solved && largest > 0.0 && largest < INFINITY && fabs(f[i]) < INFINITY;
        share[i] = 1.0 / largest;
        f[i] = -f[i];
    }
    for (int k = 0; k < n && solved; ++k) {
        int last_row = k + below < n ? k + below : n - 1;
        int last_column = k + below + above < n ? k + below + above : n - 1, pivot = k;
        double *row_k = j + (ptrdiff_t)k * width + below - k; /* row_k[c] is its entry in column c */
        double *row_p = row_k;
        for (int i = k + 1; i <= last_row; ++i) {
            double *row_i = j + (ptrdiff_t)i * width + below - i;
            if (fabs(row_i[k]) * share[i] > fabs(row_p[k]) * share[pivot]) {
                pivot = i;
                row_p = row_i;
            }
        }
        solved = fabs(row_p[k]) > 0.0 && fabs(row_p[k]) < INFINITY;
        if (pivot != k) {
            double kept = f[k];
            f[k] = f[pivot];
            f[pivot] = kept;
            share[pivot] = share[k];
            for (int c = k; c <= last_column; ++c) {
                kept = row_k[c];
                row_k[c] = row_p[c];
                row_p[c] = kept;
            }
        }
        for (int i = k + 1; i <= last_row && solved; ++i) {
            double *row_i = j + (ptrdiff_t)i * width + below - i;
            double factor = row_i[k] / row_k[k];
            for (int c = k + 1; c <= last_column && factor != 0.0; ++c) {
                row_i[c] -= factor * row_k[c];
            }
            f[i] -= factor * f[k];
        }
    }
    for (int i = n - 1; i >= 0 && solved; --i) {
        const double *row = j + (ptrdiff_t)i * width + below - i;
        int last_column = i + below + above < n ? i + below + above : n - 1;
        for (int c = i + 1; c <= last_column; ++c) {
            f[i] -= row[c] * f[c];
        }
        f[i] /= row[i];
        solved = fabs(f[i]) < INFINITY;
    }
    for (int i = 0; i < n; ++i) {
        x[i] = solved ? f[i] : NAN;
    }
}

#endif
