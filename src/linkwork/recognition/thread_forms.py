"""Threads that are drawn turn by turn, in parts: which part has one, on a shaft or in a hole, and what it fits.

Two of them that fit, or one in a plain hole, are taken as cylinders that are marked as threads: the shaft as thick as
its crests, the hole as wide as its roots. So what is said of these holds of those too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from linkwork.recognition.body import Body, near_pairs
from linkwork.recognition.flats import Flats
from linkwork.recognition.helices import SAME_LEAD, Helix
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import CLEARANCE, INTERFERENCE
from linkwork.solid import Difference, Prism, Solid, Union
from linkwork.solid.placement import Floats, Placement, Triple, cross, cross_length, triple
from linkwork.solid.region import Region
from linkwork.solid.section import frame_across
from linkwork.solid.values import Inside

ONE_WAY: Final = 0.1
"""How far the faces of a thread look away from the axis, or towards it, in the mean: a coil spring does neither."""
BESIDE: Final = 0.25
"""How far beyond the roots of a thread it is filled up, as a part of its depth."""
TRUE: Final = 1e-3
"""How much axes of threads may lean against each other that fit, in radians."""


@dataclass(frozen=True, eq=False)
class ThreadForm:
    """A thread in the surface of a part: its axis, its lead, from where to where it goes, and its radii."""

    point: Triple
    axis: Triple
    lead: float
    low: float
    high: float
    inner: float
    outer: float
    is_hole: bool

    def heights_of(self, point: Triple, axis: Triple, heights: Sequence[float]) -> tuple[float, float]:
        """From where to where heights along another axis go along its own."""
        base = float(np.dot(np.subtract(point, self.point), self.axis))
        way = math.copysign(1.0, float(np.dot(axis, self.axis)))
        low, high = sorted(base + way * each for each in heights)
        return low, high

    def is_beside(self, point: Triple, axis: Triple, heights: Sequence[float], play: float) -> bool:
        """Whether another axis is its own but for some play, and what is on it beside the thread."""
        low, high = self.heights_of(point, axis, heights)
        return (
            cross_length(self.axis, axis) <= TRUE
            and cross_length(np.subtract(point, self.point), self.axis) <= play
            and min(high, self.high) > max(low, self.low)
        )

    def is_in(self, other: ThreadForm, tolerance: float) -> bool:
        """Whether this thread, on a shaft, is in that of a hole: they reach into one another."""
        play = other.outer - self.outer
        return (
            other.is_hole
            and not self.is_hole
            and -tolerance <= play <= CLEARANCE * other.outer
            and self.outer > other.inner + tolerance
            and self.is_beside(other.point, other.axis, (other.low, other.high), play + tolerance)
        )

    def is_in_bore(self, body: Body, tolerance: float) -> bool:
        """Whether it is in a plain hole of a part that fits it."""
        if self.is_hole:
            return False
        return any(
            face.is_cylinder
            and (1 - INTERFERENCE) * self.outer <= face.radius <= self.outer / (1 - CLEARANCE)
            and self.is_beside(face.point, face.axis, face.span, abs(face.radius - self.outer) + tolerance)
            for face in body.rounds
        )

    @property
    def frame(self) -> Placement:
        """Where it begins, with z along its axis."""
        start = np.array(self.point) + self.low * np.array(self.axis)
        return replace(frame_across(self.axis), origin=triple(start))

    def ring(self) -> Solid:
        """What is between its crests and its roots, and a little more on the side of these."""
        beyond = BESIDE * (self.outer - self.inner)
        inside = max(self.inner - beyond, self.inner / 2)
        ring = Region.circle(self.outer) - Region.circle(inside)
        return Prism(ring, self.high - self.low).placed(self.frame)

    def facets_among(self, faces: Flats) -> Inside:
        """Which faces are its facets, or lie between its crests and its roots."""
        away = faces.corners.mean(axis=1) - np.array(self.point)
        axis = np.array(self.axis)
        heights, radii = away @ axis, np.linalg.norm(cross(away, axis), axis=1)
        return np.asarray(
            (heights >= self.low - abs(self.lead))
            & (heights <= self.high + abs(self.lead))
            & (radii <= self.outer * (1 + TRUE))
            & (radii >= self.inner * (1 - TRUE) - BESIDE * (self.outer - self.inner))
            & (np.abs(faces.normals @ axis) < 1 - PARALLEL**2)
        )


def with_threads(bodies: Sequence[Body], tolerance: float) -> list[Body]:
    """The same parts, where threads that are drawn and fit others are cylinders that are marked as threads."""
    forms = {id(body): _forms(body) for body in bodies if body.helices}
    fitting: dict[int, list[ThreadForm]] = {}

    def keep(body: Body, form: ThreadForm) -> None:
        kept = fitting.setdefault(id(body), [])
        if all(each.low != form.low or each.point != form.point for each in kept):
            kept.append(form)

    for pair in near_pairs([*bodies], tolerance) if forms else ():
        for body, other in (pair, pair[::-1]):
            for form in forms.get(id(body), ()):
                holes = [each for each in forms.get(id(other), ()) if form.is_in(each, tolerance)]
                if holes or form.is_in_bore(other, tolerance):
                    keep(body, form)
                for each in holes:
                    alike = abs(form.lead - each.lead) <= SAME_LEAD * abs(form.lead)
                    keep(other, replace(each, lead=form.lead) if alike else each)
    return [_threaded(body, fitting.get(id(body), [])) for body in bodies]


def _threaded(body: Body, forms: Sequence[ThreadForm]) -> Body:
    """A part with threads as marked cylinders: its shafts filled up to their crests, its holes bored to their roots."""
    if not forms:
        return body
    shafts = [each.ring().named(thread=each.lead) for each in forms if not each.is_hole]
    holes = [each.ring().named(thread=each.lead) for each in forms if each.is_hole]
    solid = Union((body.solid, *shafts)) if shafts else body.solid
    solid = Difference(solid, tuple(holes)) if holes else solid
    return replace(body, solid=solid, covered=tuple(forms), twin=None)


def _forms(body: Body) -> list[ThreadForm]:
    """The threads in the surface of a part."""
    return [form for each in body.helices for form in _forms_of(body, each)]


def _forms_of(body: Body, helix: Helix) -> Iterator[ThreadForm]:
    """The threads of a mesh about one axis that bound its part, on shafts or in holes; coil springs are neither."""
    before, behind = body.sides(helix.points, helix.normals)
    outward = np.where(before, -1.0, 1.0)[:, None] * helix.normals
    axis, point = np.array(helix.axis), np.array(helix.point)
    heights, radii, radial = _seen(helix.points - point, axis)
    tops = _seen(helix.tops.reshape(-1, 3) - point, axis)[1].reshape(-1, 3).max(axis=1)
    looks = np.einsum("ij,ij->i", radial, outward)
    order = np.argsort(heights, kind="stable")
    order = order[(before != behind)[order]]
    for own in np.split(order, np.flatnonzero(np.diff(heights[order]) > abs(helix.lead)) + 1):
        if len(own) and abs(float(looks[own].mean())) >= ONE_WAY:
            outer = _bounded_by(body, helix, float(radii[own].max()), float(tops[own].max()))
            low, high = _span(body, helix, (float(heights[own[0]]), float(heights[own[-1]])))
            is_hole = bool(looks[own].mean() < 0)
            inner = float(radii[own].min())
            yield ThreadForm(helix.point, helix.axis, helix.lead, low, high, inner, outer, is_hole)


def _seen(away: Floats, axis: Floats) -> tuple[Floats, Floats, Floats]:
    """Heights of points along an axis, how far they are from it, and in which directions."""
    heights = away @ axis
    across = away - np.outer(heights, axis)
    radii = np.linalg.norm(across, axis=1)
    return heights, radii, across / np.maximum(radii, 1e-300)[:, None]


def _span(body: Body, helix: Helix, seen: tuple[float, float]) -> tuple[float, float]:
    """From where to where a thread goes: to plane faces across it beyond what was seen of it, or to its own ends."""
    axis, point = np.array(helix.axis), np.array(helix.point)
    flats = body.flats.only(np.flatnonzero(np.abs(body.flats.normals @ axis) > 1 - PARALLEL))
    planes = (flats.points - point) @ axis
    found = []
    for way, end, last in zip((-1, 1), seen, helix.ends, strict=True):
        most = way * (float((np.array(last) - point) @ axis) - end)
        beyond = way * (planes - end)
        near = beyond[(beyond >= 0) & (beyond < most)]
        least = float(near.min()) if len(near) else most if most < abs(helix.lead) / 4 else 0.0
        found.append(end + way * least)
    return found[0], found[1]


def _bounded_by(body: Body, helix: Helix, least: float, most: float) -> float:
    """The radius at which a thread ends outward: that of its corners, or of a cylinder to which it was cut."""
    cut = [
        face.radius
        for face in body.rounds
        if face.is_cylinder
        and least <= face.radius < most
        and cross_length(face.axis, helix.axis) <= TRUE
        and cross_length(np.subtract(face.point, helix.point), helix.axis) <= TRUE * most
    ]
    return min(cut, default=most)
