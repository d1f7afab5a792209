"""Surfaces of splines that are planes, cylinders, spheres or cones in other words.

Some programs write every curved face as a rational spline. Points p and normals n of the surface tell what it is:
normals of a plane are all one; those of a cylinder are square to its axis, those of a cone at one angle to it; on a
sphere p - r n is the centre. Each of these is linear in what is sought.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from linkwork.solid.placement import Floats, cross, triple
from linkwork.solid.shell.distance import distances
from linkwork.solid.shell.vector import across
from linkwork.solid.step.axes import Measures
from linkwork.solid.step.curve import HIGHEST_DEGREE, knots_of, usual_knots
from linkwork.solid.step.record import Record
from linkwork.solid.step.spline import MOST_POINTS, basis
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace

SAME: Final = 1e-6
"""How far a surface may be from the simple one that it is taken for, in sizes of the surface."""
LOOKS: Final = 12
"""Rows and columns of points at which a surface is looked at."""
STEP: Final = 1e-5
"""Of the range of a parameter: by which normals are found."""
_NOWHERE: Final = (0.0, 0.0)
KINDS: Final = (
    "B_SPLINE_SURFACE",
    "B_SPLINE_SURFACE_WITH_KNOTS",
    "QUASI_UNIFORM_SURFACE",
    "UNIFORM_SURFACE",
    "BEZIER_SURFACE",
)
"""Surfaces of splines; the first one found has the points."""


class Samples(NamedTuple):
    """Points of a surface, its unit normals there, and its size."""

    points: Floats
    normals: Floats
    size: float


def recognised(record: Record, measures: Measures) -> tuple[Face, bool] | None:
    """The simple surface that one of splines is, and whether its normal is as ours; none for a free form."""
    samples = _samples(_reader(record, measures))
    if samples is None:
        return None
    for sought in (_plane, _cylinder, _sphere, _cone):
        face = sought(samples)
        if face is not None and np.abs(distances(face, samples.points)).max() <= SAME * samples.size:
            return face, _agrees(face, samples)
    return None


def _agrees(face: Face, samples: Samples) -> bool:
    """Whether the normals are those that we give such a surface."""
    lifted = distances(face, samples.points + 1e-3 * samples.size * samples.normals)
    return float(np.mean(lifted)) > 0


# --------------------------------------------------------------------------------------- points


def _reader(record: Record, measures: Measures) -> _Surface:
    """The surface as a function of u and v, and their knots."""
    general = next((kind for kind in KINDS if kind in record.parts), "")
    given = record.part(general)
    shift = 0 if len(record.parts) > 1 else 1  # behind the name
    degrees = given.whole(shift), given.whole(shift + 1)
    rows = [[measures.point(each) for each in row] for row in given.rows(shift + 2, "CARTESIAN_POINT")]
    shape = (len(rows), len(rows[0]) if rows else 0)
    regular = all(len(row) == shape[1] for row in rows) and shape[0] * shape[1] <= MOST_POINTS
    if not regular or any(
        not 1 <= degree <= min(HIGHEST_DEGREE, count - 1)
        for degree, count in zip(degrees, shape, strict=True)
    ):
        record.fail("this surface of splines cannot be", wanted="rows of points, more than its degrees")
    points, weights = np.array(rows), np.ones(shape)
    if "RATIONAL_B_SPLINE_SURFACE" in record.parts:
        weights = np.array(record.part("RATIONAL_B_SPLINE_SURFACE").number_rows(0))
    if weights.shape != shape or not np.all(weights > 0):
        record.fail("the weights of a surface make no sense", wanted="a positive weight for each point")
    u, v = (_knots(record, k, degrees[k], shape[k]) for k in (0, 1))
    return _Surface(degrees, u, v, np.concatenate([points * weights[..., None], weights[..., None]], axis=2))


def _knots(record: Record, which: int, degree: int, count: int) -> Floats:
    """The knots along u (0) or v (1)."""
    if "B_SPLINE_SURFACE_WITH_KNOTS" not in record.parts:
        bezier = any("BEZIER" in kind for kind in record.parts)
        return knots_of(record, *usual_knots(degree, count, bezier=bezier), degree, count)
    given = record.part("B_SPLINE_SURFACE_WITH_KNOTS")
    at = which if len(record.parts) > 1 else 8 + which
    return knots_of(record, given.numbers(at), given.numbers(at + 2), degree, count)


@dataclass(frozen=True, eq=False)
class _Surface:
    """Control points with their weights, and the knots along both parameters."""

    degrees: tuple[int, int]
    u_knots: Floats
    v_knots: Floats
    points: Floats
    """Of space times their weights, and the weights: (u, v, 4)."""

    def at(self, u: Floats, v: Floats) -> Floats:
        """The points over a grid of parameters: (u, v, 3)."""
        along, beside = (
            _all_basis(knots, degree, t)
            for knots, degree, t in zip((self.u_knots, self.v_knots), self.degrees, (u, v), strict=True)
        )
        sums = np.einsum("ai,bj,ijk->abk", along, beside, self.points)
        return np.asarray(sums[..., :3] / sums[..., 3:])

    def ranges(self) -> list[Floats]:
        """The parameters at which pieces meet, for u and v."""
        each = zip((self.u_knots, self.v_knots), self.degrees, strict=True)
        return [np.unique(knots[degree:-degree]) for knots, degree in each]


def _all_basis(knots: Floats, degree: int, t: Floats) -> Floats:
    """The basis functions of all control points at parameters."""
    span, values = basis(knots, degree, t)
    found = np.zeros((len(t), len(knots) - degree - 1))
    found[np.arange(len(t))[:, None], span[:, None] - degree + np.arange(degree + 1)] = values
    return found


def _samples(surface: _Surface) -> Samples | None:
    knots = surface.ranges()
    u, v = (_between(each) for each in knots)
    du, dv = (STEP * float(each[-1] - each[0]) for each in knots)
    points = surface.at(u, v)
    along = surface.at(u + du, v) - surface.at(u - du, v)
    beside = surface.at(u, v + dv) - surface.at(u, v - dv)
    normals = cross(along, beside).reshape(-1, 3)
    lengths = np.linalg.norm(normals, axis=1)
    clear = lengths > 1e-6 * lengths.max()  # not at a pole
    if not lengths.max() > 0 or clear.sum() < 9:
        return None
    flat = points.reshape(-1, 3)
    size = float(np.linalg.norm(np.ptp(flat, axis=0)))
    return Samples(flat[clear], normals[clear] / lengths[clear, None], size)


def _between(knots: Floats) -> Floats:
    """Parameters that avoid the knots and the ends."""
    places = (np.arange(LOOKS) + 0.4713) / LOOKS * (len(knots) - 1)
    return np.interp(places, np.arange(len(knots)), knots)


# ------------------------------------------------------------------------------------ simple ones


def _plane(samples: Samples) -> Face | None:
    normal = samples.normals.mean(axis=0)
    length = float(np.linalg.norm(normal))
    if length < 1 - SAME:
        return None
    middle = samples.points.mean(axis=0)
    normal = np.linalg.svd(samples.points - middle, full_matrices=False)[2][
        2
    ]  # from the points: no step is in them
    first = across(normal)
    return PlaneFace(triple(middle), triple(first), triple(cross(normal, first)), _NOWHERE, _NOWHERE)


def _cylinder(samples: Samples) -> Face | None:
    axis = np.linalg.svd(samples.normals, full_matrices=False)[2][2]
    first = across(axis)
    second = cross(axis, first)
    flat = samples.points @ np.column_stack([first, second])
    fitted = np.linalg.lstsq(
        np.column_stack([2 * flat, np.ones(len(flat))]), (flat**2).sum(axis=1), rcond=None
    )[0]
    square = float(fitted[2] + fitted[:2] @ fitted[:2])
    if not 0 < square < (1e6 * samples.size) ** 2:
        return None
    middle = fitted[0] * first + fitted[1] * second + axis * float(samples.points.mean(axis=0) @ axis)
    radius = float(np.sqrt(square))
    return RoundFace(triple(middle), triple(axis), triple(first), radius, radius, (0.0, 1.0))


def _sphere(samples: Samples) -> Face | None:
    """p - r n = c for all samples."""
    rows = np.concatenate(
        [np.tile(np.eye(3), (len(samples.points), 1)), samples.normals.reshape(-1, 1)], axis=1
    )
    *centre, radius = np.linalg.lstsq(rows, samples.points.ravel(), rcond=None)[0].tolist()
    return SphereFace(triple(centre), abs(radius)) if abs(radius) > 0 else None


def _cone(samples: Samples) -> Face | None:
    """n · a is one number; all tangent planes pass through the tip."""
    rows = np.column_stack([samples.normals, -np.ones(len(samples.normals))])
    *axis, rise = np.linalg.svd(rows, full_matrices=False)[2][3]
    length = float(np.linalg.norm(axis))
    if not length > 1e-6:
        return None
    along, sine = np.array(axis) / length, float(rise) / length
    tip = np.linalg.lstsq(
        samples.normals, np.einsum("ij,ij->i", samples.normals, samples.points), rcond=None
    )[0]
    if not 1e-6 < abs(sine) < 1 - 1e-6:
        return None
    if float((samples.points.mean(axis=0) - tip) @ along) < 0:
        along = -along
    slope = abs(sine) / float(np.sqrt(1 - sine**2))
    return RoundFace(triple(tip + along), triple(along), triple(across(along)), slope, 2 * slope, (0.0, 1.0))
