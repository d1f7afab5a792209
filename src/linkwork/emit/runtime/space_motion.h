/* How a touch of two solids in space moves, and what a force in it does: slip, loads of bodies, second
   rates. */
#ifndef LW_SPACE_MOTION_H
#define LW_SPACE_MOTION_H

#ifdef LW_SPACE

#include <math.h>
#include <stddef.h>

#include "dimensions.h"
#include "linkage.h"
#include "lu.h"
#include "space.h"
#include "space_measure.h"
#include "space_near.h"

#define LW_VARYING_MOST 4 /* places on two features, and two directions in which the normal turns */

LW_STATIC void lw_touch_point(const lw_shapes *g, lw_touch touch, const lw_measure *m, double *point)
{
    (void)g;
    (void)touch;
    lw_add3(m->x, 0.0, m->x, point);
}

LW_STATIC void lw_touch_normal(const lw_measure *m, double *normal)
{
    lw_add3(m->n, 0.0, m->n, normal);
}

/* The force of a touch on the round; the tangential one as it is kept. */
LW_STATIC void lw_touch_force(const lw_measure *m, double normal, const double *tangent, double *force)
{
    lw_add3(tangent, normal, m->n, force);
}

/* A direction along the face that is kept, as a vector of the world, from its shares of the tangents. */
LW_STATIC void lw_keep_way(const lw_measure *m, const double *shares, double *way)
{
    for (int i = 0; i < 3; ++i) {
        way[i] = shares[0] * m->tangent[0][i] + shares[1] * m->tangent[1][i];
    }
}

/* The velocity of the round past the face along both tangents. */
LW_STATIC void lw_slip(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                       double *slip)
{
    const lw_solid *own, *other;
    double v[3], u[3];
    lw_touch_solids(g, touch, &own, &other);
    lw_velocity_at(g, w, own->body, m->x, v);
    lw_velocity_at(g, w, other->body, m->x, u);
    lw_add3(v, -1.0, u, v);
    slip[0] = lw_dot3(v, m->tangent[0]);
    slip[1] = lw_dot3(v, m->tangent[1]);
}

/* The direction of slip in shares of the tangents: that of the velocity, or against it where it has turned
   back, so that the friction is smooth until the end of the slip is found. What slips slowly keeps the
   direction that it had: there the velocity would turn it at once, however little moves. */
LW_STATIC void lw_slip_way(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                           const double *way, double slow, double *shares)
{
    double kept[2] = {lw_dot3(way, m->tangent[0]), lw_dot3(way, m->tangent[1])}, length, own, size;
    lw_slip(g, w, touch, m, shares);
    length = hypot(shares[0], shares[1]);
    own = fmin(fmax(length / slow - 1.0, 0.0), 1.0);
    if (shares[0] * kept[0] + shares[1] * kept[1] < 0.0) {
        length = -length;
    }
    for (int k = 0; k < 2; ++k) {
        shares[k] = own > 0.0 ? own * shares[k] / length + (1.0 - own) * kept[k] : kept[k];
    }
    size = hypot(shares[0], shares[1]);
    for (int k = 0; k < 2 && size > 0.0; ++k) {
        shares[k] /= size;
    }
}

/* A force at the touch on the round, by its normal and its tangential shares, and the opposite one on the
   face, into the loads of all bodies. */
LW_STATIC void lw_push(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                       double normal, const double *tangent, double *loads)
{
    const lw_solid *ends[2];
    double force[3], way[3];
    lw_touch_solids(g, touch, &ends[0], &ends[1]);
    lw_keep_way(m, tangent, way);
    lw_touch_force(m, normal, way, force);
    for (int i = 0; i < 2; ++i) {
        int body = ends[i]->body;
        double sign = i == 0 ? 1.0 : -1.0, arm[3], moment[3];
        if (body < g->bodies) {
            double *place = loads + LW_BODY_LOADS * body;
            lw_add3(m->x, -1.0, w->six + LW_BODY_NUMBERS * body, arm);
            lw_cross3(arm, force, moment);
            lw_add3(place, sign, force, place);
            lw_add3(place + 3, sign, moment, place + 3);
        }
    }
}

/* Add to a the acceleration of the point of a body at x, times a sign, of which the body's own is among the
   numbers of each body; with what its speed adds where is_whole. */
LW_STATIC void lw_add_acceleration(const lw_shapes *g, const lw_where *w, const double *six, int is_whole,
                                   int body, const double *x, double sign, double *a)
{
    if (body < g->bodies) {
        const double *b = w->six + LW_BODY_NUMBERS * body, *own = six + LW_BODY_NUMBERS * body;
        double from[3], part[3];
        lw_add3(x, -1.0, b, from);
        lw_add3(a, sign, own + LW_BODY_SPEEDS, a);
        lw_cross3(own + 10, from, part);
        lw_add3(a, sign, part, a);
        if (is_whole) {
            lw_cross3(b + 10, from, part);
            lw_cross3(b + 10, part, part);
            lw_add3(a, sign, part, a);
        }
    }
}

/* The motion of the round as seen from the body of the face: its spin, and velocity and acceleration of a
   point. */
typedef struct {
    const lw_shapes *g;
    const lw_where *w;
    const double *six;
    int own, other;
    double spin[3], carried[3]; /* that of the round, and that of the face in the world */
} lw_relative;

LW_STATIC void lw_relative_velocity(const lw_relative *r, const double *x, double *v)
{
    double u[3];
    lw_velocity_at(r->g, r->w, r->own, x, v);
    lw_velocity_at(r->g, r->w, r->other, x, u);
    lw_add3(v, -1.0, u, v);
}

LW_STATIC void lw_relative_acceleration(const lw_relative *r, const double *x, double *a)
{
    double v[3], part[3];
    a[0] = a[1] = a[2] = 0.0;
    lw_add_acceleration(r->g, r->w, r->six, 1, r->own, x, 1.0, a);
    lw_add_acceleration(r->g, r->w, r->six, 1, r->other, x, -1.0, a);
    lw_relative_velocity(r, x, v);
    lw_cross3(r->carried, v, part);
    lw_add3(a, -2.0, part, a);
}

/* What varies in a touch, seen from the face: the places on both features and the normal. The gap is
   stationary in all of it: with H its second derivatives and b those with time, the rates are z = -b/H.
   Returns how many there are. */
LW_STATIC int lw_varying(const lw_relative *r, const lw_measure *m, const double *v, double *b, double *z)
{
    double d[3], part[3], h[LW_VARYING_MOST * LW_VARYING_MOST] = {0.0};
    const double *rows[LW_VARYING_MOST] = {NULL, NULL, NULL, NULL};
    int count = 0, own = -1, other = -1, normal, pivot[LW_VARYING_MOST];
    lw_add3(m->own.x, -1.0, m->other.x, d);
    if (m->own.moves) {
        own = count++;
        lw_cross3(r->spin, m->own.along, part);
        b[own] = lw_dot3(m->n, part);
    }
    if (m->other.moves) {
        other = count++;
        b[other] = 0.0;
    }
    normal = count;
    count += m->turns ? 2 : 0;
    for (int i = normal; i < count; ++i) {
        rows[i] = m->tangent[i - normal];
        b[i] = lw_dot3(rows[i], v);
        h[i * count + i] = -lw_dot3(m->n, d);
        if (own >= 0) {
            h[i * count + own] = h[own * count + i] = lw_dot3(rows[i], m->own.along);
        }
        if (other >= 0) {
            h[i * count + other] = h[other * count + i] = -lw_dot3(rows[i], m->other.along);
        }
    }
    if (own >= 0) {
        h[own * count + own] = lw_dot3(m->n, m->own.bend);
    }
    if (other >= 0) {
        h[other * count + other] = -lw_dot3(m->n, m->other.bend);
    }
    for (int i = 0; i < count; ++i) {
        z[i] = -b[i];
    }
    if (count > 0) {
        if (lw_lu_factor(count, h, pivot)) {
            return 0;
        }
        lw_lu_solve(count, h, pivot, z);
    }
    return count;
}

/* The second rate of a gap, and the rates of the slip, from the accelerations of bodies; with is_whole the
   part that speeds give is included. */
LW_STATIC void lw_bends(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                        const double *six, int is_whole, double *gap, double *slip)
{
    const lw_solid *own, *other;
    lw_relative r = {g, w, six, 0, 0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double a[3], at[3] = {0.0, 0.0, 0.0}, v[3], u[3], b[LW_VARYING_MOST], z[LW_VARYING_MOST];
    int count, place = 0;
    lw_touch_solids(g, touch, &own, &other);
    if (!is_whole) {
        lw_add_acceleration(g, w, six, 0, own->body, m->x, 1.0, at);
        lw_add_acceleration(g, w, six, 0, other->body, m->x, -1.0, at);
        *gap = lw_dot3(m->n, at);
        if (slip != NULL) {
            slip[0] = lw_dot3(m->tangent[0], at);
            slip[1] = lw_dot3(m->tangent[1], at);
        }
        return;
    }
    r.own = own->body;
    r.other = other->body;
    if (other->body < g->bodies) {
        lw_add3(r.carried, 1.0, w->six + LW_BODY_NUMBERS * other->body + 10, r.carried);
    }
    if (own->body < g->bodies) {
        lw_add3(r.spin, 1.0, w->six + LW_BODY_NUMBERS * own->body + 10, r.spin);
    }
    lw_add3(r.spin, -1.0, r.carried, r.spin);
    lw_relative_velocity(&r, m->own.x, v);
    lw_relative_acceleration(&r, m->own.x, a);
    count = lw_varying(&r, m, v, b, z);
    *gap = lw_dot3(m->n, a);
    for (int i = 0; i < count; ++i) {
        *gap += b[i] * z[i];
    }
    if (slip == NULL) {
        return;
    }
    if (count > 0 && m->own.moves) { /* the touch moves along with its place and with the normal */
        lw_add3(v, z[place++], m->own.along, v);
    }
    place += count > 0 && m->other.moves;
    for (int i = 0; i < 2 && count > 0 && m->turns; ++i) {
        lw_add3(v, -z[place + i] * lw_round_radius(own->feature + touch.round), m->tangent[i], v);
    }
    lw_relative_velocity(&r, m->x, u);
    lw_relative_acceleration(&r, m->x, at);
    lw_add3(v, -1.0, u, v);
    lw_cross3(r.spin, v, u);
    lw_add3(at, 1.0, u, at);
    slip[0] = lw_dot3(m->tangent[0], at);
    slip[1] = lw_dot3(m->tangent[1], at);
}

#endif

#endif
