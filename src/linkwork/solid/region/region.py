"""Regions: sets of the plane bounded by straight lines and circular arcs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from linkwork.solid.region.around import edge_reaches, spans_around
from linkwork.solid.region.boolean import Rule, all_of, any_of, first_only, odd, of_edges, of_loops
from linkwork.solid.region.columns import Columns, Numbers, Points, Truths, as_points
from linkwork.solid.region.edge import Edge, Line, Point
from linkwork.solid.region.fault import RegionError, positive
from linkwork.solid.region.given import closed_loop
from linkwork.solid.region.loop import Loop
from linkwork.solid.region.measure import Moments, moments_of
from linkwork.solid.region.nearness import boundary_distances, on_boundary
from linkwork.solid.region.offset import bands, chords
from linkwork.solid.region.stretch import stretched_loop
from linkwork.solid.region.tolerance import RELATIVE_TOLERANCE
from linkwork.solid.region.transform import Similarity
from linkwork.solid.region.winding import Runs, runs_of, windings

MANY: Final = 40
"""Edges, from which on it is looked first whether points are where none of them is."""
DEVIATION: Final = 1e-4
"""Of the size: how far arcs may be from ellipses, unless it is stated."""


@dataclass(frozen=True)
class Region:
    """A bounded set of the plane, as its loops: outer ones anticlockwise, holes clockwise.

    The inside is left of every edge. Made by :meth:`polygon`, :meth:`circle`, :meth:`rectangle` and
    :meth:`from_loops`, and from these by ``|``, ``&``, ``-``, ``^`` and motions. What differs by less than the
    tolerance, a billionth of the size, is one: flush edges join, and nothing is left between them.

    >>> plate = Region.rectangle(4, 2) - Region.circle(0.5, (1, 1))
    >>> plate
    <Region: 1 outline, 1 hole, 6 edges, area 7.21460184>
    >>> plate.contains([(1, 1), (3, 1)]).tolist()
    [False, True]
    >>> Region.rectangle(1, 2) | Region.rectangle(1, 2).moved((1, 0)) == Region.rectangle(2, 2)
    True
    """

    loops: tuple[Loop, ...] = ()

    # ------------------------------------------------------------------------------ making

    @staticmethod
    def from_loops(loops: Iterable[Iterable[Edge]]) -> Region:
        """What an odd number of loops encloses; they may run either way, and cross themselves and each other."""
        edges = [edge for loop in loops for edge in closed_loop(list(loop))]
        return Region._sorted(of_edges(Columns.of(edges), odd))

    @staticmethod
    def from_outline(edges: Iterable[Edge]) -> Region:
        """What one loop encloses that runs anticlockwise and does not cross itself, which is not checked."""
        return Region((Loop(tuple(closed_loop(list(edges)))).from_leftmost,))

    @staticmethod
    def polygon(points: Iterable[Sequence[float]]) -> Region:
        """What a closed row of lines encloses, run either way.

        >>> Region.polygon([(0, 0), (0, 3), (4, 0)]).area
        6.0
        """
        return Region.from_polygons([points])

    @staticmethod
    def from_polygons(rows: Iterable[Iterable[Sequence[float]]]) -> Region:
        """What an odd number of closed rows of lines encloses."""
        return Region.from_loops(_lines([(float(x), float(y)) for x, y in row]) for row in rows)

    @staticmethod
    def circle(radius: float, centre: Sequence[float] = (0.0, 0.0)) -> Region:
        """A disc."""
        r = positive("the radius of a circle", radius)
        return Region((Loop.round((float(centre[0]), float(centre[1])), r),))

    @staticmethod
    def rectangle(width: float, height: float) -> Region:
        """A rectangle with a corner at the origin."""
        x, y = positive("the width of a rectangle", width), positive("the height of a rectangle", height)
        corners = [(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)]
        return Region((Loop(tuple(Line(corners[k], corners[(k + 1) % 4]) for k in range(4))),))

    # --------------------------------------------------------------------------- combining

    def __or__(self, other: Region) -> Region:
        return union((self, other))

    def __and__(self, other: Region) -> Region:
        return intersection((self, other))

    def __sub__(self, other: Region) -> Region:
        return difference(self, (other,))

    def __xor__(self, other: Region) -> Region:
        return Region._combined([self, other], [0, 0], odd)

    def __bool__(self) -> bool:
        """Whether there is anything in it."""
        return bool(self.loops)

    @staticmethod
    def _combined(parts: Sequence[Region], channels: Sequence[int], rule: Rule) -> Region:
        loops = [loop for part in parts for loop in part.loops]
        each = [channel for part, channel in zip(parts, channels, strict=True) for _ in part.loops]
        return Region._sorted(of_loops(loops, each, rule))

    @staticmethod
    def _sorted(loops: Iterable[Loop]) -> Region:
        """Outer loops first, each sort from left to right: equal regions have equal loops."""
        return Region(tuple(sorted(loops, key=lambda loop: (loop.is_hole, loop.start))))

    # ---------------------------------------------------------------------------- moving

    def moved(self, by: Sequence[float]) -> Region:
        """Shifted."""
        return self.under(Similarity.shift(by))

    def turned(self, angle: float, about: Sequence[float] = (0.0, 0.0)) -> Region:
        """Turned anticlockwise by an angle in radians about a point; right angles are exact."""
        return self.under(Similarity.turn(angle, about))

    def mirrored(self, normal: Sequence[float] = (1.0, 0.0)) -> Region:
        """The mirror image in the line through the origin across ``normal``.

        >>> Region.rectangle(2, 1).mirrored().box
        ((-2.0, 0.0), (0.0, 1.0))
        """
        return self.under(Similarity.mirror(normal))

    def scaled(self, factor: float) -> Region:
        """Larger or smaller about the origin."""
        return self.under(Similarity.scaling(positive("the scale", factor)))

    def stretched(self, x: float, y: float, deviation: float | None = None) -> Region:
        """The coordinates times x and y, not necessarily equal; circles become ellipses, and those arcs.

        They are nowhere further from the ellipses than ``deviation``, by default 10⁻⁴ of the result's size.

        >>> round(Region.circle(1).stretched(3, 2, 1e-6).area / math.pi, 5)
        6.0
        """
        if not (x and y and math.isfinite(x) and math.isfinite(y)):
            raise RegionError(f"a region is stretched by {x} and {y}", wanted="numbers other than 0")
        if abs(x) == abs(y):
            flipped = self if x > 0 else self.mirrored((1, 0))
            return (flipped if y > 0 else flipped.mirrored((0, 1))).scaled(abs(x))
        (left, bottom), (right, top) = self.box
        within = (
            DEVIATION * max(abs(x) * (right - left), abs(y) * (top - bottom))
            if deviation is None
            else deviation
        )
        edges = [edge for loop in self.loops for edge in closed_loop(stretched_loop(loop, x, y, within))]
        return Region._sorted(of_edges(Columns.of(edges), any_of))

    def grown(self, distance: float) -> Region:
        """All that is within a distance of the region, corners rounded; with a negative one what is as deep in it.

        >>> Region.rectangle(2, 1).grown(1)
        <Region: 1 outline, 8 edges, area 11.1415927>
        >>> Region.rectangle(4, 3).grown(-1)
        <Region: 1 outline, 4 edges, area 2>
        """
        if not self.loops or distance == 0:
            return self
        around = [
            Region.from_outline(band)
            for loop in self.loops
            for band in bands(loop, abs(distance), distance > 0)
        ]
        return union([self, *around]) if distance > 0 else difference(self, around)

    def under(self, motion: Similarity) -> Region:
        """The image under any of these."""
        return Region._sorted(motion.loop(loop) for loop in self.loops)

    # --------------------------------------------------------------------------- measuring

    @cached_property
    def columns(self) -> Columns:
        """All its edges as columns of numbers."""
        return Columns.joined([loop.columns for loop in self.loops]) if self.loops else Columns.of(())

    @cached_property
    def runs(self) -> Runs:
        """The edges cut into runs, for rays."""
        return runs_of(self.columns)

    @cached_property
    def _moments(self) -> Moments:
        return moments_of(self.columns)

    @property
    def area(self) -> float:
        return self._moments.area

    @property
    def length(self) -> float:
        """The length of the whole boundary."""
        return float(self.columns.length.sum())

    @property
    def centroid(self) -> Point:
        """The centre of the area."""
        if not self.loops:
            raise RegionError("an empty region has no centroid")
        return self._moments.x / self.area, self._moments.y / self.area

    @property
    def moments(self) -> tuple[float, float, float]:
        """∫ y², ∫ x² and ∫ xy over the region: Ixx, Iyy, Ixy about the origin.

        >>> [round(moment, 12) for moment in Region.rectangle(2, 3).moments]
        [18.0, 8.0, 9.0]
        """
        return self._moments.yy, self._moments.xx, self._moments.xy

    @cached_property
    def box(self) -> tuple[Point, Point]:
        """The corners with the least and the largest coordinates."""
        if not self.loops:
            return (0.0, 0.0), (0.0, 0.0)
        left, right, bottom, top = self.columns.boxes
        return (float(left.min()), float(bottom.min())), (float(right.max()), float(top.max()))

    @property
    def components(self) -> tuple[Region, ...]:
        """The connected pieces, each an outer loop with its holes."""
        return components_of(self)

    # ---------------------------------------------------------------------------- asking

    def contains(self, points: ArrayLike, boundary: bool = True) -> Truths:
        """Whether each row of an array lies in the region, or on its boundary; without that it may be either."""
        at = as_points(points)
        inside = self._inside(at)
        if boundary:
            inside[on_boundary(self.columns, at)] = True
        return inside

    def distance(self, points: ArrayLike) -> Numbers:
        """How far each point is from the boundary: negative inside.

        >>> Region.circle(2).distance([(0, 0), (3, 4)]).tolist()
        [-2.0, 3.0]
        """
        at = as_points(points)
        away = boundary_distances(self.columns, at)
        return np.where(self._inside(at), -away, away)

    def _inside(self, points: Points) -> Truths:
        """Whether points are inside; those in the disc that no edge comes into are known without a ray."""
        if len(self.columns) < MANY:
            return windings(self.runs, points) > 0
        centre, radius, is_inside = self._clear
        inside = np.full(len(points), is_inside)
        others = np.flatnonzero(np.abs(points - centre) >= radius)
        if len(others):
            inside[others] = windings(self.runs, points[others]) > 0
        return inside

    @cached_property
    def _clear(self) -> tuple[complex, float, bool]:
        """The centre of a disc in the middle of the region that no edge comes into, its radius, and what is in it."""
        (left, bottom), (right, top) = self.box
        centre = complex(left + right, bottom + top) / 2
        least, _ = edge_reaches(self.columns, centre)
        within = (1 - RELATIVE_TOLERANCE) * float(least.min())
        return centre, within, bool(windings(self.runs, np.array([centre]))[0] > 0)

    def spans_around(self, centre: Sequence[float], radii: ArrayLike) -> list[Numbers]:
        """For each radius the pieces of the circle about a point that lie inside: rows of first and last angle.

        >>> [row.round(6).tolist() for row in Region.rectangle(4, 2).spans_around((0, 0), [1, 5])]
        [[[0.0, 1.570796]], []]
        """
        at = complex(*map(float, centre))
        return spans_around(self.columns, self.runs, at, np.asarray(radii, dtype=float))

    def edge_reaches(self, centre: Sequence[float]) -> tuple[Numbers, Numbers]:
        """The least and the largest distance of each edge from a point, loop by loop."""
        return edge_reaches(self.columns, complex(*map(float, centre)))

    def outlines(self, deviation: float) -> tuple[Numbers, ...]:
        """The corners of polygons for looking at, a row each: loops whose arcs are chords within a deviation."""
        positive("the deviation of chords", deviation)
        return tuple(
            np.array([point for edge in loop for point in chords(edge, deviation)]) for loop in self.loops
        )

    def __repr__(self) -> str:
        holes = sum(loop.is_hole for loop in self.loops)
        outlines, edges = len(self.loops) - holes, sum(len(loop) for loop in self.loops)
        if not self.loops:
            return "<Region: empty>"
        counts = [(outlines, "outline"), (holes, "hole"), (edges, "edge")]
        words = [f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts if count]
        return f"<Region: {', '.join(words)}, area {self.area:.9g}>"


EMPTY_REGION = Region()
"""The region with nothing in it."""


def union(regions: Iterable[Region]) -> Region:
    """All that is in any of some regions.

    >>> union(Region.rectangle(1, 1).moved((k, 0)) for k in range(9)) == Region.rectangle(9, 1)
    True
    """
    parts = [region for region in regions if region]
    if len(parts) < 2:
        return parts[0] if parts else EMPTY_REGION
    return Region._combined(parts, [0] * len(parts), any_of)


def intersection(regions: Iterable[Region]) -> Region:
    """What is in all of some regions."""
    parts = list(regions)
    if not parts or not all(parts):
        return EMPTY_REGION
    low = [max(part.box[0][axis] for part in parts) for axis in (0, 1)]
    high = [min(part.box[1][axis] for part in parts) for axis in (0, 1)]
    if low[0] >= high[0] or low[1] >= high[1]:
        return EMPTY_REGION
    return Region._combined(parts, [0] * len(parts), all_of(len(parts)))


def difference(first: Region, others: Iterable[Region]) -> Region:
    """What is in a first region and in none of others."""
    near = [other for other in others if other and _boxes_meet(first, other)]
    if not first or not near:
        return first
    parts = [first, *near]
    return Region._combined(parts, [0] + [1] * len(near), first_only)


def _lines(corners: list[Point]) -> list[Edge]:
    if len(corners) < 3:
        raise RegionError(
            "a polygon has at least three corners",
            got=f"{len(corners)}",
            fix="Region.polygon([(0, 0), (1, 0), (0, 1)])",
        )
    return [Line(corners[place - 1], corners[place]) for place in range(len(corners))]


def _boxes_meet(one: Region, other: Region) -> bool:
    return all(
        one.box[0][axis] < other.box[1][axis] and other.box[0][axis] < one.box[1][axis] for axis in (0, 1)
    )


def components_of(region: Region) -> tuple[Region, ...]:
    """The connected pieces: each hole belongs to the smallest outer loop around it."""
    outer = sorted((loop for loop in region.loops if not loop.is_hole), key=lambda loop: loop.area)
    holes = [loop for loop in region.loops if loop.is_hole]
    if len(outer) < 2:
        return (region,) if outer else ()
    middles = as_points([loop.edges[0].at(0.5) for loop in holes])
    left = np.full(len(holes), True)
    found = []
    for loop in outer:
        within = left & (windings(runs_of(loop.columns), middles) > 0)
        left &= ~within
        found.append(Region._sorted([loop, *(holes[place] for place in np.flatnonzero(within))]))
    return tuple(sorted(found, key=lambda piece: piece.loops[0].start))
