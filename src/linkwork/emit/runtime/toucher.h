/* What a generated program is to the runtime if the parts of its machine may touch. */
#ifndef LW_TOUCHER_H
#define LW_TOUCHER_H

#include "scheme_types.h"

/* The functions of a machine that may touch, besides those of its scheme. */
typedef struct {
    const lw_scheme *scheme;
    int inputs; /* of the machine; three more follow for each body: force and moment at its origin */
    void (*bodies)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                   double *out);
    void (*bodies_along)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                         const double *dy, const double *dc, double *out);
    void (*derivative_along)(const double *y, const double *k, const double *c, const double *t,
                             const double *dy, const double *dc, double *rate);
} lw_toucher;

#endif
