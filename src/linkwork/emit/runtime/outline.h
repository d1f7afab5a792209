/* Outlines of lines and arcs that move in a plane: where they are near each other, and how their gaps change.

   An outline belongs to a body. It has rounds (convex corners, of radius 0, and convex arcs), sides (lines)
   and hollows (concave arcs). Two outlines first touch where a round of one meets a side, a hollow or a round
   of the other; such a pair of features is a touch. Its gap is measured in the frame of the body that has the
   face: with x the centre of the round there, it is n.(x - p) - r for a side, |x - c| - r - R for a round and
   R - r - |x - c| for a hollow. Bodies have six numbers each: x, y, angle and their rates; the ground has
   none. */
#ifndef LW_OUTLINE_H
#define LW_OUTLINE_H

#ifndef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "vector.h"

/* By how much an edge may lean behind a side, and its corner still come onto it: inside a step an edge that
   is flush has an end in the other part by as much as the step is off. */
#define LW_ASLANT 1e-3

/* What a face is. */
typedef enum { LW_SIDE = 0, LW_HOLLOW = 1, LW_ROUND = 2 } lw_face_kind;

/* An arc: centre, radius, the middle of its directions, and the cosine and sine of half its span. A corner
   has radius 0 and looks everywhere, as a whole circle does: cosine -2. The edges that meet in a corner go
   away from it along a and b; of an arc, a is the centre of the least circle around it and bx its radius. */
typedef struct {
    double x, y, r, mx, my, cosine, sine, ax, ay, bx, by;
} lw_arc;

/* A line from (x, y) along t; n looks outwards. */
typedef struct {
    double x, y, tx, ty, nx, ny, length;
} lw_side;

/* An entry of a grid: a face, and the first column and row of the cells that it is in. */
typedef struct {
    int kind, face, column, row;
} lw_entry;

/* The cells of a square grid over an outline: which faces are in each, those of cell i from starts[i] on, and
   how far from all of it every face is at least. */
typedef struct {
    double x, y, cell;
    int columns, rows;
    const int *starts;
    const lw_entry *entries;
    const double *clear;
} lw_grid;

/* The features of an outline, a circle around all of it, and a grid. */
typedef struct {
    int body, rounds, sides, hollows;
    const lw_arc *round, *hollow;
    const lw_side *side;
    double x, y, reach;
    lw_grid grid;
} lw_outline;

/* How the bodies of two outlines are joined. */
typedef enum { LW_APART = 0, LW_HINGED = 1, LW_SLIDING = 2 } lw_joined;

/* Two outlines that may touch. (x, y) is the axis of a hinge, or the direction of a slide. Damping is that of
   an elastic contact by depth and its rate. */
typedef struct {
    int a, b;
    lw_joined joined;
    double x, y, friction, restitution, stiffness, damping;
} lw_couple;

typedef struct {
    int bodies, outlines, couples;
    const lw_outline *outline;
    const lw_couple *couple;
    double size; /* of the whole */
} lw_shapes;

/* A round of one outline and a face of the other. */
typedef struct {
    int couple, swapped, round, face;
    lw_face_kind kind;
} lw_touch;

/* Whether it is inside of something round. */
LW_STATIC int lw_is_hollow(lw_touch touch)
{
    return touch.kind == LW_HOLLOW;
}

/* A touch that is near, and how far apart its features are. */
typedef struct {
    lw_touch touch;
    double apart;
} lw_neighbour;

/* Where a body is: the cosine and sine of its angle, and its origin. */
typedef struct {
    double c, s, x, y;
} lw_place;

/* Where all bodies are and how fast: six numbers of each, and the places of them and of the ground. */
typedef struct {
    double *six;
    lw_place *place;
} lw_where;

/* Of a touch: the gap and its rate; how far apart the two features are as sets, at least; how far the touch
   is beyond the ends of its features, below 0 where it is between them; the normal from the face to the
   round and the centre of the round in the world. */
typedef struct {
    double gap, rate, apart, beyond, nx, ny, x, y;
} lw_measure;

/* The places from the six numbers. */
LW_STATIC void lw_where_places(const lw_shapes *g, lw_where *w)
{
    const lw_place ground = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < g->bodies; ++i) {
        const double *b = w->six + 6 * i;
        w->place[i].c = cos(b[2]);
        w->place[i].s = sin(b[2]);
        w->place[i].x = b[0];
        w->place[i].y = b[1];
    }
    w->place[g->bodies] = ground;
}

/* What is told of the bodies by a program, with their places, is completed by the ground. */
LW_INLINE void lw_where_told(const lw_shapes *g, lw_where *w)
{
    const lw_place ground = {1.0, 0.0, 0.0, 0.0};
    w->place[g->bodies] = ground;
}

LW_STATIC int lw_arc_sees(const lw_arc *arc, double dx, double dy, double slack)
{
    return dx * arc->mx + dy * arc->my >= (arc->cosine - slack) * sqrt(dx * dx + dy * dy);
}

/* How far a point, given from the centre of an arc, is from the arc. */
LW_STATIC double lw_from_arc(const lw_arc *arc, double dx, double dy)
{
    double along, across;
    if (lw_arc_sees(arc, dx, dy, 0.0)) {
        return fabs(sqrt(dx * dx + dy * dy) - arc->r);
    }
    along = dx * arc->mx + dy * arc->my;
    across = fabs(dy * arc->mx - dx * arc->my);
    along -= arc->r * arc->cosine;
    across -= arc->r * arc->sine;
    return sqrt(along * along + across * across);
}

/* How far a point is from a side. */
LW_INLINE double lw_from_side(const lw_side *side, double x, double y)
{
    double dx = x - side->x, dy = y - side->y;
    double along = dx * side->tx + dy * side->ty, across = dx * side->nx + dy * side->ny;
    double past = along < 0.0 ? -along : along > side->length ? along - side->length : 0.0;
    return sqrt(across * across + past * past);
}

/* The end of an arc, before (-1) or behind (1) its middle. */
LW_STATIC void lw_arc_end(const lw_arc *arc, int which, double *x, double *y)
{
    double s = which * arc->sine;
    *x = arc->x + arc->r * (arc->cosine * arc->mx - s * arc->my);
    *y = arc->y + arc->r * (arc->cosine * arc->my + s * arc->mx);
}

/* How far an arc, moved by (c, s, x, y), is from another at least, where they do not face each other. */
LW_STATIC double lw_arcs_apart(const lw_arc *moved, lw_place by, const lw_arc *fixed)
{
    double least = INFINITY;
    for (int which = -1; which <= 1; which += 2) {
        double x, y, wx, wy;
        lw_arc_end(moved, which, &x, &y);
        wx = by.c * x - by.s * y + by.x;
        wy = by.s * x + by.c * y + by.y;
        least = lw_smaller(least, lw_from_arc(fixed, wx - fixed->x, wy - fixed->y));
        lw_arc_end(fixed, which, &x, &y);
        wx = by.c * (x - by.x) + by.s * (y - by.y);
        wy = by.c * (y - by.y) - by.s * (x - by.x);
        least = lw_smaller(least, lw_from_arc(moved, wx - moved->x, wy - moved->y));
    }
    return least;
}

LW_STATIC double lw_arc_and_side(const lw_arc *moved, lw_place by, const lw_side *side)
{
    double least = INFINITY;
    for (int which = -1; which <= 1; which += 2) {
        double x, y, wx, wy, end = which < 0 ? 0.0 : side->length;
        lw_arc_end(moved, which, &x, &y);
        wx = by.c * x - by.s * y + by.x;
        wy = by.s * x + by.c * y + by.y;
        least = lw_smaller(least, lw_from_side(side, wx, wy));
        x = side->x + end * side->tx - by.x;
        y = side->y + end * side->ty - by.y;
        least = lw_smaller(least,
                     lw_from_arc(moved, by.c * x + by.s * y - moved->x, by.c * y - by.s * x - moved->y));
    }
    return least;
}

/* One place seen from another. */
LW_INLINE lw_place lw_seen_from(lw_place p, lw_place from)
{
    lw_place seen;
    double x = p.x - from.x, y = p.y - from.y;
    seen.c = p.c * from.c + p.s * from.s;
    seen.s = p.s * from.c - p.c * from.s;
    seen.x = from.c * x + from.s * y;
    seen.y = from.c * y - from.s * x;
    return seen;
}

/* The bodies of a touch: that of the round, and that of the face. */
LW_INLINE void lw_touch_outlines(const lw_shapes *g, lw_touch touch, const lw_outline **own,
                                 const lw_outline **other)
{
    const lw_couple *couple = g->couple + touch.couple;
    *own = g->outline + (touch.swapped ? couple->b : couple->a);
    *other = g->outline + (touch.swapped ? couple->a : couple->b);
}

/* The one of a couple's outlines that reaches less far. */
LW_STATIC const lw_outline *lw_smaller_outline(const lw_shapes *g, int couple)
{
    const lw_outline *a = g->outline + g->couple[couple].a, *b = g->outline + g->couple[couple].b;
    return a->reach < b->reach ? a : b;
}

/* How far along an edge of a corner a circle of a radius touches that lies from the corner along u; below 0
   where it touches the corner itself. */
LW_STATIC double lw_beside_corner(const lw_arc *corner, double ux, double uy, double radius)
{
    return radius * lw_larger(ux * corner->ax + uy * corner->ay, ux * corner->bx + uy * corner->by);
}

/* Gap, normal and ends of a touch, all in the frame of the face; by is where the round's body is seen. */
LW_INLINE void lw_measure_in_frame(const lw_outline *own, const lw_outline *other, lw_touch touch,
                                   lw_place by, lw_measure *m)
{
    const lw_arc *round = own->round + touch.round;
    double x = by.c * round->x - by.s * round->y + by.x, y = by.s * round->x + by.c * round->y + by.y;
    double past = -INFINITY, length;
    m->x = x;
    m->y = y;
    if (touch.kind == LW_SIDE) {
        const lw_side *side = other->side + touch.face;
        double along = (x - side->x) * side->tx + (y - side->y) * side->ty;
        m->nx = side->nx;
        m->ny = side->ny;
        m->gap = (x - side->x) * side->nx + (y - side->y) * side->ny - round->r;
        past = lw_larger(-along, along - side->length);
    } else {
        const lw_arc *arc = (touch.kind == LW_ROUND ? other->round : other->hollow) + touch.face;
        double dx = x - arc->x, dy = y - arc->y, way = touch.kind == LW_ROUND ? 1.0 : -1.0;
        length = sqrt(dx * dx + dy * dy);
        m->nx = length > 0.0 ? way * dx / length : way;
        m->ny = length > 0.0 ? way * dy / length : 0.0;
        m->gap = touch.kind == LW_ROUND ? length - round->r - arc->r : arc->r - round->r - length;
        if (arc->cosine > -1.5) {
            past = arc->r * (arc->cosine - way * (m->nx * arc->mx + m->ny * arc->my));
        }
    }
    if (round->r > 0.0 && round->cosine > -1.5) { /* the round looks against the normal, in its own frame */
        double lx = -(by.c * m->nx + by.s * m->ny), ly = -(by.c * m->ny - by.s * m->nx);
        past = lw_larger(past, round->r * (round->cosine - (lx * round->mx + ly * round->my)));
    }
    if (touch.kind == LW_ROUND) {
        const lw_arc *arc = other->round + touch.face;
        if (round->r == 0.0) { /* a corner sees along its cone only: beside it are its edges */
            double lx = -(by.c * m->nx + by.s * m->ny), ly = -(by.c * m->ny - by.s * m->nx);
            past = lw_larger(past, lw_beside_corner(round, lx, ly, arc->r));
        } else if (arc->r == 0.0) {
            past = lw_larger(past, lw_beside_corner(arc, m->nx, m->ny, round->r));
        }
    }
    m->beyond = past;
}

/* How far apart the two features of a measured touch are as sets, at least. */
LW_INLINE double lw_touch_apart(const lw_outline *own, const lw_outline *other, lw_touch touch, lw_place by,
                                const lw_measure *m)
{
    const lw_arc *round = own->round + touch.round;
    if (m->beyond <= 0.0) {
        return fabs(m->gap);
    }
    if (touch.kind == LW_SIDE) {
        const lw_side *side = other->side + touch.face;
        return round->r == 0.0 ? lw_from_side(side, m->x, m->y) : lw_arc_and_side(round, by, side);
    } else {
        const lw_arc *arc = (touch.kind == LW_ROUND ? other->round : other->hollow) + touch.face;
        return round->r == 0.0 ? lw_from_arc(arc, m->x - arc->x, m->y - arc->y)
                               : lw_arcs_apart(round, by, arc);
    }
}

/* The velocity of the point of a body that is at a place of the world. */
LW_INLINE void lw_velocity_at(const lw_shapes *g, const lw_where *w, int body, double x, double y,
                              double *vx, double *vy)
{
    *vx = *vy = 0.0;
    if (body < g->bodies) {
        const double *b = w->six + 6 * body;
        *vx = b[3] - b[5] * (y - b[1]);
        *vy = b[4] + b[5] * (x - b[0]);
    }
}

/* The rest of a measure that was taken in the frame of the face: the same in the world, and the rate. */
LW_INLINE void lw_measure_in_world(const lw_shapes *g, const lw_where *w, const lw_outline *own,
                                   const lw_outline *other, lw_measure *m)
{
    const lw_place from = w->place[other->body];
    double nx = from.c * m->nx - from.s * m->ny, ny = from.s * m->nx + from.c * m->ny;
    double x = from.c * m->x - from.s * m->y + from.x, y = from.s * m->x + from.c * m->y + from.y;
    double vx, vy, ux, uy;
    lw_velocity_at(g, w, own->body, x, y, &vx, &vy);
    lw_velocity_at(g, w, other->body, x, y, &ux, &uy);
    m->nx = nx;
    m->ny = ny;
    m->x = x;
    m->y = y;
    m->rate = nx * (vx - ux) + ny * (vy - uy);
}

/* A measure but for how far apart the features are: of what touches that is not asked, and takes long. */
LW_INLINE void lw_measure_contact(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    const lw_outline *own, *other;
    lw_touch_outlines(g, touch, &own, &other);
    lw_measure_in_frame(own, other, touch, lw_seen_from(w->place[own->body], w->place[other->body]), m);
    m->apart = NAN;
    lw_measure_in_world(g, w, own, other, m);
}

/* Where each body of a couple is seen from the other: for touches of its first outline's rounds, and of its
   second's. */
typedef struct {
    lw_place by[2];
} lw_sight;

LW_STATIC lw_sight lw_sight_of(const lw_shapes *g, const lw_where *w, int couple)
{
    lw_place a = w->place[g->outline[g->couple[couple].a].body];
    lw_place b = w->place[g->outline[g->couple[couple].b].body];
    lw_sight sight;
    sight.by[0] = lw_seen_from(a, b);
    sight.by[1] = lw_seen_from(b, a);
    return sight;
}

/* All of a measure, unless the features are farther apart than a distance. Returns whether they are not. */
LW_INLINE int lw_measure_within(const lw_shapes *g, const lw_where *w, lw_place by, lw_touch touch,
                                double distance, lw_measure *m)
{
    const lw_outline *own, *other;
    lw_touch_outlines(g, touch, &own, &other);
    lw_measure_in_frame(own, other, touch, by, m);
    m->apart = lw_touch_apart(own, other, touch, by, m);
    if (m->apart > distance) {
        return 0;
    }
    lw_measure_in_world(g, w, own, other, m);
    return 1;
}

/* The same, with the couple as it is seen. */
LW_INLINE int lw_measure_near(const lw_shapes *g, const lw_where *w, const lw_sight *sight, lw_touch touch,
                              double distance, lw_measure *m)
{
    return lw_measure_within(g, w, sight->by[touch.swapped], touch, distance, m);
}

/* All of a measure. */
LW_STATIC void lw_measure_touch(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    const lw_outline *own, *other;
    lw_touch_outlines(g, touch, &own, &other);
    lw_measure_within(g, w, lw_seen_from(w->place[own->body], w->place[other->body]), touch, INFINITY, m);
}

/* By how much directions turn at most while the bodies of a couple move past each other by a distance, and
   what an edge may lean behind a side whose corner comes onto it. */
LW_STATIC double lw_couple_turn(const lw_shapes *g, int couple, double distance)
{
    return LW_ASLANT + distance / lw_smaller_outline(g, couple)->reach;
}

/* Whether a corner surely does not come onto a side while directions turn no more than that: parts that come
   onto each other lie before the side there, and so do both edges of the corner. */
LW_INLINE int lw_looks_away(const lw_arc *corner, lw_place by, const lw_side *side, double turn)
{
    double x = by.c * side->nx + by.s * side->ny, y = by.c * side->ny - by.s * side->nx;
    return corner->r == 0.0 &&
           lw_smaller(x * corner->ax + y * corner->ay, x * corner->bx + y * corner->by) < -turn;
}

/* The same of a touch. */
LW_STATIC int lw_touch_looks_away(const lw_shapes *g, const lw_sight *sight, lw_touch touch, double turn)
{
    const lw_outline *own, *other;
    lw_touch_outlines(g, touch, &own, &other);
    return touch.kind == LW_SIDE &&
           lw_looks_away(own->round + touch.round, sight->by[touch.swapped], other->side + touch.face, turn);
}

/* Whether a touch of joined bodies has a gap that their joint keeps as it is. */
LW_STATIC int lw_is_kept(const lw_shapes *g, lw_touch touch)
{
    const lw_couple *couple = g->couple + touch.couple;
    const lw_outline *own, *other;
    double slack = 1e-9 * g->size;
    lw_touch_outlines(g, touch, &own, &other);
    if (couple->joined == LW_HINGED) {
        const lw_arc *round = own->round + touch.round;
        if (hypot(round->x - couple->x, round->y - couple->y) <= slack) {
            return 1;
        }
        if (touch.kind != LW_SIDE) {
            const lw_arc *arc = (touch.kind == LW_ROUND ? other->round : other->hollow) + touch.face;
            return hypot(arc->x - couple->x, arc->y - couple->y) <= slack;
        }
    } else if (couple->joined == LW_SLIDING && touch.kind == LW_SIDE) {
        const lw_side *side = other->side + touch.face;
        return fabs(side->nx * couple->x + side->ny * couple->y) <= 1e-9;
    }
    return 0;
}

/* Whether a face is farther than a distance from a point, as can be seen at once. */
LW_INLINE int lw_is_far(const lw_outline *other, int kind, int face, double x, double y, double reach)
{
    if (kind == LW_SIDE) {
        const lw_side *side = other->side + face;
        double dx = x - side->x, dy = y - side->y, along = dx * side->tx + dy * side->ty;
        return fabs(dx * side->nx + dy * side->ny) > reach || along < -reach || along > side->length + reach;
    } else {
        const lw_arc *arc = (kind == LW_ROUND ? other->round : other->hollow) + face;
        double dx = x - (arc->r > 0.0 ? arc->ax : arc->x), dy = y - (arc->r > 0.0 ? arc->ay : arc->y);
        double far = reach + (arc->r > 0.0 ? arc->bx : 0.0);
        return dx * dx + dy * dy > far * far;
    }
}

/* Whether a round and a face can touch at all: corners pass each other, and of an arc that is wider than a
   hollow only the ends can. */
LW_INLINE int lw_can_touch(const lw_arc *round, const lw_outline *other, int kind, int face)
{
    return kind == LW_SIDE    ? 1
           : kind == LW_ROUND ? round->r > 0.0 || other->round[face].r > 0.0
                              : round->r <= other->hollow[face].r;
}

/* The cell in which a length along the grid is, counted in cells, within its ends. */
LW_INLINE int lw_cell(double cell, int count)
{
    return cell <= 0.0 ? 0 : cell >= count ? count - 1 : (int)cell;
}

/* The touches of a round on the faces of another outline that are nearer than a distance. by is where its
   body is seen from there, (x, y) and reach a circle around the round there, widened by the distance. */
LW_STATIC int lw_near_round(const lw_shapes *g, lw_place by, lw_touch touch, double x, double y, double reach,
                            double within, double turn, int found, int most, lw_neighbour *near)
{
    const lw_outline *own, *other;
    const lw_grid *grid;
    double cells;
    int left, right, low, high;
    lw_touch_outlines(g, touch, &own, &other);
    grid = &other->grid;
    cells = 1.0 / grid->cell;
    left = lw_cell((x - reach - grid->x) * cells, grid->columns);
    right = lw_cell((x + reach - grid->x) * cells, grid->columns);
    low = lw_cell((y - reach - grid->y) * cells, grid->rows);
    high = lw_cell((y + reach - grid->y) * cells, grid->rows);
    for (int row = low; row <= high; ++row) {
        const int *starts = grid->starts + row * grid->columns;
        for (int k = starts[left], column = left; k < starts[right + 1]; ++k) {
            const lw_entry *entry = grid->entries + k;
            lw_measure m;
            while (k >= starts[column + 1]) {
                ++column;
            }
            if (column != (entry->column > left ? entry->column : left) ||
                row != (entry->row > low ? entry->row : low)) {
                continue; /* seen in another cell */
            }
            if ((entry->kind == LW_ROUND && touch.swapped) ||
                lw_is_far(other, entry->kind, entry->face, x, y, reach) ||
                !lw_can_touch(own->round + touch.round, other, entry->kind, entry->face) ||
                (entry->kind == LW_SIDE &&
                 lw_looks_away(own->round + touch.round, by, other->side + entry->face, turn))) {
                continue;
            }
            touch.kind = (lw_face_kind)entry->kind;
            touch.face = entry->face;
            lw_measure_in_frame(own, other, touch, by, &m);
            m.apart = lw_touch_apart(own, other, touch, by, &m);
            if (m.apart > within || lw_is_kept(g, touch)) {
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

/* The touches of one outline's rounds on another's faces that are nearer than a distance, behind those found
   already; -1 where they are more than most. */
LW_STATIC int lw_near_faces(const lw_shapes *g, lw_place by, lw_touch touch, double within, double turn,
                            int found, int most, lw_neighbour *near)
{
    const lw_outline *own, *other;
    double width, height;
    lw_touch_outlines(g, touch, &own, &other);
    width = other->grid.cell * other->grid.columns;
    height = other->grid.cell * other->grid.rows;
    for (int i = 0; i < own->rounds && found >= 0; ++i) {
        const lw_arc *round = own->round + i;
        int is_arc = round->r > 0.0;
        double lx = is_arc ? round->ax : round->x, ly = is_arc ? round->ay : round->y;
        double x = by.c * lx - by.s * ly + by.x, y = by.s * lx + by.c * ly + by.y;
        double reach = within + (is_arc ? round->bx : 0.0);
        double right = x - other->grid.x, up = y - other->grid.y;
        if (right < -reach || right > width + reach || up < -reach || up > height + reach) {
            continue;
        }
        if (right > 0.0 && right < width && up > 0.0 && up < height) {
            int cell = (int)(up / other->grid.cell) * other->grid.columns + (int)(right / other->grid.cell);
            if (other->grid.clear[cell] > reach) {
                continue;
            }
        }
        touch.round = i;
        found = lw_near_round(g, by, touch, x, y, reach, within, turn, found, most, near);
    }
    return found;
}

/* All touches of a couple that are nearer than a distance; where is_facing is said without corners that look
   away from sides, and go on to while the bodies move past each other by that distance. */
LW_STATIC int lw_near_touches(const lw_shapes *g, const lw_where *w, int couple, double within, int is_facing,
                              int most, lw_neighbour *near)
{
    const lw_couple *pair = g->couple + couple;
    const lw_outline *a = g->outline + pair->a, *b = g->outline + pair->b;
    lw_place at_a = w->place[a->body], at_b = w->place[b->body];
    lw_place by = lw_seen_from(at_a, at_b);
    lw_touch touch = {0, 0, 0, 0, LW_SIDE};
    double x = by.c * a->x - by.s * a->y + by.x - b->x, y = by.s * a->x + by.c * a->y + by.y - b->y;
    double far = a->reach + b->reach + within;
    double turn = is_facing ? lw_couple_turn(g, couple, within) : INFINITY;
    int found;
    if (x * x + y * y > far * far) {
        return 0;
    }
    touch.couple = couple;
    found = lw_near_faces(g, by, touch, within, turn, 0, most, near);
    if (found < 0) {
        return found;
    }
    touch.swapped = 1;
    return lw_near_faces(g, lw_seen_from(at_b, at_a), touch, within, turn, found, most, near);
}

/* How many features are gone through in search of the near touches of a couple. */
LW_STATIC int lw_searched(const lw_shapes *g, int couple)
{
    return g->outline[g->couple[couple].a].rounds + g->outline[g->couple[couple].b].rounds;
}

/* Where the smaller outline of a couple is, seen from the other. */
LW_STATIC lw_place lw_couple_place(const lw_shapes *g, const lw_where *w, int couple)
{
    const lw_outline *a = g->outline + g->couple[couple].a, *b = g->outline + g->couple[couple].b;
    lw_place at_a = w->place[a->body], at_b = w->place[b->body];
    return lw_smaller_outline(g, couple) == a ? lw_seen_from(at_a, at_b) : lw_seen_from(at_b, at_a);
}

/* How far any point of it moves from one such place to another, at most: its middle, and what the turn adds
   at its reach. */
LW_STATIC double lw_couple_way(const lw_shapes *g, int couple, const lw_place *one, const lw_place *other)
{
    const lw_outline *small = lw_smaller_outline(g, couple);
    double c = other->c - one->c, s = other->s - one->s;
    double x = c * small->x - s * small->y + other->x - one->x;
    double y = s * small->x + c * small->y + other->y - one->y;
    return sqrt(x * x + y * y) + sqrt(c * c + s * s) * small->reach;
}

/* A bound of the speed with which points of two bodies that may touch move past each other. */
LW_STATIC double lw_couple_speed(const lw_shapes *g, const lw_where *w, int couple)
{
    const lw_couple *pair = g->couple + couple;
    const lw_outline *outlines[2] = {g->outline + pair->a, g->outline + pair->b};
    const lw_outline *small = lw_smaller_outline(g, couple);
    lw_place p = w->place[small->body];
    double x = p.c * small->x - p.s * small->y + p.x, y = p.s * small->x + p.c * small->y + p.y;
    double vx, vy, ux, uy, spin = 0.0;
    lw_velocity_at(g, w, outlines[0]->body, x, y, &vx, &vy);
    lw_velocity_at(g, w, outlines[1]->body, x, y, &ux, &uy);
    for (int i = 0; i < 2; ++i) {
        if (outlines[i]->body < g->bodies) {
            double rate = w->six[6 * outlines[i]->body + 5];
            spin = i == 0 ? rate : spin - rate;
        }
    }
    return sqrt((vx - ux) * (vx - ux) + (vy - uy) * (vy - uy)) + fabs(spin) * small->reach;
}

/* How fast a body turns. */
LW_STATIC double lw_body_turn(const lw_where *w, int body)
{
    return fabs(w->six[6 * body + 5]);
}

#endif

#endif
