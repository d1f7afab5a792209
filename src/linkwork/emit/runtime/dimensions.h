/* How many numbers contacts need, in the plane or, with LW_SPACE, in space: the engine is the same. */
#ifndef LW_DIMENSIONS_H
#define LW_DIMENSIONS_H

#ifdef LW_SPACE
#define LW_DIMENSION 3
#define LW_TANGENTS 2      /* directions along a face */
#define LW_WAY 3           /* numbers that tell a direction along a face whatever the tangents are */
#define LW_CONE_SIDES 8    /* of the pyramid that stands for the cone of friction where it is not known which
                              way a touch slips */
#define LW_BODY_NUMBERS 13 /* of a body: place, quaternion, velocity, angular velocity */
#define LW_BODY_SPEEDS 7   /* where the velocities begin among them */
#define LW_BODY_LOADS 6    /* force at its origin and moment */
#else
#define LW_DIMENSION 2
#define LW_TANGENTS 1
#define LW_WAY 1
#define LW_CONE_SIDES 2
#define LW_BODY_NUMBERS 6 /* x, y, angle and their rates */
#define LW_BODY_SPEEDS 3
#define LW_BODY_LOADS 3
#endif

#endif
