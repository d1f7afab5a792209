/* Elastic contacts that are taken up where a run begins with parts that overlap, as a run that was stopped
   there left them.

   A state tells how deep parts are in one another, not how they came to be. A corner presses on the face from
   which it is least deep, and in a nook on both; but faces do not count behind which its own edges go, for it
   did not come that way: so of blocks that stand flush on one another. A round presses on all that it
   overlaps. In space so does all that crosses. */
#ifndef LW_TAKE_UP_H
#define LW_TAKE_UP_H

#include <math.h>

#include "hand_over.h"
#include "linkage.h"
#include "press_change.h"
#include "space_hand_over.h"

#define LW_DEEP_SHARE 0.02 /* how deep parts may be in one another at the start, by the smaller one */
#define LW_OVERLAPS 1024   /* touches of a couple that are looked at there */

#define LW_FLUSH 0.1 /* of a depth: a corner that is less before another face is flush with it */

/* A touch that may have to be taken up; or before whose face its corner is that did not come that way. */
typedef struct {
    lw_touch touch;
    lw_measure measure;
    int is_before;
} lw_overlap;

#ifndef LW_SPACE

/* How deep the parts of a couple may be in one another. */
LW_STATIC double lw_deepest_start(const lw_shapes *g, int couple)
{
    return LW_DEEP_SHARE * lw_smaller_outline(g, couple)->reach;
}

/* Whether two touches are of one corner or round with the same part. */
LW_STATIC int lw_same_round(lw_touch a, lw_touch b)
{
    return a.couple == b.couple && a.swapped == b.swapped && a.round == b.round;
}

/* The corner of a touch, or NULL where it is of an arc. */
LW_STATIC const lw_arc *lw_touch_corner(const lw_shapes *g, lw_touch touch)
{
    const lw_outline *own, *other;
    lw_touch_outlines(g, touch, &own, &other);
    return own->round[touch.round].r == 0.0 ? own->round + touch.round : NULL;
}

/* Whether a corner cannot have come through this face: an edge of it goes on behind the face. */
LW_STATIC int lw_came_elsewhere(const lw_elastic *e, lw_touch touch, const lw_measure *m)
{
    const lw_touching *r = &e->g.r;
    const lw_arc *corner = lw_touch_corner(r->shapes, touch);
    const lw_outline *own, *other;
    lw_touch_outlines(r->shapes, touch, &own, &other);
    return corner != NULL && lw_edges_along(corner, r->now.place[own->body], -m->nx, -m->ny) > LW_BETTER;
}

/* Whether a touch is between the ends of its features, or past one in a nook where it overlaps the other face
   too. */
LW_STATIC int lw_is_on_face(const lw_elastic *e, lw_touch touch, const lw_measure *m)
{
    const lw_touching *r = &e->g.r;
    lw_past_end past = lw_touch_past(r->shapes, &r->now, touch, m);
    lw_touch next;
    lw_measure n;
    if (past.by <= e->g.slack) {
        return 1;
    }
    if (!lw_in_nook(e, touch, past.which, &next)) {
        return 0;
    }
    lw_measure_pressed(r->shapes, &r->now, next, &n);
    return n.gap < 0.0 && n.gap > -lw_deepest_start(r->shapes, touch.couple);
}

/* Whether the faces of two touches of one corner meet in a nook. */
LW_STATIC int lw_share_nook(const lw_elastic *e, lw_touch a, lw_touch b)
{
    lw_touch next;
    return (lw_in_nook(e, a, -1, &next) && lw_same_touch(next, b)) ||
           (lw_in_nook(e, a, 1, &next) && lw_same_touch(next, b));
}

/* Whether a touch of which the measure is known counts: its features are opposite each other within some
   depth, and its corner is not behind a face and came another way. */
LW_STATIC int lw_counts(const lw_elastic *e, double within, lw_overlap *own)
{
    const lw_measure *m = &own->measure;
    if (!(fabs(m->gap) <= within && lw_is_on_face(e, own->touch, m))) {
        return 0;
    }
    own->is_before = lw_came_elsewhere(e, own->touch, m);
    return !(own->is_before && m->gap <= 0.0);
}

/* Whether a corner is nearer to another face, and so is outside, or presses on that one. */
LW_STATIC int lw_is_elsewhere(const lw_elastic *e, int count, const lw_overlap *overlap, int i)
{
    const lw_overlap own = overlap[i];
    if (lw_touch_corner(e->g.r.shapes, own.touch) == NULL) {
        return 0;
    }
    for (int j = 0; j < count; ++j) {
        const lw_overlap its = overlap[j];
        if (its.is_before && its.measure.gap <= -LW_FLUSH * own.measure.gap) {
            continue;
        }
        if (j != i && lw_same_round(own.touch, its.touch) &&
            fabs(its.measure.gap) < fabs(own.measure.gap) && !lw_share_nook(e, own.touch, its.touch)) {
            return 1;
        }
    }
    return 0;
}

#else

LW_STATIC double lw_deepest_start(const lw_shapes *g, int couple)
{
    return LW_DEEP_SHARE * lw_smaller_solid(g, couple)->reach;
}

/* Whether a touch of which the measure is known counts: it overlaps by no more than some depth. */
LW_STATIC int lw_counts(const lw_elastic *e, double within, lw_overlap *own)
{
    const lw_measure *m = &own->measure;
    own->is_before = 0;
    return m->gap < 0.0 && m->gap >= -within && lw_is_on_features(m, e->g.slack) &&
           !lw_is_off_face(e->g.r.shapes, &e->g.r.now, own->touch, m, LW_TOLD_APART * e->g.slack);
}

/* Whether what touches with a round is less deep in another face, or buried where that leaves it no way. */
LW_STATIC int lw_is_elsewhere(const lw_elastic *e, int count, const lw_overlap *overlap, int i)
{
    const lw_where *w = &e->g.r.now;
    const lw_overlap *own = overlap + i;
    int is_bare = own->measure.buried <= e->g.slack;
    for (int j = 0; j < count; ++j) {
        const lw_overlap *its = overlap + j;
        int is_nook = lw_is_bare_above(e, w, own->touch, &own->measure, its->touch, &its->measure);
        is_bare |= j != i && is_nook;
        if (j != i && !is_nook && own->touch.swapped == its->touch.swapped &&
            own->touch.round == its->touch.round && its->measure.gap > own->measure.gap &&
            its->measure.buried <= e->g.slack &&
            lw_between(&own->measure, &its->measure) <= lw_around_it(e, &own->measure)) {
            return 1;
        }
    }
    return !is_bare;
}

#endif

/* The touches of a couple that count; returns how many, or -1 where they are too many. */
LW_STATIC int lw_overlaps(lw_elastic *e, int couple, lw_overlap *found)
{
    lw_rigid *g = &e->g;
    lw_neighbour near[LW_OVERLAPS];
    double within = lw_deepest_start(g->r.shapes, couple);
    int count = lw_near_touches(g->r.shapes, &g->r.now, couple, within, 0, LW_OVERLAPS, near), kept = 0;
    for (int i = 0; i < count; ++i) {
        lw_overlap *own = found + kept;
        own->touch = near[i].touch;
        lw_measure_pressed(g->r.shapes, &g->r.now, own->touch, &own->measure);
        kept += lw_counts(e, within, own);
    }
    return count < 0 ? -1 : kept;
}

/* All contacts where parts overlap at the start. Returns 0 where there is no room for them. */
LW_STATIC int lw_take_up(lw_elastic *e)
{
    lw_rigid *g = &e->g;
    lw_overlap overlap[LW_OVERLAPS];
    lw_where_copy(g->r.shapes, &g->r.now, &g->there);
    for (int couple = 0; couple < g->r.shapes->couples; ++couple) {
        int count = lw_overlaps(e, couple, overlap);
        if (count < 0) {
            return 0;
        }
        for (int i = 0; i < count; ++i) {
            const lw_measure *m = &overlap[i].measure;
            if (m->gap < -g->slack && !lw_is_elsewhere(e, count, overlap, i) &&
                !lw_has_stand_in(e, overlap[i].touch, m) &&
                !lw_begin_contact(e, overlap[i].touch, -m->gap)) {
                return 0;
            }
        }
    }
    return 1;
}

#endif
