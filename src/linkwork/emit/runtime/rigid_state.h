/* What a run with rigid contacts knows: the touches that are watched, those that hold, its rows and its
   events. */
#ifndef LW_RIGID_STATE_H
#define LW_RIGID_STATE_H

#include <float.h>
#include <math.h>

#include "contact_choice.h"
#include "contact_method.h"
#include "linkage.h"
#include "nearby.h"
#include "scheme.h"

#define LW_LOOK_DEPTH 26   /* halvings of a step in search of the first touch */
#define LW_LOOK_BEHIND 4   /* of them that are done whatever the rates of what is behind a hollow tell */
#define LW_LOOK_BENDS 4    /* and of one in which a gap that is small may bend down and up again */
#define LW_LOOK_TURN 0.3   /* angle by which bodies turn at most between two looks */
#define LW_LOOK_PACE 1.5   /* of the larger speed at two looks: none is faster between them */
#define LW_LOOK_GUESSES 3  /* steps to the root of a cubic */
#define LW_LOOK_NONE 1e-3  /* of the slack: a way that is none */
#define LW_PAUSE_STEPS 1000 /* after which the caller may have changed his mind */
#define LW_CRAWL_STEPS 50000 /* steps after which the way made is looked at */
#define LW_CRAWL_LOOKS 20  /* in a row from which the end seems out of reach, until it is given up; */
#define LW_CRAWL_FAR 500.0 /* at once if that is so many times too far */
#define LW_CROWD -2        /* too many touches to be watched */
#define LW_EVENT_NUMBERS (10 + 2 * LW_DIMENSION + LW_WAY)
#define LW_ROW_NUMBERS (1 + 2 * LW_DIMENSION) /* of each: couple, place, force on the first of the couple */
#define LW_UNSEEN 4e-4 /* of what is deep: a height that is too small to be seen */
#define LW_OPENS 1e-4  /* of what is deep: a gap above where it began that is not by rounding */
#define LW_SHALLOW 1e-2 /* of the size: how deep parts are looked for in one another where a run begins */
#define LW_STEP_SHARE 1e-13 /* how near a step ends to the touches that hold, by the size */
#define LW_ROW_SHARE 1e-10  /* and a row; */
#define LW_ROW_NEAR 1e-7    /* one that is nearer than this is so after one move */
#define LW_CHATTER_MOST 200 /* events without progress of the clock */
#define LW_PATIENT 20 /* of them that are taken as they are */
#define LW_SOON_SHARE (1.0 / 256.0) /* of a step: what happens sooner is looked at in a shorter one, */
#define LW_LATER 32.0               /* which is so many times as long as that is away */
#define LW_FIRST_STEP 1e-3 /* of the time in which something changes: the first step */
#define LW_LANDINGS 4 /* tries of the end of a step to be where something happens */
/* Of the largest acceleration: what moves by less is held. */
#define LW_MOVES (LW_TANGENTS == 1 ? 1e-11 : 1e-6)

/* Touches that are told with a row: some places of each couple, as far as there is room. */
LW_STATIC int lw_row_room(const lw_shapes *shapes)
{
    int each = LW_COUPLE_TOUCHES * shapes->couples;
    return each < LW_TOUCH_MOST ? each : LW_TOUCH_MOST;
}

/* What happened. */
typedef enum {
    LW_IMPACT = 0,
    LW_BEGINS = 1,
    LW_ENDS = 2,
    LW_STICKS = 3,
    LW_SLIPS = 4,
    LW_SETTLES = 5,
    LW_PAINLEVE = 6
} lw_event_kind;

/* How a run, or a piece of it, ended. */
typedef enum {
    LW_RIGID_DONE = 0,
    LW_RIGID_FULL = 1,      /* no room for more events: call again */
    LW_RIGID_STOPPED = 2,   /* the integrator gave up */
    LW_RIGID_LEFT = 3,      /* the constraints of the machine could not be restored */
    LW_RIGID_NO_FORCES = 4, /* no forces let the touches be */
    LW_RIGID_CHATTER = 5,   /* events without end */
    LW_RIGID_CROWDED = 6,   /* more touches at once than there is room for */
    LW_RIGID_TOO_LONG = 7,
    LW_RIGID_FAR = 10 /* a body is so far away that it cannot be told where */
} lw_rigid_status;

/* Gaps of the touches that are watched, at one time. */
typedef struct {
    double t;
    double gap[LW_WATCH_MOST], rate[LW_WATCH_MOST], apart[LW_WATCH_MOST];
} lw_look;

/* The rows of a run: their times, and what is written of each. */
typedef struct {
    long count;
    const double *times;
    double *states, *outs, *touches;
} lw_rows;

typedef struct {
    lw_touching r;
    lw_method method;
    lw_choice choice;
    lw_rows rows;
    double slack;  /* a gap below it is none */
    double deep;   /* what is deeper is in */
    double sunk;   /* and what is deeper than this is behind its face, and may pass there */
    /* What changes a measure where parts may be in one another, or NULL. */
    void (*deeper)(const lw_shapes *, const lw_where *, lw_touch, lw_measure *);
    double reach;  /* how far past the ends of its features a touch may come about */
    double speed;  /* the largest of late, by which others are judged */
    double fastest; /* that was ever met */
    double moment;  /* a time by which others are judged */
    double pull;    /* the largest acceleration of late with which gaps would close without forces */
    double strongest; /* force that was met */
    double *state; /* inside a step */
    lw_where before; /* the bodies where the last step began */
    lw_where from, there, inside; /* where a piece of it begins and ends, and between */
    lw_lists lists;
    int near_count;
    lw_touch near[LW_WATCH_MOST];
    double pace[LW_WATCH_MOST]; /* bounds of the speed of each pair */
    lw_look first, last;
    long events, events_most, chatter, event_total, impacts, most_steps, paused;
    long looked, crawled; /* at how many steps the way made was looked at last; looks in a row without any */
    double here;          /* the time then */
    double *event;  /* LW_EVENT_NUMBERS each */
    double last_event, last_impact;
    lw_held candidate[2 * LW_TOUCH_MOST];
    int passed_count; /* faces behind which a corner goes past another: they do not count in the next step */
    lw_touch passed[LW_TOUCH_MOST];
    int twin_count; /* touches of other layers that say the same as touches that were gathered */
    lw_touch twin[LW_TOUCH_MOST], twin_of[LW_TOUCH_MOST];
    double *rows_state, *unit;
    long row;
    int blamed;    /* the couple of the last event, or -1 */
    int gives;     /* whether a touch that stuck has too little friction now */
    int stops;     /* whether one that slipped slips no more: which */
    lw_touch stopped;
    int asked, which; /* of the reserve that is watched */
    double level;     /* by how much it may be below 0 */
} lw_rigid;

/* The doubles that a run needs in all. */
LW_STATIC size_t lw_rigid_doubles(const lw_toucher *program, const lw_shapes *shapes)
{
    size_t size = (size_t)program->scheme->first + 2 * (size_t)program->scheme->second;
    return lw_machine_doubles(program->scheme) + lw_touching_doubles(program, shapes) + 3 * size +
           4 * lw_where_doubles(shapes) + lw_lists_doubles(shapes->couples);
}

LW_STATIC void lw_note(lw_rigid *g, lw_event_kind kind, lw_touch touch, const lw_measure *m, double normal,
                       const double *tangent, double before, double lost)
{
    double *e = g->event + LW_EVENT_NUMBERS * g->events;
    ++g->event_total;
    if (g->events >= g->events_most) {
        return;
    }
    e[0] = g->r.m.s.t;
    e[1] = kind;
    e[2] = touch.couple;
    e[3] = touch.swapped;
    e[4] = touch.kind;
    e[5] = touch.round;
    e[6] = touch.face;
    lw_touch_point(g->r.shapes, touch, m, e + 7);
    lw_touch_normal(m, e + 7 + LW_DIMENSION);
    e += 7 + 2 * LW_DIMENSION;
    e[0] = normal;
    for (int k = 0; k < LW_WAY; ++k) {
        e[1 + k] = tangent == NULL ? 0.0 : tangent[k];
    }
    e[1 + LW_WAY] = before;
    e[2 + LW_WAY] = lost;
    ++g->events;
}

LW_STATIC int lw_same_touch(lw_touch a, lw_touch b)
{
    return a.couple == b.couple && a.swapped == b.swapped && a.kind == b.kind && a.round == b.round &&
           a.face == b.face;
}

/* The speed by which others are judged: the largest of late where steps begin (their ends may lie behind
   events), and not below that which what pulls gaps shut gives over the size: what is some orders slower
   would be stopped within rounding. What was met long ago counts for little. */
LW_STATIC void lw_judge_speed(lw_rigid *g, const lw_where *where)
{
    double now = 0.0;
    for (int i = 0; i < g->r.shapes->couples; ++i) {
        now = fmax(now, lw_couple_speed(g->r.shapes, where, i));
    }
    g->fastest = fmax(g->fastest, now);
    g->speed = fmax(fmax(now, 0.9 * g->speed), fmax(1e-6 * g->fastest, sqrt(g->pull * g->r.shapes->size)));
}

/* What is let pass where one event follows the other at one time: more and more, up to a thousandth. Places
   that hold the same are not told apart by rounding. */
LW_STATIC double lw_patience(const lw_rigid *g)
{
    int turns = (int)(g->chatter - LW_PATIENT);
    return turns > 0 ? ldexp(1e-12, turns < 30 ? turns : 30) : 0.0;
}

/* The first body that is so far away that rounding of its place is more than the slack of a touch, or none:
   -1. */
LW_STATIC int lw_far_body(const lw_rigid *g)
{
    for (int i = 0; i < g->r.shapes->bodies; ++i) {
        const double *place = g->r.now.six + LW_BODY_NUMBERS * i;
        if (!(lw_largest(LW_DIMENSION, place) * DBL_EPSILON <= g->slack)) {
            return i;
        }
    }
    return -1;
}

/* Whether the caller is to be asked: there is no more room for events, or many steps were taken since. */
LW_STATIC int lw_pauses(lw_rigid *g)
{
    long steps = g->r.m.s.steps + g->r.m.s.rejected;
    int pauses = g->events + 4 * LW_TOUCH_MOST > g->events_most || steps - g->paused >= LW_PAUSE_STEPS;
    g->paused = pauses ? steps : g->paused;
    return pauses;
}

/* Whether so many steps as are allowed in all would not lead to the end as they are now, and have not been
   for long: as where a part turns ever faster. */
LW_STATIC int lw_crawls(lw_rigid *g)
{
    const lw_integrator *s = &g->r.m.s;
    if (s->steps + s->rejected - g->looked >= LW_CRAWL_STEPS) {
        double needed = LW_CRAWL_STEPS * (g->rows.times[g->rows.count - 1] - s->t);
        double within = (double)g->most_steps * (s->t - g->here);
        g->crawled = needed > LW_CRAWL_FAR * within ? LW_CRAWL_LOOKS : needed > within ? g->crawled + 1 : 0;
        g->looked = s->steps + s->rejected;
        g->here = s->t;
    }
    return g->crawled >= LW_CRAWL_LOOKS;
}

/* The body that moves fastest where the last step began. */
LW_STATIC int lw_fastest_body(const lw_rigid *g)
{
    int found = 0;
    double fastest = 0.0;
    for (int i = 0; i < g->r.shapes->bodies; ++i) {
        double speed = lw_norm(LW_DIMENSION, g->r.now.six + LW_BODY_NUMBERS * i + LW_BODY_SPEEDS);
        if (speed > fastest) {
            fastest = speed;
            found = i;
        }
    }
    return found;
}

/* The state inside the last step. */
LW_STATIC const double *lw_rigid_at(lw_rigid *g, double t)
{
    const lw_integrator *s = &g->r.m.s;
    if (t == s->t) {
        return s->y;
    }
    lw_method_dense(&g->r.m, g->method, t, g->state);
    return g->state;
}

#endif
