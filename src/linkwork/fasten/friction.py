"""When a pawl that slides on a constraint sticks, and when its sliding turns round.

With r from the hinge to the contact, n the edge's normal and v the hinge's velocity, a contact sticks where
μ|r·n| > |r×n| and (r·n)(r·v) is negative (type B) or positive (type A): propositions 6.1 and 6.2 of Donald
and Pai in one line. The sliding speed changes its sign where r·v = 0. On type B all of this depends on the
angle only, on type A on the time only: there r·n is the edge's distance from the hinge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpz_poly

from linkwork.fasten.slices import Feature, Slice, cross, dot, minus, outward

InTime: TypeAlias = tuple[fmpz_poly, ...]
"""Σ p_k(u) t^k: polynomials in u, by powers of the time."""


@dataclass(frozen=True)
class Grip:
    """A contact sticks where ``cone`` and ``against`` are both positive; ``sliding`` changes sign on reversal."""

    cone: InTime
    against: InTime
    sliding: InTime


def grip(feature: Feature, piece: Slice, mu: fmpq, parity: int) -> Grip:
    """The conditions of one constraint in one chart."""
    return _type_a(feature, piece, mu) if feature.kind == "A" else _type_b(feature, piece, mu, parity)


def _type_a(feature: Feature, piece: Slice, mu: fmpq) -> Grip:
    """|r×n|² = |r|²|n|² - (r·n)², so the cone is (1 + μ²)(r·n)² - |r|²|n|² with r = b - h(t)."""
    edge, start = piece.pawl.edges[feature.pawl], piece.pawl.vertices[feature.pawl]
    normal = outward(edge)
    distance, square = dot(normal, start), dot(normal, normal)
    lever, velocity = minus(piece.obstacles.vertices[feature.obstacle], piece.hinge), piece.velocity
    forward, speed = dot(lever, velocity), dot(velocity, velocity)
    sliding = [forward, -speed]
    return Grip(
        _constants(
            [
                (1 + mu * mu) * distance * distance - dot(lever, lever) * square,
                2 * forward * square,
                -speed * square,
            ]
        ),
        _constants([distance * value for value in sliding]),
        _constants(sliding),
    )


def _type_b(feature: Feature, piece: Slice, mu: fmpq, parity: int) -> Grip:
    """r = R a turns with the pawl: r·n = cos θ (a·n) + sin θ (a×n), r×n = cos θ (a×n) - sin θ (a·n)."""
    point, normal = piece.pawl.vertices[feature.pawl], outward(piece.obstacles.edges[feature.obstacle])
    pressing = _turning(dot(point, normal), cross(point, normal), parity)
    turning = _turning(cross(point, normal), -dot(point, normal), parity)
    sliding = _turning(dot(point, piece.velocity), cross(point, piece.velocity), parity)
    above, below = mu.p, mu.q
    return Grip(
        (above * above * pressing * pressing - below * below * turning * turning,),
        (-pressing * sliding,),
        (sliding,),
    )


def _turning(cosine: fmpq, sine: fmpq, parity: int) -> fmpz_poly:
    """(1 + u²)(a cos θ + b sin θ) times the common denominator of a and b."""
    sense = -1 if parity else 1
    scale = sense * math.lcm(int(cosine.q), int(sine.q))
    a, b = (cosine * scale).p, (sine * scale).p
    return fmpz_poly([a, 2 * b, -a])


def _constants(values: Sequence[fmpq]) -> InTime:
    scale = math.lcm(*(int(value.q) for value in values))
    return tuple(fmpz_poly([(value * scale).p]) for value in values)
