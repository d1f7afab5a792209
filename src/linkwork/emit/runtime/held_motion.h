/* The motion while touches hold: the rates of a state with their forces. */
#ifndef LW_HELD_MOTION_H
#define LW_HELD_MOTION_H

#include <math.h>
#include <string.h>

#include "linkage.h"
#include "touching.h"
#include "vector.h"

#define LW_SAME_MOTION 1e-9 /* of what moves a state: motions that differ by less are one */

/* Whether two sets of forces move the state alike: all of it together, for where next to nothing is moved
   there is only rounding to compare. */
LW_STATIC int lw_move_alike(const lw_touching *r, int forces, const double *one, const double *other)
{
    double all_apart = 0.0, all = 0.0;
    for (int i = 0; i < r->m.size; ++i) {
        double apart = 0.0, size = 0.0;
        for (int j = 0; j < forces; ++j) {
            double response = LW_ROW(r->response, j, r->m.size)[i];
            apart += (one[j] - other[j]) * response;
            size += (fabs(one[j]) + fabs(other[j])) * fabs(response);
        }
        all_apart += fabs(apart);
        all += size;
    }
    return all_apart <= LW_SAME_MOTION * all;
}

/* Where more places hold than there are freedoms, all forces that let nothing of them move give the same
   motion, but for the friction of those that slip: a block that slides down between two walls is braked by as
   much as they press it. The least forces may pull there, and their friction would drive; taken are those
   nearest to what the touches began to hold with, which push. */
LW_STATIC void lw_go_on_holding(lw_touching *r, int forces)
{
    double least[LW_FORCE_MOST], begun[LW_FORCE_MOST], left[LW_FORCE_MOST];
    int slips = 0, row = 0;
    for (int i = 0; i < r->held_count; ++i) {
        const lw_held *held = r->held + i;
        slips |= held->grip == LW_SLIPPING;
        for (int k = 0; k < lw_forces_of(held->grip); ++k) {
            begun[row++] = held->begun[k];
        }
    }
    if (forces < 1 || !r->is_spare || !slips) {
        return;
    }
    memcpy(least, r->force, sizeof(double) * (size_t)forces);
    for (int i = 0; i < forces; ++i) {
        left[i] = r->bias[i] + lw_dot(forces, LW_ROW(r->matrix, i, forces), begun);
    }
    if (lw_balance(r, forces, left)) {
        for (int j = 0; j < forces; ++j) {
            r->force[j] += begun[j];
        }
    }
    if (lw_move_alike(r, forces, r->force, least)) {
        memcpy(r->force, least, sizeof(double) * (size_t)forces);
    }
}

/* The rates of a state with the forces of the touches that hold; in the form that integrators call. */
LW_STATIC int lw_touching_rate(double t, const double *y, double *rate, void *context)
{
    lw_touching *r = context;
    int forces, place = 0;
    if (r->held_count == 0) {
        r->m.run.scheme->derivative(y, r->m.run.k, r->c, &t, rate);
        return 0;
    }
    lw_free_motion(r, y, t, rate);
    lw_measure_held(r);
    forces = lw_relate(r, r->held_count, r->held, y, t, LW_BY_FORCES);
    if (!lw_balance(r, forces, r->bias)) {
        return 1;
    }
    lw_go_on_holding(r, forces);
    for (int j = 0; j < forces; ++j) {
        const double *response = LW_ROW(r->response, j, r->m.size);
        for (int i = 0; i < r->m.size; ++i) {
            rate[i] += r->force[j] * response[i];
        }
    }
    for (int i = 0; i < r->held_count; ++i) {
        lw_take_force(r, r->held + i, r->measure + i, r->force + place);
        place += lw_forces_of(r->held[i].grip);
    }
    r->rated_at = t;
    memcpy(r->rated, y, sizeof(double) * (size_t)r->m.size);
    return 0;
}

/* The forces of the touches that hold, with their measures and relations: those of the last rates where these
   were of the same state, as at the end of a step. */
LW_STATIC int lw_forces_at(lw_touching *r, double t, const double *y, double *rate)
{
    int is_known = t == r->rated_at && memcmp(y, r->rated, sizeof(double) * (size_t)r->m.size) == 0;
    return is_known ? 0 : lw_touching_rate(t, y, rate, r);
}

#endif
