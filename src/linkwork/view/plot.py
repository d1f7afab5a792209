"""Plots of columns with matplotlib: one set of axes for each quantity, all above the same abscissa."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from linkwork.errors import UsageError
from linkwork.view.scene import Bars
from linkwork.view.theme import MARKED, THEMES, ThemeName, line_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PlotFormat = Literal["png", "svg"]

FORMATS = ("png", "svg")
WIDTH, AXES_HEIGHT, FRAME_HEIGHT, BAR_HEIGHT = 7.2, 2.0, 1.0, 0.32
"""Inches: of the whole, of each set of axes, of what is around them, of a row of bars."""

MOST_NAMES_A_ROW = 4

_DOTS_PER_INCH = 150


def plot_columns(
    x: Sequence[float],
    columns: Mapping[str, Sequence[float]],
    *,
    x_label: str = "",
    title: str = "",
    units: Mapping[str, str] | None = None,
    bars: Sequence[Bars] = (),
    path: str | os.PathLike[str] | None = None,
    format: PlotFormat | None = None,
    theme: ThemeName = "light",
) -> bytes:
    """The bytes of a picture of columns over ``x``, also written to ``path`` when there is one.

    Columns of one unit share their axes; without units each column whose name ends in ``(…)`` has the unit
    written there. NaN leaves a gap. ``bars`` stand below, with moments as ticks.

    >>> plot_columns([0, 1, 2], {"lift (mm)": [0, 2, 1]}, x_label="cam angle (rad)")[1:4]
    b'PNG'
    """
    chosen = _format(path, format)
    _check(x, columns)
    groups = _groups(columns, units or {})
    figure = _figure(x, columns, groups, bars, x_label, title, theme)
    content = figure_bytes(figure, chosen, _DOTS_PER_INCH)
    if path is not None:
        Path(path).write_bytes(content)
    return content


def figure_bytes(figure: Figure, format: str, dots_per_inch: float) -> bytes:
    """A figure as a file: the same bytes every time."""
    from matplotlib import rc_context

    file = BytesIO()
    no_date: dict[str, Any] = {"Date": None} if format == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "linkwork"}):
        figure.savefig(file, format=format, metadata=no_date, dpi=dots_per_inch)
    return file.getvalue()


def _format(path: str | os.PathLike[str] | None, format: str | None) -> str:
    ending = Path(path).suffix.removeprefix(".").lower() if path is not None else ""
    chosen = format or ending or "png"
    if chosen not in FORMATS:
        raise UsageError(
            "plots are written as PNG or SVG", got=repr(chosen), wanted=", ".join(FORMATS), fix='format="svg"'
        )
    return chosen


def _check(x: Sequence[float], columns: Mapping[str, Sequence[float]]) -> None:
    if not columns:
        raise UsageError("there is nothing to plot", got="no columns", wanted="at least one")
    for name, values in columns.items():
        if len(values) != len(x):
            raise UsageError(
                f"the column {name!r} does not fit the abscissa",
                got=f"{len(values)} values",
                wanted=f"{len(x)}, one for each x",
            )


def _groups(columns: Mapping[str, Sequence[float]], units: Mapping[str, str]) -> dict[str, list[str]]:
    """Names of columns by their unit, in the order of the columns.

    >>> _groups({"a (m)": [], "b": [], "c (m)": []}, {"b": "rad"})
    {'m': ['a (m)', 'c (m)'], 'rad': ['b']}
    """
    found: dict[str, list[str]] = {}
    for name in columns:
        written = name[name.rindex("(") + 1 : -1] if name.endswith(")") and "(" in name else ""
        found.setdefault(units.get(name, written), []).append(name)
    return found


def _figure(
    x: Sequence[float],
    columns: Mapping[str, Sequence[float]],
    groups: Mapping[str, list[str]],
    bars: Sequence[Bars],
    x_label: str,
    title: str,
    theme: ThemeName,
) -> Figure:
    from matplotlib.figure import Figure

    colours = THEMES[theme]
    heights = [AXES_HEIGHT] * len(groups) + [BAR_HEIGHT * len(bars)] * bool(bars)
    figure = Figure(
        figsize=(WIDTH, sum(heights) + FRAME_HEIGHT), layout="constrained", facecolor=colours.paper
    )
    stacked = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    if bars:
        _draw_bars(stacked[-1], bars, theme)
    number = 0
    for axes, (unit, names) in zip(stacked, groups.items(), strict=False):
        dress(axes, unit, theme)
        for name in names:
            axes.plot(x, columns[name], color=line_colour(number, theme), linewidth=1.6, label=_plain(name))
            number += 1
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=MOST_NAMES_A_ROW,
            borderaxespad=0.2,
            frameon=False,
            fontsize=9,
            labelcolor=colours.text,
        )
    stacked[-1].set_xlabel(_plain(x_label), color=colours.text)
    if title:
        figure.suptitle(_plain(title), color=colours.text, fontsize=12, fontweight="bold", x=0.02, ha="left")
    return figure


def _draw_bars(axes: Axes, bars: Sequence[Bars], theme: ThemeName) -> None:
    """What lasts from when to when, a row each, the first at the top."""
    colours = THEMES[theme]
    dress(axes, "", theme)
    for row, each in enumerate(bars):
        spans = [(begin, end - begin) for begin, end in each.spans]
        axes.broken_barh(spans, (row - 0.25, 0.5), color=line_colour(0, theme), linewidth=0)
        axes.vlines(each.moments, row - 0.4, row + 0.4, color=MARKED, linewidth=0.6)
    axes.set_yticks(range(len(bars)), [_plain(each.name) for each in bars], color=colours.text)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def dress(axes: Axes, unit: str, theme: ThemeName) -> None:
    """A plot's grid, spines and colours; the unit is the name of its upright axis."""
    colours = THEMES[theme]
    axes.set_facecolor(colours.paper)
    axes.grid(color=colours.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(colours.faint)
    axes.tick_params(colors=colours.faint, labelsize=9)
    axes.margins(x=0.01)
    if unit:
        axes.set_ylabel(_plain(unit), color=colours.text)


def _plain(text: str) -> str:
    r"""The text without meaning for matplotlib, which reads ``$`` as mathematics and hides ``_names``.

    >>> _plain("cost $x$")
    'cost \\$x\\$'
    """
    escaped = text.replace("$", r"\$")
    return "\u200b" + escaped if escaped.startswith("_") else escaped
