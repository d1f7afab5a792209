"""Drawn shapes: how a part looks, where its points and joints do not already say it."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.field import Choice, Coordinates, Entries, Record, Scalar, Text, given
from linkwork.model.vector import Vector

DRAWN = ("bar", "disc", "polygon", "line", "label", "box", "sphere")


@dataclass(frozen=True)
class Draw(Record):
    """One drawn shape, in the part's own frame."""

    shape: str = given(Choice(DRAWN), "bar")
    points: tuple[Vector, ...] = given(
        Entries(Coordinates(), 0, about="a list of points", example=((0, 0), (1, 0))),
        (),
        "its corners or ends",
    )
    at: Vector | None = given(Coordinates(), None, "its centre")
    radius: Expression | None = given(Scalar(), None, "the radius of a disc or sphere")
    size: tuple[Expression, ...] | None = given(
        Entries(Scalar(), 2, 3, "a list of the edges", example=(1, 1, 1)), None, "the edges of a box"
    )
    text: str = given(Text("the words of a label", "crank"), "")
