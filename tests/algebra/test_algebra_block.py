"""Equations solved together: which lines form blocks, their values, and their derivatives."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from block_tables import CIRCLES, Values, bipartite, equations, kepler, platform, random_system, two_circles
from linkwork.algebra import (
    Definition,
    Expression,
    Table,
    evaluate,
    number,
    symbol,
    table_hessian_vector,
    table_jacobian,
    time_derivative,
)
from linkwork.algebra.block import Block
from linkwork.algebra.table_derivative import _columns_forward, _rows_in_reverse
from linkwork.errors import CyclicDefinition, LinkworkError, NameTaken, NoAnswer, NotSolvable, UsageError

ZERO = number(0)


def residuals(table: Table, values: Values) -> list[float]:
    """How far the sides of each equation are apart, as a share of their size."""
    known = values | table.evaluate(values)
    apart = []
    for line in table:
        left, right = evaluate(line.equation, known)
        apart.append(abs(left - right) / max(abs(left), abs(right), 1e-3))
    return apart


def slope(table: Table, output: str, values: Values, name: str, step: float = 1e-6) -> float:
    """∂output/∂name by a central difference."""
    above, below = (
        table.evaluate(values | {name: values[name] + change})[output] for change in (step, -step)
    )
    return (above - below) / (2 * step)


# ------------------------------------------------------------------------------------- which lines


def test_a_single_equation_without_formula_is_a_block_of_one() -> None:
    assert kepler().blocks == (("E",),)
    assert Table.of({"a": "x"}).blocks == ()
    assert Table.of([Definition.of("r", implicit="r^2 = x")]).blocks == ()


def test_equations_that_need_each_other_stand_together_without_formulas() -> None:
    """Also those that could be isolated one by one; formulas around them keep the order of need."""
    lines = [
        Definition.of("last", "x + y"),
        Definition.of("x", implicit="x = 2*y + c"),
        Definition.of("between", "p^2"),
        Definition.of("y", implicit="y^2 = x + between", start=3),
        Definition.of("c", "between + 1"),
    ]
    assert lines[1].explicit is not None
    table = Table.of(lines)
    assert [line.name for line in table] == ["between", "c", "x", "y", "last"]
    assert table.blocks == (("x", "y"),)
    assert table["x"].explicit is None
    assert table["y"].explicit is None
    assert (table["x"].start, table["y"].start) == (number(1), number(3))
    assert max(residuals(table, {"p": 3.0})) < 1e-14


def test_blocks_that_share_nothing_stay_apart() -> None:
    """Two circles of lines given all mixed up are two blocks, each together, one after the other."""
    lines = equations(1, a="a + b^3 = p", c="c + d^3 = a", b="b + a^3 = 1", d="d - c = p")
    table = Table.of(lines)
    assert table.blocks == (("a", "b"), ("c", "d"))
    assert Table.of(reversed(lines)).blocks == (("b", "a"), ("d", "c"))


def test_a_block_that_is_cut_falls_apart_again() -> None:
    """Lines of a block have their formulas back in a table where one of the unknowns is an input."""
    table = Table.of(equations(None, x="x = 2*y + c", y="y^2 = x"))
    (line,) = Table.of([table["x"]])
    assert line.value is symbol("y") * 2 + symbol("c")


@pytest.mark.parametrize(
    ("lines", "circle"),
    [
        ([*equations(x="x^2 = y"), Definition.of("y", "x + 1")], "y → x → y"),
        ([Definition.of("x", "y", "x^2 = y"), *equations(y="y = x + 1")], "x → y → x"),
        (
            [*equations(x="x + y = 1", y="x*y = z"), Definition.of("z", "w"), Definition.of("w", "x")],
            "z → w → x → y → z",
        ),
    ],
)
def test_a_circle_through_a_formula_is_still_an_error(lines: list[Definition], circle: str) -> None:
    with pytest.raises(CyclicDefinition) as caught:
        Table.of(lines)
    assert caught.value.got == circle


def test_a_start_needs_nothing_that_is_solved_with_it() -> None:
    with pytest.raises(CyclicDefinition, match="start of 'x' needs x itself"):
        Definition.of("x", implicit="x + sin(x) = 1", start="x")
    lines = [Definition.of("x", implicit="x^2 = y", start="y + 1"), *equations(y="x + y = p")]
    with pytest.raises(CyclicDefinition, match="start of 'x' needs y"):
        Table.of(lines)
    with pytest.raises(UsageError, match="no equation"):
        Definition.of("x", "y + 1", start=2)


def test_a_deep_chain_of_equations_does_not_recurse() -> None:
    """Ten thousand blocks in a chain, and one circle of a thousand."""
    lines = [Definition.of("e0", implicit="e0 + e0^3 = x")]
    lines += [Definition.of(f"e{k}", implicit=f"e{k} + e{k}^3 = e{k - 1}") for k in range(1, 10_000)]
    assert len(Table.of(reversed(lines)).blocks) == 10_000
    circle = [Definition.of(f"c{k}", implicit=f"2*c{k} + sin(c{(k + 1) % 1000}) = x") for k in range(1000)]
    assert [len(block) for block in Table.of([*lines[:10], *circle]).blocks] == [1] * 10 + [1000]


# ------------------------------------------------------------------------------------------- values


@given(st.floats(-20, 20), st.floats(0, 0.9))
def test_kepler(mean: float, eccentricity: float) -> None:
    """E − ec·sin(E) = M holds to rounding, whatever the orbit."""
    found = kepler().evaluate({"M": mean, "ec": eccentricity})
    assert found["E"] - eccentricity * math.sin(found["E"]) == pytest.approx(mean, rel=1e-14, abs=1e-14)
    assert found["d"] == 1 - eccentricity * math.cos(found["E"])


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(1.5, 2.5), st.floats(-1, 1))
def test_intersections_of_circles_in_closed_form(a: float, b: float, r: float, turned: float) -> None:
    """Of circles that meet at (s·cos, s·sin), the intersection near the start is that point."""
    s, angle = 2.0, math.pi / 4 + turned / 4
    x, y = s * math.cos(angle), s * math.sin(angle)
    centre = {"a": x - r * math.cos(a + 2.5), "b": y - r * math.sin(a + 2.5) * math.copysign(1, b)}
    cross = x * centre["b"] - y * centre["a"]
    if abs(cross) < 0.5:
        return  # nearly tangent: no branch to speak of
    forms = {"x": "(x - a)^2 + (y - b)^2 = r^2", "y": "x^2 + y^2 = s^2"}
    starts = {"x": x + 0.01, "y": y - 0.01}
    table = Table.of([Definition.of(name, implicit=forms[name], start=starts[name]) for name in "xy"])
    found = table.evaluate(centre | {"r": r, "s": s})
    assert (found["x"], found["y"]) == pytest.approx((x, y), rel=1e-13, abs=1e-13)


def test_the_start_chooses_the_branch() -> None:
    upper, lower = (two_circles(start).evaluate(CIRCLES) for start in (2, -2))
    assert upper["y"] > 0 > lower["y"]
    one = Definition.of("r", implicit="r^2 = x", start=-3)
    assert Table.of([one]).evaluate({"x": 16}) == {"r": -4.0}
    linear = Definition.of("r", implicit="2*r = x", start=-3)
    assert linear.explicit is symbol("x") / 2


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("make", "size"), [(platform, 6), (bipartite, 8)])
def test_points_from_distances(
    make: Callable[[int], tuple[Table, Values, Values]], size: int, seed: int
) -> None:
    """Drawings that no sequence of constructions reaches, from a start near by: the points come back."""
    table, values, places = make(seed)
    assert [len(block) for block in table.blocks] == [size]
    found = table.evaluate(values)
    assert max(residuals(table, values)) < 1e-12
    if all(abs(found[name] - place) < 0.05 for name, place in places.items()):  # not near a dead point
        for name, place in places.items():
            assert found[name] == pytest.approx(place, abs=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 7))
def test_random_systems(seed: int, size: int) -> None:
    """Every equation of a random block holds to rounding."""
    table, values = random_system(seed, size)
    assert max(residuals(table, values)) < 1e-13


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1.0, 1e6, 1e12])
def test_units_make_no_difference(unit: float) -> None:
    """Lengths beside an angle: the slider of a crank, in any unit of length."""
    lines = equations("c/2", s="s = c*cos(q) + sqrt(l^2 - h^2)", h="h = c*sin(q)")
    lines.append(Definition.of("q", implicit="(s - c)*sin(q) + h = w*q", start=0.5))
    table = Table.of(lines)
    found = table.evaluate({"l": 3 * unit, "c": unit, "w": 3.2 * unit})
    plain = table.evaluate({"l": 3.0, "c": 1.0, "w": 3.2})
    assert found["q"] == pytest.approx(plain["q"], rel=1e-12)
    assert found["s"] == pytest.approx(plain["s"] * unit, rel=1e-12)


@pytest.mark.parametrize("start", [0, 1e-17, 1, 5])
def test_a_root_at_zero_is_found_although_nothing_is_small_beside_it(start: float) -> None:
    """(x + 10)² = 100.0000000001 − 1e-10 rounds: the correction is never small beside x itself."""
    lines = [Definition.of("x", implicit="(x + p)^2 + 0.1*x = q^2", start=start)]
    found = Table.of(lines).evaluate({"p": 10.1, "q": math.nextafter(10.1, 11)})
    assert abs(found["x"]) < 1e-14


def test_a_double_root_is_found_as_well_as_it_can_be() -> None:
    """Circles that touch: half of the digits."""
    found = Table.of(equations(1, x="(x - 2)^2 + y^2 = 1", y="x^2 + (y - 0)^2 = 1 + 0*y")).evaluate({})
    assert found["x"] == pytest.approx(1, abs=1e-6)
    assert found["y"] == pytest.approx(0, abs=1e-6)


def test_linear_blocks_take_one_step() -> None:
    """Whatever the start; a number in front or below is no obstacle."""
    table = Table.of(equations(1e300, x="2*x + y/p = 3", y="x - 4*y = p*z", z="z + x = 1"))
    (unit,) = table.units
    assert Block.of(unit).linear
    assert max(residuals(table, {"p": 3.0})) < 1e-14
    assert not Block.of(Table.of(equations(x="x + sign(y) = 2", y="x + y = 1")).units[0]).linear
    assert not Block.of(Table.of(equations(x="x*y = 2", y="x + y = 1")).units[0]).linear


def test_equations_without_solution_are_told() -> None:
    """Circles that do not meet: the block, its equations, the residual reached, what to do."""
    with pytest.raises(NoAnswer, match="no solution was found for x, y") as caught:
        two_circles().evaluate(CIRCLES | {"a": 50.0})
    assert "x^2 + y^2 = s^2; largest residual" in caught.value.got
    assert "other start values (now x: 2, y: 2)" in caught.value.fix
    with pytest.raises(NoAnswer, match="for x, y") as caught:
        Table.of(equations(x="x + y = p", y="2*x + 2*y = 1")).evaluate({"p": 1.0})
    assert "depend on one another" in caught.value.why
    with pytest.raises(NoAnswer):
        kepler().evaluate({"M": math.nan, "ec": 0.1})
    with pytest.raises(NoAnswer):
        Table.of(equations(x="exp(x) + x^2 = 0")).evaluate({})


def test_what_depends_on_a_block_cannot_be_expanded() -> None:
    table = Table.of([*kepler().definitions, Definition.of("free", "2*M")])
    assert table.expanded(["free", "M"]) == [2 * symbol("M"), symbol("M")]
    for name in ("E", "d"):
        with pytest.raises(NotSolvable, match=f"'{name}'.* has no closed form"):
            table.expanded([name])


def test_operations_of_a_block_are_those_of_one_evaluation() -> None:
    """E − ec·sin E − M; |E| + |ec·sin E| + |M|; 1 − ec·cos E for the slope and once more for d."""
    assert kepler().operations == 4 + 5 + 3 + 3


# ---------------------------------------------------------------------------------------- printing


def test_equations_are_printed() -> None:
    table = two_circles()
    assert str(table).splitlines()[:2] == ["(a - x)^2 + (b - y)^2 = r^2", "x^2 + y^2 = s^2"]
    assert r"x^{2} + y^{2} &= s^{2}" in table.latex()


@given(st.integers(0, 1000), st.integers(2, 5))
def test_json_gives_tables_with_blocks_back(seed: int, size: int) -> None:
    table, values = random_system(seed, size)
    for each in (table, time_derivative(table, sorted(values)[:1])):
        assert Table.from_json(json.loads(json.dumps(each.to_json()))) == each
        assert Table.of(each.definitions, each.outputs, each.inputs) == each


def test_rows_of_blocks_in_json() -> None:
    rows = two_circles().to_json()["table"]
    assert rows[1] == {"name": "y", "explicit": None, "implicit": "x^2 + y^2 = s^2", "start": "2"}
    assert "start" not in rows[2]


# -------------------------------------------------------------------------------------- derivatives


def entry(table: Table, entries: list[Expression], values: Values) -> list[float]:
    return evaluate(entries, values | table.evaluate(values))


def check_jacobians(table: Table, values: Values, outputs: tuple[str, ...], by: tuple[str, ...]) -> None:
    """Forward, reverse and differences agree."""
    columns, rows = (sweep(table, outputs, by) for sweep in (_columns_forward, _rows_in_reverse))
    for place, output in enumerate(outputs):
        forward = [columns.rows[place].get(column, ZERO) for column in range(len(by))]
        reverse = [rows.rows[place].get(column, ZERO) for column in range(len(by))]
        found = entry(columns.table, forward, values)
        assert found == pytest.approx(entry(rows.table, reverse, values), rel=1e-9, abs=1e-11)
        differences = [slope(table, output, values, name) for name in by]
        assert found == pytest.approx(differences, rel=1e-5, abs=1e-6)
    for found_table in (columns.table, rows.table):
        assert Table.from_json(found_table.to_json()) == found_table


def test_jacobians_of_circles_and_kepler() -> None:
    check_jacobians(two_circles(), CIRCLES, ("x", "y", "u", "z", "v"), ("a", "b", "r", "s"))
    check_jacobians(kepler(), {"M": 1.1, "ec": 0.3}, ("E", "d"), ("M", "ec"))


@pytest.mark.parametrize("seed", range(3))
def test_jacobians_of_a_platform(seed: int) -> None:
    table, values, _ = platform(seed)
    check_jacobians(table, values, ("x0", "y2", "area"), ("l0", "m1", "a2"))


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_jacobians_of_random_systems(seed: int, size: int) -> None:
    table, values = random_system(seed, size)
    check_jacobians(table, values, ("q0", "total", "top"), tuple(sorted(values)))


def test_rates_of_circles_read_as_a_person_writes_them() -> None:
    once = time_derivative(Table.of(two_circles().definitions[:2]), ["s"])
    assert str(once["V_y"]) == "x*V_x + y*V_y = s*V_s"
    assert once.blocks == (("x", "y"), ("V_x", "V_y"))
    assert once["V_x"].start is ZERO
    (*_, unit) = once.units
    assert Block.of(unit).linear


def test_what_does_not_move_has_no_rate() -> None:
    once = time_derivative(two_circles(), ["a"], outputs=["z"])
    assert "V_x" in once
    lines = [*two_circles().definitions, Definition.of("other", "q^2")]
    still = time_derivative(Table.of(lines), ["q"])
    assert not [line.name for line in still if line.name.startswith("V_") and line.name != "V_other"]


@pytest.mark.parametrize("seed", range(6))
def test_accelerations(seed: int) -> None:
    """Twice the time derivative against second differences along p(t) = p + v·t + ½·w·t²."""
    table, values = random_system(seed, 4)
    names = sorted(values)
    once = time_derivative(table, names)
    twice = time_derivative(once, [*names, *(f"V_{name}" for name in names)])
    speeds = {f"V_{name}": 0.3 + 0.1 * k for k, name in enumerate(names)}
    forces = {f"A_{name}": 0.2 - 0.1 * k for k, name in enumerate(names)}
    found = twice.evaluate(values | speeds | forces)

    def at(time: float) -> float:
        moved = {
            name: values[name] + speeds[f"V_{name}"] * time + forces[f"A_{name}"] * time**2 / 2
            for name in names
        }
        return table.evaluate(moved)["top"]

    step = 1e-3
    assert found["V_top"] == pytest.approx((at(step) - at(-step)) / (2 * step), rel=1e-4)
    second = (at(step) - 2 * at(0) + at(-step)) / step**2
    assert found["A_top"] == pytest.approx(second, rel=1e-4, abs=1e-4)


def test_equations_that_lose_their_own_unknown() -> None:
    """Slopes that cancel or vanish: derivatives pair equations and unknowns anew, or say that they cannot."""
    table = Table.of(equations(1, x="x + y = x + p", y="z + x*y = 3", z="x + y*z = z + q"))
    check_jacobians(table, {"p": 1.4, "q": 0.6}, ("x", "y", "z"), ("p", "q"))
    turned = Table.of(equations(1, x="sign(x)*y = p", y="sign(y)*z + y = q", z="sign(z)*x + z = p"))
    check_jacobians(turned, {"p": 1.4, "q": 1.9}, ("x", "y", "z"), ("p", "q"))
    lost = Table.of(equations(1, x="sign(x) + sign(y) = p", y="x + y = q"))
    for sweep in (_columns_forward, _rows_in_reverse):
        with pytest.raises(NotSolvable):
            sweep(lost, ("x",), ("p",))


def test_a_rate_with_another_meaning_is_told() -> None:
    lines = [*two_circles().definitions, Definition.of("V_x", "a")]
    with pytest.raises(NameTaken, match="'V_x' is defined already"):
        time_derivative(Table.of(lines), ["a"])


@pytest.mark.parametrize("seed", range(6))
def test_hessian_vectors(seed: int) -> None:
    """Against differences of the gradient along the direction."""
    table, values = random_system(seed, 3)
    by = sorted(values)
    directions = [f"d{k}" for k in range(len(by))]
    extended, product = table_hessian_vector(table, "top", by, directions)
    along = dict(zip(directions, (0.5, -1.0, 0.7), strict=True))
    found = entry(extended, product, values | along)
    rows = table_jacobian(table, ["top"], by)
    entries = [rows.rows[0].get(column, ZERO) for column in range(len(by))]
    step = 1e-5
    ends = [
        {name: values[name] + sign * step * along[d] for name, d in zip(by, directions, strict=True)}
        for sign in (1, -1)
    ]
    above, below = (entry(rows.table, entries, end) for end in ends)
    wanted = [(a - b) / (2 * step) for a, b in zip(above, below, strict=True)]
    assert found == pytest.approx(wanted, rel=1e-5, abs=1e-7)


@given(
    st.lists(
        st.sampled_from(["x + y = 1", "x*y = x", "x = y^2", "y - sin(x)*y = x", "x/y = y/x", "x = x*y"]),
        min_size=2,
        max_size=2,
    ),
    st.floats(-3, 3),
)
def test_odd_blocks_give_values_or_an_error_of_ours(forms: list[str], start: float) -> None:
    """Whatever two equations say: numbers that satisfy them, or one of our errors."""
    try:
        table = Table.of(equations(start, x=forms[0], y=forms[1]))
        found = table.evaluate({})
        time_derivative(table, [])
    except LinkworkError:
        return
    for line in table:
        left, right = evaluate(line.equation, found)
        assert left == pytest.approx(right, rel=1e-7, abs=1e-7)
