"""Turns equations into polynomials, and these into the smallest system with the same solutions.

The homotopy follows a path for every solution a system may have: the smaller the system, the fewer paths.
What happens, in order (Wampler, Mech. Mach. Theory 34, 1999, for step 1; Sommese and Wampler, The Numerical
Solution of Systems of Polynomials, 2005, chapter 8, for step 3):

1. A pair with a² + b² in an equation (a cosine and its sine) becomes u = a + ib, v = a − ib. The loop
   equations of a linkage then fall into one half in the u alone and one in the v, and a² + b² is u·v.
2. Linear equations are eliminated. Where leading forms are linearly dependent, a combination of the
   equations has a lower degree and takes the place of one of them; this repeats while it helps.
3. The unknowns y are split into two groups with the smallest Bézout number, the coefficient of
   α^|1| β^|2| in Π_i (d_i1 α + d_i2 β), d_ig the degree of equation i in group g. A four-bar leaves one
   quadratic, a platform on three legs six paths, exactly as many as it has assemblies.

A :class:`PolynomialSystem` has the values and slopes of polynomials at many points at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
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


class NotPolynomial(LinkworkError):
    """An equation that is not a polynomial in the unknowns."""


class TooManyPaths(NoAnswer):
    """More solutions may exist than the caller is willing to look for."""


class NotIsolated(NoAnswer):
    """Equations that depend on one another: solutions, if there are any, form curves or surfaces."""


# ------------------------------------------------------------------------- expressions to polynomials


def as_polynomials(
    equations: Sequence[Expression], unknowns: Sequence[Symbol], most_paths: int
) -> list[Polynomial]:
    """Each equation as a polynomial: exponents of the unknowns to coefficient.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> as_polynomials([x * (x + y) - 25, x - y], [x, y], most_paths=2)
    [{(2, 0): 1.0, (1, 1): 1.0, (0, 0): -25.0}, {(1, 0): 1.0, (0, 1): -1.0}]
    """
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
                if degree_of(known[node]) > most_paths:
                    raise too_many(degree_of(known[node]), most_paths)
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
    if all(degree_of(part) == 0 for part in parts):
        constants = [part.get(origin, 0.0).real for part in parts]
        value = NUMERIC[node.operation](*constants) if parts else math.pi
        if math.isfinite(value):
            return _summed([(origin, value)])
        raise _not_polynomial(node, where, f"its value is {value}")
    if node.operation == ADD:
        return _summed(term for part in parts for term in part.items())
    if node.operation == MUL:
        return _product(parts[0], parts[1])
    if node.operation == DIV and degree_of(parts[1]) == 0 and parts[1]:
        return {powers: value / parts[1][origin] for powers, value in parts[0].items()}
    if node.operation == POW and whole_exponent(node) > 0:
        power = {origin: 1.0 + 0.0j}
        for _ in range(whole_exponent(node)):
            power = _product(power, parts[0])
        return power
    raise _not_polynomial(node, where, f"'{node.operation}' is applied to unknowns")


def _unit(count: int, place: int) -> Monomial:
    return tuple(int(k == place) for k in range(count))


def degree_of(polynomial: Polynomial) -> int:
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


# ----------------------------------------------------------------------------------- smaller problems


@dataclass(frozen=True)
class Problem:
    """Equations in few unknowns y; those of the user are x = matrix·y + offset."""

    equations: tuple[Polynomial, ...]
    matrix: Complex
    offset: Complex
    first: Flags  # the unknowns of the first group
    paths: int


def smallest_problem(given: Sequence[Polynomial]) -> Problem | None:
    """The form of the equations with the fewest paths, None if they contradict one another.

    Two circles meet in two points, not in the four of two ellipses:

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> circles = as_polynomials([x**2 + y**2 - 4, (x - 1) ** 2 + y**2 - 4], [x, y], most_paths=4)
    >>> problem = smallest_problem(circles)
    >>> len(problem.equations), problem.paths
    (1, 2)
    """
    best: Problem | None = None
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


def _reduced(given: Sequence[Polynomial], pairs: Sequence[tuple[int, int]]) -> Problem | None:
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
        linear = [polynomial for polynomial in equations if degree_of(polynomial) <= 1]
        if linear:
            solved = _eliminated(linear, matrix.shape[1])
            if solved is None:
                return None
            change, shift, free = solved
            forms = _affine(change, shift)
            rest = [polynomial for polynomial in equations if degree_of(polynomial) > 1]
            equations = [_composed(polynomial, forms, change.shape[1]) for polynomial in rest]
            matrix, offset, conjugate = matrix @ change, offset + matrix @ shift, conjugate[free]
        elif not _lower_degrees(equations):
            first, paths = _groups(equations, conjugate)
            return Problem(tuple(equations), matrix, offset, first, paths)


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
    for degree in {degree_of(polynomial) for polynomial in equations}:
        basis: list[tuple[Monomial, Polynomial]] = []
        for place, polynomial in enumerate(equations):
            if degree_of(polynomial) != degree:
                continue
            rest = polynomial
            for pivot, other in basis:
                factor = -rest.get(pivot, 0.0) / other[pivot]
                rest = _summed([*rest.items(), *((p, factor * v) for p, v in other.items() if factor)])
            if degree_of(rest) < degree:
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


# ---------------------------------------------------------------------- values of many points at once


@dataclass(frozen=True)
class PolynomialSystem:
    """Polynomials as Σ coefficient·z_i·z_j·…; the place behind the last coordinate stands for 1."""

    slots: NDArray[np.intp]  # monomial, factor → coordinate
    coefficients: Complex  # monomial, equation
    occurrences: NDArray[np.intp]  # coordinate → places in slots where it stands, filled up with any
    slopes: Complex  # coordinate, occurrence, equation → coefficient, 0 where filled up

    @classmethod
    def of(cls, equations: Sequence[dict[Monomial, complex]], count: int) -> PolynomialSystem:
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
        monomials, others = products_of(padded[:, self.slots])
        parts = others.reshape(len(z), self.slots.size)[:, self.occurrences]
        jacobian = np.matmul(parts.transpose(1, 0, 2), self.slopes).transpose(1, 2, 0)
        return monomials @ self.coefficients, jacobian


def products_of(factors: Complex) -> tuple[Complex, Complex]:
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


def scaled_system(given: Sequence[Polynomial]) -> tuple[PolynomialSystem, Real]:
    """The user's equations in scaled unknowns, to polish and to judge roots by."""
    scaled, units = _scaled(given)
    places = [{tuple(factors_of(p)): value for p, value in polynomial.items()} for polynomial in scaled]
    return PolynomialSystem.of(places, len(given)), units


def factors_of(powers: Sequence[int]) -> list[int]:
    """The places of the factors of a monomial, each as often as its power."""
    return [k for k, power in enumerate(powers) for _ in range(power)]


def solutions_of(matrices: Complex, wanted: Complex) -> Complex:
    """The solutions of many linear systems; the shortest where one is singular, NaN where not finite."""
    result: Complex = np.full(wanted.shape, np.nan, complex)
    try:
        result[:] = np.linalg.solve(matrices, wanted[..., None])[..., 0]
    except np.linalg.LinAlgError:
        finite = np.isfinite(matrices).all((1, 2))
        result[finite] = (np.linalg.pinv(matrices[finite]) @ wanted[finite][..., None])[..., 0]
    return result


# --------------------------------------------------------------------------------------------- errors


def _not_polynomial(node: Expression, where: str, why: str) -> NotPolynomial:
    return NotPolynomial(
        f"{where} is not a polynomial in the unknowns",
        got=str(node),
        wanted="sums, products and whole powers of the unknowns",
        why=why,
        fix="for the cosine and sine of an angle use two unknowns c, s and the equation c^2 + s^2 - 1",
    )


def too_many(paths: int, most_paths: int) -> TooManyPaths:
    return TooManyPaths(
        f"the system may have {paths:,} solutions, more than {most_paths:,}",
        why="each is the end of a path that has to be followed",
        fix=f"solve the system in blocks (linkwork.planning.blocks), or allow most_paths={paths}",
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
        fix="add the equation that is missing (linkwork.planning.parts tells where), or fix an unknown",
    )
