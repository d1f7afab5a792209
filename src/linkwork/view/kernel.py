"""What is done for every pixel, in C: triangles filled, their light mixed, pictures made smaller."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Final

from linkwork.emit.compiler import load_library
from linkwork.errors import ToolMissing

_SOURCE: Final = """
#include <math.h>
#include <stdint.h>

static double least(double a, double b, double c)
{
    double m = a < b ? a : b;
    return m < c ? m : c;
}

/* For each triangle the weights of its corners as a + b x + c y: those of the first and of the second. */
void slopes(int64_t count, const double *corners, double *out)
{
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < 2; i++) {
            const double *own = corners + 6 * k + 2 * i;
            const double *before = corners + 6 * k + 2 * ((i + 1) % 3), *after = corners + 6 * k + 2 * ((i + 2) % 3);
            double across_x = after[0] - before[0], across_y = after[1] - before[1];
            double area = across_x * (own[1] - before[1]) - across_y * (own[0] - before[0]);
            double b = -across_y / area, c = across_x / area;
            double *s = out + 6 * k + 3 * i;
            s[0] = -(b * before[0] + c * before[1]);
            s[1] = b;
            s[2] = c;
        }
}

/* Where along a row base + slope (x + 1/2) >= 0 may hold; a pixel more at each end, against rounding. */
static void narrow(double base, double slope, int64_t *from, int64_t *to)
{
    double zero = -base / slope - 0.5;
    if (slope > 0 && zero - 1 > *from)
        *from = zero - 1 < *to ? (int64_t)(zero - 1) : *to;
    else if (slope < 0 && zero + 2 < *to)
        *to = zero + 2 > *from ? (int64_t)(zero + 2) : *from;
}

void fill(int64_t count, const double *corners, const double *nearness, const double *slopes, int64_t width,
          int64_t height, int32_t first, double *near, int32_t *whose)
{
    for (int64_t k = 0; k < count; k++) {
        const double *p = corners + 6 * k, *n = nearness + 3 * k, *s = slopes + 6 * k;
        double left = floor(least(p[0], p[2], p[4])), right = ceil(-least(-p[0], -p[2], -p[4]));
        double top = floor(least(p[1], p[3], p[5])), bottom = ceil(-least(-p[1], -p[3], -p[5]));
        if (!isfinite(s[0] + s[1] + s[2] + s[3] + s[4] + s[5]))
            continue;
        if (!(right > 0 && bottom > 0 && left < width && top < height))
            continue;
        int64_t x0 = left > 0 ? (int64_t)left : 0, x1 = right < width ? (int64_t)right : width;
        int64_t y0 = top > 0 ? (int64_t)top : 0, y1 = bottom < height ? (int64_t)bottom : height;
        for (int64_t y = y0; y < y1; y++) {
            double a = s[0] + s[2] * (y + 0.5), b = s[3] + s[5] * (y + 0.5);
            int64_t from = x0, to = x1;
            narrow(a, s[1], &from, &to);
            narrow(b, s[4], &from, &to);
            narrow(1 - a - b, -s[1] - s[4], &from, &to);
            for (int64_t x = from; x < to; x++) {
                double u = a + s[1] * (x + 0.5), v = b + s[4] * (x + 0.5);
                if (u < 0 || v < 0 || u + v > 1)
                    continue;
                double depth = u * n[0] + v * n[1] + (1 - u - v) * n[2];
                int64_t place = y * width + x;
                if (depth > near[place]) {
                    near[place] = depth;
                    if (whose)
                        whose[place] = first + (int32_t)k;
                }
            }
        }
    }
}

/* eye: place, axes, focus. sun: axes, middle, scale, slack. Whether the sun does not see what is at a pixel. */
static int is_hidden(const double *eye, const double *sun, int64_t side, const double *sun_near, double x, double y,
                     double near)
{
    const double *a = eye + 3;
    double depth = 1 / near, right = x / eye[12] * depth, up = y / eye[12] * depth, p[3], q[3];
    for (int i = 0; i < 3; i++)
        p[i] = eye[i] + (right * a[i] + up * a[3 + i] + -depth * a[6 + i]) - sun[9 + i];
    for (int i = 0; i < 3; i++)
        q[i] = p[0] * sun[3 * i] + p[1] * sun[3 * i + 1] + p[2] * sun[3 * i + 2];
    double across = q[0] * sun[12] + side / 2.0, along = q[1] * sun[12] + side / 2.0;
    if (!(across >= 0 && along >= 0 && across < side && along < side))
        return 0;
    return sun_near[(int64_t)along * side + (int64_t)across] > q[2] * sun[12] + 2 * side + sun[13];
}

/* Colours of the pixels of some triangles, over what was there; light: for each corner that of the sun and the rest. */
void shade(int64_t width, int64_t height, const double *near, const int32_t *whose, int32_t first, int32_t count,
           const double *slopes, const double *light, const int32_t *owner, const double *own, double opacity,
           const double *eye, const double *sun, int64_t side, const double *sun_near, float *colour)
{
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            int64_t place = y * width + x;
            int32_t k = whose[place] - first;
            if (whose[place] < first || k >= count)
                continue;
            const double *s = slopes + 6 * k, *v = light + 18 * k, *c = own + 3 * owner[k];
            double a = s[0] + s[2] * (y + 0.5) + s[1] * (x + 0.5), b = s[3] + s[5] * (y + 0.5) + s[4] * (x + 0.5);
            double lit[6];
            for (int i = 0; i < 6; i++)
                lit[i] = a * v[i] + b * v[6 + i] + (1 - a - b) * v[12 + i];
            if (sun && (lit[0] != 0 || lit[1] != 0 || lit[2] != 0)
                && is_hidden(eye, sun, side, sun_near, (x + 0.5 - width / 2.0) / height,
                             (height / 2.0 - 0.5 - y) / height, near[place]))
                lit[0] = lit[1] = lit[2] = 0;
            for (int i = 0; i < 3; i++) {
                double bright = c[i] * (lit[i] + lit[3 + i]), before = colour[3 * place + i];
                colour[3 * place + i] = (float)(before + opacity * ((bright < 1 ? bright : 1) - before));
            }
        }
}

/* Every finer times finer pixels become one, in bytes. */
void smaller(int64_t width, int64_t height, int64_t finer, const float *colour, uint8_t *out)
{
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            for (int i = 0; i < 3; i++) {
                const float *from = colour + 3 * finer * (y * finer * width + x) + i;
                double sum = 0;
                for (int64_t v = 0; v < finer; v++)
                    for (int64_t u = 0; u < finer; u++)
                        sum += from[3 * (v * finer * width + u)];
                out[3 * (y * width + x) + i] = (uint8_t)(255 * (sum / (double)(finer * finer)) + 0.5);
            }
}
"""


@cache
def library() -> ctypes.CDLL | None:
    """The functions compiled; none where there is no compiler."""
    try:
        found = load_library(_SOURCE, optimise="-O2")
    except ToolMissing:
        return None
    size, short, real, pointer = ctypes.c_int64, ctypes.c_int32, ctypes.c_double, ctypes.c_void_p
    found.slopes.argtypes = [size, pointer, pointer]
    found.fill.argtypes = [size, pointer, pointer, pointer, size, size, short, pointer, pointer]
    found.shade.argtypes = [
        *(size, size, pointer, pointer, short, short),
        *(pointer, pointer, pointer, pointer, real),
        *(pointer, pointer, size, pointer, pointer),
    ]
    found.smaller.argtypes = [size, size, size, pointer, pointer]
    for function in (found.slopes, found.fill, found.shade, found.smaller):
        function.restype = None
    return found
