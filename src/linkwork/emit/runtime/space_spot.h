/* Places of features of solids in space: points on lines and circles, and how they move along these. */
#ifndef LW_SPACE_SPOT_H
#define LW_SPACE_SPOT_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"

/* The place of a feature: the point, its first and second derivative along the feature, whether there is
   such a way; and how far the point is beyond the ends. */
typedef struct {
    double x[3], along[3], bend[3], beyond;
    int moves;
} lw_spot;

/* A feature of a body in the world. */
typedef struct {
    const lw_feature *f;
    const lw_place *at;
    double x[3], a[3];
} lw_seen;

LW_STATIC void lw_see(const lw_feature *f, const lw_place *at, lw_seen *seen)
{
    seen->f = f;
    seen->at = at;
    lw_placed(at, f->x, seen->x);
    lw_turned(at, f->a, seen->a);
}

LW_STATIC void lw_spot_fixed(const double *x, lw_spot *spot)
{
    const lw_spot still = {{0.0}, {0.0}, {0.0}, -LW_EVERYWHERE, 0};
    *spot = still;
    lw_add3(spot->x, 1.0, x, spot->x);
}

/* The point of a line at a length. */
LW_STATIC void lw_spot_on_line(const lw_seen *bar, double s, lw_spot *spot)
{
    lw_spot_fixed(bar->x, spot);
    lw_add3(bar->x, s, bar->a, spot->x);
    lw_add3(spot->along, 1.0, bar->a, spot->along);
    spot->beyond = fmax(-s, s - bar->f->length);
    spot->moves = 1;
}

/* The point of a circle, or of an arc of it, in the direction of a unit vector from its centre. */
LW_STATIC void lw_spot_on_arc(const lw_seen *rim, const double *radial, lw_spot *spot)
{
    double along[3];
    lw_spot_fixed(rim->x, spot);
    lw_add3(rim->x, rim->f->r, radial, spot->x);
    lw_cross3(rim->a, radial, along);
    for (int i = 0; i < 3; ++i) {
        spot->along[i] = rim->f->r * along[i];
        spot->bend[i] = -rim->f->r * radial[i];
    }
    spot->moves = 1;
}

/* What of a direction is across the axis of a circle, as a unit vector; where nothing is another one. */
LW_STATIC void lw_radial(const lw_seen *rim, const double *direction, const double *otherwise, double *radial)
{
    lw_add3(direction, 0.0, direction, radial);
    for (int turn = 0; turn < 2; ++turn) { /* twice: of what is almost along the axis the rest is rounded */
        lw_add3(radial, -lw_dot3(radial, rim->a), rim->a, radial);
        lw_unit3(radial, otherwise);
    }
}

/* The point of a circle that is farthest along a direction, though it may be beyond the ends of the arc. */
LW_STATIC void lw_spot_on_circle(const lw_seen *rim, const double *direction, lw_spot *spot)
{
    double radial[3], middle[3];
    lw_turned(rim->at, rim->f->way[0], middle);
    lw_radial(rim, direction, middle, radial);
    lw_spot_on_arc(rim, radial, spot);
    if (rim->f->length > -1.5) {
        spot->beyond = rim->f->r * (rim->f->length - lw_dot3(radial, middle));
    }
}

/* How many directions into its solid a corner, an edge or a rim has. */
LW_STATIC int lw_ways_of(const lw_seen *seen)
{
    return seen->f->kind == LW_RIM ? 2 : seen->f->ways;
}

/* One of them in the world: those of a rim are told outwards and along its axis. */
LW_STATIC void lw_way_of(const lw_seen *seen, const lw_spot *spot, int i, double *way)
{
    if (seen->f->kind == LW_RIM) {
        const double *own = seen->f->way[1 + i];
        for (int k = 0; k < 3; ++k) {
            way[k] = own[1] * seen->a[k] - own[0] * spot->bend[k] / seen->f->r;
        }
        return;
    }
    lw_turned(seen->at, seen->f->way[i], way);
}

/* How far a direction looks into the solid of one feature and out of that of another at their places. */
LW_STATIC double lw_inwards(const lw_seen *own, const lw_spot *here, const lw_seen *other,
                            const lw_spot *there, const double *n)
{
    double way[3], inwards = 0.0;
    for (int i = 0; i < lw_ways_of(own); ++i) {
        lw_way_of(own, here, i, way);
        inwards += lw_dot3(way, n);
    }
    for (int i = 0; i < lw_ways_of(other); ++i) {
        lw_way_of(other, there, i, way);
        inwards -= lw_dot3(way, n);
    }
    return inwards;
}

#endif

#endif
