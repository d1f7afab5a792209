"""A timeline inside a page: what lasts from when to when, and what happens in a moment, a lane each.

It is made of boxes with places in per cent, not of a picture: its letters stay as large on a telephone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from linkwork.view.chart import short, ticks
from linkwork.view.primitive import readable

MOST_MOMENTS: Final = 400
"""In a lane: more cannot be told apart on a screen."""


@dataclass(frozen=True)
class Lane:
    """A name, spans with words, and moments with words; ``kind`` names its look."""

    name: str
    spans: tuple[tuple[float, float, str], ...] = ()
    moments: tuple[tuple[float, str], ...] = ()
    kind: str = ""


def timeline(lanes: Sequence[Lane], begin: float, end: float) -> str:
    """The lanes above each other, and one axis below.

    >>> html = timeline([Lane("ticks", ((0.0, 50.0, "period 2"),))], 0.0, 100.0)
    >>> "left:0%;width:50%" in html, html.count("tick")
    (True, 7)
    """
    length = end - begin or 1.0

    def percent(value: float) -> str:
        return f"{100 * min(max((value - begin) / length, 0.0), 1.0):.6g}"

    rows = []
    for lane in lanes:
        boxes = [
            f'<i style="left:{percent(first)}%;width:{float(percent(last)) - float(percent(first)):.6g}%"'
            f' title="{_text(words)}"></i>'
            for first, last, words in lane.spans
        ]
        every = max(1, -(-len(lane.moments) // MOST_MOMENTS))
        boxes += [
            f'<b style="left:{percent(time)}%" title="{_text(words)}"></b>'
            for time, words in lane.moments[::every]
        ]
        rows.append(
            f'<div class="lane {lane.kind}"><span>{_text(lane.name)}</span><div>{"".join(boxes)}</div></div>'
        )
    marks = "".join(
        f'<span class="tick" style="left:{percent(tick)}%">{short(tick)}</span>' for tick in ticks(begin, end)
    )
    return f'<div class="timeline">{"".join(rows)}<div class="axis">{marks}</div></div>'


def _text(text: str) -> str:
    return escape(readable(text))
