"""Points, directions and placements of a STEP file, in the unit of the result."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from linkwork.solid.placement import X_AXIS, Y_AXIS, Floats, Placement, Triple, cross, triple
from linkwork.solid.shell.vector import across
from linkwork.solid.step.record import Record
from linkwork.solid.step.unit import Unit, Units

SHORTEST, FARTHEST = 1e-9, 1e9
"""Lengths and coordinates that parts may have, in the unit of the result."""
_OPERATOR = "CARTESIAN_TRANSFORMATION_OPERATOR_3D"


class Measures:
    """How the numbers of one representation become those of the result."""

    def __init__(self, units: Units, wanted: Unit) -> None:
        self.units = units
        self._wanted = wanted
        self._points: dict[int, Triple] = {}

    @cached_property
    def scale(self) -> float:
        """The factor of lengths; exactly 1 where the units are the same."""
        if math.isclose(self.units.length.size, self._wanted.size, rel_tol=1e-12):
            return 1.0
        factor = self.units.length.size / self._wanted.size
        return (
            round(factor) if factor > 0.5 and math.isclose(factor, round(factor), rel_tol=1e-12) else factor
        )

    @property
    def uncertainty(self) -> float:
        """How exact lengths are, in the unit of the result."""
        return self.units.uncertainty * self.scale

    def length(self, record: Record, place: int) -> float:
        """A length, which must be positive."""
        found = record.number_at(place) * self.scale
        if not SHORTEST < found < FARTHEST:
            record.fail(
                f"argument {place + 1} of {record.kind} is no length of a part", wanted="a positive number"
            )
        return found

    def angle(self, record: Record, place: int) -> float:
        """An angle in radians."""
        return record.number_at(place) * self.units.angle.size

    def point(self, record: Record) -> Triple:
        """The place of a CARTESIAN_POINT."""
        known = self._points.get(record.number)
        if known is None:
            given = record.part("CARTESIAN_POINT")
            x, y, z = _three(given, given.numbers(1))
            if max(abs(x), abs(y), abs(z)) * self.scale > FARTHEST:
                given.fail("a point is too far away", wanted=f"coordinates up to {FARTHEST:g}")
            known = self._points[record.number] = triple((x * self.scale, y * self.scale, z * self.scale))
        return known

    def placement(self, record: Record) -> Placement:
        """Where an AXIS2_PLACEMENT_3D stands; its third axis leads."""
        given = record.part("AXIS2_PLACEMENT_3D")
        origin = self.point(given.record(1, "CARTESIAN_POINT"))
        axis, reference = given.optional(2, "DIRECTION"), given.optional(3, "DIRECTION")
        z = direction(axis) if axis else np.array([0.0, 0.0, 1.0])
        x = direction(reference) if reference else np.array([1.0, 0.0, 0.0])
        return _frame(z, x, origin)

    def axis(self, record: Record) -> tuple[Floats, Floats]:
        """The point and the direction of an AXIS1_PLACEMENT."""
        given = record.part("AXIS1_PLACEMENT")
        axis = given.optional(2, "DIRECTION")
        point = np.array(self.point(given.record(1, "CARTESIAN_POINT")))
        return point, direction(axis) if axis else np.array([0.0, 0.0, 1.0])

    def transformation(self, record: Record) -> Placement:
        """A placement, or a transformation operator, which may have a scale and mirror."""
        if "AXIS2_PLACEMENT_3D" in record.parts:
            return self.placement(record)
        if _OPERATOR not in record.parts:
            record.fail("this places nothing", got=record.kind, wanted=f"AXIS2_PLACEMENT_3D or {_OPERATOR}")
        return self._operator(_told_operator(record))

    def _operator(self, given: Record) -> Placement:
        """axis 1, axis 2, origin, scale, axis 3; only the origin must be there.

        OCCT writes mirrored parts with a scale below 0, which the standard does not have: it turns all axes round.
        """
        axes = [given.optional(place, "DIRECTION") for place in (0, 1, 4)]
        x, y, z = (None if axis is None else direction(axis) for axis in axes)
        origin = self.point(given.record(2, "CARTESIAN_POINT"))
        factor = _scale(given)
        third = z if z is not None else cross(_or(x, X_AXIS), _or(y, Y_AXIS))
        if not np.linalg.norm(third) > 1e-9:
            given.fail("two axes are the same", wanted="axes square to each other")
        frame = _frame(third / np.linalg.norm(third), _or(x, X_AXIS), origin)
        second = frame.matrix[:, 1]
        if y is not None and second @ y < 0:
            second = -second
        columns = np.column_stack([frame.matrix[:, 0], second, frame.matrix[:, 2]])
        return Placement.of(factor * columns, origin)


def scale_of(record: Record) -> float:
    """The scale of a transformation operator, as it is written; that of a placement is 1."""
    return _scale(_told_operator(record)) if _OPERATOR in record.parts else 1.0


def _told_operator(record: Record) -> Record:
    """An operator with its arguments in one list, also where it is several kinds at once."""
    general = record.parts.get("CARTESIAN_TRANSFORMATION_OPERATOR", ())
    values = (*general[-4:], *record.parts[_OPERATOR][-1 if general else -5 :])
    return record.told(_OPERATOR, values)


def _scale(given: Record) -> float:
    scale = given.value(3)
    factor = scale if isinstance(scale, float) else 1.0
    if not SHORTEST < abs(factor) < FARTHEST:
        given.fail("a scale is 0 or beyond measure", wanted="a number such as 1.0")
    return factor


def direction(record: Record) -> Floats:
    """The unit vector of a DIRECTION."""
    given = record.part("DIRECTION")
    x, y, z = _three(given, given.numbers(1))
    largest = max(abs(x), abs(y), abs(z))
    if not largest > 0:
        record.fail("this direction has no length", wanted="three numbers that are not all 0")
    x, y, z = x / largest, y / largest, z / largest
    length = math.sqrt(x * x + y * y + z * z)
    return np.array((x / length, y / length, z / length))


def _three(record: Record, numbers: list[float]) -> list[float]:
    if not 1 <= len(numbers) <= 3:
        record.fail(f"{record.kind} has {len(numbers)} coordinates", wanted="3 coordinates")
    return numbers + [0.0] * (3 - len(numbers))


def _frame(z: Floats, x: Floats, origin: Triple) -> Placement:
    (a, b, c), (p, q, r) = z.tolist(), x.tolist()
    along = a * p + b * q + c * r
    u, v, w = p - a * along, q - b * along, r - c * along
    length = math.sqrt(u * u + v * v + w * w)
    first = (u / length, v / length, w / length) if length > 1e-9 else triple(across(z))
    return Placement((triple(first), triple(cross(z, first)), triple((a, b, c))), triple(origin))


def _or(axis: Floats | None, otherwise: Triple) -> Floats:
    return np.array(otherwise, dtype=float) if axis is None else axis
