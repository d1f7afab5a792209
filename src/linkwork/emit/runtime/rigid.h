/* Rigid contacts, event by event.

   Between events the touches that hold are constraints, and the motion is smooth. An event ends a step: two
   outlines meet; a touch would pull, or leaves the end of its features; slip ends, or begins. Then all places
   that touch are looked at together: an impact if any of them approaches, by the complementarity problem of
   M. Anitescu and F. A. Potra (Nonlinear Dynamics 14, 1997) with Poisson's restitution, which creates no
   energy; then the forces, by the same sort of problem, tell which touches hold.

   Where a corner passes a corner, the two faces between which it must choose are alternatives: what moves away
   from either is free, and what strikes strikes the face from which it would part sooner. */
#ifndef LW_RIGID_H
#define LW_RIGID_H

#include <math.h>
#include <string.h>

#include "brent.h"
#include "linkage.h"
#include "scheme.h"
#include "touching.h"

#define LW_NEAR_MOST 96    /* touches that are watched in one step */
#define LW_LOOK_DEPTH 26   /* halvings of a step in search of the first touch */
#define LW_LOOK_TURN 0.3   /* angle by which bodies turn at most between two looks */
#define LW_LOOKS_MOST 256
#define LW_EVENT_NUMBERS 14
#define LW_ROW_TOUCHES 8  /* touches that are told with a row */
#define LW_ROW_NUMBERS 5  /* of each: couple, place, force on the first of the couple */
#define LW_STEP_SHARE 1e-13 /* how near a step ends to the touches that hold, by the size */
#define LW_ROW_SHARE 1e-10  /* and a row */
#define LW_CHATTER_MOST 200 /* events without progress of the clock */

/* What happened. */
typedef enum {
    LW_IMPACT = 0,
    LW_BEGINS = 1,
    LW_ENDS = 2,
    LW_STICKS = 3,
    LW_SLIPS = 4,
    LW_SETTLES = 5,
    LW_PAINLEVE = 6
} lw_event_kind;

/* How a run, or a piece of it, ended. */
typedef enum {
    LW_RIGID_DONE = 0,
    LW_RIGID_FULL = 1,      /* no room for more events: call again */
    LW_RIGID_STOPPED = 2,   /* the integrator gave up */
    LW_RIGID_LEFT = 3,      /* the constraints of the machine could not be restored */
    LW_RIGID_NO_FORCES = 4, /* no forces let the touches be */
    LW_RIGID_CHATTER = 5,   /* events without end */
    LW_RIGID_CROWDED = 6,   /* more touches at once than there is room for */
    LW_RIGID_TOO_LONG = 7
} lw_rigid_status;

/* Gaps of the touches that are watched, at one time. */
typedef struct {
    double t;
    double gap[LW_NEAR_MOST], rate[LW_NEAR_MOST], apart[LW_NEAR_MOST], beyond[LW_NEAR_MOST];
} lw_look;

/* The rows of a run: their times, and what is written of each. */
typedef struct {
    long count;
    const double *times;
    double *states, *outs, *touches;
} lw_rows;

typedef struct {
    lw_touching r;
    lw_rows rows;
    double slack;  /* a gap below it is none */
    double deep;   /* what is deeper is in */
    double speed;  /* the largest that was met */
    double strongest; /* force that was met */
    double *state; /* inside a step */
    lw_where there, before; /* the bodies inside a step, and where it began */
    int near_count;
    lw_touch near[LW_NEAR_MOST];
    double pace[LW_NEAR_MOST]; /* bounds of the speed of each pair */
    lw_look first, last;
    long events, events_most, chatter, event_total, impacts, most_steps;
    double *event;  /* LW_EVENT_NUMBERS each */
    double last_event;
    lw_held candidate[2 * LW_TOUCH_MOST];
    int passed_count; /* faces behind which a corner goes past another: they do not count in the next step */
    lw_touch passed[LW_TOUCH_MOST];
    double *rows_state;
    long row;
    int asked, which; /* of the function whose sign is watched */
    double level;
} lw_rigid;

/* The doubles that a run needs in all. */
LW_STATIC size_t lw_rigid_doubles(const lw_toucher *program, const lw_shapes *shapes)
{
    size_t size = (size_t)program->scheme->first + 2 * (size_t)program->scheme->second;
    return lw_machine_doubles(program->scheme) + lw_touching_doubles(program, shapes) + 2 * size +
           2 * (10 * (size_t)shapes->bodies + 4);
}

LW_STATIC void lw_note(lw_rigid *g, lw_event_kind kind, lw_touch touch, const lw_measure *m, double normal,
                       double tangent, double before)
{
    double *e = g->event + LW_EVENT_NUMBERS * g->events;
    const lw_outline *own, *other;
    double radius;
    ++g->event_total;
    if (g->events >= g->events_most) {
        return;
    }
    lw_touch_outlines(g->r.shapes, touch, &own, &other);
    radius = own->round[touch.round].r;
    e[0] = g->r.m.s.t;
    e[1] = kind;
    e[2] = touch.couple;
    e[3] = touch.swapped;
    e[4] = touch.kind;
    e[5] = touch.round;
    e[6] = touch.face;
    e[7] = m->x - radius * m->nx;
    e[8] = m->y - radius * m->ny;
    e[9] = m->nx;
    e[10] = m->ny;
    e[11] = normal;
    e[12] = tangent;
    e[13] = before;
    ++g->events;
}

LW_STATIC int lw_same_touch(lw_touch a, lw_touch b)
{
    return a.couple == b.couple && a.swapped == b.swapped && a.kind == b.kind && a.round == b.round &&
           a.face == b.face;
}

/* ------------------------------------------------------------------------------------ looking ahead */

/* The state inside the last step. */
LW_STATIC const double *lw_rigid_at(lw_rigid *g, double t)
{
    lw_integrator *s = &g->r.m.s;
    if (t == s->t) {
        return s->y;
    }
    lw_dop853_dense(s, t, g->state);
    return g->state;
}

/* The gaps of all touches that are watched, at a time of the last step. */
LW_STATIC void lw_look_at(lw_rigid *g, double t, int count, const int *which, lw_look *look)
{
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->there);
    look->t = t;
    for (int i = 0; i < count; ++i) {
        int k = which[i];
        lw_measure m;
        lw_measure_touch(g->r.shapes, &g->there, g->near[k], &m);
        look->gap[k] = m.gap;
        look->rate[k] = m.rate;
        look->apart[k] = m.apart;
        look->beyond[k] = m.beyond;
    }
}

/* Whether a touch that is watched surely does not come about between two looks. */
LW_STATIC int lw_is_clear(const lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    double span = b->t - a->t, bend;
    if (a->gap[k] < -g->slack || a->apart[k] + b->apart[k] > g->pace[k] * span) {
        return 1;
    }
    if (b->gap[k] <= -g->deep) {
        return 0;
    }
    if (a->rate[k] * b->rate[k] >= 0.0) {
        return 1;
    }
    bend = 0.5 * span * fabs(b->rate[k] - a->rate[k]);
    return fmin(a->gap[k], b->gap[k]) + g->deep > bend || (a->rate[k] > 0.0 && b->gap[k] > 0.0);
}

LW_STATIC double lw_watched_gap(double t, void *context)
{
    lw_rigid *g = context;
    lw_measure m;
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->there);
    lw_measure_touch(g->r.shapes, &g->there, g->near[g->asked], &m);
    return m.gap - g->level;
}

/* A time soon after a look at which a gap that opens there is wider: near the peak of its parabola, or where
   it parts with hardly any rate and is only then pulled away, near its first peak. */
LW_STATIC double lw_opened(lw_rigid *g, const lw_look *a, const lw_look *b, int k, double *gap)
{
    double span = b->t - a->t, bend = (a->rate[k] - b->rate[k]) / span, noise = 1e-4 * g->deep, when = a->t;
    double peak = bend > 0.0 ? fmin(a->rate[k] / bend, 0.5 * span) : 0.5 * span;
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
    g->level = !touches ? 0.0 : a->rate[k] > 0.0 ? fmin(a->gap[k], 0.0) : fmin(a->gap[k], 0.0) - g->deep;
    bracket.left = a->t;
    bracket.right = b->t;
    bracket.left_value = a->gap[k] - g->level;
    bracket.right_value = b->gap[k] - g->level;
    if (touches && a->rate[k] > 0.0) {
        bracket.left = lw_opened(g, a, b, k, &bracket.left_value);
    }
    if (bracket.left_value > 0.0) {
        when = lw_brent(lw_watched_gap, g, &bracket, 1e-14 * fmax(1.0, fabs(b->t)), 100).x;
    }
    lw_touching_place(&g->r, lw_rigid_at(g, when), when, &g->there);
    lw_measure_touch(g->r.shapes, &g->there, g->near[k], &m);
    return m.beyond <= g->slack ? when : INFINITY;
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
        g->near_count = lw_near_touches(shapes, &g->before, i, pace * span + g->slack, from, LW_NEAR_MOST, g->near);
        if (g->near_count < 0) {
            return 0;
        }
        kept = from;
        for (int j = from; j < g->near_count; ++j) {
            int is_held = 0;
            for (int h = 0; h < g->r.held_count; ++h) {
                is_held |= lw_same_touch(g->r.held[h].touch, g->near[j]);
            }
            for (int h = 0; h < g->passed_count; ++h) {
                is_held |= lw_same_touch(g->passed[h], g->near[j]);
            }
            if (!is_held) {
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
        lw_measure_touch(g->r.shapes, &g->before, g->near[i], &m);
        g->first.gap[i] = m.gap;
        g->first.rate[i] = m.rate;
        g->first.apart[i] = m.apart;
        g->first.beyond[i] = m.beyond;
        every[i] = i;
    }
    g->first.t = s->t_old;
    for (int i = 0; i < g->r.shapes->bodies; ++i) {
        turn = fmax(turn, fmax(fabs(g->before.six[6 * i + 5]), fabs(g->r.now.six[6 * i + 5])));
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

/* ---------------------------------------------------------------------- events of touches that hold */

/* What is above 0 as long as a touch holds as it does: 0 its force, 1 what is left of its features, 2 its slip
   or the reserve of its friction. */
LW_STATIC double lw_reserve(lw_rigid *g, int i, int which)
{
    const lw_held *held = g->r.held + i;
    const lw_measure *m = g->r.measure + i;
    if (which == 0) {
        return held->normal;
    }
    if (which == 1) {
        return -m->beyond;
    }
    if (held->grip == LW_SLIPPING) {
        return held->way * lw_slip(&g->r, held->touch, m);
    }
    if (held->grip == LW_STICKING) {
        return g->r.shapes->couple[held->touch.couple].friction * held->normal - fabs(held->tangent);
    }
    return INFINITY;
}

LW_STATIC double lw_watched_reserve(double t, void *context)
{
    lw_rigid *g = context;
    double *rate = g->rows_state;
    if (lw_touching_rate(t, lw_rigid_at(g, t), rate, &g->r)) {
        return -1.0;
    }
    return lw_reserve(g, g->asked, g->which);
}

/* The first end of a touch, or of its grip, before a time; returns which of those that hold, or -1. */
LW_STATIC int lw_first_end(lw_rigid *g, double *when, int *kind)
{
    lw_integrator *s = &g->r.m.s;
    int found = -1;
    for (int i = 0; i < g->r.held_count; ++i) {
        for (int which = 0; which < 3; ++which) {
            double until = fmin(*when, s->t), start, end;
            lw_bracket bracket;
            g->asked = i;
            g->which = which;
            end = lw_watched_reserve(until, g);
            if (end >= (which == 1 ? -g->deep : 0.0)) {
                continue;
            }
            start = lw_watched_reserve(s->t_old, g);
            bracket.left = s->t_old;
            bracket.right = until;
            bracket.left_value = start;
            bracket.right_value = end;
            *when = start > 0.0
                        ? lw_brent(lw_watched_reserve, g, &bracket, 1e-14 * fmax(1.0, fabs(until)), 100).x
                        : s->t_old;
            *kind = which;
            found = i;
        }
    }
    return found;
}

/* --------------------------------------------------------------------------------- what touches now */

/* Whether a face with this normal, towards the one with the round, bounds the way past two corners that meet:
   it must have both corners on its proper side. */
LW_STATIC int lw_bounds_corners(const lw_arc *one, lw_place at_one, const lw_arc *other, lw_place at_other,
                                double nx, double ny)
{
    const double own[4] = {one->ax, one->ay, one->bx, one->by};
    const double others[4] = {other->ax, other->ay, other->bx, other->by};
    for (int i = 0; i < 4; i += 2) {
        double x = at_one.c * own[i] - at_one.s * own[i + 1], y = at_one.s * own[i] + at_one.c * own[i + 1];
        double u = at_other.c * others[i] - at_other.s * others[i + 1];
        double v = at_other.s * others[i] + at_other.c * others[i + 1];
        if (nx * x + ny * y < -1e-7 || nx * u + ny * v > 1e-7) {
            return 0;
        }
    }
    return 1;
}

/* The corner of an outline at a place of the world, or NULL. */
LW_STATIC const lw_arc *lw_corner_at(const lw_outline *outline, lw_place at, double x, double y, double slack)
{
    double lx = at.c * (x - at.x) + at.s * (y - at.y), ly = at.c * (y - at.y) - at.s * (x - at.x);
    for (int i = 0; i < outline->rounds; ++i) {
        const lw_arc *round = outline->round + i;
        if (round->r == 0.0 && fabs(round->x - lx) <= slack && fabs(round->y - ly) <= slack) {
            return round;
        }
    }
    return NULL;
}

/* Where two corners meet, a touch is kept only if its face bounds the way past them and it is that from which
   they part sooner; returns whether this one is. */
LW_STATIC int lw_is_chosen(lw_rigid *g, int count, int i)
{
    const lw_shapes *shapes = g->r.shapes;
    const lw_outline *own, *other;
    const lw_held *candidate = g->candidate;
    const lw_measure *m = g->r.measure + i;
    const lw_arc *mine, *its;
    lw_place at_own, at_other;
    double near = 100.0 * g->slack;
    lw_touch_outlines(shapes, candidate[i].touch, &own, &other);
    at_own = g->r.now.place[own->body];
    at_other = g->r.now.place[other->body];
    mine = own->round + candidate[i].touch.round;
    if (mine->r > 0.0) {
        return 1;
    }
    its = lw_corner_at(other, at_other, m->x, m->y, near);
    if (its == NULL) {
        return 1;
    }
    if (!lw_bounds_corners(mine, at_own, its, at_other, m->nx, m->ny)) {
        return 0;
    }
    for (int j = 0; j < count; ++j) {
        const lw_outline *o, *p;
        const lw_measure *n = g->r.measure + j;
        double way;
        lw_touch_outlines(shapes, candidate[j].touch, &o, &p);
        if (j == i || candidate[j].touch.couple != candidate[i].touch.couple ||
            hypot(n->x - m->x, n->y - m->y) > near || o->round[candidate[j].touch.round].r > 0.0) {
            continue;
        }
        way = candidate[j].touch.swapped == candidate[i].touch.swapped ? 1.0 : -1.0;
        if (!(o == own ? lw_bounds_corners(mine, at_own, its, at_other, n->nx, n->ny)
                       : lw_bounds_corners(its, at_other, mine, at_own, n->nx, n->ny)) ||
            way * (n->nx * m->nx + n->ny * m->ny) > 1.0 - 1e-12) {
            continue;
        }
        if (n->rate > m->rate + 1e-12 * g->speed || (n->rate >= m->rate - 1e-12 * g->speed && j < i)) {
            return 0;
        }
    }
    return 1;
}

/* Whether two touches are of the same bodies, in several of their layers. */
LW_STATIC int lw_same_bodies(const lw_shapes *shapes, lw_touch a, lw_touch b)
{
    const lw_couple *one = shapes->couple + a.couple, *other = shapes->couple + b.couple;
    return shapes->outline[one->a].body == shapes->outline[other->a].body &&
           shapes->outline[one->b].body == shapes->outline[other->b].body;
}

/* Whether a candidate says the same as one before it. */
LW_STATIC int lw_is_double(const lw_rigid *g, int i)
{
    const lw_held *candidate = g->candidate;
    for (int j = 0; j < i; ++j) {
        const lw_measure *m = g->r.measure + i, *n = g->r.measure + j;
        lw_touch a = candidate[i].touch, b = candidate[j].touch;
        if (lw_same_bodies(g->r.shapes, a, b) && a.swapped == b.swapped &&
            n->nx * m->nx + n->ny * m->ny > 1.0 - 1e-9 && hypot(n->x - m->x, n->y - m->y) <= 100.0 * g->slack) {
            return 1;
        }
    }
    return 0;
}

LW_STATIC void lw_keep_candidates(lw_rigid *g, int *count, const int *keep)
{
    int kept = 0;
    for (int i = 0; i < *count; ++i) {
        if (keep[i]) {
            g->candidate[kept] = g->candidate[i];
            g->r.measure[kept++] = g->r.measure[i];
        }
    }
    *count = kept;
}

/* All touches that are there now, those that hold first; but for one that has left its features. Returns how
   many, or -1 where they are too many. */
LW_STATIC int lw_gather(lw_rigid *g, const lw_touch *met, const lw_touch *left)
{
    const lw_shapes *shapes = g->r.shapes;
    lw_touch near[LW_NEAR_MOST];
    int count = 0, keep[LW_TOUCH_MOST];
    for (int i = 0; i < g->r.held_count; ++i) {
        if (left == NULL || !lw_same_touch(*left, g->r.held[i].touch)) {
            lw_measure_touch(shapes, &g->r.now, g->r.held[i].touch, g->r.measure + count);
            g->candidate[count++] = g->r.held[i];
        }
    }
    for (int i = -1; i < shapes->couples; ++i) {
        int found = i < 0 ? met != NULL : lw_near_touches(shapes, &g->r.now, i, g->slack, 0, LW_NEAR_MOST, near);
        if (i < 0 && met != NULL) {
            near[0] = *met;
        }
        if (found < 0) {
            return -1;
        }
        for (int j = 0; j < found; ++j) {
            int known = left != NULL && lw_same_touch(*left, near[j]);
            for (int h = 0; h < count; ++h) {
                known |= lw_same_touch(g->candidate[h].touch, near[j]);
            }
            if (!known) {
                lw_held fresh = {near[j], LW_SMOOTH, 0.0, 0.0, 0.0, g->r.m.s.t};
                if (count == LW_TOUCH_MOST) {
                    return -1;
                }
                lw_measure_touch(shapes, &g->r.now, near[j], g->r.measure + count);
                g->candidate[count] = fresh;
                count += g->r.measure[count].beyond <= g->slack && !lw_is_double(g, count);
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        keep[i] = g->r.measure[i].beyond <= g->slack && !lw_is_double(g, i);
    }
    lw_keep_candidates(g, &count, keep);
    g->passed_count = 0;
    for (int i = 0; i < count; ++i) {
        keep[i] = lw_is_chosen(g, count, i);
        if (!keep[i] && g->r.measure[i].rate <= 1e-7 * g->speed) {
            g->passed[g->passed_count++] = g->candidate[i].touch;
        }
    }
    lw_keep_candidates(g, &count, keep);
    return count;
}

/* Bodies, and measures of the candidates, after a change of velocities. */
LW_STATIC void lw_measure_candidates(lw_rigid *g, int count)
{
    lw_touching_place(&g->r, g->r.m.y, g->r.m.s.t, &g->r.now);
    for (int i = 0; i < count; ++i) {
        lw_measure_touch(g->r.shapes, &g->r.now, g->candidate[i].touch, g->r.measure + i);
    }
}

/* The complementarity problem of touches that have been related: each has a normal force not below 0 where its
   gap does not open; those that stick a tangential one within the cone of friction. given are normal forces
   that act besides (or NULL). Returns 0 where there is no solution; else the forces are in force. */
LW_STATIC int lw_complement(lw_touching *r, int count, const lw_held *held, int forces, const double *given)
{
    int size = 0, row = 0, place[LW_TOUCH_MOST], normal[LW_TOUCH_MOST];
    double scale[LW_TOUCH_MOST], *a = r->problem, *q = r->constant;
    for (int i = 0; i < count; ++i) {
        double own = r->matrix[row * forces + row];
        normal[i] = row;
        row += lw_forces_of(held[i].grip);
        place[i] = size;
        size += held[i].grip == LW_STICKING ? 4 : 1;
        scale[i] = fabs(own) > 0.0 ? 1.0 / sqrt(fabs(own)) : 1.0;
    }
    for (int i = 0; i < size * size; ++i) {
        a[i] = 0.0;
    }
    for (int i = 0; i < count; ++i) {
        double *rows[3] = {LW_ROW(a, place[i], size), LW_ROW(a, place[i] + 1, size), LW_ROW(a, place[i] + 2, size)};
        int sticks = held[i].grip == LW_STICKING;
        q[place[i]] = scale[i] * r->bias[normal[i]];
        if (sticks) {
            double friction = r->shapes->couple[held[i].touch.couple].friction, *cone = LW_ROW(a, place[i] + 3, size);
            q[place[i] + 1] = scale[i] * r->bias[normal[i] + 1];
            q[place[i] + 2] = -q[place[i] + 1];
            q[place[i] + 3] = given == NULL ? 0.0 : friction * given[i] / scale[i];
            rows[1][place[i] + 3] = rows[2][place[i] + 3] = 1.0;
            cone[place[i]] = friction;
            cone[place[i] + 1] = cone[place[i] + 2] = -1.0;
        }
        for (int j = 0; j < count; ++j) {
            for (int side = 0; side <= sticks; ++side) {
                const double *line = LW_ROW(r->matrix, normal[i] + side, forces);
                double both = scale[i] * scale[j], by_normal = both * line[normal[j]];
                rows[side][place[j]] += by_normal;
                if (side == 1) {
                    rows[2][place[j]] -= by_normal;
                }
                if (held[j].grip == LW_STICKING) {
                    double by_slip = both * line[normal[j] + 1];
                    rows[side][place[j] + 1] += by_slip;
                    rows[side][place[j] + 2] -= by_slip;
                    if (side == 1) {
                        rows[2][place[j] + 1] -= by_slip;
                        rows[2][place[j] + 2] += by_slip;
                    }
                }
            }
        }
    }
    if (!lw_lemke(size, a, q, r->solved, r->pivots, r->basis)) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        r->force[normal[i]] = scale[i] * r->solved[place[i]];
        if (held[i].grip == LW_STICKING) {
            r->force[normal[i] + 1] = scale[i] * (r->solved[place[i] + 1] - r->solved[place[i] + 2]);
        }
    }
    return lw_all_finite(forces, r->force);
}

/* Change velocities by impulses. */
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

/* The second half of an impact: what was pressed together is pushed apart by a share of the impulse. */
LW_STATIC int lw_rebound(lw_rigid *g, int count, int forces, const double *share)
{
    lw_touching *r = &g->r;
    double given[LW_TOUCH_MOST];
    int row = 0, rows[LW_TOUCH_MOST], any = 0;
    for (int i = 0; i < count; ++i) {
        rows[i] = row;
        given[i] = share[i] * r->force[row];
        any |= given[i] > 0.0;
        row += lw_forces_of(g->candidate[i].grip);
    }
    if (!any) {
        return 1;
    }
    lw_measure_candidates(g, count);
    row = 0;
    for (int i = 0; i < count; ++i) {
        r->bias[row++] = r->measure[i].rate;
        if (g->candidate[i].grip == LW_STICKING) {
            r->bias[row++] = lw_slip(r, g->candidate[i].touch, r->measure + i);
        }
    }
    for (int i = 0; i < forces; ++i) {
        for (int j = 0; j < count; ++j) {
            r->bias[i] += r->matrix[i * forces + rows[j]] * given[j];
        }
    }
    if (!lw_complement(r, count, g->candidate, forces, given)) {
        return 0;
    }
    for (int j = 0; j < count; ++j) {
        r->force[rows[j]] += given[j];
    }
    lw_strike(r, forces);
    return 1;
}

/* An impact, if any candidate approaches. Returns 0 where there are no impulses. */
LW_STATIC int lw_impact(lw_rigid *g, int count, double still)
{
    lw_touching *r = &g->r;
    double impulse[LW_FORCE_MOST], before[LW_TOUCH_MOST], share[LW_TOUCH_MOST];
    int approaching = 0, forces, row = 0;
    for (int i = 0; i < count; ++i) {
        const lw_couple *couple = r->shapes->couple + g->candidate[i].touch.couple;
        before[i] = r->measure[i].rate;
        approaching |= before[i] < -still;
        share[i] = before[i] < -1e-6 * g->speed ? couple->restitution : 0.0;
        g->candidate[i].grip = couple->friction > 0.0 ? LW_STICKING : LW_SMOOTH;
    }
    if (!approaching) {
        return 1;
    }
    ++g->impacts;
    forces = lw_relate(r, count, g->candidate, r->m.y, r->m.s.t, NULL);
    if (!lw_complement(r, count, g->candidate, forces, NULL)) {
        return 0;
    }
    memcpy(impulse, r->force, sizeof(double) * (size_t)forces);
    lw_strike(r, forces);
    memset(r->bias, 0, sizeof r->bias);
    memcpy(r->force, impulse, sizeof(double) * (size_t)forces);
    {
        double rest[LW_FORCE_MOST];
        memcpy(rest, impulse, sizeof rest);
        if (!lw_rebound(g, count, forces, share)) {
            return 0;
        }
        for (int i = 0, any = 0; i < count; ++i) {
            any |= share[i] * rest[row] > 0.0;
            row += lw_forces_of(g->candidate[i].grip);
            if (i == count - 1 && any) {
                for (int j = 0; j < forces; ++j) {
                    impulse[j] += r->force[j];
                }
            }
        }
    }
    row = 0;
    for (int i = 0; i < count; ++i) {
        if (impulse[row] > 0.0) {
            lw_note(g, share[i] < r->shapes->couple[g->candidate[i].touch.couple].restitution ? LW_SETTLES : LW_IMPACT,
                    g->candidate[i].touch, r->measure + i, impulse[row],
                    g->candidate[i].grip == LW_STICKING ? impulse[row + 1] : 0.0, before[i]);
        }
        row += lw_forces_of(g->candidate[i].grip);
    }
    lw_measure_candidates(g, count);
    return 1;
}

/* Which candidates hold from now on, by their forces. Returns 0 where there are none. */
LW_STATIC int lw_choose_held(lw_rigid *g, int count, double still, int is_fading)
{
    lw_touching *r = &g->r;
    int keep[LW_TOUCH_MOST], forces, row = 0, held = 0;
    double *rate = g->rows_state;
    for (int i = 0; i < count; ++i) {
        double friction = r->shapes->couple[g->candidate[i].touch.couple].friction;
        double slip = lw_slip(r, g->candidate[i].touch, r->measure + i);
        keep[i] = fabs(r->measure[i].rate) <= still;
        g->candidate[i].grip = friction <= 0.0 ? LW_SMOOTH : fabs(slip) > still ? LW_SLIPPING : LW_STICKING;
        g->candidate[i].way = slip > 0.0 ? 1.0 : -1.0;
    }
    lw_keep_candidates(g, &count, keep);
    if (count > 0) {
        double t = r->m.s.t;
        r->m.run.scheme->derivative(r->m.y, r->m.run.k, r->c, &t, rate);
        forces = lw_relate(r, count, g->candidate, r->m.y, t, rate);
        if (!lw_complement(r, count, g->candidate, forces, NULL)) {
            return 0;
        }
        for (int i = 0; i < forces; ++i) {
            g->strongest = fmax(g->strongest, fabs(r->force[i]));
        }
    }
    for (int i = 0; i < count; ++i) {
        lw_held *each = g->candidate + i;
        double friction = r->shapes->couple[each->touch.couple].friction;
        each->normal = r->force[row];
        each->tangent = each->grip == LW_STICKING ? r->force[row + 1] : -each->way * friction * each->normal;
        row += lw_forces_of(each->grip);
        keep[i] = each->normal > (is_fading ? 1e-9 : 1e-13) * g->strongest;
        if (each->grip == LW_STICKING && fabs(each->tangent) >= friction * each->normal * (1.0 - 1e-9)) {
            each->grip = LW_SLIPPING;
            each->way = each->tangent > 0.0 ? -1.0 : 1.0;
        }
    }
    for (int i = 0; i < r->held_count; ++i) { /* what ended */
        int stays = 0;
        for (int j = 0; j < count; ++j) {
            stays |= keep[j] && lw_same_touch(r->held[i].touch, g->candidate[j].touch);
        }
        if (!stays) {
            lw_measure m;
            lw_measure_touch(r->shapes, &r->now, r->held[i].touch, &m);
            lw_note(g, LW_ENDS, r->held[i].touch, &m, 0.0, 0.0, r->m.s.t - r->held[i].since);
        }
    }
    for (int j = 0; j < count; ++j) {
        int was = -1;
        if (!keep[j]) {
            continue;
        }
        for (int i = 0; i < r->held_count; ++i) {
            was = lw_same_touch(r->held[i].touch, g->candidate[j].touch) ? i : was;
        }
        if (was < 0) {
            lw_note(g, LW_BEGINS, g->candidate[j].touch, r->measure + j, g->candidate[j].normal,
                    g->candidate[j].tangent, 0.0);
        } else if (r->held[was].grip != g->candidate[j].grip) {
            lw_note(g, g->candidate[j].grip == LW_STICKING ? LW_STICKS : LW_SLIPS, g->candidate[j].touch,
                    r->measure + j, g->candidate[j].normal, g->candidate[j].tangent, 0.0);
        }
    }
    for (int j = 0; j < count; ++j) {
        if (keep[j]) {
            r->held[held++] = g->candidate[j];
        }
    }
    r->held_count = held;
    return 1;
}

/* Bring the state onto the constraints and onto the touches that hold, unless it is nearer than a share of the
   size and of the speed. Returns whether it was moved, or -1. */
LW_STATIC int lw_settle_touches(lw_rigid *g, double *y, double t, double share)
{
    lw_touching *r = &g->r;
    int half = r->m.run.scheme->first + r->m.run.scheme->second, second = r->m.run.scheme->second;
    int changed = 0;
    if (r->m.run.scheme->stabilise_count > 0 && !lw_stabilise(&r->m.run, y, t)) {
        return -1;
    }
    for (int turn = 0; turn < 4 && r->held_count > 0; ++turn) {
        int forces, row = 0;
        double worst = 0.0, fastest = 0.0;
        lw_touching_place(r, y, t, &r->now);
        lw_measure_held(r);
        for (int i = 0; i < r->held_count; ++i) {
            worst = fmax(worst, fabs(r->measure[i].gap));
            fastest = fmax(fastest, fabs(r->measure[i].rate));
        }
        if (worst <= share * r->shapes->size && fastest <= 10.0 * share * g->speed) {
            break;
        }
        forces = lw_relate(r, r->held_count, r->held, y, t, NULL);
        if (!lw_balance(r, forces, r->bias)) {
            return -1;
        }
        for (int j = 0; j < forces; ++j) {
            for (int i = half; i < r->m.size; ++i) {
                y[i] += r->force[j] * LW_ROW(r->response, j, r->m.size)[i];
            }
        }
        for (int i = 0; i < r->held_count; ++i) {
            r->bias[row++] = r->measure[i].gap;
            if (r->held[i].grip == LW_STICKING) {
                r->bias[row++] = 0.0;
            }
        }
        if (!lw_balance(r, forces, r->bias)) {
            return -1;
        }
        for (int j = 0; j < forces; ++j) {
            for (int i = 0; i < second; ++i) {
                y[half - second + i] += r->force[j] * LW_ROW(r->response, j, r->m.size)[half + i];
            }
        }
        changed = 1;
        if (r->m.run.scheme->stabilise_count > 0 && !lw_stabilise(&r->m.run, y, t)) {
            return -1;
        }
    }
    return changed;
}

/* After an event: impacts and forces of all that touches now. */
LW_STATIC lw_rigid_status lw_reconsider(lw_rigid *g, const lw_touch *met, const lw_touch *left,
                                        int is_fading)
{
    double still = 1e-7 * g->speed;
    int count;
    lw_touching_place(&g->r, g->r.m.y, g->r.m.s.t, &g->r.now);
    count = lw_gather(g, met, left);
    if (count < 0) {
        return LW_RIGID_CROWDED;
    }
    if (!lw_impact(g, count, still) || !lw_choose_held(g, count, still, is_fading)) {
        return LW_RIGID_NO_FORCES;
    }
    if (lw_settle_touches(g, g->r.m.y, g->r.m.s.t, LW_STEP_SHARE) < 0) {
        return LW_RIGID_LEFT;
    }
    lw_integrator_changed(&g->r.m.s);
    return LW_RIGID_DONE;
}

/* --------------------------------------------------------------------------------------- the run */

/* The touches of a state, for a row: where they are and what they push with. */
LW_STATIC void lw_row_touches(lw_rigid *g, double t, const double *state, double *touches)
{
    lw_touching *r = &g->r;
    int count = r->held_count < LW_ROW_TOUCHES ? r->held_count : LW_ROW_TOUCHES;
    if (count > 0 && lw_touching_rate(t, state, g->rows_state, r)) {
        count = 0;
    }
    for (int i = 0; i < LW_ROW_TOUCHES; ++i) {
        double *own = touches + LW_ROW_NUMBERS * i;
        own[0] = -1.0;
        own[1] = own[2] = own[3] = own[4] = 0.0;
        if (i < count) {
            const lw_held *held = r->held + i;
            const lw_measure *m = r->measure + i;
            const lw_outline *ends[2];
            double way = held->touch.swapped ? -1.0 : 1.0, radius;
            lw_touch_outlines(r->shapes, held->touch, &ends[0], &ends[1]);
            radius = ends[0]->round[held->touch.round].r;
            own[0] = held->touch.couple;
            own[1] = m->x - radius * m->nx;
            own[2] = m->y - radius * m->ny;
            own[3] = way * (held->normal * m->nx + held->tangent * m->ny);
            own[4] = way * (held->normal * m->ny - held->tangent * m->nx);
        }
    }
}

/* A row inside the last step, on the constraints and the touches. */
LW_STATIC int lw_rigid_row(lw_rigid *g, double t)
{
    lw_machine *m = &g->r.m;
    double *state = g->rows.states + g->row * m->size, *touches = g->rows.touches;
    memcpy(state, lw_rigid_at(g, t), sizeof(double) * (size_t)m->size);
    if (t != m->s.t && lw_settle_touches(g, state, t, LW_ROW_SHARE) < 0) {
        return 0;
    }
    m->worst = fmax(m->worst, lw_residual_of(&m->run, m->run.scheme->stabilise_count, m->run.scheme->stabilise,
                                             state, NULL, t));
    lw_machine_observe(m, state, t, g->rows.outs + g->row * m->run.scheme->outputs);
    lw_row_touches(g, t, state, touches + g->row * LW_ROW_TOUCHES * LW_ROW_NUMBERS);
    ++g->row;
    return 1;
}

/* Make a run ready in the caller's memory. */
LW_STATIC void lw_rigid_begin(lw_rigid *g, const lw_toucher *program, const lw_shapes *shapes, const double *k,
                              const double *c, const double *q0, const double *y, const double *atol, double t,
                              double rtol, double *doubles, int *integers)
{
    lw_machine *m = &g->r.m;
    memset(g, 0, sizeof *g);
    lw_touching_begin(&g->r, program, shapes, k, c, doubles, integers);
    g->state = doubles + lw_machine_doubles(program->scheme) + lw_touching_doubles(program, shapes);
    g->rows_state = g->state + m->size;
    g->there.six = g->rows_state + m->size;
    g->there.place = (lw_place *)(g->there.six + 6 * shapes->bodies);
    g->before.six = (double *)(g->there.place + shapes->bodies + 1);
    g->before.place = (lw_place *)(g->before.six + 6 * shapes->bodies);
    memcpy(m->y, y, sizeof(double) * (size_t)m->size);
    memcpy(m->atol, atol, sizeof(double) * (size_t)m->size);
    memcpy(m->q0, q0, sizeof(double) * (size_t)program->scheme->zeroth);
    g->slack = 1e-9 * shapes->size;
    g->deep = 1e-10 * shapes->size;
    g->most_steps = 100000000;
    lw_dop853_begin(&m->s, m->size, lw_touching_rate, &g->r, t, m->y, rtol, m->atol, m->explicit_work);
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

/* One step or the part of it before the first event, and what happens there. */
LW_STATIC lw_rigid_status lw_rigid_step(lw_rigid *g, double until)
{
    lw_machine *m = &g->r.m;
    lw_integrator *s = &m->s;
    lw_touch met, left;
    double when = INFINITY, ended;
    int which = 0, meeting = -1, ending;
    memcpy(g->before.six, g->r.now.six, sizeof(double) * 6 * (size_t)g->r.shapes->bodies);
    memcpy(g->before.place, g->r.now.place, sizeof(lw_place) * ((size_t)g->r.shapes->bodies + 1));
    m->step = lw_machine_advance(s, until);
    if (m->step != LW_STEP_DONE) {
        return LW_RIGID_STOPPED;
    }
    for (;;) {
        lw_touching_place(&g->r, s->y, s->t, &g->r.now);
        if (lw_watch(g, s->t - s->t_old)) {
            break;
        }
        if (!(s->t - s->t_old > 1e-12 * fmax(1.0, fabs(s->t)))) {
            return LW_RIGID_CROWDED;
        }
        lw_cut_step(g, s->t_old + 0.5 * (s->t - s->t_old));
    }
    meeting = lw_first_of_step(g, &when);
    if (meeting >= 0) {
        met = g->near[meeting];
    }
    ended = meeting >= 0 ? when : INFINITY;
    ending = lw_first_end(g, &ended, &which);
    if (ending >= 0) {
        when = ended;
        left = g->r.held[ending].touch;
    }
    if (meeting < 0 && ending < 0) {
        when = s->t;
    }
    while (g->row < g->rows.count && g->rows.times[g->row] < when) {
        if (!lw_rigid_row(g, g->rows.times[g->row])) {
            return LW_RIGID_LEFT;
        }
    }
    lw_cut_step(g, when);
    if (meeting < 0 && ending < 0) {
        int changed = lw_settle_touches(g, m->y, s->t, LW_STEP_SHARE);
        if (changed < 0) {
            return LW_RIGID_LEFT;
        }
        if (changed) {
            lw_integrator_changed(s);
        }
        g->passed_count = 0;
        lw_touching_place(&g->r, s->y, s->t, &g->r.now);
        return LW_RIGID_DONE;
    }
    if (lw_settle_touches(g, m->y, s->t, LW_STEP_SHARE) < 0) {
        return LW_RIGID_LEFT;
    }
    g->chatter = when - g->last_event <= 1e-12 * fmax(1.0, fabs(when)) ? g->chatter + 1 : 0;
    g->last_event = when;
    if (g->chatter > LW_CHATTER_MOST) {
        return LW_RIGID_CHATTER;
    }
    {
        const lw_touch *own = ending >= 0 && which == 1 ? &left : NULL;
        lw_rigid_status status = lw_reconsider(g, ending < 0 ? &met : NULL, own, ending >= 0 && which == 0);
        lw_touching_place(&g->r, s->y, s->t, &g->r.now);
        return status;
    }
}

/* The motion through rows of times, as far as there is room for events. */
LW_STATIC lw_rigid_status lw_rigid_run(lw_rigid *g, long rows, const double *times, double *states, double *outs,
                                       double *touches, long room, double *events, long *happened)
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
        status = lw_reconsider(g, NULL, NULL, 0);
        if (status == LW_RIGID_DONE && !lw_rigid_row(g, times[0])) {
            status = LW_RIGID_LEFT;
        }
        lw_touching_place(&g->r, m->y, m->s.t, &g->r.now);
    }
    while (status == LW_RIGID_DONE && g->row < rows) {
        if (g->events + 4 * LW_TOUCH_MOST > room) {
            status = LW_RIGID_FULL;
        } else if (m->s.steps + m->s.rejected > g->most_steps) {
            status = LW_RIGID_TOO_LONG;
        } else {
            status = lw_rigid_step(g, times[rows - 1]);
        }
        while (status == LW_RIGID_DONE && g->row < rows && times[g->row] <= m->s.t) {
            status = lw_rigid_row(g, times[g->row]) ? LW_RIGID_DONE : LW_RIGID_LEFT;
        }
    }
    *happened = g->events;
    return status;
}

#endif
