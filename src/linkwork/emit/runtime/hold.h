/* Which touches hold from now on, by their forces; and states brought onto those that hold. */
#ifndef LW_HOLD_H
#define LW_HOLD_H

#include <math.h>
#include <string.h>

#include "complement.h"
#include "gather.h"
#include "grip.h"
#include "impact.h"
#include "rigid_state.h"
#include "share.h"
#include "vector.h"

#define LW_SLOW 1e-2   /* of the largest speed ever: what parts faster does not come back unseen */
#define LW_SUNK 2.0    /* of what is deep: what is deeper is brought out */
#define LW_LIES_DOWN 1e-6 /* of the speed: what a rim that lies flat moves faster, it moves on its own */
#define LW_SETTLINGS 4 /* moves of a state onto the touches that hold */
#define LW_FIRM 1e-4   /* how readily positions give way beside velocities where these are to do it */

/* Candidates that part so slowly that they may be back before that can be seen. */
typedef struct {
    int count;
    lw_held touch[LW_TOUCH_MOST];
    lw_measure measure[LW_TOUCH_MOST];
} lw_slow;

/* The candidates that neither approach nor part; slow are those that part slowly. Returns how many. */
LW_STATIC int lw_still_candidates(lw_rigid *g, int count, double still, lw_slow *slow)
{
    const lw_measure *measure = g->r.measure;
    int keep[LW_TOUCH_MOST];
    slow->count = 0;
    for (int i = 0; i < count; ++i) {
        keep[i] = fabs(measure[i].rate) <= still;
        if (!keep[i] && measure[i].rate > 0.0 && measure[i].rate < LW_SLOW * g->fastest) {
            slow->touch[slow->count] = g->candidate[i];
            slow->measure[slow->count++] = measure[i];
        }
    }
    lw_keep_candidates(g, &count, keep);
    return count;
}

/* Leave out candidates whose gaps joints keep, whatever moves: they have no forces. Returns whether there are
   any. */
LW_STATIC int lw_leave_out_kept(lw_rigid *g, int *count, int forces)
{
    int keep[LW_TOUCH_MOST], row = 0, before = *count;
    for (int i = 0; i < *count; ++i) {
        keep[i] = !lw_is_firm(&g->r, g->r.matrix[row * forces + row]);
        row += lw_forces_of(g->candidate[i].grip);
    }
    lw_keep_candidates(g, count, keep);
    return *count < before;
}

/* Take away what rates and slips are left of candidates that neither part nor slip: they have no direction of
   their own, and what begins to slip does so the way its forces drive it. */
LW_STATIC int lw_calm_candidates(lw_rigid *g, int *count)
{
    lw_touching *r = &g->r;
    int forces = lw_relate(r, *count, g->candidate, r->m.y, r->m.s.t, LW_BY_IMPULSES);
    if (lw_leave_out_kept(g, count, forces)) {
        forces = lw_relate(r, *count, g->candidate, r->m.y, r->m.s.t, LW_BY_IMPULSES);
    }
    if (forces > 0) {
        if (!lw_balance(r, forces, r->bias)) {
            return 0;
        }
        lw_strike(r, forces);
        lw_measure_candidates(g, *count);
    }
    return 1;
}

/* Forces of candidates, in force. Returns how many, or -1 where there are none. */
LW_STATIC int lw_find_forces(lw_rigid *g, int count)
{
    lw_touching *r = &g->r;
    double t = r->m.s.t;
    int forces;
    lw_free_motion(r, r->m.y, t, g->rows_state);
    forces = lw_relate(r, count, g->candidate, r->m.y, t, LW_BY_FORCES);
    g->pull *= 0.9;
    for (int i = 0, row = 0; i < count; ++i) {
        g->pull = fmax(g->pull, -r->bias[row]);
        row += lw_forces_of(g->candidate[i].grip);
    }
    return lw_complement(r, count, g->candidate, forces, NULL) ? forces : -1;
}

/* Forces of candidates by how they grip. Where there are none, by how they do when all that moves by less
   than a speed has been brought to rest: a disc that rolls away from a wall by no more than that seems to
   slip on it, and what presses it there then finds no force where friction is 1 or more. */
LW_STATIC int lw_gripping_forces(lw_rigid *g, int *count, double still)
{
    int forces;
    lw_grip_candidates(g, *count, lw_slip_at_rest(g));
    forces = lw_find_forces(g, *count);
    if (forces < 0 && LW_TANGENTS == 1) {
        lw_grip_candidates(g, *count, still);
        if (lw_calm_candidates(g, count)) {
            lw_grip_candidates(g, *count, lw_slip_at_rest(g));
            forces = lw_find_forces(g, *count);
        }
    }
    return forces;
}

/* Take one of those that part slowly for a candidate, if the forces bring it back from a height that cannot
   be seen: bounces without end come to theirs. Returns whether there is one. */
LW_STATIC int lw_take_back(lw_rigid *g, int count, int forces, lw_slow *slow)
{
    lw_touching *r = &g->r;
    int numbers = LW_BODY_NUMBERS * r->shapes->bodies;
    for (int j = 0; j < forces; ++j) {
        for (int i = 0; i < numbers; ++i) {
            r->acceleration[i] += r->force[j] * LW_ROW(r->moved, j, numbers)[i];
        }
    }
    for (int i = 0; i < slow->count; ++i) {
        double bend, slip[LW_TANGENTS], rate = slow->measure[i].rate;
        lw_bends(r->shapes, &r->now, slow->touch[i].touch, slow->measure + i, r->acceleration, 1, &bend,
                 slip);
        if (rate * rate < -2.0 * bend * LW_UNSEEN * g->deep) {
            lw_note(g, LW_SETTLES, slow->touch[i].touch, slow->measure + i, 0.0, NULL, -rate, 0.0);
            g->candidate[count] = slow->touch[i];
            r->measure[count] = slow->measure[i];
            --slow->count;
            slow->touch[i] = slow->touch[slow->count];
            slow->measure[i] = slow->measure[slow->count];
            return 1;
        }
    }
    return 0;
}

/* A touch that stuck slips against its friction from now on. */
LW_STATIC void lw_let_slip(lw_held *held)
{
    double size = lw_norm(LW_WAY, held->tangent);
    held->grip = LW_SLIPPING;
    for (int k = 0; k < LW_WAY; ++k) {
        held->way[k] = -held->tangent[k] / (size > 0.0 ? size : 1.0);
    }
}

/* Whether a touch at the limit of its friction slips from now on: it does if the forces speed up its slip, or
   if friction was too little just now: then nothing moves yet. Places that hold the same may be at their
   limits without moving. row is that of its normal force. */
LW_STATIC int lw_gives_way(const lw_rigid *g, int forces, int row)
{
    const lw_touching *r = &g->r;
    double most = 0.0, moves = 0.0;
    if (g->gives) {
        return 1;
    }
    for (int i = 0; i < forces; ++i) {
        most = fmax(most, fabs(r->bias[i]));
    }
    for (int i = row + 1; i <= row + LW_TANGENTS; ++i) {
        moves = fmax(moves, fabs(r->bias[i] + lw_dot(forces, LW_ROW(r->matrix, i, forces), r->force)));
    }
    return moves > fmax(LW_MOVES, lw_patience(g)) * most;
}

/* Tell of a touch that slips and whose force would press it on the harder it pushes, as P. Painleve found in
   1895: there is another answer. */
LW_STATIC void lw_note_several(lw_rigid *g, int count, int forces)
{
    const lw_touching *r = &g->r;
    for (int i = 0, row = 0; i < count; ++i) {
        const lw_held *each = g->candidate + i;
        if (each->grip == LW_SLIPPING && r->matrix[row * forces + row] < 0.0) {
            lw_note(g, LW_PAINLEVE, each->touch, r->measure + i, r->force[row], NULL, 0.0, 0.0);
        }
        row += lw_forces_of(each->grip);
    }
}

/* The candidates that do not part, with their forces; those that do not push are let go. Returns how many are
   left, or -1 where there are no forces. */
LW_STATIC int lw_force_candidates(lw_rigid *g, int count, double still, int is_fading)
{
    lw_touching *r = &g->r;
    int keep[LW_TOUCH_MOST], forces = 0, row = 0;
    double faint = is_fading ? fmax(1e-9, lw_patience(g)) : 1e-13;
    lw_slow slow;
    count = lw_still_candidates(g, count, still, &slow);
    if (LW_TANGENTS > 1) {
        lw_grip_candidates(g, count, lw_slip_at_rest(g));
        if (!lw_calm_candidates(g, &count)) {
            return -1;
        }
    }
    do {
        forces = count + slow.count > 0 ? lw_gripping_forces(g, &count, still) : 0;
        if (forces < 0) {
            return -1;
        }
    } while (slow.count > 0 && lw_take_back(g, count, forces, &slow) && ++count);
    lw_note_several(g, count, forces);
    for (int i = 0; i < forces; ++i) {
        g->strongest = fmax(g->strongest, fabs(r->force[i]));
    }
    if (LW_TANGENTS > 1) {
        lw_share_forces(r, count, g->candidate, forces, faint * g->strongest);
    }
    for (int i = 0; i < count; ++i) {
        lw_held *each = g->candidate + i;
        double friction = r->shapes->couple[each->touch.couple].friction;
        lw_take_force(r, each, r->measure + i, r->force + row);
        memcpy(each->begun, r->force + row, sizeof(double) * (size_t)lw_forces_of(each->grip));
        keep[i] = each->normal > faint * g->strongest;
        if (each->grip == LW_STICKING && r->used[i] >= friction * each->normal * (1.0 - 1e-9) &&
            lw_gives_way(g, forces, row)) {
            lw_let_slip(each);
            row += 1 + LW_TANGENTS;
            continue;
        }
        row += lw_forces_of(each->grip);
    }
    lw_keep_candidates(g, &count, keep);
    return count;
}

/* Tell what ends, begins, sticks and slips when the candidates hold instead of what held. */
LW_STATIC void lw_note_changes(lw_rigid *g, int count)
{
    lw_touching *r = &g->r;
    for (int i = 0; i < r->held_count; ++i) {
        if (lw_place_of(r->held[i].touch, count, g->candidate) < 0) {
            lw_measure m;
            lw_measure_touch(r->shapes, &r->now, r->held[i].touch, &m);
            lw_note(g, LW_ENDS, r->held[i].touch, &m, 0.0, NULL, r->m.s.t - r->held[i].since, 0.0);
        }
    }
    for (int j = 0; j < count; ++j) {
        const lw_held *each = g->candidate + j;
        int was = lw_place_of(each->touch, r->held_count, r->held);
        if (was < 0 || r->held[was].grip != each->grip) {
            lw_event_kind kind = was < 0 ? LW_BEGINS : each->grip == LW_STICKING ? LW_STICKS : LW_SLIPS;
            lw_note(g, kind, each->touch, r->measure + j, each->normal, each->tangent, 0.0, 0.0);
        }
    }
}

/* Which candidates hold from now on, by their forces. Returns 0 where there are none. */
LW_STATIC int lw_choose_held(lw_rigid *g, int count, double still, int is_fading)
{
    count = lw_force_candidates(g, count, still, is_fading);
    if (count < 0) {
        return 0;
    }
    lw_note_changes(g, count);
    memcpy(g->r.held, g->candidate, sizeof(lw_held) * (size_t)count);
    g->r.held_count = count;
    return 1;
}

/* Move the bodies by what the forces do, as if they were moved from rest. */
LW_STATIC void lw_shift(lw_touching *r, int forces, double *y)
{
    int second = r->m.run.scheme->second, half = r->m.run.scheme->first + second;
    for (int j = 0; j < forces; ++j) {
        for (int i = 0; i < second; ++i) {
            y[half - second + i] += r->force[j] * LW_ROW(r->response, j, r->m.size)[half + i];
        }
    }
}

/* Bring a state back onto the constraints that was moved along them. In space its velocities do that: where a
   body turns, the shortest way would turn it back, and off what touches by more than it was off before. */
LW_STATIC int lw_stabilise_speeds(lw_rigid *g, double *y, double t)
{
    lw_runner *run = &g->r.m.run;
    const double *before = run->ease;
    int half = run->scheme->first + run->scheme->second, done;
    for (int i = 0; i < g->r.m.size; ++i) {
        g->rows_state[i] = i < half ? LW_FIRM : 1.0;
    }
    run->ease = LW_TANGENTS == 1 ? before : g->rows_state;
    done = lw_stabilise(run, y, t);
    run->ease = before;
    return done;
}

/* Bring candidates that are in one another out again, by the least way that brings no other in: what sinks
   by less than can be seen each time that it comes and goes would else be lost from sight in the end. */
LW_STATIC int lw_push_out(lw_rigid *g, int count)
{
    lw_touching *r = &g->r;
    double deepest = 0.0;
    for (int i = 0; i < count; ++i) {
        deepest = fmin(deepest, r->measure[i].gap);
        g->candidate[i].grip = LW_SMOOTH;
    }
    if (deepest >= -LW_SUNK * g->deep) {
        return 1;
    }
    lw_relate(r, count, g->candidate, r->m.y, r->m.s.t, LW_BY_IMPULSES);
    for (int i = 0; i < count; ++i) {
        r->bias[i] = r->measure[i].gap;
    }
    if (!lw_complement(r, count, g->candidate, count, NULL)) {
        return 1; /* there is no room */
    }
    lw_shift(r, count, r->m.y);
    if (r->m.run.scheme->stabilise_count > 0 && !lw_stabilise_speeds(g, r->m.y, r->m.s.t)) {
        return 0;
    }
    lw_measure_candidates(g, count);
    for (int i = 0; i < count; ++i) {
        g->candidate[i].offset = fabs(r->measure[i].gap) <= g->slack ? r->measure[i].gap : 0.0;
    }
    return 1;
}

/* How fast a touch that holds, as it is measured, slips. */
LW_STATIC double lw_slip_speed(const lw_touching *r, int i)
{
    double slip[LW_TANGENTS];
    lw_slip(r->shapes, &r->now, r->held[i].touch, r->measure + i, slip);
    return lw_norm(LW_TANGENTS, slip);
}

/* Whether the rate of a touch that holds is not what steps left of it: a rim that comes to lie flat stands on
   another place from then on than that on which it rolled. What that has of speed is struck, not smoothed. */
LW_STATIC int lw_comes_to_lie(const lw_rigid *g, int i)
{
#ifdef LW_SPACE
    const lw_measure *m = g->r.measure + i;
    return !m->own.moves && fabs(m->rate) > LW_LIES_DOWN * g->speed &&
           lw_is_rim(g->r.shapes, g->r.held[i].touch);
#else
    (void)g;
    (void)i;
    return 0;
#endif
}

/* Whether the touches that hold, as they are measured, are nearer to what they keep than a share of the size
   and of the speed. */
LW_STATIC int lw_holds_within(const lw_rigid *g, double share)
{
    const lw_touching *r = &g->r;
    double worst = 0.0, fastest = 0.0;
    for (int i = 0; i < r->held_count; ++i) {
        worst = fmax(worst, fabs(r->measure[i].gap - r->held[i].offset));
        fastest = fmax(fastest, lw_comes_to_lie(g, i) ? 0.0 : fabs(r->measure[i].rate));
        fastest = fmax(fastest, r->held[i].grip == LW_STICKING ? lw_slip_speed(r, i) : 0.0);
    }
    return worst <= share * r->shapes->size && fastest <= 10.0 * share * g->speed;
}

/* Move a state by what the forces of the touches that hold do, so that their gaps and rates become what they
   keep. The touches are measured and related there; impulses and forces have the same matrix. Returns 0 where
   there are no such forces. */
LW_STATIC int lw_move_onto_touches(lw_rigid *g, int forces, double *y, double t)
{
    lw_touching *r = &g->r;
    int half = r->m.run.scheme->first + r->m.run.scheme->second;
    for (int i = 0, row = 0; i < r->held_count; ++i) {
        int own = lw_forces_of(r->held[i].grip);
        double slip[LW_TANGENTS];
        r->bias[row] = lw_comes_to_lie(g, i) ? 0.0 : r->measure[i].rate;
        if (own > 1) {
            lw_slip(r->shapes, &r->now, r->held[i].touch, r->measure + i, slip);
        }
        for (int k = 1; k < own; ++k) {
            r->bias[row + k] = slip[k - 1];
        }
        row += own;
    }
    if (!lw_balance(r, forces, r->bias)) {
        return 0;
    }
    for (int j = 0; j < forces; ++j) {
        for (int i = half; i < r->m.size; ++i) {
            y[i] += r->force[j] * LW_ROW(r->response, j, r->m.size)[i];
        }
    }
    for (int i = 0, row = 0; i < r->held_count; ++i) {
        r->bias[row++] = r->measure[i].gap - r->held[i].offset;
        for (int k = 1; k < lw_forces_of(r->held[i].grip); ++k) {
            r->bias[row++] = 0.0;
        }
    }
    if (!lw_balance(r, forces, r->bias)) {
        return 0;
    }
    lw_shift(r, forces, y);
    return r->m.run.scheme->stabilise_count == 0 || lw_stabilise_speeds(g, y, t);
}

/* Relate the touches that hold, without the friction of those that slip: what brings a state onto them is to
   move it least, and where a touch hardly keeps a body from moving, as a place about which it turns, friction
   would move that far. Returns how many forces there are. */
LW_STATIC int lw_relate_smoothly(lw_touching *r, const double *y, double t)
{
    lw_grip grip[LW_TOUCH_MOST];
    int forces;
    for (int i = 0; i < r->held_count; ++i) {
        grip[i] = r->held[i].grip;
        r->held[i].grip = grip[i] == LW_SLIPPING ? LW_SMOOTH : grip[i];
    }
    forces = lw_relate(r, r->held_count, r->held, y, t, LW_BY_IMPULSES);
    for (int i = 0; i < r->held_count; ++i) {
        r->held[i].grip = grip[i];
    }
    return forces;
}

/* Bring the state onto the constraints and onto the touches that hold, unless it is nearer than a share of
   the size and of the speed. Returns whether it was moved, or -1. */
LW_STATIC int lw_settle_touches(lw_rigid *g, double *y, double t, double share)
{
    lw_touching *r = &g->r;
    int changed = 0;
    if (r->m.run.scheme->stabilise_count > 0 && !lw_stabilise(&r->m.run, y, t)) {
        return -1;
    }
    for (int turn = 0; turn < LW_SETTLINGS && r->held_count > 0; ++turn) {
        int forces;
        lw_touching_place(r, y, t, &r->now);
        lw_measure_held(r);
        if (lw_holds_within(g, share)) {
            break;
        }
        forces = lw_relate_smoothly(r, y, t);
        if (!lw_move_onto_touches(g, forces, y, t)) {
            return -1;
        }
        changed = 1;
    }
    return changed;
}

/* The same after an event, where what begins to slip does so from rest: with what rounding left of its slip
   the other way it would stop at once. */
LW_STATIC int lw_settle_from_rest(lw_rigid *g)
{
    lw_touching *r = &g->r;
    double still = lw_slip_at_rest(g);
    lw_grip grip[LW_TOUCH_MOST];
    int settled;
    for (int i = 0; i < r->held_count; ++i) {
        grip[i] = r->held[i].grip;
        if (grip[i] == LW_SLIPPING && lw_slip_speed(r, i) <= still) {
            r->held[i].grip = LW_STICKING;
        }
    }
    settled = lw_settle_touches(g, r->m.y, r->m.s.t, LW_STEP_SHARE);
    for (int i = 0; i < r->held_count; ++i) {
        r->held[i].grip = grip[i];
    }
    return settled;
}

/* After an event: impacts and forces of all that touches now. */
LW_STATIC lw_rigid_status lw_reconsider(lw_rigid *g, const lw_touch *met, const lw_touch *left,
                                        int is_fading)
{
    double still = 1e-7 * g->speed;
    int count;
    g->r.slow = LW_SLOW_SLIP * still;
    lw_touching_place(&g->r, g->r.m.y, g->r.m.s.t, &g->r.now);
    count = lw_gather(g, met, left);
    if (count < 0) {
        return LW_RIGID_CROWDED;
    }
    g->blamed = g->blamed < 0 && count > 0 ? g->candidate[0].touch.couple : g->blamed;
    if (!lw_push_out(g, count)) {
        return LW_RIGID_LEFT;
    }
    if (!lw_impact(g, count, still) || !lw_choose_held(g, count, still, is_fading)) {
        return LW_RIGID_NO_FORCES;
    }
    if (lw_settle_from_rest(g) < 0) {
        return LW_RIGID_LEFT;
    }
    lw_integrator_changed(&g->r.m.s);
    return LW_RIGID_DONE;
}

#endif
