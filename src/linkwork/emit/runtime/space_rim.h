/* Where a rim is nearest to an edge, to the side of a cylinder, to another rim, or to the wall of a hollow
   one.

   The place on the other feature that is nearest to a point of the circle is known in closed form; so the
   distance is a function of the angle along the arc, whose least value (in a hollow cylinder the largest)
   is searched for: by places along the arc and a little beyond, then between two of them by Newton's method
   and halves. It has one within the arc, or the touch belongs to another arc of the same circle.

   A disc that lies across an edge crosses it twice, and as it slides off both places come together. Seen
   along the rim and along the edge, the solid of the disc is on one side at the one and on the other side
   at the other, and that stays so as long as rim and edge cross: by it the two are told apart, and each is
   that of a feature of its own, of which all else is the same. */
#ifndef LW_SPACE_RIM_H
#define LW_SPACE_RIM_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_cone.h"
#include "space_spot.h"

#define LW_RIM_LOOKS 12      /* parts of an arc at whose ends the distance is looked at */
#define LW_RIM_BESIDE 1.25   /* how far along the circle, by half the arc */
#define LW_RIM_HALVINGS 60
#define LW_RIM_PIECES 3      /* in which a part is looked at where several places may be in it */
#define LW_GOLDEN 0.6180339887498949

/* The place on another feature that is nearest to a point, and the way from there to it. Returns how far it
   goes along with the point where that moves along the feature, by the point's way: on a rim less or more.
   */
LW_STATIC double lw_nearest_on(const lw_seen *other, const double *x, lw_spot *spot, double *away)
{
    double axial, share = 1.0;
    lw_add3(x, -1.0, other->x, away);
    axial = lw_dot3(away, other->a);
    if (other->f->kind == LW_RIM) {
        lw_spot_on_circle(other, away, spot);
        share = other->f->r / sqrt(fmax(lw_dot3(away, away) - axial * axial, 1e-300));
    } else {
        lw_spot_on_line(other, axial, spot);
    }
    lw_add3(x, -1.0, spot->x, away);
    return share;
}

/* The search along an arc: from its middle towards across it. */
typedef struct {
    const lw_seen *own, *other;
    double middle[3], across[3], sign;
    double least; /* of what was seen: half the distance squared */
    lw_spot here, there;
} lw_rim_search;

/* What is seen at an angle: half the distance squared (less that where it should be large; from a cone the
   distance itself), its slope along the arc, and how that changes. */
typedef struct {
    double angle, distance, slope, bend;
} lw_rim_look;

/* Look at an angle; both places there are kept. */
LW_STATIC lw_rim_look lw_rim_at(lw_rim_search *s, double angle)
{
    double radial[3], away[3], c = cos(angle), q = sin(angle), share, along;
    lw_rim_look look;
    for (int k = 0; k < 3; ++k) {
        radial[k] = c * s->middle[k] + q * s->across[k];
    }
    lw_spot_on_arc(s->own, radial, &s->here);
    look.angle = angle;
    if (s->other->f->kind == LW_CONE) {
        lw_cone_look(s->other, &s->here, &s->there, &look.distance, &look.slope, &look.bend);
        return look;
    }
    share = lw_nearest_on(s->other, s->here.x, &s->there, away);
    along = lw_dot3(s->here.along, s->there.along);
    share /= lw_dot3(s->there.along, s->there.along);
    look.distance = 0.5 * s->sign * lw_dot3(away, away);
    look.slope = s->sign * lw_dot3(away, s->here.along);
    look.bend = s->sign * (lw_dot3(s->here.along, s->here.along) - share * along * along +
                           lw_dot3(away, s->here.bend));
    return look;
}

/* The look between two at which the slope (or with is_bend its change) has no sign: by halves, and by where
   the straight line between both says as long as that is quicker. */
LW_STATIC lw_rim_look lw_rim_between(lw_rim_search *s, lw_rim_look low, lw_rim_look high, int is_bend)
{
    lw_rim_look look = low;
    for (int i = 0; i < LW_RIM_HALVINGS && high.angle - low.angle > 1e-15; ++i) {
        double left = is_bend ? low.bend : low.slope, right = is_bend ? high.bend : high.slope, value;
        double before = high.angle - low.angle, share = i % 3 == 2 ? 0.5 : left / (left - right);
        double angle = low.angle + share * before;
        angle = fmin(fmax(angle, low.angle + 1e-3 * before), high.angle - 1e-3 * before);
        look = lw_rim_at(s, angle);
        value = is_bend ? look.bend : look.slope;
        if (value == 0.0) {
            break;
        }
        if ((value < 0.0) == (left < 0.0)) {
            low = look;
        } else {
            high = look;
        }
    }
    return look;
}

/* Where between two looks the slope rises least, or falls most: by golden sections. */
LW_STATIC lw_rim_look lw_rim_flattest(lw_rim_search *s, double low, double high)
{
    double span = high - low;
    lw_rim_look one = lw_rim_at(s, high - LW_GOLDEN * span), other = lw_rim_at(s, low + LW_GOLDEN * span);
    for (int i = 0; i < LW_RIM_HALVINGS && high - low > 1e-9; ++i) {
        if (one.bend < other.bend) {
            high = other.angle;
            other = one;
            one = lw_rim_at(s, high - LW_GOLDEN * (high - low));
        } else {
            low = one.angle;
            one = other;
            other = lw_rim_at(s, low + LW_GOLDEN * (high - low));
        }
    }
    return one;
}

/* Whether the slope may have more zeros between two looks than its signs there tell: by the cubic with the
   same slopes and changes. */
LW_STATIC int lw_rim_hides(const lw_rim_look *low, const lw_rim_look *high)
{
    double span = high->angle - low->angle, m = span * low->bend, n = span * high->bend;
    double fall = 6.0 * (low->slope - high->slope), a = fall + 3.0 * (m + n), b = -fall - 4.0 * m - 2.0 * n;
    double least = a > 0.0 && b < 0.0 && b > -2.0 * a ? m - 0.25 * b * b / a : fmin(m, n), size;
    if (low->slope < 0.0 && high->slope >= 0.0) {
        return least < 0.1 * fmax(m, n);
    }
    size = fmin(fabs(low->slope), fabs(high->slope)); /* it may come back from the other side of 0 */
    return (low->slope < 0.0) == (high->slope < 0.0) && (low->slope < 0.0 ? m > 0.0 : n > 0.0) &&
           least < 0.0 && size < fabs(m) + fabs(n);
}

/* The ends of pieces between two looks in each of which the slope rises or falls all along. Returns how many
   pieces. */
LW_STATIC int lw_rim_pieces(lw_rim_search *s, const lw_rim_look *low, const lw_rim_look *high,
                            lw_rim_look *ends)
{
    int count = 0;
    ends[0] = *low;
    if (lw_rim_hides(low, high)) {
        lw_rim_look flattest = lw_rim_flattest(s, low->angle, high->angle);
        if (low->bend > 0.0 && flattest.bend < 0.0) {
            ends[++count] = lw_rim_between(s, *low, flattest, 1);
        }
        if (high->bend > 0.0 && flattest.bend < 0.0) {
            ends[++count] = lw_rim_between(s, flattest, *high, 1);
        }
    }
    ends[++count] = *high;
    return count;
}

/* Whether a feature of a rim sees a place where it is nearest to another: of edges and rims that it crosses
   those on its own side. */
LW_STATIC int lw_rim_sees(const lw_rim_search *s)
{
    double n[3];
    if (s->other->f->kind >= LW_CONE || (s->other->f->kind == LW_BAR && s->other->f->r > 0.0)) {
        return 1;
    }
    lw_cross3(s->here.along, s->there.along, n);
    return (lw_inwards(s->own, &s->here, s->other, &s->there, n) < 0.0) == (s->own->f->side < 0);
}

/* The angle within a reach of the middle where the distance is least. Returns 0 where there is none on the
   side that the feature sees, 2 where it is at the end of the reach. */
LW_STATIC int lw_rim_nearest(lw_rim_search *s, double reach, double *angle)
{
    double best = INFINITY, end = INFINITY;
    int found = 0, others = 0;
    lw_rim_look low = lw_rim_at(s, -reach), ends[LW_RIM_PIECES + 1];
    for (int i = 0; i < LW_RIM_LOOKS; ++i) {
        lw_rim_look high = lw_rim_at(s, reach * (2.0 * (i + 1) / LW_RIM_LOOKS - 1.0));
        int pieces = lw_rim_pieces(s, &low, &high, ends);
        for (int k = 0; k < pieces; ++k) {
            if (ends[k].slope < 0.0 && ends[k + 1].slope >= 0.0) {
                lw_rim_look nearest = lw_rim_between(s, ends[k], ends[k + 1], 0);
                int sees = lw_rim_sees(s);
                s->least = fmin(s->least, nearest.distance);
                others |= !sees;
                if (sees && nearest.distance < best) {
                    best = nearest.distance;
                    *angle = nearest.angle;
                    found = 1;
                }
            }
        }
        if (!found && fmin(low.distance, high.distance) < end) {
            end = fmin(low.distance, high.distance);
            *angle = low.distance < high.distance ? low.angle : high.angle;
        }
        s->least = fmin(s->least, fmin(low.distance, high.distance));
        low = high;
    }
    return found ? 1 : others || s->own->f->side < 0 ? 0 : 2;
}

/* The places of a rim and of what it meets where they are nearest. Those that are not within the arc are
   beyond it. Returns 0 where there are none, 2 where they are nearer still along the circle. *least is how
   far the line or circle of what it meets is from the arc, on whichever side. */
LW_STATIC int lw_spots_of_rim(const lw_seen *own, const lw_seen *other, lw_spot *here, lw_spot *there,
                              double *least)
{
    double half = acos(fmin(fmax(own->f->length, -1.0), 1.0)), angle = 0.0;
    int found;
    lw_rim_search s;
    s.own = own;
    s.other = other;
    s.sign = other->f->kind == LW_PIPE ? -1.0 : 1.0;
    lw_turned(own->at, own->f->way[0], s.middle);
    lw_cross3(own->a, s.middle, s.across);
    s.least = INFINITY;
    found = lw_rim_nearest(&s, LW_RIM_BESIDE * half, &angle);
    *least = sqrt(2.0 * fmax(s.least, 0.0));
    lw_rim_at(&s, angle);
    *here = s.here;
    *there = s.there;
    here->beyond = own->f->r * (own->f->length - cos(angle));
    return found;
}

#endif

#endif
