/* What touches now: all places at once, each once.

   Where a corner passes a corner, the two faces between which it must choose are alternatives: what moves
   away from either is free, and what strikes strikes the face from which it would part sooner. */
#ifndef LW_GATHER_H
#define LW_GATHER_H

#include <math.h>
#include <string.h>

#include "rigid_state.h"
#include "space_pass.h"

#ifndef LW_SPACE

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

/* Whether two corners of joined bodies that meet go past one another, whatever else is between them: along
   the slide, or around the hinge, on faces that the joint keeps and that are no touches. */
LW_STATIC int lw_is_led_past(const lw_couple *couple, const lw_arc *one, lw_place at_one,
                             const lw_arc *other, lw_place at_other, double x, double y)
{
    double u = at_one.c * couple->x - at_one.s * couple->y;
    double v = at_one.s * couple->x + at_one.c * couple->y;
    double nx = couple->joined == LW_SLIDING ? -v : x - at_one.x - u;
    double ny = couple->joined == LW_SLIDING ? u : y - at_one.y - v, size = hypot(nx, ny);
    if (couple->joined == LW_APART || !(size > 0.0)) {
        return 0;
    }
    nx /= size;
    ny /= size;
    return lw_bounds_corners(one, at_one, other, at_other, nx, ny) ||
           lw_bounds_corners(one, at_one, other, at_other, -nx, -ny);
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
    const lw_couple *couple;
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
    couple = shapes->couple + candidate[i].touch.couple;
    if (!lw_bounds_corners(mine, at_own, its, at_other, m->nx, m->ny) ||
        (m->rate < 0.0 && lw_is_led_past(couple, mine, at_own, its, at_other, m->x, m->y))) {
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

/* Whether two touches that say the same go on doing so: their features are of the same kind and as round. */
LW_STATIC int lw_are_twins(const lw_shapes *shapes, lw_touch a, lw_touch b)
{
    const lw_outline *own[2], *other[2];
    const lw_arc *face[2];
    lw_touch_outlines(shapes, a, &own[0], &other[0]);
    lw_touch_outlines(shapes, b, &own[1], &other[1]);
    if (a.kind != b.kind || own[0]->round[a.round].r != own[1]->round[b.round].r) {
        return 0;
    }
    face[0] = (a.kind == LW_ROUND ? other[0]->round : other[0]->hollow) + a.face;
    face[1] = (b.kind == LW_ROUND ? other[1]->round : other[1]->hollow) + b.face;
    return a.kind == LW_SIDE || face[0]->r == face[1]->r;
}

/* Whether a candidate says the same as one before it. If it goes on doing so, they are remembered as twins.
   */
LW_STATIC int lw_is_double(lw_rigid *g, int count, int i)
{
    (void)count;
    for (int j = 0; j < i; ++j) {
        lw_touch a = g->candidate[i].touch, b = g->candidate[j].touch;
        if (lw_same_bodies(g->r.shapes, a, b) && a.swapped == b.swapped &&
            lw_same_place(g->r.measure + i, g->r.measure + j, 100.0 * g->slack)) {
            if (g->twin_count < LW_TOUCH_MOST && lw_are_twins(g->r.shapes, a, b)) {
                g->twin[g->twin_count] = a;
                g->twin_of[g->twin_count++] = b;
            }
            return 1;
        }
    }
    return 0;
}

/* In the plane no shaft goes through the mouth of a bore. */
LW_STATIC int lw_is_in_mouth(const lw_shapes *shapes, lw_touch touch, const lw_measure *m, double slack)
{
    (void)shapes;
    (void)touch;
    (void)m;
    (void)slack;
    return 0;
}

#else

/* Whether a touch counts: at the end of a face the round must be on its proper side with all of its edges,
   for there it may also be beside the face; and it must not go past there. */
LW_STATIC int lw_is_chosen(const lw_rigid *g, int count, int i)
{
    const lw_measure *m = g->r.measure + i;
    if (i >= count || m->beyond < -100.0 * g->slack) {
        return i < count;
    }
    if (m->into > 1e-7) {
        return 0;
    }
    return !lw_goes_past(g->r.shapes, &g->r.now, g->candidate[i].touch, m, 100.0 * g->slack, 1e-7 * g->speed);
}

/* Whether a candidate says the same as another: of two the one is kept that is not at the end of its
   features, so that it lasts; else the first. */
LW_STATIC int lw_is_double(const lw_rigid *g, int count, int i)
{
    const lw_held *candidate = g->candidate;
    const lw_measure *own = g->r.measure + i;
    int ends = own->beyond > -100.0 * g->slack;
    for (int j = 0; j < count; ++j) {
        const lw_measure *its = g->r.measure + j;
        double way = candidate[i].touch.swapped == candidate[j].touch.swapped ? 1.0 : -1.0, d[3];
        int ends_too = its->beyond > -100.0 * g->slack;
        lw_add3(own->x, -1.0, its->x, d);
        if (j != i && candidate[i].touch.couple == candidate[j].touch.couple && its->beyond <= g->slack &&
            (ends == ends_too ? j < i : ends) && way * lw_dot3(own->n, its->n) > 1.0 - 1e-9 &&
            lw_dot3(d, d) <= 1e4 * g->slack * g->slack) {
            return 1;
        }
    }
    return 0;
}

#endif

/* Where the bodies are after some time if they keep their speeds. */
LW_STATIC void lw_place_later(lw_rigid *g, double time)
{
    int first = g->r.m.run.scheme->first, second = g->r.m.run.scheme->second;
    memcpy(g->state, g->r.m.y, sizeof(double) * (size_t)g->r.m.size);
    for (int i = first; i < first + second; ++i) {
        g->state[i] += time * g->state[i + second];
    }
    lw_touching_place(&g->r, g->state, g->r.m.s.t + time, &g->there);
}

/* Whether a candidate leaves the ends of its features in the same moment as a touch that has left its own, or
   is it: what leaves together would else take turns. */
LW_STATIC int lw_leaves_with(const lw_rigid *g, int i, const lw_touch *left, double soon)
{
    lw_touch touch = g->candidate[i].touch;
    lw_measure later;
    if (left == NULL || g->r.measure[i].beyond < -g->slack) {
        return 0;
    }
    if (lw_same_touch(touch, *left)) {
        return 1;
    }
    lw_measure_touch(g->r.shapes, &g->there, touch, &later);
    return later.beyond - g->r.measure[i].beyond > 1e-7 * soon * g->speed;
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

/* A face behind which a corner goes past another does not count in the next step, nor do its twins. */
LW_STATIC void lw_pass(lw_rigid *g, lw_touch touch)
{
    for (int i = -1; i < g->twin_count; ++i) {
        if ((i < 0 || lw_same_touch(g->twin_of[i], touch)) && g->passed_count < LW_TOUCH_MOST) {
            g->passed[g->passed_count++] = i < 0 ? touch : g->twin[i];
        }
    }
}

/* Whether a gap is none, or what there is of it is so little behind the face that it came about by
   rounding. */
LW_STATIC int lw_is_touching(const lw_rigid *g, const lw_measure *m)
{
    return m->apart <= (m->gap < 0.0 ? g->sunk : g->slack);
}

/* All touches that are there now, those that hold first; but for one that has left its features. Returns how
   many, or -1 where they are too many. */
LW_STATIC int lw_gather(lw_rigid *g, const lw_touch *met, const lw_touch *left)
{
    const lw_shapes *shapes = g->r.shapes;
    const lw_neighbour first = {met != NULL ? *met : g->near[0], 0.0};
    int count = 0, keep[LW_TOUCH_MOST];
    double soon = 1e-6 * shapes->size / fmax(g->speed, 1e-300);
    g->twin_count = 0;
    if (left != NULL) {
        lw_place_later(g, soon);
    }
    for (int i = 0; i < g->r.held_count; ++i) {
        lw_measure_touch(shapes, &g->r.now, g->r.held[i].touch, g->r.measure + count);
        g->candidate[count] = g->r.held[i];
        count += !lw_leaves_with(g, count, left, soon);
    }
    for (int i = -1; i < shapes->couples; ++i) {
        const lw_neighbour *near = &first;
        double apart = 0.0, within = i < 0 ? INFINITY : g->sunk;
        int found = i < 0 ? met != NULL : lw_nearby(&g->lists, shapes, &g->r.now, i, within, &near, &apart);
        if (found < 0) {
            return -1;
        }
        for (int j = 0; j < found; ++j) {
            int known = near[j].apart > apart;
            for (int h = 0; h < count; ++h) {
                known |= lw_same_touch(g->candidate[h].touch, near[j].touch);
            }
            if (!known) {
                lw_held fresh = {near[j].touch, LW_SMOOTH, {0.0}, 0.0, {0.0}, {0.0}, g->r.m.s.t, 0.0};
                if (count == LW_TOUCH_MOST) {
                    return -1;
                }
                lw_measure_touch(shapes, &g->r.now, near[j].touch, g->r.measure + count);
                fresh.offset = fabs(g->r.measure[count].gap) <= g->slack ? g->r.measure[count].gap : 0.0;
                g->candidate[count] = fresh;
                count += (i < 0 || lw_is_touching(g, g->r.measure + count)) &&
                         g->r.measure[count].beyond <= g->slack &&
                         !lw_is_in_mouth(shapes, near[j].touch, g->r.measure + count, 100.0 * g->slack) &&
                         !lw_is_double(g, count, count) && !lw_leaves_with(g, count, left, soon);
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        keep[i] = g->r.measure[i].beyond <= g->slack && !lw_is_double(g, count, i);
    }
    lw_keep_candidates(g, &count, keep);
    g->passed_count = 0;
    for (int i = 0; i < count; ++i) {
        keep[i] = lw_is_chosen(g, count, i);
        if (!keep[i] && g->r.measure[i].rate <= 1e-7 * g->speed) {
            lw_pass(g, g->candidate[i].touch);
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

#endif
