/* The first end of a touch that holds, or of its grip, in a step: its force would pull, it leaves its
   features, slip ends or begins. */
#ifndef LW_TOUCH_END_H
#define LW_TOUCH_END_H

#include <math.h>

#include "brent.h"
#include "rigid_state.h"
#include "vector.h"

#define LW_SOON 20 /* halvings of a step towards its beginning, in which a reserve is looked for */

/* What is above 0 as long as a touch holds as it does: 0 its force, 1 what is left of its features, 2 its
   slip or the reserve of its friction. */
LW_STATIC double lw_reserve(lw_rigid *g, int i, int which)
{
    const lw_held *held = g->r.held + i;
    const lw_measure *m = g->r.measure + i;
    if (which == 0) {
        return held->normal;
    }
    if (which == 1) {
        return -m->beyond;
    }
    if (held->grip == LW_SLIPPING) {
        double shares[LW_TANGENTS], slip[LW_WAY];
        lw_slip(g->r.shapes, &g->r.now, held->touch, m, shares);
        lw_keep_way(m, shares, slip);
        return lw_dot(LW_WAY, held->way, slip);
    }
    if (held->grip == LW_STICKING) {
        return g->r.shapes->couple[held->touch.couple].friction * held->normal -
               lw_norm(LW_WAY, held->tangent);
    }
    return INFINITY;
}

/* By how much a reserve may be below 0 without an end: a touch may be at the limit of its friction without
   slipping, since others hold it; then its slip is none, but for rounding. */
LW_STATIC double lw_tolerated(const lw_rigid *g, int i, int which)
{
    const lw_held *held = g->r.held + i;
    if (which == 1) {
        return g->deep;
    }
    if (which == 0) {
        return 0.0;
    }
    if (LW_TANGENTS == 1) {
        return held->grip == LW_SLIPPING ? 1e-9 * g->speed : 0.0;
    }
    return held->grip == LW_SLIPPING ? 1e3 * g->r.slow : 1e-8 * lw_norm(LW_WAY, held->tangent);
}

LW_STATIC double lw_watched_reserve(double t, void *context)
{
    lw_rigid *g = context;
    double *rate = g->rows_state;
    if (lw_touching_rate(t, lw_rigid_at(g, t), rate, &g->r)) {
        return -1.0;
    }
    return lw_reserve(g, g->asked, g->which);
}

/* When a reserve that is below 0 at a time became so. What comes onto its features, or begins to slip, has
   none where the step begins and may have some soon after. */
LW_STATIC double lw_time_of_end(lw_rigid *g, double until, double end)
{
    double begin = g->r.m.s.t_old;
    lw_bracket bracket;
    bracket.left = begin;
    bracket.right = until;
    bracket.left_value = lw_watched_reserve(begin, g);
    bracket.right_value = end;
    for (int k = LW_SOON; k > 0 && g->which != 0 && !(bracket.left_value > 0.0); --k) {
        bracket.left = begin + ldexp(until - begin, -k);
        bracket.left_value = lw_watched_reserve(bracket.left, g);
    }
    return bracket.left_value > 0.0
               ? lw_brent(lw_watched_reserve, g, &bracket, 1e-14 * fmax(1.0, fabs(until)), 100).x
               : begin;
}

/* The first end of a touch, or of its grip, before a time; returns which of those that hold, or -1. */
LW_STATIC int lw_first_end(lw_rigid *g, double *when, int *kind)
{
    double seen = NAN; /* the time for which the forces of all have been computed last */
    int found = -1, fails = 0;
    for (int i = 0; i < g->r.held_count; ++i) {
        for (int which = 0; which < 3; ++which) {
            double until = fmin(*when, g->r.m.s.t), end;
            if (until != seen) {
                fails = lw_touching_rate(until, lw_rigid_at(g, until), g->rows_state, &g->r);
                seen = until;
            }
            end = fails ? -1.0 : lw_reserve(g, i, which);
            if (end < -lw_tolerated(g, i, which)) {
                g->asked = i;
                g->which = which;
                *when = lw_time_of_end(g, until, end);
                *kind = which;
                found = i;
                seen = NAN;
            }
        }
    }
    return found;
}

#endif
