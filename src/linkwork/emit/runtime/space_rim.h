/* Where a rim is nearest to an edge, to the side of a cylinder, to another rim, or to the wall of a hollow
   one.

   The place on the other feature that is nearest to a point of the circle is known in closed form; so the
   distance is a function of the angle along the arc, whose least value (in a hollow cylinder the largest)
   is searched for: by places along the arc and a little beyond, then between two of them by Newton's method
   and halves. It has one within the arc, or the touch belongs to another arc of the same circle. */
#ifndef LW_SPACE_RIM_H
#define LW_SPACE_RIM_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_spot.h"

#define LW_RIM_LOOKS 12      /* parts of an arc at whose ends the distance is looked at */
#define LW_RIM_BESIDE 1.25   /* how far along the circle, by half the arc */
#define LW_RIM_HALVINGS 60

/* The place on another feature that is nearest to a point, and the way from there to it. */
LW_STATIC void lw_nearest_on(const lw_seen *other, const double *x, lw_spot *spot, double *away)
{
    lw_add3(x, -1.0, other->x, away);
    if (other->f->kind == LW_RIM) {
        lw_spot_on_circle(other, away, spot);
    } else {
        lw_spot_on_line(other, lw_dot3(away, other->a), spot);
    }
    lw_add3(x, -1.0, spot->x, away);
}

/* The search along an arc: from its middle towards across it. */
typedef struct {
    const lw_seen *own, *other;
    double middle[3], across[3], sign;
    lw_spot here, there;
} lw_rim_search;

/* Both places at an angle; returns the distance squared, or less that where it should be large. */
LW_STATIC double lw_rim_look(lw_rim_search *s, double angle, double *slope)
{
    double radial[3], away[3], c = cos(angle), q = sin(angle);
    for (int k = 0; k < 3; ++k) {
        radial[k] = c * s->middle[k] + q * s->across[k];
    }
    lw_spot_on_arc(s->own, radial, &s->here);
    lw_nearest_on(s->other, s->here.x, &s->there, away);
    *slope = s->sign * lw_dot3(away, s->here.along);
    return s->sign * lw_dot3(away, away);
}

/* The angle between two at which the slope changes from falling to rising: by halves, and by where the
   straight line between the slopes at both ends says as long as that is quicker. */
LW_STATIC double lw_rim_between(lw_rim_search *s, double low, double low_slope, double high,
                                double high_slope)
{
    double angle = 0.5 * (low + high), slope;
    for (int i = 0; i < LW_RIM_HALVINGS && high - low > 1e-15; ++i) {
        double before = high - low, span = high_slope - low_slope;
        angle = i % 3 == 2 || !(span > 0.0) ? 0.5 * (low + high) : low - low_slope * before / span;
        angle = fmin(fmax(angle, low + 1e-3 * before), high - 1e-3 * before);
        lw_rim_look(s, angle, &slope);
        if (slope == 0.0) {
            break;
        }
        if (slope < 0.0) {
            low = angle;
            low_slope = slope;
        } else {
            high = angle;
            high_slope = slope;
        }
    }
    return angle;
}

/* The places of a rim and of what it meets where they are nearest. Those that are not within the arc are
   beyond it. Returns 1. */
LW_STATIC int lw_spots_of_rim(const lw_seen *own, const lw_seen *other, lw_spot *here, lw_spot *there)
{
    double half = acos(fmin(fmax(own->f->length, -1.0), 1.0)), reach = LW_RIM_BESIDE * half;
    double slopes[LW_RIM_LOOKS + 1], best = INFINITY, angle, piece, slope;
    int found = 0;
    lw_rim_search s;
    s.own = own;
    s.other = other;
    s.sign = other->f->kind == LW_PIPE ? -1.0 : 1.0;
    lw_turned(own->at, own->f->way[0], s.middle);
    lw_cross3(own->a, s.middle, s.across);
    for (int i = 0; i <= LW_RIM_LOOKS; ++i) {
        double distance = lw_rim_look(&s, reach * (2.0 * i / LW_RIM_LOOKS - 1.0), slopes + i);
        if (distance < best) {
            best = distance;
            found = i;
        }
    }
    angle = reach * (2.0 * found / LW_RIM_LOOKS - 1.0);
    piece = 2.0 * reach / LW_RIM_LOOKS;
    if (slopes[found] > 0.0 && found > 0 && slopes[found - 1] < 0.0) {
        angle = lw_rim_between(&s, angle - piece, slopes[found - 1], angle, slopes[found]);
    } else if (slopes[found] < 0.0 && found < LW_RIM_LOOKS && slopes[found + 1] > 0.0) {
        angle = lw_rim_between(&s, angle, slopes[found], angle + piece, slopes[found + 1]);
    }
    lw_rim_look(&s, angle, &slope);
    *here = s.here;
    *there = s.there;
    here->beyond = own->f->r * (own->f->length - cos(angle));
    return 1;
}

#endif

#endif
