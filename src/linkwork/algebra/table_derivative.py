"""Derivatives through a table: every line gets one line for its derivative, so tables grow linearly.

A line with an implicit form is differentiated in that form (Todd, McLeod and Harris 1994):
r² = x² + y² gives r·r' = x·x' + y·y', one short line, where the explicit form would bring roots and
quotients. ∂A/∂B is called ``A_by_B``; the time derivatives of x are ``V_x``, ``A_x``, ``J_x``.

A block f(x, p) = 0 gives the linear block f_x·x' + f_p·p' = 0 for its rates. In reverse, weights w of the
unknowns become those of p through the adjoints a with f_xᵀ·a = w: the weight of p is −f_pᵀ·a. The adjoint
of x's equation, the change of A for each unit that its sides are apart, is called ``A_via_x``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import gcd

from linkwork.algebra.arithmetic import add, divide, multiply, negate, scale
from linkwork.algebra.differentiate import directional, gradient, jacobian
from linkwork.algebra.expression import (
    ADD,
    COS,
    NUMBER,
    ONE,
    SIN,
    ZERO,
    Expression,
    Operand,
    Symbol,
    core_of,
    exact,
    number,
    symbol,
)
from linkwork.algebra.graph import free_symbols, substitute
from linkwork.algebra.order import Unit, in_units
from linkwork.algebra.table import Definition, Equation, Table, TableBuilder
from linkwork.errors import NameTaken, NotSolvable, UsageError

_NEXT_DERIVATIVE = {"V": "A", "A": "J"}


def rate_name(name: str) -> str:
    """The name of a time derivative.

    >>> rate_name("e"), rate_name("V_e"), rate_name("A_e")
    ('V_e', 'A_e', 'J_e')
    """
    prefix, _, rest = name.partition("_")
    if rest and prefix in _NEXT_DERIVATIVE:
        return f"{_NEXT_DERIVATIVE[prefix]}_{rest}"
    return f"V_{name}"


def time_derivative(table: Table, coordinates: Sequence[str], outputs: Sequence[str] | None = None) -> Table:
    """The table with a rate for every line that moves when the coordinates (inputs) do.

    Applying it again, with the rates among the coordinates, gives accelerations.

    >>> table = Table.of([Definition.of("r", implicit="r^2 = x^2 + 1")])
    >>> print(time_derivative(table, ["x"]))
    r^2 = x^2 + 1
    r*V_r = x*V_x
    >>> twice = time_derivative(time_derivative(table, ["x"]), ["x", "V_x"])
    >>> twice["A_r"].explicit
    (x*A_x + V_x^2 - V_r^2)/r
    """
    _check_inputs(table, coordinates)
    _check_speeds(table, coordinates)
    names = table.outputs if outputs is None else outputs
    rates: dict[str, Expression] = {name: symbol(rate_name(name)) for name in coordinates}
    found = _with_rates(table, rates, rate_name, reuse=True)
    wanted = [*names, *(rate_name(name) for name in names if name in found.rates)]
    build = TableBuilder(found.table.definitions, found.table.inputs)
    speeds: list[str] = []
    for name in names:
        rate = found.rates.get(name)
        if rate is not None and rate is not symbol(rate_name(name)) and rate_name(name) not in build:
            build.define(rate_name(name), rate)  # what moves as something else does keeps its own name
            speeds += [leaf.name for leaf in free_symbols(rate) if leaf.name not in build]
    speeds += [name for name in wanted if name not in build]
    inputs = list(dict.fromkeys([*found.table.inputs, *speeds]))
    return build.table(outputs=list(dict.fromkeys(wanted)), inputs=inputs)


def _check_speeds(table: Table, coordinates: Sequence[str]) -> None:
    """A speed that is an input moves as well: leaving it out would silently hold it constant."""
    for name in coordinates:
        speed = rate_name(name)
        if speed in table.inputs and speed not in coordinates:
            raise UsageError(
                f"{name} moves at {speed}, and {speed} is not said to move",
                got=f"time_derivative(table, {list(coordinates)})",
                why=f"without it {rate_name(speed)} would be taken for 0",
                fix=f"time_derivative(table, {[*coordinates, speed]})",
            )


@dataclass(frozen=True)
class Rates:
    """A table extended by rates, and the rate of each moving name: a symbol of the table or a number."""

    table: Table
    rates: Mapping[str, Expression]


def along(table: Table, rates: Mapping[str, Operand], name_of: Callable[[str], str]) -> Rates:
    """The rates of all lines when the inputs change at the given rates (forward mode, one new line each).

    >>> table = Table.of({"u": "x*y", "v": "sin(u)"})
    >>> print(along(table, {"x": 1}, lambda name: f"{name}_by_x").table)
    u = x*y
    v = sin(u)
    v_by_x = y*cos(u)
    """
    _check_inputs(table, rates)
    return _with_rates(table, rates, name_of)


class NewLines:
    """Lines that are entered one by one, where no table is needed yet."""

    def __init__(self) -> None:
        self.lines: dict[str, Definition] = {}

    def define(
        self,
        name: str,
        explicit: Expression | None = None,
        implicit: Equation | None = None,
        start: Expression | int | None = None,
    ) -> Symbol:
        """A new line."""
        return self.add(Definition.of(name, explicit, implicit, start))

    def add(self, line: Definition) -> Symbol:
        """A new line as it is."""
        self.lines[line.name] = line
        return line.symbol

    def __contains__(self, name: object) -> bool:
        return name in self.lines

    def __getitem__(self, name: str) -> Definition:
        return self.lines[name]


def rates_of_lines(
    lines: Sequence[Definition],
    rates: Mapping[str, Operand],
    name_of: Callable[[str], str],
    spare: Collection[str] = (),
) -> tuple[list[Definition], dict[str, Expression]]:
    """New lines for the rates of lines in an order of dependence, and all rates by name.

    ``rates`` are those of inputs, and of lines that are not to be derived again. In blocks with ``spare`` unknowns
    some equations may follow from others: those of the rates stay in their order, whatever they mention.

    >>> lines = [Definition.of("u", "x*y"), Definition.of("v", "sin(u)")]
    >>> rates_of_lines(lines, {"x": 1}, lambda name: f"{name}_by_x")
    ([v_by_x = y*cos(u)], {'x': 1, 'u': y, 'v': v_by_x})
    """
    known: dict[Expression, Expression] = {symbol(name): number(rate) for name, rate in rates.items()}
    build = NewLines()
    has_blocks = any(line.explicit is None for line in lines)
    for unit in in_units(lines) if has_blocks else [(line,) for line in lines]:
        if len(unit) > 1:
            if any(line.name in spare for line in unit):
                _add_spare_block_rates(unit, known, name_of, build)
            elif not all(line.symbol in known for line in unit):
                _add_block_rates(unit, known, name_of, build, reuse=False)
            continue
        line = unit[0]
        if line.symbol in known:
            continue
        explicit, implicit = _line_rate(line, known, name_of)
        if explicit.arguments:
            known[line.symbol] = build.define(name_of(line.name), explicit, implicit)
        elif explicit is not ZERO:
            known[line.symbol] = explicit  # a symbol or a number needs no line of its own
    found = {leaf.name: rate for leaf, rate in known.items() if isinstance(leaf, Symbol)}
    return list(build.lines.values()), found


def _with_rates(
    table: Table, rates: Mapping[str, Operand], name_of: Callable[[str], str], reuse: bool = False
) -> Rates:
    """One new line for each that moves; with ``reuse`` a rate that stands there already is taken."""
    known: dict[Expression, Expression] = {symbol(name): number(rate) for name, rate in rates.items()}
    build = TableBuilder(table.definitions, table.inputs)
    for unit in table.units:
        if len(unit) > 1:
            _add_block_rates(unit, known, name_of, build, reuse)
            continue
        (line,) = unit
        if line.symbol in known:
            continue
        explicit, implicit = _line_rate(line, known, name_of)
        own = name_of(line.name)
        if reuse and own in table and explicit is not ZERO:
            if table[own].value is not explicit:
                raise _other_meaning(table[own], line, f"{own} = {explicit}")
            known[line.symbol] = symbol(own)
        elif explicit.arguments:
            known[line.symbol] = build.define(name_of(line.name), explicit, implicit)
        elif explicit is not ZERO:
            known[line.symbol] = explicit  # a symbol or a number needs no line of its own
    extended = build.table(outputs=table.outputs)
    return Rates(extended, {leaf.name: rate for leaf, rate in known.items() if isinstance(leaf, Symbol)})


def _add_block_rates(
    unit: Unit,
    known: dict[Expression, Expression],
    name_of: Callable[[str], str],
    build: TableBuilder | NewLines,
    reuse: bool,
) -> None:
    """The linear equations that the rates of a block's unknowns satisfy, entered where any of them moves."""
    own, rates = _block_rates(unit, known, name_of)
    if not own:
        return
    equations = [_without_common_factor(*sides) for sides in rates]
    for line, equation in zip(unit, _paired(list(own.values()), equations), strict=True):
        name = name_of(line.name)
        if reuse and name in build:
            if build[name].implicit != equation:
                raise _other_meaning(build[name], line, " = ".join(map(str, equation)))
        else:
            build.define(name, implicit=equation, start=0)
    known |= own


def _add_spare_block_rates(
    unit: Unit, known: dict[Expression, Expression], name_of: Callable[[str], str], build: NewLines
) -> None:
    """The same where some equations may follow from others: their matrix is that of the block, entry by entry.

    It has a row for each unknown in the order of the unknowns, so it is symmetric where that of the block is.
    """
    own, rates = _block_rates(unit, known, name_of)
    if not own:
        return
    for line, equation in zip(unit, rates, strict=True):
        build.add(Definition(name_of(line.name), None, equation, ZERO))
    known |= own


def _block_rates(
    unit: Unit, known: Mapping[Expression, Expression], name_of: Callable[[str], str]
) -> tuple[dict[Expression, Expression], list[Equation]]:
    """The rates of a block's unknowns and the equations they satisfy, one for each of the block; none if none moves."""
    sides = [side for line in unit for side in line.equation]
    moving: dict[Expression, Expression] = {
        leaf: known[leaf] for line in unit for leaf in line.mentions if leaf in known
    }
    by_others = directional(sides, moving)
    if all(left is right for left, right in zip(by_others[::2], by_others[1::2], strict=True)):
        return {}, []
    own: dict[Expression, Expression] = {line.symbol: symbol(name_of(line.name)) for line in unit}
    rates = directional(sides, moving | own)
    return own, list(zip(rates[::2], rates[1::2], strict=True))


def _paired(unknowns: Sequence[Expression], equations: Sequence[Equation]) -> list[Equation]:
    """The equations in such an order that each mentions its unknown: by augmenting paths (Kuhn 1955)."""
    mentioned = [set(free_symbols(*equation)) for equation in equations]
    if all(unknown in names for unknown, names in zip(unknowns, mentioned, strict=True)):
        return list(equations)
    user: dict[int, int] = {}  # the equation that each unknown is given to
    given: dict[int, int] = {}  # the unknown that each equation is given
    for first in range(len(equations)):
        reached: dict[int, int] = {}  # unknowns, by the equation that first asked for them
        asking = [first]
        for equation in asking:
            wished = [
                k for k, each in enumerate(unknowns) if each in mentioned[equation] and k not in reached
            ]
            reached.update(dict.fromkeys(wished, equation))
            asking += [user[k] for k in wished if k in user]
        free = [k for k in reached if k not in user]
        if not free:
            raise NotSolvable(
                "the equations of a block do not determine its derivatives",
                got="; ".join(f"{left} = {right}" for left, right in equations[:5]),
                why="one of them depends on too few of the unknowns",
            )
        unknown: int | None = free[0]
        while unknown is not None:
            equation = user[unknown] = reached[unknown]
            before = given.get(equation)
            given[equation], unknown = unknown, before
    return [equations[user[k]] for k in range(len(unknowns))]


def _other_meaning(present: Definition, line: Definition, wanted: str) -> NameTaken:
    return NameTaken(
        f"'{present.name}' is defined already, and not as the rate of {line.name}",
        got=str(present),
        wanted=wanted,
        fix=f"call the other one {present.name}_",
    )


def _check_inputs(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if name not in table.inputs:
            raise UsageError(
                f"'{name}' is not an input of the table",
                got=str(table[name]) if name in table else name,
                wanted="one of " + ", ".join(table.inputs),
                fix="differentiate by inputs" + (f" such as {table.inputs[0]}" if table.inputs else ""),
            )


def _line_rate(
    line: Definition, known: Mapping[Expression, Expression], name_of: Callable[[str], str]
) -> tuple[Expression, tuple[Expression, Expression] | None]:
    """The explicit form of a line's rate, and the implicit one where the line has one."""
    rates: dict[Expression, Expression] = {leaf: known[leaf] for leaf in line.mentions if leaf in known}
    if line.implicit is None:
        return _with_own_name(directional([line.value], rates), line)[0], None
    left, right = line.implicit
    own = symbol(name_of(line.name))
    own_by_left, own_by_right = (gradient(side, [line.symbol])[0] for side in (left, right))
    others_left, others_right = directional([left, right], rates)
    slope = add(own_by_left, negate(own_by_right))
    difference = add(others_right, negate(others_left))
    if difference is ZERO:
        return ZERO, None
    moving_left = add(multiply(own_by_left, own), others_left)
    moving_right = add(multiply(own_by_right, own), others_right)
    if slope is ONE or not free_symbols(slope):
        return divide(difference, slope), None
    return divide(difference, slope), _without_common_factor(moving_left, moving_right)


def _with_own_name(rates: list[Expression], line: Definition) -> list[Expression]:
    """Rates in which the line's own value, as in (a/b)' = (a' − (a/b)·b')/b, goes by the line's name."""
    core = core_of(line.value)
    if not core.arguments or core.operation in (ADD, SIN, COS):  # these do not come back when differentiated
        return rates
    return substitute(rates, {core: divide(line.symbol, line.value.coefficient)})


def _without_common_factor(left: Expression, right: Expression) -> Equation:
    """2·r·r' = 2·x·x' as r·r' = x·x'."""
    a, b = left.coefficient.value, right.coefficient.value
    if right is ZERO and left is not ZERO:
        return scale(exact(1 / Fraction(a)), left), right
    if left.operation is NUMBER or right.operation is NUMBER:
        return left, right
    common = Fraction(gcd(a.numerator, b.numerator), gcd(a.denominator, b.denominator))
    factor = exact(1 / common)
    return scale(factor, left), scale(factor, right)


# ------------------------------------------------------------------------- many rows, many columns


@dataclass(frozen=True)
class TableJacobian:
    """A table extended by derivatives; ``rows[i][j]`` is ∂outputs[i]/∂by[j], absent where it is zero."""

    table: Table
    outputs: tuple[str, ...]
    by: tuple[str, ...]
    rows: tuple[Mapping[int, Expression], ...]


def table_jacobian(table: Table, outputs: Sequence[str], by: Sequence[str]) -> TableJacobian:
    """All nonzero derivatives of the outputs by the inputs, forward or reverse, whichever is less work.

    >>> table = Table.of({"u": "x*y", "v": "sin(u)"})
    >>> jacobian = table_jacobian(table, ["v"], ["x", "y"])
    >>> print(jacobian.table)
    u = x*y
    v = sin(u)
    v_by_u = cos(u)
    v_by_x = y*v_by_u
    v_by_y = x*v_by_u
    >>> jacobian.rows
    ({0: v_by_x, 1: v_by_y},)
    """
    _check_inputs(table, by)
    for output in outputs:
        if output not in table.inputs:
            table[output]  # an unknown name is told here
    sweep = _columns_forward if len(by) < len(outputs) else _rows_in_reverse
    return sweep(table, tuple(outputs), tuple(by))


def _columns_forward(table: Table, outputs: tuple[str, ...], by: tuple[str, ...]) -> TableJacobian:
    lines = list(table.definitions)
    rows: list[dict[int, Expression]] = [{} for _ in outputs]
    for column, name in enumerate(by):
        found = along(table, {name: 1}, partial(_by_name, name))
        lines += [line for line in found.table if line.name not in table]
        for row, output in enumerate(outputs):
            rate = found.rates.get(output, ZERO)
            if rate is not ZERO:
                rows[row][column] = rate
    build = TableBuilder(lines, table.inputs)
    return TableJacobian(build.table(outputs=table.outputs), outputs, by, tuple(rows))


def _by_name(symbol_name: str, line_name: str) -> str:
    return f"{line_name}_by_{symbol_name}"


def _rows_in_reverse(table: Table, outputs: tuple[str, ...], by: tuple[str, ...]) -> TableJacobian:
    build = TableBuilder(table.definitions, table.inputs)
    needed = _names_depending_on(table, by)
    rows = []
    for output in outputs:
        weight: dict[str, Expression] = {output: ONE}
        for unit in reversed(table.units):
            if len(unit) > 1:
                if unit[0].name in needed:
                    _pass_through_block(unit, output, weight, needed, build)
                continue
            (line,) = unit
            above = _named(build, output, line.name, weight)
            if above is None or line.name not in needed:
                continue
            for name, by_name in line_partials(line).items():
                if name in needed and by_name is not ZERO:
                    weight[name] = add(weight.get(name, ZERO), multiply(by_name, above))
        row = {column: _named(build, output, name, weight) for column, name in enumerate(by)}
        rows.append({column: value for column, value in row.items() if value is not None})
    extended = build.table(outputs=table.outputs)
    return TableJacobian(extended, outputs, by, tuple(rows))


def _pass_through_block(
    unit: Unit, output: str, weight: dict[str, Expression], needed: set[str], build: TableBuilder
) -> None:
    """Hand the weights of a block's unknowns on to what its equations mention, through the adjoints."""
    named = [_named(build, output, line.name, weight) for line in unit]
    above = [ZERO if each is None else each for each in named]
    if all(each is ZERO for each in above):
        return
    unknowns = [line.symbol for line in unit]
    others = sorted({leaf.name for line in unit for leaf in line.mentions} & needed)
    by = [*unknowns, *(symbol(name) for name in others if symbol(name) not in unknowns)]
    differences = [add(left, negate(right)) for left, right in (line.equation for line in unit)]
    rows = jacobian(differences, by)
    adjoints = [symbol(f"{output}_via_{line.name}") for line in unit]
    totals: list[Expression] = [ZERO] * len(by)
    for row, adjoint in zip(rows, adjoints, strict=True):
        for column, slope in row.items():
            totals[column] = add(totals[column], multiply(slope, adjoint))
    equations = [_without_common_factor(*sides) for sides in zip(totals, above, strict=False)]
    for adjoint, equation in zip(adjoints, _paired(adjoints, equations), strict=True):
        build.define(adjoint.name, implicit=equation, start=0)
    for leaf, total in zip(by[len(unit) :], totals[len(unit) :], strict=True):
        if total is not ZERO and isinstance(leaf, Symbol):
            weight[leaf.name] = add(weight.get(leaf.name, ZERO), negate(total))


def _named(
    build: TableBuilder, output: str, name: str, weight: Mapping[str, Expression]
) -> Expression | None:
    """∂output/∂name, entered as a line unless it is a symbol or a number; None where it is zero."""
    value = weight.get(name, ZERO)
    if value is ZERO:
        return None
    if not value.arguments:
        return value
    return build.define(_by_name(name, output), value)


def _names_depending_on(table: Table, by: Sequence[str]) -> set[str]:
    needed = set(by)
    for unit in table.units:
        if any(leaf.name in needed for line in unit for leaf in line.mentions):
            needed.update(line.name for line in unit)
    return needed


def line_partials(line: Definition) -> dict[str, Expression]:
    """∂line/∂(each name it mentions), by the implicit form where there is one."""
    names = [leaf.name for leaf in line.mentions]
    if line.implicit is None:
        slopes = _with_own_name(gradient(line.value, line.mentions), line)
        return dict(zip(names, slopes, strict=True))
    left, right = line.implicit
    own, *others = gradient(add(right, negate(left)), [line.symbol, *line.mentions])
    return {name: divide(other, negate(own)) for name, other in zip(names, others, strict=True)}


def table_hessian_vector(
    table: Table, output: str, by: Sequence[str], direction: Sequence[str]
) -> tuple[Table, list[Expression]]:
    """The Hessian of an output times a vector of new inputs: the table and the product's entries in it.

    >>> table = Table.of({"u": "x*y", "v": "sin(u)"})
    >>> extended, product = table_hessian_vector(table, "v", ["x", "y"], ["p", "q"])
    >>> product
    [D_v_by_x, D_v_by_y]
    >>> extended["D_v_by_x"]
    D_v_by_x = q*v_by_u + y*D_v_by_u
    """
    gradient_table = table_jacobian(table, [output], by)
    rates = {name: symbol(along_it) for name, along_it in zip(by, direction, strict=True)}
    found = _with_rates(gradient_table.table, rates, lambda name: f"D_{name}")
    entries = [gradient_table.rows[0].get(column, ZERO) for column in range(len(by))]
    return found.table, directional(entries, {symbol(name): rate for name, rate in found.rates.items()})
