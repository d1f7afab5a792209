/* The scheme of a simulation program (T. Ellman, R. Deak, J. Fotinatos 2003, Fig. 10): initialise, then
   integrate and bring the state back onto the constraints after each step.

   The state is y = (q1, q2, v2): variables of first and second order, and the rates of the latter. Variables
   of order zero, q0, are computed from y when they are asked for. A component is a part of a system of
   constraints that has no unknowns in common with the others; it is solved by Newton's method with the
   shortest step, so that what the constraints leave free changes as little as possible. */
#ifndef LW_SCHEME_H
#define LW_SCHEME_H

#include <math.h>
#include <string.h>

#include "dop853.h"
#include "linkage.h"
#include "minimum_norm.h"
#include "radau5.h"
#include "scheme_types.h"
#include "shortest_band.h"
#include "vector.h"

#define LW_SETTLE_STEPS 60      /* Newton steps before a component is given up */
#define LW_SETTLED 1e-14        /* residual of a row, by its largest slope and the unknowns: rounding */
#define LW_SETTLED_WELL 1e-9    /* residual that is accepted where it falls no further */
#define LW_SETTLE_RANK 1e-10    /* rows that depend on others within this count as dependent */
#define LW_STUCK_STEPS 1000     /* steps after which the way made is looked at */
#define LW_STUCK_SHARE 1e-5     /* share of the whole time below which such a way is no way */
#define LW_SCHEME_STIFF_STEPS 3 /* stiff steps after which the implicit method takes over */

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

typedef struct {
    const lw_scheme *scheme;
    const double *k, *c;
    double *work; /* of lw_settle */
    int *column;
    double *careful; /* room for a state: where it is not NULL, rates are taken on the constraints */
    long settled;    /* Newton steps of stabilisation */
} lw_runner;

/* The doubles that lw_settle needs: slopes and their copy, the matrix with its zeros or the factor of its
   band, three vectors over the equations and five over the unknowns. */
LW_STATIC size_t lw_settle_work(const lw_scheme *scheme)
{
    size_t m = (size_t)scheme->most_equations, n = (size_t)scheme->most_unknowns;
    size_t dense = m * n, banded = LW_SHORTEST_BAND_WORK(m, (size_t)scheme->most_band);
    return 2 * (size_t)scheme->most_entries + (dense > banded ? dense : banded) + 3 * m + 5 * n;
}

/* The largest residual of a component, each row divided by its largest slope; those are put into weight. */
LW_STATIC double lw_weighed(const lw_component *part, const double *r, const double *j, double *weight)
{
    double largest = 0.0;
    for (int i = 0; i < part->equations; ++i) {
        double share;
        weight[i] = lw_largest(part->starts[i + 1] - part->starts[i], j + part->starts[i]);
        share = weight[i] > 0.0 ? fabs(r[i]) / weight[i] : fabs(r[i]);
        largest = share <= largest ? largest : share;
    }
    return largest;
}

/* The shortest step that takes all residuals to zero, rows weighed; where rows depend on each other the step
   that comes nearest. room is for the matrix, then 3 n. Returns 0 where an entry is not finite. */
LW_STATIC int lw_settle_step(lw_runner *run, const lw_component *part, const double *r, const double *j,
                             const double *weight, double *a, double *side, double *step, double *room)
{
    int m = part->equations, n = part->unknowns;
    for (int i = 0; i < m; ++i) {
        double factor = weight[i] > 0.0 ? 1.0 / weight[i] : 1.0;
        side[i] = -r[i] * factor;
        for (int p = part->starts[i]; p < part->starts[i + 1]; ++p) {
            a[p] = j[p] * factor * (part->weights == NULL ? 1.0 : part->weights[part->columns[p]]);
        }
    }
    if (part->band == 0 ||
        !lw_shortest_band(m, n, part->starts, part->columns, a, part->band, side, step, room)) {
        memset(room, 0, sizeof(double) * (size_t)m * (size_t)n);
        for (int i = 0; i < m; ++i) {
            for (int p = part->starts[i]; p < part->starts[i + 1]; ++p) {
                LW_ROW(room, i, n)[part->columns[p]] = a[p];
            }
        }
        if (lw_minimum_norm(m, n, room, LW_SETTLE_RANK, side, step, LW_ROW(room, m, n), run->column) < 0) {
            return 0;
        }
    }
    for (int i = 0; i < n && part->weights != NULL; ++i) {
        step[i] *= part->weights[i];
    }
    return 1;
}

/* Bring the unknowns of a component onto its constraints by the shortest way. Returns the residual left,
   relative to the unknowns' size; NaN where it cannot be evaluated. */
LW_STATIC double lw_settle(lw_runner *run, const lw_component *part, double *x, const double *other, double t)
{
    int m = part->equations, n = part->unknowns, entries = part->starts[m];
    double *j = run->work, *a = j + entries, *r = a + entries, *side = r + m, *weight = side + m;
    double *step = weight + m, *before = step + n, *room = before + n;
    double residual, last = INFINITY, size = 0.0, scale = 1.0;
    for (int i = 0; i < n; ++i) {
        before[i] = x[part->places[i]];
        size = fmax(size, fabs(before[i]));
    }
    size = fmax(size, 1e-3);
    for (int trial = 0; trial < LW_SETTLE_STEPS; ++trial) {
        part->residual(x, other, run->k, run->c, &t, r, j);
        residual = lw_weighed(part, r, j, weight) / size;
        if (residual <= LW_SETTLED) {
            return residual;
        }
        if (!(residual < last)) { /* back half of the step; what is nearly solved can be solved no better */
            if (last <= LW_SETTLED_WELL || scale < 1e-4) {
                for (int i = 0; i < n; ++i) {
                    x[part->places[i]] = before[i];
                }
                return last;
            }
            scale *= 0.5;
            for (int i = 0; i < n; ++i) {
                x[part->places[i]] = before[i] + scale * step[i];
            }
            continue;
        }
        last = residual;
        scale = 1.0;
        if (!lw_settle_step(run, part, r, j, weight, a, side, step, room)) {
            return NAN;
        }
        ++run->settled;
        for (int i = 0; i < n; ++i) {
            before[i] = x[part->places[i]];
            x[part->places[i]] = before[i] + step[i];
        }
    }
    return last;
}

/* All components of a list. Returns the worst residual. */
LW_STATIC double lw_settle_all(lw_runner *run, int count, const lw_component *parts, double *x,
                               const double *other, double t)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        double left = lw_settle(run, &parts[i], x, other, t);
        worst = left <= worst ? worst : left;
    }
    return worst;
}

/* The residual of all components as they are. */
LW_STATIC double lw_residual_of(lw_runner *run, int count, const lw_component *parts, const double *x,
                                const double *other, double t)
{
    double worst = 0.0;
    for (int p = 0; p < count; ++p) {
        int m = parts[p].equations;
        double *j = run->work, *r = j + parts[p].starts[m];
        parts[p].residual(x, other, run->k, run->c, &t, r, j);
        for (int i = 0; i < m; ++i) {
            worst = fabs(r[i]) <= worst ? worst : fabs(r[i]);
        }
    }
    return worst;
}

/* Positions q = (q0, q1, q2) and rates v = (v1, v2) near the given ones that satisfy all constraints and
   initial conditions at time t; then the state y. */
LW_STATIC lw_run_status lw_initialise(lw_runner *run, double *q, double *v, double t, double *y)
{
    const lw_scheme *s = run->scheme;
    if (!(lw_settle_all(run, s->initialise_count, s->initialise, q, NULL, t) <= LW_SETTLED_WELL)) {
        return LW_RUN_NOT_ASSEMBLED;
    }
    if (!(lw_settle_all(run, s->velocity_count, s->velocity, v, q, t) <= LW_SETTLED_WELL)) {
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

typedef struct {
    lw_runner run;
    lw_integrator s;
    int *integers;
    double *y, *row, *q0, *before, *atol, *careful, *explicit_work, *implicit_work;
    int size, is_implicit, suspicious;
    int method; /* 0: choose, 1: explicit, 2: implicit */
    lw_step_status step;
    double worst; /* the largest residual of a row */
} lw_machine;

/* How many doubles and integers a run needs. */
LW_STATIC size_t lw_machine_doubles(const lw_scheme *scheme)
{
    size_t size = (size_t)scheme->first + 2 * (size_t)scheme->second;
    size_t integrators = LW_RADAU5_WORK(size) + LW_DOP853_WORK(size);
    return lw_settle_work(scheme) + integrators + 4 * size + 2 * (size_t)scheme->zeroth + 1;
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
    m->q0 = m->careful + size;
    m->before = m->q0 + scheme->zeroth;
    m->size = size;
}

LW_STATIC void lw_machine_start(lw_machine *m, double t, double rtol, int method)
{
    m->method = method;
    m->is_implicit = method == 2;
    m->suspicious = 0;
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

/* The outputs of a state at a time. */
LW_STATIC void lw_machine_observe(lw_machine *m, const double *y, double t, double *out)
{
    const lw_scheme *s = m->run.scheme;
    if (s->zeroth > 0) {
        s->zeroth_positions(y, m->q0, m->run.k, &t, m->before);
        memcpy(m->q0, m->before, sizeof(double) * (size_t)s->zeroth);
    }
    s->observe(y, m->q0, m->run.k, m->run.c, &t, out);
}

/* One row inside the last step: dense output, back onto the constraints, outputs. */
LW_STATIC int lw_machine_row(lw_machine *m, double t, double *state, double *out)
{
    const lw_scheme *s = m->run.scheme;
    double *y = m->y;
    if (t != m->s.t) {
        int failed = m->is_implicit ? lw_radau5_dense(&m->s, t, m->row) : lw_dop853_dense(&m->s, t, m->row);
        if (failed || !lw_stabilise(&m->run, m->row, t)) {
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
   the state and the outputs of each row; returns how many rows were reached. */
LW_STATIC long lw_machine_run(lw_machine *m, long rows, const double *times, double rtol, int method,
                              long most_steps, double *states, double *outs, lw_run_status *status)
{
    const lw_scheme *s = m->run.scheme;
    long row = 1, looked = 0;
    double here = times[0];
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
        *status = lw_machine_step(m, times[rows - 1]);
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
   given; y becomes the state, left the largest residual of the positions. */
LW_STATIC int lw_machine_initialise(const lw_scheme *scheme, double *doubles, int *integers, const double *k,
                                    const double *c, double t, double *q, double *v, double *y, double *left)
{
    lw_machine m;
    lw_run_status status;
    lw_machine_begin(&m, scheme, k, c, doubles, integers);
    status = lw_initialise(&m.run, q, v, t, y);
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

/* The motion from state y at times[0] through all rows; returns how many were reached. With careful, rates
   are taken on the constraints at every stage, which leads through singular positions. statistics: steps,
   rejected, evaluations, Newton steps of stabilisation, whether it became implicit, status of the last step,
   time reached, largest residual. */
LW_STATIC long lw_machine_simulate(const lw_scheme *scheme, double *doubles, int *integers, const double *k,
                                   const double *c, const double *q0, const double *y, const double *atol,
                                   double rtol, int method, int careful, long most_steps, long rows,
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
    m.run.careful = careful ? m.careful : NULL;
    reached = lw_machine_run(&m, rows, times, rtol, method, most_steps, states, outs, &status);
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
