/* Bringing what is unknown onto constraints.

   A component is a part of a system of constraints that has no unknowns in common with the others. It is
   solved by Newton's method with the shortest step, so that what the constraints leave free changes as little
   as possible. */
#ifndef LW_SETTLE_H
#define LW_SETTLE_H

#include <math.h>
#include <string.h>

#include "linkage.h"
#include "minimum_norm.h"
#include "scheme_types.h"
#include "shortest_band.h"
#include "vector.h"

#define LW_SETTLE_STEPS 60      /* Newton steps before a component is given up */
#define LW_SETTLED 1e-14        /* residual of a row, by its largest slope and the unknowns: rounding */
#define LW_SETTLED_WELL 1e-9    /* residual that is accepted where it falls no further */
#define LW_SETTLE_RANK 1e-10    /* rows that depend on others within this count as dependent */

typedef struct {
    const lw_scheme *scheme;
    const double *k, *c;
    double *work; /* of lw_settle */
    int *column;
    const double *ease; /* how readily each entry of x moves besides; NULL for all alike */
    const double *unit; /* by what each entry of x is told; NULL for all alike */
    double *careful; /* room for a state: where it is not NULL, rates are taken on the constraints */
    long settled;    /* Newton steps of stabilisation */
} lw_runner;

/* The doubles that lw_settle needs: slopes and their copy, the matrix with its zeros or the factor of its
   band, three vectors over the equations and five over the unknowns. */
LW_STATIC size_t lw_settle_work(const lw_scheme *scheme)
{
    size_t m = (size_t)scheme->most_equations, n = (size_t)scheme->most_unknowns;
    size_t dense = m * n, banded = LW_SHORTEST_BAND_WORK(m, (size_t)scheme->most_band);
    return 2 * (size_t)scheme->most_entries + (dense > banded ? dense : banded) + 3 * m + 5 * n;
}

/* By what an unknown of a component is told. */
LW_STATIC double lw_unit_of(const lw_runner *run, const lw_component *part, int unknown)
{
    return run->unit == NULL ? 1.0 : run->unit[part->places[unknown]];
}

/* The largest residual of a component, each row divided by its largest slope; those are put into weight. */
LW_STATIC double lw_weighed(const lw_runner *run, const lw_component *part, const double *r, const double *j,
                            double *weight)
{
    double largest = 0.0;
    for (int i = 0; i < part->equations; ++i) {
        double share;
        weight[i] = 0.0;
        for (int p = part->starts[i]; p < part->starts[i + 1]; ++p) {
            weight[i] = fmax(weight[i], fabs(j[p]) * lw_unit_of(run, part, part->columns[p]));
        }
        share = weight[i] > 0.0 ? fabs(r[i]) / weight[i] : fabs(r[i]);
        largest = share <= largest ? largest : share;
    }
    return largest;
}

/* How readily an unknown of a component moves. */
LW_STATIC double lw_ease(const lw_runner *run, const lw_component *part, int unknown)
{
    double own = (part->weights == NULL ? 1.0 : part->weights[unknown]) * lw_unit_of(run, part, unknown);
    return run->ease == NULL ? own : own * run->ease[part->places[unknown]];
}

/* The slopes j with rows and columns weighed, into a. */
LW_STATIC void lw_weigh(const lw_runner *run, const lw_component *part, const double *j, const double *weight,
                        double *a)
{
    for (int i = 0; i < part->equations; ++i) {
        double factor = weight[i] > 0.0 ? 1.0 / weight[i] : 1.0;
        for (int p = part->starts[i]; p < part->starts[i + 1]; ++p) {
            a[p] = j[p] * factor * lw_ease(run, part, part->columns[p]);
        }
    }
}

/* The entries a of a component as a matrix with its zeros. */
LW_STATIC void lw_spread(const lw_component *part, const double *a, double *matrix)
{
    int m = part->equations, n = part->unknowns;
    memset(matrix, 0, sizeof(double) * (size_t)m * (size_t)n);
    for (int i = 0; i < m; ++i) {
        for (int p = part->starts[i]; p < part->starts[i + 1]; ++p) {
            LW_ROW(matrix, i, n)[part->columns[p]] = a[p];
        }
    }
}

/* The shortest step that takes all residuals to zero; where rows depend on each other, the one that comes
   nearest. room is for the matrix, then 3 n. Returns 0 where an entry is not finite. */
LW_STATIC int lw_settle_step(lw_runner *run, const lw_component *part, const double *r, const double *weight,
                             const double *a, double *side, double *step, double *room)
{
    int m = part->equations, n = part->unknowns;
    for (int i = 0; i < m; ++i) {
        side[i] = weight[i] > 0.0 ? -r[i] / weight[i] : -r[i];
    }
    if (part->band == 0 ||
        !lw_shortest_band(m, n, part->starts, part->columns, a, part->band, side, step, room)) {
        lw_spread(part, a, room);
        if (lw_minimum_norm(m, n, room, LW_SETTLE_RANK, side, step, LW_ROW(room, m, n), run->column) < 0) {
            return 0;
        }
    }
    for (int i = 0; i < n; ++i) {
        step[i] *= lw_ease(run, part, i);
    }
    return 1;
}

/* Bring the unknowns of a component onto its constraints by the shortest way. Returns the residual left,
   relative to the unknowns' size; NaN where it cannot be evaluated. */
LW_STATIC double lw_settle(lw_runner *run, const lw_component *part, double *x, const double *other, double t)
{
    int m = part->equations, n = part->unknowns, entries = part->starts[m];
    double *j = run->work, *a = j + entries, *r = a + entries, *side = r + m, *weight = side + m;
    double *step = weight + m, *before = step + n, *room = before + n;
    double residual, last = INFINITY, size = 0.0, scale = 1.0;
    for (int i = 0; i < n; ++i) {
        before[i] = x[part->places[i]];
        size = fmax(size, fabs(before[i]) / lw_unit_of(run, part, i));
    }
    size = fmax(size, 1e-3);
    for (int trial = 0; trial < LW_SETTLE_STEPS; ++trial) {
        part->residual(x, other, run->k, run->c, &t, r, j);
        residual = lw_weighed(run, part, r, j, weight) / size;
        if (residual <= LW_SETTLED) {
            return residual;
        }
        if (!(residual < last)) { /* back half of the step; what is nearly solved can be solved no better */
            if (last <= LW_SETTLED_WELL || scale < 1e-4) {
                for (int i = 0; i < n; ++i) {
                    x[part->places[i]] = before[i];
                }
                return last;
            }
            scale *= 0.5;
            for (int i = 0; i < n; ++i) {
                x[part->places[i]] = before[i] + scale * step[i];
            }
            continue;
        }
        last = residual;
        scale = 1.0;
        lw_weigh(run, part, j, weight, a);
        if (!lw_settle_step(run, part, r, weight, a, side, step, room)) {
            return NAN;
        }
        ++run->settled;
        for (int i = 0; i < n; ++i) {
            before[i] = x[part->places[i]];
            x[part->places[i]] = before[i] + step[i];
        }
    }
    return last;
}

/* All components of a list. Returns the worst residual. */
LW_STATIC double lw_settle_all(lw_runner *run, int count, const lw_component *parts, double *x,
                               const double *other, double t)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        double left = lw_settle(run, &parts[i], x, other, t);
        worst = left <= worst ? worst : left;
    }
    return worst;
}

/* The residual of all components as they are. */
LW_STATIC double lw_residual_of(lw_runner *run, int count, const lw_component *parts, const double *x,
                                const double *other, double t)
{
    double worst = 0.0;
    for (int p = 0; p < count; ++p) {
        int m = parts[p].equations;
        double *j = run->work, *r = j + parts[p].starts[m];
        parts[p].residual(x, other, run->k, run->c, &t, r, j);
        for (int i = 0; i < m; ++i) {
            worst = fabs(r[i]) <= worst ? worst : fabs(r[i]);
        }
    }
    return worst;
}

/* How far the unknowns are from the constraints of all components, by the largest slope of each. */
LW_STATIC double lw_distance_from(lw_runner *run, int count, const lw_component *parts, const double *x,
                                  const double *other, double t)
{
    double worst = 0.0;
    for (int p = 0; p < count; ++p) {
        int m = parts[p].equations;
        double *j = run->work, *r = j + parts[p].starts[m], away;
        parts[p].residual(x, other, run->k, run->c, &t, r, j);
        away = lw_weighed(run, &parts[p], r, j, r + m);
        worst = away <= worst ? worst : away;
    }
    return worst;
}

#endif
