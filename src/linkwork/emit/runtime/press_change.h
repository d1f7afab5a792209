/* How elastic contacts change within a step: they open, push or not, go on elsewhere; begin and end. */
#ifndef LW_PRESS_CHANGE_H
#define LW_PRESS_CHANGE_H

#include <math.h>
#include <string.h>

#include "brent.h"
#include "hand_over.h"
#include "linkage.h"
#include "press.h"
#include "space_hand_over.h"

#define LW_INSTANT 1e-11 /* of the clock, and of 1: what is shorter is not resolved */
#define LW_WAYS (2 + LW_END_WAYS) /* in which a contact changes: it opens, it pushes or not, it ends on its
                                     features */

#define LW_TURNS 1e5 /* of what is patient: how far contacts may be from pushing or not before that changes */

/* What is above 0 as long as a contact stays as it is. */
typedef struct {
    double t, reserve[LW_TOUCH_MOST][LW_WAYS];
    lw_pressed pressed[LW_TOUCH_MOST];
} lw_contact_look;

/* The change of a contact that comes first. */
typedef struct {
    double when;
    int contact, way;
} lw_change;

/* ------------------------------------------------------------------- events of contacts that hold */

LW_STATIC void lw_reserves(const lw_elastic *e, const lw_where *w, int i, double *reserve,
                           lw_pressed *pressed)
{
    const lw_touching *r = &e->g.r;
    const lw_press *press = e->press + i;
    lw_measure m;
    double push;
    lw_measure_pressed(r->shapes, w, r->held[i].touch, &m);
    push = lw_push_reserve(r->shapes->couple + r->held[i].touch.couple, press, &m);
    if (pressed != NULL) {
        lw_press_at(e, w, i, &m, pressed);
    }
    /* what has just begun may be apart by rounding as long as it comes on */
    reserve[0] = m.rate < 0.0 && m.gap <= e->g.slack ? fmax(-m.gap, 0.0) : -m.gap;
    /* the force is none where this is 0: contacts side by side that part as fast as they may do not take
       turns */
    reserve[1] = (press->is_pushing ? push : -push) + LW_TURNS * lw_patience(&e->g);
    lw_end_reserves(e, w, i, &m, reserve + 2);
}

LW_STATIC void lw_look_at_contacts(lw_elastic *e, double t, lw_contact_look *look)
{
    lw_touching_place(&e->g.r, lw_rigid_at(&e->g, t), t, &e->g.there);
    look->t = t;
    for (int i = 0; i < e->g.r.held_count; ++i) {
        lw_reserves(e, &e->g.there, i, look->reserve[i], look->pressed + i);
    }
}

LW_STATIC double lw_watched_contact(double t, void *context)
{
    lw_elastic *e = context;
    double reserve[LW_WAYS];
    lw_touching_place(&e->g.r, lw_rigid_at(&e->g, t), t, &e->g.there);
    lw_reserves(e, &e->g.there, e->g.asked, reserve, NULL);
    return reserve[e->g.which];
}

/* When a contact changes that is not as it was at the later of two looks. One that has only just begun has
   hardly any reserve: the time is sought at which it has. */
LW_STATIC double lw_change_time(lw_elastic *e, const lw_contact_look *a, const lw_contact_look *b, int i,
                                int way)
{
    lw_bracket bracket;
    bracket.left = a->t;
    bracket.right = b->t;
    bracket.left_value = a->reserve[i][way];
    bracket.right_value = b->reserve[i][way];
    e->g.asked = i;
    e->g.which = way;
    for (int k = 1; k <= 40 && !(bracket.left_value > 0.0); k += 2) {
        bracket.left = a->t + ldexp(b->t - a->t, -k);
        bracket.left_value = lw_watched_contact(bracket.left, e);
    }
    if (!(bracket.left_value > 0.0)) {
        return a->t;
    }
    return lw_brent(lw_watched_contact, e, &bracket, 1e-14 * fmax(e->g.moment, fabs(b->t)), 100).x;
}

/* The change between two looks that comes first, if it is before the one there is. */
LW_STATIC void lw_change_between(lw_elastic *e, const lw_contact_look *a, const lw_contact_look *b,
                                 lw_change *found)
{
    for (int i = 0; i < e->g.r.held_count; ++i) {
        for (int way = 0; way < LW_WAYS; ++way) {
            double when = b->reserve[i][way] < 0.0 ? lw_change_time(e, a, b, i, way) : INFINITY;
            if (when < found->when) {
                found->when = when;
                found->contact = i;
                found->way = way;
            }
        }
    }
}

/* The first change of a contact in the last step before a time; its contact is -1 where there is none. Then
   what contacts take until that time is tallied from the same looks, if nothing of the step was before. */
LW_STATIC lw_change lw_first_change(lw_elastic *e, double until)
{
    lw_rigid *g = &e->g;
    double from = g->r.m.s.t_old, span = until - from;
    lw_change found = {INFINITY, -1, 0};
    const lw_samples *samples = lw_samples_of(g->method);
    lw_contact_look looks[1 + LW_SAMPLES_MOST];
    if (g->r.held_count == 0) {
        return found;
    }
    looks[0].t = from;
    for (int i = 0; i < g->r.held_count; ++i) {
        lw_reserves(e, &g->before, i, looks[0].reserve[i], NULL);
    }
    for (int k = 0; k < samples->count && found.contact < 0; ++k) {
        double t = k == samples->count - 1 ? until : from + samples->point[k] * span;
        lw_look_at_contacts(e, t, looks + k + 1);
        lw_change_between(e, looks + k, looks + k + 1, &found);
    }
    if (found.contact < 0 && e->tallied == from &&
        !(g->row < g->rows.count && g->rows.times[g->row] < until)) {
        for (int k = 0; k < samples->count; ++k) {
            for (int i = 0; i < g->r.held_count; ++i) {
                lw_tally_one(e, i, looks[k + 1].pressed + i, samples->weight[k] * span);
            }
        }
        e->tallied = until;
    }
    return found;
}

/* ----------------------------------------------------------------- contacts that begin and that end */

LW_STATIC void lw_tell(lw_elastic *e, lw_event_kind kind, int i, const lw_measure *m)
{
    lw_rigid *g = &e->g;
    const lw_press *press = e->press + i;
    double peak[LW_WAY] = {0.0};
    peak[0] = press->peak;
    if (kind == LW_BEGINS) {
        lw_note(g, kind, g->r.held[i].touch, m, 0.0, NULL, -press->approach, 0.0);
    } else {
        lw_note(g, kind, g->r.held[i].touch, m, press->impulse, peak,
                g->r.m.s.t - g->r.held[i].since, press->lost);
    }
}

/* About how long a contact of this touch lasts: as a mass on its spring takes to swing, or to be stopped by
   its damping. */
LW_STATIC double lw_swing_of(lw_elastic *e, lw_touch touch, const lw_measure *m)
{
    lw_touching *r = &e->g.r;
    const lw_couple *couple = r->shapes->couple + touch.couple;
    const double across[LW_TANGENTS] = {0.0};
    double now = r->m.s.t, stiffness = couple->stiffness + couple->damping * fmax(-m->rate, 0.0), gap;
    lw_respond(r, r->m.y, now, touch, m, 1.0, across, 0);
    lw_bends(r->shapes, &r->now, touch, m, r->moved, 0, &gap, NULL);
    return 1.0 / sqrt(stiffness * fabs(gap));
}

/* What of an overlap presses nothing: all of it that was there before the contact began, but for what the
   clock leaves of a touch that has just come about, and what one that was there already must sink by to do so
   (lw_return_time). */
LW_STATIC double lw_offset(const lw_elastic *e, const lw_measure *m, double depth)
{
    const lw_rigid *g = &e->g;
    double offset = fmin(0.0, depth + m->gap);
    double way = LW_INSTANT * fmax(g->moment, fabs(g->r.m.s.t)) * fabs(m->rate);
    return depth == 0.0 && -offset <= way + 1.01 * g->deep ? 0.0 : offset;
}

/* A contact with this touch begins, with the bodies now. Returns 0 where there is no room for it. */
LW_STATIC int lw_begin_contact(lw_elastic *e, lw_touch touch, double depth)
{
    lw_rigid *g = &e->g;
    const lw_held fresh = {touch, LW_SMOOTH, {0.0}, 0.0, {0.0}, {0.0}, g->r.m.s.t, 0.0};
    int i = g->r.held_count;
    lw_press *press = e->press + i;
    double lasts = fabs(g->rows.times[g->rows.count - 1] - e->begun);
    lw_measure m;
    if (i == LW_TOUCH_MOST) {
        return 0;
    }
    lw_measure_pressed(g->r.shapes, &g->r.now, touch, &m);
    memset(press, 0, sizeof *press);
    g->r.held[i] = fresh;
#ifndef LW_SPACE
    lw_find_beside(e, press, touch);
#endif
    e->swing = lw_swing_of(e, touch, &m);
    e->has_begun = 1;
    if (!(LW_INSTANT * fmax(g->moment, fabs(g->r.m.s.t)) < e->swing)) { /* over before the clock moves on */
        e->is_too_stiff = 1;
        e->blamed = touch.couple;
    }
    press->offset = lw_offset(e, &m, depth);
    press->approach = fmax(-m.rate, 0.0);
    e->yields = fmin(i > 0 ? e->yields : INFINITY, fmax(press->approach * e->swing, depth));
    press->creep = LW_CREEP * fmax(g->speed, g->r.shapes->size / lasts);
    press->is_pushing = lw_push_reserve(g->r.shapes->couple + touch.couple, press, &m) > 0.0;
    ++g->r.held_count;
    lw_tell(e, LW_BEGINS, i, &m);
    return 1;
}

LW_STATIC void lw_end_contact(lw_elastic *e, int i)
{
    lw_rigid *g = &e->g;
    lw_measure m;
    double stored;
    lw_measure_pressed(g->r.shapes, &g->r.now, g->r.held[i].touch, &m);
    stored = lw_stored(e, i, e->press[i].offset - m.gap);
    e->lost += stored;
    e->press[i].lost += stored;
    lw_tell(e, LW_ENDS, i, &m);
    --g->r.held_count;
    memmove(g->r.held + i, g->r.held + i + 1, sizeof *g->r.held * (size_t)(g->r.held_count - i));
    memmove(e->press + i, e->press + i + 1, sizeof *e->press * (size_t)(g->r.held_count - i));
}

/* Another contact goes on for one that ends, with its depth. */
LW_STATIC void lw_succeed(lw_elastic *e, int i, lw_touch next)
{
    lw_rigid *g = &e->g;
    lw_measure m, n;
    double depth, kept;
    if (lw_contact_of(&g->r, next) >= 0) {
        return;
    }
    lw_measure_pressed(g->r.shapes, &g->r.now, g->r.held[i].touch, &m);
    lw_measure_pressed(g->r.shapes, &g->r.now, next, &n);
    depth = fmin(fmax(e->press[i].offset - m.gap, 0.0), -n.gap);
    if (lw_begin_contact(e, next, depth)) {
        kept = lw_stored(e, g->r.held_count - 1, depth);
        e->lost -= kept; /* the end of the other counts all of it as lost */
        e->press[i].lost -= kept;
    }
}

#endif
