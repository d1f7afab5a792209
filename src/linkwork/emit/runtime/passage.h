/* The way to a time, also through singular positions (careful.h): by free steps as long as those lead on;
   where a singular position is what stops them, from a state a little behind it once more, by careful ones.
   These end where they like, and the state at the time lies inside the last of them. */
#ifndef LW_PASSAGE_H
#define LW_PASSAGE_H

#include <math.h>

#include "careful.h"
#include "linkage.h"
#include "scheme.h"
#include "vector.h"

#define LW_NEARLY_SINGULAR 0.05 /* share of the best steadiness below which its loss may stop a run */
#define LW_STILL_STEADY 0.5     /* and above which a run may come again from a state */
#define LW_TRAIL_A_STEP 4       /* states of the trail in the longest step */
#define LW_STEPS_A_LOOK 200     /* free steps before it is asked whether a singularity keeps them short */
#define LW_SPOILS 100.0         /* tolerances of a step by which the constraints may move its end */
#define LW_SPOILS_LEAST 1e-7    /* and share of the state by which they always may */

LW_STATIC double *lw_trail_state(lw_machine *m, long number)
{
    return lw_careful_state(m, 1 + LW_PAST_STEPS + LW_LEAP_POINTS + (int)(number % LW_TRAIL_STATES));
}

LW_STATIC double lw_trail_time(const lw_machine *m, long number)
{
    return m->trail.times[number % LW_TRAIL_STATES];
}

/* Remember where a run stands, unless that is close to the last state remembered. */
LW_STATIC void lw_trail_add(lw_machine *m)
{
    lw_trail *trail = &m->trail;
    double since = trail->count > 0 ? fabs(m->s.t - lw_trail_time(m, trail->count - 1)) : INFINITY;
    trail->longest = fmax(trail->longest, fabs(m->s.h));
    if (since * LW_TRAIL_A_STEP >= trail->longest) {
        trail->times[trail->count % LW_TRAIL_STATES] = m->s.t;
        lw_copy_state(m, lw_trail_state(m, trail->count++), m->y);
    }
}

/* The number of the state to come again from, if a singular position may be what stops a run where it
   stands; else -1. */
LW_STATIC long lw_trail_before(lw_machine *m)
{
    long first = m->trail.count > LW_TRAIL_STATES ? m->trail.count - LW_TRAIL_STATES : 0, found = -1;
    double steady[LW_TRAIL_STATES], least = INFINITY;
    m->past.steady = 0.0;
    for (long i = first; i < m->trail.count; ++i) {
        steady[i - first] = lw_machine_steadiness(m, lw_trail_state(m, i), lw_trail_time(m, i));
        least = fmin(least, steady[i - first]);
    }
    for (long i = m->trail.count - 1; i >= first; --i) {
        found = steady[i - first] > LW_STILL_STEADY * m->past.steady ? i : found;
    }
    if (found >= 0) {
        double best = m->past.steady;
        least = fmin(least, lw_machine_steadiness(m, m->y, m->s.t));
        m->past.steady = best;
        found = least < LW_NEARLY_SINGULAR * best ? found : -1;
    }
    return found;
}

/* Go on by free steps from where the run stands, whatever was before. */
LW_STATIC void lw_passage_begin(lw_machine *m)
{
    m->run.careful = NULL;
    m->trail.count = 0;
    m->trail.longest = m->trail.way = m->past.spacing = 0.0;
    m->s.h_max = INFINITY;
}

/* Come again, with care. Returns 0 where a singular position is not what stops the run. */
LW_STATIC int lw_come_again(lw_machine *m)
{
    long number = lw_trail_before(m);
    const lw_integrator kept = m->s;
    double from, steady = m->past.steady;
    const lw_past blank = {{0.0}, 0, 0.0, 0.0, 0.0, 0.0};
    if (number < 0 || lw_trail_time(m, number) == m->s.t) {
        return 0;
    }
    from = lw_trail_time(m, number);
    lw_machine_start(m, from, m->s.rtol, m->method);
    m->s.steps = kept.steps;
    m->s.rejected = kept.rejected;
    m->s.evaluations = kept.evaluations;
    lw_stand_at(m, from, lw_trail_state(m, number), 0.0);
    m->past = blank;
    m->past.steady = steady;
    m->trail.way = kept.t - from;
    m->run.careful = m->careful;
    return 1;
}

/* Whether the constraints have moved the end of the last step by more than its error can be: so they do
   close to a singular position. */
LW_STATIC int lw_is_spoilt(const lw_machine *m)
{
    double size = fmax(lw_largest(m->size, m->y), m->atol[0] / m->s.rtol), moved = 0.0;
    for (int i = 0; i < m->size; ++i) {
        moved = fmax(moved, fabs(m->y[i] - m->s.y_new[i]));
    }
    return moved > fmax(LW_SPOILS * m->s.rtol, LW_SPOILS_LEAST) * size;
}

/* Free steps until t lies behind, never beyond `limit`, and no more than `most`. */
LW_STATIC lw_run_status lw_freely_until(lw_machine *m, double t, double limit, long most)
{
    int has_constraints = m->run.scheme->stabilise_count > 0, backwards = limit < m->s.t;
    long begun = m->s.steps + m->s.rejected, looked = begun;
    double here = m->s.t;
    while (backwards ? m->s.t > t : m->s.t < t) {
        long steps = m->s.steps + m->s.rejected;
        lw_run_status status;
        if (has_constraints) {
            lw_trail_add(m);
        }
        if (steps - looked >= LW_STEPS_A_LOOK) {
            int is_slow = fabs(m->s.t - here) < LW_STEPS_A_LOOK * LW_LEAP_SHARE * m->trail.longest;
            looked = steps;
            here = m->s.t;
            if (is_slow && lw_trail_before(m) >= 0) {
                return LW_RUN_STUCK;
            }
        }
        status = steps - begun < most ? lw_machine_step(m, limit) : LW_RUN_TOO_LONG;
        if (status == LW_RUN_DONE && has_constraints && lw_is_spoilt(m) && lw_trail_before(m) >= 0) {
            status = LW_RUN_STUCK;
        }
        if (status != LW_RUN_DONE) {
            return status;
        }
    }
    return LW_RUN_DONE;
}

/* Careful steps until t lies behind, and no more than `most` and those of the last of them. */
LW_STATIC lw_run_status lw_carefully_until(lw_machine *m, double t, long most)
{
    long begun = m->s.steps + m->s.rejected;
    double way = m->trail.way, here = m->s.t;
    lw_run_status status = LW_RUN_DONE;
    for (int steps = 1; status == LW_RUN_DONE && (t - m->s.t) * way > 0.0; ++steps) {
        if (m->s.steps + m->s.rejected - begun >= most) {
            return LW_RUN_TOO_LONG;
        }
        m->s.h_max = fabs(way);
        status = lw_careful_step(m, copysign(INFINITY, way));
        if (steps % LW_STUCK_STEPS == 0) {
            status = fabs(m->s.t - here) < fabs(way) ? LW_RUN_STUCK : status;
            here = m->s.t;
        }
    }
    return status;
}

/* Steps until t lies behind. Free ones go never beyond `limit`; neither these nor careful ones are more
   than `most`. */
LW_STATIC lw_run_status lw_pass_until(lw_machine *m, double t, double limit, long most)
{
    if (m->run.careful == NULL) {
        lw_run_status status = lw_freely_until(m, t, limit, most);
        if (status == LW_RUN_DONE || !lw_come_again(m)) {
            return status;
        }
    }
    return lw_carefully_until(m, t, most);
}

/* Whether the steps made so far can be gone on with to get from one time to another. */
LW_STATIC int lw_leads_on(const lw_machine *m, double from, double to)
{
    return m->run.careful == NULL ? m->s.t == from : (to - from) * m->trail.way >= 0.0;
}

#endif
