/* How what touches grips, where there is friction: whether it slips or sticks. */
#ifndef LW_GRIP_H
#define LW_GRIP_H

#include "rigid_state.h"
#include "vector.h"

/* The speed of slip below which a touch sticks. In the plane slip that stops is none but for rounding, and
   parts on long levers may slip by very little. */
LW_STATIC double lw_slip_at_rest(const lw_rigid *g)
{
    return (LW_TANGENTS == 1 ? 1e-9 : 1e-7) * g->speed;
}

/* Which of some touches is this, or -1. */
LW_STATIC int lw_place_of(lw_touch touch, int count, const lw_held *held)
{
    for (int i = 0; i < count; ++i) {
        if (lw_same_touch(touch, held[i].touch)) {
            return i;
        }
    }
    return -1;
}

/* The slip below which a candidate sticks. In space one that slipped already goes on with a slip that is much
   slower, unless it has just stopped or was struck: forces at rest may be other ones. */
LW_STATIC double lw_sticks_below(const lw_rigid *g, lw_touch touch, double still)
{
    const lw_touching *r = &g->r;
    int was = LW_TANGENTS == 1 ? -1 : lw_place_of(touch, r->held_count, r->held);
    int slips = was >= 0 && r->held[was].grip == LW_SLIPPING && r->held[was].since < r->m.s.t;
    int is_new = g->last_impact >= r->m.s.t || (g->stops && lw_same_touch(touch, g->stopped));
    return slips && !is_new ? 1e-3 * still : still;
}

/* How candidates grip, by their slip: below a speed they stick. */
LW_STATIC void lw_grip_candidates(lw_rigid *g, int count, double still)
{
    lw_touching *r = &g->r;
    for (int i = 0; i < count; ++i) {
        double friction = r->shapes->couple[g->candidate[i].touch.couple].friction;
        double slip[LW_TANGENTS], speed;
        lw_slip(r->shapes, &r->now, g->candidate[i].touch, r->measure + i, slip);
        speed = lw_norm(LW_TANGENTS, slip);
        g->candidate[i].grip = friction <= 0.0 ? LW_SMOOTH
                               : speed > lw_sticks_below(g, g->candidate[i].touch, still) ? LW_SLIPPING
                                                                                           : LW_STICKING;
        for (int k = 0; k < LW_TANGENTS; ++k) {
            slip[k] /= speed > 0.0 ? speed : 1.0;
        }
        lw_keep_way(r->measure + i, slip, g->candidate[i].way);
    }
}

#endif
