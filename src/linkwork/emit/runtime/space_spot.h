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

/* The point of a circle that is farthest along a direction, though it may be beyond the ends of the arc. */
LW_STATIC void lw_spot_on_circle(const lw_seen *rim, const double *direction, lw_spot *spot)
{
    double radial[3], middle[3];
    lw_turned(rim->at, rim->f->way[0], middle);
    lw_add3(direction, 0.0, direction, radial);
    for (int turn = 0; turn < 2; ++turn) { /* twice: of what is almost along the axis the rest is rounded */
        lw_add3(radial, -lw_dot3(radial, rim->a), rim->a, radial);
        lw_unit3(radial, middle);
    }
    lw_spot_on_arc(rim, radial, spot);
    if (rim->f->length > -1.5) {
        spot->beyond = rim->f->r * (rim->f->length - lw_dot3(radial, middle));
    }
}

#endif

#endif
