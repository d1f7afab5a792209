"""A snap-fit's motion in one picture: frames at its events, the slices (t, θ) it runs through, its forces.

In a slice the angles that an obstacle forbids are shaded; the pawl's way through what is left is a line,
with its events as dots.
"""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from linkwork.fasten import Fastening, PawlMotion, history
from linkwork.fasten.algebraic import as_float
from linkwork.fasten.cut import lengthened
from linkwork.fasten.placing import placed_pawls
from linkwork.fasten.tree.motion import CarriedMotion
from linkwork.view.plot import dress, figure_bytes
from linkwork.view.theme import MARKED, PALETTE, THEMES, Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
MOST_FRAMES: Final = 8
WIDTH: Final = 9.6
FRAME_HEIGHT, SLICE_HEIGHT, FORCE_HEIGHT = 2.0, 2.6, 2.0
TITLE_HEIGHT, MOST_HEIGHT = 0.25, 5.4
"""Of the time above a frame, and of all frames; inches, as all of these."""
TITLE_LETTERS: Final = 88
"""Of the picture's title in one line."""
DOTS_PER_INCH: Final = 110
COLUMNS, ROWS = 320, 200
"""Of the raster on which what is free is looked at."""
MOST_EDGES: Final = 4000
"""Pairs of edges up to which a slice is shaded."""


def fastening_picture(
    found: Fastening, format: Literal["png", "svg"] = "png", theme: ThemeName = "light"
) -> bytes:
    """The bytes of the picture."""
    from matplotlib.figure import Figure

    colours = THEMES[theme]
    pawls = list(found.pawls.items())
    frames = _grid(len(frame_times(found)), *_box(found))[2]
    heights = [frames] + [SLICE_HEIGHT] * len(pawls) + [FORCE_HEIGHT]
    title = textwrap.wrap(found.design.title or found.design.name, TITLE_LETTERS)
    height = sum(heights) + 0.4 + 0.2 * len(title)
    figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor=colours.paper)
    above, under = figure.subfigures(2, 1, height_ratios=[heights[0], sum(heights[1:])], squeeze=False)[:, 0]
    _draw_frames(above, found, colours)
    below = under.subplots(len(heights) - 1, 1, squeeze=False, sharex=True, height_ratios=heights[1:])[:, 0]
    for axes, (name, motion) in zip(below, pawls, strict=False):
        _draw_slice(axes, name, motion, found, theme)
    _draw_forces(below[-1], found, theme)
    figure.suptitle("\n".join(title), color=colours.text, fontsize=12, fontweight="bold", x=0.02, ha="left")
    return figure_bytes(figure, format, DOTS_PER_INCH)


def frame_times(found: Fastening) -> list[float]:
    """The start, the events (some of them where there are many) and the end."""
    last = found.ending.at.time
    events = sorted(
        {event.t for motion in found.pawls.values() for event in motion.told if event.kind != "reverse"}
    )
    times = [0.0] + [t for t in events if 0.0 < t < last] + [last]
    if len(times) <= MOST_FRAMES:
        return times
    chosen = np.linspace(0, len(times) - 1, MOST_FRAMES).round().astype(int)
    return [times[k] for k in chosen]


def _draw_frames(figure: Any, found: Fastening, colours: Theme) -> None:
    times, (low, high) = frame_times(found), _box(found)
    columns, rows, _ = _grid(len(times), low, high)
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, t in zip(places, times, strict=False):
        draw_frame(axes, found, t, colours)
        axes.set_title(f"t = {t:.5g}", fontsize=8, color=colours.faint)
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[1], high[1])
    for axes in places[len(times) :]:
        axes.axis("off")


def _grid(count: int, low: Floats, high: Floats) -> tuple[int, int, float]:
    """Columns and rows in which frames are large, and the height of all of them, in inches; a row more must pay."""
    wide = float((high[0] - low[0]) / (high[1] - low[1]))
    best = (0.0, count, 1, FRAME_HEIGHT)
    for rows in range(1, count + 1):
        columns = math.ceil(count / rows)
        height = min(WIDTH / columns / wide, MOST_HEIGHT / rows - TITLE_HEIGHT)
        best = max(best, (height / rows**0.25, columns, rows, rows * (height + TITLE_HEIGHT)))
    return best[1], best[2], best[3]


def draw_frame(axes: Axes, found: Fastening, t: float, colours: Theme) -> None:
    """Obstacles, root and pawls at a time."""
    from matplotlib.patches import Polygon

    axes.set_aspect("equal")
    axes.axis("off")
    design = found.design
    for obstacle in lengthened(design).obstacles:
        axes.add_patch(Polygon(_corners(obstacle.poly), closed=True, color=colours.metal, linewidth=0))
    place = np.array([float(p) for p in design.p0]) + t * np.array([float(v) for v in design.v])
    if design.root is not None:
        axes.add_patch(Polygon(_corners(design.root) + place, closed=True, color=colours.ground, linewidth=0))
    angles = {name: _shown_angle(motion, t) for name, motion in found.pawls.items()}
    for k, each in enumerate(placed_pawls(design.pawls, angles)):
        colour = PALETTE[k % len(PALETTE)]
        axes.add_patch(Polygon(np.array(each.corners) + place, closed=True, color=colour, linewidth=0))
        axes.plot(each.x + place[0], each.y + place[1], "o", color=colours.text, markersize=2)


def _shown_angle(motion: PawlMotion | CarriedMotion, t: float) -> float:
    """Before a snap."""
    return motion.angle_at(t - 1e-9 * t)


def _corners(polygon: Any) -> Floats:
    return np.array([[float(x), float(y)] for x, y in polygon])


def _turned(motion: PawlMotion, angle: float) -> Floats:
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.asarray(_corners(motion.pawl.poly) @ np.array([[cosine, sine], [-sine, cosine]]))


def _box(found: Fastening) -> tuple[Floats, Floats]:
    """Around all that moves in any frame, and the obstacles as far as they are near to it."""
    design = found.design
    moving = []
    for t in frame_times(found):
        place = np.array([float(p) for p in design.p0]) + t * np.array([float(v) for v in design.v])
        if design.root is not None:
            moving.append(_corners(design.root) + place)
        angles = {name: _shown_angle(motion, t) for name, motion in found.pawls.items()}
        moving += [np.array(each.corners) + place for each in placed_pawls(design.pawls, angles)]
    everything = np.concatenate([*moving, *(_corners(obstacle.poly) for obstacle in design.obstacles)])
    inner = np.concatenate(moving)
    room = float(np.max(np.ptp(inner, axis=0)))
    low = np.maximum(everything.min(axis=0), inner.min(axis=0) - room)
    high = np.minimum(everything.max(axis=0), inner.max(axis=0) + room)
    margin = 0.03 * float(np.max(high - low))
    return low - margin, high + margin


def _draw_slice(
    axes: Axes, name: str, motion: PawlMotion | CarriedMotion, found: Fastening, theme: ThemeName
) -> None:
    dress(axes, f"{name} (degrees)", theme)
    colours = THEMES[theme]
    last = motion.end.time
    lines = motion.lines()
    angles = np.concatenate([theta for _, theta in lines] or [np.array([motion.rest])])
    span = max(float(np.ptp(angles)), 0.4)
    low, high = float(angles.min()) - 0.25 * span, float(angles.max()) + 0.25 * span
    until = (
        float(found.design.duration)
        if motion.cause == "end"
        else min(last * 1.1, float(found.design.duration))
    )
    until = max(until, last, 1e-9)
    edges = len(motion.pawl.poly) * sum(len(each.poly) for each in found.design.obstacles)
    if isinstance(motion, PawlMotion) and edges <= MOST_EDGES:
        _shade(axes, motion, np.linspace(0.0, until, COLUMNS), np.linspace(low, high, ROWS), colours)
    colour = PALETTE[list(found.pawls).index(name) % len(PALETTE)]
    axes.axhline(math.degrees(motion.rest), color=colours.faint, linewidth=0.8, linestyle=":")
    for t, theta in lines:
        axes.plot(t, np.degrees(theta), color=colour, linewidth=2.0)
    for number, event in enumerate(motion.told):
        if event.kind == "snap":
            turned = np.degrees([event.theta_from, event.theta_to])
            axes.plot([event.t, event.t], turned, color=colour, linewidth=1.2, ls="--")
        place = event.t, math.degrees(event.theta_from)
        axes.plot(*place, "o", color=MARKED, markersize=3.5, zorder=5)
        axes.annotate(
            event.kind,
            place,
            xytext=(3, 4) if number % 2 else (3, -10),
            textcoords="offset points",
            fontsize=7,
            color=colours.text,
        )
    axes.set_xlim(0.0, until)
    axes.set_ylim(math.degrees(low), math.degrees(high))


def _shade(axes: Axes, motion: PawlMotion, times: Floats, angles: Floats, colours: Theme) -> None:
    """What obstacles forbid, and its border: the constraints' curves."""
    taken = (~free_raster(motion, times, angles)).astype(float)
    if taken.any():
        axes.contourf(times, np.degrees(angles), taken, levels=[0.5, 1.5], colors=[colours.ground], zorder=0)
        axes.contour(
            times, np.degrees(angles), taken, levels=[0.5], colors=[colours.metal], linewidths=0.7, zorder=1
        )


def free_raster(motion: PawlMotion, times: Floats, angles: Floats) -> NDArray[np.bool_]:
    """Whether the pawl overlaps no obstacle, angles by times: no edges cross, and none is inside the other."""
    piece = motion.piece
    obstacles = np.array([[as_float(x), as_float(y)] for x, y in piece.obstacles.vertices])
    ends = obstacles[piece.obstacles.following]
    hinge = np.array([as_float(value) for value in piece.hinge])
    way = np.multiply.outer(times, np.array([as_float(value) for value in piece.velocity])) + hinge
    free = np.ones((len(angles), len(times)), dtype=bool)
    for row, angle in enumerate(angles):
        corners = _turned(motion, float(angle))
        starts = corners[None] + way[:, None]  # times × corners × 2
        stops = np.roll(corners, -1, axis=0)[None] + way[:, None]
        crossing = _cross(starts[:, :, None], stops[:, :, None], obstacles, ends).any(axis=(1, 2))
        inside = _is_inside(starts[:, 0], obstacles, ends) | _holds(starts, stops, obstacles[0])
        free[row] = ~(crossing | inside)
    return free


def _side(a: Floats, b: Floats, p: Floats) -> Floats:
    return np.asarray(
        (b[..., 0] - a[..., 0]) * (p[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (p[..., 0] - a[..., 0])
    )


def _cross(a: Floats, b: Floats, c: Floats, d: Floats) -> NDArray[np.bool_]:
    return np.asarray((_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0))


def _is_inside(points: Floats, starts: Floats, stops: Floats) -> NDArray[np.bool_]:
    """By counting crossings of a ray to the right."""
    p = points[:, None]
    spans = (starts[None, :, 1] > p[..., 1]) != (stops[None, :, 1] > p[..., 1])
    rise = np.where(stops[:, 1] == starts[:, 1], 1.0, stops[:, 1] - starts[:, 1])
    x = starts[None, :, 0] + (p[..., 1] - starts[None, :, 1]) / rise * (stops[:, 0] - starts[:, 0])
    return np.asarray((spans & (p[..., 0] < x)).sum(axis=1) % 2 == 1)


def _holds(starts: Floats, stops: Floats, point: Floats) -> NDArray[np.bool_]:
    """Whether the pawl, at each time, has the point inside."""
    spans = (starts[..., 1] > point[1]) != (stops[..., 1] > point[1])
    rise = np.where(stops[..., 1] == starts[..., 1], 1.0, stops[..., 1] - starts[..., 1])
    x = starts[..., 0] + (point[1] - starts[..., 1]) / rise * (stops[..., 0] - starts[..., 0])
    return np.asarray((spans & (point[0] < x)).sum(axis=1) % 2 == 1)


def _draw_forces(axes: Axes, found: Fastening, theme: ThemeName) -> None:
    dress(axes, "force", theme)
    colours = THEMES[theme]
    forces = history(found)
    finite = np.where(np.isfinite(forces.resist), forces.resist, np.nan)
    largest = np.nanpercentile(np.abs(finite), 99.0) if np.isfinite(finite).any() else 1.0
    axes.plot(forces.t, finite, color=colours.text, linewidth=1.6, label="against the motion, all pawls")
    for k, (name, each) in enumerate(forces.pawls.items()):
        size = np.hypot(each.force[:, 0], each.force[:, 1])
        axes.plot(
            forces.t,
            np.where(np.isfinite(size), size, np.nan),
            color=PALETTE[k % len(PALETTE)],
            linewidth=1.2,
            label=f"contact, {name}",
        )
        largest = max(largest, float(np.nanpercentile(np.where(np.isfinite(size), size, np.nan), 99.0)))
    if math.isinf(forces.peak) and largest > 0:
        axes.set_ylim(top=1.3 * largest)
    axes.axhline(0.0, color=colours.faint, linewidth=0.6)
    axes.legend(loc="upper left", frameon=False, fontsize=8, labelcolor=colours.text)
    axes.set_xlabel("time", color=colours.text)
