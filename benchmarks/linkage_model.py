"""Planar linkages as every rival of the benchmark gets them: a crank and the dyads that hang on it.

A dyad is a joint held by two bars from joints that are known before it. The closed form here (circle meets
circle, NumPy over all rows at once) is the reference for all, and the fastest thing a Python user can write.
The crank turns at 1 rad/s, so velocities are derivatives by the crank's angle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Dyad:
    """A joint at given distances from two others, left (+1) or right (-1) of the way from first to second."""

    joint: str
    first: str
    second: str
    to_first: float
    to_second: float
    side: int


@dataclass(frozen=True)
class Linkage:
    """Fixed joints, a crank (pivot, pin, length) and dyads in an order in which each can be found."""

    name: str
    fixed: Mapping[str, tuple[float, float]]
    crank: tuple[str, str, float]
    dyads: tuple[Dyad, ...]

    @property
    def moving(self) -> tuple[str, ...]:
        """The joints that move: the crank's pin and one for each dyad."""
        return (self.crank[1], *(dyad.joint for dyad in self.dyads))

    @property
    def joints(self) -> tuple[str, ...]:
        """All joints, the fixed ones first."""
        return (*self.fixed, *self.moving)

    @property
    def bars(self) -> int:
        """How many bars move."""
        return 1 + 2 * len(self.dyads)


@dataclass(frozen=True)
class Motion:
    """Positions and velocities of the moving joints, each rows × joints × 2."""

    positions: Array
    velocities: Array


def four_bar() -> Linkage:
    """Ground 7, crank 2, coupler 6, rocker 5: the lengths of the example ``four-bar-table``."""
    return Linkage("four-bar", {"O": (0, 0), "D": (7, 0)}, ("O", "A", 2), (Dyad("B", "A", "D", 6, 5, 1),))


def jansen_leg() -> Linkage:
    """Theo Jansen's leg with his numbers; O is the crank's centre, P the other fixed joint, G the foot."""
    a, b, c, d, e, f, g = 38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7
    h, i, j, k, lift, m = 65.7, 49, 50, 61.9, 7.8, 15
    dyads = (
        Dyad("B", "A", "P", j, b, -1),
        Dyad("C", "A", "P", k, c, 1),
        Dyad("D", "B", "P", e, d, -1),
        Dyad("E", "D", "C", f, g, -1),
        Dyad("G", "E", "C", h, i, -1),
    )
    return Linkage("jansen-leg", {"O": (0, 0), "P": (-a, -lift)}, ("O", "A", m), dyads)


def loop_chain(loops: int) -> Linkage:
    """Four-bar loops in a row, the rocker of each the crank of the next; 2·loops + 1 moving bars.

    The first loop is :func:`four_bar`. The others are nearly parallelograms (rockers 5, ground 7, couplers
    7 ± 0.05 in turn), so that all rockers keep swinging by about 48° however long the chain is.
    """
    fixed: dict[str, tuple[float, float]] = {"O": (0, 0), "D1": (7, 0)}
    dyads = [Dyad("B1", "A", "D1", 6, 5, 1)]
    for loop in range(2, loops + 1):
        fixed[f"D{loop}"] = (7.0 * loop, 0)
        coupler = 7 + 0.05 * (-1) ** loop
        dyads.append(Dyad(f"B{loop}", f"B{loop - 1}", f"D{loop}", coupler, 5, 1))
    return Linkage(f"chain of {loops} loops", fixed, ("O", "A", 2), tuple(dyads))


def whole_turn(rows: int) -> Array:
    """The crank's angles, from 0 in equal steps."""
    return np.linspace(0, 2 * np.pi, rows, endpoint=False, dtype=np.float64)


def crank_pin(linkage: Linkage, angles: Array) -> tuple[Array, Array]:
    """Position and velocity of the crank's pin, rows × 2."""
    pivot, _, length = linkage.crank
    along = length * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return along + linkage.fixed[pivot], np.stack([-along[:, 1], along[:, 0]], axis=-1)


def closed_form(linkage: Linkage, angles: Array) -> Motion:
    """Every dyad as the meeting of two circles, then its velocity."""
    places = {name: np.array(place, dtype=float)[:, None] for name, place in linkage.fixed.items()}
    rates = {name: np.zeros((2, 1)) for name in linkage.fixed}
    pivot, pin, length = linkage.crank
    along = length * np.array([np.cos(angles), np.sin(angles)])
    places[pin], rates[pin] = along + places[pivot], np.array([-along[1], along[0]])
    for dyad in linkage.dyads:
        first, second = places[dyad.first], places[dyad.second]
        x, y = second - first
        square = x * x + y * y
        ahead = 0.5 + (dyad.to_first**2 - dyad.to_second**2) / (2 * square)
        beside = dyad.side * np.sqrt(dyad.to_first**2 / square - ahead * ahead)
        places[dyad.joint] = first + np.array([ahead * x - beside * y, ahead * y + beside * x])
        rates[dyad.joint] = _dyad_rate(places, rates, dyad)
    return _motion(linkage, places, rates)


def with_velocities(linkage: Linkage, angles: Array, positions: Array) -> Motion:
    """Velocities for rivals that give positions only; ``positions`` is rows × moving joints × 2."""
    places = {name: np.array(place, dtype=float)[:, None] for name, place in linkage.fixed.items()}
    rates = {name: np.zeros((2, 1)) for name in linkage.fixed}
    places |= {name: positions[:, place].T for place, name in enumerate(linkage.moving)}
    rates[linkage.crank[1]] = crank_pin(linkage, angles)[1].T
    for dyad in linkage.dyads:
        rates[dyad.joint] = _dyad_rate(places, rates, dyad)
    velocities = np.stack([rates[name].T for name in linkage.moving], axis=1)
    return Motion(positions, velocities)


def _dyad_rate(places: Mapping[str, Array], rates: Mapping[str, Array], dyad: Dyad) -> Array:
    """Bars keep their lengths: (p - p1)·(v - v1) = 0 and (p - p2)·(v - v2) = 0, by Cramer's rule."""
    a, b = places[dyad.joint] - places[dyad.first]
    c, d = places[dyad.joint] - places[dyad.second]
    x1, y1 = rates[dyad.first]
    x2, y2 = rates[dyad.second]
    one, two = a * x1 + b * y1, c * x2 + d * y2
    rate: Array = np.array([one * d - two * b, two * a - one * c]) / (a * d - b * c)
    return rate


def _motion(linkage: Linkage, places: Mapping[str, Array], rates: Mapping[str, Array]) -> Motion:
    positions = np.stack([places[name].T for name in linkage.moving], axis=1)
    return Motion(positions, np.stack([rates[name].T for name in linkage.moving], axis=1))


def own_error(linkage: Linkage, motion: Motion) -> tuple[float, float]:
    """How far the reference is from its definition, over a whole turn in equal steps.

    Positions: the largest error of a bar's length. Velocities: against the derivative of the positions'
    Fourier series, which for smooth periodic motions is exact but for rounding.
    """
    rows = len(motion.positions)
    places = {name: np.array([place], dtype=float) for name, place in linkage.fixed.items()}
    places |= {name: motion.positions[:, place] for place, name in enumerate(linkage.moving)}
    wanted = [(dyad.joint, dyad.first, dyad.to_first) for dyad in linkage.dyads]
    wanted += [(dyad.joint, dyad.second, dyad.to_second) for dyad in linkage.dyads]
    lengths = [np.abs(np.hypot(*(places[a] - places[b]).T) - length).max() for a, b, length in wanted]
    waves = np.fft.rfft(motion.positions, axis=0) * 1j * np.arange(rows // 2 + 1)[:, None, None]
    rates = np.fft.irfft(waves, rows, axis=0)
    return float(max(lengths)), float(np.abs(rates - motion.velocities).max())
