/* Where points, lines and circles are nearest to a cone.

   A cone is all balls about the points s along its axis, of the radius s sin from its apex on: so the
   distance of a point from it is the least of |x - s a| - s sin over s, which is where the line across the
   side through x meets the axis. With the length l along the axis and the distance r from it that is
   r cos - l sin, and its slope n = cos e - sin a, with e from the axis to the point, bends around the axis
   alone, by cos/r. */
#ifndef LW_SPACE_CONE_H
#define LW_SPACE_CONE_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_spot.h"

LW_STATIC int lw_is_cone(const lw_feature *f)
{
    return f->kind == LW_CONE || f->kind == LW_FUNNEL;
}

/* The radius of the ball about a point of the axis. */
LW_STATIC double lw_cone_radius(const lw_seen *cone, const lw_spot *spot)
{
    double d[3];
    lw_add3(spot->x, -1.0, cone->x, d);
    return lw_dot3(d, cone->a) * cone->f->r;
}

/* The place on the axis of a cone that is seen from a point: there the normal of the side meets it. Returns
   how far the point is from the axis, and e towards it. */
LW_STATIC double lw_spot_in_cone(const lw_seen *cone, const double *x, lw_spot *spot, double *e)
{
    double along, aside, sine = cone->f->r, other[3];
    lw_add3(x, -1.0, cone->x, e);
    along = lw_dot3(e, cone->a);
    lw_add3(e, -along, cone->a, e);
    lw_across3(cone->a, other);
    aside = lw_unit3(e, other);
    lw_spot_on_line(cone, along + aside * sine / sqrt(1.0 - sine * sine), spot);
    spot->beyond = -LW_EVERYWHERE;
    return aside;
}

/* How far the place on a rim is from a cone, the slope of that along the rim, and how it changes. */
LW_STATIC void lw_cone_look(const lw_seen *cone, const lw_spot *here, lw_spot *there, double *distance,
                            double *slope, double *bend)
{
    double e[3], n[3], around[3], d[3], sine = cone->f->r, cosine = sqrt(1.0 - sine * sine), aside, along;
    aside = lw_spot_in_cone(cone, here->x, there, e);
    lw_add3(here->x, -1.0, cone->x, d);
    lw_cross3(cone->a, e, around);
    for (int k = 0; k < 3; ++k) {
        n[k] = cosine * e[k] - sine * cone->a[k];
    }
    along = lw_dot3(around, here->along);
    *distance = lw_dot3(n, d);
    *slope = lw_dot3(n, here->along);
    *bend = lw_dot3(n, here->bend) + cosine * along * along / fmax(aside, 1e-300);
}

/* The length along a line at which it is nearest to a cone: with w from where it is nearest to the axis, k
   the distance there squared, u its slope along the axis and p = 1 - u u, the distance is
   cos sqrt(p w w + k) - sin u w and more that is constant. Returns 0 where the line is as steep as the side.
   */
LW_STATIC int lw_line_at_cone(const lw_seen *line, const lw_seen *cone, double *length)
{
    double d[3], sine = cone->f->r, u = lw_dot3(line->a, cone->a), p = 1.0 - u * u, along, across, k, steep;
    lw_add3(line->x, -1.0, cone->x, d);
    along = lw_dot3(d, cone->a);
    across = lw_dot3(d, line->a) - along * u;
    steep = (1.0 - sine * sine) * p - sine * sine * u * u;
    if (steep <= 1e-12) {
        return 0;
    }
    k = fmax(lw_dot3(d, d) - along * along - across * across / p, 0.0);
    *length = sine * u * sqrt(k / (p * steep)) - across / p;
    return 1;
}

/* The places of a ball or a bar and of a cone where they are nearest. Returns 0 where there are none. */
LW_STATIC int lw_spots_at_cone(const lw_seen *own, const lw_seen *cone, lw_spot *here, lw_spot *there)
{
    double length, e[3];
    lw_spot_fixed(own->x, here);
    if (own->f->kind == LW_BAR) {
        if (!lw_line_at_cone(own, cone, &length)) {
            return 0;
        }
        lw_spot_on_line(own, length, here);
    }
    lw_spot_in_cone(cone, here->x, there, e);
    return 1;
}

#endif

#endif
