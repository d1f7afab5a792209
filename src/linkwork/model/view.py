"""What a user wants to see of a machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.model.field import Entries, Inner, Record, TableOf, Text, Typed, given
from linkwork.model.ordered import Ordered
from linkwork.model.visible import SHAPES, Light, Sight


@dataclass(frozen=True)
class View(Record):
    """Objects, lights and cameras; points whose paths are drawn, and columns that a page plots below the picture."""

    traces: tuple[str, ...] = given(
        Entries(Text("a point", "coupler.P"), 0, about="a list of points", example=("coupler.P",)), ()
    )
    plots: tuple[str, ...] = given(
        Entries(
            Text("a column of the motion", "slider.x"), 0, about="a list of columns", example=("slider.x",)
        ),
        (),
    )
    background: str = given(Text("a colour: its name, or #rrggbb", "sky"), "")
    object: Any = given(TableOf(Typed(SHAPES, "box"), "a table: the objects to be seen"), Ordered())
    light: Any = given(TableOf(Inner(Light), "a table: the lights"), Ordered())
    camera: Any = given(TableOf(Inner(Sight), "a table: the cameras"), Ordered())
