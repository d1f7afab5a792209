"""What a user wants to see of a machine."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.model.field import Entries, Record, Text, given


@dataclass(frozen=True)
class View(Record):
    """Points whose paths are drawn, and columns that a page plots below the picture."""

    traces: tuple[str, ...] = given(
        Entries(Text("a point", "coupler.P"), 0, about="a list of points", example=("coupler.P",)), ()
    )
    plots: tuple[str, ...] = given(
        Entries(
            Text("a column of the motion", "slider.x"), 0, about="a list of columns", example=("slider.x",)
        ),
        (),
    )
