"""Every solution of a polynomial system is found, counted and placed: nothing missing, nothing twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
import pytest
from numpy.typing import NDArray

from linkwork.algebra import Expression, Symbol, cos, evaluate, number, sqrt, symbol, symbols
from linkwork.errors import LinkworkError, NoAnswer, UnknownName, UsageError
from linkwork.kinematics import homotopy
from linkwork.kinematics.homotopy import NotIsolated, NotPolynomial, Roots, TooManyPaths, polynomial_roots

Real = NDArray[np.float64]
Point = tuple[float, float]
x, y, z = symbols("x y z")
GROUND = None


class Linkage:
    """Bodies with unknowns x, y, c, s, and the equations of what joins them."""

    def __init__(self) -> None:
        self.equations: list[Expression] = []
        self.unknowns: list[Symbol] = []

    def body(self, name: str) -> tuple[Symbol, ...]:
        body = symbols(f"{name}.x {name}.y {name}.c {name}.s")
        self.unknowns += body
        self.equations.append(body[2] ** 2 + body[3] ** 2 - 1)
        return body

    def driven(self, name: str, angle: float) -> tuple[Symbol, ...]:
        body = self.body(name)
        self.equations[-1:] = [body[2] - math.cos(angle), body[3] - math.sin(angle)]
        return body

    def place(
        self, body: Sequence[Symbol] | None, point: Sequence[float] | Real
    ) -> tuple[Expression, Expression]:
        u, v = map(float, point)
        if body is None:
            return number(u), number(v)
        at_x, at_y, c, s = body
        return at_x + u * c - v * s, at_y + u * s + v * c

    def pin(
        self,
        a: Sequence[Symbol] | None,
        on_a: Sequence[float] | Real,
        b: Sequence[Symbol] | None,
        on_b: Sequence[float] | Real,
    ) -> None:
        here, there = self.place(a, on_a), self.place(b, on_b)
        self.equations += [here[0] - there[0], here[1] - there[1]]

    def slot(
        self, a: Sequence[Symbol] | None, normal: Point, shift: float, b: Sequence[Symbol], on_b: Point
    ) -> None:
        """A point of b lies on a straight line of a: normal·point = shift, in the frame of a."""
        here, there = self.place(a, (0, 0)), self.place(b, on_b)
        n_x, n_y = self.place(a, normal)
        across = (there[0] - here[0]) * (n_x - here[0]) + (there[1] - here[1]) * (n_y - here[1])
        self.equations.append(across - shift)

    def roots(self, seed: int = 1) -> Roots:
        return polynomial_roots(self.equations, self.unknowns, seed=seed)


def four_bar(crank: float, rod: float, rocker: float, base: float, angle: float) -> Linkage:
    linkage = Linkage()
    a, b, c = linkage.driven("a", angle), linkage.body("b"), linkage.body("c")
    linkage.pin(GROUND, (0, 0), a, (0, 0))
    linkage.pin(a, (crank, 0), b, (0, 0))
    linkage.pin(b, (rod, 0), c, (rocker, 0))
    linkage.pin(c, (0, 0), GROUND, (base, 0))
    return linkage


def turned(points: Real, angle: float) -> Real:
    c, s = math.cos(angle), math.sin(angle)
    result: Real = points @ np.array([[c, s], [-s, c]])
    return result


def platform(bases: Real, corners: Real, legs: Real) -> Linkage:
    """A body on three legs, each leg a body: the planar 3-RRR with locked motors, the triad of Stephenson III."""
    linkage = Linkage()
    body = linkage.body("p")
    for k in range(3):
        leg = linkage.body(f"leg{k}")
        linkage.pin(GROUND, bases[k], leg, (0, 0))
        linkage.pin(leg, (legs[k], 0), body, corners[k])
    return linkage


def random_platform(random: np.random.Generator) -> tuple[Real, Real, Real, Real]:
    """Bases, corners and legs of a platform that can be assembled, and where: x, y, c, s."""
    bases, corners = random.uniform(-2, 2, (3, 2)), random.uniform(-1, 1, (3, 2))
    angle, place = random.uniform(-3, 3), random.uniform(-1, 1, 2)
    legs = np.linalg.norm(place + turned(corners, angle) - bases, axis=1)
    return bases, corners, legs, np.array([*place, math.cos(angle), math.sin(angle)])


def assert_solutions(found: Roots, equations: Sequence[Expression], unknowns: Sequence[Symbol]) -> None:
    """The equations hold, no solution stands twice, and the order is that of the numbers."""
    for root in found.real:
        values = evaluate(equations, {name.name: value for name, value in zip(unknowns, root, strict=True)})
        assert max(map(abs, values)) < 1e-12
    points = np.array(found.real)
    for k in range(1, len(points)):
        assert np.abs(points[:k] - points[k]).max(1).min() > 1e-7
    rounded = [tuple(np.round(root, 7)) for root in found.real]
    assert rounded == sorted(rounded)


def holds(found: Roots, wanted: Sequence[float] | Real, within: float = 1e-9) -> bool:
    """Whether a point is among the real solutions (its first coordinates are)."""
    return any(np.abs(np.array(root)[: len(wanted)] - wanted).max() < within for root in found.real)


# ------------------------------------------------------------------------------------------- linkages


@pytest.mark.parametrize("seed", range(40))
def test_four_bar(seed: int) -> None:
    """A four-bar has the two assemblies of the cosine rule if rod and rocker reach, and none otherwise."""
    random = np.random.default_rng(seed)
    crank, rod, rocker, base = random.uniform(0.5, 3, 4)
    angle = random.uniform(-math.pi, math.pi)
    linkage = four_bar(crank, rod, rocker, base, angle)
    found = linkage.roots()
    assert (found.paths, found.at_infinity, found.lost) == (2, 0, 0)
    assert_solutions(found, linkage.equations, linkage.unknowns)
    end = np.array([crank * math.cos(angle), crank * math.sin(angle)])
    across = np.array([base, 0]) - end
    distance = math.hypot(*across)
    if not abs(rod - rocker) < distance < rod + rocker:
        assert (found.real, found.complex_count) == ((), 2)
        return
    assert (len(found.real), found.complex_count) == (2, 0)
    inner = math.acos((rod**2 + distance**2 - rocker**2) / (2 * rod * distance))
    for side in (inner, -inner):
        heading = math.atan2(across[1], across[0]) + side
        knee = end + rod * np.array([math.cos(heading), math.sin(heading)])
        c, s = (knee - (base, 0)) / rocker
        turn = [math.cos(angle), math.sin(angle)]
        assert holds(found, [0, 0, *turn, *end, math.cos(heading), math.sin(heading), base, 0, c, s])


@pytest.mark.parametrize("seed", range(10))
def test_slider_crank(seed: int) -> None:
    """The slider stands at crank·cos ± √(rod² − (crank·sin − shift)²)."""
    random = np.random.default_rng(seed)
    crank, rod, shift = random.uniform(0.5, 2), random.uniform(1, 3), random.uniform(-1, 1)
    angle = random.uniform(-math.pi, math.pi)
    linkage = Linkage()
    a, b = linkage.driven("a", angle), linkage.body("b")
    linkage.pin(GROUND, (0, 0), a, (0, 0))
    linkage.pin(a, (crank, 0), b, (0, 0))
    linkage.slot(GROUND, (0, 1), shift, b, (rod, 0))
    found = linkage.roots()
    assert (found.paths, found.lost) == (2, 0)
    assert_solutions(found, linkage.equations, linkage.unknowns)
    rest = rod**2 - (crank * math.sin(angle) - shift) ** 2
    expected = [] if rest < 0 else [crank * math.cos(angle) + sign * math.sqrt(rest) for sign in (-1, 1)]
    ends = sorted(root[4] + rod * root[6] for root in found.real)
    assert ends == pytest.approx(expected, abs=1e-9)


def test_swinging_slot() -> None:
    """A crank's pin in the slot of a rocker (Whitworth): the rocker points to the pin or away from it."""
    linkage = Linkage()
    a, b = linkage.driven("a", 0.5), linkage.body("b")
    linkage.pin(GROUND, (0, 0), a, (0, 0))
    linkage.pin(GROUND, (2, 0), b, (0, 0))
    linkage.slot(b, (0, 1), 0.0, a, (1, 0))
    found = linkage.roots()
    assert (len(found.real), found.lost) == (2, 0)
    heading = math.atan2(math.sin(0.5), math.cos(0.5) - 2)
    assert {round(root[6], 9) for root in found.real} == {
        round(math.cos(heading), 9),
        round(-math.cos(heading), 9),
    }


@pytest.mark.parametrize("seed", range(25))
def test_platform(seed: int) -> None:
    """A platform has six assemblies, complex ones counted; the one it was built in is among the real."""
    bases, corners, legs, placed = random_platform(np.random.default_rng(seed))
    linkage = platform(bases, corners, legs)
    found = linkage.roots(seed)
    assert (found.paths, found.at_infinity, found.lost) == (6, 0, 0)
    assert len(found.real) + found.complex_count == 6
    assert found.complex_count % 2 == 0
    assert_solutions(found, linkage.equations, linkage.unknowns)
    assert holds(found, placed)


@pytest.mark.parametrize("seed", range(6))
def test_platform_by_search(seed: int) -> None:
    """Newton's method from thousands of guesses finds the same assemblies, no more and no fewer."""
    bases, corners, legs, _ = random_platform(np.random.default_rng(100 + seed))
    found = platform(bases, corners, legs).roots()
    searched = searched_platform(bases, corners, legs, np.random.default_rng(seed))
    assert len(found.real) == len(searched)
    assert all(holds(found, place, 1e-7) for place in searched)


def searched_platform(bases: Real, corners: Real, legs: Real, random: np.random.Generator) -> list[Real]:
    """The assemblies x, y, c, s of a platform, by Newton's method from 4000 guesses."""
    angle = random.uniform(-math.pi, math.pi, 4000)
    place = np.column_stack([random.uniform(-4, 4, (4000, 2)), angle])
    for _ in range(40):
        c, s = np.cos(place[:, 2:]), np.sin(place[:, 2:])
        arm_x = c * corners[:, 0] - s * corners[:, 1]
        arm_y = s * corners[:, 0] + c * corners[:, 1]
        to_x, to_y = place[:, :1] + arm_x - bases[:, 0], place[:, 1:2] + arm_y - bases[:, 1]
        rest = to_x**2 + to_y**2 - legs**2
        slope = 2 * np.stack([to_x, to_y, to_y * arm_x - to_x * arm_y], axis=2)
        slope += 1e-14 * np.eye(3)
        step = np.linalg.solve(slope, rest[..., None])[..., 0]
        place = place - step / np.maximum(1, np.linalg.norm(step, axis=1, keepdims=True))
    good = place[(np.abs(rest).max(1) < 1e-11) & (np.linalg.norm(step, axis=1) < 1e-9)]
    apart: list[Real] = []
    for point in np.column_stack([good[:, :2], np.cos(good[:, 2]), np.sin(good[:, 2])]):
        if all(np.abs(point - other).max() > 1e-6 for other in apart):
            apart.append(point)
    return apart


@pytest.mark.parametrize(("bodies", "finite", "paths"), [(4, 6, 6), (6, 14, 20), (8, 30, 70)])
def test_rings_of_bodies(bodies: int, finite: int, paths: int) -> None:
    """A ring of bodies, every second pinned to the ground, has as many assemblies as any other such ring."""
    for seed in range(2):
        linkage, placed = ring(bodies, np.random.default_rng(seed))
        found = linkage.roots(seed)
        assert (found.paths, found.lost) == (paths, 0)
        assert len(found.real) + found.complex_count == finite == paths - found.at_infinity
        assert_solutions(found, linkage.equations, linkage.unknowns)
        assert holds(found, placed)


def ring(count: int, random: np.random.Generator) -> tuple[Linkage, Real]:
    """A ring of bodies with pins at random places, and how it stands: x, y, c, s of every body."""
    linkage = Linkage()
    bodies = [linkage.body(f"b{k}") for k in range(count)]
    angles, places = random.uniform(-3, 3, count), random.uniform(-2, 2, (count, 2))
    joints: list[tuple[int, int | None]] = [(k, (k + 1) % count) for k in range(count)]
    for first, second in joints + [(k, None) for k in range(0, count, 2)]:
        where = random.uniform(-2, 2, 2)
        on_first = turned(where - places[first], -angles[first])
        if second is None:
            linkage.pin(bodies[first], on_first, GROUND, where)
        else:
            linkage.pin(
                bodies[first], on_first, bodies[second], turned(where - places[second], -angles[second])
            )
    return linkage, np.column_stack([places, np.cos(angles), np.sin(angles)]).ravel()


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1e3, 1e6])
def test_units(unit: float) -> None:
    """Whether lengths are in nanometres or in kilometres, the assemblies are the same."""
    bases, corners, legs, _ = random_platform(np.random.default_rng(3))
    in_metres = platform(bases, corners, legs).roots()
    found = platform(bases * unit, corners * unit, legs * unit).roots()
    assert (found.paths, found.complex_count, found.lost) == (6, in_metres.complex_count, 0)
    units = np.tile([unit, unit, 1, 1], 4)
    assert np.array(found.real) / units == pytest.approx(np.array(in_metres.real), abs=1e-9)


# --------------------------------------------------------------------------------------- dead points


@pytest.mark.parametrize("seed", range(10))
def test_dead_point_of_a_four_bar(seed: int) -> None:
    """Rod and rocker in line: two assemblies that coincide are one, exact although given with rounding."""
    random = np.random.default_rng(seed)
    crank, rod, rocker = random.uniform(1, 3, 3)
    angle = random.uniform(-math.pi, math.pi)
    end = np.array([crank * math.cos(angle), crank * math.sin(angle)])
    reach = max(rod + rocker, 1.1 * abs(end[1]))
    rod = reach - rocker
    base = end[0] + math.sqrt(reach**2 - end[1] ** 2)
    linkage = four_bar(crank, rod, rocker, base, angle)
    found = linkage.roots()
    assert (len(found.real), found.complex_count, found.lost) == (1, 0, 0)
    assert_solutions(found, linkage.equations, linkage.unknowns)
    straight = (np.array([base, 0]) - end) / reach
    assert np.array(found.real[0][6:8]) == pytest.approx(straight, abs=1e-12)


def test_beside_a_dead_point() -> None:
    """A base one part in 10⁹ shorter or longer tells two assemblies from none."""
    for change, count in ((1 - 1e-9, 2), (1 + 1e-9, 0)):
        found = four_bar(1, 2, 2, 3 * change, math.pi).roots()
        assert (len(found.real), found.complex_count, found.lost) == (count, 2 - count, 0)


@pytest.mark.parametrize("seed", range(6))
def test_dead_point_of_a_platform(seed: int) -> None:
    """Legs that meet in one point: a double assembly is found once and to full precision."""
    random = np.random.default_rng(seed)
    corners, angle = random.uniform(-1, 1, (3, 2)), random.uniform(-3, 3)
    there, meeting = turned(corners, angle), random.uniform(-1, 1, 2)
    bases = meeting + (there - meeting) * random.uniform(1.5, 3, (3, 1))
    linkage = platform(bases, corners, np.linalg.norm(there - bases, axis=1))
    found = linkage.roots()
    assert (found.lost, found.at_infinity) == (0, 0)
    assert len(found.real) + found.complex_count == 5
    assert_solutions(found, linkage.equations, linkage.unknowns)
    assert holds(found, [0, 0, math.cos(angle), math.sin(angle)], 1e-11)


@pytest.mark.parametrize(
    ("equations", "real"),
    [
        ([(x - 1) ** 3, y - x], [(1, 1)]),
        ([(x - 1) ** 2, (y - 2) ** 2], [(1, 2)]),
        ([x**2 + y**2 - 2, x * y - 1], [(-1, -1), (1, 1)]),
        ([y**2 - x**3, y - x], [(0, 0), (1, 1)]),
        ([y**2 - x**3, y], [(0, 0)]),
        ([x**5 - y, y], [(0, 0)]),
        ([29 * x**3 / 16 - 2 * x * y, y - x**2], [(0, 0)]),
        ([y - x**2, y - 2 * x**2 + x**4], [(-1, 1), (0, 0), (1, 1)]),
    ],
)
def test_multiple_roots(equations: list[Expression], real: list[Point]) -> None:
    """Roots of any multiplicity are found once."""
    found = polynomial_roots(equations, [x, y])
    assert (found.complex_count, found.lost) == (0, 0)
    assert np.array(found.real) == pytest.approx(np.array(real, float), abs=1e-6)


# ---------------------------------------------------------------------------------- known polynomials


def katsura(n: int) -> tuple[list[Expression], tuple[Symbol, ...]]:
    """Katsura's magnetism problem in n + 1 unknowns, which has 2^n solutions."""
    u = symbols(f"u{k}" for k in range(n + 1))
    reach = range(-n, n + 1)
    equations = [
        sum((u[abs(k)] * u[abs(m - k)] for k in reach if abs(m - k) <= n), number(0)) - u[m] for m in range(n)
    ]
    return [*equations, sum((u[abs(k)] for k in reach), number(-1))], u


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_katsura(n: int) -> None:
    """Katsura's problem has 2^n solutions, (1, 0, …) among them."""
    equations, unknowns = katsura(n)
    found = polynomial_roots(equations, unknowns)
    assert (len(found.real) + found.complex_count, found.lost) == (2**n, 0)
    assert_solutions(found, equations, unknowns)
    assert holds(found, [1] + [0] * n)


def test_cyclic() -> None:
    """Cyclic-3: the six orders of the cube roots of one, none of them real."""
    found = polynomial_roots([x + y + z, x * y + y * z + z * x, x * y * z - 1], [x, y, z])
    assert found == Roots((), 6, 6, 0, 0)


@pytest.mark.parametrize(
    ("count", "degree", "systems"), [(2, 2, 8), (2, 4, 6), (3, 2, 8), (3, 3, 4), (5, 2, 4)]
)
def test_planted(count: int, degree: int, systems: int) -> None:
    """A dense random system has as many solutions as Bézout says, and the planted real one among them."""
    unknowns = symbols(f"q{k}" for k in range(count))
    for seed in range(systems):
        random = np.random.default_rng(seed)
        planted = random.standard_normal(count)
        equations = [dense(unknowns, degree, random) for _ in unknowns]
        values = evaluate(equations, dict(zip([u.name for u in unknowns], planted, strict=True)))
        equations = [equation - value for equation, value in zip(equations, values, strict=True)]
        found = polynomial_roots(equations, unknowns, seed=seed)
        assert (found.at_infinity, found.lost) == (0, 0)
        assert len(found.real) + found.complex_count == found.paths == degree**count
        assert holds(found, planted)


def dense(unknowns: Sequence[Symbol], degree: int, random: np.random.Generator) -> Expression:
    total = number(0)
    terms: list[Expression] = [number(1)]
    for _ in range(degree):
        terms = list(dict.fromkeys(term * u for term in [number(1), *terms] for u in unknowns))
    for term in terms:
        total = total + float(random.standard_normal()) * term
    return total


def test_many_planted() -> None:
    """All roots real: a product of lines in each unknown, turned, has every crossing as a solution."""
    u, v = 3 * x + 4 * y, 4 * x - 3 * y
    first = (u - 1) * (u - 2) * (u - 3) * (u + 5)
    second = (v - 1) * (v + 2) * (v - 4)
    found = polynomial_roots([first, second], [x, y])
    assert (len(found.real), found.complex_count, found.lost) == (12, 0, 0)
    for p in (1, 2, 3, -5):
        for q in (1, -2, 4):
            assert holds(found, [(3 * p + 4 * q) / 25, (4 * p - 3 * q) / 25])


def test_at_infinity() -> None:
    """Cubics with common asymptotes: a path that leads to infinity is counted there, and none is lost."""
    found = polynomial_roots([x**2 * y - 1, x * y**2 + x - 2], [x, y])
    assert found.at_infinity > 0
    assert (len(found.real) + found.complex_count + found.at_infinity, found.lost) == (found.paths, 0)
    assert_solutions(found, [x**2 * y - 1, x * y**2 + x - 2], [x, y])


def test_no_real_solution() -> None:
    """Solutions that are all complex are counted, not shown."""
    assert polynomial_roots([x**2 + 1, y - x], [x, y]) == Roots((), 2, 2, 0, 0)


@pytest.mark.parametrize("equations", [[x + y - 1, x + y - 2], [x * y - 1, x], [x * y - 1, x * y - 2]])
def test_contradiction(equations: list[Expression]) -> None:
    """Equations that contradict one another have no solution, of any kind."""
    assert polynomial_roots(equations, [x, y]) == Roots((), 0, 0, 0, 0)


def test_linear() -> None:
    """A linear system has its one solution."""
    assert polynomial_roots([x + y - 3, x - y - 1], [x, y]).real == ((2.0, 1.0),)


def test_constants_of_any_kind() -> None:
    """What does not contain an unknown may be any function; quotients by numbers are polynomials."""
    found = polynomial_roots([x / sqrt(number(2)) - cos(number(0)), y - x**2 / 2], [x, y])
    assert len(found.real) == 1
    assert found.real[0] == pytest.approx((math.sqrt(2), 1.0))


def test_nothing_unknown() -> None:
    """The empty system has one solution, the empty one."""
    assert polynomial_roots([], []).real == ((),)


def test_same_seed_same_answer() -> None:
    """The same call gives the same digits; another seed the same roots."""
    equations, unknowns = katsura(3)
    first, again, other = (polynomial_roots(equations, unknowns, seed=seed) for seed in (1, 1, 7))
    assert first == again
    assert np.array(other.real) == pytest.approx(np.array(first.real), abs=1e-12)


@pytest.mark.parametrize("tolerances", [(10.0,), (10.0, 1e-5)])
def test_jumps_are_noticed(tolerances: tuple[float, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """With steps far too long paths jump: what is missing is told as lost, and a second attempt mends it."""
    monkeypatch.setattr(homotopy, "TOLERANCES", tolerances)
    monkeypatch.setattr(homotopy, "SETTLED", 0.1)
    unknowns = symbols(f"q{k}" for k in range(5))
    lost = 0
    for seed in range(8):
        random = np.random.default_rng(seed)
        found = polynomial_roots([dense(unknowns, 2, random) - 1 for _ in unknowns], unknowns)
        assert found.lost > 0 or len(found.real) + found.complex_count == 32
        lost += found.lost
    assert (lost > 0) == (len(tolerances) == 1)


# ------------------------------------------------------------------------- not isolated, too many, misuse


@pytest.mark.parametrize(
    "equations",
    [
        [x**2 + y**2 - 1, 2 * x**2 + 2 * y**2 - 2],
        [x + y - 1, 2 * x + 2 * y - 2],
        [x**2 - 1, x**3 + x - 2],
    ],
)
def test_dependent_equations(equations: list[Expression]) -> None:
    """Equations that say one thing twice, or leave an unknown out, are refused."""
    with pytest.raises(NotIsolated, match="depend on one another"):
        polynomial_roots(equations, [x, y])


@pytest.mark.parametrize(
    ("equations", "isolated"),
    [
        ([(x - y) * (x + y - 1), (x - y) * (x - 2 * y + 3)], [(-1 / 3, 4 / 3)]),
        ([(x - y) ** 2, (x - y) * (x + y - 2)], []),
    ],
)
def test_curves(equations: list[Expression], isolated: list[Point]) -> None:
    """A curve of solutions is told by lost paths; isolated solutions beside it are found."""
    found = polynomial_roots(equations, [x, y])
    assert found.lost > 0
    for point in isolated:
        assert holds(found, point)


def test_curves_in_space() -> None:
    """The twisted cubic, as three equations: no isolated solution, and every path lost."""
    found = polynomial_roots([y - x**2, z - x**3, x * z - y**2], [x, y, z])
    assert found.real == ()
    assert found.lost > 0


def test_moving_platform() -> None:
    """A platform on three equal parallel legs swings: its paths are lost, its other assemblies are not."""
    bases = np.array([[0, 0], [2, 0], [0.5, 0.8]])
    found = platform(bases, bases, np.full(3, 1.5)).roots()
    assert found.lost > 0


def test_coinciding_pivots() -> None:
    """A crank's end on the rocker's pivot: rod and rocker of one length turn freely, others do not close."""
    with pytest.raises(NotIsolated):
        four_bar(1, 2, 2, 1, 0.0).roots()
    assert four_bar(1, 2, 1.5, 1, 0.0).roots().real == ()


def test_too_many_paths() -> None:
    """More paths than allowed are refused with their number, before any is followed."""
    equations = [x**4 - y - 1, y**4 - x * z - 2, z**4 - x * y - 3]
    with pytest.raises(TooManyPaths, match="64 solutions, more than 63"):
        polynomial_roots(equations, [x, y, z], most_paths=63)
    with pytest.raises(NoAnswer):
        polynomial_roots([(x + y + z) ** 200, x - 1, y**2 - z], [x, y, z])


@pytest.mark.parametrize(
    ("equation", "why"),
    [
        (cos(x) - y, "'cos' is applied to unknowns"),
        (1 / x - y, "is applied to unknowns"),
        (sqrt(x) - y, "'sqrt' is applied to unknowns"),
        (x**1.5 - y, "is applied to unknowns"),
        (abs(x) - y, "'abs' is applied to unknowns"),
    ],
)
def test_not_polynomial(equation: Expression, why: str) -> None:
    """An equation that is no polynomial is named, with the part that is to blame."""
    with pytest.raises(NotPolynomial, match="equation 1") as caught:
        polynomial_roots([x - y, equation], [x, y])
    assert why in caught.value.why


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: polynomial_roots([x - y], [x, y]), UsageError),
        (lambda: polynomial_roots([x - y, x], [x, x]), UsageError),
        (lambda: polynomial_roots([x * y - 1], [x * y]), UsageError),  # type: ignore[list-item]
        (lambda: polynomial_roots(x, [x]), UsageError),  # type: ignore[arg-type]
        (lambda: polynomial_roots([x - symbol("length")], [x]), UnknownName),
    ],
)
def test_misuse(call: Callable[[], Roots], error: type[LinkworkError]) -> None:
    """Misuse raises an error of ours."""
    with pytest.raises(error):
        call()


# --------------------------------------------------------------------------------------------- speed


@pytest.mark.slow
def test_a_thousand_paths() -> None:
    """Ten dense quadrics in ten unknowns: 1024 solutions, in seconds."""
    random = np.random.default_rng(0)
    unknowns = symbols(f"q{k}" for k in range(10))
    equations = [dense(unknowns, 2, random) - 1 for _ in unknowns]
    begin = perf_counter()
    found = polynomial_roots(equations, unknowns)
    assert (len(found.real) + found.complex_count, found.lost) == (1024, 0)
    assert perf_counter() - begin < 60
