/* The methods by which motions with contacts are integrated.

   Events cut most steps short, so a step should be cheap. At rough tolerances that is one of order 5: six
   evaluations, and what is between its ends for nothing; at fine ones order 8 needs so many fewer steps that
   its fifteen evaluations pay. Radau's is for contacts that are stiff. */
#ifndef LW_CONTACT_METHOD_H
#define LW_CONTACT_METHOD_H

#include "dop853.h"
#include "dopri5.h"
#include "linkage.h"
#include "radau5.h"
#include "stepping.h"

#define LW_ROUGH 1e-6 /* the tolerance from which on order 5 is used */

typedef enum { LW_ORDER_8 = 0, LW_ORDER_5 = 1, LW_IMPLICIT = 2 } lw_method;

/* The explicit method for a tolerance. */
LW_STATIC lw_method lw_explicit_method(double rtol)
{
    return rtol >= LW_ROUGH ? LW_ORDER_5 : LW_ORDER_8;
}

/* Begin to integrate a machine's state from a time on. What was counted so far is kept. */
LW_STATIC void lw_method_begin(lw_machine *m, lw_method method, lw_rate f, void *context, double t,
                               double rtol)
{
    const lw_integrator kept = m->s;
    m->is_implicit = method == LW_IMPLICIT;
    if (method == LW_ORDER_8) {
        lw_dop853_begin(&m->s, m->size, f, context, t, m->y, rtol, m->atol, m->explicit_work);
    } else if (method == LW_ORDER_5) {
        lw_dopri5_begin(&m->s, m->size, f, context, t, m->y, rtol, m->atol, m->explicit_work);
    } else {
        lw_radau5_begin(&m->s, m->size, f, context, t, m->y, rtol, m->atol, m->implicit_work,
                        m->integers + m->run.scheme->most_unknowns);
    }
    m->s.steps = kept.steps;
    m->s.rejected = kept.rejected;
    m->s.evaluations = kept.evaluations;
    m->s.jacobians = kept.jacobians;
}

/* One step of order 5. Small systems have code of their own, as in lw_machine_advance. */
LW_STATIC lw_step_status lw_advance_by_5(lw_integrator *s, double t_end)
{
    switch (s->n) {
    case 2:
        return lw_dopri5_advance(s, 2, s->f, t_end);
    case 4:
        return lw_dopri5_advance(s, 4, s->f, t_end);
    case 6:
        return lw_dopri5_advance(s, 6, s->f, t_end);
    default:
        return lw_dopri5_step(s, t_end);
    }
}

/* One accepted step. */
LW_STATIC lw_step_status lw_method_step(lw_machine *m, lw_method method, double t_end)
{
    return method == LW_ORDER_8   ? lw_machine_advance(&m->s, t_end)
           : method == LW_ORDER_5 ? lw_advance_by_5(&m->s, t_end)
                                  : lw_radau5_step(&m->s, t_end);
}

/* The state inside the last step. */
LW_STATIC void lw_method_dense(lw_machine *m, lw_method method, double t, double *y)
{
    if (method == LW_ORDER_8) {
        lw_dop853_dense(&m->s, t, y);
    } else if (method == LW_ORDER_5) {
        lw_dopri5_dense(&m->s, t, y);
    } else {
        lw_radau5_dense(&m->s, t, y);
    }
}

#endif
