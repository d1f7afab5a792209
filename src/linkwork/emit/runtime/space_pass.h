/* Whether what touches at the ends of features goes past there: edges of two solids that are flush.

   Where an edge of one solid is on an edge of the other, a face of either may lie between both: then the
   faces are alternatives, and what does not approach one of them is free. What joints lead through a hole
   that fits has faces on many sides; it goes past if no point of it is in the other a little later. */
#ifndef LW_SPACE_PASS_H
#define LW_SPACE_PASS_H

#ifdef LW_SPACE

#include <math.h>

#include "linkage.h"
#include "space.h"
#include "space_measure.h"

#define LW_PASS_AROUND 12   /* directions around a normal in which it is looked whether a solid is there */
#define LW_PASS_NEAR 1e-3   /* of the smaller solid: how far */
#define LW_PASS_RISES 3
#define LW_PASS_PLACES 11   /* along each edge of a cube around a touch in which it is looked for overlaps: */
#define LW_PASS_LATER 0.5   /* when solids have moved by so much of half its edge, */
#define LW_PASS_DEEP 1e-3   /* what is deeper in both than this of it */

/* Whether a solid is on one side of a plane alone near a point of it: that away from the normal. */
LW_STATIC int lw_is_below(const lw_solid *solid, const lw_place *at, const double *x, const double *normal,
                          double near)
{
    const double rise[LW_PASS_RISES] = {0.05, 0.3, 0.8};
    double one[3], other[3];
    lw_across3(normal, one);
    lw_cross3(normal, one, other);
    for (int i = 0; i < LW_PASS_RISES * LW_PASS_AROUND; ++i) {
        double up = rise[i / LW_PASS_AROUND], flat = sqrt(1.0 - up * up), point[3], local[3];
        double angle = 6.283185307179586 * (i % LW_PASS_AROUND) / LW_PASS_AROUND;
        lw_add3(x, near * up, normal, point);
        lw_add3(point, near * flat * cos(angle), one, point);
        lw_add3(point, near * flat * sin(angle), other, point);
        lw_local(at, point, local);
        if (lw_solid_value(solid, local, -1, 0.0) < 0.0) {
            return 0;
        }
    }
    return 1;
}

/* Whether the place of a touch at an end of its face is none of that: no part of the solid is near it. So it
   is with the face of a hull where that ends, flush, beside what is taken away from it. */
LW_STATIC int lw_is_off_face(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                             double slack)
{
    const lw_solid *own, *other;
    double near, back[3] = {-m->n[0], -m->n[1], -m->n[2]};
    lw_touch_solids(g, touch, &own, &other);
    near = LW_PASS_NEAR * fmin(own->reach, other->reach);
    return m->past > -slack && lw_is_below(other, w->place + other->body, m->x, m->n, near) &&
           lw_is_below(other, w->place + other->body, m->x, back, near);
}

/* Whether a point of the world, seen from a solid, is deeper in it than a distance. */
LW_STATIC int lw_is_deep(const lw_solid *solid, const lw_place *at, const double *x, double deep)
{
    double local[3];
    lw_local(at, x, local);
    return lw_solid_value(solid, local, -1, 0.0) < -deep;
}

/* Whether two solids are in one another near a touch a little later: when the round has moved towards the
   face, and as far along it if it slips past it faster than a speed. */
LW_STATIC int lw_comes_into(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                            double near, double still)
{
    const lw_solid *own, *other;
    double way[3], u[3], cell = 2.0 * near / (LW_PASS_PLACES - 1);
    lw_touch_solids(g, touch, &own, &other);
    lw_velocity_at(g, w, own->body, m->x, way);
    lw_velocity_at(g, w, other->body, m->x, u);
    lw_add3(way, -1.0, u, way);
    lw_add3(way, -lw_dot3(way, m->n), m->n, way);
    if (lw_unit3(way, m->n) <= still) {
        lw_add3(way, -1.0, way, way);
    }
    lw_add3(way, -1.0, m->n, way);
    for (int i = 0; i < LW_PASS_PLACES * LW_PASS_PLACES * LW_PASS_PLACES; ++i) {
        int place[3] = {i % LW_PASS_PLACES, i / LW_PASS_PLACES % LW_PASS_PLACES,
                        i / (LW_PASS_PLACES * LW_PASS_PLACES)};
        double x[3], before[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = m->x[k] - near + cell * place[k];
        }
        lw_add3(x, -LW_PASS_LATER * near, way, before);
        if (lw_is_deep(other, w->place + other->body, x, LW_PASS_DEEP * near) &&
            lw_is_deep(own, w->place + own->body, before, LW_PASS_DEEP * near)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a face of one of the two solids of a touch lies between both there, and is not approached faster
   than a speed. */
LW_STATIC int lw_goes_along_face(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                                 double near, double slack, double still)
{
    const lw_solid *ends[2];
    double v[3], u[3];
    lw_touch_solids(g, touch, &ends[0], &ends[1]);
    lw_velocity_at(g, w, ends[0]->body, m->x, v);
    lw_velocity_at(g, w, ends[1]->body, m->x, u);
    lw_add3(v, -1.0, u, v);
    for (int k = 0; k < 2; ++k) { /* the solid that has the face */
        for (int i = 0; i < ends[k]->features; ++i) {
            const lw_feature *f = ends[k]->feature + i;
            double point[3], normal[3], opposite[3], sign = k == 1 ? 1.0 : -1.0;
            if (f->kind != LW_FLAT) {
                continue;
            }
            lw_placed(w->place + ends[k]->body, f->x, point);
            lw_turned(w->place + ends[k]->body, f->a, normal);
            lw_add3(m->x, -1.0, point, point);
            if (fabs(lw_dot3(point, normal)) > slack || sign * lw_dot3(normal, m->n) > 0.9 ||
                sign * lw_dot3(normal, v) < -still) {
                continue;
            }
            lw_add3(normal, -2.0, normal, opposite);
            if (lw_is_below(ends[k], w->place + ends[k]->body, m->x, normal, near) &&
                lw_is_below(ends[1 - k], w->place + ends[1 - k]->body, m->x, opposite, near)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether a touch at the ends of features goes past there. What a joint leads past does so always, also when
   something strikes it that rests there; else it must approach. */
LW_STATIC int lw_goes_past(const lw_shapes *g, const lw_where *w, lw_touch touch, const lw_measure *m,
                           double slack, double still)
{
    const lw_couple *couple = g->couple + touch.couple;
    double near = LW_PASS_NEAR * fmin(g->solid[couple->a].reach, g->solid[couple->b].reach);
    int is_led = couple->joined == LW_REVOLUTE || couple->joined == LW_PRISMATIC ||
                 couple->joined == LW_CYLINDRICAL;
    return (m->rate < 0.0 && lw_goes_along_face(g, w, touch, m, near, slack, still)) ||
           (is_led && !lw_comes_into(g, w, touch, m, near, still));
}

#endif

#endif
