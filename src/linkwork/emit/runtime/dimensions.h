/* How many numbers contacts need, in the plane or, with LW_SPACE, in space: the engine is the same. */
#ifndef LW_DIMENSIONS_H
#define LW_DIMENSIONS_H

#ifdef LW_SPACE
#define LW_DIMENSION 3
#define LW_TANGENTS 2      /* directions along a face */
#define LW_WAY 3           /* numbers that tell a direction along a face whatever the tangents are */
#define LW_BODY_NUMBERS 13 /* of a body: place, quaternion, velocity, angular velocity */
#define LW_BODY_SPEEDS 7   /* where the velocities begin among them */
#define LW_BODY_LOADS 6    /* force at its origin and moment */
#define LW_COUPLE_TOUCHES 8 /* of each couple that are told with a row, as far as there is room */
/* Of a speed that is none: slower slips keep their direction, which turns fast then. */
#define LW_SLOW_SLIP 100.0
/* Of a gap that is none: what is in by less still touches. Where many places of two faces touch, those that
   are not held sink by rounding. */
#define LW_BEHIND 100.0
#else
#define LW_DIMENSION 2
#define LW_TANGENTS 1
#define LW_WAY 1
#define LW_CONE_SIDES 2   /* ways of friction */
#define LW_BODY_NUMBERS 6 /* x, y, angle and their rates */
#define LW_BODY_SPEEDS 3
#define LW_BODY_LOADS 3
#define LW_COUPLE_TOUCHES 4
#define LW_SLOW_SLIP 1e-3
#define LW_BEHIND 1.0
#endif

#endif
