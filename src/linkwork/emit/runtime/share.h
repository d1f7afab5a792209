/* Impulses, and in space forces, that several places share in many ways, shared out as evenly as can be.

   Where faces lie flat on each other, or joints hold what is struck, many impulses give the same velocities,
   and which of them a method finds depends on the order of the places. Taken is the shortest one: the least
   sum of squares that moves all gaps and slips as the one found does. So the image of a machine in a mirror
   has the images of its impulses, and velocities, what parts, sticks and slips are as they were. */
#ifndef LW_SHARE_H
#define LW_SHARE_H

#include <math.h>
#include <string.h>

#include "linkage.h"
#include "minimum_norm.h"
#include "touching.h"
#include "vector.h"

#define LW_SHARE_OPEN 1e-9 /* of all that moves gaps: one that opens faster has no force */
#define LW_SHARE_SAME 1e-9 /* of the same: motions that differ by less are one */
#define LW_SHARE_NONE 1e-9 /* of the largest: a normal force that is less is none */

/* What may share: of each touch where its forces are among all, whether it has any, and whether it slips, so
   that its friction goes with the normal force. */
typedef struct {
    int row[LW_TOUCH_MOST], pushes[LW_TOUCH_MOST], slips[LW_TOUCH_MOST];
    double moves[LW_FORCE_MOST], size;
} lw_sharing;

/* How the forces move all gaps and slips, and what may share. */
LW_STATIC void lw_sharing_begin(lw_sharing *s, const lw_touching *r, int count, const lw_held *held,
                                int forces)
{
    int row = 0;
    s->size = 0.0;
    for (int i = 0; i < forces; ++i) {
        const double *line = LW_ROW(r->matrix, i, forces);
        double sum = fabs(r->bias[i]);
        s->moves[i] = lw_dot(forces, line, r->force);
        for (int j = 0; j < forces; ++j) {
            sum += fabs(line[j] * r->force[j]);
        }
        s->size = fmax(s->size, sum);
    }
    for (int i = 0; i < count; ++i) {
        s->row[i] = row;
        s->pushes[i] = s->moves[row] + r->bias[row] <= LW_SHARE_OPEN * s->size;
        s->slips[i] = 0;
        for (int k = 1; k <= LW_TANGENTS && held[i].grip == LW_STICKING && r->force[row] > 0.0; ++k) {
            s->slips[i] |= fabs(s->moves[row + k] + r->bias[row + k]) > LW_SHARE_OPEN * s->size;
        }
        row += lw_forces_of(held[i].grip);
    }
}

/* The shortest forces of those that may share; how many there are is returned, or -1 where these do not move
   things as they should, or there is but one way. all are the forces, in their places among all. */
LW_STATIC int lw_shortest_share(const lw_sharing *s, const lw_touching *r, int count, const lw_held *held,
                                int forces, double *all)
{
    double *columns = r->scratch, side[LW_FORCE_MOST], x[LW_FORCE_MOST];
    double work[LW_MINIMUM_NORM_WORK(LW_FORCE_MOST)];
    int column[LW_FORCE_MOST], n = 0, m = 0;
    for (int i = 0; i < count; ++i) {
        n += !s->pushes[i] ? 0 : s->slips[i] ? 1 : lw_forces_of(held[i].grip);
    }
    for (int i = 0; i < count; ++i) {
        int own = s->slips[i] ? 1 : lw_forces_of(held[i].grip);
        for (int k = 0; k < own && s->pushes[i]; ++k, ++m) {
            for (int j = 0; j < forces; ++j) {
                const double *line = LW_ROW(r->matrix, j, forces) + s->row[i];
                columns[j * n + m] = line[k];
                for (int l = 1; l <= LW_TANGENTS && s->slips[i]; ++l) {
                    columns[j * n + m] += line[l] * r->force[s->row[i] + l] / r->force[s->row[i]];
                }
            }
        }
    }
    memcpy(side, s->moves, sizeof(double) * (size_t)forces);
    m = n == 0 ? -1 : lw_minimum_norm(forces, n, columns, LW_SPARE, side, x, work, column);
    if (m < 0 || m == n) {
        return -1;
    }
    memset(all, 0, sizeof(double) * (size_t)forces);
    m = 0;
    for (int i = 0; i < count; ++i) {
        int own = s->slips[i] ? 1 : lw_forces_of(held[i].grip);
        for (int k = 0; k < own && s->pushes[i]; ++k) {
            all[s->row[i] + k] = x[m++];
        }
        for (int l = 1; l <= LW_TANGENTS && s->pushes[i] && s->slips[i]; ++l) {
            all[s->row[i] + l] = all[s->row[i]] * r->force[s->row[i] + l] / r->force[s->row[i]];
        }
    }
    for (int j = 0; j < forces; ++j) {
        double moves = lw_dot(forces, LW_ROW(r->matrix, j, forces), all);
        if (!(fabs(moves - s->moves[j]) <= LW_SHARE_SAME * s->size)) {
            return -1;
        }
    }
    return n;
}

/* Share out the impulses in force evenly, where that can be done. What would pull has none; all of that is
   left out at once, so that images in a mirror stay images. */
LW_STATIC void lw_share_evenly(lw_touching *r, int count, const lw_held *held,
                                int forces)
{
    double all[LW_FORCE_MOST];
    lw_sharing s;
    int pulls = 1;
    if (count < 2) {
        return;
    }
    lw_sharing_begin(&s, r, count, held, forces);
    for (int turn = 0; pulls && turn < count; ++turn) {
        double largest = 0.0;
        if (lw_shortest_share(&s, r, count, held, forces, all) < 0) {
            return;
        }
        for (int i = 0; i < count; ++i) {
            largest = fmax(largest, all[s.row[i]]);
        }
        pulls = 0;
        for (int i = 0; i < count; ++i) {
            double friction = r->shapes->couple[held[i].touch.couple].friction, normal = all[s.row[i]];
            if (normal < -LW_SHARE_NONE * largest) {
                s.pushes[i] = 0;
                pulls = 1;
            }
            if (held[i].grip == LW_STICKING && s.pushes[i] &&
                lw_norm(LW_TANGENTS, all + s.row[i] + 1) > friction * fmax(normal, 0.0) * (1.0 + 1e-9)) {
                return; /* they stick as they were found */
            }
        }
    }
    for (int i = 0; i < count && !pulls; ++i) {
        all[s.row[i]] = fmax(all[s.row[i]], 0.0);
    }
    if (!pulls) {
        memcpy(r->force, all, sizeof(double) * (size_t)forces);
    }
}

/* Forces that several touches in space share in many ways, shared out evenly as long as none of them ceases
   to push by that: what begins is told as it goes on, and a mirror shows the images of all forces. */
LW_STATIC void lw_share_forces(lw_touching *r, int count, const lw_held *held, int forces, double faint)
{
    double before[LW_FORCE_MOST];
    int row = 0, is_less = 0;
    memcpy(before, r->force, sizeof(double) * (size_t)forces);
    lw_share_evenly(r, count, held, forces);
    for (int i = 0; i < count; ++i) {
        is_less |= before[row] > faint && !(r->force[row] > faint);
        row += lw_forces_of(held[i].grip);
    }
    if (is_less) {
        memcpy(r->force, before, sizeof(double) * (size_t)forces);
        return;
    }
    row = 0;
    for (int i = 0; i < count; ++i) {
        r->used[i] = held[i].grip == LW_STICKING ? lw_norm(LW_TANGENTS, r->force + row + 1) : 0.0;
        row += lw_forces_of(held[i].grip);
    }
}

#endif
