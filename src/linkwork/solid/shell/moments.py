"""Volume, centre and second moments of what faces enclose, from integrals along their edges.

1. By the theorem of Gauss, for a polynomial g of degree k that is the same in all scales,
   (k + 3) ∫ g dV = ∮ g (x · n) dA, since div(g x) = (k + 3) g.
2. In the coordinates u, v of a face, dA n = (du × dv). With F(u, v) = ∫ g (x · (du × dv)) dv from a line v = v0 on,
   the theorem of Green makes this -∮ F du along the edges, counter-clockwise.
3. Where the line v0 itself lies within the face (the pole of a sphere, a whole torus), the strip up to it is added.

Both integrals are sums over Gauss points: exact up to rounding for polynomials, and for the sines and cosines of arcs,
which are cut into pieces. What two numbers of points give differently is told as the error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, cross
from linkwork.solid.shell.chart import Chart, PlaneChart, RoundChart, TubeChart, chart_of
from linkwork.solid.shell.edge import Arc, Chain
from linkwork.solid.shell.patch import Patch
from linkwork.solid.shell.trim import is_on
from linkwork.solid.surface import TURN, PlaneFace, RoundFace
from linkwork.solid.values import SolidError

AREA: Final = 10
"""The place of the integral of 1 over the faces among all integrals."""
NODES: Final = 10
"""Gauss points of a piece of an edge."""
PIECE: Final = math.radians(45)
"""The largest angle of a piece of an arc."""
STRIPS: Final = {PlaneChart: (1, 3), RoundChart: (1, 3), TubeChart: (4, 8)}
"""Pieces and Gauss points across a face: as many as are exact."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Integrals over a volume: of 1, of x, and of the products x xᵀ, about the origin."""

    volume: float
    first: Floats
    second: Floats
    area: float
    """Of the faces."""
    error: float
    """Of the volume, estimated; not more than rounding where all edges and faces are given exactly."""

    @property
    def centre(self) -> Floats:
        """The centre of the volume."""
        centre: Floats = self.first / self.volume
        return centre

    @property
    def inertia(self) -> Floats:
        """The inertia about the centre, for a density of 1."""
        central = self.second - np.outer(self.first, self.first) / self.volume
        inertia: Floats = np.trace(central) * np.eye(3) - central
        return inertia


def signed_volume(patches: Iterable[Patch]) -> float:
    """The volume that faces enclose, negative where their normals point inwards."""
    patches = tuple(patches)
    middle = np.mean(patches[0].box, axis=0)
    return sum(
        _under_plane(patch, patch.surface, middle)
        if isinstance(patch.surface, PlaneFace)
        else float(_integrals(patch, chart_of(patch), middle, NODES - 4)[0])
        for patch in patches
    )


def _under_plane(patch: Patch, plane: PlaneFace, middle: Floats) -> float:
    """The volume of the pyramid from a point to a flat face: a third of the way to it times ½ ∮ r × dr.

    Loops turn to the left about the outer normal, and so does that vector. Along an arc c + x cos t + y sin t it is
    ½ (c × (r₂ - r₁) + (x × y) (t₂ - t₁)).
    """
    px, py, pz = (float(each) for each in np.array(plane.point) - middle)
    twice = 0.0
    for edge in patch.edges:
        corners = edge.points if isinstance(edge, Chain) else (edge.start, edge.end)
        for (a, b, c), (d, e, f) in pairwise(corners):
            if isinstance(edge, Arc):
                x, y, z = edge.centre
                d, e, f = d - a, e - b, f - c
                a, b, c = x, y, z
            twice += px * (b * f - c * e) + py * (c * d - a * f) + pz * (a * e - b * d)
        if isinstance(edge, Arc):
            x, y, z = cross(edge.x, edge.y).tolist()
            twice += (px * x + py * y + pz * z) * (edge.last - edge.first)
    return twice / 6


def moments(patches: Iterable[Patch]) -> Moments:
    """The moments of what faces enclose; the volume is negative where their normals point inwards."""
    patches = tuple(patches)
    boxes = np.array([patch.box for patch in patches])
    middle = (boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0)))
    fine, coarse, rough = np.zeros(11), np.zeros(11), 0.0
    for patch in patches:
        chart = chart_of(patch)
        found = _integrals(patch, chart, middle, NODES)
        fine += found
        coarse += _integrals(patch, chart, middle, NODES - 2)
        rough += patch.deviation * found[AREA]
        rough += size / 3 * sum(_roughness(edge) for edge in patch.edges if isinstance(edge, Chain))
    volume, first = fine[0], fine[1:4]
    xx, yy, zz, xy, yz, zx = fine[4:AREA]
    second = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
    shifted = second + np.outer(first, middle) + np.outer(middle, first) + volume * np.outer(middle, middle)
    error = abs(float(fine[0] - coarse[0])) + rough
    return Moments(float(volume), first + volume * middle, shifted, float(fine[AREA]), error)


def _roughness(chain: Chain) -> float:
    """The area by which a face may be too large or too small beside a chain of points."""
    return chain.deviation * float(np.linalg.norm(np.diff(chain.array, axis=0), axis=1).sum())


def _integrals(patch: Patch, chart: Chart, middle: Floats, nodes: int) -> Floats:
    """What a face adds to the integrals of 1, x, y, z, xx, yy, zz, xy, yz, zx about ``middle``; and its area."""
    points, ways = _nodes(patch, nodes)
    u, v = chart.uv(points)
    du, dv = chart.rates(points, ways)
    base, swaps = _base(patch, chart, u, v)
    if swaps:
        total = _strips(chart, middle, (u - base) % TURN, base, v, swaps=True).T @ dv
    else:
        height = (v - base) % TURN if isinstance(chart, TubeChart) and chart.pole is None else v - base
        total = -(_strips(chart, middle, height, base, u, swaps=False).T @ du)
    total = total * patch.side  # loops turn to the left about the outer normal, not about the surface's own
    whole = _whole(patch, chart, middle, base, swaps=swaps)
    return np.asarray((total + whole) * np.where(np.arange(11) == AREA, 1.0, patch.side) / _DIVISORS)


_DIVISORS: Final = np.array([3.0] + [4.0] * 3 + [5.0] * 6 + [1.0])


def _nodes(patch: Patch, nodes: int) -> tuple[Floats, Floats]:
    """Points along all edges, and the steps along them that their weights stand for."""
    places, weights = _gauss(nodes)
    points, ways = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for edge in patch.edges:
        cuts = edge.pieces(PIECE)
        widths = np.diff(cuts)
        shares = (cuts[:-1, None] + widths[:, None] * places).ravel()
        points.append(edge.at(shares))
        ways.append(edge.rates(shares) * np.outer(widths, weights).ravel()[:, None])
    return np.concatenate(points), np.concatenate(ways)


@cache
def _gauss(count: int) -> tuple[Floats, Floats]:
    """Points and weights on the interval from 0 to 1."""
    places, weights = np.polynomial.legendre.leggauss(count)
    return (places + 1) / 2, weights / 2


def _strips(
    chart: Chart, middle: Floats, reach: Floats, base: float, other: Floats, *, swaps: bool
) -> Floats:
    """The integrals across a face, from the base line to each point: a row for each."""
    pieces, count = (4, 8) if swaps else STRIPS[type(chart)]
    places, weights = _gauss(count)
    shares = ((np.arange(pieces)[:, None] + places) / pieces).ravel()
    across = base + np.outer(reach, shares)
    fixed = np.broadcast_to(other[:, None], across.shape)
    points, normals = chart.at(across, fixed) if swaps else chart.at(fixed, across)
    points = points - middle
    flow = np.einsum("...k,...k->...", points, normals)
    x, y, z = np.moveaxis(points, -1, 0)
    values = np.empty((11, *flow.shape))
    values[:AREA] = flow * np.stack([np.ones_like(x), x, y, z, x * x, y * y, z * z, x * y, y * z, z * x])
    values[AREA] = np.linalg.norm(normals, axis=-1)
    sums: Floats = np.einsum("kij,j->ik", values, np.tile(weights / pieces, pieces)) * reach[:, None]
    return sums


def _base(patch: Patch, chart: Chart, u: Floats, v: Floats) -> tuple[float, bool]:
    """Where strips begin: on a line that no edge crosses; and whether they run along u instead of v."""
    if isinstance(patch.surface, RoundFace):  # from the tip of a cone, if the face has it
        ends = zip((patch.surface.radius, patch.surface.far_radius), patch.surface.span, strict=True)
        return next((height for radius, height in ends if radius == 0), patch.surface.span[0]), False
    if not isinstance(chart, TubeChart):
        return float(v.mean()), False
    if chart.pole is not None:
        return -chart.pole, False
    if not len(u):
        return 0.0, False
    (v_gap, v_base), (u_gap, u_base) = _widest_gap(v), _widest_gap(u)
    if max(v_gap, u_gap) < 0.2:
        raise SolidError(
            "a face runs around a torus both ways",
            why="its integrals are not known",
            wanted="a face that leaves a ring of the torus free",
        )
    return (v_base, False) if v_gap >= u_gap else (u_base, True)


def _widest_gap(angles: Floats) -> tuple[float, float]:
    turned = np.sort(angles % TURN)
    gaps = np.diff(np.append(turned, turned[0] + TURN))
    widest = int(np.argmax(gaps))
    return float(gaps[widest]), float(turned[widest] + gaps[widest] / 2)


def _whole(patch: Patch, chart: Chart, middle: Floats, base: float, *, swaps: bool) -> Floats:
    """The integrals up to the end of the last strip, where that end lies within the face."""
    if not isinstance(chart, TubeChart):
        return np.zeros(11)
    reach = TURN if chart.pole is None else 2 * chart.pole
    end = (
        base + reach if chart.pole is None else base + reach * (1 - 1e-6)
    )  # at a pole itself there is no meridian
    probe = (np.array([base]), np.array([0.1])) if swaps else (np.array([0.1]), np.array([end]))
    if not is_on(patch, chart.at(*probe)[0])[0][0]:
        return np.zeros(11)
    around = np.linspace(0, TURN, 16, endpoint=False)
    rows = _strips(chart, middle, np.full(16, reach), base, around, swaps=swaps)
    total: Floats = rows.sum(axis=0) * TURN / 16
    return total
