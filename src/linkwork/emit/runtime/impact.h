/* Impacts, by the complementarity problem of M. Anitescu and F. A. Potra (Nonlinear Dynamics 14, 1997) with
   Poisson's restitution, which creates no energy. */
#ifndef LW_IMPACT_H
#define LW_IMPACT_H

#include <math.h>
#include <string.h>

#include "complement.h"
#include "gather.h"
#include "rigid_state.h"
#include "share.h"

#define LW_FELT 1e-12 /* of the largest impulse of an impact: what is less is rounding */
#define LW_TAMED_MOST 8 /* halvings of the shares that are given back, until an impact makes no energy */

/* An impact of all candidates: how fast each approached and slipped, the share of its impulse that is given
   back, where its impulses begin among all, and these. */
typedef struct {
    int forces, rows[LW_TOUCH_MOST];
    double before[LW_TOUCH_MOST], slip[LW_TOUCH_MOST][LW_TANGENTS];
    double share[LW_TOUCH_MOST], impulse[LW_FORCE_MOST];
} lw_blow;

/* Change velocities by the impulses in force. */
LW_STATIC void lw_strike(lw_touching *r, int forces)
{
    int from = r->m.run.scheme->first + r->m.run.scheme->second;
    for (int j = 0; j < forces; ++j) {
        const double *response = LW_ROW(r->response, j, r->m.size);
        for (int i = from; i < r->m.size; ++i) {
            r->m.y[i] += r->force[j] * response[i];
        }
    }
}

/* The first half of an impact: nothing approaches any more. */
LW_STATIC int lw_compress(lw_rigid *g, int count, lw_blow *blow)
{
    lw_touching *r = &g->r;
    int row = 0;
    for (int i = 0; i < count; ++i) {
        blow->rows[i] = row;
        row += lw_forces_of(g->candidate[i].grip);
    }
    blow->forces = lw_relate(r, count, g->candidate, r->m.y, r->m.s.t, LW_BY_IMPULSES);
    if (!lw_complement(r, count, g->candidate, blow->forces, NULL)) {
        return 0;
    }
    lw_share_evenly(r, count, g->candidate, blow->forces);
    memcpy(blow->impulse, r->force, sizeof(double) * (size_t)blow->forces);
    lw_strike(r, blow->forces);
    lw_measure_candidates(g, count);
    return 1;
}

/* The second half of an impact: what was pressed together is pushed apart by a share of the impulse. */
LW_STATIC int lw_rebound(lw_rigid *g, int count, lw_blow *blow)
{
    lw_touching *r = &g->r;
    double given[LW_TOUCH_MOST];
    int any = 0, forces = blow->forces;
    for (int i = 0; i < count; ++i) {
        given[i] = blow->share[i] * blow->impulse[blow->rows[i]];
        any |= given[i] > 0.0;
    }
    if (!any) {
        return 1;
    }
    for (int i = 0; i < count; ++i) {
        r->bias[blow->rows[i]] = r->measure[i].rate;
        if (g->candidate[i].grip == LW_STICKING) {
            lw_slip(r->shapes, &r->now, g->candidate[i].touch, r->measure + i, r->bias + blow->rows[i] + 1);
        }
    }
    for (int i = 0; i < forces; ++i) {
        for (int j = 0; j < count; ++j) {
            r->bias[i] += r->matrix[i * forces + blow->rows[j]] * given[j];
        }
    }
    if (!lw_complement(r, count, g->candidate, forces, given)) {
        return 0;
    }
    for (int j = 0; j < count; ++j) {
        r->force[blow->rows[j]] += given[j];
    }
    lw_strike(r, forces);
    lw_measure_candidates(g, count);
    for (int j = 0; j < forces; ++j) {
        blow->impulse[j] += r->force[j];
    }
    return 1;
}

/* The energy that an impulse takes away: minus its work, which is that of the mean of the velocities before
   and after, for velocities change in proportion to impulses. */
LW_STATIC double lw_taken(const lw_rigid *g, int i, const lw_blow *blow)
{
    const double *impulse = blow->impulse + blow->rows[i];
    double work = impulse[0] * (blow->before[i] + g->r.measure[i].rate);
    if (g->candidate[i].grip == LW_STICKING) {
        double slip[LW_TANGENTS];
        lw_slip(g->r.shapes, &g->r.now, g->candidate[i].touch, g->r.measure + i, slip);
        work += lw_dot(LW_TANGENTS, impulse + 1, slip) + lw_dot(LW_TANGENTS, impulse + 1, blow->slip[i]);
    }
    return -0.5 * work;
}

/* Whether an impact makes no energy. Where several places rebound by different shares with friction,
   Poisson's law alone does not see to that. */
LW_STATIC int lw_takes(const lw_rigid *g, int count, const lw_blow *blow)
{
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < count; ++i) {
        double taken = lw_taken(g, i, blow);
        sum += taken;
        size += fabs(taken) + fabs(blow->impulse[blow->rows[i]] * blow->before[i]);
    }
    return sum >= -1e-12 * size;
}

/* Tell of the places that were struck; what others feel of it by rounding alone is no impact. */
LW_STATIC void lw_note_impacts(lw_rigid *g, int count, const lw_blow *blow)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, blow->impulse[blow->rows[i]]);
    }
    for (int i = 0; i < count; ++i) {
        const lw_held *each = g->candidate + i;
        const double *impulse = blow->impulse + blow->rows[i];
        if (impulse[0] > LW_FELT * largest) {
            double restitution = g->r.shapes->couple[each->touch.couple].restitution;
            int settles = blow->before[i] < 0.0 && blow->share[i] == 0.0 && restitution > 0.0;
            double tangent[LW_WAY] = {0.0};
            if (each->grip == LW_STICKING) {
                lw_keep_way(g->r.measure + i, impulse + 1, tangent);
            }
            lw_note(g, settles ? LW_SETTLES : LW_IMPACT, each->touch, g->r.measure + i, impulse[0], tangent,
                    blow->before[i], lw_taken(g, i, blow));
        }
    }
}

/* Whether a candidate strikes so fast that it may rebound; and has come from so far that it may be told, if
   it is the rim of a disc that falls flat. */
LW_STATIC int lw_rebounds(const lw_rigid *g, int i)
{
    double rate = g->r.measure[i].rate;
    int is_told = 1;
#ifdef LW_SPACE
    is_told = !lw_is_rim(g->r.shapes, g->candidate[i].touch) ||
              -rate * (g->r.m.s.t - g->last_impact) > 10.0 * g->slack;
#endif
    return is_told && rate < -1e-6 * g->speed;
}

/* An impact, if any candidate approaches. Returns 0 where there are no impulses. */
LW_STATIC int lw_impact(lw_rigid *g, int count, double still)
{
    int approaching = 0;
    lw_blow blow;
    for (int i = 0; i < count; ++i) {
        const lw_couple *couple = g->r.shapes->couple + g->candidate[i].touch.couple;
        blow.before[i] = g->r.measure[i].rate;
        if (couple->friction > 0.0) {
            lw_slip(g->r.shapes, &g->r.now, g->candidate[i].touch, g->r.measure + i, blow.slip[i]);
        }
        blow.share[i] = lw_rebounds(g, i) ? couple->restitution : 0.0;
        approaching |= blow.before[i] < -still;
        g->candidate[i].grip = couple->friction > 0.0 ? LW_STICKING : LW_SMOOTH;
    }
    if (!approaching) {
        return 1;
    }
    ++g->impacts;
    g->last_impact = g->r.m.s.t;
    memcpy(g->state, g->r.m.y, sizeof(double) * (size_t)g->r.m.size);
    for (int tries = 0;; ++tries) {
        if (!lw_compress(g, count, &blow) || !lw_rebound(g, count, &blow)) {
            return 0;
        }
        if (tries == LW_TAMED_MOST || lw_takes(g, count, &blow)) {
            break;
        }
        for (int i = 0; i < count; ++i) {
            blow.share[i] = tries + 1 < LW_TAMED_MOST ? 0.5 * blow.share[i] : 0.0;
        }
        memcpy(g->r.m.y, g->state, sizeof(double) * (size_t)g->r.m.size);
        lw_measure_candidates(g, count);
    }
    lw_note_impacts(g, count, &blow);
    return 1;
}

#endif
