/* Looking ahead: the first touch that comes about in a step.

   A step is halved until every touch that is watched either surely does not come about between two looks at
   it, by its gaps, its rates and a bound of its speed, or is open at the one and closed at the other. */
#ifndef LW_LOOK_AHEAD_H
#define LW_LOOK_AHEAD_H

#include <math.h>

#include "brent.h"
#include "rigid_state.h"

/* The gaps of all touches that are watched, at a time of the last step. */
LW_STATIC void lw_look_at(lw_rigid *g, double t, int count, const int *which, lw_look *look)
{
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->there);
    look->t = t;
    for (int i = 0; i < count; ++i) {
        int k = which[i];
        lw_measure m;
        g->measure(g->r.shapes, &g->there, g->near[k], &m);
        look->gap[k] = m.gap;
        look->rate[k] = m.rate;
        look->apart[k] = m.apart;
        look->beyond[k] = m.beyond;
    }
}

/* Whether a touch that is watched surely does not come about between two looks. */
LW_STATIC int lw_is_clear(const lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    double span = b->t - a->t, way = g->pace[k] * span + 2.0 * (g->reach - g->slack), bend;
    if (a->gap[k] < -g->slack || a->apart[k] + b->apart[k] > way) {
        return 1;
    }
    if (b->gap[k] <= -g->deep) {
        return 0;
    }
    if (a->rate[k] * b->rate[k] >= 0.0) {
        return 1;
    }
    bend = 0.5 * span * fabs(b->rate[k] - a->rate[k]);
    /* what touches and neither parts nor comes nearer by more than is deep is looked at again later */
    return fmax(fmin(a->gap[k], b->gap[k]), 0.0) + g->deep > bend || (a->rate[k] > 0.0 && b->gap[k] > 0.0);
}

LW_STATIC double lw_watched_gap(double t, void *context)
{
    lw_rigid *g = context;
    lw_measure m;
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->there);
    g->measure(g->r.shapes, &g->there, g->near[g->asked], &m);
    return m.gap - g->level;
}

/* A time soon after a look at which a gap that opens there is wider: near the peak of its parabola, or where
   it parts with hardly any rate and is only then pulled away, near its first peak. The gap is 0 where it does
   not open. */
LW_STATIC double lw_opened(lw_rigid *g, const lw_look *a, const lw_look *b, int k, double *gap)
{
    double span = b->t - a->t, bend = (a->rate[k] - b->rate[k]) / span, noise = 1e-4 * g->deep, when = a->t;
    double peak = a->rate[k] > 0.0 && bend > 0.0 ? fmin(a->rate[k] / bend, 0.5 * span) : 0.5 * span;
    *gap = lw_watched_gap(a->t + peak, g);
    if (*gap > noise) {
        return a->t + peak;
    }
    *gap = 0.0;
    for (double later = ldexp(span, -40); later < span; later *= 2.0) {
        double own = lw_watched_gap(a->t + later, g);
        if (own > *gap) {
            *gap = own;
            when = a->t + later;
        } else if (*gap > noise) {
            break;
        }
    }
    *gap = *gap > noise ? *gap : 0.0;
    return when;
}

/* When a touch comes about that is not there at one look and there at the next; infinite where its features
   do not reach so far then. What touches already and parts comes back to where it began; what touches and
   does not part has come about when it is deeper. */
LW_STATIC double lw_meeting_time(lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    int touches = a->gap[k] <= g->deep;
    double when = a->t;
    lw_bracket bracket;
    lw_measure m;
    g->asked = k;
    g->level = touches ? fmin(a->gap[k], 0.0) : 0.0;
    bracket.left = a->t;
    bracket.left_value = a->gap[k] - g->level;
    if (touches) {
        bracket.left = lw_opened(g, a, b, k, &bracket.left_value);
        if (bracket.left_value <= 0.0) {
            g->level -= g->deep;
            bracket.left = a->t;
            bracket.left_value = a->gap[k] - g->level;
        }
    }
    bracket.right = b->t;
    bracket.right_value = b->gap[k] - g->level;
    if (bracket.left_value > 0.0 && bracket.right_value < 0.0) {
        when = lw_brent(lw_watched_gap, g, &bracket, 1e-14 * fmax(1.0, fabs(b->t)), 100).x;
    } else if (touches) {
        when = b->t; /* it sinks by less than is deep */
    }
    lw_touching_place(&g->r, lw_rigid_at(g, when), when, &g->there);
    g->measure(g->r.shapes, &g->there, g->near[k], &m);
    return m.beyond <= g->reach ? when : INFINITY;
}

/* The first touch between two looks; returns which, or -1. */
LW_STATIC int lw_first_meeting(lw_rigid *g, const lw_look *a, const lw_look *b, int count, const int *which,
                               int depth, double *when)
{
    int left[LW_NEAR_MOST], crossing = 0, found = -1, n = 0;
    lw_look middle;
    for (int i = 0; i < count; ++i) {
        if (!lw_is_clear(g, a, b, which[i])) {
            left[n++] = which[i];
            crossing += b->gap[which[i]] <= -g->deep;
        }
    }
    if (n == 0) {
        return -1;
    }
    if (crossing == n || depth == 0) {
        *when = INFINITY;
        for (int i = 0; i < n; ++i) {
            double t = b->gap[left[i]] <= -g->deep ? lw_meeting_time(g, a, b, left[i]) : INFINITY;
            if (t < *when) {
                *when = t;
                found = left[i];
            }
        }
        return found;
    }
    lw_look_at(g, 0.5 * (a->t + b->t), n, left, &middle);
    found = lw_first_meeting(g, a, &middle, n, left, depth - 1, when);
    return found >= 0 ? found : lw_first_meeting(g, &middle, b, n, left, depth - 1, when);
}

/* Whether a touch need not be watched: it holds, or its twin does, or it is passed. */
LW_STATIC int lw_is_settled(const lw_rigid *g, lw_touch touch)
{
    lw_touch twin = touch;
    for (int i = 0; i < g->passed_count; ++i) {
        if (lw_same_touch(g->passed[i], touch)) {
            return 1;
        }
    }
    for (int i = 0; i < g->twin_count; ++i) {
        twin = lw_same_touch(g->twin[i], touch) ? g->twin_of[i] : twin;
    }
    for (int i = 0; i < g->r.held_count; ++i) {
        if (lw_same_touch(g->r.held[i].touch, touch) || lw_same_touch(g->r.held[i].touch, twin)) {
            return 1;
        }
    }
    return 0;
}

/* The touches that could come about in the last step. Returns 0 where they are too many to be watched. */
LW_STATIC int lw_watch(lw_rigid *g, double span)
{
    const lw_shapes *shapes = g->r.shapes;
    g->near_count = 0;
    for (int i = 0; i < shapes->couples; ++i) {
        double pace = fmax(lw_couple_speed(shapes, &g->before, i), lw_couple_speed(shapes, &g->r.now, i));
        int from = g->near_count, kept;
        g->speed = fmax(g->speed, pace);
        pace *= 1.5;
        g->near_count =
            lw_near_touches(shapes, &g->before, i, pace * span + g->reach, from, LW_NEAR_MOST, g->near);
        if (g->near_count < 0) {
            return 0;
        }
        kept = from;
        for (int j = from; j < g->near_count; ++j) {
            if (!lw_is_settled(g, g->near[j])) {
                g->near[kept] = g->near[j];
                g->pace[kept++] = pace;
            }
        }
        g->near_count = kept;
    }
    return 1;
}

/* The first touch of the last step: which, or -1. */
LW_STATIC int lw_first_of_step(lw_rigid *g, double *when)
{
    lw_integrator *s = &g->r.m.s;
    double turn = 0.0;
    int every[LW_NEAR_MOST], looks, found = -1;
    for (int i = 0; i < g->near_count; ++i) {
        lw_measure m;
        g->measure(g->r.shapes, &g->before, g->near[i], &m);
        g->first.gap[i] = m.gap;
        g->first.rate[i] = m.rate;
        g->first.apart[i] = m.apart;
        g->first.beyond[i] = m.beyond;
        every[i] = i;
    }
    g->first.t = s->t_old;
    for (int i = 0; i < g->r.shapes->bodies; ++i) {
        turn = fmax(turn, fmax(lw_body_turn(&g->before, i), lw_body_turn(&g->r.now, i)));
    }
    looks = 1 + (int)fmin(turn * (s->t - s->t_old) / LW_LOOK_TURN, LW_LOOKS_MOST);
    for (int i = 1; i <= looks && found < 0; ++i) {
        double t = i == looks ? s->t : s->t_old + (s->t - s->t_old) * i / looks;
        lw_look_at(g, t, g->near_count, every, &g->last);
        found = lw_first_meeting(g, &g->first, &g->last, g->near_count, every, LW_LOOK_DEPTH, when);
        g->first = g->last;
    }
    return found;
}

#endif
