/* Elastic contacts, step by step.

   Where nothing touches the motion is integrated by Dormand and Prince's method of order 8; while anything
   presses by the implicit method Radau IIA, for contacts are stiff. What presses and whether it pushes is
   fixed within a step, so that forces are smooth. A step ends where that changes: a touch comes about, as
   looking ahead finds it; a contact opens; begins to push or ceases to; or comes past the end of its face. */
#ifndef LW_ELASTIC_H
#define LW_ELASTIC_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "linkage.h"
#include "look_ahead.h"
#include "press_change.h"
#include "press_end.h"
#include "rigid.h"
#include "space_press_end.h"
#include "take_up.h"

#define LW_ELASTIC_THROUGH 8 /* a part was pressed through another: besides those of lw_rigid_status */
#define LW_ELASTIC_STUCK 9   /* the steps became so short that the end would never be reached */
#define LW_STRICT 0.25 /* of the tolerance, in explicit steps while contacts press; a power of 2 */
#define LW_OF_DEPTH 0.05 /* of the depth of contacts: how far off parts may be in a step while they press, */
#define LW_OF_DEPTH_LEAST 1e-5 /* but not less than this by their size: contacts may rest */
#define LW_STRIDE 2.0 /* of the first step of order 8 in a swing, by the eighth root of the tolerance */
#define LW_STEPS_OF_SWING 1e-3 /* a swing: steps that it makes short are not shorter */
#define LW_STRIDE_MOST 2.0 /* of the first step in any swing, which lasts for about 3 */
/* -------------------------------------------------------------------------------------------- a step */

/* The tolerance while contacts press: that of the run, but not so rough that a contact is lost in it. */
LW_STATIC double lw_pressing_tolerance(const lw_elastic *e)
{
    double depth = LW_OF_DEPTH * e->yields / e->g.r.shapes->size;
    return fmin(e->rtol, fmax(depth, LW_OF_DEPTH_LEAST));
}

/* The integrator for what holds now, at the state where the last step ended or was cut; length is that of its
   first step, 0 where it is to choose. Where contacts press their swings are followed best by the method of
   order 8, whatever the tolerance; and strictly, for a strike makes more of an error. */
LW_STATIC void lw_elastic_restart(lw_elastic *e, double length)
{
    lw_machine *m = &e->g.r.m;
    int presses = e->g.r.held_count > 0, is_implicit = presses && e->g.choice.is_implicit;
    double rtol = !presses ? e->rtol : (is_implicit ? 1.0 : LW_STRICT) * lw_pressing_tolerance(e);
    if (!presses) {
        lw_choice_begin(&e->g.choice, LW_KEEP_PRESSED);
    }
    for (int i = 0; i < m->size; ++i) {
        m->atol[i] *= rtol / m->s.rtol;
    }
    e->g.method = is_implicit ? LW_IMPLICIT : presses ? LW_ORDER_8 : lw_explicit_method(rtol);
    lw_method_begin(m, e->g.method, lw_elastic_rate, e, m->s.t, rtol);
    m->s.jacobian = is_implicit ? lw_elastic_jacobian : NULL;
    m->s.h = length;
    e->g.passed_count = 0;
    lw_touching_place(&e->g.r, m->y, m->s.t, &e->g.r.now);
}

/* The first step after an event: where a contact has begun the share of its swing with which steps got on in
   the swings before. */
LW_STATIC double lw_length_after(const lw_elastic *e)
{
    return e->g.choice.is_implicit || !e->has_begun ? 0.0 : e->stride * e->swing;
}

/* Learn from a step how long the first one of the next swing may be. One that was not short for the swing of
   its contact tells nothing of it: what joints and drives hold does not swing at all. */
LW_STATIC void lw_learn_stride(lw_elastic *e)
{
    if (e->g.r.held_count > 0 && e->g.method == LW_ORDER_8) {
        e->stride = fmin(fmax(e->g.r.m.s.h / e->swing, LW_STEPS_OF_SWING), LW_STRIDE_MOST);
    }
}

/* How far past its end a touch may come about: where what presses on one face is as deep in it when it meets
   the next one, in a nook. */
LW_STATIC double lw_nook_reach(const lw_elastic *e)
{
    const lw_rigid *g = &e->g;
    double deepest = 0.0;
    for (int i = 0; i < g->r.held_count; ++i) {
        lw_measure m;
        lw_measure_contact(g->r.shapes, &g->r.now, g->r.held[i].touch, &m);
        deepest = fmax(deepest, -m.gap);
    }
    return g->slack + 2.0 * deepest;
}

/* The first touch of the last step that is one: which of those that are watched, -1 or LW_CROWD. */
LW_STATIC int lw_first_new_touch(lw_elastic *e, double *when)
{
    lw_rigid *g = &e->g;
    g->reach = fmax(g->reach, lw_nook_reach(e));
    g->lists.least = 2.0 * g->reach;
    for (;;) {
        int found = lw_first_of_step(g, when);
        if (found < 0) {
            return found;
        }
        lw_touching_place(&g->r, lw_rigid_at(g, *when), *when, &g->there);
        if (!lw_is_ghost(e, g->near[found])) {
            return found;
        }
        if (g->passed_count == LW_TOUCH_MOST) {
            return LW_CROWD;
        }
        g->passed[g->passed_count++] = g->near[found];
    }
}

/* Whether a corner or round that presses has come out of a face behind the one through which it went in; then
   it is told which. */
LW_STATIC int lw_is_through(lw_elastic *e)
{
    lw_rigid *g = &e->g;
    for (int i = 0; i < g->r.held_count; ++i) {
        const lw_touch held = g->r.held[i].touch;
        const lw_neighbour *around;
        double way = lw_way_of_couple(g, held.couple), apart;
        int count = lw_nearby(&g->lists, g->r.shapes, &g->before, held.couple, way, &around, &apart);
        lw_measure m;
        lw_measure_contact(g->r.shapes, &g->r.now, held, &m);
        for (int k = 0; k < count; ++k) {
            const lw_touch near = around[k].touch;
            double across[LW_DIMENSION], its_across[LW_DIMENSION];
            lw_measure before, n;
            if (near.couple != held.couple || near.swapped != held.swapped || near.round != held.round ||
                lw_is_beside(e, i, near)) {
                continue;
            }
            lw_measure_contact(g->r.shapes, &g->r.now, near, &n);
            lw_touch_normal(&m, across);
            lw_touch_normal(&n, its_across);
            if (!(n.gap > g->slack && n.beyond <= 0.0 && lw_dot(LW_DIMENSION, across, its_across) < 0.0)) {
                continue;
            }
            lw_measure_contact(g->r.shapes, &g->before, near, &before);
            if (before.gap < -g->slack) {
                e->blamed = held.couple;
                return 1;
            }
        }
    }
    return 0;
}

/* What happens where a step was cut. */
LW_STATIC int lw_elastic_event(lw_elastic *e, const lw_touch *met, const lw_change *change)
{
    lw_rigid *g = &e->g;
    double now = g->r.m.s.t;
    int status = LW_RIGID_DONE;
    e->has_begun = 0;
    g->chatter = now - g->last_event <= 1e-12 * fmax(g->moment, fabs(now)) ? g->chatter + 1 : 0;
    g->last_event = now;
    lw_touching_place(&g->r, g->r.m.y, now, &g->r.now);
    e->blamed = met != NULL ? met->couple : g->r.held[change->contact].touch.couple;
    if (met != NULL) {
        status = lw_begin_contact(e, *met, 0.0) ? LW_RIGID_DONE : LW_RIGID_CROWDED;
        ++g->impacts;
    } else if (change->way == 0) {
        lw_end_contact(e, change->contact);
    } else if (change->way == 1) {
        e->press[change->contact].is_pushing = !e->press[change->contact].is_pushing;
    } else {
        lw_end_on_features(e, change->contact, change->way - 2);
    }
#ifdef LW_SPACE
    status = lw_come_beside(e) ? status : LW_RIGID_CROWDED;
#endif
    lw_elastic_restart(e, lw_length_after(e));
    if (e->is_too_stiff) {
        return LW_ELASTIC_STUCK;
    }
    return g->chatter > LW_CHATTER_MOST ? LW_RIGID_CHATTER : status;
}

/* As for rigid parts. */
LW_STATIC void lw_elastic_touches(lw_elastic *e, double *touches)
{
    lw_touching *r = &e->g.r;
    int room = lw_row_room(r->shapes), told = r->held_count < room ? r->held_count : room;
    for (int i = 0; i < told; ++i) {
        const lw_touch touch = r->held[i].touch;
        double *own = touches + LW_ROW_NUMBERS * i, along[LW_WAY];
        lw_measure m;
        lw_pressed p;
        lw_measure_pressed(r->shapes, &e->g.there, touch, &m);
        lw_press_at(e, &e->g.there, i, &m, &p);
        own[0] = touch.couple;
        lw_touch_point(r->shapes, touch, &m, own + 1);
        lw_keep_way(&m, p.tangent, along);
        lw_touch_force(&m, p.normal, along, own + 1 + LW_DIMENSION);
        for (int k = 1 + LW_DIMENSION; k < LW_ROW_NUMBERS && touch.swapped; ++k) {
            own[k] = -own[k];
        }
    }
    if (told < room) {
        touches[LW_ROW_NUMBERS * told] = -1.0;
    }
}

/* A row inside the last step. */
LW_STATIC int lw_elastic_row(lw_elastic *e, double t)
{
    lw_rigid *g = &e->g;
    lw_machine *m = &g->r.m;
    const lw_scheme *scheme = m->run.scheme;
    double *state = g->rows.states + g->row * m->size, *energy = e->energies + LW_ROW_ENERGIES * g->row;
    memcpy(state, lw_rigid_at(g, t), sizeof(double) * (size_t)m->size);
    if (scheme->stabilise_count > 0 && t != m->s.t && !lw_stabilise(&m->run, state, t)) {
        return 0;
    }
    lw_tally(e, t);
    m->worst = fmax(m->worst, lw_residual_of(&m->run, scheme->stabilise_count, scheme->stabilise, state,
                                             NULL, t));
    lw_machine_observe(m, state, t, g->rows.outs + g->row * scheme->outputs);
    lw_touching_place(&g->r, state, t, &g->there);
    energy[0] = energy[2] = 0.0;
    energy[1] = e->lost;
    for (int i = 0; i < g->r.held_count; ++i) {
        lw_measure each;
        lw_measure_pressed(g->r.shapes, &g->there, g->r.held[i].touch, &each);
        energy[0] += lw_stored(e, i, e->press[i].offset - each.gap);
        energy[2] = fmax(energy[2], -each.gap);
    }
    lw_elastic_touches(e, g->rows.touches + g->row * lw_row_room(g->r.shapes) * LW_ROW_NUMBERS);
    ++g->row;
    return 1;
}

/* A step and the first new touch in it: which, or -1. A contact that does not push at its beginning may be so
   deep at the end of a long one that too many touches are near: it is done again, shorter. */
LW_STATIC int lw_seeing_step(lw_elastic *e, double until, int *meeting, double *when)
{
    lw_rigid *g = &e->g;
    for (;;) {
        double length;
        int status;
        g->reach = lw_nook_reach(e);
        g->lists.least = 2.0 * g->reach;
        status = lw_try_step(g, until);
        if (status != LW_RIGID_DONE) {
            return status;
        }
        lw_learn_stride(e);
        *when = INFINITY;
        *meeting = lw_first_new_touch(e, when);
        length = g->r.m.s.t - g->r.m.s.t_old;
        if (*meeting != LW_CROWD) {
            return LW_RIGID_DONE;
        }
        if (!(length > LW_INSTANT * fmax(g->moment, fabs(g->r.m.s.t)))) {
            return LW_RIGID_CROWDED;
        }
        lw_step_back(g, length / LW_LATER);
    }
}

/* One step or the part of it before the first event, and what happens there. */
LW_STATIC int lw_elastic_step(lw_elastic *e, double until)
{
    lw_rigid *g = &e->g;
    lw_integrator *s = &g->r.m.s;
    lw_change change;
    lw_touch met;
    double when;
    int meeting, status, is_turned = 0;
    status = lw_seeing_step(e, until, &meeting, &when);
    if (status != LW_RIGID_DONE) {
        return status;
    }
    when = meeting >= 0 ? when : s->t;
    if (meeting >= 0) {
        met = g->near[meeting];
    }
    change = lw_first_change(e, when);
    if (change.contact >= 0 && change.when <= when) {
        meeting = -1;
        when = change.when;
    }
    while (g->row < g->rows.count && g->rows.times[g->row] < when) {
        if (!lw_elastic_row(e, g->rows.times[g->row])) {
            return LW_RIGID_LEFT;
        }
    }
    lw_tally(e, when);
    lw_cut_step(g, when);
    if (g->r.m.run.scheme->stabilise_count > 0) {
        if (!lw_stabilise(&g->r.m.run, g->r.m.y, s->t)) {
            return LW_RIGID_LEFT;
        }
        lw_integrator_changed(s);
    }
    if (g->r.held_count > 0 && lw_choice_step(&e->g.choice, when - s->t_old, s->h, s->stiff)) {
        is_turned = 1;
    }
    if (meeting >= 0 || change.contact >= 0) {
        return lw_elastic_event(e, meeting >= 0 ? &met : NULL, &change);
    }
    g->passed_count = 0;
    lw_touching_place(&g->r, s->y, s->t, &g->r.now);
#ifdef LW_SPACE
    e->has_begun = 0;
    if (!lw_come_beside(e)) {
        return LW_RIGID_CROWDED;
    }
    is_turned |= e->has_begun;
#endif
    if (is_turned) {
        lw_elastic_restart(e, s->h);
    }
    return lw_is_through(e) ? LW_ELASTIC_THROUGH : LW_RIGID_DONE;
}

/* ------------------------------------------------------------------------------------------- the run */

/* Make a run ready in the caller's memory. */
LW_STATIC void lw_elastic_begin(lw_elastic *e, const lw_toucher *program, const lw_shapes *shapes,
                                const double *k, const double *c, const double *q0, const double *y,
                                const double *atol, double t, double rtol, double *doubles, int *integers)
{
    memset((char *)e + offsetof(lw_elastic, press), 0, sizeof *e - offsetof(lw_elastic, press));
    lw_rigid_begin(&e->g, program, shapes, k, c, q0, y, atol, t, rtol, doubles, integers);
    e->g.deeper = lw_measure_deeper;
    e->g.lists.is_facing = 0;
    e->tallied = e->begun = t;
    e->rtol = rtol;
    e->stride = LW_STRIDE * pow(rtol, 1.0 / 8.0);
    lw_choice_begin(&e->g.choice, LW_KEEP_PRESSED);
}

/* What overlaps at the start presses. */
LW_STATIC int lw_elastic_start(lw_elastic *e)
{
    lw_rigid *g = &e->g;
    lw_touching_place(&g->r, g->r.m.y, g->r.m.s.t, &g->r.now);
    lw_judge_speed(g, &g->r.now);
    if (!lw_take_up(e)) {
        return LW_RIGID_CROWDED;
    }
    lw_elastic_restart(e, 0.0);
    return e->is_too_stiff ? LW_ELASTIC_STUCK : LW_RIGID_DONE;
}

/* Whether contacts may be what steps are short for: beside the swing of one much shorter ones are not. */
LW_STATIC int lw_is_slowed(const lw_elastic *e)
{
    return e->g.r.held_count > 0 && e->g.r.m.s.h > LW_STEPS_OF_SWING * e->swing;
}

/* The motion through rows of times, as far as there is room for events. */
LW_STATIC int lw_elastic_run(lw_elastic *e, long rows, const double *times, double *states, double *outs,
                             double *touches, double *energies, long room, double *events, long *happened)
{
    const lw_rows given = {rows, times, states, outs, touches};
    lw_rigid *g = &e->g;
    int status = LW_RIGID_DONE;
    g->rows = given;
    g->event = events;
    g->events = 0;
    g->events_most = room;
    e->energies = energies;
    if (g->row == 0) {
        status = lw_elastic_start(e);
        if (status == LW_RIGID_DONE && !lw_elastic_row(e, times[0])) {
            status = LW_RIGID_LEFT;
        }
    }
    while (status == LW_RIGID_DONE && g->row < rows) {
        if (lw_pauses(g)) {
            status = LW_RIGID_FULL;
        } else if (lw_crawls(g)) {
            status = lw_is_slowed(e) ? LW_ELASTIC_STUCK : LW_RIGID_TOO_LONG;
        } else {
            status = lw_elastic_step(e, times[rows - 1]);
        }
        if (status == LW_RIGID_DONE && lw_far_body(g) >= 0) {
            status = LW_RIGID_FAR;
        }
        while (status == LW_RIGID_DONE && g->row < rows && times[g->row] <= g->r.m.s.t) {
            status = lw_elastic_row(e, times[g->row]) ? LW_RIGID_DONE : LW_RIGID_LEFT;
        }
    }
    *happened = g->events;
    return status;
}

#endif
