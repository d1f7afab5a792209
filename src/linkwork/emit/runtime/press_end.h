/* What happens where an elastic contact ends on its features: another goes on in its place, or none. */
#ifndef LW_PRESS_END_H
#define LW_PRESS_END_H

#ifndef LW_SPACE

#include "hand_over.h"
#include "linkage.h"
#include "press_change.h"

/* A contact has come past an end of its features: another goes on for it, or none, or it goes on itself. */
LW_STATIC void lw_pass_end(lw_elastic *e, int i)
{
    lw_rigid *g = &e->g;
    const lw_touch touch = g->r.held[i].touch;
    lw_touch next = touch;
    lw_measure m;
    lw_past_end past;
    lw_measure_pressed(g->r.shapes, &g->r.now, touch, &m);
    past = lw_touch_past(g->r.shapes, &g->r.now, touch, &m);
    if (!lw_goes_on(e, touch, past.which, &next)) {
        e->press[i].kept |= 1 << (past.which + 2);
        return;
    }
    if (!lw_same_touch(next, touch)) {
        lw_succeed(e, i, next);
    }
    lw_end_contact(e, i);
}

/* Whether a corner of one outline presses on either face that meets in a corner of another. */
LW_STATIC int lw_presses_beside(const lw_touching *r, int couple, int swapped, int corner,
                                const lw_face *edge)
{
    for (int k = 0; k < 2; ++k) {
        if (lw_contact_of(r, lw_touch_of(couple, swapped, corner, edge[k])) >= 0) {
            return 1;
        }
    }
    return 0;
}

/* A corner is nearer to what is beside its face, at one end of it. Where the corner there presses on an edge
   of it already, that is enough. */
LW_STATIC void lw_turn_aside(lw_elastic *e, int i, int end)
{
    const lw_press *press = e->press + i;
    const lw_touch touch = e->g.r.held[i].touch;
    lw_touch next;
    lw_beside_it beside = lw_beside(e, &e->g.r.now, i, end, &next);
    int is_there = beside == LW_ITS_CORNER && lw_presses_beside(&e->g.r, touch.couple, !touch.swapped,
                                                                press->after[end].corner, press->edge);
    if (beside != LW_NONE && !is_there) {
        lw_succeed(e, i, next);
    }
    lw_end_contact(e, i);
}

/* A contact ends on its features, in one of the ways that lw_end_reserves tells. */
LW_STATIC void lw_end_on_features(lw_elastic *e, int i, int way)
{
    if (way == 0) {
        lw_pass_end(e, i);
    } else {
        lw_turn_aside(e, i, way - 1);
    }
}

#endif

#endif
