"""Derivatives through tables against derivatives of plain expressions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from algebra_oracle import Near, NoValue, by_graph, near, slopes
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import (
    Definition,
    Expression,
    Table,
    along,
    evaluate,
    free_symbols,
    gradient,
    hessian_vector,
    jacobian,
    number,
    operation_count,
    parse,
    symbol,
    symbols,
    table_hessian_vector,
    table_jacobian,
    time_derivative,
)
from linkwork.algebra.table_derivative import rate_name
from strategies import NAMES, points, tables

x, y, z = BY = symbols(NAMES)
ZERO = number(0)
Values = dict[str, float]


def line_by_line(table: Table, values: Values) -> dict[str, Near]:
    """The values of a table's lines, each from the lines before it."""
    known = near(values)
    try:
        for line in table:
            known[line.name] = by_graph([line.value], known)[0]
    except NoValue:
        assume(False)
    return known


def in_table(entries: Sequence[Expression], table: Table, values: Values) -> list[Near]:
    """The values of expressions over the names of a table."""
    return by_graph(entries, line_by_line(table, values))


def plain(entries: Sequence[Expression], values: Values) -> list[Near]:
    """The values of expressions over inputs."""
    try:
        return by_graph(entries, near(values))
    except NoValue:
        assume(False)
        raise


def agree(found: Sequence[Near], wanted: Sequence[Near]) -> bool:
    """Whether two vectors may be the same."""
    return all(a.agrees_with(b) for a, b in zip(found, wanted, strict=True))


# --------------------------------------------------------------------------------- the paper's example


def paper_table() -> Table:
    """The table of Todd, McLeod and Harris (1994), "Intermediate Variables"."""
    lines = [Definition.of("x", "t^2"), Definition.of("y", "cos(t)")]
    return Table.of([*lines, Definition.of("z", implicit="z^2 = x^2 + y^2")])


def test_the_first_derivative_of_the_paper() -> None:
    """x = t², y = cos t, z² = x² + y² gives x' = 2t, y' = −sin t and z·z' = x·x' + y·y'."""
    found = along(paper_table(), {"t": 1}, rate_name)
    rows = {line.name: line for line in found.table}
    assert rows["V_x"].explicit is parse("2*t")
    assert rows["V_y"].explicit is parse("-sin(t)")
    assert rows["V_z"].implicit == (parse("z*V_z"), parse("x*V_x + y*V_y"))
    assert rows["V_z"].explicit is parse("(x*V_x + y*V_y)/z")
    assert found.rates == {"t": number(1)} | {name: symbol(f"V_{name}") for name in "xyz"}


def test_the_second_derivative_of_the_paper() -> None:
    """z'' = (x·x'' + x'² + y·y'' + y'² − z'²)/z, in these names and no others."""
    twice = time_derivative(time_derivative(paper_table(), ["t"]), ["t", "V_t"])
    found = twice["A_z"].value
    wanted = parse("(x*A_x + V_x^2 + y*A_y + V_y^2 - V_z^2)/z")
    assert free_symbols(found) == free_symbols(wanted)
    values = {leaf.name: 0.3 + 0.2 * place for place, leaf in enumerate(free_symbols(wanted))}
    assert agree(plain([found], values), plain([wanted], values))
    assert operation_count([found]) <= operation_count([wanted])


def test_implicit_forms_differentiate_to_less() -> None:
    """z'' by the implicit form takes fewer operations than the paper's result by the explicit one."""
    twice = time_derivative(time_derivative(paper_table(), ["t"]), ["t", "V_t"])
    by_implicit = [twice[name].value for name in ("z", "V_z", "A_z")]
    above = "(x*A_x + V_x^2 + y*A_y + V_y^2)*(x^2 + y^2) - (x*V_x + y*V_y)^2"
    by_explicit = [twice["z"].value, twice["V_z"].value, parse(f"({above})/(x^2 + y^2)^(3/2)")]
    values = {leaf.name: 0.5 + place for place, leaf in enumerate(free_symbols(*by_explicit))}
    values["z"] = evaluate([twice["z"].value], values)[0]
    values["V_z"] = evaluate([twice["V_z"].value], values)[0]
    assert evaluate(by_implicit, values) == pytest.approx(evaluate(by_explicit, values), rel=1e-14)
    assert operation_count(by_implicit) < operation_count(by_explicit)


@pytest.mark.parametrize("implicit", ["u^3 = x^2 + y^2", "u^2 = x^2 + y^2", "u*(x + y) = x"])
def test_implicit_roots_and_quotients_never_cost_more(implicit: str) -> None:
    """A root or a quotient differentiates in its implicit form to no more operations than in the explicit."""
    line = Definition.of("u", implicit=implicit)
    counts = []
    for table in (Table.of([line]), Table.of({"u": line.value})):
        twice = time_derivative(time_derivative(table, ["x", "y"]), ["x", "y", "V_x", "V_y"])
        counts.append(twice.operations)
    assert counts[0] <= counts[1]


# ---------------------------------------------------------------------------------------- random tables


@given(tables(), points(), points())
def test_rates_are_slopes(table: Table, values: Values, along_it: Values) -> None:
    """along() gives every line the slope that the expanded line has along the direction."""
    expanded = table.expanded()
    try:
        wanted = slopes(expanded, values, along_it)
    except NoValue:
        assume(False)
    found = along(table, along_it, lambda name: f"rate_{name}")
    rates = [found.rates.get(line.name, ZERO) for line in table]
    assert agree(in_table(rates, found.table, values), wanted)
    assert set(table) <= set(found.table)
    assert len(found.table) <= 2 * len(table)


@given(tables(), points(), st.lists(st.sampled_from(range(6)), min_size=1, max_size=6), st.integers(1, 3))
def test_table_jacobians_are_jacobians(table: Table, values: Values, places: list[int], width: int) -> None:
    """Whatever the shape, and so whichever sweep, the entries are those of the expanded outputs."""
    outputs = list(dict.fromkeys(table.definitions[place % len(table)].name for place in places))
    found = table_jacobian(table, outputs, NAMES[:width])
    assert (found.outputs, found.by) == (tuple(outputs), NAMES[:width])
    rows = jacobian(table.expanded(outputs), BY[:width])
    for row, wanted in zip(found.rows, rows, strict=True):
        entries = [row.get(column, ZERO) for column in range(width)]
        plain_ones = [wanted.get(column, ZERO) for column in range(width)]
        assert agree(in_table(entries, found.table, values), plain(plain_ones, values))
        assert ZERO not in row.values()


def test_both_sweeps_agree() -> None:
    """Three outputs by one input go forward, one output by three inputs in reverse: the same entries."""
    table = Table.of(
        [
            Definition.of("r", implicit="r^2 = x^2 + y^2 + 1"),
            Definition.of("u", "r*sin(z)"),
            Definition.of("v", implicit="u*v + v = z*r"),
        ]
    )
    values = {"x": 0.4, "y": 0.9, "z": 1.3}
    tall = table_jacobian(table, ["r", "u", "v"], ["z"])
    wide = [table_jacobian(table, [name], NAMES) for name in ("r", "u", "v")]
    for row in range(3):
        forward = in_table([tall.rows[row].get(0, ZERO)], tall.table, values)
        reverse = in_table([wide[row].rows[0].get(2, ZERO)], wide[row].table, values)
        assert agree(forward, reverse)
    assert {line.name for line in tall.table} == {"r", "u", "v", "u_by_z", "v_by_z"}
    assert "v_by_r" in wide[2].table


@given(tables(4), points(), points())
def test_the_second_time_derivative(table: Table, values: Values, rest: Values) -> None:
    """Twice the time derivative: rates and accelerations are those of the expanded lines."""
    once = time_derivative(table, NAMES)
    moving = [*NAMES, *(f"V_{name}" for name in NAMES)]
    twice = time_derivative(once, [name for name in moving if name in once.inputs])
    numbers = (
        values | {f"V_{name}": rest[name] for name in NAMES} | {f"A_{name}": rest[name] / 2 for name in NAMES}
    )
    known = line_by_line(twice, numbers)
    first = [sum_of(gradient(e, BY), symbols(moving[3:])) for e in table.expanded()]
    rates = symbols([*moving[3:], *(f"A_{name}" for name in NAMES)])
    second = [sum_of(gradient(e, symbols(moving)), rates) for e in first]
    of_lines = along(table, {name: symbol(f"V_{name}") for name in NAMES}, rate_name).rates
    for line, rate, acceleration in zip(table, plain(first, numbers), plain(second, numbers), strict=True):
        if f"V_{line.name}" in twice:
            assert known[f"V_{line.name}"].agrees_with(rate)
        else:
            assert not of_lines.get(line.name, ZERO).arguments
        if f"A_{line.name}" in twice:
            assert known[f"A_{line.name}"].agrees_with(acceleration)


def sum_of(slope: Sequence[Expression], rates: Sequence[Expression]) -> Expression:
    """Σ slope · rate."""
    return sum((a * b for a, b in zip(slope, rates, strict=True)), start=ZERO)


@given(tables(), points(), points())
def test_table_hessian_vectors_are_hessian_vectors(table: Table, values: Values, rest: Values) -> None:
    """The Hessian of an output times new inputs is that of the expanded output."""
    output = table.definitions[-1].name
    extended, product = table_hessian_vector(table, output, NAMES, ["p", "q", "r"])
    wanted = hessian_vector(table.expanded([output])[0], BY, symbols("p q r"))
    named = values | dict(zip("pqr", rest.values(), strict=True))
    assert agree(in_table(product, extended, named), plain(wanted, named))


# ---------------------------------------------------------------------------------------------- growth


def test_tables_grow_linearly() -> None:
    """Differentiating adds at most one line a line, each time, and a bounded number of operations."""
    per_line = []
    for count in (50, 100, 200, 400):
        lines = [Definition.of("u0", implicit="u0^2 = x^2 + 1")]
        for place in range(1, count):
            before = f"u{place - 1}"
            if place % 2:
                lines.append(Definition.of(f"u{place}", f"sin({before}) + x*{before}/{place}"))
            else:
                lines.append(Definition.of(f"u{place}", implicit=f"u{place}^2 = {before}^2 + y^2"))
        table = Table.of(lines)
        once = time_derivative(table, ["x", "y"])
        twice = time_derivative(once, ["x", "y", "V_x", "V_y"])
        gradient_table = table_jacobian(table, [f"u{count - 1}"], ["x", "y"]).table
        assert len(once) == 2 * count
        assert len(twice) == 3 * count
        assert len(gradient_table) <= 2 * count + 2
        per_line.append([each.operations / count for each in (table, once, twice, gradient_table)])
    for small, large in zip(per_line[0], per_line[-1], strict=True):
        assert large < 1.05 * small
        assert large < 40


# ---------------------------------------------------------------------------------------------- names


def test_names_of_rates() -> None:
    """x, V_x, A_x, J_x: position, velocity, acceleration, jerk."""
    assert [rate_name(name) for name in ("x", "V_x", "A_x")] == ["V_x", "A_x", "J_x"]
    assert rate_name("crank_angle") == "V_crank_angle"


def test_what_does_not_move_has_no_line() -> None:
    """Lines that do not depend on the moving inputs stay as they are; constants and inputs have rates too."""
    table = Table.of({"a": "y^2", "b": "x", "c": "2*x", "d": "a*x"}, outputs=["a", "b", "c", "d", "x"])
    once = time_derivative(table, ["x"])
    assert [line.name for line in once if line.name.startswith("V_")] == ["V_c", "V_d", "V_b"]
    assert once["V_b"].value is symbol("V_x")
    assert once.inputs == ("x", "y", "V_x")
    assert set(once.outputs) >= {"a", "b", "c", "d", "x", "V_c", "V_d", "V_x"}
    found = table_jacobian(table, ["x", "a", "c"], ["x", "y"])
    assert found.rows[0] == {0: number(1)}
    assert found.rows[2] == {0: number(2)}


def both_forms() -> Table:
    """r by x and y, and also by r² = s."""
    lines = [Definition.of("r", "sqrt(x^2 + y^2)", "r^2 = s"), Definition.of("s", "x^2 + y^2")]
    return Table.of(lines)


def test_names_of_the_implicit_form_count() -> None:
    """Both forms of a line name what it needs, so that ∂r/∂x is found through either."""
    assert table_jacobian(both_forms(), ["r"], ["x"]).rows[0]
    assert "V_r" in time_derivative(both_forms(), ["x"])


def test_derivative_tables_keep_the_inputs() -> None:
    """Declared inputs keep their order and stay, used or not."""
    table = Table.of({"u": "2*z"}, inputs=["z", "x"])
    once = time_derivative(table, ["x", "z"])
    assert [name for name in once.inputs if name in table.inputs] == ["z", "x"]
