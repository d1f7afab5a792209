"""Finds all solutions of a small square system of polynomials, hence every way to assemble a linkage.

Newton's method finds the assembly next to a guess; homotopy continuation finds them all, with
probability one. What happens, in order (Sommese and Wampler, The Numerical Solution of Systems of
Polynomials, 2005, chapters 7, 8 and 10):

1. The equations become polynomials F in few unknowns, split into one or two groups (``polynomial.py``).
2. Each group gets a homogeneous coordinate, so that solutions at infinity are points like any other.
   The start system G is a product of random linear forms, with the same degrees as F. The solutions of

       H(z, t) = γ t G(z) + (1 − t) F(z) = 0,    γ a random complex number of modulus one,

   are followed from t = 1 to 0 with Runge-Kutta steps, corrected by Newton's method, all at once.
3. Where a path ends in a singular point, z is a power series in t^(1/w). Its constant term is the mean of
   z over w turns around t = 0 (Cauchy's integral); w is known when the path closes.
4. The roots are told from the ends of the paths (``roots.py``). If a path was lost, or jumped to another,
   all is done again in smaller steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, Symbol
from linkwork.kinematics.polynomial import (
    Complex,
    Flags,
    NotIsolated,
    NotPolynomial,
    Polynomial,
    PolynomialSystem,
    Problem,
    Real,
    TooManyPaths,
    as_polynomials,
    degree_of,
    factors_of,
    products_of,
    scaled_system,
    smallest_problem,
    solutions_of,
    too_many,
)
from linkwork.kinematics.roots import HOLDS, Ends, Roots, sorted_out

__all__ = ["NotIsolated", "NotPolynomial", "Roots", "TooManyPaths", "polynomial_roots"]

TOLERANCES: Final = (1e-5, 1e-7, 1e-9)
"""What Newton may have to correct after a step, in each attempt. Larger: quicker, but paths may jump."""
SETTLED: Final = 1e-9
"""A second correction of Newton's method up to this ends it. Near a double root rounding errors are 1e-10."""
MOST_STEPS: Final = 3000
"""Steps of one stretch of a path."""
SHORTEST: Final = 1e-7
"""A path that needs a step shorter than this part of its stretch is given up."""
SHORTEST_AT_END: Final = 1e-4
"""The same on the last stretch: there a path that needs it ends in a singular point, and turns."""
SHORTEST_IN_TURN: Final = 1e-3
"""The same between corners of a turn: a path that needs it passes near another singular point."""
LAST_STRETCH: Final = 0.05
"""The t from which a path tries to reach 0 directly."""
LARGEST_TURN: Final = 1e-3
"""The t at which turns around 0 begin where it cannot. Larger: turns enclose other singular points."""
SMALLEST_TURN: Final = 1e-13
"""The t below which no turn is made: rounding errors of H are as large as t·G."""
MOST_WINDING: Final = 8
"""Turns after which a path has to close: the largest multiplicity w of a branch."""
CLOSED: Final = 1e-8
"""How near a path comes to where its turns began when it closes."""
SAME_MEAN: Final = 1e-7
"""How well the means of two radii agree when both are right; the second is some 10^8 times better."""
BLOCK: Final = 30_000
"""Multiplications in one product of matrices. Above 2^15 OpenBLAS shares it out among threads, which at our
sizes costs more than it saves (ten times as much on a busy machine)."""
CORNERS: Final = 8
"""Points per turn. The error of the mean is (t/T)^8, T being where the next singular point lies."""
REGULAR: Final = 1e-8
"""Smallest over largest singular value of the Jacobian of a regular root."""
AT_INFINITY: Final = 1e-7
"""A root whose homogeneous coordinate is below this, for unit length, is at infinity."""


def polynomial_roots(
    equations: Sequence[Expression], unknowns: Sequence[Symbol], *, most_paths: int = 4096, seed: int = 1
) -> Roots:
    """All solutions of ``equations`` = 0; the real ones with their values, in the order of the unknowns.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> polynomial_roots([x**2 + y**2 - 25, x - y - 1], [x, y]).real
    ((-3.0, -4.0), (4.0, 3.0))

    A line that touches the circle is met once, one that misses it nowhere:

    >>> polynomial_roots([x**2 + y**2 - 25, y - 5], [x, y])
    Roots(real=((0.0, 5.0),), complex_count=0, paths=2, at_infinity=0, lost=0)
    >>> polynomial_roots([x**2 + y**2 - 25, y - 6], [x, y])
    Roots(real=(), complex_count=2, paths=2, at_infinity=0, lost=0)
    """
    given = as_polynomials(equations, unknowns, most_paths)
    with np.errstate(all="ignore"):  # a path that fails may overflow; it is noticed by its NaN
        problem = smallest_problem(given)
        if problem is None:
            return Roots((), 0, 0, 0, 0)
        if problem.paths > most_paths:
            raise too_many(problem.paths, most_paths)
        system, units = scaled_system(given)
        found: list[Roots] = []
        for attempt, tolerance in enumerate(TOLERANCES):
            ends = _endpoints(problem, np.random.default_rng([seed, attempt]), tolerance)
            found.append(sorted_out(problem, ends, system, units))
            if not found[-1].lost:
                break
    return min(found, key=lambda roots: roots.lost)


# ------------------------------------------------------------------------- the homotopy and its start


@dataclass(frozen=True)
class _Homotopy:
    """H(z, t) = γ t G(z) + (1 − t) F(z) in groups of homogeneous coordinates; the first is 0 at infinity."""

    target: PolynomialSystem
    forms: Complex  # equation, factor → linear form of G
    filled: Real  # 1 where an equation of G has fewer factors
    gamma: complex
    groups: Real  # group, coordinate → 1 if the coordinate belongs to the group

    def __call__(self, z: Complex, t: Complex) -> tuple[Complex, Complex, Complex]:
        """H, its Jacobian and its derivative by t."""
        target, target_z = self.target(z)
        count, depth, _ = self.forms.shape
        linear = (z @ self.forms.reshape(count * depth, -1).T).reshape(-1, count, depth)
        start, others = products_of(linear + self.filled)
        start_z = np.matmul(others.transpose(1, 0, 2), self.forms).transpose(1, 0, 2)
        before, after = self.gamma * t[:, None], (1 - t)[:, None]
        value = before * start + after * target
        slope = before[:, :, None] * start_z + after[:, :, None] * target_z
        return value, slope, self.gamma * start - target

    @property
    def block(self) -> int:
        """How many points to evaluate at once."""
        largest = max(self.target.slopes[0].size, self.target.coefficients.size, self.forms.size)
        return int(np.clip(BLOCK // largest, 16, 256))

    def patch(self, z: Complex) -> Complex:
        """For each group the row that keeps steps orthogonal to the ray of z."""
        rows: Complex = z.conj()[:, None, :] * self.groups
        return rows

    def lengths(self, z: Complex) -> Real:
        """The length of each group of coordinates, at every coordinate of the group."""
        lengths: Real = np.sqrt(np.einsum("pv,gv,gw->pw", np.abs(z) ** 2, self.groups, self.groups))
        return lengths


def _homotopy(problem: Problem, random: np.random.Generator) -> tuple[_Homotopy, Complex]:
    """The homotopy of a problem, and the solutions at its start."""
    members = [np.flatnonzero(problem.first == side) for side in (True, False)]
    members = [unknowns for unknowns in members if len(unknowns)]
    place = np.zeros(len(problem.first), int)
    origins, total = [], 0
    for unknowns in members:
        origins.append(total)
        place[unknowns] = total + 1 + np.arange(len(unknowns))
        total += 1 + len(unknowns)
    groups = np.array([[float(a <= k < b) for k in range(total)] for a, b in pairwise([*origins, total])])
    degrees, homogeneous = [], []
    for polynomial in problem.equations:
        powers = np.array(list(polynomial))
        parts = np.array([powers[:, unknowns].sum(1) for unknowns in members])  # group, term
        degrees.append(parts.max(1))
        missing = parts.max(1)[:, None] - parts
        size = float(np.linalg.norm(list(polynomial.values())))
        homogeneous.append(
            {
                tuple(sorted((*place[factors_of(p)], *np.repeat(origins, missing[:, k])))): value / size
                for k, (p, value) in enumerate(polynomial.items())
            }
        )
    forms, filled = _start_system(np.array(degrees), groups, random)
    gamma = complex(np.exp(2j * np.pi * random.random()))
    homotopy = _Homotopy(PolynomialSystem.of(homogeneous, total), forms, filled, gamma, groups)
    return homotopy, _start_points(np.array(degrees), forms, groups, random)


def _gaussian(random: np.random.Generator, *shape: int) -> Complex:
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def _start_system(
    degrees: NDArray[np.intp], groups: Real, random: np.random.Generator
) -> tuple[Complex, Real]:
    """For each equation as many linear forms in each group as its degree there, random ones.

    With one group, z_i − ω^j z_0 in coordinates turned at random, so that the start is well conditioned.
    """
    depth, count = int(degrees.sum(1).max()), groups.shape[1]
    turned = np.linalg.qr(_gaussian(random, count, count))[0]
    forms = np.zeros((len(degrees), depth, count), complex)
    for place, wanted in enumerate(degrees):
        for factor, group in enumerate(np.repeat(np.arange(len(groups)), wanted)):
            form = _gaussian(random, count) * groups[group]
            if len(groups) == 1:
                form = turned[place + 1] - np.exp(2j * np.pi * factor / wanted[0]) * turned[0]
            forms[place, factor] = form / np.linalg.norm(form)
    return forms, (np.arange(depth) >= degrees.sum(1)[:, None]).astype(float)


def _start_points(
    degrees: NDArray[np.intp], forms: Complex, groups: Real, random: np.random.Generator
) -> Complex:
    """One factor of every equation vanishes, in each group as many as it has unknowns: linear systems."""
    choices: list[tuple[int, ...]] = []
    every = range(len(degrees))
    for chosen in combinations(every, int(groups[0].sum()) - 1):
        group = [0 if k in chosen else 1 for k in every]
        if len(groups) == 1:
            group = [0 for _ in every]
        begins = [int(degrees[k, : group[k]].sum()) for k in every]
        choices += product(*(range(begins[k], begins[k] + int(degrees[k, group[k]])) for k in every))
    patch = _gaussian(random, *groups.shape) * groups
    rows = forms[np.arange(len(degrees)), np.array(choices)]
    matrices = np.concatenate([rows, np.broadcast_to(patch, (len(rows), *patch.shape))], axis=1)
    wanted = np.zeros(matrices.shape[:2], complex)
    wanted[:, len(degrees) :] = 1
    return solutions_of(matrices, wanted)


# ------------------------------------------------------------------------------------ following paths


def _followed(
    homotopy: _Homotopy, z: Complex, start: complex, end: complex, tolerance: float, shortest: float
) -> tuple[Complex, Flags]:
    """Follow z(t) along a straight stretch of t; where each path is, and which arrived.

    After a Runge-Kutta step of order 4 Newton's first correction is the error of the step, ~ h⁵.
    """
    z = z / homotopy.lengths(z)
    done, step = np.zeros(len(z)), np.full(len(z), 0.1)
    for _ in range(MOST_STEPS):
        live = np.flatnonzero((done < 1) & (step >= shortest))
        if not len(live):
            break
        left = 1 - done[live]
        h = np.minimum(step[live], left)
        t, dt = start + (end - start) * done[live], (end - start) * h
        ahead, error, settled = _all_stepped(homotopy, z[live], t.astype(complex), dt.astype(complex))
        good = settled & (error <= tolerance)
        z[live[good]] = (ahead / homotopy.lengths(ahead))[good]
        done[live[good]] = np.where(h >= left, 1.0, done[live] + h)[good]
        factor = np.nan_to_num(np.clip(0.9 * (tolerance / (4 * error + 1e-300)) ** 0.2, 0.2, 3.0), nan=0.2)
        step[live] = h * np.where(good, factor, np.minimum(factor, 0.5))
    return z, done >= 1


def _all_stepped(homotopy: _Homotopy, z: Complex, t: Complex, dt: Complex) -> tuple[Complex, Real, Flags]:
    """:func:`_stepped` in blocks that fit into fast memory."""
    size = homotopy.block
    blocks = [slice(k, k + size) for k in range(0, len(z), size)]
    points, errors, settled = zip(*(_stepped(homotopy, z[b], t[b], dt[b]) for b in blocks), strict=True)
    return np.concatenate(points), np.concatenate(errors), np.concatenate(settled)


def _stepped(homotopy: _Homotopy, z: Complex, t: Complex, dt: Complex) -> tuple[Complex, Real, Flags]:
    """One step of each path: the point, the first correction, and whether Newton's method converged.

    H says nothing on the scale of a group of coordinates; conj(z)·dz = 0 does.
    """
    patch = homotopy.patch(z)

    def slope(at: Complex, when: Complex) -> Complex:
        _, by_z, by_t = homotopy(at, when)
        return _increment(by_z, -by_t * dt[:, None], patch)

    first = slope(z, t)
    second = slope(z + first / 2, t + dt / 2)
    third = slope(z + second / 2, t + dt / 2)
    fourth = slope(z + third, t + dt)
    ahead = z + (first + 2 * second + 2 * third + fourth) / 6
    ahead, one, two = _corrected(homotopy, ahead, t + dt, patch)
    return ahead, one, two <= SETTLED


def _corrected(homotopy: _Homotopy, z: Complex, t: Complex, patch: Complex) -> tuple[Complex, Real, Real]:
    """Two steps of Newton's method, and their lengths."""
    sizes = []
    for _ in range(2):
        value, by_z, _ = homotopy(z, t)
        change = _increment(by_z, -value, patch)
        z = z + change
        sizes.append(np.linalg.norm(change, axis=1))
    return z, sizes[0], sizes[1]


def _increment(by_z: Complex, wanted: Complex, patch: Complex) -> Complex:
    none = np.zeros((len(wanted), patch.shape[1]))
    return solutions_of(np.concatenate([by_z, patch], axis=1), np.concatenate([wanted, none], axis=1))


# ---------------------------------------------------------------------------------- the ends of paths


def _endpoints(problem: Problem, random: np.random.Generator, tolerance: float) -> Ends:
    """The ends of all paths of a problem; a polynomial in one unknown with simple roots needs no path."""
    if not problem.equations:
        return Ends(np.zeros((1, 0), complex), np.zeros(1, bool), 0, 0)
    if len(problem.equations) == 1:
        roots = _univariate(problem.equations[0])
        if len(roots) <= 2 or _nearest(roots) > 1e-3:
            return Ends(roots[:, None], np.zeros(len(roots), bool), 0, 0)
    homotopy, z = _homotopy(problem, random)
    z, alive = _followed(homotopy, z, 1.0, LAST_STRETCH, tolerance, SHORTEST)
    z = z[alive]
    ends, regular = _finished(homotopy, z, tolerance)
    ends[~regular], winding = _turned(homotopy, z[~regular], tolerance)
    arrived, singular = regular.copy(), np.zeros(len(z), bool)
    arrived[~regular] = winding > 0
    singular[~regular] = (winding > 1) | ((winding == 1) & ~_is_regular(homotopy, ends[~regular]))
    ends, singular = ends[arrived], singular[arrived]
    y, finite = _affine_points(homotopy, problem, ends / homotopy.lengths(ends))
    return Ends(y, singular[finite], int((~finite).sum()), problem.paths - len(ends))


def _affine_points(homotopy: _Homotopy, problem: Problem, z: Complex) -> tuple[Complex, Flags]:
    """The unknowns y of points that are not at infinity, and which are not."""
    finite = np.abs(z[:, homotopy.groups.argmax(1)]).min(1) > AT_INFINITY
    y = np.zeros((int(finite.sum()), len(problem.first)), complex)
    for members, unknowns in zip(homotopy.groups, (problem.first, ~problem.first), strict=False):
        part = z[finite][:, members > 0]
        y[:, unknowns] = part[:, 1:] / part[:, :1]
    return y, finite


def _univariate(polynomial: Polynomial) -> Complex:
    coefficients = [polynomial.get((k,), 0.0) for k in range(degree_of(polynomial), -1, -1)]
    return np.roots(coefficients).astype(complex)


def _nearest(roots: Complex) -> float:
    apart = np.abs(roots[:, None] - roots) / (1 + np.abs(roots))
    return float((apart + np.diag(np.full(len(roots), np.inf))).min())


def _finished(homotopy: _Homotopy, z: Complex, tolerance: float) -> tuple[Complex, Flags]:
    """Straight to t = 0; the ends, and which of them are regular roots."""
    ends, arrived = _followed(homotopy, z, LAST_STRETCH, 0.0, tolerance, SHORTEST_AT_END)
    ends, _, size = _corrected(homotopy, ends, np.zeros(len(z), complex), homotopy.patch(ends))
    return ends, arrived & (size <= SETTLED) & _is_regular(homotopy, ends)


def _is_regular(homotopy: _Homotopy, z: Complex) -> Flags:
    """At which points the Jacobian at t = 0 is far from singular."""
    good = np.flatnonzero(np.isfinite(z).all(1))
    unit = z[good] / homotopy.lengths(z[good])
    rows = np.concatenate([homotopy.target(unit)[1], homotopy.patch(unit)], axis=1)
    values = np.linalg.svd(rows, compute_uv=False)
    regular = np.zeros(len(z), bool)
    regular[good] = values[:, -1] > REGULAR * values[:, 0]
    return regular


def _turned(homotopy: _Homotopy, z: Complex, tolerance: float) -> tuple[Complex, NDArray[np.intp]]:
    """The ends of paths by turns of smaller and smaller radius, and after how many turns each closed, or 0.

    A mean counts if the equations hold there and the next smaller turn gives it again. A turn around
    two regular roots close together gives their mean too, where the equations do not hold.
    """
    patch: Complex = z.conj() / homotopy.lengths(z)
    ends, winding = np.full_like(z, np.nan), np.zeros(len(z), int)
    radius, smaller = LAST_STRETCH, LARGEST_TURN
    live = np.arange(len(z))
    while smaller > SMALLEST_TURN and len(live):
        z, arrived = _followed(homotopy, z, radius, smaller, tolerance, SHORTEST)
        z, live, radius, smaller = z[arrived], live[arrived], smaller, smaller / 10
        mean, turns = _mean_of_turns(homotopy, z, patch[live], radius, tolerance)
        again = np.linalg.norm(mean - ends[live], axis=1) <= SAME_MEAN * np.linalg.norm(mean, axis=1)
        values, _ = homotopy.target(mean / homotopy.lengths(mean))
        found = again & (np.linalg.norm(values, axis=1) <= HOLDS)
        ends[live] = mean
        winding[live[found]] = turns[found]
        z, live = z[~found], live[~found]
    return ends, winding


def _mean_of_turns(
    homotopy: _Homotopy, z: Complex, patch: Complex, radius: float, tolerance: float
) -> tuple[Complex, NDArray[np.intp]]:
    """The mean of z over as many turns of t around 0 as it takes to close, NaN if it does not; the turns."""

    def on_patch(at: Complex, which: NDArray[np.intp]) -> Complex:
        scale: Complex = np.einsum("pv,gv,gw->pw", at * patch[which], homotopy.groups, homotopy.groups)
        return at / scale

    corners = radius * np.exp(2j * np.pi * np.arange(CORNERS + 1) / CORNERS)
    live, at = np.arange(len(z)), z
    begin, total = on_patch(z, live), np.zeros_like(z)
    mean, turns = np.full_like(z, np.nan), np.zeros(len(z), int)
    for turn in range(1, MOST_WINDING + 1):
        for start, end in pairwise(corners):
            at, arrived = _followed(homotopy, at, start, end, tolerance, SHORTEST_IN_TURN)
            live, at = live[arrived], at[arrived]
            total[live] += on_patch(at, live)
        back = np.linalg.norm(on_patch(at, live) - begin[live], axis=1)
        home = back <= CLOSED * np.linalg.norm(begin[live], axis=1)
        turns[live[home]] = turn
        mean[live[home]] = total[live[home]] / (turn * CORNERS)
        live, at = live[~home], at[~home]
        if not len(live):
            break
    return mean, turns
