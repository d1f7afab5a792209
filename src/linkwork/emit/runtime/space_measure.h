/* The gap of two features of solids in space, and how it changes.

   The place of a feature that a touch sees is a point of it: its centre, or a point on its line or its
   circle, which then moves along it as the bodies move. With the normal n from the face to the round and
   the two places d apart, the gap is n.d less the radii, and nothing of first order changes it when a place
   moves along its line or the normal turns. */
#ifndef LW_SPACE_MEASURE_H
#define LW_SPACE_MEASURE_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_cone.h"
#include "space_rim.h"
#include "space_ring.h"
#include "space_spot.h"

#define LW_ALIKE 1e-6 /* sine of the angle between lines that do not cross */
#define LW_TANGENT 1e-3 /* sine of the angle between a rim and an edge at which they cease to cross */
#define LW_TWO_CROSS 2e-2 /* and at which one of two crossings does: what keeps both would be rounding */
#define LW_LIES_FLAT 2e-8 /* of the size: an arc lies flat on a plane if its ends are nearer */

/* Of a touch: the gap and its rate; how far apart the two features are as sets, at least; how far the touch
   is beyond the ends of its features: past them, buried in its solids, or (as a sine) with a normal that
   looks aslant where lines cross; the normal from the face to the round, the tangents, where the touch
   is; the sine of the angle in which edges or rims cross, else 1; how far a rim is from the line or circle
   that it meets; the places on both, and whether the normal may turn while the face stands still. */
typedef struct {
    double gap, rate, apart, beyond, past, buried, aslant, into, crossing, rim, n[3], tangent[2][3], x[3];
    lw_spot own, other;
    int turns;
} lw_measure;

/* The point of an arc that is deepest below a plane: that of the circle, or the end that is nearer to it, if
   that of the circle is farther beyond than a length: where an arc ends on which it rolls, it rolls until the
   touch has left it. An arc that lies flat, within the same length, stands on its middle. */
LW_STATIC void lw_spot_below(const lw_seen *rim, const double *down, double flat, lw_spot *spot)
{
    double middle[3], across[3], along, aside, beyond;
    lw_spot_on_circle(rim, down, spot);
    lw_turned(rim->at, rim->f->way[0], middle);
    lw_cross3(rim->a, middle, across);
    along = lw_dot3(down, middle);
    aside = lw_dot3(down, across);
    beyond = spot->beyond;
    if (rim->f->r * hypot(along, aside) <= flat) {
        lw_spot_on_arc(rim, middle, spot);
        spot->moves = 0;
    } else if (beyond > flat) {
        double sine = sqrt(fmax(0.0, 1.0 - rim->f->length * rim->f->length)), end[3];
        for (int i = 0; i < 3; ++i) {
            end[i] = rim->f->length * middle[i] + copysign(sine, aside) * across[i];
        }
        lw_spot_on_arc(rim, end, spot);
        spot->moves = 0;
        spot->beyond = beyond;
    }
}

/* How far a normal that looks into a solid is beyond what the edges and faces at a corner or an edge allow,
   as a sine. */
LW_STATIC double lw_beyond_ways(const lw_seen *seen, const lw_spot *spot, const double *inwards)
{
    double worst = -1.0, way[3];
    for (int i = 0; i < lw_ways_of(seen); ++i) {
        lw_way_of(seen, spot, i, way);
        worst = fmax(worst, -lw_dot3(way, inwards));
    }
    return worst;
}

/* Whether a feature is sharp: a corner, an edge or a rim. */
LW_STATIC int lw_is_sharp(const lw_feature *f)
{
    return f->kind == LW_RIM || (f->kind <= LW_BAR && f->r == 0.0);
}

/* Whether the round of a touch is a rim. */
LW_STATIC int lw_is_rim(const lw_shapes *g, lw_touch touch)
{
    const lw_solid *own, *other;
    lw_touch_solids(g, touch, &own, &other);
    return own->feature[touch.round].kind == LW_RIM;
}

/* The radius that the surface of a feature has about its place. */
LW_STATIC double lw_round_radius(const lw_feature *f)
{
    return f->kind == LW_RIM || f->kind == LW_FLAT || lw_is_cone(f) ? 0.0 : f->r;
}

/* And that of a face about a place of its: that of a cone grows along its axis. */
LW_STATIC double lw_face_radius(const lw_seen *face, const lw_spot *spot)
{
    return lw_is_cone(face->f) ? lw_cone_radius(face, spot) : lw_round_radius(face->f);
}

/* On a plane: the point of the round that is deepest. */
LW_STATIC void lw_measure_flat(const lw_seen *own, const lw_seen *flat, double size, lw_measure *m)
{
    double down[3] = {-flat->a[0], -flat->a[1], -flat->a[2]}, d[3];
    if (lw_is_ring(own->f)) {
        lw_spot_of_ring(own, down, &m->own);
    } else if (own->f->kind == LW_RIM) {
        lw_spot_below(own, down, LW_LIES_FLAT * size, &m->own);
    } else {
        lw_spot_fixed(own->x, &m->own);
    }
    lw_add3(m->own.x, -1.0, flat->x, d);
    lw_add3(m->own.x, -lw_dot3(d, flat->a), flat->a, d);
    lw_spot_fixed(d, &m->other);
    lw_add3(flat->a, 0.0, flat->a, m->n);
    m->turns = 0;
    m->crossing = 1.0;
}

/* The places on two lines where these are nearest; 0 where they are too much alike to tell. */
LW_STATIC int lw_spots_on_lines(const lw_seen *one, const lw_seen *other, lw_measure *m)
{
    double d[3], c = lw_dot3(one->a, other->a), across = 1.0 - c * c, p, q;
    lw_add3(one->x, -1.0, other->x, d);
    p = lw_dot3(d, one->a);
    q = lw_dot3(d, other->a);
    if (across < LW_ALIKE * LW_ALIKE) {
        return 0;
    }
    lw_spot_on_line(one, (c * q - p) / across, &m->own);
    lw_spot_on_line(other, (q - c * p) / across, &m->other);
    return 1;
}

/* Two edges or rims that cross: the normal is across both, and looks into the solid of the round. Where a rim
   goes the same way as what it met, as at the end of its slide off an edge, it is that of the plane of the
   rim. */
LW_STATIC void lw_cross_edges(const lw_seen *own, const lw_seen *other, lw_measure *m)
{
    double size = sqrt(lw_dot3(m->own.along, m->own.along) * lw_dot3(m->other.along, m->other.along));
    double inwards;
    lw_cross3(m->own.along, m->other.along, m->n);
    m->crossing = lw_unit3(m->n, own->a) / size;
    if (m->crossing < LW_ALIKE) {
        lw_add3(own->a, 0.0, own->a, m->n);
    }
    inwards = lw_inwards(own, &m->own, other, &m->other, m->n);
    for (int i = 0; i < 3 && inwards < 0.0; ++i) {
        m->n[i] = -m->n[i];
    }
}

/* The places of a point, line or circle and of a face that is round, sharp or hollow. Returns 0 where there
   are none, and 2 where these are not the nearest ones. */
LW_STATIC int lw_find_spots(const lw_seen *own, const lw_seen *other, lw_measure *m)
{
    double d[3];
    lw_spot_fixed(own->x, &m->own);
    lw_add3(own->x, -1.0, other->x, d);
    if (lw_is_cone(other->f) && own->f->kind != LW_RIM) {
        return lw_spots_at_cone(own, other, &m->own, &m->other);
    }
    if (own->f->kind == LW_BAR) {
        return lw_spots_on_lines(own, other, m);
    }
    if (own->f->kind == LW_RIM && other->f->kind != LW_BOWL) {
        return lw_spots_of_rim(own, other, &m->own, &m->other, &m->rim);
    }
    if (own->f->kind == LW_RIM) {
        lw_spot_on_circle(own, d, &m->own);
    }
    if (other->f->kind == LW_RIM) {
        lw_spot_on_circle(other, d, &m->other);
    } else if (other->f->kind == LW_BAR || other->f->kind == LW_PIPE) {
        lw_spot_on_line(other, lw_dot3(d, other->a), &m->other);
    } else {
        lw_spot_fixed(other->x, &m->other);
    }
    return 1;
}

/* Normal and gap of two features that are not on a plane. */
LW_STATIC int lw_measure_round(const lw_seen *own, const lw_seen *other, lw_measure *m)
{
    double d[3];
    int hollow = other->f->kind >= LW_BOWL, spots = lw_find_spots(own, other, m);
    if (!spots) {
        return 0;
    }
    m->turns = 1;
    m->crossing = 1.0;
    lw_add3(m->own.x, -1.0, m->other.x, d);
    if (lw_is_sharp(own->f) && lw_is_sharp(other->f) && spots == 1) {
        lw_cross_edges(own, other, m);
        return 1;
    }
    lw_add3(d, 0.0, d, m->n);
    lw_unit3(m->n, own->a);
    for (int i = 0; i < 3 && hollow; ++i) {
        m->n[i] = -m->n[i];
    }
    return 1;
}

/* How far apart two features are at least: by their lines or surfaces without ends, and by how far the
   nearest places of these are beyond the ends. Where a rim and an edge or another rim go the same way, as
   two rings in one plane do, the gap across both tells nothing of that. */
LW_STATIC double lw_apart_at_least(const lw_seen *own, const lw_seen *other, const lw_measure *m)
{
    double d[3], far, past = fmax(m->other.beyond, 0.0);
    if (own->f->kind == LW_RIM && other->f->kind <= LW_RIM && lw_is_sharp(other->f)) {
        return fmax(fabs(m->gap), m->rim);
    }
    if (m->beyond <= 0.0 || m->gap < 0.0 || own->f->kind == LW_RIM || other->f->kind == LW_RIM ||
        lw_is_cone(other->f)) {
        return fabs(m->gap);
    }
    lw_add3(m->own.x, -1.0, m->other.x, d);
    far = sqrt(lw_dot3(d, d));
    if (own->f->kind == LW_BAR) {
        lw_cross3(own->a, other->a, d);
        past = fmax(past, m->own.beyond) * sqrt(lw_dot3(d, d));
    }
    if (other->f->kind == LW_PIPE) {
        far = other->f->r - far;
        return fmax(sqrt(far * far + past * past) - own->f->r, 0.0);
    }
    return fmax(sqrt(far * far + past * past) - lw_round_radius(own->f) - lw_round_radius(other->f), 0.0);
}

/* How far an arc is beside a face at least, by the ball that holds it: none of its points is nearer to where
   the face ends than the middle by more than the reach of the ball. */
LW_STATIC double lw_arc_beside(const lw_solid *other, const lw_seen *arc, const lw_seen *flat)
{
    double middle[3];
    lw_placed(arc->at, arc->f->middle, middle);
    return lw_beyond_surface(other, flat->at, flat->f, middle) - arc->f->reach;
}

LW_STATIC void lw_tangents(lw_measure *m)
{
    lw_across3(m->n, m->tangent[0]);
    lw_cross3(m->n, m->tangent[0], m->tangent[1]);
}

/* How far a place of a touch on one of its features is beyond the ends of that. */
LW_STATIC void lw_find_end(const lw_solid *solid, const lw_seen *feature, const double *x, lw_spot *spot,
                           lw_measure *m)
{
    double buried, past = lw_past_surface(solid, feature->at, feature->f, x, &buried);
    m->past = fmax(m->past, fmax(spot->beyond, past));
    m->buried = fmax(m->buried, buried);
    spot->beyond = fmax(spot->beyond, fmax(past, buried));
}

/* Whether a feature is a line or a circle, of whatever radius around it. */
LW_STATIC int lw_is_line(const lw_feature *f)
{
    return f->kind == LW_BAR || f->kind == LW_RIM;
}

/* How far a touch is beyond the ends of both features. */
LW_STATIC double lw_beyond_ends(const lw_solid *own, const lw_solid *other, const lw_seen *round,
                                const lw_seen *face, lw_measure *m)
{
    double opposite[3] = {-m->n[0], -m->n[1], -m->n[2]}, ways = -1.0, beyond, on_face[3];
    double scale = fmax(lw_round_radius(round->f), lw_round_radius(face->f));
    int is_sharp = 0;
    lw_add3(m->x, fmax(-m->gap, 0.0), m->n, on_face);
    m->past = m->buried = -LW_EVERYWHERE;
    lw_find_end(other, face, on_face, &m->other, m);
    lw_find_end(own, round, m->x, &m->own, m);
    beyond = fmax(m->own.beyond, m->other.beyond);
    if (round->f->kind == LW_RIM) {
        double apart = (round->f->side < 0 ? LW_TWO_CROSS : LW_TANGENT) - m->crossing;
        beyond = fmax(beyond, round->f->r * apart);
        m->past = fmax(m->past, round->f->r * apart);
    }
    if (scale == 0.0) {
        scale = fmin(round->f->reach, face->f->reach);
    }
    m->into = lw_is_sharp(round->f) ? lw_beyond_ways(round, &m->own, m->n) : -1.0;
    if (lw_is_sharp(round->f) && face->f->kind <= LW_RIM) {
        ways = m->into;
        is_sharp = 1;
    }
    if (lw_is_sharp(face->f)) {
        is_sharp = 1;
        ways = fmax(ways, lw_beyond_ways(face, &m->other, opposite));
    }
    m->aslant = -1.0;
    if (!is_sharp) {
        return beyond;
    }
    if (lw_is_line(round->f) && lw_is_line(face->f)) {
        m->aslant = ways;
    } else {
        m->past = fmax(m->past, scale * ways);
    }
    return fmax(beyond, scale * ways);
}

/* All of a measure. */
LW_STATIC void lw_measure_touch(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    const lw_solid *own, *other;
    lw_seen round, face;
    double d[3], v[3], u[3], radius;
    lw_touch_solids(g, touch, &own, &other);
    lw_see(own->feature + touch.round, w->place + own->body, &round);
    lw_see(other->feature + touch.face, w->place + other->body, &face);
    radius = lw_round_radius(round.f);
    if (face.f->kind == LW_FLAT) {
        lw_measure_flat(&round, &face, g->size, m);
    } else if (!lw_measure_round(&round, &face, m)) {
        m->gap = m->apart = m->beyond = m->past = LW_EVERYWHERE;
        m->rate = m->buried = m->aslant = 0.0;
        if (round.f->kind == LW_RIM && face.f->kind != LW_BOWL) { /* it may come to cross what is near */
            m->apart = m->rim;
        }
        return;
    }
    lw_add3(m->own.x, -1.0, m->other.x, d);
    m->gap = lw_dot3(m->n, d) - radius +
             (face.f->kind >= LW_BOWL ? 1.0 : -1.0) * lw_face_radius(&face, &m->other);
    lw_add3(m->own.x, -radius, m->n, m->x);
    m->beyond = lw_beyond_ends(own, other, &round, &face, m);
    m->apart = lw_apart_at_least(&round, &face, m);
    if (round.f->kind == LW_RIM && face.f->kind == LW_FLAT && m->beyond > 0.0) {
        m->apart = fmax(m->apart, lw_arc_beside(other, &round, &face));
    }
    lw_velocity_at(g, w, own->body, m->own.x, v);
    lw_velocity_at(g, w, other->body, m->own.x, u);
    lw_add3(v, -1.0, u, v);
    m->rate = lw_dot3(m->n, v);
    if (face.f->kind == LW_FLAT && lw_is_ring(round.f)) {
        m->past = fmax(m->past, lw_ring_past(g, other, &round, &face));
        m->rate = lw_rate_of_ring(g, w, &round, own->body, other->body, m->n, &m->own);
    }
    lw_tangents(m);
}

/* The measure of what touches. */
LW_INLINE void lw_measure_contact(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    lw_measure_touch(g, w, touch, m);
}

/* How the bodies of a couple are seen from each other; in space nothing is told by that at once. */
typedef struct {
    int couple;
} lw_sight;

LW_STATIC lw_sight lw_sight_of(const lw_shapes *g, const lw_where *w, int couple)
{
    const lw_sight sight = {couple};
    (void)g;
    (void)w;
    return sight;
}

/* In space nothing is told of how features look at each other either. */
LW_STATIC double lw_couple_turn(const lw_shapes *g, int couple, double distance)
{
    (void)g;
    (void)couple;
    (void)distance;
    return INFINITY;
}

LW_STATIC int lw_touch_looks_away(const lw_shapes *g, const lw_sight *sight, lw_touch touch, double turn)
{
    (void)g;
    (void)sight;
    (void)touch;
    (void)turn;
    return 0;
}

/* All of a measure. Returns whether the features are not farther apart than a distance. */
LW_STATIC int lw_measure_near(const lw_shapes *g, const lw_where *w, const lw_sight *sight, lw_touch touch,
                              double distance, lw_measure *m)
{
    (void)sight;
    lw_measure_touch(g, w, touch, m);
    return !(m->apart > distance);
}

#endif

#endif
