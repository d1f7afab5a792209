/* The complementarity problem of all places that touch, for forces and for impulses. */
#ifndef LW_COMPLEMENT_H
#define LW_COMPLEMENT_H

#include <math.h>
#include <string.h>

#include "lemke.h"
#include "touching.h"

/* Where the unknowns of each touch are in the problem, and its normal force among all forces. A touch that
   sticks has four: its normal force, its friction one way and the other, and the speed of its slip. */
typedef struct {
    int size, place[LW_TOUCH_MOST], normal[LW_TOUCH_MOST];
    double scale[LW_TOUCH_MOST];
} lw_unknowns;

LW_STATIC void lw_lay_out(const lw_touching *r, int count, const lw_held *held, int forces, lw_unknowns *u)
{
    int row = 0;
    u->size = 0;
    for (int i = 0; i < count; ++i) {
        double own = r->matrix[row * forces + row];
        u->normal[i] = row;
        row += lw_forces_of(held[i].grip);
        u->place[i] = u->size;
        u->size += held[i].grip == LW_STICKING ? 4 : 1;
        u->scale[i] = fabs(own) > 0.0 ? 1.0 / sqrt(fabs(own)) : 1.0;
    }
}

/* What the forces of touch j do to the gap of touch i, and to its slip if it sticks. */
LW_STATIC void lw_fill_effect(lw_touching *r, const lw_held *held, int forces, const lw_unknowns *u, int i,
                              int j)
{
    double both = u->scale[i] * u->scale[j];
    for (int side = 0; side <= (held[i].grip == LW_STICKING); ++side) {
        const double *line = LW_ROW(r->matrix, u->normal[i] + side, forces);
        double *row = LW_ROW(r->problem, u->place[i] + side, u->size) + u->place[j];
        row[0] += both * line[u->normal[j]];
        if (held[j].grip == LW_STICKING) {
            row[1] += both * line[u->normal[j] + 1];
            row[2] -= both * line[u->normal[j] + 1];
        }
        if (side == 1) { /* the slip the other way */
            double *against = row + u->size;
            against[0] -= both * line[u->normal[j]];
            if (held[j].grip == LW_STICKING) {
                against[1] -= both * line[u->normal[j] + 1];
                against[2] += both * line[u->normal[j] + 1];
            }
        }
    }
}

/* The rows of touch i: its gap; and if it sticks its slip both ways, and its cone of friction. */
LW_STATIC void lw_fill_rows(lw_touching *r, int count, const lw_held *held, int forces, const lw_unknowns *u,
                            const double *given, int i)
{
    int place = u->place[i];
    double *q = r->constant + place;
    q[0] = u->scale[i] * r->bias[u->normal[i]];
    if (held[i].grip == LW_STICKING) {
        double friction = r->shapes->couple[held[i].touch.couple].friction;
        double *cone = LW_ROW(r->problem, place + 3, u->size) + place;
        q[1] = u->scale[i] * r->bias[u->normal[i] + 1];
        q[2] = -q[1];
        q[3] = given == NULL ? 0.0 : friction * given[i] / u->scale[i];
        LW_ROW(r->problem, place + 1, u->size)[place + 3] = 1.0;
        LW_ROW(r->problem, place + 2, u->size)[place + 3] = 1.0;
        cone[0] = friction;
        cone[1] = cone[2] = -1.0;
    }
    for (int j = 0; j < count; ++j) {
        lw_fill_effect(r, held, forces, u, i, j);
    }
}

/* The complementarity problem of touches that have been related: each has a normal force not below 0 where
   its gap does not open; those that stick a tangential one within the cone of friction. given are normal
   forces that act besides (or NULL). Returns 0 where there is no solution; else the forces are in force. */
LW_STATIC int lw_complement(lw_touching *r, int count, const lw_held *held, int forces, const double *given)
{
    lw_unknowns u;
    lw_lay_out(r, count, held, forces, &u);
    memset(r->problem, 0, sizeof(double) * (size_t)(u.size * u.size));
    for (int i = 0; i < count; ++i) {
        lw_fill_rows(r, count, held, forces, &u, given, i);
    }
    if (!lw_lemke(u.size, r->problem, r->constant, r->solved, r->pivots, r->basis)) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        const double *solved = r->solved + u.place[i];
        r->force[u.normal[i]] = u.scale[i] * solved[0];
        if (held[i].grip == LW_STICKING) {
            r->force[u.normal[i] + 1] = u.scale[i] * (solved[1] - solved[2]);
        }
    }
    return lw_all_finite(forces, r->force);
}

#endif
