/* How a touch of two outlines moves, and what a force in it does: slip, loads of bodies, second rates.

   The tangent of a touch with the normal n is t = (ny, -nx). */
#ifndef LW_OUTLINE_MOTION_H
#define LW_OUTLINE_MOTION_H

#ifndef LW_SPACE

#include <math.h>
#include <stddef.h>

#include "dimensions.h"
#include "linkage.h"
#include "outline.h"

/* Where two outlines touch. */
LW_INLINE void lw_touch_point(const lw_shapes *g, lw_touch touch, const lw_measure *m, double *point)
{
    const lw_outline *own, *other;
    lw_touch_outlines(g, touch, &own, &other);
    point[0] = m->x - own->round[touch.round].r * m->nx;
    point[1] = m->y - own->round[touch.round].r * m->ny;
}

LW_STATIC void lw_touch_normal(const lw_measure *m, double *normal)
{
    normal[0] = m->nx;
    normal[1] = m->ny;
}

/* Whether two measures are of the same place, looked at along the same normal. */
LW_STATIC int lw_same_place(const lw_measure *m, const lw_measure *n, double near)
{
    return n->nx * m->nx + n->ny * m->ny > 1.0 - 1e-9 && hypot(n->x - m->x, n->y - m->y) <= near;
}

/* The force of a touch on the round. */
LW_INLINE void lw_touch_force(const lw_measure *m, double normal, const double *tangent, double *force)
{
    force[0] = normal * m->nx + tangent[0] * m->ny;
    force[1] = normal * m->ny - tangent[0] * m->nx;
}

/* A direction along the face that is kept, from its share of the tangents, and back. */
LW_INLINE void lw_keep_way(const lw_measure *m, const double *shares, double *way)
{
    (void)m;
    way[0] = shares[0];
}

/* The velocity of the round past the face along the tangent. */
LW_INLINE void lw_slip(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                       double *slip)
{
    const lw_outline *own, *other;
    double radius, vx, vy, ux, uy;
    lw_touch_outlines(g, touch, &own, &other);
    radius = own->round[touch.round].r;
    lw_velocity_at(g, w, own->body, m->x - radius * m->nx, m->y - radius * m->ny, &vx, &vy);
    lw_velocity_at(g, w, other->body, m->x - radius * m->nx, m->y - radius * m->ny, &ux, &uy);
    slip[0] = m->ny * (vx - ux) - m->nx * (vy - uy);
}

/* The direction of slip in shares of the tangents: along a line it stays the one that was kept. */
LW_INLINE void lw_slip_way(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                           const double *way, double slow, double *shares)
{
    (void)slow;
    (void)g;
    (void)w;
    (void)touch;
    (void)m;
    shares[0] = way[0];
}

/* A force at the touch on the round, by its normal and its tangential share, and the opposite one on the
   face, into the loads of all bodies. */
LW_INLINE void lw_push(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                       double normal, const double *tangent, double *loads)
{
    const lw_outline *own, *other;
    double point[2], force[2];
    lw_touch_outlines(g, touch, &own, &other);
    lw_touch_point(g, touch, m, point);
    lw_touch_force(m, normal, tangent, force);
    if (own->body < g->bodies) {
        const double *b = w->six + 6 * own->body;
        double *place = loads + 3 * own->body;
        place[0] += force[0];
        place[1] += force[1];
        place[2] += (point[0] - b[0]) * force[1] - (point[1] - b[1]) * force[0];
    }
    if (other->body < g->bodies) {
        const double *b = w->six + 6 * other->body;
        double *place = loads + 3 * other->body;
        place[0] -= force[0];
        place[1] -= force[1];
        place[2] -= (point[0] - b[0]) * force[1] - (point[1] - b[1]) * force[0];
    }
}

/* The acceleration of the point of a body at (x, y) of which the body's own is among six numbers of each
   body; without what its speed adds where bodies is NULL. */
LW_INLINE void lw_acceleration_at(const lw_shapes *g, const double *places, const double *bodies,
                                  const double *six, int body, double x, double y, double *ax, double *ay)
{
    *ax = *ay = 0.0;
    if (body < g->bodies) {
        const double *b = places + 6 * body, *a = six + 6 * body;
        double spin = bodies == NULL ? 0.0 : bodies[6 * body + 5];
        *ax = a[3] - a[5] * (y - b[1]) - spin * spin * (x - b[0]);
        *ay = a[4] + a[5] * (x - b[0]) - spin * spin * (y - b[1]);
    }
}

/* The second rate of a gap, and the rate of the slip unless that is NULL, from the accelerations of bodies;
   with is_whole the part that speeds give is included. */
LW_INLINE void lw_bends(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                        const double *six, int is_whole, double *gap, double *slip)
{
    const lw_outline *own, *other;
    const double *speeds = is_whole ? w->six : NULL;
    double ax, ay, bx, by, wx, wy, radius, spin = 0.0, turn = 0.0;
    lw_touch_outlines(g, touch, &own, &other);
    radius = own->round[touch.round].r;
    lw_acceleration_at(g, w->six, speeds, six, own->body, m->x, m->y, &ax, &ay);
    lw_acceleration_at(g, w->six, speeds, six, other->body, m->x, m->y, &bx, &by);
    wx = ax - bx;
    wy = ay - by;
    if (own->body < g->bodies) {
        turn += six[6 * own->body + 5];
    }
    if (other->body < g->bodies) {
        turn -= six[6 * other->body + 5];
        spin = w->six[6 * other->body + 5];
    }
    *gap = m->nx * wx + m->ny * wy;
    if (is_whole) {
        double vx, vy, ux, uy, along;
        lw_velocity_at(g, w, own->body, m->x, m->y, &vx, &vy);
        lw_velocity_at(g, w, other->body, m->x, m->y, &ux, &uy);
        vx -= ux;
        vy -= uy;
        wx += 2.0 * spin * vy;
        wy -= 2.0 * spin * vx;
        along = m->ny * vx - m->nx * vy;
        *gap = m->nx * wx + m->ny * wy;
        if (touch.kind != LW_SIDE) {
            const lw_arc *arc = (touch.kind == LW_ROUND ? other->round : other->hollow) + touch.face;
            double length = touch.kind == LW_ROUND ? m->gap + radius + arc->r : arc->r - radius - m->gap;
            *gap += (touch.kind == LW_ROUND ? 1.0 : -1.0) * along * along / fmax(length, 1e-300);
        }
    }
    if (slip != NULL) {
        *slip = m->ny * wx - m->nx * wy + radius * turn;
    }
}

#endif

#endif
