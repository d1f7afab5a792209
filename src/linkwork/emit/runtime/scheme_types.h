/* What a generated simulation program is to the runtime: its functions and their sizes. */
#ifndef LW_SCHEME_TYPES_H
#define LW_SCHEME_TYPES_H

/* x: what is corrected; other: what else the equations need; k: constants, c: controls, t: the time.
   Puts residuals into r and their slopes by the component's unknowns into j, row by row without
   zeros. */
typedef void lw_residual(const double *x, const double *other, const double *k, const double *c,
                         const double *t, double *r, double *j);

typedef struct {
    int equations, unknowns;
    const int *places;     /* of its unknowns in x */
    const double *weights; /* how readily each unknown moves; NULL for all alike */
    const int *starts;     /* where in j each row begins, and behind the last one its end */
    const int *columns;    /* the unknown of each entry of j */
    int band;              /* rows further apart have no unknown in common; 0 where that is not used */
    lw_residual *residual;
} lw_component;

typedef struct {
    int zeroth, first, second, constants, outputs;
    int most_equations, most_unknowns, most_entries, most_band; /* of all components */
    void (*derivative)(const double *y, const double *k, const double *c, const double *t, double *rate);
    void (*zeroth_positions)(const double *y, const double *before, const double *k, const double *t,
                             double *q0);
    void (*observe)(const double *y, const double *q0, const double *k, const double *c, const double *t,
                    double *out);
    int initialise_count, velocity_count, stabilise_count;
    const lw_component *initialise, *velocity, *stabilise;
} lw_scheme;

#endif
