/* A run set aside and taken up again, also in another place of memory: its numbers without any address, so
   that it goes on to the bit as if nothing had happened. */
#ifndef LW_SAVED_H
#define LW_SAVED_H

#include <stddef.h>
#include <string.h>

#include "linkage.h"
#include "scheme.h"

/* Where the arrays of an integrator begin: some change places from step to step. */
typedef struct {
    ptrdiff_t y, atol, y_old, y_new, rate, other_rate, trial, stages, pivots;
} lw_array_places;

typedef struct {
    lw_integrator s; /* its pointers are null */
    lw_array_places places;
    int has_started, is_careful, is_implicit, suspicious, method;
    lw_past past;
    lw_trail trail;
    lw_step_status step;
    long settled, next_trial;
    double worst;
} lw_saved_run;

/* The state of a run; the doubles and integers it works in are the caller's to keep beside it. */
LW_STATIC void lw_machine_save(const lw_machine *m, lw_saved_run *saved)
{
    const lw_integrator *s = &m->s;
    const double *base = m->run.work;
    memset(saved, 0, sizeof *saved);
    saved->has_started = s->y != NULL;
    saved->is_careful = m->run.careful != NULL;
    saved->past = m->past;
    saved->trail = m->trail;
    saved->next_trial = m->next_trial;
    saved->is_implicit = m->is_implicit;
    saved->suspicious = m->suspicious;
    saved->method = m->method;
    saved->step = m->step;
    saved->settled = m->run.settled;
    saved->worst = m->worst;
    if (saved->has_started) {
        lw_array_places places = {s->y - base,          s->atol - base,  s->y_old - base,
                                  s->y_new - base,      s->rate - base,  s->other_rate - base,
                                  s->trial - base,      s->stages - base,
                                  s->pivots == NULL ? -1 : s->pivots - m->integers};
        saved->places = places;
        memcpy(&saved->s, s, sizeof *s);
    }
    saved->s.f = NULL;
    saved->s.context = NULL;
    saved->s.atol = NULL;
    saved->s.pivots = NULL;
    saved->s.y = saved->s.y_old = saved->s.y_new = NULL;
    saved->s.rate = saved->s.other_rate = saved->s.trial = saved->s.stages = NULL;
}

/* Take it up in a run begun with the same scheme, whose doubles and integers are back already. */
LW_STATIC void lw_machine_restore(lw_machine *m, const lw_saved_run *saved)
{
    const lw_array_places *places = &saved->places;
    double *base = m->run.work;
    memcpy(&m->s, &saved->s, sizeof m->s);
    m->run.careful = saved->is_careful ? m->careful : NULL;
    m->past = saved->past;
    m->trail = saved->trail;
    m->next_trial = saved->next_trial;
    m->is_implicit = saved->is_implicit;
    m->suspicious = saved->suspicious;
    m->method = saved->method;
    m->step = saved->step;
    m->run.settled = saved->settled;
    m->worst = saved->worst;
    if (saved->has_started) {
        m->s.f = lw_scheme_rate;
        m->s.context = &m->run;
        m->s.y = base + places->y;
        m->s.atol = base + places->atol;
        m->s.y_old = base + places->y_old;
        m->s.y_new = base + places->y_new;
        m->s.rate = base + places->rate;
        m->s.other_rate = base + places->other_rate;
        m->s.trial = base + places->trial;
        m->s.stages = base + places->stages;
        m->s.pivots = places->pivots < 0 ? NULL : m->integers + places->pivots;
    }
}

#endif
