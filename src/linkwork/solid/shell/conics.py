"""Edges that files give as chains of points although they are circles or ellipses: where two simple surfaces meet.

A plane meets a sphere in a circle, a cylinder or cone across its axis in a circle, a cylinder aslant in an ellipse;
round surfaces and spheres about one axis meet in circles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, cross, triple
from linkwork.solid.shell.distance import radius_at, slope
from linkwork.solid.shell.edge import Arc, Chain, Edge
from linkwork.solid.shell.sewing import Border, Key, Piece
from linkwork.solid.shell.vector import across
from linkwork.solid.surface import TURN, Face, PlaneFace, RoundFace, SphereFace

ALONG: Final = 1e-7
"""The sine of the angle below which directions are one."""
NEAR: Final = 2e-3
"""How far a chain may be from the curve that it stands for, in sizes of the curve."""


def with_conics(pieces: Sequence[Piece]) -> list[Piece]:
    """The faces with such edges in place of chains."""
    found: dict[Key, Arc] = {}
    for key, (chain, surfaces) in _chains(pieces).items():
        arc = _arc(chain, surfaces)
        if arc is not None:
            found[key] = arc
    if not found:
        return list(pieces)

    def exact(border: Border) -> Border:
        arc = found.get(border.key)
        if arc is None or not isinstance(border.edge, Chain):
            return border
        edge: Edge = arc if border.along else arc.reversed()
        return Border(edge, border.key, border.along)

    return [
        replace(piece, loops=[[exact(border) for border in loop] for loop in piece.loops]) for piece in pieces
    ]


def _chains(pieces: Sequence[Piece]) -> dict[Key, tuple[Chain, list[Face]]]:
    """The edges that are chains, along their own way, and the two surfaces that meet at each."""
    chains: dict[Key, Chain] = {}
    surfaces: dict[Key, list[Face]] = {}
    for piece in pieces:
        for border in (border for loop in piece.loops for border in loop):
            if isinstance(border.edge, Chain):
                surfaces.setdefault(border.key, []).append(piece.surface)
                chains.setdefault(border.key, border.edge if border.along else border.edge.reversed())
    return {key: (chains[key], each) for key, each in surfaces.items() if len(each) == 2}


def _arc(chain: Chain, surfaces: Sequence[Face]) -> Arc | None:
    """The piece of a circle or ellipse that a chain follows, from its start to its end."""
    points = chain.array
    for whole in _curves(*surfaces):
        x, y = np.array(whole.x), np.array(whole.y)
        radii = whole.radii
        ways = points - np.array(whole.centre)
        turns = np.unwrap(np.arctan2(ways @ y / radii[1] ** 2, ways @ x / radii[0] ** 2))
        on_curve = np.array(whole.centre) + np.outer(np.cos(turns), x) + np.outer(np.sin(turns), y)
        if np.linalg.norm(points - on_curve, axis=1).max() > NEAR * max(radii):
            continue
        length = float(turns[-1] - turns[0])
        if chain.is_closed:
            length = math.copysign(TURN, length)
        if 0 < abs(length) <= TURN:
            return Arc(whole.centre, whole.x, whole.y, float(turns[0]), float(turns[0]) + length)
    return None


def _curves(one: Face, other: Face) -> Iterator[Arc]:
    """The circles and ellipses in which two surfaces meet."""
    if isinstance(other, PlaneFace):
        one, other = other, one
    if isinstance(one, PlaneFace):
        normal, point = np.array(one.normal), np.array(one.point)
        if isinstance(other, SphereFace):
            height = float(normal @ (point - np.array(other.point)))
            yield from _circle(np.array(other.point) + height * normal, normal, other.radius**2 - height**2)
        elif isinstance(other, RoundFace):
            yield from _cut(other, point, normal)
        return
    if isinstance(one, SphereFace):
        one, other = other, one
    if isinstance(one, RoundFace) and isinstance(other, SphereFace):
        yield from _around_ball(one, other)
    elif isinstance(one, RoundFace) and isinstance(other, RoundFace):
        yield from _coaxial(one, other)


def _circle(centre: Floats, normal: Floats, square: float) -> Iterator[Arc]:
    if square > 0:
        x = math.sqrt(square) * across(normal)
        yield Arc(triple(centre), triple(x), triple(cross(normal, x)))


def _cut(surface: RoundFace, point: Floats, normal: Floats) -> Iterator[Arc]:
    """Where a plane cuts a cylinder or, across its axis, a cone."""
    axis, rise = np.array(surface.axis), float(np.dot(surface.axis, normal))
    if abs(rise) < ALONG:
        return
    height = float(normal @ (point - np.array(surface.point))) / rise
    centre = np.array(surface.point) + height * axis
    if float(np.linalg.norm(cross(axis, normal))) <= ALONG:
        radius = radius_at(surface, height)
        yield from _circle(centre, axis, radius**2 if radius > 0 else 0.0)
    elif surface.is_cylinder:
        short = cross(axis, normal)
        short = short / np.linalg.norm(short)
        long = cross(normal, short) / abs(rise)
        yield Arc(triple(centre), triple(surface.radius * long), triple(surface.radius * short))


def _coaxial(one: RoundFace, other: RoundFace) -> Iterator[Arc]:
    """Where two round surfaces about one axis have the same radius."""
    axis = np.array(one.axis)
    offset = np.array(other.point) - np.array(one.point)
    shift = float(axis @ offset)
    size = max(one.radius, other.radius)
    if (
        float(np.linalg.norm(cross(axis, other.axis))) > ALONG
        or np.linalg.norm(offset - shift * axis) > ALONG * size
    ):
        return
    way = float(np.sign(axis @ np.array(other.axis)))
    grows = slope(one), way * slope(other)
    if abs(grows[0] - grows[1]) > ALONG:
        start = radius_at(other, 0.0) - grows[1] * shift
        height = (start - radius_at(one, 0.0)) / (grows[0] - grows[1])
        yield from _circle(np.array(one.point) + height * axis, axis, radius_at(one, height) ** 2)


def _around_ball(surface: RoundFace, ball: SphereFace) -> Iterator[Arc]:
    """Where a round surface meets a sphere about a point of its axis: (r + k h)² + (h - c)² = R²."""
    axis = np.array(surface.axis)
    offset = np.array(ball.point) - np.array(surface.point)
    shift = float(axis @ offset)
    if np.linalg.norm(offset - shift * axis) > ALONG * ball.radius:
        return
    grows, radius = slope(surface), radius_at(surface, 0.0)
    a, b, c = grows**2 + 1, grows * radius - shift, radius**2 + shift**2 - ball.radius**2
    if b * b > a * c:
        for height in ((-b + sign * math.sqrt(b * b - a * c)) / a for sign in (1.0, -1.0)):
            yield from _circle(np.array(surface.point) + height * axis, axis, radius_at(surface, height) ** 2)
