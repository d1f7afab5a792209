/* The ends of an outline's faces: where they are, how far a touch is past them, and what comes after them. */
#ifndef LW_FACE_ENDS_H
#define LW_FACE_ENDS_H

#ifndef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "outline.h"

#define LW_SMOOTH_TURN 1e-5 /* sine of the angle up to which a face goes on smoothly into the next */

/* A face of an outline; its number is below 0 where there is none. */
typedef struct {
    lw_face_kind kind;
    int face;
} lw_face;

/* What is at the end of a face: a corner, or -1; the face that goes on from there, and whether smoothly. */
typedef struct {
    int corner, is_smooth;
    lw_face next;
} lw_after;

/* Past which end a touch is: of its face (-1, 1), or of the arc that is on it (-2, 2). */
typedef struct {
    double by;
    int which;
} lw_past_end;

LW_STATIC const lw_arc *lw_arc_of(const lw_outline *o, lw_face f)
{
    return (f.kind == LW_ROUND ? o->round : o->hollow) + f.face;
}

/* Whether a face has ends: lines do, and arcs but for whole circles. */
LW_STATIC int lw_has_ends(const lw_outline *o, lw_face f)
{
    return f.kind == LW_SIDE || (lw_arc_of(o, f)->r > 0.0 && lw_arc_of(o, f)->cosine > -1.5);
}

/* The end of a face before (-1) or behind (1) its middle. */
LW_STATIC void lw_face_end(const lw_outline *o, lw_face f, int which, double *x, double *y)
{
    if (f.kind == LW_SIDE) {
        const lw_side *side = o->side + f.face;
        double along = which < 0 ? 0.0 : side->length;
        *x = side->x + along * side->tx;
        *y = side->y + along * side->ty;
    } else {
        lw_arc_end(lw_arc_of(o, f), which, x, y);
    }
}

/* The outward normal of a face at a place of it. */
LW_STATIC void lw_face_normal(const lw_outline *o, lw_face f, double x, double y, double *nx, double *ny)
{
    if (f.kind == LW_SIDE) {
        *nx = o->side[f.face].nx;
        *ny = o->side[f.face].ny;
    } else {
        const lw_arc *arc = lw_arc_of(o, f);
        double way = (f.kind == LW_ROUND ? 1.0 : -1.0) / arc->r;
        *nx = way * (x - arc->x);
        *ny = way * (y - arc->y);
    }
}

/* The corner of an outline at a place of its body, or -1. */
LW_STATIC int lw_corner_of(const lw_outline *o, double x, double y, double slack)
{
    for (int i = 0; i < o->rounds; ++i) {
        if (o->round[i].r == 0.0 && fabs(o->round[i].x - x) <= slack && fabs(o->round[i].y - y) <= slack) {
            return i;
        }
    }
    return -1;
}

/* The end of a face that is at a place: -1 or 1, or 0. */
LW_STATIC int lw_end_at(const lw_outline *o, lw_face f, double x, double y, double slack)
{
    for (int which = -1; which <= 1; which += 2) {
        double ex, ey;
        lw_face_end(o, f, which, &ex, &ey);
        if (fabs(ex - x) <= slack && fabs(ey - y) <= slack) {
            return which;
        }
    }
    return 0;
}

/* The face after another one in the order of sides, hollows and rounds that have ends. */
LW_STATIC int lw_next_face(const lw_outline *o, lw_face *f)
{
    const int counts[3] = {o->sides, o->hollows, o->rounds};
    for (;;) {
        if (++f->face >= counts[f->kind]) {
            if (f->kind == LW_ROUND) {
                return 0;
            }
            f->kind = (lw_face_kind)(f->kind + 1);
            f->face = -1;
        } else if (lw_has_ends(o, *f)) {
            return 1;
        }
    }
}

/* The faces that end at a place, as many as there is room for. Returns how many. */
LW_STATIC int lw_faces_at(const lw_outline *o, double x, double y, double slack, int most, lw_face *faces)
{
    lw_face each = {LW_SIDE, -1};
    int found = 0;
    while (found < most && lw_next_face(o, &each)) {
        if (lw_end_at(o, each, x, y, slack) != 0) {
            faces[found++] = each;
        }
    }
    return found;
}

/* The faces that meet in a corner, in the order of its edges; their numbers are below 0 where they are not
   two. */
LW_STATIC void lw_edges_of(const lw_outline *o, const lw_arc *corner, double slack, lw_face *edge)
{
    const lw_face none = {LW_SIDE, -1};
    double nx, ny;
    if (lw_faces_at(o, corner->x, corner->y, slack, 2, edge) < 2) {
        edge[0] = edge[1] = none;
        return;
    }
    lw_face_normal(o, edge[0], corner->x, corner->y, &nx, &ny);
    if (fabs(nx * corner->ax + ny * corner->ay) > fabs(nx * corner->bx + ny * corner->by)) {
        const lw_face first = edge[0];
        edge[0] = edge[1];
        edge[1] = first;
    }
}

/* Whether an end of a face is its last one on the way around the outline, with its inside to the left. */
LW_STATIC int lw_is_last(lw_face f, int which)
{
    return f.kind == LW_HOLLOW ? which < 0 : which > 0;
}

LW_STATIC lw_after lw_after_end(const lw_outline *o, lw_face f, int which, double slack)
{
    lw_face each = {LW_SIDE, -1};
    lw_after after = {-1, 0, {LW_SIDE, -1}};
    double x, y, nx, ny;
    lw_face_end(o, f, which, &x, &y);
    lw_face_normal(o, f, x, y, &nx, &ny);
    after.corner = lw_corner_of(o, x, y, slack);
    while (lw_next_face(o, &each)) {
        double ax, ay;
        int end = lw_end_at(o, each, x, y, slack);
        if (end == 0 || lw_is_last(each, end) == lw_is_last(f, which)) {
            continue;
        }
        lw_face_normal(o, each, x, y, &ax, &ay);
        after.next = each;
        after.is_smooth = fabs(ax * ny - ay * nx) <= LW_SMOOTH_TURN && ax * nx + ay * ny > 0.0;
        if (after.is_smooth) {
            break;
        }
    }
    return after;
}

/* How far a direction from the centre of an arc is past its ends, along it; and past which. */
LW_STATIC lw_past_end lw_past_arc(const lw_arc *arc, double dx, double dy)
{
    lw_past_end past = {-INFINITY, 0};
    if (arc->cosine > -1.5) {
        double along = dx * arc->mx + dy * arc->my, across = dy * arc->mx - dx * arc->my;
        past.by = arc->r * (atan2(fabs(across), along) - atan2(arc->sine, arc->cosine));
        past.which = across < 0.0 ? -1 : 1;
    }
    return past;
}

/* How far the direction against the normal is past the ends of the arc that is on a face. */
LW_STATIC lw_past_end lw_past_own(const lw_arc *round, lw_place at, double nx, double ny)
{
    return lw_past_arc(round, -(at.c * nx + at.s * ny), -(at.c * ny - at.s * nx));
}

/* Past which end of its features a touch with this measure is, and how far; below 0 where it is between
   them. */
LW_STATIC lw_past_end lw_touch_past(const lw_shapes *g, const lw_where *w, lw_touch touch,
                                    const lw_measure *m)
{
    const lw_outline *own, *other;
    lw_past_end past = {-INFINITY, 0}, mine;
    lw_place from;
    double nx, ny;
    lw_touch_outlines(g, touch, &own, &other);
    from = w->place[other->body];
    if (touch.kind == LW_SIDE) {
        const lw_side *side = other->side + touch.face;
        double dx = m->x - from.x, dy = m->y - from.y;
        double along = (from.c * dx + from.s * dy - side->x) * side->tx +
                       (from.c * dy - from.s * dx - side->y) * side->ty;
        past.by = fmax(-along, along - side->length);
        past.which = -along > along - side->length ? -1 : 1;
        return past;
    }
    nx = from.c * m->nx + from.s * m->ny;
    ny = from.c * m->ny - from.s * m->nx;
    if (touch.kind == LW_HOLLOW) {
        return lw_past_arc(other->hollow + touch.face, -nx, -ny);
    }
    if (other->round[touch.face].r > 0.0) {
        past = lw_past_arc(other->round + touch.face, nx, ny);
    } else { /* a corner is touched between the normals of its two edges */
        const lw_arc *corner = other->round + touch.face;
        double a = nx * corner->ax + ny * corner->ay, b = nx * corner->bx + ny * corner->by;
        past.by = fmax(a, b) * (own->round[touch.round].r + m->gap);
        past.which = a > b ? -1 : 1;
    }
    if (own->round[touch.round].r > 0.0) {
        mine = lw_past_own(own->round + touch.round, w->place[own->body], m->nx, m->ny);
    } else {
        const lw_arc *corner = own->round + touch.round;
        lw_place at = w->place[own->body];
        double lx = -(at.c * m->nx + at.s * m->ny), ly = -(at.c * m->ny - at.s * m->nx);
        double a = lx * corner->ax + ly * corner->ay, b = lx * corner->bx + ly * corner->by;
        mine.by = fmax(a, b) * (other->round[touch.face].r + m->gap);
        mine.which = a > b ? -1 : 1;
    }
    if (mine.by > past.by) {
        past.by = mine.by;
        past.which = 2 * mine.which;
    }
    return past;
}

/* Whether a touch has an arc on a line or in a hollow that has turned past its end. */
LW_INLINE int lw_is_past_own(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m)
{
    const lw_outline *own, *other;
    const lw_arc *round;
    lw_place at;
    lw_touch_outlines(g, touch, &own, &other);
    round = own->round + touch.round;
    at = w->place[own->body];
    return touch.kind != LW_ROUND && round->r != 0.0 && round->cosine >= -1.5 &&
           !lw_arc_sees(round, -(at.c * m->nx + at.s * m->ny), -(at.c * m->ny - at.s * m->nx), 0.0);
}

/* Of an arc that has turned past its end on a line or in a hollow that end counts, for it is what is
   deepest. */
LW_STATIC void lw_measure_end(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    const lw_outline *own, *other;
    const lw_arc *round;
    lw_past_end past;
    lw_touch_outlines(g, touch, &own, &other);
    round = own->round + touch.round;
    past = lw_past_own(round, w->place[own->body], m->nx, m->ny);
    if (past.by > 0.0) {
        lw_place at = w->place[own->body], on = w->place[other->body];
        double x, y, tx, ty, vx, vy, ux, uy;
        lw_arc_end(round, past.which, &x, &y);
        tx = at.c * x - at.s * y + at.x;
        ty = at.s * x + at.c * y + at.y;
        if (touch.kind == LW_SIDE) {
            m->gap += m->nx * (tx - m->x) + m->ny * (ty - m->y) + round->r;
        } else {
            const lw_arc *hollow = other->hollow + touch.face;
            double dx = on.c * hollow->x - on.s * hollow->y + on.x - tx;
            double dy = on.s * hollow->x + on.c * hollow->y + on.y - ty, far = sqrt(dx * dx + dy * dy);
            m->gap = hollow->r - far;
            m->nx = dx / far;
            m->ny = dy / far;
        }
        m->x = tx + round->r * m->nx;
        m->y = ty + round->r * m->ny;
        lw_velocity_at(g, w, own->body, m->x, m->y, &vx, &vy);
        lw_velocity_at(g, w, other->body, m->x, m->y, &ux, &uy);
        m->rate = m->nx * (vx - ux) + m->ny * (vy - uy);
        m->beyond = lw_touch_past(g, w, touch, m).by;
    }
}

/* The measure of a touch where parts may be in one another, from the one there is. */
LW_STATIC void lw_measure_deeper(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    if (lw_is_past_own(g, w, touch, m)) {
        lw_measure_end(g, w, touch, m);
    }
}

/* That of what presses: how far apart its features are is not asked. A measure that no other function is
   given stays in registers. */
LW_INLINE void lw_measure_pressed(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    lw_measure_contact(g, w, touch, m);
    if (lw_is_past_own(g, w, touch, m)) {
        lw_measure at_end = *m;
        lw_measure_end(g, w, touch, &at_end);
        *m = at_end;
    }
}

#endif

#endif
