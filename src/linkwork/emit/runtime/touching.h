/* The forces and impulses of touches in a machine, through the machine's own program.

   A machine that may touch takes a force and a moment on each body as its last inputs. What a unit of force
   at a touch does to the accelerations is its response; together the responses of all touches make the matrix
   G of the relations w = G f + b between forces f and accelerations w of gaps and of slips. outline_motion.h
   and space_motion.h tell how a touch moves. */
#ifndef LW_TOUCHING_H
#define LW_TOUCHING_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "balance_two.h"
#include "dimensions.h"
#include "lemke.h"
#include "linkage.h"
#include "minimum_norm.h"
#include "outline_motion.h"
#include "space_motion.h"
#include "stepping.h"
#include "toucher.h"

#define LW_TOUCH_MOST 160                /* touches at one time */
#define LW_FORCE_MOST ((1 + LW_TANGENTS) * LW_TOUCH_MOST) /* a normal and the tangential forces of each */
#ifndef LW_SPACE
#define LW_PIVOT_MOST ((2 + LW_CONE_SIDES) * LW_TOUCH_MOST) /* unknowns of a problem with friction */
#endif
/* What is left of a force's response beside others', if it adds nothing to them: places of two faces that
   lie on each other in space differ by what tilts these, a gap that is none by their size. */
#define LW_SPARE (LW_TANGENTS == 1 ? 1e-10 : 1e-8)
#define LW_FIRM_SHARE 1e-14 /* of how readily bodies move: what a force moves by less is kept by joints */

/* How a touch holds: with a normal force alone, sliding one way (1 or -1) with friction, or sticking. */
typedef enum { LW_SMOOTH = 0, LW_SLIPPING = 1, LW_STICKING = 2 } lw_grip;

typedef struct {
    lw_touch touch;
    lw_grip grip;
    double way[LW_WAY];             /* of slip */
    double normal, tangent[LW_WAY]; /* its force */
    double begun[1 + LW_TANGENTS];  /* and what it was at the last event */
    double since;
    double offset; /* the gap that it keeps: none, or what rounding left, so that holding does no work */
} lw_held;

/* A machine with shapes: its run, the touches that hold, and room for what is computed. */
typedef struct {
    lw_machine m;
    const lw_toucher *program;
    const lw_shapes *shapes;
    int held_count;
    double slow; /* slip below it has no direction of its own */
    lw_held held[LW_TOUCH_MOST];
    double *c, *dc;       /* inputs of the program, and directions of them with that of the clock behind */
    lw_where now;
    double *acceleration; /* as the numbers of bodies */
    double rated_at;      /* the time of the last rates; NaN where touches are no longer as they were then */
    double *rated;        /* and their state */
    double *still;        /* a state of zeros */
    double *response;     /* a state for each force */
    double *moved;        /* as the numbers of bodies, for each force */
    double *unit_response, *unit_moved; /* the same for unit loads on one body of each group */
    double *scratch;      /* a matrix of forces that is used up */
    double matrix[LW_FORCE_MOST * LW_FORCE_MOST], bias[LW_FORCE_MOST], force[LW_FORCE_MOST];
    lw_measure measure[LW_TOUCH_MOST];
    double scratch_room[LW_FORCE_MOST * LW_FORCE_MOST];
#ifndef LW_SPACE
    double pivots[LW_LEMKE_WORK(LW_PIVOT_MOST)], problem[LW_PIVOT_MOST * LW_PIVOT_MOST];
    double constant[LW_PIVOT_MOST], solved[LW_PIVOT_MOST];
    int basis[LW_PIVOT_MOST];
#endif
    double pace;  /* the largest velocity or acceleration of a body where touches were related last */
    double ready; /* how readily the body moves that does so least: what a unit of force gives to it */
    int is_spare; /* whether other forces than those found last do the same */
    double used[LW_TOUCH_MOST]; /* of the friction that each touch has, as the problem counts it */
} lw_touching;

/* The doubles that the places of all bodies and of the ground take. */
LW_STATIC size_t lw_place_doubles(const lw_shapes *shapes)
{
    return sizeof(lw_place) / sizeof(double) * ((size_t)shapes->bodies + 1);
}

/* The doubles that the numbers and the places of all bodies take. */
LW_STATIC size_t lw_where_doubles(const lw_shapes *shapes)
{
    return LW_BODY_NUMBERS * (size_t)shapes->bodies + lw_place_doubles(shapes);
}

LW_STATIC void lw_where_begin(const lw_shapes *shapes, lw_where *where, double *doubles)
{
    where->six = doubles;
    where->place = (lw_place *)(doubles + LW_BODY_NUMBERS * (size_t)shapes->bodies);
}

LW_STATIC void lw_where_copy(const lw_shapes *shapes, const lw_where *from, lw_where *to)
{
    memcpy(to->six, from->six, sizeof(double) * LW_BODY_NUMBERS * (size_t)shapes->bodies);
    memcpy(to->place, from->place, sizeof(lw_place) * ((size_t)shapes->bodies + 1));
}

/* The doubles that a machine with shapes needs besides those of its run. */
LW_STATIC size_t lw_touching_doubles(const lw_toucher *program, const lw_shapes *shapes)
{
    size_t size = (size_t)program->scheme->first + 2 * (size_t)program->scheme->second;
    size_t six = LW_BODY_NUMBERS * (size_t)shapes->bodies;
    size_t inputs = (size_t)program->inputs + LW_BODY_LOADS * (size_t)shapes->bodies + 2;
    size_t rows = 1 + LW_FORCE_MOST + LW_BODY_LOADS * (size_t)program->members;
    return 2 * inputs + lw_where_doubles(shapes) + rows * six + (rows + 1) * size + 1;
}

LW_STATIC void lw_touching_begin(lw_touching *r, const lw_toucher *program, const lw_shapes *shapes,
                                 const double *k, const double *c, double *doubles, int *integers)
{
    size_t size = (size_t)program->scheme->first + 2 * (size_t)program->scheme->second;
    size_t six = LW_BODY_NUMBERS * (size_t)shapes->bodies;
    size_t inputs = (size_t)program->inputs + LW_BODY_LOADS * (size_t)shapes->bodies + 2;
    double *own = doubles + lw_machine_doubles(program->scheme);
    r->scratch = r->scratch_room;
    memset(own, 0, sizeof(double) * lw_touching_doubles(program, shapes));
    r->program = program;
    r->shapes = shapes;
    r->c = own;
    r->dc = r->c + inputs;
    lw_where_begin(shapes, &r->now, r->dc + inputs);
    r->acceleration = r->now.six + lw_where_doubles(shapes);
    r->moved = r->acceleration + six;
    r->still = r->moved + LW_FORCE_MOST * six;
    r->response = r->still + size;
    r->unit_response = r->response + LW_FORCE_MOST * size;
    r->unit_moved = r->unit_response + LW_BODY_LOADS * (size_t)program->members * size;
    r->rated = r->unit_moved + LW_BODY_LOADS * (size_t)program->members * six;
    r->rated_at = NAN;
    memcpy(r->c, c, sizeof(double) * (size_t)program->inputs);
    lw_machine_begin(&r->m, program->scheme, k, r->c, doubles, integers);
    r->held_count = 0;
}

/* Positions of order zero at a state. */
LW_INLINE void lw_touching_zeroth(lw_touching *r, const double *y, double t)
{
    const lw_scheme *s = r->m.run.scheme;
    if (s->zeroth > 0) {
        s->zeroth_positions(y, r->m.q0, r->m.run.k, &t, r->m.before);
        memcpy(r->m.q0, r->m.before, sizeof(double) * (size_t)s->zeroth);
    }
}

/* Where the bodies are, and how fast. */
LW_STATIC void lw_touching_place(lw_touching *r, const double *y, double t, lw_where *where)
{
    lw_touching_zeroth(r, y, t);
    r->program->bodies(y, r->m.q0, r->m.run.k, r->c, &t, where->six);
    lw_where_told(r->shapes, where);
}

/* The rates of a state without the forces of touches; where the bodies are now, how fast, and how that
   changes. */
LW_INLINE void lw_free_motion(lw_touching *r, const double *y, double t, double *rate)
{
    lw_touching_zeroth(r, y, t);
    r->program->motion(y, r->m.q0, r->m.run.k, r->c, &t, rate, r->now.six, r->acceleration);
    lw_where_told(r->shapes, &r->now);
}

/* What the program told of places, behind the numbers of the bodies. */
LW_INLINE const double *lw_told_places(const lw_touching *r)
{
    return r->now.six + LW_BODY_NUMBERS * r->shapes->bodies;
}

/* What a force at a touch, by its normal and its tangential shares, does to the rates of the state and to the
   bodies' velocities. */
LW_INLINE void lw_respond(lw_touching *r, const double *y, double t, lw_touch touch, const lw_measure *m,
                          double normal, const double *tangent, int place)
{
    double *loads = r->dc + r->program->inputs;
    memset(loads, 0, sizeof(double) * (size_t)(LW_BODY_LOADS * r->shapes->bodies));
    lw_push(r->shapes, &r->now, touch, m, normal, tangent, loads);
    r->program->response(y, r->m.q0, r->m.run.k, r->c, &t, lw_told_places(r), loads,
                         LW_ROW(r->response, place, r->m.size),
                         LW_ROW(r->moved, place, LW_BODY_NUMBERS * r->shapes->bodies));
}

/* What unit loads do, on one body of each group at a time: none moves what another does. */
LW_STATIC void lw_respond_to_units(lw_touching *r, const double *y, double t)
{
    const lw_toucher *program = r->program;
    int numbers = LW_BODY_NUMBERS * r->shapes->bodies;
    double *loads = r->dc + program->inputs;
    memset(loads, 0, sizeof(double) * (size_t)(LW_BODY_LOADS * r->shapes->bodies));
    for (int row = 0; row < LW_BODY_LOADS * program->members; ++row) {
        for (int i = 0; i < r->shapes->bodies; ++i) {
            if (program->member[i] == row / LW_BODY_LOADS) {
                loads[LW_BODY_LOADS * i + row % LW_BODY_LOADS] = 1.0;
            }
        }
        program->response(y, r->m.q0, r->m.run.k, r->c, &t, lw_told_places(r), loads,
                          LW_ROW(r->unit_response, row, r->m.size),
                          LW_ROW(r->unit_moved, row, numbers));
        for (int i = 0; i < r->shapes->bodies; ++i) {
            loads[LW_BODY_LOADS * i + row % LW_BODY_LOADS] = 0.0;
        }
    }
}

/* The sum of some rows of so many numbers at a place, each times its load. */
LW_INLINE double lw_loaded(const double *loads, const double *rows, int count, int place)
{
    double sum = 0.0;
    for (int k = 0; k < LW_BODY_LOADS; ++k) {
        sum += loads[k] * LW_ROW(rows, k, count)[place];
    }
    return sum;
}

/* What the loads on a body do, by what unit loads do. */
LW_STATIC void lw_add_units(lw_touching *r, int body, const double *loads, double *response, double *moved)
{
    const lw_toucher *program = r->program;
    int numbers = LW_BODY_NUMBERS * r->shapes->bodies, group = program->group[body];
    int row = LW_BODY_LOADS * program->member[body];
    const double *units = LW_ROW(r->unit_response, row, r->m.size);
    const double *units_moved = LW_ROW(r->unit_moved, row, numbers);
    for (int i = 0; i < r->m.size; ++i) {
        if (program->state_group[i] == group) {
            response[i] += lw_loaded(loads, units, r->m.size, i);
        }
    }
    for (int i = 0; i < numbers; ++i) {
        if (program->group[i / LW_BODY_NUMBERS] == group) {
            moved[i] += lw_loaded(loads, units_moved, numbers, i);
        }
    }
}

/* As lw_respond, once lw_respond_to_units has been called there. */
LW_STATIC void lw_respond_by_units(lw_touching *r, lw_touch touch, const lw_measure *m, double normal,
                                   const double *tangent, int place)
{
    int numbers = LW_BODY_NUMBERS * r->shapes->bodies;
    double *loads = r->dc + r->program->inputs, *response = LW_ROW(r->response, place, r->m.size);
    double *moved = LW_ROW(r->moved, place, numbers);
    memset(loads, 0, sizeof(double) * (size_t)(LW_BODY_LOADS * r->shapes->bodies));
    memset(response, 0, sizeof(double) * (size_t)r->m.size);
    memset(moved, 0, sizeof(double) * (size_t)numbers);
    lw_push(r->shapes, &r->now, touch, m, normal, tangent, loads);
    for (int i = 0; i < r->shapes->bodies; ++i) {
        if (lw_largest(LW_BODY_LOADS, loads + LW_BODY_LOADS * i) > 0.0) {
            lw_add_units(r, i, loads + LW_BODY_LOADS * i, response, moved);
        }
    }
}

LW_INLINE void lw_respond_one(lw_touching *r, const double *y, double t, lw_touch touch, const lw_measure *m,
                              double normal, const double *tangent, int by_units, int place)
{
    if (by_units) {
        lw_respond_by_units(r, touch, m, normal, tangent, place);
    } else {
        lw_respond(r, y, t, touch, m, normal, tangent, place);
    }
}

/* How many forces a touch has. */
LW_INLINE int lw_forces_of(lw_grip grip)
{
    return grip == LW_STICKING ? 1 + LW_TANGENTS : 1;
}

/* And all that hold. */
LW_STATIC int lw_forces_in_all(const lw_touching *r)
{
    int forces = 0;
    for (int i = 0; i < r->held_count; ++i) {
        forces += lw_forces_of(r->held[i].grip);
    }
    return forces;
}

/* The responses of all forces of touches. A touch that slips has one, along the normal and against the slip.
   Returns how many there are. */
LW_INLINE int lw_respond_all(lw_touching *r, int count, const lw_held *held, const double *y, double t)
{
    int forces = 0, by_units;
    for (int i = 0; i < count; ++i) {
        forces += lw_forces_of(held[i].grip);
    }
    by_units = forces > LW_BODY_LOADS * r->program->members;
    if (by_units) {
        lw_respond_to_units(r, y, t);
    }
    forces = 0;
    for (int i = 0; i < count; ++i) {
        const lw_measure *m = r->measure + i;
        double drag[LW_TANGENTS] = {0.0};
        if (held[i].grip == LW_SLIPPING) {
            double friction = r->shapes->couple[held[i].touch.couple].friction;
            lw_slip_way(r->shapes, &r->now, held[i].touch, m, held[i].way, r->slow, drag);
            for (int k = 0; k < LW_TANGENTS; ++k) {
                drag[k] *= -friction;
            }
        }
        lw_respond_one(r, y, t, held[i].touch, m, 1.0, drag, by_units, forces++);
        for (int k = 0; k < LW_TANGENTS && held[i].grip == LW_STICKING; ++k) {
            double along[LW_TANGENTS] = {0.0};
            along[k] = 1.0;
            lw_respond_one(r, y, t, held[i].touch, m, 0.0, along, by_units, forces++);
        }
    }
    return forces;
}

/* What touches have: velocities, which impulses change, or accelerations, which forces do. */
typedef enum { LW_BY_IMPULSES = 0, LW_BY_FORCES = 1 } lw_relation;

#ifdef LW_SPACE

/* The pace of bodies whose velocities or accelerations are given. */
LW_STATIC void lw_find_pace(lw_touching *r, const double *motion)
{
    r->pace = 0.0;
    for (int i = LW_BODY_SPEEDS; i < LW_BODY_NUMBERS * r->shapes->bodies; i += LW_BODY_NUMBERS) {
        r->pace = fmax(r->pace, lw_norm(LW_DIMENSION, motion + i));
    }
}

/* How readily a body moves, by forces and by moments of forces at an arm as long as the machine. */
LW_STATIC double lw_readiness(const lw_touching *r, int body)
{
    double size = r->shapes->size, most = 0.0;
    for (int k = 0; k < LW_BODY_LOADS; ++k) {
        const double *moved = LW_ROW(r->unit_moved, LW_BODY_LOADS * r->program->member[body] + k,
                                     LW_BODY_NUMBERS * r->shapes->bodies);
        double arm = k < LW_DIMENSION ? 1.0 : size;
        moved += LW_BODY_NUMBERS * body + LW_BODY_SPEEDS;
        most = fmax(most, arm * lw_norm(LW_DIMENSION, moved));
        most = fmax(most, arm * size * lw_norm(LW_DIMENSION, moved + LW_DIMENSION));
    }
    return most;
}

/* The same of all bodies that forces move, where it is not known. */
LW_STATIC void lw_find_readiness(lw_touching *r, const double *y, double t)
{
    if (r->ready > 0.0) {
        return;
    }
    lw_respond_to_units(r, y, t);
    r->ready = INFINITY;
    for (int i = 0; i < r->shapes->bodies; ++i) {
        double own = lw_readiness(r, i);
        r->ready = own > 0.0 ? fmin(r->ready, own) : r->ready;
    }
    r->ready = isfinite(r->ready) ? r->ready : DBL_MIN;
}

#endif

/* Whether joints keep the gap of a touch, or what it slips, so that no force moves it: by its row of the
   relations of touches in space. */
LW_STATIC int lw_is_firm(const lw_touching *r, double moved)
{
    return fabs(moved) <= LW_FIRM_SHARE * r->ready;
}

/* The matrix and the bias for touches, from measures and a state; of accelerations with those that
   lw_free_motion found. Returns the number of forces. */
LW_STATIC int lw_relate(lw_touching *r, int count, const lw_held *held, const double *y, double t,
                        lw_relation relation)
{
    int forces = lw_respond_all(r, count, held, y, t), row = 0;
    int numbers = LW_BODY_NUMBERS * r->shapes->bodies;
    r->rated_at = NAN;
#ifdef LW_SPACE
    lw_find_readiness(r, y, t);
    lw_find_pace(r, relation == LW_BY_FORCES ? r->acceleration : r->now.six);
#endif
    for (int i = 0; i < count; ++i) {
        const lw_measure *m = r->measure + i;
        int own = lw_forces_of(held[i].grip);
        double bends[1 + LW_TANGENTS], *along = own > 1 ? bends + 1 : NULL;
        for (int j = 0; j < forces; ++j) {
            lw_bends(r->shapes, &r->now, held[i].touch, m, LW_ROW(r->moved, j, numbers), 0, bends, along);
            for (int k = 0; k < own; ++k) {
                r->matrix[(row + k) * forces + j] = bends[k];
            }
        }
        if (relation == LW_BY_FORCES) {
            lw_bends(r->shapes, &r->now, held[i].touch, m, r->acceleration, 1, bends, along);
        } else {
            bends[0] = m->rate;
            if (along != NULL) {
                lw_slip(r->shapes, &r->now, held[i].touch, m, along);
            }
        }
        for (int k = 0; k < own; ++k) {
            r->bias[row++] = bends[k];
        }
    }
    return forces;
}

/* The force of a touch from its place among all forces. */
LW_STATIC void lw_take_force(const lw_touching *r, lw_held *held, const lw_measure *m, const double *force)
{
    double shares[LW_TANGENTS] = {0.0};
    held->normal = force[0];
    if (held->grip == LW_SLIPPING) {
        double friction = r->shapes->couple[held->touch.couple].friction;
        lw_slip_way(r->shapes, &r->now, held->touch, m, held->way, r->slow, shares);
        for (int k = 0; k < LW_TANGENTS; ++k) {
            shares[k] *= -friction * held->normal;
        }
    }
    lw_keep_way(m, held->grip == LW_STICKING ? force + 1 : shares, held->tangent);
}

/* Forces with which the relations give w = 0: where more places touch than the bodies have freedoms, as under
   a block that stands on two corners and does not slide, the least ones. Returns 0 where there are none. */
LW_STATIC int lw_balance(lw_touching *r, int forces, const double *bias)
{
    double given[LW_FORCE_MOST];
    double work[LW_MINIMUM_NORM_WORK(LW_FORCE_MOST)];
    int column[LW_FORCE_MOST], rank;
    r->is_spare = 0;
    if (forces == 1) {
        r->force[0] = -bias[0] / r->matrix[0];
        return isfinite(r->force[0]);
    }
    if (forces == 2 && lw_balance_two(r->matrix, bias, LW_SPARE, r->force)) {
        return 1;
    }
    memcpy(r->scratch, r->matrix, sizeof(double) * (size_t)(forces * forces));
    for (int i = 0; i < forces; ++i) {
        given[i] = -bias[i];
    }
    rank = lw_minimum_norm(forces, forces, r->scratch, LW_SPARE, given, r->force, work, column);
    r->is_spare = rank < forces;
    return rank >= 0 && lw_all_finite(forces, r->force);
}

LW_STATIC void lw_measure_held(lw_touching *r)
{
    for (int i = 0; i < r->held_count; ++i) {
        lw_measure_contact(r->shapes, &r->now, r->held[i].touch, r->measure + i);
    }
}

/* What slips may turn in space: the direction that is kept follows it from step to step. */
LW_STATIC void lw_follow_slips(lw_touching *r)
{
    for (int i = 0; i < r->held_count; ++i) {
        lw_held *held = r->held + i;
        if (held->grip == LW_SLIPPING) {
            lw_measure m;
            double shares[LW_TANGENTS];
            lw_measure_contact(r->shapes, &r->now, held->touch, &m);
            lw_slip_way(r->shapes, &r->now, held->touch, &m, held->way, r->slow, shares);
            lw_keep_way(&m, shares, held->way);
        }
    }
}

#endif
