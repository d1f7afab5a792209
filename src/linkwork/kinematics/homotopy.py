"""Finds all solutions of a small square system of polynomials, hence every way to assemble a linkage.

Newton's method finds the assembly next to a guess; homotopy continuation finds them all, with
probability one. What happens, in order (Sommese and Wampler, The Numerical Solution of Systems of
Polynomials, 2005, chapters 7, 8 and 10; Wampler, Mech. Mach. Theory 34, 1999, for step 1):

1. A pair with a² + b² in an equation (a cosine and its sine) becomes u = a + ib, v = a − ib. The loop
   equations of a linkage then fall into one half in the u alone and one in the v, and a² + b² is u·v.
2. Linear equations are eliminated. Where leading forms are linearly dependent, a combination of the
   equations has a lower degree and takes the place of one of them; this repeats while it helps.
3. The unknowns y are split into two groups with the smallest Bézout number, the coefficient of
   α^|1| β^|2| in Π_i (d_i1 α + d_i2 β), d_ig the degree of equation i in group g. A four-bar leaves one
   quadratic, a platform on three legs six paths, exactly as many as it has assemblies.
4. Each group gets a homogeneous coordinate, so that solutions at infinity are points like any other.
   The start system G is a product of random linear forms, with the same degrees as F. The solutions of

       H(z, t) = γ t G(z) + (1 − t) F(z) = 0,    γ a random complex number of modulus one,

   are followed from t = 1 to 0 with Runge-Kutta steps, corrected by Newton's method, all at once.
5. Where a path ends in a singular point, z is a power series in t^(1/w). Its constant term is the mean of
   z over w turns around t = 0 (Cauchy's integral); w is known when the path closes.
6. Endpoints are polished in the equations as given. Two paths in one regular root, or a root without
   its complex conjugate, betray a path that jumped: then all is done again in smaller steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, Number, Symbol, nodes_in_order
from linkwork.algebra.expression import ADD, DIV, MUL, POW, as_expressions, as_symbols, whole_exponent
from linkwork.algebra.numeric import NUMERIC
from linkwork.errors import LinkworkError, NoAnswer, UnknownName, UsageError

Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, complex]
Complex: TypeAlias = NDArray[np.complex128]
Real: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

ROUNDING: Final = 1e-12
"""A sum this small beside the sizes of its terms is zero. Too small: cancelled terms live on as noise."""
NOISE: Final = 1e-14
"""A coefficient this small beside the largest of its scaled equation is a rounding error, cos(π/2) say."""
NEGLIGIBLE: Final = 1e-11
"""A coefficient this small beside the largest in its scaled linear equation cannot be a pivot."""
MOST_TERMS: Final = 5_000
"""Terms of one polynomial; a product that grows beyond is a mistake or out of reach."""
MOST_SPLIT: Final = 12
"""Up to so many unknowns every split into two groups is tried, 2^11 of them."""
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
HOLDS: Final = 1e-12
"""An equation holds if its value is below this, its coefficients and coordinates being of length one."""
BLOCK: Final = 30_000
"""Multiplications in one product of matrices. Above 2^15 OpenBLAS shares it out among threads, which at our
sizes costs more than it saves (ten times as much on a busy machine)."""
CORNERS: Final = 8
"""Points per turn. The error of the mean is (t/T)^8, T being where the next singular point lies."""
REGULAR: Final = 1e-8
"""Smallest over largest singular value of the Jacobian of a regular root."""
WELL_APART: Final = 1e-4
"""The same for a root that has no other nearby: where two paths end in it, one has jumped."""
AT_INFINITY: Final = 1e-7
"""A root whose homogeneous coordinate is below this, for unit length, is at infinity."""
CLOSE: Final = 1e-6
"""Roots nearer than this, relative to 1 + their size in scaled unknowns, are one. A dead point given with
rounding errors is two roots about 1e-8 apart."""


class NotPolynomial(LinkworkError):
    """An equation that is not a polynomial in the unknowns."""


class TooManyPaths(NoAnswer):
    """More solutions may exist than the caller is willing to look for."""


class NotIsolated(NoAnswer):
    """Equations that depend on one another: solutions, if there are any, form curves or surfaces."""


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
    given = _polynomials(equations, unknowns, most_paths)
    with np.errstate(all="ignore"):  # a path that fails may overflow; it is noticed by its NaN
        problem = _smallest_problem(given)
        if problem is None:
            return Roots((), 0, 0, 0, 0)
        if problem.paths > most_paths:
            raise _too_many(problem.paths, most_paths)
        system, units = _judge(given)
        found: list[Roots] = []
        for attempt, tolerance in enumerate(TOLERANCES):
            ends = _endpoints(problem, np.random.default_rng([seed, attempt]), tolerance)
            found.append(_sorted_out(problem, ends, system, units))
            if not found[-1].lost:
                break
    return min(found, key=lambda roots: roots.lost)


# ------------------------------------------------------------------------- expressions to polynomials


def _polynomials(
    equations: Sequence[Expression], unknowns: Sequence[Symbol], most_paths: int
) -> list[Polynomial]:
    """Each equation as a polynomial: exponents of the unknowns to coefficient."""
    roots = as_expressions(equations, "polynomial_roots")
    names = as_symbols(unknowns, "polynomial_roots")
    for name in names:
        if not isinstance(name, Symbol):
            raise UsageError("an unknown is a symbol", got=str(name), wanted='symbol("x")')
    if len(roots) != len(names) or len(set(names)) != len(names):
        raise UsageError(
            "only a square system has isolated solutions",
            got=f"{len(roots)} equations for {len(set(names))} different unknowns",
            wanted="as many equations as unknowns, each unknown named once",
        )
    count = len(names)
    known: dict[Expression, Polynomial] = {leaf: {_unit(count, k): 1.0} for k, leaf in enumerate(names)}
    for place, root in enumerate(roots):
        for node in nodes_in_order([root]):
            if node not in known:
                known[node] = _of_node(node, known, count, f"equation {place} (counted from 0)")
                if _degree(known[node]) > most_paths:
                    raise _too_many(_degree(known[node]), most_paths)
    return [known[root] for root in roots]


def _of_node(node: Expression, known: dict[Expression, Polynomial], count: int, where: str) -> Polynomial:
    """The polynomial of a node whose arguments' polynomials are known."""
    origin = (0,) * count
    parts = [known[argument] for argument in node.arguments]
    if isinstance(node, Symbol):
        raise UnknownName(
            f"'{node.name}' in {where} is neither unknown nor known",
            wanted="numbers for everything but the unknowns",
            fix=f"substitute(equations, {{symbol('{node.name}'): 1.0}}), or add it to the unknowns",
        )
    if isinstance(node, Number):
        return _summed([(origin, float(node.value))])
    if all(_degree(part) == 0 for part in parts):
        constants = [part.get(origin, 0.0).real for part in parts]
        value = NUMERIC[node.operation](*constants) if parts else math.pi
        if math.isfinite(value):
            return _summed([(origin, value)])
        raise _not_polynomial(node, where, f"its value is {value}")
    if node.operation == ADD:
        return _summed(term for part in parts for term in part.items())
    if node.operation == MUL:
        return _product(parts[0], parts[1])
    if node.operation == DIV and _degree(parts[1]) == 0 and parts[1]:
        return {powers: value / parts[1][origin] for powers, value in parts[0].items()}
    if node.operation == POW and whole_exponent(node) > 0:
        power = {origin: 1.0 + 0.0j}
        for _ in range(whole_exponent(node)):
            power = _product(power, parts[0])
        return power
    raise _not_polynomial(node, where, f"'{node.operation}' is applied to unknowns")


def _unit(count: int, place: int) -> Monomial:
    return tuple(int(k == place) for k in range(count))


def _degree(polynomial: Polynomial) -> int:
    return max(map(sum, polynomial), default=0)


def _summed(terms: Iterable[tuple[Monomial, complex]]) -> Polynomial:
    """The sum of terms, without those that cancel up to rounding."""
    values: dict[Monomial, complex] = {}
    sizes: dict[Monomial, float] = {}
    for powers, value in terms:
        values[powers] = values.get(powers, 0.0) + value
        sizes[powers] = sizes.get(powers, 0.0) + abs(value)
    return {powers: value for powers, value in values.items() if abs(value) > ROUNDING * sizes[powers]}


def _product(p: Polynomial, q: Polynomial) -> Polynomial:
    if len(p) * len(q) > MOST_TERMS * 100:
        raise _too_long()
    result = _summed(
        (tuple(map(int.__add__, a, b)), x * y) for (a, x), (b, y) in product(p.items(), q.items())
    )
    if len(result) > MOST_TERMS:
        raise _too_long()
    return result


def _composed(polynomial: Polynomial, forms: Sequence[Polynomial], count: int) -> Polynomial:
    """The polynomial with each of its unknowns replaced by a polynomial in ``count`` others."""
    terms: list[tuple[Monomial, complex]] = []
    for powers, value in polynomial.items():
        expanded: Polynomial = {(0,) * count: value}
        for form, power in zip(forms, powers, strict=True):
            for _ in range(power):
                expanded = _product(expanded, form)
        terms += expanded.items()
    return _summed(terms)


def _affine(matrix: Complex, offset: Complex) -> list[Polynomial]:
    """The rows of matrix·y + offset as polynomials in y."""
    count = matrix.shape[1]
    units = [_unit(count, k) for k in range(count)] + [(0,) * count]
    rows = np.column_stack([matrix, offset])
    return [{units[k]: complex(row[k]) for k in np.flatnonzero(row)} for row in rows]


# --------------------------------------------------------------------------------- smaller problems


@dataclass(frozen=True)
class _Problem:
    """Equations in few unknowns y; those of the user are x = matrix·y + offset."""

    equations: tuple[Polynomial, ...]
    matrix: Complex
    offset: Complex
    first: Flags  # the unknowns of the first group
    paths: int


def _smallest_problem(given: Sequence[Polynomial]) -> _Problem | None:
    """The form of the equations with the fewest paths, None if they contradict one another."""
    best: _Problem | None = None
    for pairs in _pairings(given):
        problem = _reduced(given, pairs)
        if problem is None:
            return None
        if best is None or problem.paths < best.paths:
            best = problem
    return best


def _pairings(given: Sequence[Polynomial]) -> Iterator[list[tuple[int, int]]]:
    """Unknowns that may be the real and imaginary parts of one: none, circles, and the rest in order."""
    yield []
    circles: list[tuple[int, int]] = []
    for polynomial in given:
        top = {powers: value for powers, value in polynomial.items() if sum(powers) >= 2}
        used = sorted({k for powers in top for k in range(len(powers)) if powers[k]})
        squares = len(top) == len(used) == 2 and all(max(powers) == sum(powers) == 2 for powers in top)
        if squares and not any(k in pair for k in used for pair in circles):
            a, b = top.values()
            if abs(a - b) <= ROUNDING * abs(a):
                circles.append((used[0], used[1]))
    if circles:
        yield circles
        rest = [k for k in range(len(given)) if not any(k in pair for pair in circles)]
        if len(rest) > 1:
            yield circles + list(zip(rest[::2], rest[1::2], strict=False))


def _reduced(given: Sequence[Polynomial], pairs: Sequence[tuple[int, int]]) -> _Problem | None:
    """Steps 1 to 3: a + ib and a − ib in place of pairs, scaling, elimination, lower degrees, groups."""
    count = len(given)
    matrix = np.eye(count, dtype=complex)
    conjugate = np.zeros(count, bool)
    for a, b in pairs:
        matrix[np.ix_([a, b], [a, b])] = [[0.5, 0.5], [-0.5j, 0.5j]]
        conjugate[b] = True
    offset = np.zeros(count, complex)
    forms = _affine(matrix, offset)
    equations = [_composed(polynomial, forms, count) for polynomial in given] if pairs else list(given)
    equations, units = _scaled(equations)
    equations, matrix = [_without_noise(polynomial) for polynomial in equations], matrix * units
    while True:
        linear = [polynomial for polynomial in equations if _degree(polynomial) <= 1]
        if linear:
            solved = _eliminated(linear, matrix.shape[1])
            if solved is None:
                return None
            change, shift, free = solved
            forms = _affine(change, shift)
            rest = [polynomial for polynomial in equations if _degree(polynomial) > 1]
            equations = [_composed(polynomial, forms, change.shape[1]) for polynomial in rest]
            matrix, offset, conjugate = matrix @ change, offset + matrix @ shift, conjugate[free]
        elif not _lower_degrees(equations):
            first, paths = _groups(equations, conjugate)
            return _Problem(tuple(equations), matrix, offset, first, paths)


def _scaled(equations: Sequence[Polynomial]) -> tuple[list[Polynomial], Real]:
    """Equations and unknowns in units in which most coefficients are near one; x = units·y.

    Units are powers of two: nothing is rounded.
    """
    count = len(equations)
    exponents = np.round(_balance(equations))
    units = np.exp2(exponents[:count])
    scaled: list[Polynomial] = []
    for polynomial, row in zip(equations, np.exp2(exponents[count:]), strict=True):
        scaled.append({p: complex(value * row * np.prod(units**p)) for p, value in polynomial.items()})
    return scaled, units


def _without_noise(polynomial: Polynomial) -> Polynomial:
    largest = max(map(abs, polynomial.values()), default=0.0)
    return {powers: value for powers, value in polynomial.items() if abs(value) > NOISE * largest}


def _balance(equations: Sequence[Polynomial]) -> Real:
    """The exponents of two for unknowns and equations that make all coefficients near one.

    log₂|coefficient| + exponent of the equation + Σ power·exponent of the unknown is made small for every
    term (Morgan, Solving Polynomial Systems Using Continuation, 1987, chapter 5), here by least absolute
    values, so that a few rounding errors among the coefficients do not count: least squares, repeated
    with weights 1/|rest|.
    """
    count = len(equations)
    sizes: list[float] = []
    entries: list[tuple[int, int, int, int, int]] = []
    for place, polynomial in enumerate(equations):
        for powers, value in polynomial.items():
            parts = [(k, power) for k, power in enumerate(powers) if power] + [(count + place, 1)]
            entries += [(len(sizes), i, a, j, b) for (i, a), (j, b) in product(parts, parts)]
            sizes.append(-math.log2(abs(value)))
    if not sizes:
        return np.zeros(2 * count)
    term, i, a, j, b = np.array(entries).T
    wanted, weights, exponents = np.array(sizes), np.ones(len(sizes)), np.zeros(2 * count)
    once = i == j
    for _ in range(8):
        square = np.bincount(2 * count * i + j, weights[term] * a * b, 4 * count**2)
        right = np.bincount(i[once], (weights * wanted)[term[once]] * a[once], 2 * count)
        matrix = square.reshape(2 * count, 2 * count) + 1e-6 * np.eye(2 * count)
        exponents[:] = np.linalg.solve(matrix, right)
        rest = np.bincount(term[once], a[once] * exponents[i[once]], len(wanted)) - wanted
        weights = 1 / np.maximum(np.abs(rest), 0.5)
    return exponents


def _eliminated(linear: Sequence[Polynomial], count: int) -> tuple[Complex, Complex, list[int]] | None:
    """The solutions of linear equations as y = change·y[free] + shift; None if there are none."""
    rows = np.zeros((len(linear), count + 1), complex)
    for row, polynomial in zip(rows, linear, strict=True):
        for powers, value in polynomial.items():
            row[powers.index(1) if any(powers) else count] = value
    pivots: dict[int, int] = {}
    for _ in linear:
        rest = [k for k in range(len(rows)) if k not in pivots]
        largest = np.abs(rows[rest]).max(1, initial=0.0)
        rows[rest] /= np.where(largest > 0, largest, 1.0)[:, None]
        sizes = np.abs(rows[rest, :count])
        if sizes.size == 0 or sizes.max() <= NEGLIGIBLE:
            if largest.any():
                return None  # 0 = 1
            raise _not_isolated()
        place, column = divmod(int(sizes.argmax()), count)
        pivot = rest[place]
        rows[pivot] /= rows[pivot, column]
        taken = np.outer(rows[:, column], rows[pivot])
        taken[pivot] = 0
        left = rows - taken
        rows = np.where(np.abs(left) > ROUNDING * (np.abs(rows) + np.abs(taken)), left, 0)
        pivots[pivot] = column
    free = [k for k in range(count) if k not in pivots.values()]
    change = np.zeros((count, len(free)), complex)
    change[free, range(len(free))] = 1
    shift = np.zeros(count, complex)
    for pivot, column in pivots.items():
        change[column] = -rows[pivot, free]
        shift[column] = -rows[pivot, count]
    return change, shift, free


def _lower_degrees(equations: list[Polynomial]) -> bool:
    """Replace equations whose leading form depends on those of others; whether any was.

    c² + s² − 1 and 4c² + 4s² + c − 2 have one leading form up to a factor; the second becomes c + 2.
    """
    changed = False
    for degree in {_degree(polynomial) for polynomial in equations}:
        basis: list[tuple[Monomial, Polynomial]] = []
        for place, polynomial in enumerate(equations):
            if _degree(polynomial) != degree:
                continue
            rest = polynomial
            for pivot, other in basis:
                factor = -rest.get(pivot, 0.0) / other[pivot]
                rest = _summed([*rest.items(), *((p, factor * v) for p, v in other.items() if factor)])
            if _degree(rest) < degree:
                equations[place] = rest
                changed = True
            else:
                tops = [powers for powers in rest if sum(powers) == degree]
                basis.append((max(tops, key=lambda powers: abs(rest[powers])), rest))
    return changed


def _groups(equations: Sequence[Polynomial], conjugate: Flags) -> tuple[Flags, int]:
    """The split of the unknowns with the smallest Bézout number, and that number."""
    count = len(equations)
    if count <= MOST_SPLIT:
        bits = np.arange(2 ** max(count - 1, 0))[:, None] >> np.arange(count)[None, :]
        splits = 1 - np.roll(bits & 1, 1, axis=1)  # the first unknown is always in the first group
    else:
        splits = np.array([np.ones(count, int), 1 - conjugate])
    ways = np.zeros((len(splits), count + 1))  # coefficients of Π (d1 α + d2 β), by the power of α
    ways[:, 0] = 1
    for polynomial in equations:
        powers = np.array(list(polynomial)).T
        first, second = (splits @ powers).max(1), ((1 - splits) @ powers).max(1)
        shifted = np.roll(ways, 1, axis=1) * first[:, None]
        shifted[:, 0] = 0
        ways = ways * second[:, None] + shifted
    numbers = ways[np.arange(len(splits)), splits.sum(1)]
    best = int(numbers.argmin())
    if numbers[best] == 0:
        raise _not_isolated()
    return splits[best] == 1, int(numbers[best])


# ------------------------------------------------------------------------ values of many points at once


@dataclass(frozen=True)
class _Polynomials:
    """Polynomials as Σ coefficient·z_i·z_j·…; the place behind the last coordinate stands for 1."""

    slots: NDArray[np.intp]  # monomial, factor → coordinate
    coefficients: Complex  # monomial, equation
    occurrences: NDArray[np.intp]  # coordinate → places in slots where it stands, filled up with any
    slopes: Complex  # coordinate, occurrence, equation → coefficient, 0 where filled up

    @classmethod
    def of(cls, equations: Sequence[dict[Monomial, complex]], count: int) -> _Polynomials:
        """From the places of the factors of each term to its coefficient, for each equation."""
        columns = {factors: k for k, factors in enumerate(sorted({m for e in equations for m in e}))}
        depth = max(map(len, columns), default=1)
        slots = np.array([[*f, *[count] * (depth - len(f))] for f in columns], int).reshape(-1, depth)
        coefficients = np.zeros((len(columns), len(equations)), complex)
        for place, equation in enumerate(equations):
            for factors, value in equation.items():
                coefficients[columns[factors], place] = value
        where = [np.flatnonzero(slots.ravel() == k) for k in range(count)]
        most = max(map(len, where), default=0)
        occurrences = np.zeros((count, most), int)
        slopes = np.zeros((count, most, len(equations)), complex)
        for k, places in enumerate(where):
            occurrences[k, : len(places)] = places
            slopes[k, : len(places)] = coefficients[places // depth]
        return cls(slots, coefficients, occurrences, slopes)

    def __call__(self, z: Complex) -> tuple[Complex, Complex]:
        """Values (point, equation) and Jacobians (point, equation, coordinate)."""
        padded = np.column_stack([z, np.ones(len(z))])
        monomials, others = _products(padded[:, self.slots])
        parts = others.reshape(len(z), self.slots.size)[:, self.occurrences]
        jacobian = np.matmul(parts.transpose(1, 0, 2), self.slopes).transpose(1, 2, 0)
        return monomials @ self.coefficients, jacobian


def _products(factors: Complex) -> tuple[Complex, Complex]:
    """The products along the last axis, and for each factor the product of the others."""
    depth = factors.shape[-1]
    others = np.ones_like(factors)
    for k in range(1, depth):
        others[..., k] = others[..., k - 1] * factors[..., k - 1]
    behind = np.ones(factors.shape[:-1], complex)
    for k in range(depth - 2, -1, -1):
        behind = behind * factors[..., k + 1]
        others[..., k] *= behind
    return factors[..., 0] * others[..., 0], others


def _judge(given: Sequence[Polynomial]) -> tuple[_Polynomials, Real]:
    """The user's equations in scaled unknowns, to polish and to judge roots by."""
    scaled, units = _scaled(given)
    places = [{tuple(_factors(p)): value for p, value in polynomial.items()} for polynomial in scaled]
    return _Polynomials.of(places, len(given)), units


def _factors(powers: Sequence[int]) -> list[int]:
    """The places of the factors of a monomial, each as often as its power."""
    return [k for k, power in enumerate(powers) for _ in range(power)]


@dataclass(frozen=True)
class _Homotopy:
    """H(z, t) = γ t G(z) + (1 − t) F(z) in groups of homogeneous coordinates; the first is 0 at infinity."""

    target: _Polynomials
    forms: Complex  # equation, factor → linear form of G
    filled: Real  # 1 where an equation of G has fewer factors
    gamma: complex
    groups: Real  # group, coordinate → 1 if the coordinate belongs to the group

    def __call__(self, z: Complex, t: Complex) -> tuple[Complex, Complex, Complex]:
        """H, its Jacobian and its derivative by t."""
        target, target_z = self.target(z)
        count, depth, _ = self.forms.shape
        linear = (z @ self.forms.reshape(count * depth, -1).T).reshape(-1, count, depth)
        start, others = _products(linear + self.filled)
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


def _homotopy(problem: _Problem, random: np.random.Generator) -> tuple[_Homotopy, Complex]:
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
                tuple(sorted((*place[_factors(p)], *np.repeat(origins, missing[:, k])))): value / size
                for k, (p, value) in enumerate(polynomial.items())
            }
        )
    forms, filled = _start_system(np.array(degrees), groups, random)
    gamma = complex(np.exp(2j * np.pi * random.random()))
    homotopy = _Homotopy(_Polynomials.of(homogeneous, total), forms, filled, gamma, groups)
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
    return _solved(matrices, wanted)


def _solved(matrices: Complex, wanted: Complex) -> Complex:
    """The solutions of many linear systems; the shortest where one is singular, NaN where not finite."""
    result: Complex = np.full(wanted.shape, np.nan, complex)
    try:
        result[:] = np.linalg.solve(matrices, wanted[..., None])[..., 0]
    except np.linalg.LinAlgError:
        finite = np.isfinite(matrices).all((1, 2))
        result[finite] = (np.linalg.pinv(matrices[finite]) @ wanted[finite][..., None])[..., 0]
    return result


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
    return _solved(np.concatenate([by_z, patch], axis=1), np.concatenate([wanted, none], axis=1))


@dataclass(frozen=True)
class _Ends:
    """Where the paths went: y, and what kind of point it is."""

    y: Complex  # of finite ends
    singular: Flags  # of finite ends
    at_infinity: int
    failed: int


def _endpoints(problem: _Problem, random: np.random.Generator, tolerance: float) -> _Ends:
    """The ends of all paths of a problem; a polynomial in one unknown with simple roots needs no path."""
    if not problem.equations:
        return _Ends(np.zeros((1, 0), complex), np.zeros(1, bool), 0, 0)
    if len(problem.equations) == 1:
        roots = _univariate(problem.equations[0])
        if len(roots) <= 2 or _nearest(roots) > 1e-3:
            return _Ends(roots[:, None], np.zeros(len(roots), bool), 0, 0)
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
    return _Ends(y, singular[finite], int((~finite).sum()), problem.paths - len(ends))


def _affine_points(homotopy: _Homotopy, problem: _Problem, z: Complex) -> tuple[Complex, Flags]:
    """The unknowns y of points that are not at infinity, and which are not."""
    finite = np.abs(z[:, homotopy.groups.argmax(1)]).min(1) > AT_INFINITY
    y = np.zeros((int(finite.sum()), len(problem.first)), complex)
    for members, unknowns in zip(homotopy.groups, (problem.first, ~problem.first), strict=False):
        part = z[finite][:, members > 0]
        y[:, unknowns] = part[:, 1:] / part[:, :1]
    return y, finite


def _univariate(polynomial: Polynomial) -> Complex:
    coefficients = [polynomial.get((k,), 0.0) for k in range(_degree(polynomial), -1, -1)]
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


# ------------------------------------------------------------------------------------- what was found


def _sorted_out(problem: _Problem, ends: _Ends, system: _Polynomials, units: Real) -> Roots:
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


def _polished(system: _Polynomials, points: Complex) -> Complex:
    for _ in range(4):
        value, slope = system(points)
        points = points - _solved(slope, value)
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


def _conditioned(system: _Polynomials, point: Complex) -> float:
    """The smallest singular value of the Jacobian, each row beside the size of its terms."""
    jacobian = system(point[None])[1][0]
    sizes = _sizes(system, np.abs(point))
    return float(np.linalg.svd(jacobian / sizes[:, None], compute_uv=False).min(initial=1.0))


def _sizes(system: _Polynomials, x: Real) -> Real:
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


def _real_root(system: _Polynomials, near: Real, *, single: bool) -> Real | None:
    """The real root next to a point; the point itself if it is a root that cannot be polished, else None."""
    x = _polished(system, near[None].astype(complex))[0].real if single else _double_root(system, near)
    if np.linalg.norm(x - near) <= 1e-4 * (1 + np.linalg.norm(near)) and _residual(system, x) <= HOLDS:
        return x
    return near if _residual(system, near) <= 100 * HOLDS else None


def _residual(system: _Polynomials, x: Real) -> float:
    """The largest value of an equation beside the size of its terms."""
    values = np.abs(system(x[None].astype(complex))[0][0])
    return float((values / _sizes(system, x)).max(initial=0.0))


def _double_root(system: _Polynomials, x: Real) -> Real:
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


# --------------------------------------------------------------------------------------------- errors


def _not_polynomial(node: Expression, where: str, why: str) -> NotPolynomial:
    return NotPolynomial(
        f"{where} is not a polynomial in the unknowns",
        got=str(node),
        wanted="sums, products and whole powers of the unknowns",
        why=why,
        fix="for the cosine and sine of an angle use two unknowns c, s and the equation c^2 + s^2 - 1",
    )


def _too_many(paths: int, most_paths: int) -> TooManyPaths:
    return TooManyPaths(
        f"the system may have {paths:,} solutions, more than {most_paths:,}",
        why="each is the end of a path that has to be followed",
        fix=f"solve the system in blocks (linkwork.plan.blocks), or allow most_paths={paths}",
    )


def _too_long() -> TooManyPaths:
    return TooManyPaths(
        f"a polynomial has more than {MOST_TERMS:,} terms when multiplied out",
        fix="name parts of it as further unknowns, with an equation each",
    )


def _not_isolated() -> NotIsolated:
    return NotIsolated(
        "the equations depend on one another or leave an unknown free",
        why="solutions, if there are any, form curves or surfaces, not points",
        fix="add the equation that is missing (linkwork.plan.parts tells where), or fix an unknown",
    )
