/* The linear complementarity problem: z >= 0, w = M z + q >= 0, z.w = 0, by Lemke's method.

   R. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear Complementarity Problem", 4.4. It solves every problem
   with a copositive-plus matrix that has a solution, as those of contacts and impacts are. Ties are broken in
   the order of the inverse of the basis, row by row (4.9), so that it does not go round in circles. What it
   finds is checked. */
#ifndef LW_LEMKE_H
#define LW_LEMKE_H

#include <math.h>

#include "linkage.h"
#include "vector.h"

/* Doubles and integers that the method needs. */
#define LW_LEMKE_WORK(n) ((n) * (2 * (n) + 3))
#define LW_LEMKE_TINY 1e-13 /* a pivot or a difference of ratios that is none, at first */
#define LW_LEMKE_LARGE 1e-6 /* and at last */
#define LW_LEMKE_CLOSE 1e-13 /* of the terms of a row: what a solution misses it by that is not refined */
#define LW_LEMKE_WRONG 1e-9 /* and what one does that is none */
#define LW_LEMKE_COVERS 3   /* covering vectors that are tried */

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

/* Whether one of two rows with the same ratio leaves before the other, when a column enters: the first
   difference of the rows of the inverse of the basis, which stands where w does, by their pivots. */
LW_STATIC int lw_lemke_sooner(int n, const double *one, const double *other, int column, double tiny)
{
    for (int j = 0; j < n; ++j) {
        double own = one[j] / one[column], its = other[j] / other[column];
        if (fabs(own - its) > tiny * (1.0 + fabs(its))) {
            return own < its;
        }
    }
    return one[column] > other[column];
}

/* The row that leaves when a column enters: the least ratio; the artificial variable goes first among
   equals. */
LW_STATIC int lw_lemke_row(int n, const double *a, const int *basis, int column, double tiny)
{
    int width = 2 * n + 2, found = -1;
    double best = INFINITY;
    for (int i = 0; i < n; ++i) {
        const double *row = LW_ROW(a, i, width);
        double ratio, slack;
        if (row[column] <= tiny) {
            continue;
        }
        ratio = row[width - 1] / row[column];
        slack = found < 0 ? 0.0 : tiny * (1.0 + fabs(best));
        if (found < 0 || ratio < best - slack ||
            (ratio <= best + slack && basis[found] != 2 * n &&
             (basis[i] == 2 * n || lw_lemke_sooner(n, row, LW_ROW(a, found, width), column, tiny)))) {
            best = fmin(best, ratio);
            found = i;
        }
    }
    return found;
}

/* The tableau of the method for q / size, with a covering vector of about 1. Returns the row that leaves
   first, or -1 where there is nothing to do. */
LW_STATIC int lw_lemke_begin(int n, const double *matrix, const double *q, double size, double tiny,
                             int cover, double *work, int *basis)
{
    int width = 2 * n + 2, row = -1;
    double least = 0.0;
    for (int i = 0; i < n; ++i) {
        double *own = LW_ROW(work, i, width);
        double covers = 1.0 + cover * fmod(0.6180339887 * (i + 1) * cover, 1.0);
        for (int j = 0; j < n; ++j) {
            own[j] = i == j ? 1.0 : 0.0;           /* w */
            own[n + j] = -LW_ROW(matrix, i, n)[j]; /* z */
        }
        own[2 * n] = -covers; /* the artificial variable */
        own[2 * n + 1] = fabs(q[i]) > tiny * size ? q[i] / size : 0.0;
        basis[i] = i;
        if (own[2 * n + 1] / covers < least) {
            least = own[2 * n + 1] / covers;
            row = i;
        }
    }
    return row;
}

/* The exchanges of the method. Returns 1 where the artificial variable has left, 0 where it does not. */
LW_STATIC int lw_lemke_exchange(int n, double *work, int *basis, int row, double tiny)
{
    int entering = 2 * n;
    for (int count = 0; count < 50 * (n + 1) && row >= 0; ++count) {
        int leaving = basis[row];
        lw_lemke_pivot(n, work, row, entering);
        basis[row] = entering;
        if (leaving == 2 * n) {
            return 1;
        }
        entering = leaving < n ? leaving + n : leaving - n;
        row = lw_lemke_row(n, work, basis, entering, tiny);
    }
    return 0;
}

/* z from the tableau; what stands in its last column is by the size. */
LW_STATIC void lw_lemke_read(int n, double size, const double *work, const int *basis, double *z)
{
    int width = 2 * n + 2;
    for (int i = 0; i < n; ++i) {
        z[i] = 0.0;
    }
    for (int i = 0; i < n; ++i) {
        if (basis[i] >= n) {
            z[basis[i] - n] = size * fmax(LW_ROW(work, i, width)[width - 1], 0.0);
        }
    }
}

/* Whether z solves the problem, but for a share of the terms of each row. */
LW_STATIC int lw_lemke_solves(int n, const double *matrix, const double *q, double size, double share,
                              const double *z)
{
    for (int i = 0; i < n; ++i) {
        const double *row = LW_ROW(matrix, i, n);
        double sum = q[i], terms = fabs(q[i]), wrong;
        for (int j = 0; j < n; ++j) {
            sum += row[j] * z[j];
            terms += fabs(row[j] * z[j]);
        }
        wrong = share * fmax(terms, size);
        if (!(sum >= -wrong) || (z[i] > 0.0 && !(sum <= wrong))) {
            return 0;
        }
    }
    return 1;
}

/* Improve the last column of the tableau by what it misses w - M z = q by: rounding adds up over exchanges.
   */
LW_STATIC void lw_lemke_refine(int n, const double *matrix, const double *q, double size, double *work,
                               const int *basis)
{
    int width = 2 * n + 2;
    double *missed = work + (ptrdiff_t)n * width;
    for (int i = 0; i < n; ++i) {
        missed[i] = q[i] / size;
    }
    for (int j = 0; j < n; ++j) {
        double value = LW_ROW(work, j, width)[width - 1];
        if (basis[j] < n) {
            missed[basis[j]] -= value;
        }
        for (int i = 0; i < n && basis[j] >= n; ++i) {
            missed[i] += LW_ROW(matrix, i, n)[basis[j] - n] * value;
        }
    }
    for (int i = 0; i < n; ++i) {
        LW_ROW(work, i, width)[width - 1] += lw_dot(n, LW_ROW(work, i, width), missed);
    }
}

/* The method for q / size; what is not above tiny counts as nothing. Returns whether z is found. */
LW_STATIC int lw_lemke_try(int n, const double *matrix, const double *q, double size, double tiny, int cover,
                           double *z, double *work, int *basis)
{
    int row = lw_lemke_begin(n, matrix, q, size, tiny, cover, work, basis);
    if (row >= 0 && !lw_lemke_exchange(n, work, basis, row, tiny)) {
        return 0;
    }
    lw_lemke_read(n, size, work, basis, z);
    if (lw_lemke_solves(n, matrix, q, size, LW_LEMKE_CLOSE, z)) {
        return 1;
    }
    lw_lemke_refine(n, matrix, q, size, work, basis);
    lw_lemke_read(n, size, work, basis, z);
    return lw_lemke_solves(n, matrix, q, size, LW_LEMKE_WRONG, z);
}

/* z (n) from M (n x n) and q (n). Where rows are almost the same, as of places that cannot slide but
   together, rounding may lead the method astray: then it is tried again with less attention to small numbers,
   and on other ways, by other covering vectors. Returns 1 where z is found, 0 where the method finds no
   solution. */
LW_STATIC int lw_lemke(int n, const double *matrix, const double *q, double *z, double *work, int *basis)
{
    double size = lw_largest(n, q);
    for (int cover = 0; cover < LW_LEMKE_COVERS; ++cover) {
        for (double tiny = LW_LEMKE_TINY; tiny <= LW_LEMKE_LARGE; tiny *= 100.0) {
            if (lw_lemke_try(n, matrix, q, size > 0.0 ? size : 1.0, tiny, cover, z, work, basis)) {
                return 1;
            }
        }
    }
    return 0;
}

#endif
