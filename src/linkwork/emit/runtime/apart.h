/* How far apart the outlines of a couple are, at least, in many places of their bodies. */
#ifndef LW_APART_H
#define LW_APART_H

#ifndef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "outline.h"

#define LW_APART_MOST 96  /* touches that are compared */
#define LW_APART_TURNS 60 /* doublings and halvings of the distance within which they are looked for */

/* The least distance of features that are not kept apart by a joint; limit where it is more. */
LW_STATIC double lw_couple_apart(const lw_shapes *g, const lw_where *w, int couple, double limit)
{
    lw_neighbour near[LW_APART_MOST];
    double within = 1e-3 * g->size, least = INFINITY, clear = 0.0;
    for (int turn = 0; turn < LW_APART_TURNS; ++turn) {
        int found = lw_near_touches(g, w, couple, within, 0, LW_APART_MOST, near);
        if (found < 0) { /* too many: nearer */
            within = 0.5 * (clear + within);
            continue;
        }
        if (found > 0) {
            for (int i = 0; i < found; ++i) {
                least = fmin(least, near[i].apart);
            }
            return least;
        }
        if (within >= limit) {
            return limit;
        }
        clear = within;
        within = fmin(2.0 * within, limit);
    }
    return clear;
}

/* The same for count places of both bodies: x, y and angle of each. six and place have room for all. */
LW_STATIC void lw_couple_apart_all(const lw_shapes *g, int couple, long count, const double *first,
                                   const double *second, double limit, double *six, double *place,
                                   double *apart)
{
    const lw_couple *pair = g->couple + couple;
    int bodies[2] = {g->outline[pair->a].body, g->outline[pair->b].body};
    lw_where w;
    w.six = six;
    w.place = (lw_place *)place;
    for (long i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) {
            const double *at = (k == 0 ? first : second) + 3 * i;
            if (bodies[k] < g->bodies) {
                double *b = six + 6 * bodies[k];
                b[0] = at[0];
                b[1] = at[1];
                b[2] = at[2];
            }
        }
        lw_where_places(g, &w);
        apart[i] = lw_couple_apart(g, &w, couple, limit);
    }
}

#endif
#endif
