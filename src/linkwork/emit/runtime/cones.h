/* Forces and impulses of all places that touch in space: Coulomb's law with its round cone of friction.

   With w = G f + b each touch has a normal force f >= 0 where its gap does not open, w >= 0 and f w = 0;
   one that may stick has a tangential force too, within the circle of friction times the normal force, and
   on its edge, against the slip, where it slips. Gauss and Seidel's method with projections (M. Jean,
   Computer Methods in Applied Mechanics and Engineering 177, 1999) tells which touches push, stick and
   slip; Newton's with the least change, for many touches may share a load in many ways, then finds their
   forces. No answer is taken that has not been checked: then f.w <= 0, and impulses that fulfil that create
   no energy. */
#ifndef LW_CONES_H
#define LW_CONES_H

#ifdef LW_SPACE

#include <math.h>
#include <string.h>

#include "lemke.h"
#include "linkage.h"
#include "minimum_norm.h"
#include "touching.h"
#include "vector.h"

#define LW_SWEEPS 16           /* over all touches before forces are looked for; then twice as many */
#define LW_SWEEP_ROUNDS 12     /* after which there is no answer */
#define LW_POLISHES 40         /* Newton steps, as long as each brings the answer nearer */
#define LW_CONES_DONE 1e-13    /* of all that is summed up: faults of an answer that is as good as can be */
/* And of one that is taken where none is better: where many touches of two faces say almost the same, their
   forces differ without end for nothing. */
#define LW_CONES_ACCEPTED 1e-7
#define LW_CONES_LEAST 1e-6    /* of the motion of the bodies: what they move past each other by less */

/* The problem: how touches grip, where their forces begin among all, and the normal forces that act besides,
   with which their friction grows. */
typedef struct {
    const lw_touching *r;
    const lw_held *held;
    int count, forces, row[LW_TOUCH_MOST];
    int is_firm[LW_TOUCH_MOST]; /* joints keep its gap, and no force does: it needs none */
    double friction[LW_TOUCH_MOST], given[LW_TOUCH_MOST], ease[LW_TOUCH_MOST];
} lw_cones;

/* What the matrix says of a touch's tangents: the most by which a unit of friction changes a slip. */
LW_STATIC double lw_tangent_ease(const double *matrix, int forces, int row)
{
    double a = matrix[(row + 1) * forces + row + 1], d = matrix[(row + 2) * forces + row + 2];
    double b = 0.5 * (matrix[(row + 1) * forces + row + 2] + matrix[(row + 2) * forces + row + 1]);
    return 0.5 * (a + d) + hypot(0.5 * (a - d), b);
}

/* Returns 0 where a force would push its own touch together, as friction may do (Painleve). */
LW_STATIC int lw_cones_begin(lw_cones *c, const lw_touching *r, int count, const lw_held *held, int forces,
                             const double *given)
{
    int row = 0;
    c->r = r;
    c->held = held;
    c->count = count;
    c->forces = forces;
    for (int i = 0; i < count; ++i) {
        int sticks = held[i].grip == LW_STICKING;
        c->row[i] = row;
        c->friction[i] = sticks ? r->shapes->couple[held[i].touch.couple].friction : 0.0;
        c->given[i] = given == NULL ? 0.0 : given[i];
        c->ease[i] = sticks ? lw_tangent_ease(r->matrix, forces, row) : 1.0;
        if (sticks && lw_is_firm(r, c->ease[i])) { /* joints keep it from slipping */
            c->friction[i] = 0.0;
            c->ease[i] = r->ready;
        }
        c->is_firm[i] = lw_is_firm(r, r->matrix[row * forces + row]);
        if (!c->is_firm[i] && (!(r->matrix[row * forces + row] > 0.0) || !(c->ease[i] > 0.0))) {
            return 0;
        }
        row += lw_forces_of(held[i].grip);
    }
    return 1;
}

/* How a gap or a slip moves with forces. */
LW_STATIC double lw_cones_move(const lw_cones *c, const double *force, int row)
{
    return c->r->bias[row] + lw_dot(c->forces, LW_ROW(c->r->matrix, row, c->forces), force);
}

/* The forces of one touch as Coulomb's law would correct them, all others as they are. */
LW_STATIC void lw_cone_project(const lw_cones *c, int i, const double *force, double *own)
{
    int row = c->row[i];
    double moves, most, size;
    if (c->is_firm[i]) {
        memset(own, 0, sizeof(double) * (1 + LW_TANGENTS));
        return;
    }
    moves = lw_cones_move(c, force, row);
    own[0] = fmax(0.0, force[row] - moves / c->r->matrix[row * c->forces + row]);
    if (c->held[i].grip == LW_STICKING) {
        for (int k = 1; k <= LW_TANGENTS; ++k) {
            own[k] = force[row + k] - lw_cones_move(c, force, row + k) / c->ease[i];
        }
        most = c->friction[i] * (own[0] + c->given[i]);
        size = lw_norm(LW_TANGENTS, own + 1);
        for (int k = 1; k <= LW_TANGENTS && size > most; ++k) {
            own[k] *= most / size;
        }
    }
}

LW_STATIC void lw_cones_sweep(const lw_cones *c, int sweeps, double *force)
{
    for (int turn = 0; turn < sweeps; ++turn) {
        for (int i = 0; i < c->count; ++i) {
            double own[1 + LW_TANGENTS];
            lw_cone_project(c, i, force, own);
            memcpy(force + c->row[i], own, sizeof(double) * (size_t)lw_forces_of(c->held[i].grip));
        }
    }
}

/* By how much forces miss Coulomb's law, as a share of all that is summed up; of what moves almost as if
   nothing touched a share of its motion. */
LW_STATIC double lw_cones_fault(const lw_cones *c, const double *force)
{
    double worst = 0.0, size = LW_CONES_LEAST * c->r->pace;
    for (int i = 0; i < c->count; ++i) {
        int row = c->row[i], last = row + lw_forces_of(c->held[i].grip);
        double own[1 + LW_TANGENTS], ease = c->r->matrix[row * c->forces + row];
        lw_cone_project(c, i, force, own);
        for (int k = row; k < last; ++k) {
            const double *line = LW_ROW(c->r->matrix, k, c->forces);
            double sum = fabs(c->r->bias[k]);
            for (int j = 0; j < c->forces; ++j) {
                sum += fabs(line[j] * force[j]);
            }
            size = fmax(size, sum);
            worst = fmax(worst, fabs(own[k - row] - force[k]) * (k == row ? ease : c->ease[i]));
        }
        worst = c->is_firm[i] ? fmax(worst, -lw_cones_move(c, force, row)) : worst;
    }
    return worst <= 0.0 ? 0.0 : worst / size;
}

/* A touch that pushes, in a Newton step: whether it slips, and then against what direction and how much of
   what turns that direction counts; where its forces are among the unknowns of the step (the normal one, or
   -1). */
typedef struct {
    int touch, slips, normal, tangent;
    double way[LW_TANGENTS], turns;
} lw_pushing;

/* Which touches push, and which of them slip, by forces; and the places of their forces among all. Returns
   how many touches; the number of forces is put into unknowns. */
LW_STATIC int lw_find_pushing(const lw_cones *c, const double *force, lw_pushing *pushing, int *places,
                              int *unknowns)
{
    int count = 0;
    *unknowns = 0;
    for (int i = 0; i < c->count; ++i) {
        int row = c->row[i];
        double most = c->friction[i] * (force[row] + c->given[i]), size;
        lw_pushing *own = pushing + count;
        own->touch = i;
        own->slips = 0;
        own->normal = own->tangent = -1;
        if (force[row] > 0.0) {
            own->normal = *unknowns;
            places[(*unknowns)++] = row;
        }
        if (most > 0.0 && !c->is_firm[i]) {
            own->tangent = *unknowns;
            for (int k = 0; k < LW_TANGENTS; ++k) {
                places[(*unknowns)++] = row + 1 + k;
                own->way[k] = force[row + 1 + k] - lw_cones_move(c, force, row + 1 + k) / c->ease[i];
            }
            size = lw_norm(LW_TANGENTS, own->way);
            own->slips = size > most;
            own->turns = most / size;
            for (int k = 0; k < LW_TANGENTS && own->slips; ++k) {
                own->way[k] /= size;
            }
        }
        count += own->normal >= 0 || own->tangent >= 0;
    }
    return count;
}

/* The equations of one touch's friction: no slip; or the force that is projected onto the circle is the one
   that there is, as it changes with all forces (P. Alart, A. Curnier, Computer Methods in Applied Mechanics
   and Engineering 92, 1991). */
LW_STATIC void lw_fill_friction(const lw_cones *c, const lw_pushing *own, const double *force, int n,
                                const int *places, double *lines, double *side)
{
    int i = own->touch, row = c->row[i];
    double ease = c->ease[i], most = c->friction[i] * (force[row] + c->given[i]);
    for (int k = 0; k < LW_TANGENTS; ++k) {
        double *line = lines + k * n;
        if (!own->slips) {
            for (int j = 0; j < n; ++j) {
                line[j] = c->r->matrix[(row + 1 + k) * c->forces + places[j]];
            }
            side[k] = -lw_cones_move(c, force, row + 1 + k);
            continue;
        }
        memset(line, 0, sizeof(double) * (size_t)n);
        for (int l = 0; l < LW_TANGENTS; ++l) {
            double across = own->turns * ((k == l ? 1.0 : 0.0) - own->way[k] * own->way[l]);
            line[own->tangent + l] += ease * ((k == l ? 1.0 : 0.0) - across);
            for (int j = 0; j < n; ++j) {
                line[j] += across * c->r->matrix[(row + 1 + l) * c->forces + places[j]];
            }
        }
        if (own->normal >= 0) {
            line[own->normal] -= ease * c->friction[i] * own->way[k];
        }
        side[k] = ease * (most * own->way[k] - force[row + 1 + k]);
    }
}

/* One Newton step: the least change of the forces of what pushes after which Coulomb's law holds for it. */
LW_STATIC int lw_cones_polish(const lw_cones *c, double *force)
{
    double *copy = c->r->scratch, side[LW_FORCE_MOST], step[LW_FORCE_MOST];
    double work[LW_MINIMUM_NORM_WORK(LW_FORCE_MOST)];
    int column[LW_FORCE_MOST], places[LW_FORCE_MOST], n;
    lw_pushing pushing[LW_TOUCH_MOST];
    int count = lw_find_pushing(c, force, pushing, places, &n);
    for (int i = 0; i < count; ++i) {
        const lw_pushing *own = pushing + i;
        if (own->normal >= 0) {
            for (int j = 0; j < n; ++j) {
                copy[own->normal * n + j] = c->r->matrix[c->row[own->touch] * c->forces + places[j]];
            }
            side[own->normal] = -lw_cones_move(c, force, c->row[own->touch]);
        }
        if (own->tangent >= 0) {
            lw_fill_friction(c, own, force, n, places, copy + own->tangent * n, side + own->tangent);
        }
    }
    if (n == 0 || lw_minimum_norm(n, n, copy, LW_SPARE, side, step, work, column) < 0) {
        return 0;
    }
    for (int j = 0; j < n; ++j) {
        force[places[j]] += step[j];
    }
    return lw_all_finite(c->forces, force);
}

/* Newton's method from forces; returns how good the best ones are that it comes to, which are put there. */
LW_STATIC double lw_cones_newton(const lw_cones *c, double *force)
{
    double best = lw_cones_fault(c, force), trial[LW_FORCE_MOST], last = INFINITY;
    memcpy(trial, force, sizeof(double) * (size_t)c->forces);
    for (int turn = 0; turn < LW_POLISHES && best > LW_CONES_DONE && lw_cones_polish(c, trial); ++turn) {
        double fault = lw_cones_fault(c, trial);
        if (fault < best) {
            best = fault;
            memcpy(force, trial, sizeof(double) * (size_t)c->forces);
        }
        if (!(fault < 0.7 * last)) {
            break;
        }
        last = fault;
    }
    return best;
}

/* The normal forces where no touch sticks, by exchanges: then they are all there is, and touches that say
   almost the same, as where a corner goes from edge to edge, need no sweeps without end. Returns 0 where
   there are none. */
LW_STATIC int lw_cones_exchange(const lw_cones *c, double *force)
{
    double problem[LW_TOUCH_MOST * LW_TOUCH_MOST], constant[LW_TOUCH_MOST], solved[LW_TOUCH_MOST];
    double scale[LW_TOUCH_MOST], work[LW_LEMKE_WORK(LW_TOUCH_MOST)];
    int basis[LW_TOUCH_MOST], n = c->count;
    if (n <= 0 || c->forces != n) {
        return 0;
    }
    for (int i = 0; i < n; ++i) {
        double own = fabs(c->r->matrix[i * n + i]);
        scale[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    for (int i = 0; i < n; ++i) {
        constant[i] = scale[i] * c->r->bias[i];
        for (int j = 0; j < n; ++j) {
            problem[i * n + j] = scale[i] * scale[j] * c->r->matrix[i * n + j];
        }
    }
    if (!lw_lemke(n, problem, constant, solved, work, basis)) {
        return 0;
    }
    for (int i = 0; i < n; ++i) {
        force[i] = scale[i] * solved[i];
    }
    return lw_all_finite(n, force);
}

/* The forces of touches that have been related. given are normal forces that act besides (or NULL). Returns 0
   where there are none; else they are in force, and what each touch has of friction in used. */
LW_STATIC int lw_complement(lw_touching *r, int count, const lw_held *held, int forces, const double *given)
{
    double best[LW_FORCE_MOST], fault = INFINITY, accepted = LW_CONES_DONE;
    lw_cones c;
    memset(r->force, 0, sizeof(double) * (size_t)forces);
    memcpy(best, r->force, sizeof(double) * (size_t)forces);
    if (!lw_cones_begin(&c, r, count, held, forces, given)) {
        return 0;
    }
    for (int round = 0; fault > accepted && round < LW_SWEEP_ROUNDS; ++round) {
        double trial[LW_FORCE_MOST], own;
        lw_cones_sweep(&c, LW_SWEEPS << round, r->force);
        if (!lw_all_finite(forces, r->force)) {
            break;
        }
        memcpy(trial, r->force, sizeof(double) * (size_t)forces);
        own = lw_cones_newton(&c, trial);
        if (own < fault) {
            fault = own;
            memcpy(best, trial, sizeof(double) * (size_t)forces);
        }
        accepted = fmin(round > 0 ? 10.0 * accepted : accepted, LW_CONES_ACCEPTED);
    }
    if (fault > accepted && lw_cones_exchange(&c, r->force)) {
        fault = lw_cones_newton(&c, r->force);
        memcpy(best, r->force, sizeof(double) * (size_t)forces);
    }
    memcpy(r->force, best, sizeof(double) * (size_t)forces);
    for (int i = 0; i < count; ++i) {
        r->used[i] = held[i].grip == LW_STICKING ? lw_norm(LW_TANGENTS, r->force + c.row[i] + 1) : 0.0;
    }
    return fault <= accepted;
}

#endif

#endif
