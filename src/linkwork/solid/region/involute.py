"""The side of an involute tooth: its flank, and the root below it.

The flank of a tooth about the x-axis is an involute of the base circle; with u the tangent of the pressure
angle at each point,

    z(u) = b exp(i(ψ − u)) (1 + i u),      b = r cos α,      ψ = s / 2r + tan α − α,

where s is the thickness of the tooth on the reference circle r; its direction there is exp(i(ψ − u)).

Below it comes what a rack with rounded tips leaves that rolls on the reference circle (Litvin & Fuentes, Gear
Geometry and Applied Theory, chapter 6). The rounding, of radius ρ, touches the gear where its normal, of angle
β, passes through the pitch point; its centre is then λ = −depth / sin β away from there, and in the gear
turned by θ the point is  exp(iθ) (i r + (λ + ρ) exp(iβ)),  β from −π/2 at the root circle to −α at the flank.
With few teeth the rack's tip enters the flank (undercut): root and flank then meet at a corner.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from linkwork.solid.region.biarc import biarcs
from linkwork.solid.region.edge import Edge, Point
from linkwork.solid.region.fault import RegionError

STEPS_OF_SEARCH: Final = 200
"""Places of a root at which it is compared with the flank."""


@dataclass(frozen=True)
class Involute:
    """The upper flank of a tooth of this thickness about the x-axis."""

    reference: float
    angle: float
    thickness: float

    @property
    def base(self) -> float:
        return self.reference * math.cos(self.angle)

    @cached_property
    def psi(self) -> float:
        return self.thickness / (2 * self.reference) + math.tan(self.angle) - self.angle

    def at(self, u: float) -> complex:
        return self.base * cmath.exp(1j * (self.psi - u)) * (1 + 1j * u)

    def direction(self, u: float) -> complex:
        return cmath.exp(1j * (self.psi - u))

    def at_radius(self, radius: float) -> float:
        """The u there; 0 below the base circle."""
        return math.sqrt(max(0.0, (radius / self.base) ** 2 - 1))

    def half_angle(self, u: float) -> float:
        """Half the angle that the tooth covers there."""
        return self.psi - u + math.atan(u)

    def tip(self, radius: float) -> float:
        """The u of the tip circle, or where both flanks meet if that comes first."""
        u = self.at_radius(radius)
        if self.half_angle(u) >= 0:
            return u
        return _root(lambda v: self.half_angle(v), 0.0, u)

    def edges(self, first: float, last: float, deviation: float) -> list[Edge]:
        return list(
            biarcs(lambda u: pair(self.at(u)), lambda u: pair(self.direction(u)), first, last, deviation)
        )


@dataclass(frozen=True)
class Root:
    """The upper root of a tooth about the x-axis, cut by a rack.

    ``pitch`` is half the angle from tooth to tooth, ``across`` and ``depth`` say where the centre of the rack's
    rounding is, from the middle of the gap and from the reference circle inwards.
    """

    reference: float
    pitch: float
    rounding: float
    across: float
    depth: float

    def at(self, beta: float) -> complex:
        reach, turn = self._contact(beta)
        return turn * (1j * self.reference + (reach + self.rounding) * cmath.exp(1j * beta))

    def direction(self, beta: float) -> complex:
        return self._contact(beta)[1] * 1j * cmath.exp(1j * beta)

    def _contact(self, beta: float) -> tuple[float, complex]:
        reach = -self.depth / math.sin(beta)
        theta = (reach * math.cos(beta) - self.across) / self.reference
        return reach, cmath.exp(1j * (theta + self.pitch - math.pi / 2))

    def joins(self, flank: Involute) -> tuple[float, float]:
        """The β and the u where the root ends and the flank begins."""
        last = -flank.angle
        reach = self._contact(last)[0] + self.rounding
        u = math.tan(flank.angle) - reach / flank.base
        if u >= 0:
            return last, u
        betas = [
            -math.pi / 2 + (last + math.pi / 2) * k / STEPS_OF_SEARCH for k in range(STEPS_OF_SEARCH + 1)
        ]
        outside = [self._beside(flank, beta) for beta in betas]
        if min(cmath.phase(self.at(beta)) for beta in betas) <= 0:
            raise _too_few(flank)
        for k in range(STEPS_OF_SEARCH):
            if outside[k] < 0 <= outside[k + 1]:
                beta = _root(lambda b: -self._beside(flank, b), betas[k], betas[k + 1])
                return beta, flank.at_radius(abs(self.at(beta)))
        raise _too_few(flank)

    def _beside(self, flank: Involute, beta: float) -> float:
        """The angle by which the root is outside the tooth that the flank bounds; −1 below the base circle."""
        point = self.at(beta)
        if abs(point) < flank.base:
            return -1.0
        return cmath.phase(point) - flank.half_angle(flank.at_radius(abs(point)))

    def edges(self, last: float, deviation: float) -> list[Edge]:
        return list(
            biarcs(
                lambda b: pair(self.at(b)), lambda b: pair(self.direction(b)), -math.pi / 2, last, deviation
            )
        )


def _too_few(flank: Involute) -> RegionError:
    return RegionError(
        "the rack that cuts the gear would cut its teeth away",
        why=f"the teeth are undercut: the base circle, of radius {flank.base:.6g}, is far above the roots",
        fix="more teeth, or a larger shift, such as shift=0.5",
    )


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes from above zero to below, by bisection."""
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if falling(middle) >= 0 else (low, middle)
    return low


def pair(z: complex) -> Point:
    """A complex number as a point."""
    return z.real, z.imag
