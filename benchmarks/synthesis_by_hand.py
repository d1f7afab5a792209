"""What a specialist would write in C: DOP853 for one system, the double pendulum, the four-bar in its crank angle.

The integrator is Hairer's method and step control with its sums written out for the system at hand, everything in one
file for the compiler to see; its coefficients are SciPy's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate._ivp import dop853_coefficients as table

from synthesis_measure import CLOCK, built, pointer

STAGES = 12
DOUBLE_PENDULUM = """
/* Angles from the vertical; two rods of 1 m and 1 kg. */
static inline void rate(const double *x, double *f)
{
    double c = cos(x[0] - x[1]), s = sin(x[0] - x[1]);
    double f1 = -0.5 * s * x[3] * x[3] - 1.5 * 9.81 * sin(x[0]);
    double f2 = 0.5 * s * x[2] * x[2] - 0.5 * 9.81 * sin(x[1]);
    double b = 0.5 * c, inverse = 1.0 / (4.0 / 9.0 - b * b);
    f[0] = x[2];
    f[1] = x[3];
    f[2] = (f1 / 3.0 - b * f2) * inverse;
    f[3] = (4.0 / 3.0 * f2 - b * f1) * inverse;
}
"""
FOUR_BAR = """
/* Ground 4, crank 1.5, coupler 3.5, rocker 3 m; rods of 1 kg/m. x: angle and rate of the crank. */
static inline void rate(const double *x, double *f)
{
    const double g = 4.0, a = 1.5, b = 3.5, c = 3.0;
    double ct = cos(x[0]), st = sin(x[0]), dx = g - a * ct, dy = -a * st, d2 = dx * dx + dy * dy;
    double u = 0.5 * (b * b - c * c + d2) / d2, w = sqrt(b * b / d2 - u * u);
    double px = u * dx - w * dy, py = u * dy + w * dx;             /* the coupler */
    double cb = px / b, sb = py / b, cc = (px - dx) / c, sc = (py - dy) / c;
    double sbc = sb * cc - cb * sc, cbc = cb * cc + sb * sc;       /* of coupler less rocker */
    double stb = st * cb - ct * sb, ctb = ct * cb + st * sb, stc = st * cc - ct * sc, ctc = ct * cc + st * sc;
    double kb = -a * stc / (b * sbc), kc = -a * stb / (c * sbc);
    double lb = (c * kc * kc - a * ctc - b * kb * kb * cbc) / (b * sbc);
    double lc = -(a * ctb + b * kb * kb - c * kc * kc * cbc) / (c * sbc);
    double m = a * a * a / 3.0 + b * (a * a + a * b * kb * ctb + b * b * kb * kb / 3.0) + c * c * c * kc * kc / 3.0;
    double dm = b * (a * b * (lb * ctb - kb * stb * (1.0 - kb)) + 2.0 / 3.0 * b * b * kb * lb)
                + 2.0 / 3.0 * c * c * c * kc * lc;
    double dv = 9.81 * (a * a / 2.0 * ct + b * (a * ct + b / 2.0 * kb * cb) + c * c / 2.0 * kc * cc);
    f[0] = x[1];
    f[1] = -(dv + 0.5 * dm * x[1] * x[1]) / m;
}
"""
RK4 = """
double rk4(double *x, double end, long steps)
{
    double begin = seconds(), h = end / (double)steps, k1[N], k2[N], k3[N], k4[N], y[N];
    for (long step = 0; step < steps; ++step) {
        rate(x, k1);
        for (int i = 0; i < N; ++i) y[i] = x[i] + 0.5 * h * k1[i];
        rate(y, k2);
        for (int i = 0; i < N; ++i) y[i] = x[i] + 0.5 * h * k2[i];
        rate(y, k3);
        for (int i = 0; i < N; ++i) y[i] = x[i] + h * k3[i];
        rate(y, k4);
        for (int i = 0; i < N; ++i) x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
    return seconds() - begin;
}
"""
STEPS = """
/* From x at 0 to the end; returns CPU seconds, and how many steps were tried. */
double dop853(double *x, double end, double rtol, double atol, long *tried)
{
    double begin = seconds(), t = 0.0, h = 1e-3, k[13][N], y[N];
    *tried = 0;
    rate(x, k[0]);
    while (t < end) {
        double e5 = 0.0, e3 = 0.0, error, factor;
        if (t + h > end) h = end - t;
        ++*tried;
        STAGES
        for (int i = 0; i < N; ++i) {
            double scale = 1.0 / (atol + rtol * fmax(fabs(x[i]), fabs(y[i]))), a = (SUM5) * scale, b = (SUM3) * scale;
            e5 += a * a;
            e3 += b * b;
        }
        error = e5 == 0.0 ? 0.0 : h * e5 / sqrt((e5 + 0.01 * e3) * N);
        factor = error == 0.0 ? 6.0 : fmin(6.0, fmax(0.333, 0.9 * pow(error, -0.125)));
        if (error < 1.0) {
            t += h;
            for (int i = 0; i < N; ++i) x[i] = y[i];
            rate(x, k[0]);
        } else if (factor > 1.0) {
            factor = 1.0;
        }
        h *= factor;
    }
    return seconds() - begin;
}
"""


def _sum(coefficients: Sequence[float]) -> str:
    terms = [f"{value!r} * k[{place}][i]" for place, value in enumerate(map(float, coefficients)) if value]
    return " + ".join(terms)


def source(rate: str, size: int) -> str:
    """A whole program for one system."""
    lines = [
        f"for (int i = 0; i < N; ++i) y[i] = x[i] + h * ({_sum(table.A[stage, :stage])}); rate(y, k[{stage}]);"
        for stage in range(1, STAGES)
    ]
    lines.append(f"for (int i = 0; i < N; ++i) y[i] = x[i] + h * ({_sum(table.B)});")
    steps = STEPS.replace("STAGES", "\n        ".join(lines)).replace("SUM5", _sum(table.E5[:STAGES]))
    head = f"#define _POSIX_C_SOURCE 200809L\n#include <math.h>\n#define N {size}\n"
    return head + CLOCK + rate + steps.replace("SUM3", _sum(table.E3[:STAGES])) + RK4


class ByHand:
    """A compiled program of a specialist."""

    def __init__(self, folder: Path, name: str, rate: str, size: int, flags: str) -> None:
        path, _ = built(folder, name, source(rate, size), flags)
        self._library = ctypes.CDLL(str(path))
        double, address = ctypes.c_double, ctypes.c_void_p
        self._library.dop853.argtypes = [address, double, double, double, address]
        self._library.rk4.argtypes = [address, double, ctypes.c_long]
        self._library.dop853.restype = self._library.rk4.restype = double

    def adaptive(self, start: Sequence[float], end: float, tolerance: float) -> tuple[float, Any, int]:
        """CPU seconds, the state at the end, steps tried."""
        x, tried = np.array(start, float), ctypes.c_long()
        taken = self._library.dop853(pointer(x), end, tolerance, tolerance, ctypes.byref(tried))
        return taken, x, tried.value

    def fixed(self, start: Sequence[float], end: float, steps: int) -> tuple[float, Any]:
        """CPU seconds of Runge and Kutta's method, the state at the end."""
        x = np.array(start, float)
        return self._library.rk4(pointer(x), end, steps), x
