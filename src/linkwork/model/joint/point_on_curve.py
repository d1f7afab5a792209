"""The point on a curve: a pin in a curved slot, a bead on a wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression, Symbol, evaluate, substitute, symbol
from linkwork.model.field import Coordinates, Entries, Flag, Place, Places, Scalar, Size, given
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.placed import Placed
from linkwork.model.spline import through
from linkwork.model.vector import Vector

PLACE = symbol("s")
"""The variable along a curve."""
OF_PLACE = Scalar(own=("s",), example="cos(s)")
OF_POINT = Scalar(own=("x", "y", "z"), example="x^2/4 + y^2 - 1")


@joint_type
@dataclass(frozen=True)
class PointOnCurve(Pair):
    """A point of b on a curve drawn on a.

    The curve is ``curve`` = [x(s), y(s)], with s an unknown of the joint: φ = (x, y) − curve(s). Or it is
    where ``level``, an expression of x and y, is zero: φ = level(x, y). Or a spline through ``samples``,
    closed or not, with s running from 0 to the number of spans.
    """

    word = "point-on-curve"
    curve: Place | None = given(Coordinates(of=OF_PLACE, example=("cos(s)", "sin(s)")), None)
    level: Size | None = given(OF_POINT, None, "an expression of x and y that is zero on the curve")
    samples: Places = given(Entries(Coordinates(), 0, about="a list of points", example=((0, 0), (1, 2))), ())
    closed: bool = given(Flag(), False, "whether the samples go round")

    def unknowns(self) -> Mapping[str, float]:
        return {} if self.level is not None else {"s": 0.0}

    def angles(self) -> tuple[str, ...]:
        return ()

    def phi(self, a: Placed, b: Placed, s: Symbol | None = None) -> Sequence[Expression]:
        place = a.local(b.origin)
        if self.level is not None:
            names = [symbol(name) for name in ("x", "y", "z")[: len(place)]]
            return substitute([self.level], dict(zip(names, place, strict=True)))
        assert s is not None
        return [*(place - self.place_at(s))]

    def place_at(self, s: Expression) -> Vector:
        """The point of the curve at s."""
        if self.curve is not None:
            return Vector(tuple(substitute([*self.curve], {PLACE: s})))
        from math import tau

        count = len(self.samples)
        rows = [evaluate([*point], {}) for point in self.samples]
        step = tau / count if self.closed else 1.0
        places = [step * place for place in range(count)]
        where = s * step if self.closed else s
        return Vector(
            tuple(through(places, entries, where, closed=self.closed) for entries in zip(*rows, strict=True))
        )

    def coordinates(self, a: Placed, b: Placed, s: Symbol | None = None) -> Mapping[str, Expression | Turn]:
        return {} if s is None else {"s": s}
