/* The first end of a touch that holds, or of its grip, in a step: its force would pull, it leaves its
   features, slip ends or begins. */
#ifndef LW_TOUCH_END_H
#define LW_TOUCH_END_H

#include <math.h>
#include <string.h>

#include "brent.h"
#include "complement.h"
#include "held_motion.h"
#include "rigid_state.h"
#include "vector.h"

#define LW_SOON 20 /* halvings of a step towards its beginning, in which a reserve is looked for */

/* Whether the one touch that holds slips where its force would press it on the harder it pushes. A motion
   comes there through the point alone where it would leave without that, and what is behind it is another
   answer, to which it does not lead (F. Genot, B. Brogliato, European Journal of Mechanics A 18, 1999). */
LW_STATIC int lw_presses_itself(const lw_touching *r)
{
    return r->held_count == 1 && r->held[0].grip == LW_SLIPPING && r->matrix[0] < 0.0;
}

/* How fast a touch that slips does so the way it is kept. */
LW_STATIC double lw_slip_reserve(const lw_rigid *g, const lw_where *where, const lw_held *held,
                                 const lw_measure *m)
{
    double shares[LW_TANGENTS], slip[LW_WAY];
    lw_slip(g->r.shapes, where, held->touch, m, shares);
    lw_keep_way(m, shares, slip);
    return lw_dot(LW_WAY, held->way, slip);
}

/* What is above 0 as long as a touch holds as it does: 0 its force, 1 what is left of its features, 2 its
   slip or the reserve of its friction. */
LW_STATIC double lw_reserve(lw_rigid *g, int i, int which)
{
    const lw_held *held = g->r.held + i;
    const lw_measure *m = g->r.measure + i;
    if (which == 0) {
        return lw_presses_itself(&g->r) ? -fabs(held->normal) : held->normal;
    }
    if (which == 1) {
        return -m->beyond;
    }
    if (held->grip == LW_SLIPPING) {
        return lw_slip_reserve(g, &g->r.now, held, m);
    }
    if (held->grip == LW_STICKING) {
        return g->r.shapes->couple[held->touch.couple].friction * held->normal -
               lw_norm(LW_WAY, held->tangent);
    }
    return INFINITY;
}

/* By how much a reserve may be below 0 without an end: a touch begins as far beyond its features as it may be
   there; it may be at the limit of its friction without slipping, since others hold it, and then its slip is
   none, but for rounding. */
LW_STATIC double lw_tolerated(const lw_rigid *g, int i, int which)
{
    const lw_held *held = g->r.held + i;
    double patience = lw_patience(g);
    if (which == 1) {
        return g->slack;
    }
    if (which == 0) {
        return patience * g->strongest;
    }
    if (held->grip == LW_SLIPPING) {
        return fmax(LW_TANGENTS == 1 ? 1e-9 * g->speed : 1e-7 * g->speed, patience * g->speed);
    }
    return fmax(LW_TANGENTS == 1 ? 0.0 : 1e-8 * lw_norm(LW_WAY, held->tangent),
                patience * g->strongest);
}

/* Whether the forces that were found let nothing that holds move. */
LW_STATIC int lw_lets_nothing_move(const lw_rigid *g, int forces)
{
    const lw_touching *r = &g->r;
    double most = 0.0, moves = 0.0;
    for (int i = 0; i < forces; ++i) {
        most = fmax(most, fabs(r->bias[i]));
        moves = fmax(moves, fabs(r->bias[i] + lw_dot(forces, LW_ROW(r->matrix, i, forces), r->force)));
    }
    return moves <= fmax(LW_MOVES, lw_patience(g)) * most;
}

/* Whether all that holds is held by some forces that push and stay in their cones, in the same motion. Where
   more places hold than there are freedoms the least forces may pull though others do not. The relations and
   the forces are those of the rates that were computed last. */
LW_STATIC int lw_is_held_otherwise(lw_rigid *g)
{
    lw_touching *r = &g->r;
    int forces = lw_forces_in_all(r), is_held;
    double before[LW_FORCE_MOST];
    if (!r->is_spare) {
        return 0;
    }
    memcpy(before, r->force, sizeof(double) * (size_t)forces);
    is_held = lw_complement(r, r->held_count, r->held, forces, NULL) && lw_lets_nothing_move(g, forces);
#ifndef LW_SPACE
    if (!is_held) {
        is_held = lw_least_motion(r, r->held_count, r->held, forces) && lw_lets_nothing_move(g, forces);
    }
#endif
    if (!is_held || !lw_move_alike(r, forces, r->force, before)) {
        memcpy(r->force, before, sizeof(double) * (size_t)forces);
        return 0;
    }
    return 1;
}

/* Whether a reserve is one of forces; the others are told by places and speeds alone. */
LW_STATIC int lw_is_of_forces(const lw_rigid *g, int i, int which)
{
    return which == 0 || (which == 2 && g->r.held[i].grip == LW_STICKING);
}

/* A reserve after the rates were computed; above 0 where other forces do what the least ones cannot. */
LW_STATIC double lw_true_reserve(lw_rigid *g, int i, int which)
{
    double reserve = lw_reserve(g, i, which);
    return reserve < 0.0 && lw_is_of_forces(g, i, which) && lw_is_held_otherwise(g) ? -reserve : reserve;
}

LW_STATIC double lw_watched_reserve(double t, void *context)
{
    lw_rigid *g = context;
    lw_touching *r = &g->r;
    const double *y = lw_rigid_at(g, t);
    if (!lw_is_of_forces(g, g->asked, g->which)) {
        r->rated_at = NAN;
        lw_touching_place(r, y, t, &r->now);
        lw_measure_contact(r->shapes, &r->now, r->held[g->asked].touch, r->measure + g->asked);
    } else if (lw_touching_rate(t, y, g->rows_state, r)) {
        return -1.0;
    }
    return lw_true_reserve(g, g->asked, g->which) + g->level;
}

/* When a reserve that is below 0 at a time became so. What comes onto its features, or begins to slip, has
   none where the step begins and may have some soon after. */
LW_STATIC double lw_time_of_end(lw_rigid *g, double until, double end)
{
    double begin = g->r.m.s.t_old;
    lw_bracket bracket;
    g->level = 0.0;
    bracket.left = begin;
    bracket.right = until;
    bracket.left_value = lw_watched_reserve(begin, g);
    if (g->which == 1 && bracket.left_value <= 0.0) { /* beyond its features already, within what may be */
        g->level = lw_tolerated(g, g->asked, 1);
        bracket.left_value += g->level;
    }
    bracket.right_value = end + g->level;
    for (int k = LW_SOON; k > 0 && g->which != 0 && !(bracket.left_value > 0.0); --k) {
        bracket.left = begin + ldexp(until - begin, -k);
        bracket.left_value = lw_watched_reserve(bracket.left, g);
    }
    return bracket.left_value > 0.0
               ? lw_brent(lw_watched_reserve, g, &bracket, 1e-14 * fmax(g->moment, fabs(until)), 100).x
               : begin;
}

/* A reserve inside the last step that places alone tell: what is left of the features of a touch (1), or the
   slip of one that slips (2). */
LW_STATIC double lw_reserve_inside(lw_rigid *g, int i, int which, double t)
{
    const lw_held *held = g->r.held + i;
    lw_measure m;
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->inside);
    lw_measure_touch(g->r.shapes, &g->inside, held->touch, &m);
    return which == 1 ? -m.beyond : lw_slip_reserve(g, &g->inside, held, &m);
}

/* When a reserve that is above 0 at a time was below by more than is tolerated before, inside the last step,
   and turned back there; that time where it was not. reserve is what it was then. What is left of features is
   looked for only where the fastest of both bodies would get there and back. */
LW_STATIC double lw_turned_back(lw_rigid *g, int i, int which, double until, double *reserve)
{
    double begin = g->r.m.s.t_old, half = 0.5 * (until - begin), when = begin + half;
    double tolerated = lw_tolerated(g, i, which), first, middle, last = *reserve, bend, aside;
    const lw_held *held = g->r.held + i;
    lw_measure m;
    lw_measure_touch(g->r.shapes, &g->before, held->touch, &m);
    first = which == 1 ? -m.beyond : lw_slip_reserve(g, &g->before, held, &m);
    if (which == 1) {
        double fastest = LW_LOOK_PACE * fmax(lw_couple_speed(g->r.shapes, &g->before, held->touch.couple),
                                             lw_couple_speed(g->r.shapes, &g->r.now, held->touch.couple));
        if (!(2.0 * half * fastest > first + last)) {
            return until;
        }
    }
    middle = lw_reserve_inside(g, i, which, when);
    bend = first - 2.0 * middle + last;
    aside = 0.5 * (first - last) / bend; /* where the parabola through all three has its vertex */
    if (!(middle < -tolerated) && bend > 0.0 && fabs(aside) < 1.0) {
        when += aside * half;
        middle = lw_reserve_inside(g, i, which, when);
    }
    if (!(middle < -tolerated)) {
        return until;
    }
    *reserve = middle;
    return when;
}

/* Whether a reserve is looked at inside a step: forces are not, and in space slip turns instead. */
LW_STATIC int lw_may_turn_back(const lw_rigid *g, int i, int which)
{
    return which == 1 || (which == 2 && LW_TANGENTS == 1 && g->r.held[i].grip == LW_SLIPPING);
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
                fails = lw_forces_at(&g->r, until, lw_rigid_at(g, until), g->rows_state);
                seen = until;
            }
            end = fails ? -1.0 : lw_true_reserve(g, i, which);
            if (lw_may_turn_back(g, i, which) && !(end < -lw_tolerated(g, i, which))) {
                int was_ready = g->r.m.s.dense_ready;
                until = lw_turned_back(g, i, which, until, &end);
                if (was_ready != g->r.m.s.dense_ready) { /* that computes forces inside the step */
                    seen = NAN;
                }
            }
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
