/* Rest: nothing moves, and nothing can begin to.

   Where all speeds are none, and forces of touches cancel all accelerations but for rounding, a machine in
   which nothing depends on the clock stays as it is for good. What rounding leaves of accelerations would
   else be integrated, and keep steps short however long the time is. */
#ifndef LW_REST_H
#define LW_REST_H

#include <math.h>

#include "held_motion.h"
#include "linkage.h"
#include "rigid_state.h"
#include "vector.h"

#define LW_CANCELLED 1e-12 /* of an acceleration: what is left where forces cancel it */

/* The largest velocity of a body, or acceleration, as a speed of its origin or at the size of the whole. */
LW_STATIC double lw_largest_motion(const lw_shapes *shapes, const double *numbers)
{
    double largest = 0.0;
    for (int i = 0; i < shapes->bodies; ++i) {
        const double *own = numbers + LW_BODY_NUMBERS * i + LW_BODY_SPEEDS;
        double turn = lw_norm(LW_BODY_NUMBERS - LW_BODY_SPEEDS - LW_DIMENSION, own + LW_DIMENSION);
        largest = lw_larger(largest, lw_larger(lw_norm(LW_DIMENSION, own), turn * shapes->size));
    }
    return largest;
}

/* Whether the machine rests until a time. The bodies are told where the last step ended. */
LW_STATIC int lw_is_at_rest(lw_rigid *g, double until)
{
    lw_touching *r = &g->r;
    const lw_integrator *s = &r->m.s;
    int numbers = LW_BODY_NUMBERS * r->shapes->bodies;
    double pull;
    if (!r->program->is_timeless ||
        !(lw_largest_motion(r->shapes, r->now.six) * (until - s->t) <= g->slack) ||
        lw_touching_rate(s->t, s->y, g->rows_state, r)) {
        return 0;
    }
    if (r->held_count == 0) {
        return lw_largest(r->m.size, g->rows_state) == 0.0;
    }
    pull = lw_largest_motion(r->shapes, r->acceleration);
    for (int j = 0; j < lw_forces_in_all(r); ++j) {
        for (int i = 0; i < numbers; ++i) {
            r->acceleration[i] += r->force[j] * LW_ROW(r->moved, j, numbers)[i];
        }
    }
    return lw_largest(r->m.run.scheme->first, g->rows_state) == 0.0 &&
           lw_largest_motion(r->shapes, r->acceleration) <= LW_CANCELLED * pull;
}

/* The last step goes on until a time without any change. */
LW_STATIC void lw_rest_until(lw_rigid *g, double until)
{
    lw_integrator *s = &g->r.m.s;
    s->t_old = s->t = until;
    s->reach = 0.0;
    lw_integrator_changed(s);
}

#endif
