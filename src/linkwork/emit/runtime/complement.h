/* The complementarity problem of all places that touch, for forces and for impulses: in the plane; cones.h
   has that of space. */
#ifndef LW_COMPLEMENT_H
#define LW_COMPLEMENT_H

#include "cones.h"
#include "linkage.h"

#ifndef LW_SPACE

#include <math.h>
#include <string.h>

#include "lemke.h"
#include "touching.h"
#include "vector.h"

/* Where the unknowns of each touch are in the problem, and its normal force among all forces. A touch that
   sticks has its normal force, its friction each of two ways, and the speed of its slip. */
typedef struct {
    int size, place[LW_TOUCH_MOST], normal[LW_TOUCH_MOST];
    double scale[LW_TOUCH_MOST], way[LW_TOUCH_MOST][LW_CONE_SIDES][LW_TANGENTS];
} lw_unknowns;

LW_STATIC void lw_lay_out(const lw_touching *r, int count, const lw_held *held, int forces, lw_unknowns *u)
{
    int row = 0;
    u->size = 0;
    for (int i = 0; i < count; ++i) {
        double own = r->matrix[row * forces + row];
        u->normal[i] = row;
        row += lw_forces_of(held[i].grip);
        u->place[i] = u->size;
        u->size += held[i].grip == LW_STICKING ? 2 + LW_CONE_SIDES : 1;
        if (held[i].grip == LW_STICKING) {
            u->way[i][0][0] = 1.0;
            u->way[i][1][0] = -1.0;
        }
        u->scale[i] = fabs(own) > 0.0 ? 1.0 / sqrt(fabs(own)) : 1.0;
    }
}

/* What the forces of touch j do to the gap of touch i, and to its slip if it sticks. */
LW_STATIC void lw_fill_effect(lw_touching *r, const lw_held *held, int forces, const lw_unknowns *u, int i,
                              int j)
{
    int sides = held[i].grip == LW_STICKING ? LW_CONE_SIDES : 0;
    int columns = held[j].grip == LW_STICKING ? LW_TANGENTS : 0;
    double both = u->scale[i] * u->scale[j];
    for (int side = 0; side <= sides; ++side) {
        double *row = LW_ROW(r->problem, u->place[i] + side, u->size) + u->place[j];
        for (int k = 0; k < (side == 0 ? 1 : LW_TANGENTS); ++k) {
            int own = u->normal[i] + (side == 0 ? 0 : 1 + k);
            const double *line = LW_ROW(r->matrix, own, forces) + u->normal[j];
            double share = side == 0 ? both : both * u->way[i][side - 1][k];
            row[0] += share * line[0];
            for (int way = 0; way < LW_CONE_SIDES && columns > 0; ++way) {
                for (int l = 0; l < columns; ++l) {
                    row[1 + way] += share * u->way[j][way][l] * line[1 + l];
                }
            }
        }
    }
}

/* The rows of touch i: its gap; and if it sticks its slip both ways, and its cone of friction. */
LW_STATIC void lw_fill_rows(lw_touching *r, int count, const lw_held *held, int forces, const lw_unknowns *u,
                            const double *given, int i)
{
    int place = u->place[i];
    double *q = r->constant + place;
    q[0] = u->scale[i] * r->bias[u->normal[i]];
    if (held[i].grip == LW_STICKING) {
        double friction = r->shapes->couple[held[i].touch.couple].friction;
        int last = 1 + LW_CONE_SIDES;
        double *cone = LW_ROW(r->problem, place + last, u->size) + place;
        q[last] = given == NULL ? 0.0 : friction * given[i] / u->scale[i];
        cone[0] = friction;
        for (int side = 0; side < LW_CONE_SIDES; ++side) {
            q[1 + side] = u->scale[i] * lw_dot(LW_TANGENTS, u->way[i][side], r->bias + u->normal[i] + 1);
            LW_ROW(r->problem, place + 1 + side, u->size)[place + last] = 1.0;
            cone[1 + side] = -1.0;
        }
    }
    for (int j = 0; j < count; ++j) {
        lw_fill_effect(r, held, forces, u, i, j);
    }
}

/* The forces of one touch, by cases: it parts, sticks, or slips the way in which sticking would need too
   much. Returns 0 where there may be more answers than one, since its friction could press it on, or numbers
   are not finite. */
LW_STATIC int lw_complement_one(lw_touching *r, const lw_held *held)
{
    const double *matrix = r->matrix, *bias = r->bias;
    double friction = r->shapes->couple[held->touch.couple].friction, both[2], way;
    r->used[0] = 0.0;
    if (!lw_all_finite(lw_forces_of(held->grip), bias)) {
        return 0;
    }
    if (held->grip != LW_STICKING) {
        r->force[0] = lw_larger(-bias[0] / matrix[0], 0.0);
        return matrix[0] > 0.0 && isfinite(r->force[0]);
    }
    if (!(matrix[0] > friction * fabs(matrix[1])) || !(matrix[3] > 0.0)) {
        return 0;
    }
    r->force[0] = r->force[1] = 0.0;
    if (bias[0] < 0.0) {
        if (!lw_balance_two(matrix, bias, LW_SPARE, both)) {
            return 0;
        }
        memcpy(r->force, both, sizeof both);
        if (fabs(both[1]) > friction * both[0]) {
            way = both[1] > 0.0 ? friction : -friction;
            r->force[0] = -bias[0] / (matrix[0] + way * matrix[1]);
            r->force[1] = way * r->force[0];
        }
        r->used[0] = fabs(r->force[1]);
    }
    return isfinite(r->force[0]) && isfinite(r->force[1]);
}

/* The complementarity problem of touches that have been related: each has a normal force not below 0 where
   its gap does not open; those that stick a tangential one within the cone of friction. given are normal
   forces that act besides (or NULL). Returns 0 where there is no solution; else the forces are in force. */
LW_STATIC int lw_complement(lw_touching *r, int count, const lw_held *held, int forces, const double *given)
{
    lw_unknowns u;
    if (count == 1 && given == NULL && lw_complement_one(r, held)) {
        return 1;
    }
    lw_lay_out(r, count, held, forces, &u);
    memset(r->problem, 0, sizeof(double) * (size_t)(u.size * u.size));
    for (int i = 0; i < count; ++i) {
        lw_fill_rows(r, count, held, forces, &u, given, i);
    }
    if (!lw_lemke(u.size, r->problem, r->constant, r->solved, r->pivots, r->basis)) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        const double *solved = r->solved + u.place[i];
        r->force[u.normal[i]] = u.scale[i] * solved[0];
        r->used[i] = 0.0;
        if (held[i].grip == LW_STICKING) {
            double *tangent = r->force + u.normal[i] + 1;
            memset(tangent, 0, sizeof(double) * LW_TANGENTS);
            for (int side = 0; side < LW_CONE_SIDES; ++side) {
                r->used[i] += u.scale[i] * solved[1 + side];
                for (int k = 0; k < LW_TANGENTS; ++k) {
                    tangent[k] += u.scale[i] * solved[1 + side] * u.way[i][side][k];
                }
            }
        }
    }
    return lw_all_finite(forces, r->force);
}

/* The edges of the cones of all touches, as forces: two of one that sticks, else one. Returns how many. */
LW_STATIC int lw_cone_edges(const lw_touching *r, int count, const lw_held *held, int forces, double *edge,
                            int *row)
{
    int edges = 0, own = 0;
    for (int i = 0; i < count; ++i) {
        double friction = r->shapes->couple[held[i].touch.couple].friction;
        double size = fabs(r->matrix[own * forces + own]);
        for (int side = 0; side < lw_forces_of(held[i].grip); ++side) {
            edge[2 * edges] = size > 0.0 ? 1.0 / sqrt(size) : 1.0;
            edge[2 * edges + 1] = edge[2 * edges] * (side ? -friction : friction);
            edge[2 * edges + 1] *= held[i].grip == LW_STICKING;
            row[edges++] = own;
        }
        own += lw_forces_of(held[i].grip);
    }
    return edges;
}

/* Forces that push and stay in their cones, with the least energy of what they let move: they let nothing
   move where any can do that, while the complementarity problem may have another solution, in which something
   slips. (Where something slips already, they may miss it.) Returns 0 where none are found. */
LW_STATIC int lw_least_motion(lw_touching *r, int count, const lw_held *held, int forces)
{
    double edge[4 * LW_TOUCH_MOST];
    int row[2 * LW_TOUCH_MOST], n = lw_cone_edges(r, count, held, forces, edge, row);
    for (int i = 0; i < n; ++i) {
        const double *own = edge + 2 * i;
        r->constant[i] = own[0] * r->bias[row[i]] + (own[1] != 0.0 ? own[1] * r->bias[row[i] + 1] : 0.0);
        for (int j = 0; j < n; ++j) {
            double *place = r->problem + i * n + j;
            *place = 0.0;
            for (int k = 0; k < 2 && own[k] != 0.0; ++k) {
                const double *line = LW_ROW(r->matrix, row[i] + k, forces) + row[j];
                *place += own[k] * lw_dot(edge[2 * j + 1] != 0.0 ? 2 : 1, line, edge + 2 * j);
            }
        }
    }
    if (!lw_lemke(n, r->problem, r->constant, r->solved, r->pivots, r->basis)) {
        return 0;
    }
    memset(r->force, 0, sizeof(double) * (size_t)forces);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 2 && edge[2 * i + k] != 0.0; ++k) {
            r->force[row[i] + k] += edge[2 * i + k] * r->solved[i];
        }
    }
    return lw_all_finite(forces, r->force);
}

#endif

#endif
