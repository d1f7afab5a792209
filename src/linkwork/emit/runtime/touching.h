/* The forces and impulses of touches in a machine, through the machine's own program.

   A machine that may touch takes a force and a moment on each body as its last inputs. What a unit of force
   at a touch does to the accelerations is its response; together the responses of all touches make the
   matrix G of the relations w = G f + b between forces f and accelerations w of gaps and of slips. */
#ifndef LW_TOUCHING_H
#define LW_TOUCHING_H

#include <math.h>
#include <string.h>

#include "lemke.h"
#include "linkage.h"
#include "minimum_norm.h"
#include "outline.h"
#include "stepping.h"
#include "toucher.h"

#define LW_TOUCH_MOST 32                 /* touches at one time */
#define LW_FORCE_MOST (2 * LW_TOUCH_MOST) /* a normal and a tangential force each */
#define LW_PIVOT_MOST (4 * LW_TOUCH_MOST) /* unknowns of a complementarity problem with friction */
#define LW_SPARE 1e-10 /* what is left of a force's response beside others', if it adds nothing to them */

/* How a touch holds: with a normal force alone, sliding one way (1 or -1) with friction, or sticking. */
typedef enum { LW_SMOOTH = 0, LW_SLIPPING = 1, LW_STICKING = 2 } lw_grip;

typedef struct {
    lw_touch touch;
    lw_grip grip;
    double way; /* of slip */
    double normal, tangent; /* its force */
    double since;
} lw_held;

/* A machine with shapes: its run, the touches that hold, and room for what is computed. */
typedef struct {
    lw_machine m;
    const lw_toucher *program;
    const lw_shapes *shapes;
    int held_count;
    lw_held held[LW_TOUCH_MOST];
    double *c, *dc;       /* inputs of the program, and directions of them with that of the clock behind */
    lw_where now;
    double *acceleration; /* six numbers a body */
    double *still;        /* a state of zeros */
    double *response;     /* a state for each force */
    double *moved;        /* six numbers a body for each force */
    double matrix[LW_FORCE_MOST * LW_FORCE_MOST], bias[LW_FORCE_MOST], force[LW_FORCE_MOST];
    lw_measure measure[LW_TOUCH_MOST];
    double pivots[LW_LEMKE_WORK(LW_PIVOT_MOST)], problem[LW_PIVOT_MOST * LW_PIVOT_MOST];
    double constant[LW_PIVOT_MOST], solved[LW_PIVOT_MOST];
    int basis[LW_PIVOT_MOST];
} lw_touching;

/* The doubles that a machine with shapes needs besides those of its run. */
LW_STATIC size_t lw_touching_doubles(const lw_toucher *program, const lw_shapes *shapes)
{
    size_t size = (size_t)program->scheme->first + 2 * (size_t)program->scheme->second;
    size_t six = 6 * (size_t)shapes->bodies;
    size_t inputs = (size_t)program->inputs + 3 * (size_t)shapes->bodies + 2;
    return 2 * inputs + (2 + LW_FORCE_MOST) * six + 4 * ((size_t)shapes->bodies + 1) +
           (1 + LW_FORCE_MOST) * size + 1;
}

LW_STATIC void lw_touching_begin(lw_touching *r, const lw_toucher *program, const lw_shapes *shapes,
                                 const double *k, const double *c, double *doubles, int *integers)
{
    size_t size = (size_t)program->scheme->first + 2 * (size_t)program->scheme->second;
    size_t six = 6 * (size_t)shapes->bodies;
    size_t inputs = (size_t)program->inputs + 3 * (size_t)shapes->bodies + 2;
    double *own = doubles + lw_machine_doubles(program->scheme);
    memset(own, 0, sizeof(double) * lw_touching_doubles(program, shapes));
    r->program = program;
    r->shapes = shapes;
    r->c = own;
    r->dc = r->c + inputs;
    r->now.six = r->dc + inputs;
    r->now.place = (lw_place *)(r->now.six + six);
    r->acceleration = r->now.six + six + 4 * ((size_t)shapes->bodies + 1);
    r->moved = r->acceleration + six;
    r->still = r->moved + LW_FORCE_MOST * six;
    r->response = r->still + size;
    memcpy(r->c, c, sizeof(double) * (size_t)program->inputs);
    lw_machine_begin(&r->m, program->scheme, k, r->c, doubles, integers);
    r->held_count = 0;
}

/* Where the bodies are, and how fast. */
LW_STATIC void lw_touching_place(lw_touching *r, const double *y, double t, lw_where *where)
{
    const lw_scheme *s = r->m.run.scheme;
    if (s->zeroth > 0) {
        s->zeroth_positions(y, r->m.q0, r->m.run.k, &t, r->m.before);
        memcpy(r->m.q0, r->m.before, sizeof(double) * (size_t)s->zeroth);
    }
    r->program->bodies(y, r->m.q0, r->m.run.k, r->c, &t, where->six);
    lw_where_places(r->shapes, where);
}

/* The velocity of the round past the face along t = (ny, -nx), at the touch. */
LW_STATIC double lw_slip(const lw_touching *r, lw_touch touch, const lw_measure *m)
{
    const lw_outline *own, *other;
    double radius, vx, vy, ux, uy;
    lw_touch_outlines(r->shapes, touch, &own, &other);
    radius = own->round[touch.round].r;
    lw_velocity_at(r->shapes, &r->now, own->body, m->x - radius * m->nx, m->y - radius * m->ny, &vx, &vy);
    lw_velocity_at(r->shapes, &r->now, other->body, m->x - radius * m->nx, m->y - radius * m->ny, &ux, &uy);
    return m->ny * (vx - ux) - m->nx * (vy - uy);
}

/* A force (fx, fy) at the touch on the round, and the opposite one on the face, into the inputs. */
LW_STATIC void lw_push(const lw_touching *r, lw_touch touch, const lw_measure *m, double fx, double fy,
                       double *inputs)
{
    const lw_outline *ends[2];
    double x, y;
    lw_touch_outlines(r->shapes, touch, &ends[0], &ends[1]);
    x = m->x - ends[0]->round[touch.round].r * m->nx;
    y = m->y - ends[0]->round[touch.round].r * m->ny;
    for (int i = 0; i < 2; ++i) {
        int body = ends[i]->body;
        double way = i == 0 ? 1.0 : -1.0;
        if (body < r->shapes->bodies) {
            const double *b = r->now.six + 6 * body;
            double *place = inputs + r->program->inputs + 3 * body;
            place[0] += way * fx;
            place[1] += way * fy;
            place[2] += way * ((x - b[0]) * fy - (y - b[1]) * fx);
        }
    }
}

/* What a unit of force along (fx, fy) at a touch does to the rates of the state and to the bodies'
   velocities. */
LW_STATIC void lw_respond(lw_touching *r, const double *y, double t, lw_touch touch, const lw_measure *m,
                          double fx, double fy, int place)
{
    int inputs = r->program->inputs + 3 * r->shapes->bodies + 1;
    double *response = LW_ROW(r->response, place, r->m.size);
    memset(r->dc, 0, sizeof(double) * (size_t)inputs);
    lw_push(r, touch, m, fx, fy, r->dc);
    r->program->derivative_along(y, r->m.run.k, r->c, &t, r->still, r->dc, response);
    memset(r->dc, 0, sizeof(double) * (size_t)inputs);
    r->program->bodies_along(y, r->m.q0, r->m.run.k, r->c, &t, response, r->dc,
                             LW_ROW(r->moved, place, 6 * r->shapes->bodies));
}

/* The acceleration of the point of a body at (x, y) of which the body's own is among six numbers of each
   body; without what its speed adds where bodies is NULL. */
LW_STATIC void lw_acceleration_at(const lw_shapes *g, const double *places, const double *bodies,
                                  const double *six, int body, double x, double y, double *ax, double *ay)
{
    *ax = *ay = 0.0;
    if (body < g->bodies) {
        const double *b = places + 6 * body, *a = six + 6 * body;
        double spin = bodies == NULL ? 0.0 : bodies[6 * body + 5];
        *ax = a[3] - a[5] * (y - b[1]) - spin * spin * (x - b[0]);
        *ay = a[4] + a[5] * (x - b[0]) - spin * spin * (y - b[1]);
    }
}

/* The second rate of a gap, and the rate of the slip, from the accelerations of bodies; with is_whole the
   part that speeds give is included. */
LW_STATIC void lw_bends(const lw_touching *r, lw_touch touch, const lw_measure *m, const double *six,
                        int is_whole, double *gap, double *slip)
{
    const lw_shapes *g = r->shapes;
    const lw_outline *own, *other;
    const double *speeds = is_whole ? r->now.six : NULL;
    double ax, ay, bx, by, wx, wy, radius, spin = 0.0, turn = 0.0;
    lw_touch_outlines(g, touch, &own, &other);
    radius = own->round[touch.round].r;
    lw_acceleration_at(g, r->now.six, speeds, six, own->body, m->x, m->y, &ax, &ay);
    lw_acceleration_at(g, r->now.six, speeds, six, other->body, m->x, m->y, &bx, &by);
    wx = ax - bx;
    wy = ay - by;
    if (own->body < g->bodies) {
        turn += six[6 * own->body + 5];
    }
    if (other->body < g->bodies) {
        turn -= six[6 * other->body + 5];
        spin = r->now.six[6 * other->body + 5];
    }
    *gap = m->nx * wx + m->ny * wy;
    if (is_whole) {
        double vx, vy, ux, uy, along;
        lw_velocity_at(g, &r->now, own->body, m->x, m->y, &vx, &vy);
        lw_velocity_at(g, &r->now, other->body, m->x, m->y, &ux, &uy);
        vx -= ux;
        vy -= uy;
        wx += 2.0 * spin * vy;
        wy -= 2.0 * spin * vx;
        along = m->ny * vx - m->nx * vy;
        *gap = m->nx * wx + m->ny * wy;
        if (touch.kind != LW_SIDE) {
            const lw_arc *arc = (touch.kind == LW_ROUND ? other->round : other->hollow) + touch.face;
            double length = touch.kind == LW_ROUND ? m->gap + radius + arc->r : arc->r - radius - m->gap;
            *gap += (touch.kind == LW_ROUND ? 1.0 : -1.0) * along * along / fmax(length, 1e-300);
        }
    }
    *slip = m->ny * wx - m->nx * wy + radius * turn;
}

/* How many forces a touch has. */
LW_STATIC int lw_forces_of(lw_grip grip)
{
    return grip == LW_STICKING ? 2 : 1;
}

/* The matrix and the bias for touches, from measures, a state and its rates without their forces. A touch
   that slips has one force, along the normal and against the slip. Returns the number of forces. */
LW_STATIC int lw_relate(lw_touching *r, int count, const lw_held *held, const double *y, double t,
                        const double *rate)
{
    int forces = 0, row = 0, six = 6 * r->shapes->bodies;
    if (rate != NULL) {
        memset(r->dc, 0, sizeof(double) * (size_t)(r->program->inputs + 3 * r->shapes->bodies));
        r->dc[r->program->inputs + 3 * r->shapes->bodies] = 1.0;
        r->program->bodies_along(y, r->m.q0, r->m.run.k, r->c, &t, rate, r->dc, r->acceleration);
        r->dc[r->program->inputs + 3 * r->shapes->bodies] = 0.0;
    }
    for (int i = 0; i < count; ++i) {
        const lw_measure *m = r->measure + i;
        double drag = 0.0;
        if (held[i].grip == LW_SLIPPING) {
            drag = -held[i].way * r->shapes->couple[held[i].touch.couple].friction;
        }
        lw_respond(r, y, t, held[i].touch, m, m->nx + drag * m->ny, m->ny - drag * m->nx, forces++);
        if (held[i].grip == LW_STICKING) {
            lw_respond(r, y, t, held[i].touch, m, m->ny, -m->nx, forces++);
        }
    }
    for (int i = 0; i < count; ++i) {
        double gap, slip;
        for (int j = 0; j < forces; ++j) {
            lw_bends(r, held[i].touch, r->measure + i, LW_ROW(r->moved, j, six), 0, &gap, &slip);
            r->matrix[row * forces + j] = gap;
            if (held[i].grip == LW_STICKING) {
                r->matrix[(row + 1) * forces + j] = slip;
            }
        }
        if (rate != NULL) {
            lw_bends(r, held[i].touch, r->measure + i, r->acceleration, 1, &gap, &slip);
        } else {
            gap = r->measure[i].rate;
            slip = lw_slip(r, held[i].touch, r->measure + i);
        }
        r->bias[row++] = gap;
        if (held[i].grip == LW_STICKING) {
            r->bias[row++] = slip;
        }
    }
    return forces;
}

/* Forces with which the relations give w = 0: where more places touch than the bodies have freedoms, as under
   a block that stands on two corners and does not slide, the least ones. Returns 0 where there are none. */
LW_STATIC int lw_balance(lw_touching *r, int forces, const double *bias)
{
    double copy[LW_FORCE_MOST * LW_FORCE_MOST], given[LW_FORCE_MOST];
    double work[LW_MINIMUM_NORM_WORK(LW_FORCE_MOST)];
    int column[LW_FORCE_MOST];
    if (forces == 1) {
        r->force[0] = -bias[0] / r->matrix[0];
        return isfinite(r->force[0]);
    }
    memcpy(copy, r->matrix, sizeof(double) * (size_t)(forces * forces));
    for (int i = 0; i < forces; ++i) {
        given[i] = -bias[i];
    }
    return lw_minimum_norm(forces, forces, copy, LW_SPARE, given, r->force, work, column) >= 0 &&
           lw_all_finite(forces, r->force);
}

LW_STATIC void lw_measure_held(lw_touching *r)
{
    for (int i = 0; i < r->held_count; ++i) {
        lw_measure_touch(r->shapes, &r->now, r->held[i].touch, r->measure + i);
    }
}

/* The rates of a state with the forces of the touches that hold; in the form that integrators call. */
LW_STATIC int lw_touching_rate(double t, const double *y, double *rate, void *context)
{
    lw_touching *r = context;
    const lw_scheme *s = r->m.run.scheme;
    int forces, place = 0;
    s->derivative(y, r->m.run.k, r->c, &t, rate);
    if (r->held_count == 0) {
        return 0;
    }
    lw_touching_place(r, y, t, &r->now);
    lw_measure_held(r);
    forces = lw_relate(r, r->held_count, r->held, y, t, rate);
    if (!lw_balance(r, forces, r->bias)) {
        return 1;
    }
    for (int j = 0; j < forces; ++j) {
        const double *response = LW_ROW(r->response, j, r->m.size);
        for (int i = 0; i < r->m.size; ++i) {
            rate[i] += r->force[j] * response[i];
        }
    }
    for (int i = 0; i < r->held_count; ++i) {
        lw_held *held = r->held + i;
        double friction = r->shapes->couple[held->touch.couple].friction;
        held->normal = r->force[place++];
        held->tangent = held->grip == LW_STICKING   ? r->force[place++]
                        : held->grip == LW_SLIPPING ? -held->way * friction * held->normal
                                                    : 0.0;
    }
    return 0;
}

#endif
