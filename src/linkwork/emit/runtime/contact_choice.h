/* Which method gets on faster: an explicit or an implicit one.

   An elastic contact that is struck and let go swings once: an explicit method follows that in few cheap
   steps. One that rests and whose swings have died away is stiff, and an implicit method gets on in long
   ones; so does it where a whole machine of rigid parts comes to rest. When the one becomes the other cannot
   be told beforehand. So it is measured: the explicit method begins; after some steps the other one has a
   few, and whichever makes more way for its work goes on, each time for longer. */
#ifndef LW_CONTACT_CHOICE_H
#define LW_CONTACT_CHOICE_H

#include "contact_method.h"
#include "linkage.h"

#define LW_TRY_STEPS 4      /* of the method that is tried */
#define LW_KEEP_PRESSED 16  /* of the other before, where elastic contacts press; then half as many more */
#define LW_KEEP_MOST 4000
#define LW_IMPLICIT_WORK 2.0 /* of a step, by that of an explicit one */

typedef struct {
    int is_implicit; /* the one that is in use */
    int is_trial;
    long steps, keep; /* that it has made, and that the one that is no trial makes */
    double way;       /* of the clock in them */
    double pace[2];   /* of the explicit and of the implicit method: way for the work of an explicit step */
} lw_choice;

/* Begin with the explicit method, and so many steps of it. */
LW_STATIC void lw_choice_begin(lw_choice *choice, long keep)
{
    const lw_choice fresh = {0, 0, 0, keep, 0.0, {0.0, 0.0}};
    *choice = fresh;
}

LW_STATIC void lw_choice_turn(lw_choice *choice, int is_implicit, int is_trial)
{
    choice->is_implicit = is_implicit;
    choice->is_trial = is_trial;
    choice->steps = 0;
    choice->way = 0.0;
}

/* After a step by so much of the clock; next is the length that is proposed for the one to come, by which a
   trial is judged: its first steps are short. is_stiff where an explicit method finds that its stability
   limits it. Returns whether the other method is to go on. */
LW_STATIC int lw_choice_step(lw_choice *choice, double way, double next, int is_stiff)
{
    int now = choice->is_implicit, wins;
    long most = choice->is_trial ? LW_TRY_STEPS : choice->keep;
    ++choice->steps;
    choice->way += way;
    if (choice->steps < most && (choice->is_trial || !is_stiff)) {
        return 0;
    }
    choice->pace[now] = (choice->is_trial ? next : choice->way / (double)choice->steps) /
                        (now ? LW_IMPLICIT_WORK : 1.0);
    if (!choice->is_trial) {
        lw_choice_turn(choice, !now, 1);
        return 1;
    }
    wins = choice->pace[now] > choice->pace[!now];
    choice->keep += choice->keep < LW_KEEP_MOST ? choice->keep / 2 : 0;
    lw_choice_turn(choice, wins ? now : !now, 0);
    return !wins;
}

#endif
