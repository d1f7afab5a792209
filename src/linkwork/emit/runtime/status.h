/* How an iteration ended. Every solver of the runtime speaks these words; zero is success. */
#ifndef LW_STATUS_H
#define LW_STATUS_H

typedef enum {
    LW_CONVERGED = 0,       /* the tolerance is met */
    LW_NO_PROGRESS = 1,     /* no step improves the residual: a stationary point of its norm, or rounding */
    LW_NO_SIGN_CHANGE = 2,  /* both ends of the bracket lie on the same side of zero */
    LW_ITERATION_LIMIT = 3, /* the caller's limit was reached first */
    LW_NOT_FINITE = 4       /* a value that is needed and cannot be avoided is NaN or infinite */
} lw_status;

#endif
