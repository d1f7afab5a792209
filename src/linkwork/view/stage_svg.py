"""A stage as SVG: the triangles that can be seen, far ones first, without shadows."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.fill import NOBODY, fill, slopes_of
from linkwork.view.layout import Size, check_size
from linkwork.view.render import backdrop
from linkwork.view.sight import chosen_eye, seen_paths, seen_things, view_of
from linkwork.view.stage import Stage
from linkwork.view.svg import xml_text

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

LOOKED_AT: Final = 1400
"""Pixels across, by which it is found out what can be seen at all."""
SHADES: Final = 24
"""Steps of brightness of a colour: neighbours of one shade are written together."""


def stage_svg(stage: Stage, row: int = 0, size: Size = (960, 600), *, camera: str = "") -> str:
    """A picture of one row as the text of an SVG file.

    >>> from linkwork import load
    >>> from linkwork.view.machine_stage import machine_stage
    >>> stage_svg(machine_stage(load("pendulum")))[:30]
    '<svg xmlns="http://www.w3.org/'
    """
    check_size(size)
    view = view_of(stage, row, chosen_eye(stage, camera), size[0] / size[1])
    things = [*seen_things(stage, row, view), *seen_paths(stage, view)]
    paths: list[str] = []
    if things:
        corners = np.concatenate([each.corners for each in things])
        nearness = np.concatenate([each.nearness for each in things])
        owner = np.repeat(np.arange(len(things)), [len(each.corners) for each in things])
        light = np.concatenate([each.light for each in things]).mean(axis=1)
        own = np.array([each.colour for each in things])[owner]
        shades = np.rint(np.minimum(light.sum(axis=1), 1.6) * SHADES) / SHADES
        colours = np.rint(255 * np.minimum(own * shades, 1.0)).astype(int)
        opacity = np.array([each.thing.opacity for each in things])[owner]
        chosen = _visible(corners, nearness, opacity, size)
        order = chosen[np.argsort(nearness[chosen].mean(axis=1), kind="stable")]
        flat = corners[order] * [size[1], -size[1]] + [size[0] / 2, size[1] / 2]
        paths = _paths(flat, colours[order], opacity[order])
    return "\n".join([*_head(stage, size), *paths, "</svg>\n"])


def _visible(
    corners: Array,
    nearness: Array,
    opacity: Array,
    size: Size,
) -> Numbers:
    """The triangles that are nearest somewhere, and those that are seen through."""
    width, height = LOOKED_AT, round(LOOKED_AT * size[1] / size[0])
    opaque = np.flatnonzero(opacity >= 1)
    spots = corners[opaque] * [height, -height] + [width / 2, height / 2]
    whose = np.full(width * height, NOBODY, np.int32)
    fill(spots, nearness[opaque], slopes_of(spots), width, np.zeros(width * height), whose)
    seen = opaque[np.unique(whose[whose >= 0])]
    return np.concatenate([seen, np.flatnonzero(opacity < 1)])


def _head(stage: Stage, size: Size) -> list[str]:
    width, height = size
    top, bottom = (
        np.rint(255 * np.atleast_3d(backdrop(stage, 2)).reshape(-1, 3)[k]).astype(int) for k in (0, -1)
    )
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">',
        f"<title>{xml_text(stage.title)}</title>",
        f'<defs><linearGradient id="back" x2="0" y2="1"><stop stop-color="{_code(top)}"/>'
        f'<stop offset="1" stop-color="{_code(bottom)}"/></linearGradient></defs>',
        f'<rect width="{width}" height="{height}" fill="url(#back)"/>',
    ]


def _code(colour: Numbers) -> str:
    return "#" + "".join(f"{each:02x}" for each in colour.tolist())


def _paths(
    flat: Array,
    colours: Numbers,
    opacity: Array,
) -> list[str]:
    """One path for neighbours in the order of painting that look the same."""
    found: list[str] = []
    last, pieces = ("", 1.0), list[str]()

    def close() -> None:
        if pieces:
            through = f' opacity="{last[1]:g}"' if last[1] < 1 else ""
            found.append(
                f'<path fill="{last[0]}" stroke="{last[0]}" stroke-width=".4"{through} d="{"".join(pieces)}"/>'
            )

    for triangle, colour, share in zip(flat.round(1).tolist(), colours, opacity.tolist(), strict=True):
        look = (_code(colour), share)
        if look != last:
            close()
            last, pieces = look, []
        (a, b), (c, d), (e, f) = triangle
        pieces.append(f"M{a:g} {b:g}L{c:g} {d:g} {e:g} {f:g}z")
    close()
    return found
