"""Functions of one variable as a user gives them: an expression, or samples through which a curve is laid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.algebra import Expression, evaluate, free_symbols, substitute, symbol
from linkwork.errors import LinkworkError
from linkwork.model.field import Entries, Scalar
from linkwork.model.spline import through

ANGLE = symbol("angle")
"""The variable of a cam's profile or lift."""

OF_ANGLE: Any = Scalar(own=("angle",), example="2 + 0.5*cos(angle)")
SAMPLES: Any = Entries(
    Entries(Scalar(), 2, 2, "an angle and a value", (0, 2)),
    0,
    about="a list of pairs: angle and value, within one turn",
    example=((0, 2), ("90 deg", 2.5), ("180 deg", 3)),
)


@dataclass(frozen=True)
class Profile:
    """A function of an angle with the period of one turn where it is given by samples."""

    formula: Expression | None
    samples: tuple[tuple[Expression, ...], ...]

    def at(self, angle: Expression) -> Expression:
        """Its value at an angle."""
        if self.formula is not None:
            return substitute([self.formula], {ANGLE: angle})[0]
        rows = [evaluate(list(row), {}) for row in self._numbers()]
        return through([row[0] for row in rows], [row[1] for row in rows], angle, closed=True)

    def _numbers(self) -> tuple[tuple[Expression, ...], ...]:
        for row in self.samples:
            if free_symbols(*row):
                raise LinkworkError(
                    "a sample depends on a parameter",
                    got=str(row),
                    why="the curve through samples is laid once, in numbers",
                    fix="give the curve as an expression instead",
                )
        return self.samples
