"""A cantilever hook as a pawl on a hinge: where the hinge is, how stiff, how much the beam is strained; and back.

A beam of length L, clamped at one end and pushed at the other by a force P across it, bends by

    δ = P L³ / (3 E I),    and its end turns by    φ = P L² / (2 E I),    I = w t³ / 12

(Euler and Bernoulli; e.g. Timoshenko, Strength of Materials I, §§ 39-40). A rigid arm of length a on a hinge of
stiffness k bends by a·φ and turns by φ, with P a = k φ. Both agree in δ *and* in φ for

    a = δ/φ = 2 L/3,    so the hinge is L/3 from the clamped end,    k = P a/φ = 4 E I / (3 L) = E w t³ / (9 L).

The greatest strain is at the clamped end: ε = P L t / (2 E I) = t φ / L.

The hook turns with the beam's end, so its faces have the right slope. For larger angles Howell's pseudo-rigid body
(Compliant Mechanisms, 2001: hinge at 0.15 L, k = 2.25 E I/L) follows the path of the end better, but it turns 1.24
times less than the beam's end does, and is 4 % too stiff at small angles.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

SLENDER: Final = 5
"""Lengths by thicknesses below which shear and the base's give are no longer small beside bending."""
SMALL_ANGLE: Final = 0.3
"""Radians that the end may turn: there the force is 2 % too large, the end 0.6 % of the length off its place."""


@dataclass(frozen=True)
class Cantilever:
    """A beam of one rectangular section, clamped at one end, with a hook at the other.

    >>> clip = Cantilever(modulus=Fraction(2000), width=Fraction(5), thickness=Fraction(2), length=Fraction(20))
    >>> float(clip.hinge), float(clip.arm), float(clip.stiffness)
    (6.666666666666667, 13.333333333333334, 444.44444444444446)
    >>> clip.strain(0.15)
    0.015
    """

    modulus: Fraction
    """Young's modulus of the material: force by area."""
    width: Fraction
    """Across the drawing."""
    thickness: Fraction
    """In the drawing, in the direction in which it bends."""
    length: Fraction
    """From the clamped end to where the hook is pushed."""

    @property
    def hinge(self) -> Fraction:
        """How far the hinge is from the clamped end."""
        return self.length / 3

    @property
    def arm(self) -> Fraction:
        """How far the hinge is from where the hook is pushed."""
        return self.length * 2 / 3

    @property
    def stiffness(self) -> Fraction:
        """The hinge's torsional stiffness: torque for a radian."""
        return self.modulus * self.width * self.thickness**3 / (9 * self.length)

    def strain(self, angle: float) -> float:
        """The greatest strain in the beam when its end is turned by so many radians."""
        return float(self.thickness / self.length) * abs(angle)

    def angle(self, strain: float) -> float:
        """By how many radians the end may turn for a strain that the material bears."""
        return float(self.length / self.thickness) * strain

    def deflection(self, strain: float) -> float:
        """How far the hook may be pushed aside for a strain that the material bears."""
        return float(self.arm) * self.angle(strain)

    def limits(self, angle: float) -> list[str]:
        """Why the formula does not hold for a beam whose end is turned so far; nothing where it does.

        >>> Cantilever(Fraction(1), Fraction(1), Fraction(1), Fraction(3)).limits(0.5)
        ['the end turns by 0.5 rad, more than 0.3: it is no longer a small angle', \
'the length is 3 times the thickness, less than 5: shear and the base give way too']
        """
        found = []
        if abs(angle) > SMALL_ANGLE:
            found.append(
                f"the end turns by {abs(angle):.3g} rad, more than {SMALL_ANGLE}: it is no longer a small angle"
            )
        if self.length < SLENDER * self.thickness:
            ratio = float(self.length / self.thickness)
            found.append(
                f"the length is {ratio:.3g} times the thickness, less than {SLENDER}: shear and the base give way too"
            )
        return found


def cantilever_for(
    stiffness: Fraction, arm: Fraction, modulus: Fraction, deflection: Fraction, strain: Fraction
) -> Cantilever:
    """The beam of a material that stands for a hinge, strained so much when its hook is pushed aside so far.

    >>> clip = Cantilever(Fraction(2000), Fraction(5), Fraction(2), Fraction(20))
    >>> cantilever_for(clip.stiffness, clip.arm, clip.modulus, Fraction(2), Fraction("0.015")) == clip
    True
    """
    length = arm * 3 / 2
    thickness = 2 * strain * length**2 / (3 * deflection)
    width = 9 * stiffness * length / (modulus * thickness**3)
    return Cantilever(modulus, width, thickness, length)
