/* Rings: whole rims that yield where they press on a plane.

   A disc that leans presses with its deepest place, and one that lies flat must not rock on it. So a ring
   presses with places that are evenly around its circle from the deepest one on. With the depth d of its
   centre, its radius r and the sine s of its lean the place at the angle a from there is d + r s cos(a) deep;
   where all places press the energy in them is a function of d and s^2, as smooth and as round as the ring. A
   place turns around the ring as that leans another way, but those at a and -a do so against each other, and
   what their forces do is what the energy tells. That holds where they press together: of a ring that hangs
   over an edge the deepest place presses alone, and where it crosses the edge. */
#ifndef LW_SPACE_RING_H
#define LW_SPACE_RING_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_spot.h"

#define LW_RING_LOOKS 32   /* places of a ring at which it is looked whether it is before a face */
#define LW_RING_SLACK 1e-9 /* of the size: how far past that it may be */

/* Whether a feature is a place of a ring: then way[3] holds the cosine and the sine of its angle, and 1. */
LW_STATIC int lw_is_ring(const lw_feature *f)
{
    return f->kind == LW_RIM && f->way[3][2] != 0.0;
}

/* A unit vector across the axis of a ring, turned about that by the angle of a place: there (1) or back
   (-1). */
LW_STATIC void lw_turn_in_ring(const lw_seen *ring, const double *radial, double way, double *turned)
{
    double across[3], cosine = ring->f->way[3][0], sine = way * ring->f->way[3][1];
    lw_cross3(ring->a, radial, across);
    for (int i = 0; i < 3; ++i) {
        turned[i] = cosine * radial[i] + sine * across[i];
    }
}

/* The place of a ring that leans down along a direction. One that does not has no deepest place: then it
   counts from a fixed one. */
LW_STATIC void lw_spot_of_ring(const lw_seen *ring, const double *down, lw_spot *spot)
{
    double middle[3], fixed[3], deepest[3], radial[3];
    lw_turned(ring->at, ring->f->way[0], middle);
    lw_turn_in_ring(ring, middle, -1.0, fixed);
    lw_radial(ring, down, fixed, deepest);
    lw_turn_in_ring(ring, deepest, 1.0, radial);
    lw_spot_on_arc(ring, radial, spot);
}

/* The rate of the gap at a place of a ring: between those at the centre and where it is deepest. */
LW_STATIC double lw_rate_of_ring(const lw_shapes *g, const lw_where *w, const lw_seen *ring, int own,
                                 int other, const double *normal, const lw_spot *spot)
{
    double radial[3], deepest[3], v[3], u[3], rate[2];
    for (int i = 0; i < 3; ++i) {
        radial[i] = -spot->bend[i] / ring->f->r;
    }
    lw_turn_in_ring(ring, radial, -1.0, deepest);
    for (int i = 0; i < 2; ++i) {
        double x[3];
        lw_add3(ring->x, i * ring->f->r, deepest, x);
        lw_velocity_at(g, w, own, x, v);
        lw_velocity_at(g, w, other, x, u);
        lw_add3(v, -1.0, u, v);
        rate[i] = lw_dot3(normal, v);
    }
    return rate[0] + ring->f->way[3][0] * (rate[1] - rate[0]);
}

/* How far a ring is past where a plane bounds a solid, at most, for all of its places but the deepest one. */
LW_STATIC double lw_ring_past(const lw_shapes *g, const lw_solid *other, const lw_seen *ring,
                              const lw_seen *flat)
{
    double middle[3], across[3], x[3], d[3], buried, most = -LW_EVERYWHERE, slack = LW_RING_SLACK * g->size;
    if (ring->f->way[3][0] == 1.0) {
        return most;
    }
    lw_add3(ring->x, -1.0, flat->x, d);
    lw_add3(ring->x, -lw_dot3(d, flat->a), flat->a, x);
    if (lw_past_surface(other, flat->at, flat->f, x, &buried) <= slack - ring->f->r) {
        return most;
    }
    lw_turned(ring->at, ring->f->way[0], d);
    lw_turn_in_ring(ring, d, -1.0, middle);
    lw_cross3(ring->a, middle, across);
    for (int i = 0; i < LW_RING_LOOKS; ++i) {
        double angle = 6.283185307179586 * i / LW_RING_LOOKS;
        lw_add3(ring->x, ring->f->r * cos(angle), middle, x);
        lw_add3(x, ring->f->r * sin(angle), across, x);
        lw_add3(x, -1.0, flat->x, d);
        lw_add3(x, -lw_dot3(d, flat->a), flat->a, x);
        most = fmax(most, lw_past_surface(other, flat->at, flat->f, x, &buried));
    }
    return most - slack;
}

#endif

#endif
