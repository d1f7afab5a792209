/* Elastic contacts where a corner passes a corner.

   A corner P presses on a face that ends in a corner Q. Behind Q is another face; and from P an edge goes the
   way that the face goes from Q. If P and both its edges are before the face behind Q, P goes on with that
   when it is as near. Else that face is no way out: pushed past it, P would drag its edge through Q. Then Q
   goes on in place of P, and presses on that edge, when it is as deep there. Either way the depth is the same
   before and after, and so is the energy that is stored. Blocks that stand flush on one another press with
   the one corner or the other, and never sideways. */
#ifndef LW_CORNERS_H
#define LW_CORNERS_H

#ifndef LW_SPACE

#include <math.h>

#include "face_ends.h"
#include "linkage.h"
#include "press.h"

#define LW_SAME_WAY 0.7 /* cosine of the angle within which two contacts push the same way */
#define LW_BOUNDS 1e-7 /* sine of the angle by which an edge may go across a face that bounds it */
#define LW_FAR_OFF 50.0 /* depths from the end of a face: nothing beside that is as near, but for needles */
#define LW_BETTER 0.1  /* by how much one of two faces must bound better so that the other does not count */

/* What is beside a corner on its face: nothing, another face for it, or a corner in its place. */
typedef enum { LW_NONE = 0, LW_SAME_CORNER = 1, LW_ITS_CORNER = 2 } lw_beside_it;

/* The same touch, seen from the other outline if it is one of two rounds: those have one way to be told. */
LW_STATIC lw_touch lw_told(lw_touch touch)
{
    if (touch.kind == LW_ROUND && touch.swapped) {
        int round = touch.round;
        touch.swapped = 0;
        touch.round = touch.face;
        touch.face = round;
    }
    return touch;
}

LW_STATIC lw_touch lw_touch_of(int couple, int swapped, int round, lw_face face)
{
    lw_touch touch;
    touch.couple = couple;
    touch.swapped = swapped;
    touch.round = round;
    touch.kind = face.kind;
    touch.face = face.face;
    return lw_told(touch);
}

/* A direction of a body, seen from the world. */
LW_STATIC void lw_direction(lw_place at, double x, double y, double *wx, double *wy)
{
    *wx = at.c * x - at.s * y;
    *wy = at.s * x + at.c * y;
}

/* How far the edges of a corner go from it along a direction, at most, as a cosine. */
LW_STATIC double lw_edges_along(const lw_arc *corner, lw_place at, double nx, double ny)
{
    double x = nx * at.c + ny * at.s, y = ny * at.c - nx * at.s;
    return fmax(x * corner->ax + y * corner->ay, x * corner->bx + y * corner->by);
}

/* How far the edges of two corners that meet go across a face with this normal, towards the first: not at all
   where the face bounds the way past them. */
LW_STATIC double lw_across(const lw_arc *one, lw_place at_one, const lw_arc *other, lw_place at_other,
                           double nx, double ny)
{
    return fmax(lw_edges_along(one, at_one, -nx, -ny), lw_edges_along(other, at_other, nx, ny));
}

/* What goes on where a corner P that presses on a face leaves it past a corner Q: P on the face behind Q, if
   P and both its edges are before that; else what P has been to Q now Q is to P: it presses on that edge of P
   that goes from there the way of the face from Q. Returns LW_NONE where there is nothing. */
LW_STATIC lw_beside_it lw_beside(const lw_elastic *e, const lw_where *w, int i, int end, lw_touch *next)
{
    const lw_touching *r = &e->g.r;
    const lw_press *press = e->press + i;
    const lw_after after = press->after[end];
    const lw_touch touch = r->held[i].touch;
    const lw_outline *own, *other;
    const lw_arc *mine, *its;
    lw_place at_own, at_other;
    double lx, ly, nx, ny, ax, ay, bx, by, fx, fy;
    if (after.corner < 0 || after.is_smooth || after.next.face < 0) {
        return LW_NONE;
    }
    *next = lw_touch_of(touch.couple, touch.swapped, touch.round, after.next);
    lw_touch_outlines(r->shapes, touch, &own, &other);
    mine = own->round + touch.round;
    its = other->round + after.corner;
    at_own = w->place[own->body];
    at_other = w->place[other->body];
    lw_face_normal(other, after.next, its->x, its->y, &lx, &ly);
    lw_direction(at_other, lx, ly, &nx, &ny);
    if (press->edge[0].face < 0 || lw_across(mine, at_own, its, at_other, nx, ny) <= LW_BOUNDS) {
        return LW_SAME_CORNER;
    }
    if (fabs(lx * its->ax + ly * its->ay) > fabs(lx * its->bx + ly * its->by)) {
        lw_direction(at_other, its->ax, its->ay, &fx, &fy);
    } else {
        lw_direction(at_other, its->bx, its->by, &fx, &fy);
    }
    lw_direction(at_own, mine->ax, mine->ay, &ax, &ay);
    lw_direction(at_own, mine->bx, mine->by, &bx, &by);
    *next = lw_touch_of(touch.couple, !touch.swapped, after.corner,
                        press->edge[ax * fx + ay * fy < bx * fx + by * fy]);
    return LW_ITS_CORNER;
}

/* What is above 0 as long as a corner P does not go on with what is beside its face at one end, past a corner
   Q: how much deeper it would be then. Where Q would press on an edge of P it must be between the ends of
   that; where P is past the end of its own face that is enough. A little is added, so that of two that are as
   near none takes turns; infinite where nothing is beside, and large where the end is far off. */
LW_STATIC double lw_stays(const lw_elastic *e, const lw_where *w, int i, int end, const lw_measure *m,
                          lw_past_end past)
{
    double slack = e->g.slack, deeper;
    lw_touch next;
    lw_beside_it beside;
    lw_measure n;
    if (past.by < LW_FAR_OFF * m->gap - slack) {
        return e->g.r.shapes->size;
    }
    beside = lw_beside(e, w, i, end, &next);
    if (beside == LW_NONE) {
        return INFINITY;
    }
    lw_measure_touch(e->g.r.shapes, w, next, &n);
    deeper = m->gap - n.gap;
    if (beside == LW_SAME_CORNER) {
        return deeper + slack;
    }
    return slack + (past.by > slack && past.which == 2 * end - 1 ? n.beyond : fmax(deeper, n.beyond));
}

/* Whether a touch is of a corner at one place of its body and a face that ends at a place of the other; both
   may be of another layer than where those places are from. */
LW_STATIC int lw_is_between(const lw_shapes *g, lw_touch touch, const lw_arc *corner, const lw_arc *end,
                            double slack)
{
    const lw_outline *own, *other;
    const lw_arc *round;
    const lw_face face = {touch.kind, touch.face};
    lw_touch_outlines(g, touch, &own, &other);
    round = own->round + touch.round;
    return round->r == 0.0 && fabs(round->x - corner->x) <= slack && fabs(round->y - corner->y) <= slack &&
           lw_has_ends(other, face) && lw_end_at(other, face, end->x, end->y, slack) != 0;
}

/* Whether a contact stands for a touch that comes about where a corner P passes a corner Q. P presses on a
   face that ends in Q: then nothing comes about between P and the face behind Q; nor between Q and an edge of
   P, unless this pushes as the face does and elsewhere, and so bears a part of the load. */
LW_STATIC int lw_stands_for(const lw_elastic *e, int i, lw_touch touch, const lw_measure *m)
{
    const lw_rigid *g = &e->g;
    const lw_shapes *shapes = g->r.shapes;
    const lw_touch held = g->r.held[i].touch;
    const lw_press *press = e->press + i;
    const lw_outline *own, *other;
    int is_same_way = held.swapped == touch.swapped;
    lw_touch_outlines(shapes, held, &own, &other);
    for (int end = 0; end < 2; ++end) {
        const lw_after after = press->after[end];
        const lw_arc *mine = own->round + held.round, *its = other->round + after.corner;
        lw_touch next;
        lw_measure n;
        if (after.corner < 0 || after.is_smooth ||
            !lw_is_between(shapes, touch, is_same_way ? mine : its, is_same_way ? its : mine, g->slack)) {
            continue;
        }
        lw_measure_touch(shapes, &g->there, held, &n);
        if (is_same_way) {
            return m->nx * n.nx + m->ny * n.ny < 1.0 - LW_BOUNDS;
        }
        if (m->nx * n.nx + m->ny * n.ny > -LW_SAME_WAY || hypot(m->x - n.x, m->y - n.y) <= 100.0 * g->slack) {
            return 1;
        }
        if (lw_beside(e, &g->there, i, end, &next) == LW_ITS_CORNER) {
            lw_measure_touch(shapes, &g->there, next, &n);
            return lw_same_place(m, &n, 100.0 * g->slack);
        }
    }
    return 0;
}

/* Whether a corner P meets a corner Q where this touch comes about, and another face of the two bounds their
   way past each other better: then it is that which they touch. */
LW_STATIC int lw_is_aside(const lw_elastic *e, lw_touch touch, const lw_measure *m)
{
    const lw_rigid *g = &e->g;
    const lw_outline *part[2];
    const lw_arc *corner[2];
    lw_place at[2];
    double least = INFINITY;
    int its;
    lw_touch_outlines(g->r.shapes, touch, &part[0], &part[1]);
    corner[0] = part[0]->round + touch.round;
    at[0] = g->there.place[part[0]->body];
    at[1] = g->there.place[part[1]->body];
    its = lw_corner_of(part[1], at[1].c * (m->x - at[1].x) + at[1].s * (m->y - at[1].y),
                       at[1].c * (m->y - at[1].y) - at[1].s * (m->x - at[1].x), 100.0 * g->slack);
    if (corner[0]->r > 0.0 || its < 0) {
        return 0;
    }
    corner[1] = part[1]->round + its;
    for (int k = 0; k < 4; ++k) {
        int own = k % 2;
        lw_face edge[2];
        double lx, ly, nx, ny;
        lw_edges_of(part[own], corner[own], g->slack, edge);
        if (edge[k / 2].face >= 0) {
            lw_face_normal(part[own], edge[k / 2], corner[own]->x, corner[own]->y, &lx, &ly);
            lw_direction(at[own], lx, ly, &nx, &ny);
            least = fmin(least, lw_across(corner[!own], at[!own], corner[own], at[own], nx, ny));
        }
    }
    return lw_across(corner[0], at[0], corner[1], at[1], m->nx, m->ny) > fmax(least, 0.0) + LW_BETTER;
}

#endif

#endif
