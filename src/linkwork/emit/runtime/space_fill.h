/* Shapes in space from arrays of numbers, as other languages have them. */
#ifndef LW_SPACE_FILL_H
#define LW_SPACE_FILL_H

#ifdef LW_SPACE

#include <stddef.h>
#include <string.h>

#include "linkage.h"
#include "space.h"

#define LW_FEATURE_NUMBERS 24 /* doubles of a feature: point, axis, radius, length, ways, middle, reach */
#define LW_FEATURE_WORDS 4    /* integers of it: kind, leaf, side, number of ways */
#define LW_LEAF_NUMBERS 7     /* doubles of a leaf: point, axis, radius */
#define LW_SOLID_WORDS 7      /* integers of a solid: body; where features, leaves, steps begin, how many */
#define LW_SOLID_NUMBERS 4    /* doubles of it: middle, reach */
#define LW_COUPLE_WORDS 3     /* integers of a couple: its solids, how they are joined */
#define LW_COUPLE_NUMBERS 10  /* doubles of it: point and axis of the joint, friction, restitution,
                                 stiffness, damping */

LW_STATIC size_t lw_shapes_bytes(const int *counts)
{
    return sizeof(lw_shapes) + sizeof(lw_solid) * (size_t)counts[1] + sizeof(lw_couple) * (size_t)counts[2] +
           sizeof(lw_feature) * (size_t)counts[3] + sizeof(lw_leaf) * (size_t)counts[4];
}

LW_STATIC void lw_fill_feature(lw_feature *f, const double *numbers, const int *words)
{
    f->kind = words[0];
    f->leaf = words[1];
    f->side = words[2];
    f->ways = words[3];
    memcpy(f->x, numbers, sizeof f->x);
    memcpy(f->a, numbers + 3, sizeof f->a);
    f->r = numbers[6];
    f->length = numbers[7];
    memcpy(f->way, numbers + 8, sizeof f->way);
    memcpy(f->middle, numbers + 20, sizeof f->middle);
    f->reach = numbers[23];
}

/* Shapes in the caller's memory, lw_shapes_bytes long; the steps must stay. counts are those of bodies,
   solids, couples, features and leaves. */
LW_STATIC lw_shapes *lw_shapes_fill(void *memory, const int *counts, double size, const double *features,
                                    const int *feature_words, const double *leaves, const int *leaf_words,
                                    const int *steps, const int *solids, const double *balls, const int *ends,
                                    const double *physics)
{
    lw_shapes *g = memory;
    lw_solid *solid = (lw_solid *)(g + 1);
    lw_couple *couple = (lw_couple *)(solid + counts[1]);
    lw_feature *feature = (lw_feature *)(couple + counts[2]);
    lw_leaf *leaf = (lw_leaf *)(feature + counts[3]);
    const lw_shapes whole = {counts[0], counts[1], counts[2], solid, couple, size};
    *g = whole;
    for (int i = 0; i < counts[3]; ++i) {
        lw_fill_feature(feature + i, features + LW_FEATURE_NUMBERS * i, feature_words + LW_FEATURE_WORDS * i);
    }
    for (int i = 0; i < counts[4]; ++i) {
        leaf[i].kind = leaf_words[i];
        memcpy(leaf[i].x, leaves + LW_LEAF_NUMBERS * i, sizeof leaf[i].x);
        memcpy(leaf[i].a, leaves + LW_LEAF_NUMBERS * i + 3, sizeof leaf[i].a);
        leaf[i].r = leaves[LW_LEAF_NUMBERS * i + 6];
    }
    for (int i = 0; i < counts[1]; ++i) {
        const int *words = solids + LW_SOLID_WORDS * i;
        solid[i].body = words[0];
        solid[i].feature = feature + words[1];
        solid[i].features = words[2];
        solid[i].leaf = leaf + words[3];
        solid[i].leaves = words[4];
        solid[i].step = steps + words[5];
        solid[i].steps = words[6];
        memcpy(solid[i].middle, balls + LW_SOLID_NUMBERS * i, sizeof solid[i].middle);
        solid[i].reach = balls[LW_SOLID_NUMBERS * i + 3];
    }
    for (int i = 0; i < counts[2]; ++i) {
        const double *numbers = physics + LW_COUPLE_NUMBERS * i;
        couple[i].a = ends[LW_COUPLE_WORDS * i];
        couple[i].b = ends[LW_COUPLE_WORDS * i + 1];
        couple[i].joined = (lw_joined)ends[LW_COUPLE_WORDS * i + 2];
        memcpy(couple[i].x, numbers, sizeof couple[i].x);
        memcpy(couple[i].axis, numbers + 3, sizeof couple[i].axis);
        couple[i].friction = numbers[6];
        couple[i].restitution = numbers[7];
        couple[i].stiffness = numbers[8];
        couple[i].damping = numbers[9];
    }
    return g;
}

#endif

#endif
