/* The linear complementarity problem: z >= 0, w = M z + q >= 0, z.w = 0, by Lemke's method.

   R. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear Complementarity Problem", 4.4. It solves every problem
   with a copositive-plus matrix that has a solution, as those of contacts and impacts are. Ties are broken by
   the largest pivot. */
#ifndef LW_LEMKE_H
#define LW_LEMKE_H

#include <math.h>

#include "linkage.h"
#include "vector.h"

/* Doubles and integers that the method needs. */
#define LW_LEMKE_WORK(n) ((n) * (2 * (n) + 2))
#define LW_LEMKE_TINY 1e-13 /* a pivot or a difference of ratios that is none, at first */
#define LW_LEMKE_LARGE 1e-6 /* and at last */

/* One exchange of the tableau: row leaves, column enters. */
LW_STATIC void lw_lemke_pivot(int n, double *a, int row, int column)
{
    int width = 2 * n + 2;
    double *own = LW_ROW(a, row, width), pivot = own[column];
    for (int j = 0; j < width; ++j) {
        own[j] /= pivot;
    }
    own[column] = 1.0;
    for (int i = 0; i < n; ++i) {
        double *other = LW_ROW(a, i, width), factor = other[column];
        if (i != row && factor != 0.0) {
            for (int j = 0; j < width; ++j) {
                other[j] -= factor * own[j];
            }
            other[column] = 0.0;
        }
    }
}

/* The row that leaves when a column enters: the least ratio; the artificial variable goes first among
   equals. */
LW_STATIC int lw_lemke_row(int n, const double *a, const int *basis, int column, double tiny)
{
    int width = 2 * n + 2, found = -1;
    double best = INFINITY, largest = 0.0;
    for (int i = 0; i < n; ++i) {
        const double *row = LW_ROW(a, i, width);
        double ratio, slack;
        if (row[column] <= tiny) {
            continue;
        }
        ratio = row[width - 1] / row[column];
        slack = found < 0 ? 0.0 : tiny * (1.0 + fabs(best));
        if (found < 0 || ratio < best - slack ||
            (ratio <= best + slack &&
             (basis[i] == 2 * n || (basis[found] != 2 * n && row[column] > largest)))) {
            best = fmin(best, ratio);
            largest = row[column];
            found = i;
        }
    }
    return found;
}

/* The method for q / size; what is not above tiny counts as nothing. */
LW_STATIC int lw_lemke_try(int n, const double *matrix, const double *q, double size, double tiny, double *z,
                           double *work, int *basis)
{
    int width = 2 * n + 2, row = -1, entering = 2 * n;
    double least = 0.0;
    for (int i = 0; i < n; ++i) {
        double *own = LW_ROW(work, i, width);
        for (int j = 0; j < n; ++j) {
            own[j] = i == j ? 1.0 : 0.0;           /* w */
            own[n + j] = -LW_ROW(matrix, i, n)[j]; /* z */
        }
        own[2 * n] = -1.0; /* the artificial variable */
        own[2 * n + 1] = fabs(q[i]) > tiny * size ? q[i] / size : 0.0;
        basis[i] = i;
        z[i] = 0.0;
        if (own[2 * n + 1] < least) {
            least = own[2 * n + 1];
            row = i;
        }
    }
    if (row < 0) {
        return 1;
    }
    for (int count = 0; count < 50 * (n + 1); ++count) {
        int leaving = basis[row];
        lw_lemke_pivot(n, work, row, entering);
        basis[row] = entering;
        if (leaving == 2 * n) {
            for (int i = 0; i < n; ++i) {
                if (basis[i] >= n) {
                    z[basis[i] - n] = size * fmax(LW_ROW(work, i, width)[width - 1], 0.0);
                }
            }
            return 1;
        }
        entering = leaving < n ? leaving + n : leaving - n;
        row = lw_lemke_row(n, work, basis, entering, tiny);
        if (row < 0) {
            return 0;
        }
    }
    return 0;
}

/* z (n) from M (n x n) and q (n). Where rows are almost the same, as of places that cannot slide but
   together, rounding may lead the method astray: then it is tried again with less attention to small
   numbers. Returns 1 where z is found, 0 where the method finds no solution. */
LW_STATIC int lw_lemke(int n, const double *matrix, const double *q, double *z, double *work, int *basis)
{
    double size = lw_largest(n, q);
    for (double tiny = LW_LEMKE_TINY; tiny <= LW_LEMKE_LARGE; tiny *= 100.0) {
        if (lw_lemke_try(n, matrix, q, size > 0.0 ? size : 1.0, tiny, z, work, basis)) {
            return 1;
        }
    }
    return 0;
}

#endif
