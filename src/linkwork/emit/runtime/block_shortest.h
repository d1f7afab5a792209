/* Linear equations of which some may follow from the others, solved together: the shortest solution.

   Rows and columns are weighed alike, as for a symmetric matrix, and the solution is the shortest in these
   weights. Of a machine with more constraints than it needs, the accelerations are what they must be, and the
   forces are shared out among the constraints. */
#ifndef LW_BLOCK_SHORTEST_H
#define LW_BLOCK_SHORTEST_H

#include <math.h>
#include <stddef.h>

#include "block.h"
#include "linkage.h"
#include "minimum_norm.h"

#define LW_BLOCK_SHORTEST_WORK(n) ((n) * ((n) + 3) + LW_MINIMUM_NORM_WORK(n))
#define LW_BLOCK_SHORTEST_RANK 1e-10 /* rows that depend on others within this count as dependent */

/* Put the solution into x, NaN where there is none; f is the value of the equations where all unknowns are
   zero. work is LW_BLOCK_SHORTEST_WORK(n) long, column n. */
LW_STATIC void lw_block_solve_linear_shortest(int n, lw_block_equations *equations, const double *known,
                                              double *x, double *work, int *column)
{
    double *f = work, *weight = f + n, *d = weight + n, *j = d + n, *rest = j + (ptrdiff_t)n * n;
    int rank;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; ++i) {
        j[i] = 0.0;
    }
    equations(x, known, f, NULL, j);
    for (int i = 0; i < n; ++i) {
        double largest = lw_block_largest(n, j + (ptrdiff_t)i * n);
        weight[i] = largest > 0.0 ? 1.0 / sqrt(largest) : 1.0;
    }
    for (int i = 0; i < n; ++i) {
        f[i] *= -weight[i];
        for (int c = 0; c < n; ++c) {
            j[(ptrdiff_t)i * n + c] *= weight[i] * weight[c];
        }
    }
    rank = lw_minimum_norm(n, n, j, LW_BLOCK_SHORTEST_RANK, f, d, rest, column);
    for (int i = 0; i < n; ++i) {
        x[i] = rank < 0 ? NAN : weight[i] * d[i];
    }
}

#endif
