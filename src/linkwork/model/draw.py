"""Drawn shapes: how a part looks, where its points and joints do not already say it."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.model.field import (
    Choice,
    Coordinates,
    Entries,
    Place,
    Places,
    Record,
    Scalar,
    Size,
    Sizes,
    Text,
    given,
)

DRAWN = ("bar", "disc", "polygon", "line", "label", "box", "sphere")


@dataclass(frozen=True)
class Draw(Record):
    """One drawn shape, in the part's own frame."""

    shape: str = given(Choice(DRAWN), "bar")
    points: Places = given(
        Entries(Coordinates(), 0, about="a list of points", example=((0, 0), (1, 0))),
        (),
        "its corners or ends",
    )
    at: Place | None = given(Coordinates(), None, "its centre")
    radius: Size | None = given(Scalar(), None, "the radius of a disc or sphere")
    size: Sizes | None = given(
        Entries(Scalar(), 2, 3, "a list of the edges", example=(1, 1, 1)), None, "the edges of a box"
    )
    text: str = given(Text("the words of a label", "crank"), "")
