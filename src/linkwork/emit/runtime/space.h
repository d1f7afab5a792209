/* Solids in space as what touches sees of them: features, and the surfaces that bound them.

   A solid is put together of half-spaces, balls, round bars and cones (leaves) by a program that tells
   whether a point is in it: a number below 0 inside. Its features are balls (of radius 0: corners), bars
   (straight lines with a radius around them; of radius 0: edges), rims (circles, where edges are round),
   flats (planes), cones (lines whose radius grows from 0 at the apex), bowls, pipes and funnels (hollow
   balls, bars and cones). Every touch is the distance of two of them, less their radii: of a point, a line
   or a circle of one from a plane, a point, a line or a circle of the other.
   Features of surfaces reach as far as the surface bounds the solid, which the program tells. */
#ifndef LW_SPACE_H
#define LW_SPACE_H

#ifdef LW_SPACE

#include <math.h>

#include "dimensions.h"
#include "linkage.h"

#define LW_WAYS_MOST 4    /* directions into the solid at a corner or an edge */
#define LW_STACK_MOST 64  /* numbers that a program keeps at a time */
#define LW_EVERYWHERE 1e300

typedef enum {
    LW_BALL = 0,
    LW_BAR = 1,
    LW_RIM = 2,
    LW_FLAT = 3,
    LW_CONE = 4,
    LW_BOWL = 5,
    LW_PIPE = 6,
    LW_FUNNEL = 7
} lw_feature_kind;
typedef enum { LW_PLANE_LEAF = 0, LW_BALL_LEAF = 1, LW_BAR_LEAF = 2, LW_CONE_LEAF = 3 } lw_leaf_kind;

/* What a program does with the numbers before; what is not below 0 is the place of a leaf. */
enum { LW_LARGER = -1, LW_SMALLER = -2, LW_OPPOSITE = -3 };

/* A feature in the frame of its body: a centre, the first end of a line or a point of a plane; a direction
   or the normal that looks outwards; radius and length. The centre of a cone is its apex, its direction goes
   to where it is wide, its radius is the sine of half its angle. A rim that is no whole circle looks along
   way[0], and its length is the cosine of half its span (-2 for a whole one, 2 for a point of it on which
   the solid stands); the directions into the solid there are way[1][0] outwards and way[1][1] along its
   axis, and the same of way[2]; way[3] is a ring's (space_ring.h). Of a surface, leaf is its own and side 1
   where the leaf's number grows outwards; of a rim, side tells which of two crossings with another edge it
   sees. A ball of this reach about the middle holds all of it. */
typedef struct {
    int kind, leaf, side, ways;
    double x[3], a[3], r, length, way[LW_WAYS_MOST][3], middle[3], reach;
} lw_feature;

typedef struct {
    int kind;
    double x[3], a[3], r;
} lw_leaf;

/* The solid of a body: its features, its leaves, its program, and a ball that holds it. */
typedef struct {
    int body, features, leaves, steps;
    const lw_feature *feature;
    const lw_leaf *leaf;
    const int *step;
    double middle[3], reach;
} lw_solid;

/* How two bodies are joined, by which the gaps of some features never change. */
typedef enum {
    LW_APART = 0,
    LW_REVOLUTE = 1,
    LW_PRISMATIC = 2,
    LW_CYLINDRICAL = 3,
    LW_SPHERICAL = 4,
    LW_PLANAR = 5
} lw_joined;

/* Two solids that may touch; x and a are a point and the axis of their joint. */
typedef struct {
    int a, b;
    lw_joined joined;
    double x[3], axis[3], friction, restitution, stiffness;
    double damping; /* by depth and its rate */
} lw_couple;

typedef struct {
    int bodies, solids, couples;
    const lw_solid *solid;
    const lw_couple *couple;
    double size; /* of the whole */
} lw_shapes;

/* A feature of one solid and one of the other, which has the face. */
typedef struct {
    int couple, swapped, round, face;
    lw_feature_kind kind; /* of the face */
} lw_touch;

/* Whether it is inside of something round. */
LW_STATIC int lw_is_hollow(lw_touch touch)
{
    return touch.kind >= LW_BOWL;
}

/* A touch that is near, and how far apart its features are. */
typedef struct {
    lw_touch touch;
    double apart;
} lw_neighbour;

/* Where a body is: its turn, row by row, and its origin. */
typedef struct {
    double turn[9], x[3];
} lw_place;

/* Where all bodies are and how fast: their numbers, and the places of them and of the ground. */
typedef struct {
    double *six;
    lw_place *place;
} lw_where;

LW_STATIC double lw_dot3(const double *u, const double *v)
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

LW_STATIC void lw_cross3(const double *u, const double *v, double *w)
{
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    w[0] = x;
    w[1] = y;
    w[2] = z;
}

/* u + s v, which may be u or v itself. */
LW_STATIC void lw_add3(const double *u, double s, const double *v, double *sum)
{
    for (int i = 0; i < 3; ++i) {
        sum[i] = u[i] + s * v[i];
    }
}

/* Make a vector one of length 1; returns the length it had. One without length becomes the given one. */
LW_STATIC double lw_unit3(double *u, const double *otherwise)
{
    double length = sqrt(lw_dot3(u, u));
    for (int i = 0; i < 3; ++i) {
        u[i] = length > 0.0 ? u[i] / length : otherwise[i];
    }
    return length;
}

/* Some unit vector across one. */
LW_STATIC void lw_across3(const double *u, double *v)
{
    int least = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0 : fabs(u[1]) <= fabs(u[2]) ? 1 : 2;
    double axis[3] = {0.0, 0.0, 0.0};
    axis[least] = 1.0;
    lw_add3(axis, -u[least], u, v);
    lw_unit3(v, axis);
}

/* The places from the numbers of bodies; a quaternion may be a little off its length. */
LW_STATIC void lw_where_places(const lw_shapes *g, lw_where *w)
{
    const lw_place ground = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < g->bodies; ++i) {
        const double *b = w->six + LW_BODY_NUMBERS * i, *q = b + 3;
        double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        lw_place *p = w->place + i;
        p->turn[0] = 1.0 - s * (q[2] * q[2] + q[3] * q[3]);
        p->turn[1] = s * (q[1] * q[2] - q[0] * q[3]);
        p->turn[2] = s * (q[1] * q[3] + q[0] * q[2]);
        p->turn[3] = s * (q[1] * q[2] + q[0] * q[3]);
        p->turn[4] = 1.0 - s * (q[1] * q[1] + q[3] * q[3]);
        p->turn[5] = s * (q[2] * q[3] - q[0] * q[1]);
        p->turn[6] = s * (q[1] * q[3] - q[0] * q[2]);
        p->turn[7] = s * (q[2] * q[3] + q[0] * q[1]);
        p->turn[8] = 1.0 - s * (q[1] * q[1] + q[2] * q[2]);
        p->x[0] = b[0];
        p->x[1] = b[1];
        p->x[2] = b[2];
    }
    w->place[g->bodies] = ground;
}

/* What is told of the bodies by a program is completed by their places. */
LW_STATIC void lw_where_told(const lw_shapes *g, lw_where *w)
{
    lw_where_places(g, w);
}

/* A direction of a body in the world. */
LW_STATIC void lw_turned(const lw_place *p, const double *local, double *world)
{
    for (int i = 0; i < 3; ++i) {
        world[i] = lw_dot3(p->turn + 3 * i, local);
    }
}

/* A point of a body in the world. */
LW_STATIC void lw_placed(const lw_place *p, const double *local, double *world)
{
    lw_turned(p, local, world);
    lw_add3(world, 1.0, p->x, world);
}

/* A point of the world as seen from a body. */
LW_STATIC void lw_local(const lw_place *p, const double *world, double *local)
{
    double d[3];
    lw_add3(world, -1.0, p->x, d);
    for (int i = 0; i < 3; ++i) {
        local[i] = p->turn[i] * d[0] + p->turn[3 + i] * d[1] + p->turn[6 + i] * d[2];
    }
}

LW_STATIC double lw_leaf_value(const lw_leaf *leaf, const double *x)
{
    double d[3], along;
    lw_add3(x, -1.0, leaf->x, d);
    along = leaf->kind == LW_BALL_LEAF ? 0.0 : lw_dot3(d, leaf->a);
    if (leaf->kind == LW_PLANE_LEAF) {
        return along;
    }
    lw_add3(d, -along, leaf->a, d);
    if (leaf->kind == LW_CONE_LEAF) {
        return sqrt(lw_dot3(d, d)) * sqrt(1.0 - leaf->r * leaf->r) - along * leaf->r;
    }
    return sqrt(lw_dot3(d, d)) - leaf->r;
}

/* The number of a point in the frame of the body, with that of one leaf (or of -1, none) replaced: below 0 in
   the solid, and never farther from 0 than the point is from the surface. */
LW_STATIC double lw_solid_value(const lw_solid *solid, const double *x, int replaced, double value)
{
    double stack[LW_STACK_MOST];
    int top = 0;
    for (int i = 0; i < solid->steps; ++i) {
        int step = solid->step[i];
        if (step >= 0) {
            stack[top++] = step == replaced ? value : lw_leaf_value(solid->leaf + step, x);
        } else if (step == LW_OPPOSITE) {
            stack[top - 1] = -stack[top - 1];
        } else {
            double last = stack[--top];
            stack[top - 1] = step == LW_LARGER ? fmax(stack[top - 1], last) : fmin(stack[top - 1], last);
        }
    }
    return stack[0];
}

/* How far a point of the world on a feature's surface is beyond where that surface bounds the solid: past it
   there, or buried in it, which is told apart. */
LW_STATIC double lw_past_surface(const lw_solid *solid, const lw_place *at, const lw_feature *feature,
                                 const double *world, double *buried)
{
    double x[3];
    *buried = -LW_EVERYWHERE;
    if (feature->leaf < 0 || solid->steps == 1) {
        return -LW_EVERYWHERE;
    }
    lw_local(at, world, x);
    *buried = -lw_solid_value(solid, x, feature->leaf, feature->side * LW_EVERYWHERE);
    return lw_solid_value(solid, x, feature->leaf, -feature->side * LW_EVERYWHERE);
}

/* The same, whichever it is. */
LW_STATIC double lw_beyond_surface(const lw_solid *solid, const lw_place *at, const lw_feature *feature,
                                   const double *world)
{
    double buried, past = lw_past_surface(solid, at, feature, world, &buried);
    return fmax(buried, past);
}

/* The solids of a touch: that of the round, and that of the face. */
LW_STATIC void lw_touch_solids(const lw_shapes *g, lw_touch touch, const lw_solid **own,
                               const lw_solid **other)
{
    const lw_couple *couple = g->couple + touch.couple;
    *own = g->solid + (touch.swapped ? couple->b : couple->a);
    *other = g->solid + (touch.swapped ? couple->a : couple->b);
}

/* The velocity of the point of a body that is at a place of the world. */
LW_STATIC void lw_velocity_at(const lw_shapes *g, const lw_where *w, int body, const double *x, double *v)
{
    v[0] = v[1] = v[2] = 0.0;
    if (body < g->bodies) {
        const double *b = w->six + LW_BODY_NUMBERS * body;
        double from[3];
        lw_add3(x, -1.0, b, from);
        lw_cross3(b + 10, from, v);
        lw_add3(v, 1.0, b + LW_BODY_SPEEDS, v);
    }
}

/* How fast a body turns. */
LW_STATIC double lw_body_turn(const lw_where *w, int body)
{
    const double *spin = w->six + LW_BODY_NUMBERS * body + 10;
    return sqrt(lw_dot3(spin, spin));
}

#endif

#endif
