/* What the integrators of y' = f(t, y) share: the integrator itself, its first step, how long the next one
   is, and the loop of an explicit method. The methods are dopri5.h, dop853.h and radau5.h.

   An integrator advances by one accepted step at a time, so that between two steps the caller may look inside
   the last one (events), change y (projection onto constraints, impacts) or change the method:

       lw_dop853_begin(&s, n, f, context, t, y, rtol, atol, work);
       while (s.t != t_end && lw_dop853_step(&s, t_end) == LW_STEP_DONE) {
           ... lw_dop853_dense(&s, t, y_at_t) for any t between s.t_old and s.t ...
           ... project(y); lw_integrator_changed(&s); ...
       }

   A step is accepted if its estimated error is at most 1 in the norm sqrt(1/n sum (e_i / scale_i)^2), with
   scale_i = atol_i + rtol max(|y_i| before, |y_i| after). The error of a step of length h goes as h^order, so
   the next length is h 0.9 / error^(1/order), damped by the error of the step before it (PI control, after
   Gustafsson and Lund): E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I",
   II.4 and IV.2. A step in which f cannot be evaluated or is not finite is halved. */
#ifndef LW_INTEGRATE_H
#define LW_INTEGRATE_H

#include <float.h>
#include <math.h>

#include "linkage.h"
#include "vector.h"

/* How often one step is tried before it is given up. */
#define LW_STEP_ATTEMPTS 100
/* A step below this share of |t| is lost in the rounding of t. */
#define LW_STEP_SHORTEST (10.0 * DBL_EPSILON)
/* A step is stretched by up to this share to land on t_end, so that no crumb is left over. */
#define LW_STEP_STRETCH 0.01
/* A step cut by t_end to less than this share of its proposal is a crumb. */
#define LW_STEP_CRUMB 0.1
/* The share of the length that would just do which is taken: below 1, for the estimate is only asymptotic. */
#define LW_STEP_SAFETY 0.9
/* No error counts as smaller than this when the next step is damped by it. */
#define LW_STEP_ERROR_FLOOR 1e-4
/* Suspicious steps that make a system stiff, and innocent ones in a row that clear it of suspicion. */
#define LW_STIFF_SUSPICIONS 15
#define LW_STIFF_ACQUITTALS 6

/* How a call of a step function ended. Unless it is done, t and y are as they were. */
typedef enum {
    LW_STEP_DONE = 0,       /* one step was accepted, or t was t_end already */
    LW_STEP_NO_RATE = 1,    /* f cannot be evaluated where the step begins */
    LW_STEP_NOT_FINITE = 2, /* t_end, y, f or its Jacobian is NaN or infinite where the step begins */
    LW_STEP_TOO_SHORT = 3,  /* the tolerance, or f, demands steps that vanish beside t, as at a singularity */
    LW_STEP_REFUSED = 4     /* LW_STEP_ATTEMPTS lengths were tried in vain */
} lw_step_status;

/* Puts f(t, y) into dy. Not 0 means that it cannot be evaluated here. */
typedef int (*lw_rate)(double t, const double *y, double *dy, void *context);

/* Puts the row-major n x n matrix of df_i/dy_j into jacobian. Not 0: it cannot be evaluated here. */
typedef int (*lw_rate_jacobian)(double t, const double *y, double *jacobian, void *context);

typedef struct {
    /* The problem, as given to begin. Between steps the caller may change all of it but n. */
    int n;
    lw_rate f;
    void *context;
    lw_rate_jacobian jacobian; /* for implicit methods; null, as begin leaves it, for finite differences */
    double rtol;
    const double *atol; /* n, above 0 wherever y may vanish */
    double h_max;       /* longest step; infinite, as begin leaves it, for no limit */

    /* Where it stands. */
    double *y; /* n, the caller's: y at t */
    double t;
    double t_old; /* where the last step began */
    double h;     /* proposal for the next step, signed; 0, as begin leaves it, to choose a first one */
    int stiff;    /* set when an explicit method finds that its stability, not its accuracy, limits h */
    long steps, rejected, evaluations, jacobians, factorisations;

    /* Kept from step to step. */
    double reach;          /* length of the last step, 0 before the first */
    double last_error;     /* of the last accepted step, not below LW_STEP_ERROR_FLOOR */
    int fresh;             /* whether rate is f(t, y) */
    int dense_ready;       /* whether the dense output of the last step is prepared */
    int suspicions, acquittals;
    double *y_old, *y_new; /* n each: both ends of the last step, before the caller changed anything */
    double *rate;          /* n: f(t, y) */
    double *other_rate;    /* n: f at the far end of a step that is tried, at the near end once accepted */
    double *trial;         /* n: the argument of a stage */
    double *stages;        /* the rest of the workspace, which each method divides as it likes */

    /* Of implicit methods only. */
    int *pivots;
    double h_factored;      /* length for which the matrices are factored; 0 if they are not */
    double h_accepted;      /* length of the last accepted step; 0 after a start */
    double contraction;     /* of Newton's iteration */
    double remaining_share; /* what Newton leaves of an error, as a multiple of its last correction */
    int jacobian_wanted;    /* whether the next step needs a new Jacobian */
    int jacobian_current;   /* whether the Jacobian was taken at t */
} lw_integrator;

/* Set all that does not depend on the method. */
LW_STATIC void lw_integrator_begin(lw_integrator *s, int n, lw_rate f, void *context, double t, double *y,
                                   double rtol, const double *atol)
{
    const lw_integrator blank = {0};
    *s = blank;
    s->n = n;
    s->f = f;
    s->context = context;
    s->rtol = rtol;
    s->atol = atol;
    s->h_max = INFINITY;
    s->y = y;
    s->t = s->t_old = t;
    s->last_error = LW_STEP_ERROR_FLOOR;
    s->remaining_share = 1.0;
    s->jacobian_wanted = 1;
}

/* To be called when y, t or anything on which f depends has been changed between two steps. After a change so
   large that the length of the last step says nothing about the next one, set s->h to 0 as well. */
LW_STATIC void lw_integrator_changed(lw_integrator *s)
{
    s->fresh = 0;
}

/* The status in words, for messages. */
LW_STATIC const char *lw_step_words(lw_step_status status)
{
    switch (status) {
    case LW_STEP_DONE:
        return "the step is done";
    case LW_STEP_NO_RATE:
        return "the rates cannot be evaluated where the step begins";
    case LW_STEP_NOT_FINITE:
        return "the state or its rates are not finite where the step begins";
    case LW_STEP_TOO_SHORT:
        return "the tolerance demands steps too short for the clock";
    case LW_STEP_REFUSED:
        return "no length of the step is accepted";
    }
    return "unknown";
}

/* f into dy. Returns 0, or not 0 if f cannot be evaluated there. */
LW_INLINE int lw_evaluate(lw_integrator *s, lw_rate f, double t, const double *y, double *dy)
{
    ++s->evaluations;
    return f(t, y, dy, s->context);
}

/* The unit of the error of component i of a step to a value of size |new_value|. Never 0. */
LW_INLINE double lw_error_scale(const lw_integrator *s, int i, double old_value, double new_value)
{
    return s->atol[i] + DBL_MIN + s->rtol * lw_larger(fabs(old_value), fabs(new_value));
}

/* sqrt(sum (v_i / scale_i)^2), with the scale at y. */
LW_STATIC double lw_scaled_norm(const lw_integrator *s, int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        double scaled = v[i] / lw_error_scale(s, i, s->y[i], s->y[i]);
        sum += scaled * scaled;
    }
    return sqrt(sum);
}

/* A length for the first step (Hairer I, II.4, "starting step size"): an Euler step that changes y by a
   hundredth of itself shows the second derivative; then h^order max(|y'|, |y''|) = 0.01. */
LW_STATIC double lw_first_length(lw_integrator *s, int n, lw_rate f, double longest, int order)
{
    double *y_euler = s->trial, *rate_euler = s->other_rate;
    double size = lw_scaled_norm(s, n, s->y), speed = lw_scaled_norm(s, n, s->rate), bend, h, h_second;
    double direction = longest < 0.0 ? -1.0 : 1.0, limit = lw_smaller(fabs(longest), s->h_max);
    const double cautious = 1e-6, negligible = 1e-5, longest_ratio = 100.0; /* Hairer's */
    h = size > negligible && speed > negligible ? 0.01 * (size / speed) : cautious;
    h = isfinite(h) && h > 0.0 ? h : cautious;
    h = lw_smaller(lw_larger(h, 100.0 * LW_STEP_SHORTEST * fabs(s->t)), limit);
    for (int i = 0; i < n; ++i) {
        y_euler[i] = s->y[i] + direction * h * s->rate[i];
    }
    if (lw_evaluate(s, f, s->t + direction * h, y_euler, rate_euler) || !lw_all_finite(n, rate_euler)) {
        return direction * h;
    }
    for (int i = 0; i < n; ++i) {
        rate_euler[i] -= s->rate[i];
    }
    bend = lw_larger(lw_scaled_norm(s, n, rate_euler) / h, speed);
    h_second = bend > 1e-15 ? pow(0.01 / bend, 1.0 / order) : lw_larger(cautious, 1e-3 * h);
    h = lw_smaller(longest_ratio * h, lw_larger(h_second, 100.0 * LW_STEP_SHORTEST * fabs(s->t)));
    return direction * lw_smaller(h, limit);
}

/* See that there is a rate at t and a proposal for h. */
LW_INLINE lw_step_status lw_integrator_prepare(lw_integrator *s, int n, lw_rate f, double t_end, int order)
{
    if (isnan(t_end)) {
        return LW_STEP_NOT_FINITE;
    }
    if (!s->fresh) {
        if (!isfinite(s->t) || !lw_all_finite(n, s->y)) {
            return LW_STEP_NOT_FINITE;
        }
        if (lw_evaluate(s, f, s->t, s->y, s->rate)) {
            return LW_STEP_NO_RATE;
        }
        if (!lw_all_finite(n, s->rate)) {
            return LW_STEP_NOT_FINITE;
        }
        s->fresh = 1;
    }
    if (!(fabs(s->h) > 0.0)) {
        s->h = lw_first_length(s, n, f, t_end - s->t, order);
        s->last_error = LW_STEP_ERROR_FLOOR;
        s->h_accepted = 0.0;
        s->jacobian_wanted = 1;
    }
    return LW_STEP_DONE;
}

/* The signed length to try: the proposal; all that remains, if that is hardly more; half of it, if two steps
   will do. The proposal itself is kept, so that the step after t_end can be long again. */
LW_INLINE double lw_step_length(const lw_integrator *s, double t_end)
{
    double remaining = t_end - s->t, length = lw_smaller(fabs(s->h), s->h_max);
    if (fabs(remaining) <= (1.0 + LW_STEP_STRETCH) * length) {
        return remaining;
    }
    if (fabs(remaining) < 2.0 * length) {
        return 0.5 * remaining;
    }
    return remaining < 0.0 ? -length : length;
}

/* Where a step of length h ends: on t_end exactly, if it is to. */
LW_INLINE double lw_step_end(const lw_integrator *s, double h, double t_end)
{
    return h == t_end - s->t ? t_end : s->t + h;
}

/* Whether a step is too short to be told from none, and is not a short rest before t_end. */
LW_INLINE int lw_step_vanishes(const lw_integrator *s, double h, double t_new, double t_end)
{
    return t_new != t_end && (!(fabs(h) > LW_STEP_SHORTEST * fabs(s->t)) || t_new == s->t);
}

/* Propose growth times h for the next step, within bounds: at most `most` times as long, or as long as the
   proposal was before t_end cut it; not longer at all right after a refusal. A step of which t_end has left
   only a crumb says nothing but that all is well (its error is rounding), and the proposal stands. */
LW_INLINE void lw_step_propose(lw_integrator *s, double h, double growth, double least, double most,
                               int refused)
{
    double proposal = lw_smaller(fabs(s->h), s->h_max);
    double limit = refused ? 1.0 : lw_larger(most, proposal / fabs(h));
    double length = fabs(h) * lw_smaller(lw_larger(growth, least), limit);
    if (growth >= 1.0 && fabs(h) < LW_STEP_CRUMB * proposal) {
        length = proposal;
    }
    s->h = h < 0.0 ? -length : length;
}

/* Let y_new at t_new be the state. */
LW_INLINE void lw_integrator_accept(lw_integrator *s, int n, double t_new)
{
    double *near_rate = s->rate;
    s->rate = s->other_rate;
    s->other_rate = near_rate;
    for (int i = 0; i < n; ++i) {
        s->y_old[i] = s->y[i];
        s->y[i] = s->y_new[i];
    }
    s->t_old = s->t;
    s->t = t_new;
    s->reach = t_new - s->t_old;
    s->dense_ready = 0;
    ++s->steps;
}

/* How an explicit method controls its steps. */
typedef struct {
    int order;          /* the error goes as h to this power */
    double damping;     /* Lund's beta: the power of the last error that the proposal takes into account */
    double least, most; /* bounds on the ratio of lengths from step to step */
} lw_step_control;

/* Computes y_new and, if error comes out at 1 or less, other_rate = f(t_new, y_new).
   Returns 0, or not 0 if f could not be evaluated or what counts is not finite. */
typedef int (*lw_attempt)(lw_integrator *s, int n, lw_rate f, double h, double t_new, double *error);

/* One accepted step of an explicit method. */
LW_INLINE lw_step_status lw_explicit_step(lw_integrator *s, int n, lw_rate f, double t_end,
                                          lw_attempt attempt, const lw_step_control *control)
{
    double power = 1.0 / control->order, damping = control->damping;
    lw_step_status status;
    if (t_end == s->t) {
        return LW_STEP_DONE;
    }
    status = lw_integrator_prepare(s, n, f, t_end, control->order);
    if (status != LW_STEP_DONE) {
        return status;
    }
    for (int refused = 0; refused < LW_STEP_ATTEMPTS; ++refused) {
        double h = lw_step_length(s, t_end), t_new = lw_step_end(s, h, t_end), error = NAN;
        int failed;
        if (lw_step_vanishes(s, h, t_new, t_end)) {
            return LW_STEP_TOO_SHORT;
        }
        failed = attempt(s, n, f, h, t_new, &error);
        if (!failed && error <= 1.0) {
            double growth = LW_STEP_SAFETY * pow(lw_larger(error, DBL_MIN), -(power - 0.75 * damping));
            if (damping > 0.0) {
                growth *= pow(s->last_error, damping);
            }
            lw_step_propose(s, h, growth, control->least, control->most, refused);
            s->last_error = lw_larger(error, LW_STEP_ERROR_FLOOR);
            lw_integrator_accept(s, n, t_new);
            return LW_STEP_DONE;
        }
        ++s->rejected;
        s->h = h * (failed || isnan(error)
                        ? 0.5
                        : lw_larger(control->least, LW_STEP_SAFETY * pow(error, -power)));
    }
    return LW_STEP_REFUSED;
}

/* Watch for stiffness (Hairer and Wanner, "Solving Ordinary Differential Equations II", IV.2): two arguments
   of f at the end of a step, and f there, show |h lambda| = h |f_1 - f_2| / |y_1 - y_2| of the dominant
   eigenvalue. If it keeps beyond the edge of the stability domain, stability limits the step. */
LW_INLINE void lw_stiffness_watch(lw_integrator *s, int n, double h, double edge, const double *y_1,
                                  const double *f_1, const double *y_2, const double *f_2)
{
    double rates = 0.0, values = 0.0;
    for (int i = 0; i < n; ++i) {
        rates += (f_1[i] - f_2[i]) * (f_1[i] - f_2[i]);
        values += (y_1[i] - y_2[i]) * (y_1[i] - y_2[i]);
    }
    if (h * h * rates > edge * edge * values && values > 0.0) {
        s->acquittals = 0;
        if (++s->suspicions >= LW_STIFF_SUSPICIONS) {
            s->stiff = 1;
        }
    } else if (++s->acquittals >= LW_STIFF_ACQUITTALS) {
        s->suspicions = 0;
    }
}

/* One stage of an explicit method: k = f(t + c h, y + h sum), where sum is written in terms of the component
   i of earlier stages. For use where s, n, f, t, h, y and trial are at hand and 1 means failure. */
#define LW_STAGE(k, c, sum)                               \
    do {                                                  \
        for (int i = 0; i < n; ++i) {                     \
            trial[i] = y[i] + h * (sum);                  \
        }                                                 \
        if (lw_evaluate(s, f, t + (c) * h, trial, (k))) { \
            return 1;                                     \
        }                                                 \
    } while (0)

#endif
