/* Where elastic touches in space are on their features: as long as they press, parts are a little in one
   another, and so are they. */
#ifndef LW_SPACE_ENDS_H
#define LW_SPACE_ENDS_H

#ifdef LW_SPACE

#include "linkage.h"
#include "space.h"
#include "space_measure.h"
#include "space_motion.h"

#define LW_ASLANT 0.3 /* sine by which lines that cross may look past the faces beside them: as much as
                         overlaps turn bodies */

/* Whether a touch with this measure is on its features. What is buried is judged apart. */
LW_STATIC int lw_is_on_features(const lw_measure *m, double slack)
{
    return m->past <= slack && m->aslant <= LW_ASLANT;
}

/* The measure of a touch where parts may be in one another, from the one there is: what lines that cross look
   past is no end. */
LW_STATIC void lw_measure_deeper(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    (void)g;
    (void)w;
    (void)touch;
    m->beyond = m->aslant <= LW_ASLANT ? m->past : LW_EVERYWHERE;
}

/* That of what presses. */
LW_STATIC void lw_measure_pressed(const lw_shapes *g, const lw_where *w, lw_touch touch, lw_measure *m)
{
    lw_measure_touch(g, w, touch, m);
}

#endif

#endif
