/* Elastic contacts: the state of a run, and the forces with which parts that overlap press on each other.

   A touch that overlaps by o, at the rate o' = do/dt, pushes with E o + D M o o', but never pulls: it pushes
   only while o > 0 and E + D M o' > 0 (A. Gelsey, Artificial Intelligence 74, 1995, equation 4). So E o^2 / 2
   is stored in it, and what it takes besides, D M o o'^2 or -E o o' while it does not push, is lost.
   Friction is Coulomb's with a creep: a share s / sqrt(s^2 + s0^2) of the coefficient, where s is the speed
   of slip. All contacts are summed. */
#ifndef LW_PRESS_H
#define LW_PRESS_H

#include <math.h>
#include <string.h>

#include "face_ends.h"
#include "linkage.h"
#include "rigid_state.h"
#include "space_ends.h"
#include "vector.h"

#define LW_CREEP 1e-5 /* s0, by the largest speed at which parts were seen to move past each other */
#define LW_SAMPLES_MOST 5 /* times of a step at which contacts are looked at */
#define LW_NUDGE 1e-7 /* of the size: what shows how forces change with places */
#define LW_ROW_ENERGIES 3 /* numbers of a row besides: energy stored and lost in contacts, and the depth */

/* What a contact is besides its touch. */
typedef struct {
    double offset; /* depth less overlap, at most 0: what was overlapping when it began presses nothing */
    int is_pushing;
    double creep;
    double approach, peak, impulse, lost;
#ifndef LW_SPACE
    int kept; /* a bit for each end of its features behind which it goes on as it is */
    lw_after after[2]; /* the ends of a corner's face */
    lw_face edge[2];   /* the faces that meet in the corner, as its edges a and b */
#endif
} lw_press;

/* What presses at one time: depth and its rate, the force along the normal and along the tangents, the
   slip. */
typedef struct {
    double depth, rate, normal, tangent[LW_TANGENTS], slip[LW_TANGENTS];
} lw_pressed;

typedef struct {
    lw_rigid g; /* the run, its touches and looks */
    lw_press press[LW_TOUCH_MOST];
    double lost, tallied; /* energy that contacts took, until when */
    double begun;         /* the first time of the run */
    double *energies;     /* of the rows */
    double rtol;
    double swing; /* of the contact that began last: the time in which it turns by 1 */
    double yields; /* of what presses: how deep it may become, as far as is known; the least */
    int has_begun; /* whether that was at the last event */
    double stride; /* the length of a step, by the swing, with which explicit steps got on of late */
    int is_too_stiff; /* a contact has begun that is over before the clock moves on */
    int blamed; /* the couple whose contact changed last, or for which the run ends */
} lw_elastic;

/* The place of a contact among those that hold, or -1. */
LW_STATIC int lw_contact_of(const lw_touching *r, lw_touch touch)
{
    for (int i = 0; i < r->held_count; ++i) {
        if (lw_same_touch(r->held[i].touch, touch)) {
            return i;
        }
    }
    return -1;
}

/* Whether a contact of this depth and rate pushes, as a number above 0. */
LW_STATIC double lw_push_reserve(const lw_couple *couple, const lw_press *press, const lw_measure *m)
{
    double stiff = 1.0 - couple->damping / couple->stiffness * m->rate;
    return press->offset < 0.0 ? fmin(stiff, (press->offset - m->gap) / -press->offset) : stiff;
}

LW_INLINE void lw_press_at(const lw_elastic *e, const lw_where *w, int i, const lw_measure *m, lw_pressed *p)
{
    const lw_touch touch = e->g.r.held[i].touch;
    const lw_couple *couple = e->g.r.shapes->couple + touch.couple;
    const lw_press *press = e->press + i;
    p->depth = press->offset - m->gap;
    p->rate = -m->rate;
    p->normal = press->is_pushing ? p->depth * (couple->stiffness + couple->damping * p->rate) : 0.0;
    for (int k = 0; k < LW_TANGENTS; ++k) {
        p->tangent[k] = p->slip[k] = 0.0;
    }
    if (couple->friction > 0.0) {
        double square = press->creep * press->creep;
        lw_slip(e->g.r.shapes, w, touch, m, p->slip);
        for (int k = 0; k < LW_TANGENTS; ++k) {
            square += p->slip[k] * p->slip[k];
        }
        for (int k = 0; k < LW_TANGENTS; ++k) {
            p->tangent[k] = -couple->friction * p->normal * p->slip[k] / sqrt(square);
        }
    }
}

/* The loads of all contacts on the bodies, added to those that are there. */
LW_STATIC void lw_press_loads(const lw_elastic *e, const lw_where *w, double *loads)
{
    const lw_touching *r = &e->g.r;
    for (int i = 0; i < r->held_count; ++i) {
        lw_measure m;
        lw_pressed p;
        lw_measure_pressed(r->shapes, w, r->held[i].touch, &m);
        lw_press_at(e, w, i, &m, &p);
        lw_push(r->shapes, w, r->held[i].touch, &m, p.normal, p.tangent, loads);
    }
}

LW_STATIC void lw_no_loads(lw_touching *r)
{
    memset(r->c + r->program->inputs, 0, sizeof(double) * LW_BODY_LOADS * (size_t)r->shapes->bodies);
}

/* The rates of a state with the forces of all contacts; in the form that integrators call. */
LW_STATIC int lw_elastic_rate(double t, const double *y, double *rate, void *context)
{
    lw_elastic *e = context;
    lw_touching *r = &e->g.r;
    if (r->held_count > 0) {
        lw_touching_place(r, y, t, &r->now);
        lw_press_loads(e, &r->now, r->c + r->program->inputs);
    }
    r->m.run.scheme->derivative(y, r->m.run.k, r->c, &t, rate);
    if (r->held_count > 0) {
        lw_no_loads(r);
    }
    return 0;
}

/* How far bodies are moved along a direction to see how loads change: a small share of the size, and of the
   creep where there is friction; loads are linear in speeds otherwise. */
LW_STATIC double lw_press_nudge(const lw_elastic *e, const double *along)
{
    const lw_shapes *shapes = e->g.r.shapes;
    double way = 0.0, speed = 0.0, creep = INFINITY, nudge = INFINITY;
    for (int i = 0; i < shapes->bodies; ++i) {
        const double *own = along + LW_BODY_NUMBERS * i, *speeds = own + LW_BODY_SPEEDS;
        int turns = LW_BODY_SPEEDS - LW_DIMENSION, spins = LW_BODY_NUMBERS - LW_BODY_SPEEDS - LW_DIMENSION;
        way = fmax(way, lw_largest(LW_DIMENSION, own));
        way = fmax(way, lw_largest(turns, own + LW_DIMENSION) * shapes->size);
        speed = fmax(speed, lw_largest(LW_DIMENSION, speeds));
        speed = fmax(speed, lw_largest(spins, speeds + LW_DIMENSION) * shapes->size);
    }
    for (int i = 0; i < e->g.r.held_count; ++i) {
        if (shapes->couple[e->g.r.held[i].touch.couple].friction > 0.0) {
            creep = fmin(creep, e->press[i].creep);
        }
    }
    if (way > 0.0) {
        nudge = LW_NUDGE * shapes->size / way;
    }
    if (speed > 0.0 && creep < INFINITY) {
        nudge = fmin(nudge, 1e-3 * creep / speed);
    }
    return nudge < INFINITY ? nudge : 1.0;
}

/* The Jacobian of the rates: exact but for how the loads of contacts change with the bodies, which is seen
   from small changes of these. Differences of the whole would be lost in rounding near rest. */
LW_STATIC int lw_elastic_jacobian(double t, const double *y, double *jacobian, void *context)
{
    lw_elastic *e = context;
    lw_touching *r = &e->g.r;
    const lw_shapes *shapes = r->shapes;
    int n = r->m.size, loads = LW_BODY_LOADS * shapes->bodies;
    double *push = r->c + r->program->inputs, *change = r->dc + r->program->inputs;
    double *column = r->response, *along = r->moved;
    lw_touching_place(r, y, t, &r->now);
    lw_press_loads(e, &r->now, push);
    memset(r->dc, 0, sizeof(double) * (size_t)(r->program->inputs + loads + 1));
    for (int j = 0; j < n; ++j) {
        double nudge;
        r->still[j] = 1.0;
        r->program->bodies_along(y, r->m.q0, r->m.run.k, r->c, &t, r->still, r->dc, along);
        nudge = lw_press_nudge(e, along);
        for (int i = 0; i < LW_BODY_NUMBERS * shapes->bodies; ++i) {
            e->g.there.six[i] = r->now.six[i] + nudge * along[i];
        }
        lw_where_places(shapes, &e->g.there);
        lw_press_loads(e, &e->g.there, change);
        for (int i = 0; i < loads; ++i) {
            change[i] = (change[i] - push[i]) / nudge;
        }
        r->program->derivative_along(y, r->m.run.k, r->c, &t, r->still, r->dc, column);
        memset(change, 0, sizeof(double) * (size_t)loads);
        r->still[j] = 0.0;
        for (int i = 0; i < n; ++i) {
            LW_ROW(jacobian, i, n)[j] = column[i];
        }
    }
    lw_no_loads(r);
    return 0;
}

/* Radau's quadrature, whose last point is 1: in implicit steps at the three points of the method; steps of
   order 8 are so long that they need five. */
typedef struct {
    int count;
    double point[LW_SAMPLES_MOST], weight[LW_SAMPLES_MOST];
} lw_samples;

LW_STATIC const lw_samples *lw_samples_of(lw_method method)
{
    static const lw_samples three = {
        3, {LW_RADAU5_C1, LW_RADAU5_C2, 1.0}, {0.37640306270046731, 0.51248582618842153, 1.0 / 9.0}};
    static const lw_samples five = {5,
                                    {0.057104196114517682, 0.27684301363812383, 0.58359043236891682,
                                     0.86024013565621945, 1.0},
                                    {0.14371356079122594, 0.28135601514946206, 0.31182652297574125,
                                     0.22310390108357074, 0.04}};
    return method == LW_IMPLICIT ? &three : &five;
}

/* What a contact takes and gives at one time, in proportion to a share of time. */
LW_STATIC void lw_tally_one(lw_elastic *e, int i, const lw_pressed *p, double share)
{
    lw_press *press = e->press + i;
    double stiffness = e->g.r.shapes->couple[e->g.r.held[i].touch.couple].stiffness;
    double taken = (p->normal - stiffness * fmax(p->depth, 0.0)) * p->rate -
                   lw_dot(LW_TANGENTS, p->tangent, p->slip);
    press->lost += share * taken;
    press->impulse += share * p->normal;
    press->peak = fmax(press->peak, p->normal);
    e->lost += share * taken;
}

/* What contacts take from the last time that was tallied to another one of the last step. */
LW_STATIC void lw_tally(lw_elastic *e, double until)
{
    lw_touching *r = &e->g.r;
    const lw_samples *samples = lw_samples_of(e->g.method);
    double from = e->tallied, span = until - from;
    for (int k = 0; k < samples->count && r->held_count > 0 && span > 0.0; ++k) {
        double t = k == samples->count - 1 ? until : from + samples->point[k] * span;
        lw_touching_place(r, lw_rigid_at(&e->g, t), t, &e->g.there);
        for (int i = 0; i < r->held_count; ++i) {
            lw_measure m;
            lw_pressed p;
            lw_measure_pressed(r->shapes, &e->g.there, r->held[i].touch, &m);
            lw_press_at(e, &e->g.there, i, &m, &p);
            lw_tally_one(e, i, &p, samples->weight[k] * span);
        }
    }
    e->tallied = until;
}

/* The energy stored in a contact of this depth. */
LW_STATIC double lw_stored(const lw_elastic *e, int i, double depth)
{
    const lw_couple *couple = e->g.r.shapes->couple + e->g.r.held[i].touch.couple;
    return depth > 0.0 ? 0.5 * couple->stiffness * depth * depth : 0.0;
}

#endif
