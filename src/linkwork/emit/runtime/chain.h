/* Systems F(q, u) = 0 that fall into a chain of small ones, followed along a path of the inputs u(t).

   A stage first computes unknowns explicitly, then solves a few equations for a few unknowns (its tears) by
   Newton's method, then computes more unknowns from them. What a stage needs of earlier ones is known when
   its turn comes, rates included: J z' = -dF/dt, with the Jacobian of the last Newton step.

   The path is followed so that it cannot leave its branch unnoticed:
   - the prediction is the polynomial through the last three points and their rates;
   - Newton must contract from the first step (the quotient of successive steps stays below
     LW_CHAIN_CONTRACTION), so that the solution is the one that belongs to the prediction;
   - the determinant of each stage keeps its sign (the two ways to assemble a dyad have opposite ones), and
     does not come near zero;
   - the step must agree with the rates at both ends: |z1 - z0 - h (z0' + z1')/2| is at most a tenth of the
     way.
   A step that fails is halved; one that cannot be halved any more ends the sweep, and the caller finds out
   whether the path turns back there or only passes a singular point. */
#ifndef LW_CHAIN_H
#define LW_CHAIN_H

#include <math.h>
#include <string.h>

#include "linkage.h"
#include "lu.h"

#define LW_CHAIN_CONTRACTION 0.3
#define LW_CHAIN_STEPS 12       /* Newton steps before a step of the path is refused */
#define LW_CHAIN_HISTORY 3      /* points that a prediction uses */
#define LW_CHAIN_CLOSE 1e-8     /* a Newton step, in units of the scale, after which rounding is left */
#define LW_CHAIN_DEFECT 0.1     /* share of the way by which rates and positions may disagree */
#define LW_CHAIN_SLACK 1e-6     /* disagreement, in units of the scale, that is always allowed */
#define LW_CHAIN_SINGULAR 1e-6  /* share of the largest determinant met below which a position is singular */
#define LW_CHAIN_ATTEMPTS 20000 /* steps tried for one row before it is given up */
#define LW_CHAIN_SMALLEST 1e-9  /* share of a row's step below which halving ends */

typedef void (*lw_stage_function)(const double *q, const double *v, const double *a, const double *u,
                                  const double *du, const double *ddu, const double *k, double *first,
                                  double *second, double *third, double *fourth);

typedef struct {
    int tears;
    const int *unknowns;       /* where the tears stand in q */
    lw_stage_function begin;   /* q and v of what is explicit */
    lw_stage_function solve;   /* residual, Jacobian by the tears */
    lw_stage_function arrive;  /* q of what follows from the tears, -dF/dt, Jacobian */
    lw_stage_function rates;   /* v of what follows */
    lw_stage_function begin2;  /* a of what is explicit */
    lw_stage_function side2;   /* -d2F/dt2, Jacobian */
    lw_stage_function follow2; /* a of what follows */
} lw_stage;

typedef struct {
    int stages, unknowns, inputs, most_tears;
    const lw_stage *stage;
} lw_chain;

/* A point of the path, with the determinant of each stage (of more than two tears: a pivot of its sign). */
typedef struct {
    double t;
    double *q, *v, *determinant;
} lw_chain_point;

typedef struct {
    const lw_chain *chain;
    const double *k, *scale;
    double *side, *step, *jacobian, *largest; /* largest: the largest determinant that each stage has met */
    int *pivot;
} lw_chain_solver;

/* Solve J x = b for b in place by the factors of lw_chain_factor. */
LW_STATIC void lw_chain_back(const lw_chain_solver *s, int n, double *b)
{
    const double *j = s->jacobian;
    if (n == 1) {
        b[0] /= j[0];
    } else if (n == 2) {
        double inverse = 1.0 / (j[0] * j[3] - j[1] * j[2]);
        double first = (j[3] * b[0] - j[1] * b[1]) * inverse;
        b[1] = (j[0] * b[1] - j[2] * b[0]) * inverse;
        b[0] = first;
    } else {
        lw_lu_solve(n, j, s->pivot, b);
    }
}

/* Make the Jacobian ready for lw_chain_back. Returns its determinant or, for more than two unknowns, its
   smallest pivot with the determinant's sign; 0 if it is singular. */
LW_STATIC double lw_chain_factor(const lw_chain_solver *s, int n)
{
    double *j = s->jacobian;
    double smallest = INFINITY, largest = 0.0;
    int negative = 0;
    if (n == 1) {
        return j[0];
    }
    if (n == 2) {
        double determinant = j[0] * j[3] - j[1] * j[2];
        double size = (fabs(j[0]) + fabs(j[1])) * (fabs(j[2]) + fabs(j[3]));
        double other = (fabs(j[0]) + fabs(j[2])) * (fabs(j[1]) + fabs(j[3]));
        return fabs(determinant) > LW_CHAIN_SINGULAR * fmax(size, other) ? determinant : 0.0;
    }
    if (lw_lu_factor(n, j, s->pivot) != 0) {
        return 0.0;
    }
    for (int i = 0; i < n; ++i) {
        double pivot = j[(ptrdiff_t)i * n + i];
        negative ^= (pivot < 0.0) != (s->pivot[i] != i);
        smallest = fmin(smallest, fabs(pivot));
        largest = fmax(largest, fabs(pivot));
    }
    if (smallest <= LW_CHAIN_SINGULAR * LW_CHAIN_SINGULAR * largest) {
        return 0.0;
    }
    return negative ? -smallest : smallest;
}

LW_STATIC double lw_chain_length(const lw_chain_solver *s, const lw_stage *stage, const double *step)
{
    double largest = 0.0;
    for (int i = 0; i < stage->tears; ++i) {
        double size = fabs(step[i]) / s->scale[stage->unknowns[i]];
        largest = size > largest || size != size ? size : largest; /* NaN stays */
    }
    return largest;
}

/* How the positions and rates of the last points (the latest first) count in the prediction for a time t: the
   polynomial through all of them, with L_i the Lagrange polynomials of their times,
       q(t) = sum (1 - 2 (t - t_i) L_i'(t_i)) L_i(t)^2 q_i + (t - t_i) L_i(t)^2 v_i.
   Points that are spaced too unevenly are left out. Returns how many count. */
LW_STATIC int lw_chain_weigh(int count, lw_chain_point *const *last, double t, double *of_q, double *of_v)
{
    double step = t - last[0]->t;
    int used = 1;
    while (used < count && used < LW_CHAIN_HISTORY) {
        double span = last[used - 1]->t - last[used]->t;
        if (!(step > 0.4 * span && step < 2.2 * span) && !(step < 0.4 * span && step > 2.2 * span)) {
            break;
        }
        step = span;
        ++used;
    }
    for (int i = 0; i < used; ++i) {
        double value = 1.0, slope = 0.0, ahead = t - last[i]->t;
        for (int j = 0; j < used; ++j) {
            if (j != i) {
                double inverse = 1.0 / (last[i]->t - last[j]->t);
                value *= (t - last[j]->t) * inverse;
                slope += inverse;
            }
        }
        of_v[i] = ahead * value * value;
        of_q[i] = value * value - 2.0 * slope * of_v[i];
    }
    return used;
}

/* Put the prediction for the tears into q. */
LW_STATIC void lw_chain_predict(const lw_stage *stage, int used, lw_chain_point *const *last,
                                const double *of_q, const double *of_v, double *q)
{
    for (int i = 0; i < stage->tears; ++i) {
        int j = stage->unknowns[i];
        double sum = 0.0;
        for (int k = 0; k < used; ++k) {
            sum += of_q[k] * last[k]->q[j] + of_v[k] * last[k]->v[j];
        }
        q[j] = sum;
    }
}

/* Improve the tears of a stage in q. Returns whether Newton's method contracted to a solution. */
LW_STATIC int lw_chain_newton(const lw_chain_solver *s, const lw_stage *stage, const double *u, double *q)
{
    double last = INFINITY;
    for (int step = 0; step < LW_CHAIN_STEPS; ++step) {
        double length;
        stage->solve(q, NULL, NULL, u, NULL, NULL, s->k, s->step, s->jacobian, NULL, NULL);
        if (lw_chain_factor(s, stage->tears) == 0.0) {
            return 0;
        }
        lw_chain_back(s, stage->tears, s->step);
        length = lw_chain_length(s, stage, s->step);
        if (!(length <= LW_CHAIN_CONTRACTION * last) || !isfinite(length)) {
            return length <= 1e-11 && length == length; /* rounding is reached: no more to gain */
        }
        for (int i = 0; i < stage->tears; ++i) {
            q[stage->unknowns[i]] -= s->step[i];
        }
        if (length <= LW_CHAIN_CLOSE) {
            return 1;
        }
        last = length;
    }
    return 0;
}

/* Whether the way of the tears from one point to the next agrees with their rates at both. */
LW_STATIC int lw_chain_agrees(const lw_chain_solver *s, const lw_stage *stage, const lw_chain_point *from,
                              const lw_chain_point *to)
{
    double half = 0.5 * (to->t - from->t);
    for (int i = 0; i < stage->tears; ++i) {
        int j = stage->unknowns[i];
        double defect = fabs(to->q[j] - from->q[j] - half * (from->v[j] + to->v[j]));
        double way = fabs(half) * (fabs(from->v[j]) + fabs(to->v[j]));
        if (!(defect <= LW_CHAIN_DEFECT * way + LW_CHAIN_SLACK * s->scale[j])) {
            return 0;
        }
    }
    return 1;
}

/* Follow the path to the next point: its t is given, its q, v and determinants are found. last are the count
   points before it, the latest first; with none the point itself is the guess. Returns whether it was reached
   on the same branch. */
LW_STATIC int lw_chain_follow(const lw_chain_solver *s, int count, lw_chain_point *const *last,
                              const double *u, const double *du, lw_chain_point *to)
{
    const lw_chain_point *from = count > 0 ? last[0] : NULL;
    double of_q[LW_CHAIN_HISTORY], of_v[LW_CHAIN_HISTORY];
    int used = count > 0 ? lw_chain_weigh(count, last, to->t, of_q, of_v) : 0;
    for (int i = 0; i < s->chain->stages; ++i) {
        const lw_stage *stage = s->chain->stage + i;
        stage->begin(to->q, to->v, NULL, u, du, NULL, s->k, to->q, to->v, NULL, NULL);
        if (stage->tears == 0) {
            continue;
        }
        if (from != NULL) {
            lw_chain_predict(stage, used, last, of_q, of_v, to->q);
        }
        if (!lw_chain_newton(s, stage, u, to->q)) {
            return 0;
        }
        stage->arrive(to->q, to->v, NULL, u, du, NULL, s->k, to->q, s->side, s->jacobian, NULL);
        to->determinant[i] = lw_chain_factor(s, stage->tears);
        s->largest[i] = fmax(s->largest[i], fabs(to->determinant[i]));
        if (!(fabs(to->determinant[i]) > LW_CHAIN_SINGULAR * s->largest[i]) ||
            (from != NULL && (to->determinant[i] > 0.0) != (from->determinant[i] > 0.0))) {
            return 0;
        }
        lw_chain_back(s, stage->tears, s->side);
        for (int j = 0; j < stage->tears; ++j) {
            to->v[stage->unknowns[j]] = s->side[j];
        }
        if (from != NULL && !lw_chain_agrees(s, stage, from, to)) {
            return 0;
        }
        stage->rates(to->q, to->v, NULL, u, du, NULL, s->k, to->v, NULL, NULL, NULL);
    }
    return 1;
}

/* The accelerations at a point. */
LW_STATIC void lw_chain_accelerate(const lw_chain_solver *s, const double *q, const double *v,
                                   const double *u, const double *du, const double *ddu, double *a)
{
    for (int i = 0; i < s->chain->stages; ++i) {
        const lw_stage *stage = s->chain->stage + i;
        stage->begin2(q, v, a, u, du, ddu, s->k, a, NULL, NULL, NULL);
        if (stage->tears == 0) {
            continue;
        }
        stage->side2(q, v, a, u, du, ddu, s->k, s->side, s->jacobian, NULL, NULL);
        lw_chain_factor(s, stage->tears);
        lw_chain_back(s, stage->tears, s->side);
        for (int j = 0; j < stage->tears; ++j) {
            a[stage->unknowns[j]] = s->side[j];
        }
        stage->follow2(q, v, a, u, du, ddu, s->k, a, NULL, NULL, NULL);
    }
}

/* The inputs a share of the way between two rows: the cubic through both and their rates. */
LW_STATIC void lw_chain_between(int n, double share, double span, const double *u0, const double *d0,
                                const double *u1, const double *d1, double *u, double *du)
{
    double r = share;
    for (int i = 0; i < n; ++i) {
        double rise = u1[i] - u0[i], a = span * d0[i], b = span * d1[i];
        double square = 3.0 * rise - 2.0 * a - b, cube = a + b - 2.0 * rise;
        u[i] = u0[i] + r * (a + r * (square + r * cube));
        du[i] = span != 0.0 ? (a + r * (2.0 * square + 3.0 * r * cube)) / span : d0[i];
    }
}

/* Make a point the latest of the last ones. Returns the oldest, to be used again. */
LW_STATIC lw_chain_point *lw_chain_remember(lw_chain_point *latest, lw_chain_point **last, int *count)
{
    lw_chain_point *oldest = last[LW_CHAIN_HISTORY - 1];
    for (int i = LW_CHAIN_HISTORY - 1; i > 0; --i) {
        last[i] = last[i - 1];
    }
    last[0] = latest;
    *count += *count < LW_CHAIN_HISTORY;
    return oldest;
}

/* Doubles of work that lw_chain_sweep needs. */
#define LW_CHAIN_WORK(stages, unknowns, inputs, most_tears) \
    ((LW_CHAIN_HISTORY + 2) * (stages) + 2 * (LW_CHAIN_HISTORY + 1) * (unknowns) + 2 * (inputs) + \
     (most_tears) * ((most_tears) + 2))

/* Follow the path through rows of t, u and du (inputs each); ddu and a may be null. The first row of q is the
   start: within rounding a solution or, if it is no solution, refined. q, v and a get a row each. work is
   LW_CHAIN_WORK long, pivot most_tears. Returns how many rows were reached. */
LW_STATIC long lw_chain_sweep(const lw_chain *chain, long rows, const double *t, const double *u,
                              const double *du, const double *ddu, const double *k, const double *scale,
                              double *q, double *v, double *a, double *work, int *pivot)
{
    int n = chain->unknowns, m = chain->inputs;
    size_t width = (size_t)n * sizeof(double);
    lw_chain_solver s = {chain, k, scale, NULL, NULL, NULL, NULL, pivot};
    lw_chain_point points[LW_CHAIN_HISTORY + 1], *to = points, *last_points[LW_CHAIN_HISTORY];
    double *input = work + 2 * (LW_CHAIN_HISTORY + 1) * (ptrdiff_t)n, *rate = input + m;
    int count = 0;
    s.side = rate + m;
    s.step = s.side + chain->most_tears;
    s.jacobian = s.step + chain->most_tears;
    s.largest = s.jacobian + (ptrdiff_t)chain->most_tears * chain->most_tears;
    for (int i = 0; i <= LW_CHAIN_HISTORY; ++i) {
        points[i].q = work + (ptrdiff_t)2 * i * n;
        points[i].v = points[i].q + n;
        points[i].determinant = s.largest + (ptrdiff_t)(i + 1) * chain->stages;
    }
    for (int i = 0; i < LW_CHAIN_HISTORY; ++i) {
        last_points[i] = points + i + 1;
    }
    for (int i = 0; i < chain->stages; ++i) {
        s.largest[i] = 0.0;
    }
    for (long row = 0; row < rows; ++row) {
        const double *u1 = u + row * m, *d1 = du + row * m;
        double share = 0.0, part = 1.0;
        int attempts = 0;
        if (row == 0) {
            memcpy(to->q, q, width);
            to->t = t[0];
            if (!lw_chain_follow(&s, 0, last_points, u1, d1, to)) {
                return 0;
            }
        }
        while (row > 0 && share < 1.0) {
            double span = t[row] - t[row - 1];
            double next = share + part < 1.0 ? share + part : 1.0;
            const double *u_next = u1, *du_next = d1;
            if (next < 1.0) {
                lw_chain_between(m, next, span, u1 - m, d1 - m, u1, d1, input, rate);
                u_next = input;
                du_next = rate;
            }
            to->t = next < 1.0 ? t[row - 1] + next * span : t[row];
            if (lw_chain_follow(&s, count, last_points, u_next, du_next, to)) {
                if (next < 1.0) {
                    to = lw_chain_remember(to, last_points, &count);
                }
                share = next;
                part *= 2.0;
            } else if ((part *= 0.5) < LW_CHAIN_SMALLEST) {
                return row;
            }
            if (++attempts > LW_CHAIN_ATTEMPTS) {
                return row;
            }
        }
        memcpy(q + row * n, to->q, width);
        memcpy(v + row * n, to->v, width);
        if (a != NULL) {
            lw_chain_accelerate(&s, to->q, to->v, u1, d1, ddu + row * m, a + row * n);
        }
        to = lw_chain_remember(to, last_points, &count);
    }
    return rows;
}

#endif
