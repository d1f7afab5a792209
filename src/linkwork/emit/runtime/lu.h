/* Square linear systems A x = b by LU factors with partial pivoting, and how far to trust the answer.

   Gaussian elimination with row exchanges: P A = L U, L with unit diagonal and entries of at most 1 in size,
   both stored in place of A. Row-major storage asks for the order k-i-j, whose inner loop runs along rows.

   The condition is estimated as by Hager (1984) and Higham (ACM TOMS 14, 1988, algorithm 2.4): ||A^-1||_1 is
   the maximum of the convex function ||A^-1 x||_1 over ||x||_1 <= 1; a few steps from vertex to vertex, each
   one solve with A and one with its transpose, find a local maximum, seldom below a third of the true one. */
#ifndef LW_LU_H
#define LW_LU_H

#include "linkage.h"
#include "vector.h"

/* Replace a (n x n) by its factors. pivot (n) tells which row was exchanged with row k.
   Returns 0, or 1 + the index of the first pivot that is zero or not finite; then a is useless. */
LW_STATIC int lw_lu_factor(int n, double *a, int *pivot)
{
    for (int k = 0; k < n; ++k) {
        double *row_k = LW_ROW(a, k, n);
        double largest = 0.0;
        pivot[k] = k;
        for (int i = k; i < n; ++i) {
            double size = fabs(LW_ROW(a, i, n)[k]);
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
        if (pivot[k] != k) {
            double *row_p = LW_ROW(a, pivot[k], n);
            for (int j = 0; j < n; ++j) {
                double kept = row_k[j];
                row_k[j] = row_p[j];
                row_p[j] = kept;
            }
        }
        for (int i = k + 1; i < n; ++i) {
            double *row_i = LW_ROW(a, i, n);
            double factor = row_i[k] / row_k[k];
            row_i[k] = factor;
            for (int j = k + 1; j < n; ++j) {
                row_i[j] -= factor * row_k[j];
            }
        }
    }
    return 0;
}

/* Replace b by the solution of A x = b. */
LW_STATIC void lw_lu_solve(int n, const double *lu, const int *pivot, double *b)
{
    for (int k = 0; k < n; ++k) {
        double kept = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = kept;
    }
    for (int i = 1; i < n; ++i) {
        b[i] -= lw_dot(i, LW_ROW(lu, i, n), b);
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *row = LW_ROW(lu, i, n);
        b[i] = (b[i] - lw_dot(n - 1 - i, row + i + 1, b + i + 1)) / row[i];
    }
}

/* Replace b by the solution of transpose(A) x = b. */
LW_STATIC void lw_lu_solve_transposed(int n, const double *lu, const int *pivot, double *b)
{
    for (int i = 0; i < n; ++i) {
        const double *row = LW_ROW(lu, i, n);
        b[i] /= row[i];
        for (int j = i + 1; j < n; ++j) {
            b[j] -= row[j] * b[i];
        }
    }
    for (int i = n - 1; i > 0; --i) {
        const double *row = LW_ROW(lu, i, n);
        for (int j = 0; j < i; ++j) {
            b[j] -= row[j] * b[i];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        double kept = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = kept;
    }
}

/* Sum of absolute values. */
LW_STATIC double lw_taxicab(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += fabs(v[i]);
    }
    return sum;
}

/* The 1-norm of a (n x n), the largest column sum; take it before factoring. */
LW_STATIC double lw_lu_norm(int n, const double *a)
{
    double norm = 0.0;
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
            sum += fabs(LW_ROW(a, i, n)[j]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

#define LW_LU_WORK(n) (2 * (n))

/* An estimate of ||A^-1||_1 from below; work is LW_LU_WORK(n) long. */
LW_STATIC double lw_lu_inverse_norm(int n, const double *lu, const int *pivot, double *work)
{
    const int step_limit = 5; /* Higham's: more are hardly ever taken */
    double *x = work, *z = work + n;
    double estimate = 0.0;
    int vertex = -1; /* at first the centre of the simplex, later the corner at this unit vector */
    for (int step = 0; step < step_limit; ++step) {
        double size, gain;
        int next = 0;
        for (int i = 0; i < n; ++i) {
            x[i] = vertex < 0 ? 1.0 / n : (i == vertex ? 1.0 : 0.0);
        }
        lw_lu_solve(n, lu, pivot, x);
        size = lw_taxicab(n, x);
        if (step > 0 && !(size > estimate)) {
            break;
        }
        estimate = size;
        for (int i = 0; i < n; ++i) {
            z[i] = x[i] < 0.0 ? -1.0 : 1.0;
        }
        lw_lu_solve_transposed(n, lu, pivot, z); /* the subgradient */
        for (int i = 1; i < n; ++i) {
            next = fabs(z[i]) > fabs(z[next]) ? i : next;
        }
        gain = fabs(z[next]);
        if (next == vertex || !(gain > estimate)) {
            break;
        }
        vertex = next;
    }
    for (int i = 0; i < n; ++i) { /* the vector that catches the matrices on which the ascent stops early */
        x[i] = (i % 2 ? -1.0 : 1.0) * (1.0 + (n > 1 ? (double)i / (n - 1) : 0.0));
    }
    lw_lu_solve(n, lu, pivot, x);
    return fmax(estimate, 2.0 * lw_taxicab(n, x) / (3.0 * n));
}

/* An estimate of 1 / (||A||_1 ||A^-1||_1): near 1 is good, below 1e-16 the solution means nothing.
   norm is lw_lu_norm of the matrix before it was factored; work is LW_LU_WORK(n) long. */
LW_STATIC double lw_lu_reciprocal_condition(int n, const double *lu, const int *pivot, double norm,
                                            double *work)
{
    double inverse_norm, reciprocal;
    if (n == 0) {
        return 1.0;
    }
    inverse_norm = lw_lu_inverse_norm(n, lu, pivot, work);
    reciprocal = 1.0 / inverse_norm / norm;
    return isfinite(inverse_norm) && isfinite(reciprocal) ? fmin(reciprocal, 1.0) : 0.0;
}

#endif
