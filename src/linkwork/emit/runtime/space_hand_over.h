/* Which new touches in space are none because an elastic contact stands for them, and where contacts go on
   that come past the end of their features.

   What of two solids is in both has corners: corners of the one in the other, and places where lines of both
   cross. These press. Where a corner leaves a face over an edge of that, an edge of its own crosses that one
   at the same place from then on, as deep: it goes on. Within a few depths of such an end nothing else comes
   about: the corner, past the edge, is behind the face beside it, but never came through that. */
#ifndef LW_SPACE_HAND_OVER_H
#define LW_SPACE_HAND_OVER_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "press.h"
#include "space_ends.h"
#include "space_pass.h"

#define LW_END_WAYS 1 /* in which a contact ends on its features: it comes past an end */
#define LW_SAME_WAY 0.7 /* cosine of the angle within which two contacts push the same way */
#define LW_OPPOSITE 0.9 /* and of that within which the faces of a wall push against each other */
#define LW_DEPTHS 2.0   /* within so many depths all is one place */
#define LW_TOLD_APART 100.0 /* slacks: and within so many, whatever the depth */

/* What is above 0 as long as a contact does not end on its features. */
LW_STATIC void lw_end_reserves(const lw_elastic *e, const lw_where *w, int i, const lw_measure *m,
                               double *reserve)
{
    (void)w;
    (void)i;
    reserve[0] = e->g.slack - m->past;
}

/* How far around a place with this measure all is one place. */
LW_STATIC double lw_around_it(const lw_elastic *e, const lw_measure *m)
{
    return LW_DEPTHS * fmax(-m->gap, 0.0) + LW_TOLD_APART * e->g.slack;
}

LW_STATIC double lw_between(const lw_measure *m, const lw_measure *n)
{
    double d[3];
    lw_add3(m->x, -1.0, n->x, d);
    return sqrt(lw_dot3(d, d));
}

/* Whether two touches of a couple push the same way. */
LW_STATIC int lw_push_alike(lw_touch a, const lw_measure *m, lw_touch b, const lw_measure *n)
{
    return (a.swapped == b.swapped ? 1.0 : -1.0) * lw_dot3(m->n, n->n) > LW_SAME_WAY;
}

/* Whether two touches are of one rim and the same face: arcs of it see the same place by turns. */
LW_STATIC int lw_same_rim(const lw_shapes *g, lw_touch a, lw_touch b)
{
    const lw_solid *own, *other;
    const lw_feature *one, *two;
    double d[3];
    if (a.couple != b.couple || a.swapped != b.swapped || a.face != b.face) {
        return 0;
    }
    lw_touch_solids(g, a, &own, &other);
    one = own->feature + a.round;
    two = own->feature + b.round;
    lw_add3(one->x, -1.0, two->x, d);
    return one->kind == LW_RIM && two->kind == LW_RIM && one->side == two->side && one->r == two->r &&
           lw_dot3(d, d) == 0.0;
}

/* Whether a touch is at the end of its features, or as near to it as it is deep. */
LW_STATIC int lw_is_at_end(const lw_elastic *e, const lw_measure *m)
{
    return m->past > -lw_around_it(e, m);
}

/* Whether a place that is buried in its solid is so in a nook: seen from above another face on which the same
   round presses, it is bare. */
LW_STATIC int lw_is_bare_above(const lw_elastic *e, const lw_where *w, lw_touch touch, const lw_measure *m,
                               lw_touch floor, const lw_measure *n)
{
    const lw_solid *own, *other;
    double x[3];
    if (floor.couple != touch.couple || floor.swapped != touch.swapped || floor.round != touch.round) {
        return 0;
    }
    lw_touch_solids(e->g.r.shapes, touch, &own, &other);
    lw_add3(m->x, lw_around_it(e, n), n->n, x);
    return lw_beyond_surface(other, w->place + other->body, other->feature + touch.face, x) <= e->g.slack;
}

/* The same of any face on which a contact presses. */
LW_STATIC int lw_is_in_nook(const lw_elastic *e, const lw_where *w, lw_touch touch, const lw_measure *m)
{
    const lw_touching *r = &e->g.r;
    for (int i = 0; i < r->held_count; ++i) {
        lw_measure n;
        lw_measure_pressed(r->shapes, w, r->held[i].touch, &n);
        if (lw_is_bare_above(e, w, touch, m, r->held[i].touch, &n)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a touch with this measure may press: it is on its features, and bare. */
LW_STATIC int lw_may_press(const lw_elastic *e, const lw_where *w, lw_touch touch, const lw_measure *m)
{
    return lw_is_on_features(m, e->g.slack) &&
           (m->buried <= e->g.slack || lw_is_in_nook(e, w, touch, m));
}

/* Whether another contact stands for a touch that seems to come about, with bodies somewhere: one at the same
   place that pushes the same way, or one at its end beside it. */
LW_STATIC int lw_has_stand_in_at(const lw_elastic *e, const lw_where *w, lw_touch touch, const lw_measure *m)
{
    const lw_touching *r = &e->g.r;
    for (int i = 0; i < r->held_count; ++i) {
        const lw_touch held = r->held[i].touch;
        lw_measure n;
        if (held.couple != touch.couple) {
            continue;
        }
        lw_measure_pressed(r->shapes, w, held, &n);
        if (lw_between(m, &n) <= lw_around_it(e, &n) &&
            (lw_push_alike(touch, m, held, &n) || lw_is_at_end(e, &n))) {
            return 1;
        }
    }
    return 0;
}

LW_STATIC int lw_has_stand_in(const lw_elastic *e, lw_touch touch, const lw_measure *m)
{
    return lw_has_stand_in_at(e, &e->g.there, touch, m);
}

/* Whether a touch is on its features with bodies somewhere, bare, and no other contact stands for it. */
LW_STATIC int lw_is_own(const lw_elastic *e, const lw_where *w, lw_touch touch)
{
    lw_measure m;
    lw_measure_pressed(e->g.r.shapes, w, touch, &m);
    return lw_may_press(e, w, touch, &m) && !lw_has_stand_in_at(e, w, touch, &m);
}

/* Whether a touch that seems to come about, with the bodies there, is none. At the end of its features it may
   go past: so what slides between faces without play leaves them. */
LW_STATIC int lw_is_ghost(const lw_elastic *e, lw_touch touch)
{
    const lw_rigid *g = &e->g;
    double near = LW_TOLD_APART * g->slack;
    lw_measure m;
    lw_measure_pressed(g->r.shapes, &g->there, touch, &m);
    return !lw_is_own(e, &g->there, touch) || lw_is_off_face(g->r.shapes, &g->there, touch, &m, near) ||
           (m.past > -near && lw_goes_past(g->r.shapes, &g->there, touch, &m, near, 1e-7 * g->speed));
}

/* Whether a touch is beside the end of a contact, where their faces meet in an edge: past that the round
   comes out of it. */
LW_STATIC int lw_is_beside(const lw_elastic *e, int i, lw_touch touch)
{
    lw_measure m, n;
    lw_measure_pressed(e->g.r.shapes, &e->g.r.now, e->g.r.held[i].touch, &m);
    lw_measure_pressed(e->g.r.shapes, &e->g.r.now, touch, &n);
    return lw_is_at_end(e, &m) && lw_dot3(m.n, n.n) > -LW_OPPOSITE;
}

#endif

#endif
