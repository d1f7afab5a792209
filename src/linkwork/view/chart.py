"""Small charts as SVG inside a page: curves and dots over two axes, in colours that the page names.

A page may be light or dark, wide or narrow: a chart has no colours of its own, and is as narrow as a telephone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from linkwork.view.primitive import readable
from linkwork.view.theme import PALETTE, line_colour

WIDTH, HEIGHT = 340, 200
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 10, 34
ABOUT_TICKS: Final = 4
FLAT: Final = 4e-3
"""Of the size of values: a range that is less is shown as this, so that rounding is not seen as a curve."""


@dataclass(frozen=True)
class Curve:
    """Points in order; dots where each of them was computed by itself."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: int = 0
    has_dots: bool = False
    has_line: bool = True


def chart_colours() -> str:
    """What an element that holds charts needs as its style: the colours by light and by dark."""
    return ";".join(
        f"--c{place}:light-dark({line_colour(place, 'light')},{line_colour(place, 'dark')})"
        for place in range(len(PALETTE))
    )


def chart(title: str, curves: Sequence[Curve], x_label: str, y_label: str) -> str:
    """A figure with a title, a legend where there are several curves, and axes.

    >>> html = chart("lift", [Curve("cam", [0, 1, 2], [0, 5, 0])], "angle", "mm")
    >>> html.count("<path"), "lift" in html
    (1, True)
    """
    x_range = _range([value for curve in curves for value in curve.x], 0.0)
    y_range = _range([value for curve in curves for value in curve.y], FLAT)
    drawn = [*_axes(x_range, y_range, x_label, y_label)]
    for curve in curves:
        drawn += _drawn(curve, x_range, y_range)
    names = [each for each in curves if each.name] if len(curves) > 1 else []
    legend = "".join(
        f'<span><i style="background:{_ink(each.colour)}"></i>{_text(each.name)}</span>' for each in names
    )
    return (
        f'<figure class="chart"><figcaption>{_text(title)}{legend}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{_text(title)}">{"".join(drawn)}</svg></figure>'
    )


def ticks(low: float, high: float, about: int = ABOUT_TICKS) -> list[float]:
    """Round numbers in a range.

    >>> ticks(0, 2092.9), ticks(7.38, 8.44)
    ([0.0, 500.0, 1000.0, 1500.0, 2000.0], [7.4, 7.6, 7.8, 8.0, 8.2, 8.4])
    """
    rough = (high - low) / about
    if not (math.isfinite(rough) and rough > 0):
        return [low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power * 1.5 >= rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{place * step:.12g}") for place in range(first, last + 1)]


def short(value: float) -> str:
    """A number as short as it stays useful.

    >>> short(1500.0), short(-0.25), short(2.88641e6)
    ('1500', '−0.25', '2.886e+06')
    """
    return f"{value + 0.0:.6g}".replace("-", "−") if 1e-4 <= abs(value) < 1e6 or not value else f"{value:.4g}"


def _range(values: Iterable[float], flat: float) -> tuple[float, float]:
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    least = flat * max(abs(low), abs(high)) or 1e-12
    margin = max(0.04 * (high - low) * bool(flat), (least - (high - low)) / 2, 0.0)
    return low - margin, high + margin


def _axes(
    x_range: tuple[float, float], y_range: tuple[float, float], x_label: str, y_label: str
) -> Iterable[str]:
    for tick in ticks(*y_range):
        y = _y(tick, y_range)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 5}" y="{y + 3.5}" text-anchor="end">{short(tick)}</text>'
    for tick in ticks(*x_range):
        x = _x(tick, x_range)
        yield f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text x="{x}" y="{HEIGHT - BOTTOM + 13}" text-anchor="middle">{short(tick)}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 5}" text-anchor="middle">{_text(x_label)}</text>'
    half = (TOP + HEIGHT - BOTTOM) / 2
    yield f'<text transform="translate(11 {half}) rotate(-90)" text-anchor="middle">{_text(y_label)}</text>'


def _drawn(curve: Curve, x_range: tuple[float, float], y_range: tuple[float, float]) -> Iterable[str]:
    points = [
        (_x(x, x_range), _y(y, y_range), x, y)
        for x, y in zip(curve.x, curve.y, strict=True)
        if math.isfinite(x) and math.isfinite(y)
    ]
    ink = _ink(curve.colour)
    if curve.has_line and len(points) > 1:
        steps = "L".join(f"{px} {py}" for px, py, _, _ in points)
        yield f'<path d="M{steps}" style="stroke:{ink}"/>'
    if curve.has_dots or len(points) == 1:
        for px, py, x, y in points:
            told = f"{_text(curve.name)} {short(y)}, at {short(x)}"
            yield f'<circle cx="{px}" cy="{py}" r="2.4" style="fill:{ink}"><title>{told}</title></circle>'


def _x(value: float, bounds: tuple[float, float]) -> float:
    return round(LEFT + (value - bounds[0]) / (bounds[1] - bounds[0]) * (WIDTH - LEFT - RIGHT), 1)


def _y(value: float, bounds: tuple[float, float]) -> float:
    return round(HEIGHT - BOTTOM - (value - bounds[0]) / (bounds[1] - bounds[0]) * (HEIGHT - TOP - BOTTOM), 1)


def _ink(colour: int) -> str:
    return f"var(--c{colour % len(PALETTE)})"


def _text(text: str) -> str:
    return escape(readable(text))
