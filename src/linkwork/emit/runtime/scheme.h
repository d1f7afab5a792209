/* The scheme of a simulation program (T. Ellman, R. Deak, J. Fotinatos 2003, Fig. 10): initialise, then
   integrate and bring the state back onto the constraints after each step. Variables of order zero, q0, are
   computed from the state when they are asked for. */
#ifndef LW_SCHEME_H
#define LW_SCHEME_H

#include <math.h>
#include <string.h>

#include "careful.h"
#include "linkage.h"
#include "scheme_types.h"
#include "settle.h"
#include "stepping.h"

#define LW_STUCK_STEPS 1000     /* steps after which the way made is looked at */
#define LW_STUCK_SHARE 1e-5     /* share of the whole time below which such a way is no way */

/* The positions of order zero that belong to a state, from where they were. */
LW_STATIC void lw_machine_zeroth(lw_machine *m, const double *y, double t)
{
    const lw_scheme *s = m->run.scheme;
    if (s->zeroth > 0) {
        s->zeroth_positions(y, m->q0, m->run.k, &t, m->before);
        memcpy(m->q0, m->before, sizeof(double) * (size_t)s->zeroth);
    }
}

/* The outputs of a state at a time. */
LW_STATIC void lw_machine_observe(lw_machine *m, const double *y, double t, double *out)
{
    const lw_scheme *s = m->run.scheme;
    lw_machine_zeroth(m, y, t);
    s->observe(y, m->q0, m->run.k, m->run.c, &t, out);
}

/* The state inside the last step. Returns 0 where it cannot be brought onto the constraints. */
LW_STATIC int lw_machine_between(lw_machine *m, double t, double *y)
{
    if (m->past.spacing != 0.0) {
        lw_leap_dense(m, t, y, NULL);
        return 1;
    }
    if (m->is_implicit ? lw_radau5_dense(&m->s, t, y) : lw_dop853_dense(&m->s, t, y)) {
        return 0;
    }
    if (m->run.careful != NULL && !lw_machine_is_steady(m, y, t)) {
        return 1; /* the constraints would spoil it */
    }
    return lw_stabilise(&m->run, y, t);
}

/* One row inside the last step: dense output, back onto the constraints, outputs. */
LW_STATIC int lw_machine_row(lw_machine *m, double t, double *state, double *out)
{
    const lw_scheme *s = m->run.scheme;
    double *y = m->y;
    if (t != m->s.t) {
        if (!lw_machine_between(m, t, m->row)) {
            return 0;
        }
        y = m->row;
    }
    memcpy(state, y, sizeof(double) * (size_t)m->size);
    m->worst = fmax(m->worst, lw_residual_of(&m->run, s->stabilise_count, s->stabilise, y, NULL, t));
    lw_machine_observe(m, y, t, out);
    return 1;
}

/* From an initialised state through all rows of times, the first of which is where the state stands. Writes
   the state and the outputs of each row; returns how many rows were reached. Steps that end by_rows go beyond
   none of them, so that nothing shorter than a row is stepped over unseen. */
LW_STATIC long lw_machine_run(lw_machine *m, long rows, const double *times, double rtol, int method,
                              int by_rows, long most_steps, double *states, double *outs,
                              lw_run_status *status)
{
    const lw_scheme *s = m->run.scheme;
    long row = 1, looked = 0;
    double here = times[0], limit;
    *status = LW_RUN_DONE;
    lw_machine_start(m, times[0], rtol, method);
    memcpy(states, m->y, sizeof(double) * (size_t)m->size);
    lw_machine_observe(m, m->y, times[0], outs);
    m->worst = lw_residual_of(&m->run, s->stabilise_count, s->stabilise, m->y, NULL, times[0]);
    while (row < rows) {
        if (m->s.steps + m->s.rejected >= most_steps) {
            *status = LW_RUN_TOO_LONG;
            break;
        }
        if (m->s.steps + m->s.rejected - looked >= LW_STUCK_STEPS) {
            int is_stuck = fabs(m->s.t - here) < LW_STUCK_SHARE * fabs(times[rows - 1] - times[0]);
            looked = m->s.steps + m->s.rejected;
            here = m->s.t;
            if (is_stuck) {
                *status = LW_RUN_STUCK;
                break;
            }
        }
        limit = times[by_rows ? row : rows - 1];
        *status = m->run.careful == NULL ? lw_machine_step(m, limit) : lw_careful_step(m, limit);
        if (*status != LW_RUN_DONE) {
            break;
        }
        while (row < rows && (times[row] - m->s.t) * (times[rows - 1] - times[0]) <= 0.0) {
            if (!lw_machine_row(m, times[row], states + row * m->size, outs + row * s->outputs)) {
                *status = LW_RUN_LEFT;
                return row;
            }
            ++row;
        }
    }
    return row;
}

/* What programs in other languages call. Positions and rates that satisfy everything at time t, near those
   given, see lw_initialise; y becomes the state, left the largest residual of the positions. */
LW_STATIC int lw_machine_initialise(const lw_scheme *scheme, double *doubles, int *integers, const double *k,
                                    const double *c, double t, double *q, double *v, const double *ease_q,
                                    const double *ease_v, double *y, double *left)
{
    lw_machine m;
    lw_run_status status;
    lw_machine_begin(&m, scheme, k, c, doubles, integers);
    status = lw_initialise(&m.run, q, v, ease_q, ease_v, t, y);
    *left = lw_residual_of(&m.run, scheme->initialise_count, scheme->initialise, q, NULL, t);
    return status;
}

/* The nearest state on the constraints into y; then what is reported of it into out, from the positions q0 of
   order zero, which are brought up to date. Returns 0 where there is none. */
LW_STATIC int lw_machine_settle(const lw_scheme *scheme, double *doubles, int *integers, const double *k,
                                const double *c, double t, double *y, double *q0, double *out)
{
    lw_machine m;
    int settled;
    lw_machine_begin(&m, scheme, k, c, doubles, integers);
    memcpy(m.q0, q0, sizeof(double) * (size_t)scheme->zeroth);
    settled = lw_stabilise(&m.run, y, t);
    lw_machine_observe(&m, y, t, out);
    memcpy(q0, m.q0, sizeof(double) * (size_t)scheme->zeroth);
    return settled;
}

/* How near the states of a motion come to a singular position: their least steadiness, by the largest. */
LW_STATIC double lw_machine_least_steadiness(const lw_scheme *scheme, double *doubles, int *integers,
                                             const double *k, const double *c, long rows,
                                             const double *times, const double *states)
{
    lw_machine m;
    double least = INFINITY;
    lw_machine_begin(&m, scheme, k, c, doubles, integers);
    for (long row = 0; row < rows; ++row) {
        least = fmin(least, lw_machine_steadiness(&m, states + row * m.size, times[row]));
    }
    return rows > 0 && m.past.steady > 0.0 ? least / m.past.steady : 0.0;
}

/* The motion from state y at times[0] through all rows; returns how many were reached. In the manner 1
   it is led through singular positions (careful.h), in the manner 2 steps end by rows. statistics: steps,
   rejected, evaluations, Newton steps of stabilisation, whether it became implicit, status of the last step,
   time reached, largest residual. */
LW_STATIC long lw_machine_simulate(const lw_scheme *scheme, double *doubles, int *integers, const double *k,
                                   const double *c, const double *q0, const double *y, const double *atol,
                                   double rtol, int method, int manner, long most_steps, long rows,
                                   const double *times, double *states, double *outs, double *statistics,
                                   int *ended)
{
    lw_machine m;
    lw_run_status status;
    long reached;
    lw_machine_begin(&m, scheme, k, c, doubles, integers);
    memcpy(m.y, y, sizeof(double) * (size_t)m.size);
    memcpy(m.atol, atol, sizeof(double) * (size_t)m.size);
    memcpy(m.q0, q0, sizeof(double) * (size_t)scheme->zeroth);
    m.run.careful = manner == 1 ? m.careful : NULL;
    reached = lw_machine_run(&m, rows, times, rtol, method, manner == 2, most_steps, states, outs, &status);
    statistics[0] = (double)m.s.steps;
    statistics[1] = (double)m.s.rejected;
    statistics[2] = (double)m.s.evaluations;
    statistics[3] = (double)m.run.settled;
    statistics[4] = m.is_implicit;
    statistics[5] = m.step;
    statistics[6] = m.s.t;
    statistics[7] = m.worst;
    *ended = status;
    return reached;
}

#endif
