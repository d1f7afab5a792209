/* The touches that are near: found once, and kept while the bodies of their couple move little.

   All touches of a couple that are nearer than a distance R where it was last looked at are in its list, with
   how far apart they were. Where its bodies have since moved past each other by less than m, what is nearer
   than d now, with a gap below d, was nearer than m + d then: the list has it as long as m + d <= R. (What is
   deeper in than d may be nearer as a pair of lines than it was told then.) Corners that looked away from
   sides by more than they turn on a way of R still do. */
#ifndef LW_NEARBY_H
#define LW_NEARBY_H

#include <math.h>
#include <string.h>

#include "linkage.h"
#include "touching.h"

#define LW_NEAR_MOST 192   /* touches of one list */
#define LW_WATCH_MOST 512  /* touches of all couples that are watched at one time */
#define LW_LIST_FEW 12     /* touches of a list that may well reach farther */
#define LW_LIST_MANY 32    /* and of one that should reach less far: so many, and more where the search for */
#define LW_LIST_PAYS 8     /* them goes through many features, one for so many */
#define LW_LIST_LONGER 1.5  /* how far a list that is short should reach, of as far as it does; */
#define LW_LIST_SHORTER 0.7 /* one that is too long, */
#define LW_LIST_THINS 0.9   /* if no more than this share of its touches are nearer */
#define LW_LIST_LEFT 0.3   /* what is left of a list while it is of use, by what is proper */
#define LW_LIST_SHARE 0.02 /* how far a first list reaches, by the size */
#define LW_LIST_ROOM(couples) (1024 + 2 * LW_LIST_MANY * (size_t)(couples)) /* touches of all lists */

/* The list of a couple: where the smaller of its bodies was seen from the other, how far the list reaches (0
   where there is none), how far lists should reach that are neither long nor soon used up, and its place
   among all. */
typedef struct {
    lw_place at;
    double within, proper;
    int start, count;
} lw_list;

typedef struct {
    lw_list *list; /* of each couple */
    lw_neighbour *all;
    int used, room;
    int is_facing; /* whether corners that look away from sides are left out: no part is in another */
    double least;  /* how far lists reach whatever their length: no shorter step asks for less */
} lw_lists;

/* The doubles that the lists of so many couples need. */
LW_STATIC size_t lw_lists_doubles(int couples)
{
    size_t bytes = sizeof(lw_list) * (size_t)couples + sizeof(lw_neighbour) * LW_LIST_ROOM(couples);
    return bytes / sizeof(double) + 1;
}

LW_STATIC void lw_lists_begin(lw_lists *lists, const lw_shapes *g, double *doubles)
{
    lists->list = (lw_list *)doubles;
    lists->all = (lw_neighbour *)(lists->list + g->couples);
    lists->used = 0;
    lists->room = (int)LW_LIST_ROOM(g->couples);
    lists->is_facing = 1;
    lists->least = 0.0;
    for (int i = 0; i < g->couples; ++i) {
        lists->list[i].within = 0.0;
        lists->list[i].count = 0;
        lists->list[i].proper = LW_LIST_SHARE * g->size;
    }
}

/* Let what was found be the list of a couple. */
LW_STATIC void lw_list_keep(lw_lists *lists, const lw_shapes *g, const lw_where *w, int couple, double within,
                            int count, const lw_neighbour *found)
{
    lw_list *own = lists->list + couple;
    if (lists->used + count > lists->room) { /* forget all others */
        for (int i = 0; i < g->couples; ++i) {
            lists->list[i].within = 0.0;
        }
        lists->used = 0;
    }
    own->at = lw_couple_place(g, w, couple);
    own->within = within;
    own->start = lists->used;
    own->count = count;
    lists->used += count;
    memcpy(lists->all + own->start, found, sizeof *found * (size_t)count);
}

/* How much farther the next list should reach, by this one. Touches that are always near, as those of flush
   ends, are in any: if hardly one is in the outer part of a list, it may reach farther. */
LW_STATIC double lw_list_change(double within, int count, int many, const lw_neighbour *found)
{
    int nearer = 0;
    if (count <= many) {
        return count < 0 ? 0.5 : count < LW_LIST_FEW ? LW_LIST_LONGER : 1.0;
    }
    for (int i = 0; i < count; ++i) {
        nearer += found[i].apart <= LW_LIST_SHORTER * within;
    }
    return nearer < LW_LIST_THINS * count ? LW_LIST_SHORTER : count < LW_NEAR_MOST / 2 ? LW_LIST_LONGER : 1.0;
}

/* Make the list of a couple anew: as far as is proper, which is learnt from its length; or just as far as is
   needed, if that is farther and it is short all the same, as the last one was, or must be as it is.
   Returns 0 where there is no such list; then the one there is stays. */
LW_STATIC int lw_list_make(lw_lists *lists, const lw_shapes *g, const lw_where *w, int couple, double needed)
{
    lw_list *own = lists->list + couple;
    lw_neighbour found[LW_NEAR_MOST];
    double within = needed;
    int count = -1, many = LW_LIST_MANY + lw_searched(g, couple) / LW_LIST_PAYS;
    while (count < 0 && needed <= own->proper) {
        within = own->proper;
        count = lw_near_touches(g, w, couple, within, lists->is_facing, LW_NEAR_MOST, found);
        own->proper *= lw_list_change(within, count, many, found);
    }
    if (count < 0 && (own->count < LW_LIST_FEW || needed <= lists->least)) {
        int most = needed <= lists->least ? LW_NEAR_MOST : LW_LIST_FEW;
        within = needed;
        count = lw_near_touches(g, w, couple, within, lists->is_facing, most, found);
    }
    if (count >= 0) {
        lw_list_keep(lists, g, w, couple, within, count, found);
    }
    return count >= 0;
}

/* How far a couple's bodies have moved past each other since its list was made, at most. */
LW_STATIC double lw_moved_since(const lw_list *own, const lw_shapes *g, const lw_where *w, int couple)
{
    lw_place at = lw_couple_place(g, w, couple);
    return lw_couple_way(g, couple, &own->at, &at);
}

/* A distance for which the list of a couple should be asked where it does not reach farther: what is left of
   the one there is, unless that is little beside a new one. */
LW_STATIC double lw_list_offers(const lw_lists *lists, const lw_shapes *g, const lw_where *w, int couple)
{
    const lw_list *own = lists->list + couple;
    double left = own->within > 0.0 ? own->within - lw_moved_since(own, g, w, couple) : 0.0;
    return left > LW_LIST_LEFT * own->proper ? left : own->proper;
}

/* The touches of a couple among which are all that are nearer than a distance: where they begin, and how
   many; those that were farther apart than *apart are farther. -1 where they are too many. */
LW_STATIC int lw_nearby(lw_lists *lists, const lw_shapes *g, const lw_where *w, int couple, double needed,
                        const lw_neighbour **first, double *apart)
{
    lw_list *own = lists->list + couple;
    *apart = needed;
    if (own->within > 0.0) {
        *apart += lw_moved_since(own, g, w, couple);
    }
    if (*apart > own->within) {
        *apart = needed;
        if (!lw_list_make(lists, g, w, couple, needed)) {
            return -1;
        }
    }
    *first = lists->all + own->start;
    return own->count;
}

#endif
