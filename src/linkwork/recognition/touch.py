"""Where two parts touch: which pieces of their surfaces lie on one another, and what is pushed which way there.

A contact is a set of points with unit normals. The normal is the way in which the second part may leave the first.
Round surfaces touch as a shaft in its hole, also with some clearance; plane ones as faces on one another, also with
some play if the part is held between two of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body
from linkwork.recognition.flats import parallel_pairs
from linkwork.recognition.rims import Cuts
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.skin import spread_ways
from linkwork.recognition.stretches import (
    PARALLEL,
    common_stretches,
    heights_of,
    on_cylinder_of,
    on_one_cylinder,
)
from linkwork.solid import RoundFace, SphereFace
from linkwork.solid.placement import Floats, cross
from linkwork.solid.values import Inside

ANGLES = 24
"""At how many angles a round surface is looked at: gaps of less than a half turn are told from larger ones."""
GRID = 9
"""At how many places along each of its sides a plane face is looked at."""
NARROW = 2
"""In fewer rows of the grid than these what is met is looked at more closely."""
MANY = 1000
"""Of more pairs of faces than these only those that touch are looked at so."""
LEANING, IN_ONE = 1e-3, 10.0
"""Faces of meshes are of one plane that lean by less than this, in radians, and are no more tolerances apart."""
LAST_DIGITS = 1e-6
"""Parts that people draw at a limit are within it: the last digits of what is compared depend on where they stand."""
CLEARANCE = 0.1 * (1 + LAST_DIGITS)
"""The largest clearance of a fit, as a part of the width of what is inside."""
GROOVE = 0.25
"""How much room a ring may have in the groove that keeps it, as a part of the width of the groove."""
INTERFERENCE = 0.05 * (1 + LAST_DIGITS)
"""By how much of the radius of its hole a shaft may be too thick: it is then pressed into it."""
THREAD = 0.67
"""The same of a screw, drawn as thick as its thread, in the hole for its core: that of wood screws is the thinnest."""
ROLLING = ("groove", "race")
"""Contacts of balls and rollers: in grooves and bores, and on the cylinders of a bearing."""
AROUND_BALL = 96
"""In how many directions a ball is looked at in its socket."""
WHEEL = "wheel"
"""Contacts of wheels on rails, as what carries the wheels has them."""
FLAT = ("plane", "line", WHEEL)
"""Contacts at plane faces, with a normal that is the same all over."""
ONE_SIDED = (*FLAT, "ring")
"""Contacts that hold from one side, with a gap there."""
CUP = 0.55
"""How long the mean of the directions may be in which a socket holds its ball; over half of a sphere it is 0.5."""


@dataclass(frozen=True, eq=False)
class Contact:
    """Points of the surface between two parts, and the normals from the first part to the second.

    The points of plane ones lie on the first part, those of round ones on the hole.
    ``kind`` tells what touches: "shaft", "press", "plane", "sphere", "slot", "groove", "race", "line", "ring", "wheel".
    ``inner`` is the part inside, 0 or 1, for round ones; ``is_closed`` tells that they hold all around. ``gap`` is the
    clearance in diameter, or the gap at faces that hold from one side.
    """

    kind: str
    points: Floats
    normals: Floats
    gap: float = 0.0
    inner: int | None = None
    axis: Floats | None = None
    middle: Floats | None = None
    radius: float = 0.0
    length: float = 0.0
    is_closed: bool = False
    labels: tuple[str, str] = ("", "")
    centre: Floats | None = None
    """Of a curved slot: a point of the axis about which it is bent."""
    threads: tuple[tuple[float, float], ...] = ()
    """Pitches of threads that meet: that of the first part and that of the second."""

    @property
    def area(self) -> float:
        """About how large a plane contact is: the area of the polygon around its points."""
        normal = self.normals[0]
        along = np.eye(3)[int(np.argmin(np.abs(normal)))]
        u = cross(normal, along)
        v = cross(normal, u)
        seen = self.points - self.points.mean(axis=0)
        x, y = seen @ u, seen @ v
        order = np.argsort(np.arctan2(y, x))
        x, y = x[order], y[order]
        return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2 / float(u @ u)

    def flipped(self) -> Contact:
        """The same contact with its parts in the other order."""
        inner = None if self.inner is None else 1 - self.inner
        threads = tuple((other, one) for one, other in self.threads)
        points = self.points + self.gap * self.normals if self.kind == "plane" else self.points
        labels = self.labels[::-1]
        return replace(
            self, points=points, normals=-self.normals, inner=inner, labels=labels, threads=threads
        )

    def at(self, chosen: Inside) -> Contact:
        """The same contact at some of its points."""
        return replace(self, points=self.points[chosen], normals=self.normals[chosen])

    def rows(self) -> Floats:
        """A row for each point: times the twist (ω, v) of the second part against the first it is its speed away."""
        return np.hstack([cross(self.points, self.normals), self.normals])


def contacts(a: Body, b: Body, tolerance: float, thick: float = INTERFERENCE) -> list[Contact]:
    """All contacts between two parts, also of plane faces that are only near one another.

    Shafts may be too thick by this part of the radius of their holes.
    """
    found = [*shafts(a, b, tolerance, thick), *(each.flipped() for each in shafts(b, a, tolerance, thick))]
    return [*found, *planes(a, b, tolerance), *balls(a, b, tolerance)]


# ------------------------------------------------------------------------------------------------ round


def shafts(
    hole: Body, shaft: Body, tolerance: float, thick: float, loose: float = CLEARANCE
) -> Iterator[Contact]:
    """The contacts of shafts of the second part in holes of the first, as thick and as loose as this at most."""
    seen: list[tuple[RoundFace, RoundFace]] = []
    for place, other in _fitting(hole.round_arrays, shaft.round_arrays, tolerance, (thick, loose)):
        outer, inner = hole.rounds[place], shaft.rounds[other]
        if any(
            on_one_cylinder(outer, a, tolerance) and on_one_cylinder(inner, b, tolerance) for a, b in seen
        ):
            continue
        seen.append((outer, inner))
        found = _shaft(hole, shaft, outer, inner, tolerance)
        if found is not None:
            yield found


def _fitting(outer: Rounds, inner: Rounds, tolerance: float, limits: tuple[float, float]) -> NDArray[np.intp]:
    """The places of cylinders that have about the same axis and radius, a row for each pair."""
    (holes, hole_of), (shafts, shaft_of) = outer.widths, inner.widths
    clearance = holes[:, None] - shafts  # of each radius once, since many faces have the same
    least, most = -limits[0] * holes[:, None], limits[1] * holes[:, None]
    may = (least <= clearance) & (clearance <= most)
    if not may.any():
        return np.zeros((0, 2), dtype=np.intp)
    room = float(np.maximum(clearance[may], 0.0).max()) + tolerance
    first, second = outer.beside_axes(inner, 2 * room)
    fitting = may[hole_of[first], shaft_of[second]] & outer.are_cylinders[first] & inner.are_cylinders[second]
    first, second = first[fitting], second[fitting]
    rooms = np.maximum(clearance[hole_of[first], shaft_of[second]], 0.0) + tolerance
    axes = outer.axes[first]
    lean = np.linalg.norm(cross(axes, inner.axes[second]), axis=1)
    apart = np.linalg.norm(cross(inner.middles[second] - outer.points[first], axes), axis=1)
    fit = (lean <= PARALLEL + 2 * rooms / inner.lengths[second]) & (apart <= rooms)
    order = np.lexsort((second[fit], first[fit]))
    return np.column_stack([first[fit][order], second[fit][order]])


def _shaft(hole: Body, shaft: Body, outer: RoundFace, inner: RoundFace, tolerance: float) -> Contact | None:
    """The contact of two cylinders, wherever along their axis and around it both are walls of their parts."""
    zero, quarter, axis = outer.frame()
    origin = np.array(outer.point)
    turns = (np.arange(ANGLES) + 0.5) * (2 * math.pi / ANGLES)
    radial = np.outer(np.cos(turns), zero) + np.outer(np.sin(turns), quarter)
    cells = common_stretches((hole, outer), (shaft, inner), radial)
    if not len(cells):
        return None
    heights = cells.mean(axis=1)
    outward = np.tile(radial, (len(cells), 1))
    centres = np.repeat(origin + np.outer(heights, axis), ANGLES, axis=0)
    on_hole = hole.bounded(centres + outer.radius * outward, -outward)
    if not on_hole.any():
        return None
    shift = _shift(outer, inner, centres, axis)
    on_shaft = shaft.bounded(centres + shift + inner.radius * outward, outward)
    clearance = 2 * (outer.radius - inner.radius)
    if clearance < -2 * tolerance:  # what is too thick lies in the material around its hole
        within = centres + shift / 2 + (outer.radius + inner.radius) / 2 * outward
        on_shaft &= hole.membership.contains(within) & shaft.membership.contains(within)
    touching = (on_hole & on_shaft).reshape(len(cells), ANGLES)
    if not touching.any():
        return None
    used = touching.any(axis=1)
    length = float(np.diff(cells[used], axis=1).sum())
    if (
        length <= min(clearance, *(np.ptp(each.span) for each in (outer, inner))) / 2
    ):  # it only begins to be inside
        return None
    ends = np.array([cells[used, 0].min(), cells[used, 1].max()])
    around: Inside = np.any(touching, axis=0)
    points = np.concatenate([origin + end * axis + outer.radius * radial[around] for end in ends])
    is_closed = largest_gap(around) < ANGLES // 2
    inward = np.tile(-radial[around], (2, 1))
    if (
        not is_closed
    ):  # a round shaft is pushed towards its own axis, wherever the middles are of the arcs around it
        feet = np.repeat(origin + np.outer(ends, axis), int(around.sum()), axis=0)
        inward += _shift(outer, inner, feet, axis) / outer.radius
        inward /= np.linalg.norm(inward, axis=1, keepdims=True)
    labels, threads = _marks((hole, outer), (shaft, inner), cells[used])
    return Contact(
        "shaft" if clearance >= -2 * tolerance or threads else "press",
        points,
        inward,
        clearance,
        1,
        axis,
        origin + ends.mean() * axis,
        inner.radius,
        length,
        is_closed,
        labels,
        threads=threads,
    )


def _marks(
    hole: tuple[Body, RoundFace], shaft: tuple[Body, RoundFace], cells: Floats
) -> tuple[tuple[str, str], tuple[tuple[float, float], ...]]:
    """The labels of two cylinders where they touch the longest, and the pitches of threads that touch one another.

    Several faces of a part may lie on one cylinder, each with marks of its own.
    """
    origin, axis = np.array(hole[1].point), np.array(hole[1].axis)
    labels: list[str] = []
    pitches: list[list[set[float]]] = []
    for body, face in (hole, shaft):
        every = on_cylinder_of(face, body)
        ends = [sorted(heights_of(each, origin, axis)) for each in every]
        here = [
            [each for each, (low, high) in zip(every, ends, strict=True) if low < middle < high]
            for middle in cells.mean(axis=1)
        ]
        longest = here[int(np.argmax(np.diff(cells, axis=1)))]
        labels.append(next((each.label for each in longest if each.label), ""))
        pitches.append([{each.pitch for each in own if each.pitch} for own in here])
    met = {(one, other) for own, theirs in zip(*pitches, strict=True) for one in own for other in theirs}
    return (labels[0], labels[1]), tuple(sorted(met))


def largest_gap(around: Inside) -> int:
    """The largest number of neighbouring angles without contact."""
    places = np.flatnonzero(around)
    return int(np.max(np.diff([*places, places[0] + len(around)]))) - 1


def _shift(outer: RoundFace, inner: RoundFace, centres: Floats, axis: Floats) -> Floats:
    """From the axis of the hole to that of the shaft, at each height."""
    own = np.array(inner.axis)
    own = own if own @ axis > 0 else -own
    away = centres - np.array(inner.point)
    across: Floats = np.outer(away @ axis / (own @ axis), own) - away
    return np.asarray(across - np.outer(across @ axis, axis))


# ------------------------------------------------------------------------------------------------ plane


def planes(a: Body, b: Body, tolerance: float) -> list[Contact]:
    """The contacts of plane faces: those that lie on one another, and those that look at each other with play."""
    found: list[Contact] = []
    meetings = _meetings(a, b, tolerance)
    if not len(meetings.first):
        return found
    points, normals, lifted = meetings.samples(a)
    touching = a.bounded(points, normals)
    touching[touching] &= b.bounded(lifted[touching], -normals[touching])
    grid = touching.reshape(-1, GRID * GRID)
    narrow = _are_narrow(grid)
    on_rims = meetings.on_rims(a, b, np.flatnonzero(narrow & meetings.may_hold(a, tolerance)))
    met_at = np.asarray(grid.any(axis=1))
    met_at[[*on_rims]] = True
    for places in meetings.in_one_plane(a, tolerance):
        if not met_at[places].any():
            continue
        met = np.vstack(
            [
                some
                for place in places
                for some in (
                    points[place * GRID * GRID : (place + 1) * GRID * GRID][grid[place]],
                    on_rims.get(place, np.zeros((0, 3))),
                )
            ]
        )
        own, other = meetings.first[places[0]], meetings.second[places[0]]
        chosen = _extremes(met, a.flats.frames[own, 1:])
        ways = np.repeat(normals[None, places[0] * GRID * GRID], len(chosen), axis=0)
        gap = float(np.abs(meetings.gaps[places]).min())
        labels = a.faces.labels[own], b.faces.labels[other]
        contact = Contact("plane", chosen, ways, gap, labels=labels)
        if not any(_same(contact, each, tolerance) for each in found):
            found.append(contact)
    return found


def _are_narrow(grids: Inside) -> Inside:
    """Which grids show too little of a patch to tell how long and wide it is."""
    rows = grids.reshape(-1, GRID, GRID)
    counts = [rows.any(axis=axis).sum(axis=1) for axis in (1, 2)]
    return np.asarray(np.minimum(*counts) < NARROW)


@dataclass(frozen=True, eq=False)
class _Meetings:
    """Pairs of parallel faces of two parts that lie opposite each other, at most a fit apart, and where they do."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    gaps: Floats
    low: Floats
    high: Floats
    outward: Floats
    """The way out of the first part: 1 along the normal of its face, or -1."""

    def samples(self, a: Body) -> tuple[Floats, Floats, Floats]:
        """Points of the faces of the first part, the ways out there, and the points of the second opposite them."""
        steps = (np.arange(GRID) + 0.5) / GRID
        u, v = (each.ravel() for each in np.meshgrid(steps, steps))
        size = self.high - self.low
        us, vs = self.low[:, :1] + u * size[:, :1], self.low[:, 1:] + v * size[:, 1:]
        frames = a.flats.frames[self.first]
        points = frames[:, None, 0] + us[..., None] * frames[:, None, 1] + vs[..., None] * frames[:, None, 2]
        normals = a.flats.normals[self.first]
        lifted = points + (self.gaps[:, None] * normals)[:, None]
        ways = np.repeat(self.outward[:, None] * normals, GRID * GRID, axis=0)
        return points.reshape(-1, 3), ways, lifted.reshape(-1, 3)

    def may_hold(self, a: Body, tolerance: float) -> Inside:
        """Which pairs of faces touch, or have others opposite them, with no more play than a ring in its groove."""
        normals = self.outward[:, None] * a.flats.normals[self.first]
        gaps, places = np.abs(self.gaps), self.outward * a.flats.offsets[self.first]
        if len(gaps) > MANY:  # of meshes with so many faces no two are compared
            return np.asarray(gaps <= tolerance)
        opposite = normals @ normals.T < -1 + PARALLEL
        plays = gaps[:, None] + gaps <= GROOVE * np.abs(places[:, None] + places)
        return np.asarray((gaps <= tolerance) | (opposite & plays).any(axis=1))

    def in_one_plane(self, a: Body, tolerance: float) -> list[NDArray[np.intp]]:
        """Pairs of faces by themselves; of many, as of meshes that lie askew, those of one plane and gap together."""
        if len(self.first) <= MANY:
            return [*np.arange(len(self.first), dtype=np.intp)[:, None]]
        normals = self.outward[:, None] * a.flats.normals[self.first]
        offsets = self.outward * a.flats.offsets[self.first]
        lengths = np.column_stack([offsets, np.abs(self.gaps)]) / (IN_ONE * tolerance)
        keys = np.round(np.hstack([normals / LEANING, lengths]))
        _, numbers = np.unique(keys, axis=0, return_inverse=True)
        order = np.argsort(numbers.ravel(), kind="stable")
        return np.split(order, np.flatnonzero(np.diff(numbers.ravel()[order])) + 1)

    def on_rims(self, a: Body, b: Body, places: NDArray[np.intp]) -> dict[int, Floats]:
        """Points where faces meet that are too narrow for a grid, by the places of their pairs."""
        cuts = Cuts((a, b))
        frames = a.flats.frames[self.first]
        found = [cuts.points(frames[place], self.low[place], self.high[place]) for place in places]
        owners = np.repeat(places, np.array([len(each) for each in found], dtype=np.intp))
        points = np.vstack([np.zeros((0, 3)), *found])
        normals = a.flats.normals[self.first[owners]]
        ways = self.outward[owners, None] * normals
        met = a.bounded(points, ways)
        met[met] &= b.bounded((points + self.gaps[owners, None] * normals)[met], -ways[met])
        return {place: points[met & (owners == place)] for place in {*owners[met].tolist()}}


def _meetings(a: Body, b: Body, tolerance: float) -> _Meetings:
    width = min(float(np.max(a.box[1] - a.box[0])), float(np.max(b.box[1] - b.box[0])))
    reach = CLEARANCE * width + tolerance
    near = [own.flats.near(*other.box, reach) for own, other in ((a, b), (b, a))]
    kept = [
        _opposite(a, b, near[0][first], near[1][second], reach)
        for first, second in parallel_pairs(a.flats.normals[near[0]], b.flats.normals[near[1]], PARALLEL)
    ]
    first, second, low, high = (np.concatenate(each) for each in zip(*kept, strict=True))
    gaps = np.einsum("ij,ij->i", a.flats.normals[first], b.flats.points[second]) - a.flats.offsets[first]
    alike = np.sign(np.einsum("ij,ij->i", a.flats.normals[first], b.flats.normals[second]))
    own, other = a.flats.outward[first], alike * b.flats.outward[second]
    sides = [
        np.flatnonzero((way * gaps >= -tolerance) & (way * own >= 0) & (way * other <= 0))
        for way in (1.0, -1.0)
    ]
    places = np.concatenate(sides)
    outward = np.concatenate([np.full(len(sides[0]), 1.0), np.full(len(sides[1]), -1.0)])
    return _Meetings(first[places], second[places], gaps[places], low[places], high[places], outward)


def _opposite(
    a: Body, b: Body, first: NDArray[np.intp], second: NDArray[np.intp], reach: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]:
    """Of pairs of parallel faces those that lie opposite each other, no farther apart than this, and where they do."""
    gaps = np.einsum("ij,ij->i", a.flats.normals[first], b.flats.points[second]) - a.flats.offsets[first]
    close = np.abs(gaps) <= reach
    first, second = first[close], second[close]
    low, high = _common(a, b, first, second)
    meet = np.all(high - low > 4 * a.skin, axis=1)
    return first[meet], second[meet], low[meet], high[meet]


def _common(a: Body, b: Body, first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """The rectangle, in coordinates of faces of the first part, in which faces of the second lie opposite them."""
    frames = a.flats.frames[first]
    away = b.flats.corners[second] - frames[:, None, 0]
    u, v = (np.einsum("ijk,ik->ij", away, frames[:, place]) for place in (1, 2))
    own = a.flats.ranges[first]
    low = np.maximum(
        own[:, :, 0], np.column_stack([u.min(axis=1), v.min(axis=1)]) if len(u) else own[:, :, 0]
    )
    high = np.minimum(
        own[:, :, 1], np.column_stack([u.max(axis=1), v.max(axis=1)]) if len(u) else own[:, :, 1]
    )
    return low, high


def _extremes(points: Floats, ways: Floats) -> Floats:
    """The points of a patch that lie farthest in eight directions: they hold as much as all of it."""
    u, v = ways @ points.T
    reaches = np.array([u, -u, v, -v, u + v, u - v, v - u, -u - v])
    return points[sorted({*reaches.argmax(axis=1).tolist()})]


def _same(a: Contact, b: Contact, tolerance: float) -> bool:
    return (
        len(a.points) == len(b.points)
        and float(a.normals[0] @ b.normals[0]) > 1 - PARALLEL
        and float(np.abs(a.points - b.points).max()) <= tolerance
    )


# ------------------------------------------------------------------------------------------------- ball


def balls(a: Body, b: Body, tolerance: float, loose: float = CLEARANCE) -> Iterator[Contact]:
    """The contacts of spheres: a ball of one part in a socket of the other.

    A ball need not be in the middle of its socket: it may lie in it, or be drawn out of it on the open side.
    """
    for own in a.spheres:
        for other in b.spheres:
            room = abs(own.radius - other.radius)
            reach = loose * max(own.radius, other.radius)
            if room > reach or math.dist(own.point, other.point) > 2 * reach - room + tolerance:
                continue
            inner = 1 if other.radius <= own.radius + tolerance else 0
            for is_inner in {inner, 1 - inner if room <= tolerance else inner}:
                found = _ball((a, own), (b, other), is_inner, tolerance)
                if found is not None:
                    yield found


def _ball(
    one: tuple[Body, SphereFace], two: tuple[Body, SphereFace], inner: int, tolerance: float
) -> Contact | None:
    """The contact of two spheres in all directions in which both bound their parts.

    What pushes goes through the middle of the ball: so all parts of a split socket hold it about one point.
    """
    (socket, outer), (body, ball) = (one, two) if inner else (two, one)
    ways = spread_ways(AROUND_BALL)
    touching = socket.bounded(np.array(outer.point) + outer.radius * ways, -ways)
    touching &= body.bounded(np.array(ball.point) + ball.radius * ways, ways)
    if not touching.any():
        return None
    ways, centre = ways[touching], np.array(ball.point)
    room = outer.radius - ball.radius
    gaps = room - ways @ (centre - np.array(outer.point))
    if gaps.min() < -tolerance:
        return None
    return Contact(
        "sphere",
        centre + outer.radius * ways,
        (-1.0 if inner else 1.0) * ways,
        max(2 * room, float(gaps.max())),
        inner,
        middle=centre,
        radius=ball.radius,
        is_closed=is_cup(ways),
        labels=(one[1].label, two[1].label),
    )


def is_cup(ways: Floats) -> bool:
    """Whether a ball is held in its socket that touches it in these directions, spread evenly."""
    return float(np.linalg.norm(ways.mean(axis=0))) <= CUP
