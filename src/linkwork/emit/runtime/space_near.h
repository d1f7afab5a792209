/* Which features of solids in space are near each other, and how fast solids come together at most. */
#ifndef LW_SPACE_NEAR_H
#define LW_SPACE_NEAR_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_measure.h"

/* Whether touches of two features are measured, with the first as the round: each pair one way alone. What
   is left out touches elsewhere first: a bar lies on a plane, on a bar that goes the same way and in a pipe
   with its rims; corners pass edges. */
LW_STATIC int lw_can_touch(const lw_feature *round, const lw_feature *face, int is_swapped)
{
    if (face->kind == LW_RIM && face->side < 0) {
        return 0;
    }
    switch (round->kind) {
    case LW_BALL:
        if (face->kind == LW_BALL) {
            return !is_swapped && round->r + face->r > 0.0;
        }
        if (face->kind == LW_PIPE || face->kind == LW_BOWL) {
            return round->r <= face->r;
        }
        if (face->kind == LW_CONE || face->kind == LW_FUNNEL) {
            return 1;
        }
        return face->kind == LW_FLAT || round->r > 0.0 || (face->kind == LW_BAR && face->r > 0.0);
    case LW_BAR:
        return face->kind == LW_CONE || (face->kind == LW_BAR && !is_swapped);
    case LW_RIM:
        if (face->kind == LW_RIM) {
            return !is_swapped;
        }
        if (round->side < 0) { /* the other side of edges and rims that it crosses */
            return face->kind == LW_BAR && face->r == 0.0;
        }
        return face->kind == LW_FLAT || face->kind == LW_BAR || face->kind == LW_CONE ||
               ((face->kind == LW_BOWL || face->kind == LW_PIPE) && round->r <= face->r);
    default:
        return 0;
    }
}

/* How far the centre of a feature is from the axis of a joint. */
LW_STATIC double lw_off_axis(const lw_feature *f, const lw_couple *joint)
{
    double d[3];
    lw_add3(f->x, -1.0, joint->x, d);
    lw_add3(d, -lw_dot3(d, joint->axis), joint->axis, d);
    return sqrt(lw_dot3(d, d));
}

/* Whether a feature looks the same all along the motion that a joint allows. */
LW_STATIC int lw_is_even(const lw_feature *f, const lw_couple *joint, double slack)
{
    double d[3], across = fabs(lw_dot3(f->a, joint->axis));
    int is_point = f->kind == LW_BALL || f->kind == LW_BOWL, is_coaxial = lw_off_axis(f, joint) <= slack;
    lw_add3(f->x, -1.0, joint->x, d);
    switch (joint->joined) {
    case LW_REVOLUTE:
        return (is_point || across > 1.0 - 1e-12) && (f->kind == LW_FLAT || is_coaxial);
    case LW_PRISMATIC:
        return f->kind == LW_FLAT ? across < 1e-9
                                  : (f->kind == LW_BAR || f->kind == LW_PIPE) && across > 1.0 - 1e-12;
    case LW_CYLINDRICAL:
        return (f->kind == LW_BAR || f->kind == LW_PIPE) && is_coaxial && across > 1.0 - 1e-12;
    case LW_SPHERICAL:
        return is_point && lw_dot3(d, d) <= slack * slack;
    case LW_PLANAR:
        return f->kind == LW_FLAT && across > 1.0 - 1e-12;
    default:
        return 0;
    }
}

/* Whether a feature is a line or a circle in a plane across the axis of a joint that lets its bodies move in
   such planes alone: where two such cross, the normal is along the axis. */
LW_STATIC int lw_is_level(const lw_feature *f, const lw_couple *joint)
{
    double along = fabs(lw_dot3(f->a, joint->axis));
    int is_plane = joint->joined == LW_REVOLUTE || joint->joined == LW_PLANAR;
    return is_plane && ((f->kind == LW_RIM && along > 1.0 - 1e-12) || (f->kind == LW_BAR && along < 1e-9));
}

/* Whether two features are such, and cross where they touch: a rim is beside a round bar. */
LW_STATIC int lw_are_level(const lw_feature *round, const lw_feature *face, const lw_couple *joint)
{
    int cross = (lw_is_sharp(round) && lw_is_sharp(face)) || (round->kind == LW_BAR && face->kind == LW_BAR);
    return cross && lw_is_level(round, joint) && lw_is_level(face, joint);
}

/* Whether a feature is a circle about the axis of a joint along which its bodies slide. */
LW_STATIC int lw_is_circle_of(const lw_couple *joint, const lw_feature *f, double slack)
{
    return joint->joined == LW_CYLINDRICAL && f->kind == LW_RIM &&
           fabs(lw_dot3(f->a, joint->axis)) > 1.0 - 1e-12 && lw_off_axis(f, joint) <= slack;
}

/* Whether a touch is that of a shaft's rim with the face around the mouth of its bore, at the end of that
   face: it goes past there, for the joint lets it no other way. */
LW_STATIC int lw_is_in_mouth(const lw_shapes *g, lw_touch touch, const lw_measure *m, double slack)
{
    const lw_solid *own, *other;
    lw_touch_solids(g, touch, &own, &other);
    return touch.kind == LW_FLAT && m->beyond >= -slack &&
           lw_is_circle_of(g->couple + touch.couple, own->feature + touch.round, slack);
}

/* Whether a touch of joined bodies has a gap that their joint keeps as it is, or none at all. */
LW_STATIC int lw_is_kept(const lw_shapes *g, lw_touch touch)
{
    const lw_couple *couple = g->couple + touch.couple;
    const lw_solid *own, *other;
    double slack = 1e-9 * g->size;
    if (couple->joined == LW_APART) {
        return 0;
    }
    lw_touch_solids(g, touch, &own, &other);
    return (lw_is_circle_of(couple, own->feature + touch.round, slack) && /* two such never cross */
            lw_is_circle_of(couple, other->feature + touch.face, slack)) ||
           lw_are_level(own->feature + touch.round, other->feature + touch.face, couple) ||
           lw_is_even(own->feature + touch.round, couple, slack) ||
           lw_is_even(other->feature + touch.face, couple, slack);
}

/* How far apart the balls around two things are, of bodies at two places. */
LW_STATIC double lw_balls_apart(const lw_place *p, const double *middle, double reach, const lw_place *q,
                                const double *other, double its_reach)
{
    double x[3], y[3];
    lw_placed(p, middle, x);
    lw_placed(q, other, y);
    lw_add3(x, -1.0, y, x);
    return sqrt(lw_dot3(x, x)) - reach - its_reach;
}

/* Whether two points are not farther apart than a distance. */
LW_INLINE int lw_is_nearer(const double *x, const double *y, double distance)
{
    double u = x[0] - y[0], v = x[1] - y[1], z = x[2] - y[2];
    return distance >= 0.0 && !(u * u + v * v + z * z > distance * distance);
}

/* The touches of one solid's rounds on another's faces that are nearer than a distance, behind those found
   already; -1 where they are more than most. */
LW_STATIC int lw_near_faces(const lw_shapes *g, const lw_where *w, lw_touch touch, double within, int found,
                            int most, lw_neighbour *near)
{
    const lw_solid *own, *other;
    lw_touch_solids(g, touch, &own, &other);
    for (int i = 0; i < own->features; ++i) {
        const lw_feature *round = own->feature + i;
        double middle[3], seen[3];
        if (round->kind >= LW_FLAT || lw_balls_apart(w->place + own->body, round->middle, round->reach,
                                                     w->place + other->body, other->middle,
                                                     other->reach) > within) {
            continue;
        }
        lw_placed(w->place + own->body, round->middle, middle);
        lw_local(w->place + other->body, middle, seen);
        for (int j = 0; j < other->features; ++j) {
            const lw_feature *face = other->feature + j;
            lw_measure m;
            if (!lw_is_nearer(seen, face->middle, within + round->reach + face->reach)) {
                continue;
            }
            touch.round = i;
            touch.face = j;
            touch.kind = (lw_feature_kind)face->kind;
            if (!lw_can_touch(round, face, touch.swapped) || lw_is_kept(g, touch)) {
                continue;
            }
            lw_measure_touch(g, w, touch, &m);
            if (m.apart > within) {
                continue;
            }
            if (found == most) {
                return -1;
            }
            near[found].touch = touch;
            near[found++].apart = m.apart;
        }
    }
    return found;
}

/* All touches of a couple that are nearer than a distance, whether they face each other or not. */
LW_STATIC int lw_near_touches(const lw_shapes *g, const lw_where *w, int couple, double within, int is_facing,
                              int most, lw_neighbour *near)
{
    const lw_couple *pair = g->couple + couple;
    const lw_solid *a = g->solid + pair->a, *b = g->solid + pair->b;
    lw_touch touch = {0, 0, 0, 0, LW_FLAT};
    int found;
    (void)is_facing;
    touch.couple = couple;
    if (lw_balls_apart(w->place + a->body, a->middle, a->reach, w->place + b->body, b->middle, b->reach) >
        within) {
        return 0;
    }
    found = lw_near_faces(g, w, touch, within, 0, most, near);
    if (found < 0) {
        return found;
    }
    touch.swapped = 1;
    return lw_near_faces(g, w, touch, within, found, most, near);
}

/* How many features are gone through in search of the near touches of a couple. */
LW_STATIC int lw_searched(const lw_shapes *g, int couple)
{
    return g->solid[g->couple[couple].a].features + g->solid[g->couple[couple].b].features;
}

/* The one of a couple's solids that reaches less far. */
LW_STATIC const lw_solid *lw_smaller_solid(const lw_shapes *g, int couple)
{
    const lw_solid *a = g->solid + g->couple[couple].a, *b = g->solid + g->couple[couple].b;
    return a->reach < b->reach ? a : b;
}

/* Where the smaller solid of a couple is, seen from the other. */
LW_STATIC lw_place lw_couple_place(const lw_shapes *g, const lw_where *w, int couple)
{
    const lw_solid *a = g->solid + g->couple[couple].a, *b = g->solid + g->couple[couple].b;
    int is_first = lw_smaller_solid(g, couple) == a;
    const lw_place *own = w->place + (is_first ? a : b)->body, *from = w->place + (is_first ? b : a)->body;
    lw_place seen;
    for (int i = 0; i < 3; ++i) {
        seen.x[i] = 0.0;
        for (int k = 0; k < 3; ++k) {
            seen.x[i] += from->turn[3 * k + i] * (own->x[k] - from->x[k]);
        }
        for (int j = 0; j < 3; ++j) {
            seen.turn[3 * i + j] = 0.0;
            for (int k = 0; k < 3; ++k) {
                seen.turn[3 * i + j] += from->turn[3 * k + i] * own->turn[3 * k + j];
            }
        }
    }
    return seen;
}

/* How far any point of it moves from one such place to another, at most: its middle, and what the turn adds
   at its reach. */
LW_STATIC double lw_couple_way(const lw_shapes *g, int couple, const lw_place *one, const lw_place *other)
{
    const lw_solid *small = lw_smaller_solid(g, couple);
    double x[3], y[3], turn = 0.0;
    lw_placed(one, small->middle, x);
    lw_placed(other, small->middle, y);
    lw_add3(x, -1.0, y, x);
    for (int i = 0; i < 9; ++i) {
        turn += (other->turn[i] - one->turn[i]) * (other->turn[i] - one->turn[i]);
    }
    return sqrt(lw_dot3(x, x)) + sqrt(0.5 * turn) * small->reach;
}

/* A bound of the speed with which points of two bodies that may touch move past each other. */
LW_STATIC double lw_couple_speed(const lw_shapes *g, const lw_where *w, int couple)
{
    const lw_couple *pair = g->couple + couple;
    const lw_solid *a = g->solid + pair->a, *b = g->solid + pair->b, *small = lw_smaller_solid(g, couple);
    double x[3], v[3], u[3], spin[3] = {0.0, 0.0, 0.0};
    lw_placed(w->place + small->body, small->middle, x);
    lw_velocity_at(g, w, a->body, x, v);
    lw_velocity_at(g, w, b->body, x, u);
    lw_add3(v, -1.0, u, v);
    if (a->body < g->bodies) {
        lw_add3(spin, 1.0, w->six + LW_BODY_NUMBERS * a->body + 10, spin);
    }
    if (b->body < g->bodies) {
        lw_add3(spin, -1.0, w->six + LW_BODY_NUMBERS * b->body + 10, spin);
    }
    return sqrt(lw_dot3(v, v)) + sqrt(lw_dot3(spin, spin)) * small->reach;
}

#endif

#endif
