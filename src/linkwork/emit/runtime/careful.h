/* Careful steps, which lead through singular positions.

   In a singular position the constraints depend on each other: there they say nothing of some velocity, and
   near it rounding has more to say than they. The motion itself passes smoothly. So no step ends there, and
   where steps become too short to get by, a polynomial through the last positions leaps over it. A leap
   counts only if the machine moves behind it as the polynomial does: a force that jumps is not leapt over. */
#ifndef LW_CAREFUL_H
#define LW_CAREFUL_H

#include <math.h>
#include <string.h>

#include "linkage.h"
#include "minimum_norm.h"
#include "settle.h"
#include "stepping.h"

#define LW_STEADY_RANK 1e-13  /* pivots below this share of the largest are those of dependent rows */
#define LW_STEADY_SHARE 3e-3  /* share of the best steadiness below which no step should end */
#define LW_LEAP_SHARE 1e-2    /* share of the longest step below which steps are too short */
#define LW_LEAP_BACK 1.0      /* in longest steps: how far back a leap takes its run-up */
#define LW_LEAP_REACH 8       /* in spacings of its points: the longest leap */
#define LW_LEAP_AGREES 1e-4   /* by how much rates behind a leap may differ from it */
#define LW_LEAP_ATTEMPTS 50   /* steps from one point of the run-up to the next */
#define LW_FADES 0.8          /* how much of the longest step is remembered after one more */

/* How far the constraints of a component are from depending on each other, beyond those that always do: near
   singular positions it goes to 0. */
LW_STATIC double lw_steadiness(lw_runner *run, const lw_component *part, const double *x, double t)
{
    int m = part->equations, n = part->unknowns, entries = part->starts[m], rank;
    double *j = run->work, *a = j + entries, *r = a + entries, *weight = r + m, *room = weight + m;
    double smallest = INFINITY, largest = 0.0;
    part->residual(x, NULL, run->k, run->c, &t, r, j);
    lw_weighed(run, part, r, j, weight);
    lw_weigh(run, part, j, weight, a);
    if (part->band > 0) {
        return sqrt(lw_band_factor(m, part->starts, part->columns, a, part->band, room));
    }
    lw_spread(part, a, room);
    rank = lw_minimum_norm_factor(m, n, room, LW_STEADY_RANK, LW_ROW(room, m, n), run->column);
    for (int i = 0; i < rank; ++i) {
        double pivot = fabs(LW_ROW(room, i, n)[i]);
        smallest = fmin(smallest, pivot);
        largest = fmax(largest, pivot);
    }
    return rank > 0 ? smallest / largest : 0.0;
}

/* The state at a place of the careful room. */
LW_STATIC double *lw_careful_state(lw_machine *m, int place)
{
    return LW_ROW(m->careful, place, m->size);
}

/* A state of the past, by its number; of those remembered. */
LW_STATIC double *lw_past_state(lw_machine *m, long number)
{
    return lw_careful_state(m, 1 + (int)(number % LW_PAST_STEPS));
}

/* A point of a leap. */
LW_STATIC double *lw_leap_point(lw_machine *m, int number)
{
    return lw_careful_state(m, 1 + LW_PAST_STEPS + number);
}

LW_STATIC void lw_copy_state(const lw_machine *m, double *to, const double *from)
{
    memcpy(to, from, sizeof(double) * (size_t)m->size);
}

/* Go back, or on, to a state. */
LW_STATIC void lw_stand_at(lw_machine *m, double t, const double *y, double h)
{
    lw_copy_state(m, m->y, y);
    m->s.t = t;
    m->s.h = h;
    lw_integrator_changed(&m->s);
}

/* The steadiness of all constraints in a state. */
LW_STATIC double lw_machine_steadiness(lw_machine *m, const double *y, double t)
{
    const lw_scheme *s = m->run.scheme;
    double steady = 1.0;
    for (int i = 0; i < s->stabilise_count; ++i) {
        steady = fmin(steady, lw_steadiness(&m->run, &s->stabilise[i], y, t));
    }
    m->past.steady = fmax(m->past.steady, steady);
    return steady;
}

/* Whether a step may end in a state. */
LW_STATIC int lw_machine_is_steady(lw_machine *m, const double *y, double t)
{
    return lw_machine_steadiness(m, y, t) >= LW_STEADY_SHARE * m->past.steady;
}

/* A step that does not end near a singular position, if one of several lengths does not. */
LW_STATIC lw_run_status lw_steady_step(lw_machine *m, double t_end, int *is_steady)
{
    const double shares[] = {0.7, 0.45, 1.5, 0.85, 0.25, 3.0};
    const int count = sizeof shares / sizeof shares[0];
    const double *here = lw_past_state(m, m->past.count - 1);
    double t = m->s.t, length;
    lw_run_status status = lw_machine_step(m, t_end);
    length = m->s.t - t;
    for (int i = 0; status == LW_RUN_DONE; ++i) {
        *is_steady = m->s.t == t_end || lw_machine_is_steady(m, m->y, m->s.t);
        if (*is_steady || i == count) {
            break;
        }
        lw_stand_at(m, t, here, shares[i] * length);
        status = lw_machine_step(m, t_end);
    }
    return status;
}

/* The polynomial of the last leap, and its rate where that is wanted, at the time t. */
LW_STATIC void lw_leap_dense(lw_machine *m, double t, double *y, double *rate)
{
    double x = (t - m->past.leap_from) / m->past.spacing;
    memset(y, 0, sizeof(double) * (size_t)m->size);
    if (rate != NULL) {
        memset(rate, 0, sizeof(double) * (size_t)m->size);
    }
    for (int i = 0; i < LW_LEAP_POINTS; ++i) {
        const double *point = lw_leap_point(m, i);
        double weight = 1.0, slope = 0.0;
        for (int j = 0; j < LW_LEAP_POINTS; ++j) {
            if (j != i) {
                slope = (slope * (x - j) + weight) / (i - j);
                weight *= (x - j) / (i - j);
            }
        }
        for (int c = 0; c < m->size; ++c) {
            y[c] += weight * point[c];
            if (rate != NULL) {
                rate[c] += slope / m->past.spacing * point[c];
            }
        }
    }
}

/* The points of a polynomial from a state of the past to the time here, by steps. Returns 0 if that fails. */
LW_STATIC int lw_leap_run_up(lw_machine *m, double here)
{
    long place = m->past.count - 1;
    double from;
    while (place >= 0 && place >= m->past.count - LW_PAST_STEPS &&
           fabs(here - m->past.times[place % LW_PAST_STEPS]) < LW_LEAP_BACK * m->past.longest) {
        --place;
    }
    if (place < 0 || place < m->past.count - LW_PAST_STEPS) {
        return 0;
    }
    from = m->past.times[place % LW_PAST_STEPS];
    m->past.leap_from = from;
    m->past.spacing = (here - from) / (LW_LEAP_POINTS - 1);
    lw_stand_at(m, from, lw_past_state(m, place), m->past.spacing);
    for (int i = 0; i < LW_LEAP_POINTS; ++i) {
        double next = i + 1 < LW_LEAP_POINTS - 1 ? from + (i + 1) * m->past.spacing : here;
        lw_copy_state(m, lw_leap_point(m, i), m->y);
        for (int tried = 0; i + 1 < LW_LEAP_POINTS && m->s.t != next; ++tried) {
            if (tried == LW_LEAP_ATTEMPTS || lw_machine_step(m, next) != LW_RUN_DONE) {
                return 0;
            }
        }
    }
    return 1;
}

/* Put the machine where the polynomial is at a time. Returns whether it stands on the constraints there and
   moves as the polynomial does. */
LW_STATIC int lw_leap_lands(lw_machine *m, double t, double *expected, double *rate)
{
    double size = 0.0, difference = 0.0;
    lw_leap_dense(m, t, m->y, expected);
    m->s.t = t;
    if (!lw_stabilise(&m->run, m->y, t) || lw_scheme_rate(t, m->y, rate, &m->run) != 0) {
        return 0;
    }
    for (int i = 0; i < m->size; ++i) {
        double apart = fabs(rate[i] - expected[i]);
        size = fmax(size, fabs(rate[i]));
        difference = apart <= difference ? difference : apart; /* NaN stays */
    }
    return difference <= LW_LEAP_AGREES * size;
}

/* Leap over what steps do not get by, to where the machine moves away from it again, not beyond t_end.
   Returns 0 where that is not sound. */
LW_STATIC int lw_leap(lw_machine *m, double here, double t_end)
{
    double last, steady;
    if (!lw_leap_run_up(m, here)) {
        return 0;
    }
    last = lw_machine_steadiness(m, m->y, here);
    for (int reach = 1; reach <= LW_LEAP_REACH; ++reach) {
        double there = here + reach * m->past.spacing;
        if ((t_end - there) * m->past.spacing < 0.0) {
            return 0;
        }
        lw_leap_dense(m, there, m->y, NULL);
        steady = lw_machine_steadiness(m, m->y, there);
        if (steady > last && steady >= LW_STEADY_SHARE * m->past.steady &&
            lw_leap_lands(m, there, m->s.other_rate, m->s.rate)) {
            m->s.t_old = here;
            m->s.h = m->past.spacing;
            lw_integrator_changed(&m->s);
            return 1;
        }
        last = steady;
    }
    return 0;
}

/* A step of a careful run. */
LW_STATIC lw_run_status lw_careful_step(lw_machine *m, double t_end)
{
    double before = m->s.t, h = m->s.h, length;
    int is_steady = 0;
    lw_run_status status;
    m->past.times[m->past.count % LW_PAST_STEPS] = before;
    m->past.spacing = 0.0;
    lw_copy_state(m, lw_past_state(m, m->past.count++), m->y);
    status = lw_steady_step(m, t_end, &is_steady);
    length = fabs(m->s.t - before);
    if (!is_steady || (length < LW_LEAP_SHARE * m->past.longest && m->s.t != t_end)) {
        if (lw_leap(m, before, t_end)) {
            m->past.count = 0;
            m->past.longest = 0.0;
            return LW_RUN_DONE;
        }
        m->past.spacing = 0.0;
        lw_stand_at(m, before, lw_past_state(m, m->past.count - 1), h);
        status = lw_machine_step(m, t_end);
        length = fabs(m->s.t - before);
    }
    m->past.longest = fmax(length, LW_FADES * m->past.longest);
    return status;
}

#endif
