"""Surfaces of a STEP file: planes, cylinders, cones, spheres, tori, and those made by extrusion or revolution of
lines and circles.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final, NamedTuple, NoReturn

import numpy as np

from linkwork.solid.placement import Floats, cross, triple
from linkwork.solid.shell.edge import Arc, Chain
from linkwork.solid.shell.vector import across
from linkwork.solid.step.axes import Measures, direction
from linkwork.solid.step.curve import basis_curve, ellipse, free_curve
from linkwork.solid.step.fault import BeyondReader
from linkwork.solid.step.record import Record
from linkwork.solid.step.spline import chain
from linkwork.solid.step.spline_surface import KINDS, recognised
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace

SQUARE: Final = 1e-9
"""How far from square or parallel directions may be, as a sine."""
FLAT: Final = 1e-6
"""Half an angle of a cone that differs less from 0 or a quarter turn is none, in radians."""
DEEPEST: Final = 8

KNOWN: Final = (
    "PLANE, CYLINDRICAL_SURFACE, CONICAL_SURFACE, SPHERICAL_SURFACE, TOROIDAL_SURFACE, lines and circles extruded or "
    "revolved, and splines that are such surfaces in other words"
)
_NOWHERE: Final = (0.0, 0.0)


class Bearing(NamedTuple):
    """A surface without bounds, and whether its normal in the file is the one that we give such surfaces."""

    surface: Face
    as_ours: bool = True


def bearing(record: Record, measures: Measures) -> Bearing:
    """The surface of a record; the ranges of its coordinates are left open."""
    record = _basis(record)
    for kind, read in _READERS.items():
        if kind in record.parts:
            return read(record.part(kind), measures)
    if any(kind in record.parts for kind in KINDS):
        found = recognised(record, measures)
        if found is not None:
            return Bearing(*found)
    _fail_unknown(record)


def _basis(record: Record) -> Record:
    for _ in range(DEEPEST):
        if "RECTANGULAR_TRIMMED_SURFACE" in record.parts:
            record = record.part("RECTANGULAR_TRIMMED_SURFACE").record(1)
        elif "CURVE_BOUNDED_SURFACE" in record.parts:
            record = record.part("CURVE_BOUNDED_SURFACE").record(1)
        else:
            return record
    record.fail("surfaces stand for each other in a circle", wanted="a surface")


def _fail_unknown(record: Record) -> NoReturn:
    free = any(kind in record.parts for kind in KINDS)
    record.fail(
        "a face has a free-form surface"
        if free
        else f"surfaces of the kind {record.kind[:60]} are not known",
        got=record.kind[:80],
        wanted=KNOWN,
        why="only the optional reader knows others",
        fix="pip install 'linkwork[cad]'",
        error=BeyondReader,
    )


# --------------------------------------------------------------------------------- one kind after another


def _plane(record: Record, measures: Measures) -> Bearing:
    place = measures.placement(record.record(1, "AXIS2_PLACEMENT_3D"))
    return Bearing(PlaneFace(place.origin, place.axes[0], place.axes[1], _NOWHERE, _NOWHERE))


def _cylinder(record: Record, measures: Measures) -> Bearing:
    place = measures.placement(record.record(1, "AXIS2_PLACEMENT_3D"))
    radius = measures.length(record, 2)
    return Bearing(RoundFace(place.origin, place.axes[2], place.axes[0], radius, radius, (0.0, 1.0)))


def _cone(record: Record, measures: Measures) -> Bearing:
    place = measures.placement(record.record(1, "AXIS2_PLACEMENT_3D"))
    radius, half = record.number_at(2) * measures.scale, measures.angle(record, 3)
    if not radius >= 0 or not FLAT < abs(half) < math.pi / 2 - FLAT:
        record.fail(
            "this cone cannot be", wanted="a radius of 0 or more and half an angle between 0° and 90°"
        )
    return Bearing(
        RoundFace(place.origin, place.axes[2], place.axes[0], radius, radius + math.tan(half), (0.0, 1.0))
    )


def _sphere(record: Record, measures: Measures) -> Bearing:
    place = measures.placement(record.record(1, "AXIS2_PLACEMENT_3D"))
    return Bearing(SphereFace(place.origin, measures.length(record, 2)))


def _torus(record: Record, measures: Measures) -> Bearing:
    place = measures.placement(record.record(1, "AXIS2_PLACEMENT_3D"))
    ring, tube = measures.length(record, 2), measures.length(record, 3)
    found = Bearing(TorusFace(place.origin, place.axes[2], ring, tube))
    is_inner = record.kind == "DEGENERATE_TOROIDAL_SURFACE" and not record.flag(4)
    return inner_torus(found) if is_inner else found


def inner_torus(found: Bearing) -> Bearing:
    """The part of a torus that lies inside, where its tube is wider than its ring: as of a ring of negative radius.

    There the file's normal points to the axis.
    """
    assert isinstance(found.surface, TorusFace)
    return Bearing(replace(found.surface, radius=-found.surface.radius), not found.as_ours)


def _extruded(record: Record, measures: Measures) -> Bearing:
    """The normal in the file is the curve's direction times the direction of extrusion."""
    along = direction(record.record(2, "VECTOR").part("VECTOR").record(1, "DIRECTION"))
    swept = _line_or_circle(record, measures)
    if isinstance(swept, Arc) and swept.is_circular:
        rise = float(np.dot(swept.axis, along))
        if abs(abs(rise) - 1) < SQUARE:
            radius = swept.radii[0]
            zero = triple(np.array(swept.x) / radius)
            return Bearing(RoundFace(swept.centre, swept.axis, zero, radius, radius, (0.0, 1.0)), rise > 0)
    elif not isinstance(swept, Arc):
        point, way = swept
        second = along - way * (way @ along)
        if np.linalg.norm(second) > SQUARE:
            second = second / np.linalg.norm(second)
            return Bearing(PlaneFace(triple(point), triple(way), triple(second), _NOWHERE, _NOWHERE))
    _fail_unknown(record)


def _revolved(record: Record, measures: Measures) -> Bearing:
    """The normal in the file is the direction of revolution times the curve's direction."""
    base, axis = measures.axis(record.record(2, "AXIS1_PLACEMENT"))
    swept = _line_or_circle(record, measures)
    found = (
        _revolved_circle(swept, base, axis) if isinstance(swept, Arc) else _revolved_line(*swept, base, axis)
    )
    if found is None:
        _fail_unknown(record)
    return found


def _revolved_line(point: Floats, way: Floats, base: Floats, axis: Floats) -> Bearing | None:
    offset = point - base
    rise = float(way @ axis)
    if abs(abs(rise) - 1) < SQUARE:  # parallel to the axis
        spoke = offset - axis * (axis @ offset)
        radius = float(np.linalg.norm(spoke))
        if radius == 0:
            return None
        face = RoundFace(triple(base), triple(axis), triple(spoke / radius), radius, radius, (0.0, 1.0))
        return Bearing(face, rise > 0)
    if (
        abs(rise) < SQUARE
    ):  # square to it: a plane, whose normal is against the axis where the line leads outwards
        spoke = offset - axis * (axis @ offset)
        middle = base + axis * (axis @ offset)
        first = across(axis)
        plane = PlaneFace(triple(middle), triple(first), triple(cross(axis, first)), _NOWHERE, _NOWHERE)
        return Bearing(plane, float(spoke @ way) < 0)
    outward = way - rise * axis
    outward = outward / np.linalg.norm(outward)
    if float(offset @ outward) < 0 or (float(offset @ outward) == 0 and float(way @ outward) < 0):
        outward = -outward
    if abs(float(cross(axis, outward) @ offset)) > SQUARE * max(1.0, float(np.linalg.norm(offset))):
        return None  # askew to the axis: a hyperboloid
    radius, slope = float(offset @ outward), float(way @ outward) / rise
    foot = triple(base + axis * (axis @ offset))
    return Bearing(
        RoundFace(foot, triple(axis), triple(outward), radius, radius + slope, (0.0, 1.0)), rise > 0
    )


def _revolved_circle(swept: Arc, base: Floats, axis: Floats) -> Bearing | None:
    """A torus; a circle about a point of the axis gives a sphere twice, with either normal, and is left to others."""
    offset = np.array(swept.centre) - base
    spoke = offset - axis * (axis @ offset)
    ring, tube = float(np.linalg.norm(spoke)), swept.radii[0]
    askew = abs(float(np.dot(swept.axis, axis))) > SQUARE
    aside = abs(float(np.dot(swept.axis, offset))) > SQUARE * max(1.0, float(np.linalg.norm(offset)))
    if not swept.is_circular or askew or aside or ring <= tube:
        return None
    as_ours = float(np.dot(cross(axis, spoke / ring), swept.axis)) < 0
    middle = base + axis * (axis @ offset)
    return Bearing(TorusFace(triple(middle), triple(axis), ring, tube), as_ours)


def _line_or_circle(record: Record, measures: Measures) -> Arc | tuple[Floats, Floats]:
    """The curve that is swept: a circle, or a line by a point and its direction."""
    curve = basis_curve(record.record(1))
    if "LINE" in curve.parts:
        given = curve.part("LINE")
        point = np.array(measures.point(given.record(1, "CARTESIAN_POINT")))
        return point, direction(given.record(2, "VECTOR").part("VECTOR").record(1, "DIRECTION"))
    if "CIRCLE" in curve.parts:
        return ellipse(curve, measures)
    if "ELLIPSE" in curve.parts or "POLYLINE" in curve.parts:
        _fail_unknown(record)
    free = free_curve(curve, measures)
    swept = chain(free.at, free.breaks)
    if isinstance(swept, Chain):
        _fail_unknown(record)
    if isinstance(swept, Arc):
        return swept
    start, end = np.array(swept.start), np.array(swept.end)
    return start, (end - start) / np.linalg.norm(end - start)


_READERS: Final = {
    "PLANE": _plane,
    "CYLINDRICAL_SURFACE": _cylinder,
    "CONICAL_SURFACE": _cone,
    "SPHERICAL_SURFACE": _sphere,
    "TOROIDAL_SURFACE": _torus,
    "DEGENERATE_TOROIDAL_SURFACE": _torus,
    "SURFACE_OF_LINEAR_EXTRUSION": _extruded,
    "SURFACE_OF_REVOLUTION": _revolved,
}
