/* Where elastic contacts go on when a corner or a round leaves the face that it presses on, and which new
   touches are none because such a contact stands for them.

   A contact remembers the face through which it began, and so finds its way out of thin walls too. It goes
   on with a face beside that one: a corner past a corner as corners.h tells; a round with the corner, and
   then with the face behind it, when they are what is nearest to its centre; either with a face that follows
   smoothly. The depth is the same before and after, and so is the energy that is stored: what the one gives
   back the other takes, and nothing catches. */
#ifndef LW_HAND_OVER_H
#define LW_HAND_OVER_H

#ifndef LW_SPACE

#include <math.h>

#include "corners.h"
#include "face_ends.h"
#include "gather.h"
#include "linkage.h"
#include "press.h"

#define LW_END_WAYS 3 /* in which a contact ends on its features: it comes past an end, a face beside its own
                         is as near, at the one end or the other */

/* A touch that may go on for another: its overlap, and how far it is past its ends. */
LW_STATIC void lw_consider(const lw_elastic *e, lw_touch touch, double *best, lw_touch *next)
{
    const lw_touching *r = &e->g.r;
    lw_measure n;
    double past;
    lw_measure_pressed(r->shapes, &r->now, touch, &n);
    past = lw_touch_past(r->shapes, &r->now, touch, &n).by;
    if (n.gap < 0.0 && past < *best) {
        *best = past;
        *next = touch;
    }
}

/* What goes on where a round is past an end of its own, or of the corner or round that it presses on: of the
   faces there the one that it is on most. Returns 0 where the contact goes on itself. */
LW_STATIC int lw_past_round(const lw_elastic *e, lw_touch touch, int which, lw_touch *next)
{
    const lw_outline *ends[2];
    int is_own = which == -2 || which == 2, count;
    const lw_face own = {LW_ROUND, is_own ? touch.round : touch.face};
    const lw_face other = {LW_ROUND, is_own ? touch.face : touch.round};
    const lw_arc *round;
    lw_face faces[4];
    double best = INFINITY;
    lw_touch_outlines(e->g.r.shapes, touch, &ends[0], &ends[1]);
    round = ends[!is_own]->round + own.face;
    if (round->r == 0.0) {
        count = lw_faces_at(ends[!is_own], round->x, round->y, e->g.slack, 4, faces);
    } else {
        lw_after after = lw_after_end(ends[!is_own], own, is_own ? which / 2 : which, e->g.slack);
        count = after.is_smooth || after.corner >= 0;
        faces[0].kind = after.is_smooth ? after.next.kind : LW_ROUND;
        faces[0].face = after.is_smooth ? after.next.face : after.corner;
    }
    for (int i = 0; i < count; ++i) {
        int swapped = is_own ? !touch.swapped : touch.swapped;
        lw_consider(e, lw_touch_of(touch.couple, swapped, other.face, faces[i]), &best, next);
    }
    return count > 0;
}

/* What goes on behind an end of a contact's features; returns 0 where the contact itself does. Where nothing
   overlaps there, next is as it was. */
LW_STATIC int lw_goes_on(const lw_elastic *e, lw_touch touch, int which, lw_touch *next)
{
    const lw_outline *own, *other;
    lw_face face = {touch.kind, touch.face};
    lw_after after;
    double best = INFINITY;
    lw_touch_outlines(e->g.r.shapes, touch, &own, &other);
    if (touch.kind == LW_ROUND) {
        return lw_past_round(e, touch, which, next);
    }
    after = lw_after_end(other, face, which, e->g.slack);
    if (after.corner >= 0 && !after.is_smooth && own->round[touch.round].r > 0.0) {
        after.next.kind = LW_ROUND;
        after.next.face = after.corner;
    } else if (!after.is_smooth) {
        return 0;
    }
    lw_consider(e, lw_touch_of(touch.couple, touch.swapped, touch.round, after.next), &best, next);
    return 1;
}

/* The touch with the face that goes up from an end of a touch's own face, in a nook. Returns whether there is
   one. */
LW_STATIC int lw_in_nook(const lw_elastic *e, lw_touch touch, int which, lw_touch *next)
{
    const lw_outline *own, *other;
    lw_face face = {touch.kind, touch.face};
    lw_after after;
    if (touch.kind == LW_ROUND || (which != -1 && which != 1)) {
        return 0;
    }
    lw_touch_outlines(e->g.r.shapes, touch, &own, &other);
    after = lw_after_end(other, face, which, e->g.slack);
    *next = lw_touch_of(touch.couple, touch.swapped, touch.round, after.next);
    return after.corner < 0 && !after.is_smooth && after.next.face >= 0;
}

/* Whether another contact stands for a touch that seems to come about, with the bodies there. */
LW_STATIC int lw_has_stand_in(const lw_elastic *e, lw_touch touch, const lw_measure *m)
{
    const lw_rigid *g = &e->g;
    if (lw_is_aside(e, touch, m)) {
        return 1;
    }
    for (int i = 0; i < g->r.held_count; ++i) {
        const lw_touch held = g->r.held[i].touch;
        lw_measure n;
        if (!lw_same_bodies(g->r.shapes, held, touch)) {
            continue;
        }
        lw_measure_touch(g->r.shapes, &g->there, held, &n);
        if (lw_stands_for(e, i, touch, m) ||
            (held.swapped == touch.swapped && lw_same_place(m, &n, 100.0 * g->slack))) {
            return 1;
        }
    }
    return 0;
}

/* Whether a touch that seems to come about, with the bodies there, is none: past the end of its face it is
   one only in a nook, where it presses on the other face already. */
LW_STATIC int lw_is_ghost(const lw_elastic *e, lw_touch touch)
{
    const lw_rigid *g = &e->g;
    lw_measure m;
    lw_past_end past;
    lw_touch next;
    lw_measure_pressed(g->r.shapes, &g->there, touch, &m);
    past = lw_touch_past(g->r.shapes, &g->there, touch, &m);
    if (past.by > g->slack &&
        !(lw_in_nook(e, touch, past.which, &next) && lw_contact_of(&g->r, next) >= 0)) {
        return 1;
    }
    return lw_has_stand_in(e, touch, &m);
}

/* The faces beside that of a corner's contact, and the edges of the corner. */
LW_STATIC void lw_find_beside(const lw_elastic *e, lw_press *press, lw_touch touch)
{
    const lw_outline *own, *other;
    const lw_face face = {touch.kind, touch.face};
    const lw_after none = {-1, 0, {LW_SIDE, -1}};
    const lw_arc *corner;
    int has;
    lw_touch_outlines(e->g.r.shapes, touch, &own, &other);
    corner = own->round + touch.round;
    has = corner->r == 0.0 && lw_has_ends(other, face);
    for (int end = 0; end < 2; ++end) {
        press->after[end] = has ? lw_after_end(other, face, 2 * end - 1, e->g.slack) : none;
        press->edge[end] = none.next;
    }
    if (has) {
        lw_edges_of(own, corner, e->g.slack, press->edge);
    }
}

/* What is above 0 as long as a contact does not end on its features: what is left of them, and how much
   nearer its face is than what is beside it at either end. */
LW_STATIC void lw_end_reserves(const lw_elastic *e, const lw_where *w, int i, const lw_measure *m,
                               double *reserve)
{
    lw_past_end past = lw_touch_past(e->g.r.shapes, w, e->g.r.held[i].touch, m);
    reserve[0] = e->press[i].kept >> (past.which + 2) & 1 ? INFINITY : e->g.slack - past.by;
    for (int end = 0; end < 2; ++end) {
        reserve[1 + end] = lw_stays(e, w, i, end, m, past);
    }
}

/* Whether a face is one of those beside that of a contact: past the end of its own a corner comes out of it,
   before the other corner goes on in its place. */
LW_STATIC int lw_is_beside(const lw_elastic *e, int i, lw_touch touch)
{
    const lw_press *press = e->press + i;
    for (int end = 0; end < 2; ++end) {
        if (press->after[end].next.kind == touch.kind && press->after[end].next.face == touch.face) {
            return 1;
        }
    }
    return 0;
}

#endif

#endif
