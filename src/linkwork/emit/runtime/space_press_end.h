/* What happens in space where an elastic contact comes past the end of its features: others go on in its
   place, or none. */
#ifndef LW_SPACE_PRESS_END_H
#define LW_SPACE_PRESS_END_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "nearby.h"
#include "press_change.h"
#include "space_hand_over.h"

#define LW_HEIRS_MOST 8 /* of one contact */

/* What may go on for a contact: a touch, its measure, and how far it is from it in place and depth. */
typedef struct {
    lw_touch touch;
    lw_measure measure;
    double off;
} lw_heir;

/* The touches that may go on for a contact with this measure, the likest first; returns how many. */
LW_STATIC int lw_heirs(lw_elastic *e, int i, const lw_measure *m, lw_heir *heir)
{
    lw_rigid *g = &e->g;
    const lw_touch old = g->r.held[i].touch;
    double around = lw_around_it(e, m), apart;
    const lw_neighbour *near;
    int found = lw_nearby(&g->lists, g->r.shapes, &g->r.now, old.couple, around, &near, &apart), count = 0;
    for (int k = 0; k < found; ++k) {
        lw_heir next = {near[k].touch, *m, 0.0};
        int place;
        if (lw_contact_of(&g->r, next.touch) >= 0) {
            continue;
        }
        lw_measure_pressed(g->r.shapes, &g->r.now, next.touch, &next.measure);
        next.off = lw_between(m, &next.measure) + fabs(m->gap - next.measure.gap);
        if (!(next.measure.gap < 0.0 && next.off <= around) ||
            next.measure.past > 0.5 * g->slack || /* or it would end at once, and take turns with the other */
            !lw_push_alike(old, m, next.touch, &next.measure) ||
            !lw_may_press(e, &g->r.now, next.touch, &next.measure)) {
            continue;
        }
        for (place = count; place > 0 && heir[place - 1].off > next.off; --place) {
            if (place < LW_HEIRS_MOST) {
                heir[place] = heir[place - 1];
            }
        }
        if (place < LW_HEIRS_MOST) {
            heir[place] = next;
            count += count < LW_HEIRS_MOST;
        }
    }
    return count;
}

/* Whether another contact than one is of the same rim as a touch. */
LW_STATIC int lw_has_rim(const lw_elastic *e, int i, lw_touch touch)
{
    const lw_touching *r = &e->g.r;
    for (int j = 0; j < r->held_count; ++j) {
        if (j != i && lw_same_rim(r->shapes, r->held[j].touch, touch)) {
            return 1;
        }
    }
    return 0;
}

/* A contact has come past an end of its features. Of what is there now the likest goes on for it, if nothing
   else stands for that already; what crosses there besides bears nothing before it becomes deeper. */
LW_STATIC void lw_end_on_features(lw_elastic *e, int i, int way)
{
    lw_heir heir[LW_HEIRS_MOST];
    lw_measure m;
    int count;
    (void)way;
    lw_measure_pressed(e->g.r.shapes, &e->g.r.now, e->g.r.held[i].touch, &m);
    count = lw_heirs(e, i, &m, heir);
    for (int k = 0; k < count; ++k) {
        if (lw_has_rim(e, i, heir[k].touch)) {
            continue;
        }
        if (k == 0) {
            lw_succeed(e, i, heir[k].touch);
        } else {
            lw_begin_contact(e, heir[k].touch, 0.0);
        }
    }
    lw_end_contact(e, i);
}

/* How deep the deepest contact of a couple is, where the last step began or now. */
LW_STATIC double lw_deepest_of_couple(const lw_elastic *e, int couple)
{
    const lw_touching *r = &e->g.r;
    double deepest = 0.0;
    for (int i = 0; i < r->held_count; ++i) {
        if (r->held[i].touch.couple == couple) {
            lw_measure m, before;
            lw_measure_pressed(r->shapes, &r->now, r->held[i].touch, &m);
            lw_measure_pressed(r->shapes, &e->g.before, r->held[i].touch, &before);
            deepest = fmax(deepest, fmax(-m.gap, -before.gap));
        }
    }
    return deepest;
}

/* Whether a touch is of something round, whose place moves along it as it rolls. */
LW_STATIC int lw_is_rolling(const lw_shapes *g, lw_touch touch)
{
    const lw_solid *own, *other;
    lw_touch_solids(g, touch, &own, &other);
    return own->feature[touch.round].r > 0.0 || touch.kind == LW_RIM ||
           (own->feature[touch.round].kind == LW_BAR && other->feature[touch.face].r > 0.0);
}

/* Contacts of a couple that come about sideways, in the last step: a rim that overlaps already comes to be
   deepest before a face, or beside an edge that it hangs over, as it turns; a ball or a side that rolls
   through a flat nook is behind the next face before it comes to be above it. They press on what becomes
   deeper. Corners and edges do so only where a contact ends. Returns 0 where there is no room for them. */
LW_STATIC int lw_couple_comes_beside(lw_elastic *e, int couple)
{
    lw_rigid *g = &e->g;
    double deep = LW_DEPTHS * lw_deepest_of_couple(e, couple), apart;
    const lw_neighbour *near;
    int found = deep > 0.0 ? lw_nearby(&g->lists, g->r.shapes, &g->r.now, couple, deep, &near, &apart) : 0;
    for (int k = 0; k < found; ++k) {
        const lw_touch touch = near[k].touch;
        lw_measure m, before;
        if (near[k].apart > apart || !lw_is_rolling(g->r.shapes, touch) ||
            lw_contact_of(&g->r, touch) >= 0) {
            continue;
        }
        lw_measure_pressed(g->r.shapes, &g->r.now, touch, &m);
        if (!(m.gap < -g->slack && m.gap >= -deep && m.past < -g->slack && lw_is_own(e, &g->r.now, touch))) {
            continue; /* what ends at an end of its features does not begin there again */
        }
        lw_measure_pressed(g->r.shapes, &g->before, touch, &before);
        if (before.gap >= -g->sunk || before.past >= -g->slack || !lw_is_own(e, &g->before, touch)) {
            if (!lw_begin_contact(e, touch, 0.0)) {
                return 0;
            }
        }
    }
    return 1;
}

/* The same of all couples. */
LW_STATIC int lw_come_beside(lw_elastic *e)
{
    int has_room = 1;
    for (int i = 0; i < e->g.r.shapes->couples && e->g.r.held_count > 0; ++i) {
        has_room &= lw_couple_comes_beside(e, i);
    }
    return has_room;
}

#endif

#endif
