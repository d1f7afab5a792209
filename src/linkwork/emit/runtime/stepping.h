/* A run of a simulation program: its memory, its start, and one step of it.

   The state is y = (q1, q2, v2): variables of first and second order, and the rates of the latter. */
#ifndef LW_STEPPING_H
#define LW_STEPPING_H

#include <math.h>
#include <string.h>

#include "dop853.h"
#include "linkage.h"
#include "radau5.h"
#include "scheme_types.h"
#include "settle.h"

#define LW_SCHEME_STIFF_STEPS 3 /* stiff steps after which the implicit method takes over */
#define LW_TRIAL_AFTER 2000     /* explicit steps before the implicit method is tried, then twice as many */
#define LW_TRIAL_STEPS 12       /* steps of a trial */
#define LW_TRIAL_GAIN 20.0      /* how many times longer its steps must be, and one more for each variable */
#define LW_HELD 1e-6            /* how readily what is given moves, beside what is not */
#define LW_PAST_STEPS 12        /* steps that a careful run remembers */
#define LW_LEAP_POINTS 9        /* of the polynomial that leaps over a singular position */
#define LW_TRAIL_STATES 32      /* behind a run that it can come again from */
#define LW_CAREFUL_STATES (1 + LW_PAST_STEPS + LW_LEAP_POINTS + LW_TRAIL_STATES)

/* How a run ended. */
typedef enum {
    LW_RUN_DONE = 0,
    LW_RUN_NOT_ASSEMBLED = 1,  /* no positions satisfy the constraints near the given ones */
    LW_RUN_NO_VELOCITY = 2,    /* no rates satisfy the initial conditions */
    LW_RUN_LEFT = 3,           /* the constraints could not be restored after a step */
    LW_RUN_STOPPED = 4,        /* the integrator gave up: see the status of its step */
    LW_RUN_NO_MEMORY = 5,
    LW_RUN_TOO_LONG = 6,       /* more steps than were allowed */
    LW_RUN_STUCK = 7           /* the steps became so short that the end would never be reached */
} lw_run_status;

/* All components of a list, with some entries of x held; without, where that is not possible. */
LW_STATIC int lw_settle_held(lw_runner *run, const double *ease, int count, const lw_component *parts,
                             double *x, const double *other, double t)
{
    double left;
    run->ease = ease;
    left = lw_settle_all(run, count, parts, x, other, t);
    run->ease = NULL;
    if (ease != NULL && !(left <= LW_SETTLED_WELL)) {
        left = lw_settle_all(run, count, parts, x, other, t);
    }
    return left <= LW_SETTLED_WELL;
}

/* Positions q = (q0, q1, q2) and rates v = (v1, v2) near the given ones that satisfy all constraints and
   initial conditions at time t; then the state y. ease_q and ease_v say how readily each moves, LW_HELD for
   those that should stay where they are given; NULL for all alike. */
LW_STATIC lw_run_status lw_initialise(lw_runner *run, double *q, double *v, const double *ease_q,
                                      const double *ease_v, double t, double *y)
{
    const lw_scheme *s = run->scheme;
    if (!lw_settle_held(run, ease_q, s->initialise_count, s->initialise, q, NULL, t)) {
        return LW_RUN_NOT_ASSEMBLED;
    }
    if (!lw_settle_held(run, ease_v, s->velocity_count, s->velocity, v, q, t)) {
        return LW_RUN_NO_VELOCITY;
    }
    memcpy(y, q + s->zeroth, sizeof(double) * (size_t)(s->first + s->second));
    memcpy(y + s->first + s->second, v + s->first, sizeof(double) * (size_t)s->second);
    return LW_RUN_DONE;
}

/* Bring the state back onto the constraints. Returns 0 where that fails. */
LW_STATIC int lw_stabilise(lw_runner *run, double *y, double t)
{
    const lw_scheme *s = run->scheme;
    return lw_settle_all(run, s->stabilise_count, s->stabilise, y, NULL, t) <= LW_SETTLED_WELL;
}

/* The rates of y, in the form that integrators call. */
LW_STATIC int lw_scheme_rate(double t, const double *y, double *rate, void *context)
{
    lw_runner *run = context;
    if (run->careful != NULL) {
        int size = run->scheme->first + 2 * run->scheme->second;
        memcpy(run->careful, y, sizeof(double) * (size_t)size);
        if (!lw_stabilise(run, run->careful, t)) {
            return 1;
        }
        y = run->careful;
    }
    run->scheme->derivative(y, run->k, run->c, &t, rate);
    return 0;
}

/* What a careful run remembers. The states are in its room, LW_CAREFUL_STATES long: one for rates,
   those of the past, the points of the last leap, and the trail. */
typedef struct {
    double times[LW_PAST_STEPS];
    long count;       /* of steps remembered, ever; the latest overwrite the oldest */
    double longest;   /* of the last steps, those long ago counting less */
    double steady;    /* the best steadiness so far */
    double leap_from; /* where the points of the last leap begin */
    double spacing;   /* of its points; 0 where the last step was no leap */
} lw_past;

/* What a run remembers that may have to come again with care (passage.h). */
typedef struct {
    double times[LW_TRAIL_STATES];
    long count;     /* of states remembered, ever; the latest overwrite the oldest */
    double longest; /* proposal of a step since the first of them */
    double way;     /* the longest careful step, with its sign; 0 where steps are free */
} lw_trail;

typedef struct {
    lw_runner run;
    lw_integrator s;
    int *integers;
    double *y, *row, *q0, *before, *atol, *careful, *explicit_work, *implicit_work;
    int size, is_implicit, suspicious;
    long next_trial; /* of the implicit method, after so many steps */
    lw_past past; /* of careful runs */
    lw_trail trail;
    int method; /* 0: choose, 1: explicit, 2: implicit */
    lw_step_status step;
    double worst; /* the largest residual of a row */
} lw_machine;

/* How many doubles and integers a run needs. */
LW_STATIC size_t lw_machine_doubles(const lw_scheme *scheme)
{
    size_t size = (size_t)scheme->first + 2 * (size_t)scheme->second;
    size_t integrators = LW_RADAU5_WORK(size) + LW_DOP853_WORK(size);
    size_t states = 3 + LW_CAREFUL_STATES;
    return lw_settle_work(scheme) + integrators + states * size + 2 * (size_t)scheme->zeroth + 1;
}

LW_STATIC size_t lw_machine_integers(const lw_scheme *scheme)
{
    int size = scheme->first + 2 * scheme->second;
    return (size_t)(scheme->most_unknowns + LW_RADAU5_INTEGERS(size) + 1);
}

/* Make a run ready in the caller's memory, lw_machine_doubles and lw_machine_integers long. */
LW_STATIC void lw_machine_begin(lw_machine *m, const lw_scheme *scheme, const double *k, const double *c,
                                double *doubles, int *integers)
{
    int size = scheme->first + 2 * scheme->second;
    const lw_machine blank = {0};
    *m = blank;
    m->integers = integers;
    m->run.scheme = scheme;
    m->run.k = k;
    m->run.c = c;
    m->run.work = doubles;
    m->run.column = integers;
    m->explicit_work = doubles + lw_settle_work(scheme);
    m->implicit_work = m->explicit_work + LW_DOP853_WORK((size_t)size);
    m->y = m->implicit_work + LW_RADAU5_WORK((size_t)size);
    m->row = m->y + size;
    m->atol = m->row + size;
    m->careful = m->atol + size;
    m->q0 = m->careful + LW_CAREFUL_STATES * size;
    m->before = m->q0 + scheme->zeroth;
    m->size = size;
}

LW_STATIC void lw_machine_start(lw_machine *m, double t, double rtol, int method)
{
    m->method = method;
    m->is_implicit = method == 2;
    m->suspicious = 0;
    m->next_trial = LW_TRIAL_AFTER;
    if (m->is_implicit) {
        lw_radau5_begin(&m->s, m->size, lw_scheme_rate, &m->run, t, m->y, rtol, m->atol, m->implicit_work,
                        m->integers + m->run.scheme->most_unknowns);
    } else {
        lw_dop853_begin(&m->s, m->size, lw_scheme_rate, &m->run, t, m->y, rtol, m->atol, m->explicit_work);
    }
}

/* Hand a stiff system to the implicit method. */
LW_STATIC void lw_machine_stiffen(lw_machine *m)
{
    lw_integrator kept = m->s;
    int method = m->method;
    lw_machine_start(m, kept.t, kept.rtol, 2);
    m->method = method;
    m->s.steps = kept.steps;
    m->s.rejected = kept.rejected;
    m->s.evaluations = kept.evaluations;
}

/* Whether the implicit method gets on so much faster from here that it should take over: where a stiff part
   is small, rounding keeps explicit steps short before their stability does. All is left as it was. */
LW_STATIC int lw_implicit_pays(lw_machine *m)
{
    lw_integrator kept = m->s;
    double *here = LW_ROW(m->careful, LW_PAST_STEPS + LW_LEAP_POINTS, m->size), reach = m->s.reach, way;
    double far = kept.t + copysign(1e6 * reach, kept.h);
    int method = m->method, steps = 0;
    memcpy(here, m->y, sizeof(double) * (size_t)m->size);
    lw_machine_start(m, kept.t, kept.rtol, 2);
    m->s.h = copysign(reach, kept.h);
    while (steps < LW_TRIAL_STEPS && lw_radau5_step(&m->s, far) == LW_STEP_DONE &&
           lw_stabilise(&m->run, m->y, m->s.t)) {
        lw_integrator_changed(&m->s);
        ++steps;
    }
    way = fabs(m->s.t - kept.t);
    m->s = kept;
    m->method = method;
    m->is_implicit = 0;
    memcpy(m->y, here, sizeof(double) * (size_t)m->size);
    lw_integrator_changed(&m->s);
    return steps == LW_TRIAL_STEPS && way > steps * (LW_TRIAL_GAIN + m->size) * reach;
}

/* One explicit step. Small systems have code of their own, in which the compiler knows the loops' length. */
LW_STATIC lw_step_status lw_machine_advance(lw_integrator *s, double t_end)
{
    switch (s->n) {
    case 2:
        return lw_dop853_advance(s, 2, s->f, t_end);
    case 4:
        return lw_dop853_advance(s, 4, s->f, t_end);
    case 6:
        return lw_dop853_advance(s, 6, s->f, t_end);
    default:
        return lw_dop853_step(s, t_end);
    }
}

/* One accepted step, not beyond t_end, and back onto the constraints. */
LW_STATIC lw_run_status lw_machine_step(lw_machine *m, double t_end)
{
    int may_stiffen = !m->is_implicit && m->method == 0;
    if (may_stiffen && m->s.steps >= m->next_trial) {
        long next = 2 * m->next_trial;
        m->suspicious = lw_implicit_pays(m) ? LW_SCHEME_STIFF_STEPS : 0;
        m->next_trial = next;
    }
    if (may_stiffen && m->suspicious >= LW_SCHEME_STIFF_STEPS) {
        lw_machine_stiffen(m);
    }
    m->step = m->is_implicit ? lw_radau5_step(&m->s, t_end) : lw_machine_advance(&m->s, t_end);
    if (m->step != LW_STEP_DONE && !m->is_implicit && may_stiffen) {
        lw_machine_stiffen(m);
        m->step = lw_radau5_step(&m->s, t_end);
    }
    if (m->step != LW_STEP_DONE) {
        return LW_RUN_STOPPED;
    }
    if (m->run.scheme->stabilise_count > 0) {
        long before = m->run.settled;
        if (!lw_stabilise(&m->run, m->y, m->s.t)) {
            return LW_RUN_LEFT;
        }
        if (m->run.settled != before) {
            lw_integrator_changed(&m->s);
        }
    }
    m->suspicious = m->s.stiff ? m->suspicious + 1 : 0;
    return LW_RUN_DONE;
}

#endif
