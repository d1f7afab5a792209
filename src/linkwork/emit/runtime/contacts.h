/* Contacts as other languages call them: shapes from arrays of numbers, and runs in memory of the caller's.
   */
#ifndef LW_CONTACTS_H
#define LW_CONTACTS_H

#include "apart.h"
#include "elastic.h"
#include "linkage.h"
#include "rigid.h"
#include "space_fill.h"

#ifndef LW_SPACE

#define LW_PLACES 12 /* integers of an outline: its body; where rounds, sides and hollows begin, and how
                        many; the columns and rows of its grid, where its starts, entries and clearances
                        begin */
#define LW_CIRCLE 6  /* doubles of an outline: centre and reach; corner and cell of its grid */
#define LW_COUPLE 3  /* integers of a couple: its outlines, how they are joined */
#define LW_PHYSICS 6 /* doubles of a couple: axis or direction, friction, restitution, stiffness, damping */

LW_STATIC size_t lw_shapes_bytes(int outlines, int couples)
{
    return sizeof(lw_shapes) + sizeof(lw_outline) * (size_t)outlines + sizeof(lw_couple) * (size_t)couples;
}

/* Shapes in the caller's memory, lw_shapes_bytes long; features and cells must stay. */
LW_STATIC lw_shapes *lw_shapes_fill(void *memory, int bodies, int outlines, int couples, double size,
                                    const double *features, const int *cells, const int *places,
                                    const double *circles, const int *ends, const double *physics)
{
    lw_shapes *g = memory;
    lw_outline *outline = (lw_outline *)(g + 1);
    lw_couple *couple = (lw_couple *)(outline + outlines);
    g->bodies = bodies;
    g->outlines = outlines;
    g->couples = couples;
    g->outline = outline;
    g->couple = couple;
    g->size = size;
    for (int i = 0; i < outlines; ++i) {
        const int *place = places + LW_PLACES * i;
        outline[i].body = place[0];
        outline[i].round = (const lw_arc *)(features + place[1]);
        outline[i].rounds = place[2];
        outline[i].side = (const lw_side *)(features + place[3]);
        outline[i].sides = place[4];
        outline[i].hollow = (const lw_arc *)(features + place[5]);
        outline[i].hollows = place[6];
        outline[i].x = circles[LW_CIRCLE * i];
        outline[i].y = circles[LW_CIRCLE * i + 1];
        outline[i].reach = circles[LW_CIRCLE * i + 2];
        outline[i].grid.x = circles[LW_CIRCLE * i + 3];
        outline[i].grid.y = circles[LW_CIRCLE * i + 4];
        outline[i].grid.cell = circles[LW_CIRCLE * i + 5];
        outline[i].grid.columns = place[7];
        outline[i].grid.rows = place[8];
        outline[i].grid.starts = cells + place[9];
        outline[i].grid.entries = (const lw_entry *)(cells + place[10]);
        outline[i].grid.clear = features + place[11];
    }
    for (int i = 0; i < couples; ++i) {
        couple[i].a = ends[LW_COUPLE * i];
        couple[i].b = ends[LW_COUPLE * i + 1];
        couple[i].joined = (lw_joined)ends[LW_COUPLE * i + 2];
        couple[i].x = physics[LW_PHYSICS * i];
        couple[i].y = physics[LW_PHYSICS * i + 1];
        couple[i].friction = physics[LW_PHYSICS * i + 2];
        couple[i].restitution = physics[LW_PHYSICS * i + 3];
        couple[i].stiffness = physics[LW_PHYSICS * i + 4];
        couple[i].damping = physics[LW_PHYSICS * i + 5];
    }
    return g;
}

#endif

LW_STATIC size_t lw_elastic_bytes(void)
{
    return sizeof(lw_elastic);
}

/* The couple whose contact changed last, or for which the run ended. */
LW_STATIC int lw_elastic_blamed(const lw_elastic *e)
{
    return e->blamed;
}

LW_STATIC size_t lw_rigid_bytes(void)
{
    return sizeof(lw_rigid);
}

/* The couple of the last event of a run, or -1. */
LW_STATIC int lw_rigid_blamed(const lw_rigid *g)
{
    return g->blamed;
}

/* Steps, refused steps, evaluations, impacts, the time reached and the largest residual of a run. */
LW_STATIC void lw_rigid_statistics(const lw_rigid *g, double *numbers)
{
    numbers[0] = (double)g->r.m.s.steps;
    numbers[1] = (double)g->r.m.s.rejected;
    numbers[2] = (double)g->r.m.s.evaluations;
    numbers[3] = (double)g->impacts;
    numbers[4] = g->r.m.s.t;
    numbers[5] = g->r.m.worst;
    numbers[6] = (double)g->row;
    numbers[7] = (double)g->r.m.step;
}

#endif
