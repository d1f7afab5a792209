"""Tells the roots of a polynomial system from the ends of paths: each root once, and to full precision.

Ends are polished in the equations as given. Two paths in one regular root, or a root without its complex
conjugate, betray a path that jumped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.kinematics.polynomial import Complex, Flags, PolynomialSystem, Problem, Real, solutions_of

HOLDS: Final = 1e-12
"""An equation holds if its value is below this, its coefficients and coordinates being of length one."""
WELL_APART: Final = 1e-4
"""Smallest singular value of the Jacobian, each row beside the size of its terms, of a root that has no
other nearby: where two paths end in it, one has jumped."""
CLOSE: Final = 1e-6
"""Roots nearer than this, relative to 1 + their size in scaled unknowns, are one. A dead point given with
rounding errors is two roots about 1e-8 apart."""


@dataclass(frozen=True)
class Roots:
    """The solutions of a polynomial system, and what became of every path.

    Paths end in real solutions, complex ones, at infinity, or are lost; in a multiple solution several end.
    ``lost`` counts paths that failed or ended where solutions are not isolated; 0 means that no
    isolated solution is missing, with probability one.
    """

    real: tuple[tuple[float, ...], ...]
    complex_count: int
    paths: int
    at_infinity: int
    lost: int


@dataclass(frozen=True)
class Ends:
    """Where the paths went: y, and what kind of point it is."""

    y: Complex  # of finite ends
    singular: Flags  # of finite ends
    at_infinity: int
    failed: int


def sorted_out(problem: Problem, ends: Ends, system: PolynomialSystem, units: Real) -> Roots:
    """Real and complex roots, each once, from the ends of the paths."""
    points = (ends.y @ problem.matrix.T + problem.offset) / units
    polished = _polished(system, points)
    near = np.linalg.norm(polished - points, axis=1) <= 1e-3 * (1 + np.linalg.norm(points, axis=1))
    points = np.where((~ends.singular & near)[:, None], polished, points)
    real: list[Real] = []
    others: list[Complex] = []
    lost = ends.failed
    for members in _clusters(points):
        centre = points[members].mean(0)
        regular = _conditioned(system, centre) > WELL_APART
        if len(members) > 1 and regular:
            lost += len(members) - 1  # a path jumped
        if len(members) == 1 and ends.singular[members].any() and not regular:
            lost += 1  # an isolated singular root ends several paths
        elif np.linalg.norm(centre.imag) > CLOSE * (1 + np.linalg.norm(centre)):
            others.append(centre)
        else:
            root = _real_root(system, centre.real, single=len(members) == 1 or regular)
            if root is None:
                lost += len(members)
            else:
                real.append(root)
    lost += _without_conjugate(others)
    real.sort(key=lambda root: ([round(value, 9) for value in root], list(root)))
    values = tuple(tuple(map(float, root * units + 0.0)) for root in real)  # + 0.0: no negative zeros
    return Roots(values, len(others), problem.paths, ends.at_infinity, lost)


def _polished(system: PolynomialSystem, points: Complex) -> Complex:
    for _ in range(4):
        value, slope = system(points)
        points = points - solutions_of(slope, value)
    return points


def _clusters(points: Complex) -> Iterator[NDArray[np.intp]]:
    """The places of points that are one up to ``CLOSE``."""
    rest = np.arange(len(points))
    while len(rest):
        centre = points[rest[0]]
        near = np.linalg.norm(points[rest] - centre, axis=1) <= CLOSE * (1 + np.linalg.norm(centre))
        near[0] = True
        yield rest[near]
        rest = rest[~near]


def _conditioned(system: PolynomialSystem, point: Complex) -> float:
    """The smallest singular value of the Jacobian, each row beside the size of its terms."""
    jacobian = system(point[None])[1][0]
    sizes = _sizes(system, np.abs(point))
    return float(np.linalg.svd(jacobian / sizes[:, None], compute_uv=False).min(initial=1.0))


def _sizes(system: PolynomialSystem, x: Real) -> Real:
    """The size of each equation's terms at a point, or at 1 where an unknown is smaller."""
    padded = np.append(np.maximum(np.abs(x), 1.0), 1.0)
    sizes: Real = padded[system.slots].prod(1) @ np.abs(system.coefficients)
    return sizes


def _without_conjugate(roots: Sequence[Complex]) -> int:
    """How many roots lack their complex conjugate, which the equations, being real, must have."""
    points = np.array(roots)
    return sum(
        bool(np.linalg.norm(points - root.conj(), axis=1).min() > 2 * CLOSE * (1 + np.linalg.norm(root)))
        for root in roots
    )


def _real_root(system: PolynomialSystem, near: Real, *, single: bool) -> Real | None:
    """The real root next to a point; the point itself if it is a root that cannot be polished, else None."""
    x = _polished(system, near[None].astype(complex))[0].real if single else _double_root(system, near)
    if np.linalg.norm(x - near) <= 1e-4 * (1 + np.linalg.norm(near)) and _residual(system, x) <= HOLDS:
        return x
    return near if _residual(system, near) <= 100 * HOLDS else None


def _residual(system: PolynomialSystem, x: Real) -> float:
    """The largest value of an equation beside the size of its terms."""
    values = np.abs(system(x[None].astype(complex))[0][0])
    return float((values / _sizes(system, x)).max(initial=0.0))


def _double_root(system: PolynomialSystem, x: Real) -> Real:
    """A double root by Gauss and Newton on F(x) = 0, F_x(x)·v = 0, n·v = 1, whose root (x, v) is simple.

    Leykin, Verschelde and Zhao, Theor. Comput. Sci. 359, 2006. The derivative of F_x·v is taken by an
    imaginary step, exact for real polynomials.
    """
    count, step = len(x), 1e-30
    normal = np.linalg.svd(system(x[None].astype(complex))[1][0].real)[2][-1]
    v = normal
    for _ in range(8):
        value, jacobian = (part[0].real for part in system(x[None].astype(complex)))
        curvature = (system(x + 1j * step * np.eye(count))[1] @ v).imag.T / step
        none = np.zeros((count, count))
        matrix = np.block([[jacobian, none], [curvature, jacobian], [np.zeros((1, count)), normal[None]]])
        if not np.isfinite(matrix).all():
            break
        change = np.linalg.lstsq(matrix, -np.concatenate([value, jacobian @ v, [normal @ v - 1]]), rcond=1e-9)
        x, v = x + change[0][:count], v + change[0][count:]
    return x
