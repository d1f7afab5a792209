/* Looking ahead: the first touch that comes about in a step.

   A step is halved until every touch that is watched either surely does not come about between two looks at
   it, by its gaps, its rates and a bound of its speed, or is open at the one and closed at the other. */
#ifndef LW_LOOK_AHEAD_H
#define LW_LOOK_AHEAD_H

#include <math.h>

#include "bracket.h"
#include "rigid_state.h"
#include "vector.h"

LW_STATIC void lw_look_down(lw_look *look, int k, const lw_measure *m)
{
    look->gap[k] = m->gap;
    look->rate[k] = m->rate;
    look->apart[k] = m->apart;
}

/* The measure of a touch that is watched. */
LW_STATIC void lw_measure_watched(const lw_rigid *g, const lw_where *where, lw_touch touch, lw_measure *m)
{
    lw_measure_touch(g->r.shapes, where, touch, m);
    if (g->deeper != NULL) {
        g->deeper(g->r.shapes, where, touch, m);
    }
}

/* The gaps of touches that are watched where the bodies are now. */
LW_STATIC void lw_look_at(lw_rigid *g, const lw_where *where, double t, int count, const int *which,
                          lw_look *look)
{
    look->t = t;
    for (int i = 0; i < count; ++i) {
        lw_measure m;
        lw_measure_watched(g, where, g->near[which[i]], &m);
        lw_look_down(look, which[i], &m);
    }
}

/* Whether a touch that is behind its face at two looks surely was not before it between them, so that it
   could have come about: no speed lets it come out and back. Else the gaps of hollows rise and fall in one
   stretch, so that their rates tell nothing before it was halved some times; where a gap bends downwards it
   stays below both its tangents, and is low enough where these meet. */
LW_STATIC int lw_is_behind(const lw_rigid *g, const lw_look *a, const lw_look *b, int k, int depth)
{
    double span = b->t - a->t, out = a->rate[k], back = -b->rate[k];
    if (b->gap[k] >= -g->sunk || a->gap[k] + b->gap[k] + g->pace[k] * span < 0.0) {
        return 1;
    }
    if (depth > LW_LOOK_DEPTH - LW_LOOK_BEHIND && lw_is_hollow(g->near[k])) {
        return 0;
    }
    return out <= 0.0 || back <= 0.0 || a->gap[k] * back + b->gap[k] * out + span * out * back < 0.0;
}

/* Whether a touch that is there at one look parts, to a height that can be seen, and is lower at the next
   than it began: where that is not yet deep, it would be met with the speed of a fall that never was. */
LW_STATIC int lw_comes_back(const lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    double parts = a->rate[k], slows = (parts - b->rate[k]) / (b->t - a->t);
    return a->gap[k] <= g->deep && parts > 0.0 && b->rate[k] < 0.0 &&
           b->gap[k] < lw_smaller(a->gap[k], 0.0) && parts * parts > 2.0 * slows * LW_UNSEEN * g->deep;
}

/* Whether a touch is not there at one look and there at the next: what is in already, and comes out, is
   not. */
LW_STATIC int lw_sinks(const lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    int comes_out = a->gap[k] <= -g->deep && a->rate[k] >= 0.0 && b->rate[k] >= 0.0;
    return a->gap[k] >= -g->sunk &&
           ((b->gap[k] <= -g->deep && !comes_out) || lw_comes_back(g, a, b, k));
}

/* Whether a touch that is watched surely does not come about between two looks. */
LW_STATIC int lw_is_clear(const lw_rigid *g, const lw_look *a, const lw_look *b, int k, int depth)
{
    double span = b->t - a->t, way = g->pace[k] * span + 2.0 * (g->reach - g->slack), bend;
    int is_straight;
    if (a->apart[k] + b->apart[k] > way) {
        return 1;
    }
    if (a->gap[k] < -g->sunk) {
        return lw_is_behind(g, a, b, k, depth);
    }
    if (lw_sinks(g, a, b, k)) {
        return 0;
    }
    bend = 0.5 * span * fabs(b->rate[k] - a->rate[k]);
    /* what touches and neither parts nor comes nearer by more than is deep is looked at again later */
    is_straight = lw_larger(lw_smaller(a->gap[k], b->gap[k]), 0.0) + g->deep > bend;
    if (a->rate[k] * b->rate[k] >= 0.0) {
        return is_straight || depth <= LW_LOOK_DEPTH - LW_LOOK_BENDS;
    }
    return is_straight || (a->rate[k] > 0.0 && b->gap[k] > 0.0);
}

/* A touch that is watched, at a time of the last step; not how far apart its features are. */
LW_STATIC void lw_watched(lw_rigid *g, int k, double t, lw_measure *m)
{
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->inside);
    lw_measure_contact(g->r.shapes, &g->inside, g->near[k], m);
    if (g->deeper != NULL) {
        g->deeper(g->r.shapes, &g->inside, g->near[k], m);
    }
}

LW_STATIC double lw_watched_gap(lw_rigid *g, int k, double t)
{
    lw_measure m;
    lw_watched(g, k, t, &m);
    return m.gap;
}

/* A first guess of when a gap is closed, within a bracket: where the parabola with its rate at the left end
   is, or with no such root the straight line. */
LW_STATIC double lw_guess_of_gap(const lw_bracket *bracket, double rate)
{
    double span = bracket->right - bracket->left, value = bracket->left_value;
    double bend = (bracket->right_value - value - rate * span) / (span * span);
    double root = sqrt(rate * rate - 4.0 * bend * value);
    double guess = rate > 0.0 ? -0.5 * (rate + root) / bend : 2.0 * value / (root - rate);
    return bracket->left +
           (guess > 0.0 && guess < span ? guess : span * value / (value - bracket->right_value));
}

/* The same where both rates are known: as the cubic has it that has the values and rates of both ends, near
   that first guess. */
LW_STATIC double lw_closer_guess_of_gap(const lw_bracket *bracket, double rate, double last_rate)
{
    double span = bracket->right - bracket->left, first = lw_guess_of_gap(bracket, rate);
    double value = bracket->left_value, change = bracket->right_value - value;
    double slope = rate * span, last_slope = last_rate * span, share = (first - bracket->left) / span;
    double bend = 3.0 * change - 2.0 * slope - last_slope, twist = slope + last_slope - 2.0 * change;
    for (int i = 0; i < LW_LOOK_GUESSES; ++i) {
        double rise = slope + share * (2.0 * bend + share * 3.0 * twist);
        share -= (value + share * (slope + share * (bend + share * twist))) / rise;
    }
    return share > 0.0 && share < 1.0 ? bracket->left + share * span : first;
}

/* Whether a step of Newton's method from a value ends its search: the next one would be lost in the clock, as
   the last one tells, and nothing moves on this one by more than what is none beside the slack. */
LW_STATIC int lw_is_last_step(const lw_rigid *g, double step, double value, double last, double allowance)
{
    double share = value / last;
    return fabs(step) <= allowance ||
           (fabs(step) * g->speed <= LW_LOOK_NONE * g->slack && share * share * fabs(step) <= allowance);
}

/* When the gap of a touch comes down to a level, within a bracket, and the measure there: by Newton's method
   with the rate that is measured along, or by halves where that leads out or is slow, until what is left is
   rounding of the clock or of the gap. The rates are those where the bracket begins and ends. */
LW_STATIC double lw_time_of_gap(lw_rigid *g, int k, double level, const lw_bracket *bracket, double rate,
                                double last_rate, lw_measure *m)
{
    double left = bracket->left, right = bracket->right;
    double allowance = 1e-14 * lw_larger(g->moment, fabs(right));
    double t = lw_closer_guess_of_gap(bracket, rate, last_rate), last = INFINITY;
    for (int i = 0; i < 200 && right - left > allowance; ++i) {
        double value, next;
        lw_watched(g, k, t, m);
        value = m->gap - level;
        if (fabs(value) <= DBL_EPSILON * g->r.shapes->size) {
            return t;
        }
        if (value > 0.0) {
            left = t;
        } else {
            right = t;
        }
        next = t - value / m->rate;
        if (m->rate < 0.0 && lw_is_last_step(g, next - t, value, last, allowance)) {
            return lw_smaller(lw_larger(next, left), right);
        }
        t = next > left && next < right && fabs(value) < 0.5 * last ? next : 0.5 * (left + right);
        last = fabs(value);
    }
    lw_watched(g, k, t, m);
    return t;
}

/* The peak of a parabola that begins with one rate and has another after a while, within that; with no peak
   its middle: what is pulled away later parts there. */
LW_STATIC double lw_peak(double rate, double rate_then, double span)
{
    return rate > 0.0 && rate_then < 0.0 ? span * rate / (rate - rate_then) : 0.5 * span;
}

/* When a touch that is there at a look has come about again, and the measure there. Where it parts meanwhile
   it comes back to where it began, which is before it is deeper than that; else that is when. */
LW_STATIC double lw_return_time(lw_rigid *g, const lw_look *a, const lw_look *b, int k, lw_measure *m)
{
    double level = lw_smaller(a->gap[k], 0.0), deeper = level - g->deep, when = b->t;
    lw_bracket bracket = {a->t, b->t, a->gap[k] - deeper, b->gap[k] - deeper};
    if (bracket.right_value < 0.0) {
        when = lw_time_of_gap(g, k, deeper, &bracket, a->rate[k], b->rate[k], m);
    } else {
        lw_watched(g, k, when, m);
    }
    bracket.left = a->t + lw_peak(a->rate[k], m->rate, when - a->t);
    bracket.left_value = lw_watched_gap(g, k, bracket.left) - level;
    bracket.right = when;
    bracket.right_value = m->gap - level;
    return bracket.left_value > LW_OPENS * g->deep && bracket.right_value < 0.0
               ? lw_time_of_gap(g, k, level, &bracket, 0.0, m->rate, m)
               : when;
}

/* When a touch comes about that is not there at one look and there at the next; infinite where its features
   do not reach so far then. */
LW_STATIC double lw_meeting_time(lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    const lw_bracket bracket = {a->t, b->t, a->gap[k], b->gap[k]};
    lw_measure m;
    double when = a->gap[k] <= LW_OPENS * g->deep ? lw_return_time(g, a, b, k, &m)
                                                  : lw_time_of_gap(g, k, 0.0, &bracket, a->rate[k],
                                                                   b->rate[k], &m);
    return m.beyond <= g->reach ? when : INFINITY;
}

/* About when a touch comes about that does so between two looks: by the parabola through their gaps with the
   rate at the first. What touches there and parts is back when that is. */
LW_STATIC double lw_about_when(const lw_rigid *g, const lw_look *a, const lw_look *b, int k)
{
    double span = b->t - a->t, way = a->rate[k] * span;
    const lw_bracket bracket = {0.0, span, a->gap[k], b->gap[k]};
    if (a->gap[k] > g->deep) {
        return lw_guess_of_gap(&bracket, a->rate[k]);
    }
    return way > 0.0 ? span * way / (way - b->gap[k]) : 0.0;
}

/* The first of the touches that come about between two looks, in the order in which parabolas would do: what
   has a gap when another comes about comes later. Returns which, or -1. */
LW_STATIC int lw_first_crossing(lw_rigid *g, const lw_look *a, const lw_look *b, int count, const int *which,
                                double *when)
{
    double order[LW_WATCH_MOST];
    int found = -1;
    *when = INFINITY;
    for (int i = 0; i < count; ++i) {
        order[i] = lw_sinks(g, a, b, which[i]) ? lw_about_when(g, a, b, which[i]) : INFINITY;
    }
    for (;;) {
        int next = 0;
        double t;
        for (int i = 1; i < count; ++i) {
            next = order[i] < order[next] ? i : next;
        }
        if (order[next] == INFINITY) {
            return found;
        }
        order[next] = INFINITY;
        if (found >= 0 && lw_watched_gap(g, which[next], *when) > g->deep) {
            continue;
        }
        t = lw_meeting_time(g, a, b, which[next]);
        if (t < *when) {
            *when = t;
            found = which[next];
        }
    }
}

/* The first touch between two looks; returns which, or -1. */
LW_STATIC int lw_first_meeting(lw_rigid *g, const lw_look *a, const lw_look *b, int count, const int *which,
                               int depth, double *when)
{
    int left[LW_WATCH_MOST], crossing = 0, found, n = 0;
    double t;
    lw_look middle;
    for (int i = 0; i < count; ++i) {
        int k = which[i];
        if (!lw_is_clear(g, a, b, k, depth)) {
            left[n++] = k;
            crossing += lw_sinks(g, a, b, k);
        }
    }
    if (n == 0) {
        return -1;
    }
    if (crossing == n || depth == 0) {
        return lw_first_crossing(g, a, b, n, left, when);
    }
    t = 0.5 * (a->t + b->t);
    lw_touching_place(&g->r, lw_rigid_at(g, t), t, &g->inside);
    lw_look_at(g, &g->inside, t, n, left, &middle);
    found = lw_first_meeting(g, a, &middle, n, left, depth - 1, when);
    return found >= 0 ? found : lw_first_meeting(g, &middle, b, n, left, depth - 1, when);
}

/* Whether a touch need not be watched: it holds, or its twin does, or it is passed. */
LW_STATIC int lw_is_settled(const lw_rigid *g, lw_touch touch)
{
    lw_touch twin = touch;
    for (int i = 0; i < g->passed_count; ++i) {
        if (lw_same_touch(g->passed[i], touch)) {
            return 1;
        }
    }
    for (int i = 0; i < g->twin_count; ++i) {
        twin = lw_same_touch(g->twin[i], touch) ? g->twin_of[i] : twin;
    }
    for (int i = 0; i < g->r.held_count; ++i) {
        if (lw_same_touch(g->r.held[i].touch, touch) || lw_same_touch(g->r.held[i].touch, twin)) {
            return 1;
        }
    }
    return 0;
}

/* The share of a piece of a step in which a couple moves past itself by a distance, if its speed changes
   evenly: 1.5 v s + 1.5 (w - v) s^2 is the distance by the length of the piece. */
LW_STATIC double lw_share_of_piece(double distance, double first_speed, double last_speed)
{
    double even = LW_LOOK_PACE * first_speed, more = LW_LOOK_PACE * lw_larger(last_speed - first_speed, 0.0);
    return 2.0 * distance / (even + sqrt(even * even + 4.0 * more * distance));
}

/* The touches that could come about in a piece of the last step, from one place of the bodies to another, and
   the first look at them; what is behind its face already must come out first, and is watched only if it
   could: the gaps of all but hollows are no larger than their tangents tell, or hardly. Returns how many are
   near, those too, or LW_CROWD; then *share of the piece is one in which they may be fewer. */
LW_STATIC int lw_watch(lw_rigid *g, const lw_where *from, const lw_where *to, double span,
                       double *share)
{
    const lw_shapes *shapes = g->r.shapes;
    int near_count = 0;
    g->near_count = 0;
    *share = 0.5;
    for (int i = 0; i < shapes->couples; ++i) {
        double first = lw_couple_speed(shapes, from, i), last = lw_couple_speed(shapes, to, i), apart;
        double pace = LW_LOOK_PACE * lw_larger(first, last), needed = pace * span + g->reach;
        const lw_neighbour *near;
        int count = lw_nearby(&g->lists, shapes, from, i, needed, &near, &apart);
        lw_sight sight;
        double turn;
        if (count < 0) {
            double offered = lw_list_offers(&g->lists, shapes, from, i);
            *share = lw_share_of_piece(0.9 * offered / span, first, last);
            return LW_CROWD;
        }
        sight = lw_sight_of(shapes, from, i);
        turn = g->lists.is_facing ? lw_couple_turn(shapes, i, needed) : INFINITY;
        for (int j = 0; j < count; ++j) {
            lw_measure m;
            if (near[j].apart > apart ||
                lw_touch_looks_away(shapes, &sight, near[j].touch, turn) ||
                !lw_measure_near(shapes, from, &sight, near[j].touch, needed, &m) ||
                lw_is_settled(g, near[j].touch)) {
                continue;
            }
            if (g->deeper != NULL) {
                g->deeper(shapes, from, near[j].touch, &m);
            }
            if (fabs(m.gap) > needed) {
                continue;
            }
            ++near_count;
            if (m.gap < -g->sunk && !lw_is_hollow(near[j].touch) &&
                m.gap + LW_LOOK_PACE * m.rate * span < 0.0) {
                continue;
            }
            if (g->near_count == LW_WATCH_MOST) {
                return LW_CROWD;
            }
            g->near[g->near_count] = near[j].touch;
            g->pace[g->near_count] = pace;
            lw_look_down(&g->first, g->near_count++, &m);
        }
    }
    return near_count;
}

/* Whether parts may be in one another now, but for rounding: then what meets need not face what it meets, as
   the next corner of a tooth of which the first is in already. */
LW_STATIC int lw_is_in_another(const lw_rigid *g)
{
    const lw_shapes *shapes = g->r.shapes;
    lw_neighbour near[LW_NEAR_MOST];
    for (int i = 0; i < shapes->couples; ++i) {
        int found = lw_near_touches(shapes, &g->r.now, i, LW_SHALLOW * shapes->size, 0, LW_NEAR_MOST, near);
        if (found < 0) {
            return 1;
        }
        for (int j = 0; j < found; ++j) {
            lw_measure m;
            lw_measure_contact(shapes, &g->r.now, near[j].touch, &m);
            if (m.gap < -g->sunk && m.beyond <= 0.0) {
                return 1;
            }
        }
    }
    return 0;
}

/* How fast the fastest body turns. */
LW_STATIC double lw_turning(const lw_shapes *shapes, const lw_where *where)
{
    double turning = 0.0;
    for (int i = 0; i < shapes->bodies; ++i) {
        turning = lw_larger(turning, lw_body_turn(where, i));
    }
    return turning;
}

/* How far the bodies of a couple have moved past each other in the last step, at most. */
LW_STATIC double lw_way_of_couple(const lw_rigid *g, int couple)
{
    double first = lw_couple_speed(g->r.shapes, &g->before, couple);
    double last = lw_couple_speed(g->r.shapes, &g->r.now, couple);
    return LW_LOOK_PACE * lw_larger(first, last) * (g->r.m.s.t - g->r.m.s.t_old);
}

/* The first touch of the last step: which, or -1; LW_CROWD where too many would have to be watched. The step
   is gone through in pieces, each so short that not too many touches can come about and that no body turns
   far while any can. */
LW_STATIC int lw_first_of_step(lw_rigid *g, double *when)
{
    const lw_integrator *s = &g->r.m.s;
    lw_where *from = &g->from, *to = &g->there;
    double begin = s->t_old, length = s->t - begin;
    int every[LW_WATCH_MOST], found = -1, near;
    lw_where_copy(g->r.shapes, &g->before, from);
    lw_judge_speed(g, from);
    while (begin < s->t && found < 0) {
        double end = begin + 1.01 * length >= s->t ? s->t : begin + length, turn, share;
        lw_touching_place(&g->r, lw_rigid_at(g, end), end, to);
        near = lw_watch(g, from, to, end - begin, &share);
        turn = lw_larger(lw_turning(g->r.shapes, from), lw_turning(g->r.shapes, to)) * (end - begin);
        if (near == LW_CROWD || (near > 0 && turn > LW_LOOK_TURN)) {
            if (!(length > 1e-12 * lw_larger(g->moment, fabs(s->t)))) {
                return LW_CROWD;
            }
            share = near == LW_CROWD ? lw_smaller(lw_larger(share, 1e-3), 0.5) : 0.9 * LW_LOOK_TURN / turn;
            length = share * (end - begin);
            continue;
        }
        for (int i = 0; i < g->near_count; ++i) {
            every[i] = i;
        }
        g->first.t = begin;
        lw_look_at(g, to, end, g->near_count, every, &g->last);
        found = lw_first_meeting(g, &g->first, &g->last, g->near_count, every, LW_LOOK_DEPTH, when);
        lw_where_copy(g->r.shapes, to, from);
        begin = end;
        length *= 1.5;
    }
    return found;
}

#endif
