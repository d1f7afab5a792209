"""The outlines of parts, layer by layer, as the features that the contact engine knows: rounds, sides and hollows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.kinematics.arrays import Matrix
from linkwork.solid.region import Arc, Edge, Line, Region
from linkwork.solid.region.edge import Point

SMOOTH: Final = 1e-6
"""The angle below which two edges go on into each other without a corner."""
SAME: Final = 1e-12
"""Of the largest number of all: features differ by more."""
MOST_CELLS: Final = 64
"""Of a grid in each direction."""
EVERYWHERE: Final = -2.0
"""The cosine of half the span of a whole circle or a corner: below all others."""


@dataclass(frozen=True, eq=False)
class Outline:
    """The features of a region, in columns as the engine reads them.

    A round or hollow has eleven numbers: centre, radius, the middle of its directions, cosine and sine of half its
    span, and for a corner the directions of its edges away from it, for an arc the least circle around it. A side has
    seven: start, direction, normal, length.
    """

    rounds: Matrix
    sides: Matrix
    hollows: Matrix
    centre: Point
    reach: float

    @cached_property
    def grid(self) -> Grid:
        """Cells by which faces are found."""
        return grid_of(self)


def outline_of(*regions: Region) -> Outline:
    """The features of regions that lie over one another in a body; those that they share once."""
    rounds: list[list[float]] = []
    sides: list[list[float]] = []
    hollows: list[list[float]] = []
    for loop in (loop for region in regions for loop in region.loops):
        edges = _joined(loop.edges)
        for place, edge in enumerate(edges):
            if isinstance(edge, Line):
                sides.append(_side(edge))
            else:
                (rounds if edge.anticlockwise else hollows).append(_arc(edge))
            before = edges[place - 1]
            if len(edges) > 1 and _turn(before, edge) > SMOOTH:
                rounds.append(_corner(before, edge))
    left, low = np.min([region.box[0] for region in regions], axis=0).tolist()
    right, high = np.max([region.box[1] for region in regions], axis=0).tolist()
    centre = (left + right) / 2, (low + high) / 2
    reach = math.hypot(right - left, high - low) / 2
    return Outline(_columns(rounds, 11), _columns(sides, 7), _columns(hollows, 11), centre, reach)


def _columns(rows: list[list[float]], width: int) -> Matrix:
    """Features in columns, each once."""
    found: Matrix = np.array(rows, float).reshape(-1, width)
    near = SAME * float(np.max(np.abs(found), initial=0.0))
    again = np.max(np.abs(found[:, None] - found[None]), axis=2, initial=0.0) <= near
    first: Matrix = found[~np.any(np.tril(again, -1), axis=1)]
    return first


def _joined(edges: Sequence[Edge]) -> list[Edge]:
    """Edges with arcs of one circle that follow each other made one; a whole circle is one arc of a full turn."""
    found: list[Edge] = []
    for edge in edges:
        if found and _same_circle(found[-1], edge):
            found[-1] = _whole(found[-1], edge)
        else:
            found.append(edge)
    if len(found) > 1 and _same_circle(found[-1], found[0]):
        found[0] = _whole(found.pop(), found[0])
    return found


def _same_circle(one: Edge, other: Edge) -> bool:
    return (
        isinstance(one, Arc)
        and isinstance(other, Arc)
        and one.anticlockwise == other.anticlockwise
        and math.dist(one.centre, other.centre) <= 1e-9 * one.radius
        and abs(one.radius - other.radius) <= 1e-9 * one.radius
    )


def _whole(one: Edge, other: Edge) -> Arc:
    assert isinstance(one, Arc)
    return Arc(one.start, other.end, one.centre, one.anticlockwise, one.radius)


def _side(edge: Line) -> list[float]:
    (x, y), (u, v), length = edge.start, edge.end, edge.length
    tx, ty = (u - x) / length, (v - y) / length
    return [x, y, tx, ty, ty, -tx, length]


def _arc(edge: Arc) -> list[float]:
    x, y = edge.centre
    half = abs(edge.sweep) / 2
    if math.dist(edge.start, edge.end) <= 1e-9 * edge.radius and (half > 3 or half < 1e-6):
        return [x, y, edge.radius, 1.0, 0.0, EVERYWHERE, 0.0, x, y, edge.radius, 0.0]
    u, v = edge.at(0.5)
    mx, my = (u - x) / edge.radius, (v - y) / edge.radius
    out = edge.radius * max(math.cos(half), 0.0)
    around = edge.radius * (math.sin(half) if half < math.pi / 2 else 1.0)
    return [
        x,
        y,
        edge.radius,
        mx,
        my,
        math.cos(half),
        math.sin(half),
        x + out * mx,
        y + out * my,
        around,
        0.0,
    ]


def _corner(before: Edge, after: Edge) -> list[float]:
    x, y = after.start
    ax, ay = _tangent(before, at_end=True)
    bx, by = _tangent(after, at_end=False)
    return [x, y, 0.0, 1.0, 0.0, EVERYWHERE, 0.0, -ax, -ay, bx, by]


def _turn(before: Edge, after: Edge) -> float:
    """The angle by which the outline turns to the left between two edges, as a sine or more."""
    ax, ay = _tangent(before, at_end=True)
    bx, by = _tangent(after, at_end=False)
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


def _tangent(edge: Edge, *, at_end: bool) -> Point:
    if isinstance(edge, Line):
        return (edge.end[0] - edge.start[0]) / edge.length, (edge.end[1] - edge.start[1]) / edge.length
    x, y = edge.end if at_end else edge.start
    way = 1.0 if edge.anticlockwise else -1.0
    return -way * (y - edge.centre[1]) / edge.radius, way * (x - edge.centre[0]) / edge.radius


@dataclass(frozen=True)
class Grid:
    """A square grid over an outline: its corner and cell, and which faces are in each cell.

    ``starts`` tells where in ``entries`` those of each cell begin; an entry is the kind of a face, its place, and the
    first column and row of the cells that it is in. ``clear`` is how far every face is from all of a cell, at least.
    """

    corner: Point
    cell: float
    columns: int
    rows: int
    starts: NDArray[np.intc]
    entries: NDArray[np.intc]
    clear: Matrix


def grid_of(outline: Outline) -> Grid:
    """A grid with some cells for each face."""
    boxes = np.concatenate(
        [_side_boxes(outline.sides), _arc_boxes(outline.hollows), _arc_boxes(outline.rounds)]
    )
    kinds = np.repeat([0, 1, 2], [len(outline.sides), len(outline.hollows), len(outline.rounds)])
    faces = np.concatenate(
        [np.arange(len(each)) for each in (outline.sides, outline.hollows, outline.rounds)]
    )
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    size = high - low
    across = min(max(round(3 * math.sqrt(len(boxes))), 1), MOST_CELLS)
    cell = float(max(size.max(), 1e-300)) / across * (1 + 1e-9)
    columns, rows = (max(int(np.ceil(length / cell)), 1) for length in size)
    last = np.array([columns - 1, rows - 1])
    first_cell = np.clip(((boxes[:, :2] - low) / cell).astype(int), 0, last)
    last_cell = np.clip(((boxes[:, 2:] - low) / cell).astype(int), 0, last)
    found: list[tuple[int, int, int, int, int]] = []
    for place, (left, bottom) in enumerate(first_cell):
        right, top = last_cell[place]
        found += [
            (row * columns + column, kinds[place], faces[place], left, bottom)
            for row in range(bottom, top + 1)
            for column in range(left, right + 1)
        ]
    entries = np.array(sorted(found), np.intc)
    starts = np.searchsorted(entries[:, 0], np.arange(columns * rows + 1)).astype(np.intc)
    clear = _clearance(outline, low, cell, columns, rows)
    return Grid(
        (float(low[0]), float(low[1])),
        cell,
        columns,
        rows,
        starts,
        np.ascontiguousarray(entries[:, 1:]),
        clear,
    )


def _clearance(outline: Outline, low: Matrix, cell: float, columns: int, rows: int) -> Matrix:
    """How far every face is from all of each cell, at least."""
    row, column = np.divmod(np.arange(columns * rows), columns)
    middles = low + (np.column_stack([column, row]) + 0.5) * cell
    nearest = np.full(len(middles), np.inf)
    for x, y, tx, ty, nx, ny, length in outline.sides:
        dx, dy = middles[:, 0] - x, middles[:, 1] - y
        along = dx * tx + dy * ty
        past = along - np.clip(along, 0.0, length)
        nearest = np.minimum(nearest, np.hypot(dx * nx + dy * ny, past))
    for arc in np.concatenate([outline.hollows, outline.rounds]):
        centre, radius = (arc[7:9], arc[9]) if arc[2] > 0 else (arc[:2], 0.0)
        distance = np.hypot(middles[:, 0] - centre[0], middles[:, 1] - centre[1])
        nearest = np.minimum(nearest, np.maximum(distance - radius, 0.0))
    found: Matrix = nearest - cell * math.sqrt(0.5) * (1 + 1e-9)
    return found


def _side_boxes(sides: Matrix) -> Matrix:
    ends = sides[:, :2], sides[:, :2] + sides[:, 2:4] * sides[:, 6:]
    return np.column_stack([np.minimum(*ends), np.maximum(*ends)])


def _arc_boxes(arcs: Matrix) -> Matrix:
    """Boxes around the least circles of arcs; those of corners are points."""
    is_corner = arcs[:, 2:3] == 0
    centre = np.where(is_corner, arcs[:, :2], arcs[:, 7:9])
    radius = np.where(is_corner, 0.0, arcs[:, 9:10])
    return np.column_stack([centre - radius, centre + radius])


def packed(outlines: Iterable[Outline]) -> tuple[Matrix, NDArray[np.intc], NDArray[np.intc], Matrix]:
    """All features in one array, all cells in another; of each outline where its own begin, its circle and its grid."""
    numbers: list[Matrix] = []
    cells: list[NDArray[np.intc]] = []
    places: list[list[int]] = []
    circles: list[list[float]] = []
    end = cell_end = 0
    for outline in outlines:
        row = []
        for columns in (outline.rounds, outline.sides, outline.hollows):
            row += [end, len(columns)]
            numbers.append(columns.ravel())
            end += columns.size
        grid = outline.grid
        row += [grid.columns, grid.rows, cell_end, cell_end + grid.starts.size, end]
        numbers.append(grid.clear)
        end += grid.clear.size
        cells += [grid.starts, grid.entries.ravel()]
        cell_end += grid.starts.size + grid.entries.size
        places.append(row)
        circles.append([*outline.centre, outline.reach, *grid.corner, grid.cell])
    return (
        np.concatenate([*numbers, np.zeros(1)]),
        np.concatenate([*cells, np.zeros(1, np.intc)]),
        np.array(places, np.intc).reshape(-1, 11),
        np.array(circles, float).reshape(-1, 6),
    )
