/* The shortest x among those that minimise ||A x - b||, for any m x n matrix A of any rank.

   Complete orthogonal decomposition (Golub & Van Loan, Matrix Computations, 4th ed., sections 5.4.2, 5.4.7):
   1. Householder reflections from the left, the longest remaining column first:  Q A P = [R11 R12; 0 E].
   2. The rank r is the number of pivots taken until the columns of E are no longer than tolerance * |R_00|.
   3. Householder reflections from the right remove R12:  [R11 R12] = [T 0] Z, with Z orthogonal.
   4. x = P transpose(Z) [inverse(T) c; 0], where c is the first r entries of Q b. The zeros make x shortest:
      x is orthogonal to the null space of A.
   Each reflection is I - tau v transpose(v) with v_0 = 1; the rest of v replaces the zeros that it makes.

   The rank is that of A as given, so a row in millimetres beside one in radians should be scaled first. The
   pivots follow the singular values within a factor that is small except on matrices made to fool them. */
#ifndef LW_MINIMUM_NORM_H
#define LW_MINIMUM_NORM_H

#include <float.h>

#include "linkage.h"
#include "vector.h"

/* Doubles of work: the tau of the left (n) and of the right (n), and scratch (n). */
#define LW_MINIMUM_NORM_WORK(n) (3 * (n))

/* The reflection that maps (head, tail) to (beta, 0): head becomes beta, tail becomes that of v. Returns tau.
   The entries of tail lie stride apart. */
LW_STATIC double lw_reflection(double *head, int count, double *tail, ptrdiff_t stride)
{
    double squares = 0.0, alpha = *head, beta;
    for (int i = 0; i < count; ++i) {
        squares += tail[i * stride] * tail[i * stride];
    }
    if (squares == 0.0) {
        return 0.0;
    }
    beta = -copysign(sqrt(alpha * alpha + squares), alpha);
    for (int i = 0; i < count; ++i) {
        tail[i * stride] /= alpha - beta; /* the signs differ, so nothing cancels */
    }
    *head = beta;
    return (beta - alpha) / beta;
}

/* Bring the column that is longest from row k down to place k. Returns its length. */
LW_STATIC double lw_pivot_column(int m, int n, double *a, int k, int *column, double *squares)
{
    int longest = k, kept;
    for (int j = k; j < n; ++j) {
        squares[j] = 0.0;
    }
    for (int i = k; i < m; ++i) {
        const double *row = LW_ROW(a, i, n);
        for (int j = k; j < n; ++j) {
            squares[j] += row[j] * row[j];
        }
    }
    for (int j = k + 1; j < n; ++j) {
        longest = squares[j] > squares[longest] ? j : longest;
    }
    for (int i = 0; i < m; ++i) {
        double *row = LW_ROW(a, i, n);
        double entry = row[k];
        row[k] = row[longest];
        row[longest] = entry;
    }
    kept = column[k];
    column[k] = column[longest];
    column[longest] = kept;
    return sqrt(squares[longest]);
}

/* Make column k zero below row k by a reflection from the left. Returns tau. */
LW_STATIC double lw_reflect_left(int m, int n, double *a, int k, double *scratch)
{
    double *row_k = LW_ROW(a, k, n);
    double tau;
    if (k == m - 1) {
        return 0.0;
    }
    tau = lw_reflection(row_k + k, m - 1 - k, row_k + n + k, n);
    for (int j = k + 1; j < n; ++j) {
        scratch[j] = row_k[j];
    }
    for (int i = k + 1; i < m; ++i) {
        const double *row = LW_ROW(a, i, n);
        for (int j = k + 1; j < n; ++j) {
            scratch[j] += row[k] * row[j];
        }
    }
    for (int j = k + 1; j < n; ++j) {
        row_k[j] -= tau * scratch[j];
    }
    for (int i = k + 1; i < m; ++i) {
        double *row = LW_ROW(a, i, n);
        double factor = tau * row[k];
        for (int j = k + 1; j < n; ++j) {
            row[j] -= factor * scratch[j];
        }
    }
    return tau;
}

/* Reflect the vector u (n) by the v that is 1 at place k, tail at the places from rank on, and else 0. */
LW_STATIC void lw_reflect_right(int n, int rank, int k, double tau, const double *tail, double *u)
{
    double factor = tau * (u[k] + lw_dot(n - rank, tail, u + rank));
    u[k] -= factor;
    for (int j = rank; j < n; ++j) {
        u[j] -= factor * tail[j - rank];
    }
}

/* Replace a (m x n) by its decomposition, to be used with the same work and column (n) by
   lw_minimum_norm_solve. tolerance is relative to the longest column; 0 or less stands for
   max(m, n) * machine epsilon. Returns the rank, or -1 if an entry is not finite; then a is unchanged. */
LW_STATIC int lw_minimum_norm_factor(int m, int n, double *a, double tolerance, double *work, int *column)
{
    const int safest_exponent = -1021; /* below it, 2^-exponent is no longer a double */
    double *left = work, *right = work + n, *scratch = work + 2 * n;
    ptrdiff_t size = (ptrdiff_t)m * n;
    double threshold = 0.0, scale;
    int rank = 0, exponent;
    if (!lw_all_finite(size, a)) {
        return -1;
    }
    if (!(tolerance > 0.0)) {
        tolerance = (m > n ? m : n) * DBL_EPSILON;
    }
    /* A power of two changes no digit; with entries of at most 1 no square overflows, and one that vanishes
       belongs to a column far below the tolerance. */
    frexp(lw_largest(size, a), &exponent);
    exponent = exponent < safest_exponent ? safest_exponent : exponent;
    scale = ldexp(1.0, -exponent);
    for (ptrdiff_t i = 0; i < size; ++i) {
        a[i] *= scale;
    }
    for (int j = 0; j < n; ++j) {
        column[j] = j;
    }
    while (rank < m && rank < n) {
        double length = lw_pivot_column(m, n, a, rank, column, scratch);
        threshold = rank == 0 ? tolerance * length : threshold;
        if (length <= threshold) {
            break;
        }
        left[rank] = lw_reflect_left(m, n, a, rank, scratch);
        ++rank;
    }
    for (int k = rank - 1; k >= 0; --k) {
        double *row_k = LW_ROW(a, k, n);
        right[k] = lw_reflection(row_k + k, n - rank, row_k + rank, 1);
        for (int i = 0; i < k; ++i) {
            lw_reflect_right(n, rank, k, right[k], row_k + rank, LW_ROW(a, i, n));
        }
    }
    for (int i = 0; i < rank; ++i) { /* only T has a scale */
        for (int j = i; j < rank; ++j) {
            LW_ROW(a, i, n)[j] /= scale;
        }
    }
    return rank;
}

/* Put the solution for the right-hand side b (m) into x (n). b becomes Q b: the length of its entries from
   rank on is ||A x - b||. */
LW_STATIC void lw_minimum_norm_solve(int m, int n, int rank, const double *a, double *work, const int *column,
                                     double *b, double *x)
{
    const double *left = work, *right = work + n;
    double *z = work + 2 * n;
    for (int k = 0; k < rank; ++k) {
        double factor = b[k];
        for (int i = k + 1; i < m; ++i) {
            factor += LW_ROW(a, i, n)[k] * b[i];
        }
        factor *= left[k];
        b[k] -= factor;
        for (int i = k + 1; i < m; ++i) {
            b[i] -= factor * LW_ROW(a, i, n)[k];
        }
    }
    for (int i = rank - 1; i >= 0; --i) {
        const double *row = LW_ROW(a, i, n);
        z[i] = (b[i] - lw_dot(rank - 1 - i, row + i + 1, z + i + 1)) / row[i];
    }
    for (int j = rank; j < n; ++j) {
        z[j] = 0.0;
    }
    for (int k = 0; k < rank; ++k) {
        lw_reflect_right(n, rank, k, right[k], LW_ROW(a, k, n) + rank, z);
    }
    for (int j = 0; j < n; ++j) {
        x[column[j]] = z[j];
    }
}

/* Both in one: a and b are overwritten. Returns the rank, or -1 if an entry of a or b is not finite. */
LW_STATIC int lw_minimum_norm(int m, int n, double *a, double tolerance, double *b, double *x, double *work,
                              int *column)
{
    int rank = lw_all_finite(m, b) ? lw_minimum_norm_factor(m, n, a, tolerance, work, column) : -1;
    if (rank >= 0) {
        lw_minimum_norm_solve(m, n, rank, a, work, column, b, x);
    }
    return rank;
}

#endif
