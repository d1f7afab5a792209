/* What a generated program is to the runtime if the parts of its machine may touch. */
#ifndef LW_TOUCHER_H
#define LW_TOUCHER_H

#include "scheme_types.h"

/* The functions of a machine that may touch, besides those of its scheme: the numbers of its bodies, in the
   plane with their places behind; the same with the rates of the state and of the numbers; what loads do to
   these rates, with the places given; derivatives along directions; and which bodies a load moves. */
typedef struct {
    const lw_scheme *scheme;
    int inputs; /* of the machine; three more follow for each body: force and moment at its origin */
    int is_timeless; /* whether nothing of it depends on the clock */
    void (*bodies)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                   double *out);
    void (*motion)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                   double *rate, double *out, double *along);
    void (*response)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                     const double *places, const double *loads, double *rate, double *along);
    void (*bodies_along)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                         const double *dy, const double *dc, double *out);
    void (*derivative_along)(const double *y, const double *k, const double *c, const double *t,
                             const double *dy, const double *dc, double *rate);
    int members; /* bodies of the largest group: a load on a body moves those of its own group alone */
    const int *member, *group; /* of each body: which of its group it is, and of which */
    const int *state_group;    /* of each entry of the state */
} lw_toucher;

#endif
