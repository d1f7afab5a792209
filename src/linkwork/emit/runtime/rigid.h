/* Rigid contacts, event by event.

   Between events the touches that hold are constraints, and the motion is smooth. An event ends a step: two
   outlines meet (look_ahead.h); a touch would pull, or leaves the end of its features; slip ends, or begins
   (touch_end.h). Then all places that touch are looked at together (gather.h): an impact if any of them
   approaches (impact.h); then the forces tell which touches hold (hold.h). */
#ifndef LW_RIGID_H
#define LW_RIGID_H

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "held_motion.h"
#include "hold.h"
#include "look_ahead.h"
#include "rest.h"
#include "rigid_state.h"
#include "touch_end.h"

/* Where more places hold than there are freedoms the least forces may pull or leave their cones: then tell
   others, that do the same and do not. */
LW_STATIC void lw_proper_forces(lw_rigid *g)
{
    lw_touching *r = &g->r;
    int is_proper = 1, place = 0;
    for (int i = 0; i < r->held_count && r->is_spare; ++i) {
        is_proper &= lw_reserve(g, i, 0) >= 0.0;
        is_proper &= r->held[i].grip != LW_STICKING || lw_reserve(g, i, 2) >= 0.0;
    }
    if (is_proper || !lw_is_held_otherwise(g)) {
        return;
    }
    for (int i = 0; i < r->held_count; ++i) {
        lw_take_force(r, r->held + i, r->measure + i, r->force + place);
        place += lw_forces_of(r->held[i].grip);
    }
}

/* Bring the state of a row inside the last step onto the constraints and the touches, and find the forces
   there. What the forces are found from tells how far it is off, and moves it; where that is so little that
   one move is enough they are those of the place before it. Returns how many touches have forces, or -1. */
LW_STATIC int lw_settle_row(lw_rigid *g, double t, double *state)
{
    lw_touching *r = &g->r;
    int is_inside = t != r->m.s.t, is_near, has_forces;
    if (is_inside && r->m.run.scheme->stabilise_count > 0 && !lw_stabilise(&r->m.run, state, t)) {
        return -1;
    }
    if (r->held_count == 0) {
        return 0;
    }
    has_forces = !lw_touching_rate(t, state, g->rows_state, r);
    for (int turn = 0; turn < LW_SETTLINGS && is_inside && has_forces; ++turn) {
        if (lw_holds_within(g, LW_ROW_SHARE)) {
            break;
        }
        is_near = lw_holds_within(g, LW_ROW_NEAR);
        if (!lw_move_onto_touches(g, lw_forces_in_all(r), state, t)) {
            return -1;
        }
        if (is_near) {
            break;
        }
        has_forces = !lw_touching_rate(t, state, g->rows_state, r);
    }
    if (has_forces) {
        lw_proper_forces(g);
    }
    return has_forces ? r->held_count : 0;
}

/* The first of the touches that hold, for a row: where they are and what they push with; behind them stands
   one of no couple, if there is room. */
LW_STATIC void lw_row_touches(const lw_rigid *g, int count, double *touches)
{
    const lw_touching *r = &g->r;
    int room = lw_row_room(r->shapes), told = count < room ? count : room;
    for (int i = 0; i < told; ++i) {
        const lw_held *held = r->held + i;
        double *own = touches + LW_ROW_NUMBERS * i, *force = own + 1 + LW_DIMENSION;
        own[0] = held->touch.couple;
        lw_touch_point(r->shapes, held->touch, r->measure + i, own + 1);
        lw_touch_force(r->measure + i, held->normal, held->tangent, force);
        for (int k = 0; k < LW_DIMENSION && held->touch.swapped; ++k) {
            force[k] = -force[k];
        }
    }
    if (told < room) {
        touches[LW_ROW_NUMBERS * told] = -1.0;
    }
}

/* A row inside the last step, on the constraints and the touches. */
LW_STATIC int lw_rigid_row(lw_rigid *g, double t)
{
    lw_machine *m = &g->r.m;
    double *state = g->rows.states + g->row * m->size, *touches = g->rows.touches;
    int pushing;
    memcpy(state, lw_rigid_at(g, t), sizeof(double) * (size_t)m->size);
    pushing = lw_settle_row(g, t, state);
    if (pushing < 0) {
        return 0;
    }
    m->worst = fmax(m->worst, lw_residual_of(&m->run, m->run.scheme->stabilise_count,
                                             m->run.scheme->stabilise, state, NULL, t));
    lw_machine_observe(m, state, t, g->rows.outs + g->row * m->run.scheme->outputs);
    lw_row_touches(g, pushing, touches + g->row * lw_row_room(g->r.shapes) * LW_ROW_NUMBERS);
    ++g->row;
    return 1;
}

/* The integrator for what holds now, the explicit one at first. */
LW_STATIC void lw_rigid_restart(lw_rigid *g)
{
    const lw_integrator *s = &g->r.m.s;
    lw_choice_begin(&g->choice, LONG_MAX); /* unless it is stiff */
    g->method = lw_explicit_method(s->rtol);
    lw_method_begin(&g->r.m, g->method, lw_touching_rate, &g->r, s->t, s->rtol);
}

/* The tolerances tell what counts as much of each variable, and so how long it takes a rate to change what it
   is the rate of as much: by that time others are judged, so that nothing depends on the units of time. */
LW_STATIC void lw_units_begin(lw_rigid *g)
{
    lw_machine *m = &g->r.m;
    int first = m->run.scheme->first, second = m->run.scheme->second;
    for (int i = 0; i < m->size; ++i) {
        g->unit[i] = m->atol[i] / m->atol[0];
    }
    m->run.unit = g->unit;
    g->moment = second > 0 ? m->atol[first] / m->atol[first + second] : 1.0;
}

/* Make a run ready in the caller's memory. */
LW_STATIC void lw_rigid_begin(lw_rigid *g, const lw_toucher *program, const lw_shapes *shapes,
                              const double *k, const double *c, const double *q0, const double *y,
                              const double *atol, double t, double rtol, double *doubles, int *integers)
{
    lw_machine *m = &g->r.m;
    /* but for room for relations and problems, a megabyte that few runs need: they fill what they read */
    memset(g, 0, offsetof(lw_rigid, r.matrix));
    memset((char *)g + offsetof(lw_rigid, r.pace), 0, sizeof *g - offsetof(lw_rigid, r.pace));
    lw_touching_begin(&g->r, program, shapes, k, c, doubles, integers);
    g->state = doubles + lw_machine_doubles(program->scheme) + lw_touching_doubles(program, shapes);
    g->rows_state = g->state + m->size;
    g->unit = g->rows_state + m->size;
    lw_where_begin(shapes, &g->before, g->unit + m->size);
    lw_where_begin(shapes, &g->there, g->before.six + lw_where_doubles(shapes));
    lw_where_begin(shapes, &g->inside, g->there.six + lw_where_doubles(shapes));
    lw_where_begin(shapes, &g->from, g->inside.six + lw_where_doubles(shapes));
    lw_lists_begin(&g->lists, shapes, g->from.six + lw_where_doubles(shapes));
    memcpy(m->y, y, sizeof(double) * (size_t)m->size);
    memcpy(m->atol, atol, sizeof(double) * (size_t)m->size);
    memcpy(m->q0, q0, sizeof(double) * (size_t)program->scheme->zeroth);
    lw_units_begin(g);
    g->slack = g->reach = 1e-9 * shapes->size;
    g->deep = 1e-10 * shapes->size;
    g->sunk = LW_BEHIND * g->slack;
    g->most_steps = 100000000;
    g->last_impact = -INFINITY;
    g->blamed = -1;
    m->s.t = g->here = t;
    m->s.rtol = rtol;
    lw_rigid_restart(g);
    m->s.h = LW_FIRST_STEP * g->moment;
}

/* The last step ends at an earlier time, where something happens. */
LW_STATIC void lw_cut_step(lw_rigid *g, double t)
{
    lw_integrator *s = &g->r.m.s;
    if (t != s->t) {
        memcpy(g->state, lw_rigid_at(g, t), sizeof(double) * (size_t)g->r.m.size);
        memcpy(s->y, g->state, sizeof(double) * (size_t)g->r.m.size);
        s->t = t;
        lw_integrator_changed(s);
    }
}

/* What ends a step: the first touch that comes about or that ends, and when; with neither, its own end. */
typedef struct {
    double when;
    int meets, ends; /* whether there is one */
    int which;       /* how it ends: as in lw_reserve */
    lw_touch met, left;
} lw_turn;

/* A step of the integrator. */
LW_STATIC lw_rigid_status lw_try_step(lw_rigid *g, double until)
{
    lw_integrator *s = &g->r.m.s;
    lw_where_copy(g->r.shapes, &g->r.now, &g->before);
    g->r.m.step = lw_method_step(&g->r.m, g->method, until);
    if (g->r.m.step != LW_STEP_DONE) {
        return LW_RIGID_STOPPED;
    }
    lw_touching_place(&g->r, s->y, s->t, &g->r.now);
    return LW_RIGID_DONE;
}

/* What happens first in the last step. */
LW_STATIC lw_rigid_status lw_find_turn(lw_rigid *g, lw_turn *turn)
{
    int meeting = lw_first_of_step(g, &turn->when), ending;
    double ended;
    if (meeting == LW_CROWD) {
        return LW_RIGID_CROWDED;
    }
    ended = meeting >= 0 ? turn->when : INFINITY;
    ending = lw_first_end(g, &ended, &turn->which);
    turn->ends = ending >= 0;
    turn->meets = meeting >= 0 && !turn->ends;
    if (turn->meets) {
        turn->met = g->near[meeting];
    } else {
        turn->when = g->r.m.s.t;
    }
    if (turn->ends) {
        turn->when = ended;
        turn->left = g->r.held[ending].touch;
    }
    g->gives = turn->ends && turn->which == 2 && g->r.held[ending].grip == LW_STICKING;
    g->stops = turn->ends && turn->which == 2 && !g->gives;
    if (g->stops) {
        g->stopped = turn->left;
    }
    return LW_RIGID_DONE;
}

/* Go back to where the last step began: the next one is to be so long. */
LW_STATIC void lw_step_back(lw_rigid *g, double length)
{
    lw_integrator *s = &g->r.m.s;
    memcpy(s->y, s->y_old, sizeof(double) * (size_t)g->r.m.size);
    s->t = s->t_old;
    s->h = length;
    lw_integrator_changed(s);
    lw_where_copy(g->r.shapes, &g->before, &g->r.now);
}

/* A step and what happens first in it. Where that is soon beside its length, what is inside it is known by
   rounding alone: it is done again, shorter, but so long that what comes back from the lowest height that
   is seen (LW_UNSEEN) is deep at its end. */
LW_STATIC lw_rigid_status lw_turning_step(lw_rigid *g, double until, lw_turn *turn)
{
    lw_integrator *s = &g->r.m.s;
    double usual = 0.0; /* the next step that was proposed before one was done again */
    for (;;) {
        lw_rigid_status status = lw_try_step(g, until);
        double length, soon;
        if (status == LW_RIGID_DONE) {
            status = lw_find_turn(g, turn);
        }
        if (status != LW_RIGID_DONE || !(turn->meets || turn->ends)) {
            return status;
        }
        length = s->t - s->t_old;
        soon = turn->when - s->t_old;
        if (soon > LW_SOON_SHARE * length || !(soon > LW_STEP_SHORTEST / LW_SOON_SHARE * fabs(s->t_old))) {
            s->h = fmax(s->h, usual);
            return status;
        }
        usual = fmax(usual, s->h);
        lw_step_back(g, LW_LATER * soon);
    }
}

/* A step without an event comes to its end; what rests then does so until a time. */
LW_STATIC lw_rigid_status lw_finish_step(lw_rigid *g, double until)
{
    lw_integrator *s = &g->r.m.s;
    int changed = lw_settle_touches(g, g->r.m.y, s->t, LW_STEP_SHARE);
    if (changed < 0) {
        return LW_RIGID_LEFT;
    }
    if (changed) {
        lw_integrator_changed(s);
    }
    if (lw_choice_step(&g->choice, s->t - s->t_old, s->h, s->stiff)) {
        double length = s->h;
        g->method = g->choice.is_implicit ? LW_IMPLICIT : lw_explicit_method(s->rtol);
        lw_method_begin(&g->r.m, g->method, lw_touching_rate, &g->r, s->t, s->rtol);
        s->h = length;
    }
    g->passed_count = 0;
    lw_touching_place(&g->r, s->y, s->t, &g->r.now);
    lw_follow_slips(&g->r);
    if (lw_is_at_rest(g, until)) {
        lw_rest_until(g, until);
    }
    return LW_RIGID_DONE;
}

/* How long after the end of the last step, which was cut and is on the constraints, a touch has no gap, or is
   at the end of its features; 0 where that is now, or not to be told. */
LW_STATIC double lw_still_to_go(lw_rigid *g, const lw_turn *turn)
{
    lw_measure m, later;
    double soon = 1e-6 * g->r.shapes->size / fmax(g->speed, 1e-300), rate;
    if (turn->meets) {
        lw_measure_touch(g->r.shapes, &g->r.now, turn->met, &m);
        return fabs(m.gap) <= g->deep || !(m.rate < 0.0) ? 0.0 : -m.gap / m.rate;
    }
    if (!turn->ends || turn->which != 1) {
        return 0.0;
    }
    lw_measure_touch(g->r.shapes, &g->r.now, turn->left, &m);
    lw_place_later(g, soon);
    lw_measure_touch(g->r.shapes, &g->there, turn->left, &later);
    rate = (later.beyond - m.beyond) / soon;
    return fabs(m.beyond) <= g->slack || !(rate > 0.0) ? 0.0 : -m.beyond / rate;
}

/* End the last step where something happens, on the constraints and the touches. Inside a step the motion is
   off them by as much as the tolerance lets it: what was met there, or left, is so a little sooner or later
   by the motion that is on them. */
LW_STATIC lw_rigid_status lw_land(lw_rigid *g, lw_turn *turn)
{
    const lw_integrator *s = &g->r.m.s;
    for (int again = 0; again < LW_LANDINGS; ++again) {
        double when;
        int moved;
        lw_cut_step(g, turn->when);
        moved = lw_settle_touches(g, g->r.m.y, s->t, LW_STEP_SHARE);
        if (moved < 0) {
            return LW_RIGID_LEFT;
        }
        when = turn->when + (moved ? lw_still_to_go(g, turn) : 0.0);
        if (when == turn->when || !(when > s->t_old && when < s->t_old + s->reach)) {
            break;
        }
        turn->when = when;
    }
    return LW_RIGID_DONE;
}

/* One step or the part of it before the first event, and what happens there. */
LW_STATIC lw_rigid_status lw_rigid_step(lw_rigid *g, double until)
{
    lw_integrator *s = &g->r.m.s;
    lw_turn turn;
    lw_rigid_status status = lw_turning_step(g, until, &turn);
    if (status == LW_RIGID_DONE && (turn.meets || turn.ends)) {
        status = lw_land(g, &turn);
    }
    if (status != LW_RIGID_DONE) {
        return status;
    }
    while (g->row < g->rows.count && g->rows.times[g->row] < turn.when) {
        if (!lw_rigid_row(g, g->rows.times[g->row])) {
            return LW_RIGID_LEFT;
        }
    }
    if (!turn.meets && !turn.ends) {
        return lw_finish_step(g, until);
    }
    g->chatter = turn.when - g->last_event <= 1e-12 * fmax(g->moment, fabs(turn.when)) ? g->chatter + 1 : 0;
    g->last_event = turn.when;
    g->blamed = turn.meets ? turn.met.couple : turn.left.couple;
    if (g->chatter > LW_CHATTER_MOST) {
        return LW_RIGID_CHATTER;
    }
    status = lw_reconsider(g, turn.meets ? &turn.met : NULL, turn.ends && turn.which == 1 ? &turn.left : NULL,
                           turn.ends && turn.which == 0);
    if (g->choice.is_implicit) {
        lw_rigid_restart(g);
    }
    lw_touching_place(&g->r, s->y, s->t, &g->r.now);
    return status;
}

/* The motion through rows of times, as far as there is room for events; many steps are paused after. */
LW_STATIC lw_rigid_status lw_rigid_run(lw_rigid *g, long rows, const double *times, double *states,
                                       double *outs, double *touches, long room, double *events,
                                       long *happened)
{
    const lw_rows given = {rows, times, states, outs, touches};
    lw_machine *m = &g->r.m;
    lw_rigid_status status = LW_RIGID_DONE;
    g->rows = given;
    g->event = events;
    g->events = 0;
    g->events_most = room;
    if (g->row == 0) {
        lw_touching_place(&g->r, m->y, m->s.t, &g->r.now);
        g->lists.is_facing = !lw_is_in_another(g);
        lw_judge_speed(g, &g->r.now);
        status = lw_reconsider(g, NULL, NULL, 0);
        if (status == LW_RIGID_DONE && !lw_rigid_row(g, times[0])) {
            status = LW_RIGID_LEFT;
        }
        lw_touching_place(&g->r, m->y, m->s.t, &g->r.now);
    }
    while (status == LW_RIGID_DONE && g->row < rows) {
        if (lw_pauses(g)) {
            status = LW_RIGID_FULL;
        } else if (m->s.steps + m->s.rejected > g->most_steps || lw_crawls(g)) {
            status = LW_RIGID_TOO_LONG;
        } else {
            status = lw_rigid_step(g, times[rows - 1]);
        }
        if (status == LW_RIGID_DONE && lw_far_body(g) >= 0) {
            status = LW_RIGID_FAR;
        }
        while (status == LW_RIGID_DONE && g->row < rows && times[g->row] <= m->s.t) {
            status = lw_rigid_row(g, times[g->row]) ? LW_RIGID_DONE : LW_RIGID_LEFT;
        }
    }
    *happened = g->events;
    return status;
}

#endif
