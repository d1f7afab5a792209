"""How a machine's rates and what is reported of it change along a direction, exactly: forward derivatives of its lines.

Of x′ = f(x, u) and y = g(x, q₀, u), with q₀ from h(x, q₀) = 0, the derivatives along (dx, du) are f_x·dx + f_u·du and
g_x·dx + g_q·dq₀ + g_u·du, where h_x·dx + h_q·dq₀ = 0. Every line gets one line for its derivative; a block that is
solved together gets a linear block with the same matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from linkwork.algebra import Definition, Expression, Symbol, directional, free_symbols, symbol
from linkwork.algebra.order import in_units
from linkwork.algebra.table_derivative import rates_of_lines
from linkwork.dynamics.synthesis import Synthesis, solved_linearly
from linkwork.emit import Program
from linkwork.model.drive import CLOCK


def tangent_programs(synthesis: Synthesis) -> tuple[Program, Program]:
    """The functions ``derivative_along`` and ``observe_along``."""
    return _derivative_along(synthesis), _observe_along(synthesis)


def dependencies_of_rates(synthesis: Synthesis) -> list[set[str]]:
    """The states, inputs and the clock on which each rate of the state depends."""
    return _dependencies(synthesis.state_rates, synthesis.motion_lines, _known(synthesis))


def dependencies_of_columns(synthesis: Synthesis) -> dict[str, set[str]]:
    """The states, inputs and the clock on which each observed quantity depends."""
    unknown = [Definition(name, None, (zero, zero), None) for name, zero in _zeroth_equations(synthesis)]
    lines = [*unknown, *synthesis.observation_lines]
    found = _dependencies(synthesis.observed.values(), lines, _known(synthesis))
    return dict(zip(synthesis.observed, found, strict=True))


def _known(synthesis: Synthesis) -> set[str]:
    return {leaf.name for leaf in (*synthesis.y, *synthesis.spec.controls, CLOCK)}


def _zeroth_equations(synthesis: Synthesis) -> Iterable[tuple[str, Expression]]:
    for unknowns, zeros in synthesis.zeroth_zeros:
        yield from zip(unknowns, zeros, strict=True)


def _dependencies(
    results: Iterable[Expression], lines: Sequence[Definition], known: set[str]
) -> list[set[str]]:
    needs: dict[str, set[str]] = {name: {name} for name in known}

    def of(leaves: Iterable[Symbol]) -> set[str]:
        return set().union(*(needs.get(leaf.name, ()) for leaf in leaves))

    for unit in in_units(lines):
        found = of(leaf for line in unit for leaf in line.mentions)
        needs |= {line.name: found for line in unit}
    return [of(free_symbols(each)) for each in results]


def _seeds(synthesis: Synthesis) -> tuple[list[Symbol], list[Symbol]]:
    """The directions of the state and of the controls."""
    states = [symbol(f"along_of.{leaf.name}") for leaf in synthesis.y]
    return states, [symbol(f"along_of_control.{leaf.name}") for leaf in synthesis.spec.controls]


def _direction(synthesis: Synthesis) -> dict[Symbol, Expression]:
    dy, dc = _seeds(synthesis)
    return dict(zip((*synthesis.y, *synthesis.spec.controls), (*dy, *dc), strict=True))


def _along(name: str) -> str:
    return f"along_of_line.{name}"


def _derivative_along(synthesis: Synthesis) -> Program:
    lines = synthesis.motion_lines
    return _program(synthesis, "derivative_along", synthesis.state_rates, lines, [], _direction(synthesis))


def _observe_along(synthesis: Synthesis) -> Program:
    return _values_along(synthesis, "observe_along", list(synthesis.observed.values()), {})


def values_along(synthesis: Synthesis, name: str, values: Sequence[Expression]) -> Program:
    """The derivatives of formulas of the state along (dx, du, dt): the direction of time is behind the controls'."""
    return _values_along(synthesis, name, values, {CLOCK: symbol("along_of_clock")})


def _values_along(
    synthesis: Synthesis, name: str, values: Sequence[Expression], clock: Mapping[Symbol, Symbol]
) -> Program:
    direction = {**_direction(synthesis), **clock}
    moved: dict[Symbol, Symbol] = {leaf: symbol(f"along_of.{leaf.name}") for leaf in synthesis.q0}
    own: list[Definition] = []
    rates: dict[Expression, Expression] = {
        leaf: rate for each in (direction, moved) for leaf, rate in each.items()
    }
    for unknowns, zeros in synthesis.zeroth_zeros:
        own += solved_linearly(directional(zeros, rates), [moved[symbol(name)] for name in unknowns])
    lines = synthesis.observation_lines
    return _program(synthesis, name, values, lines, own, {**direction, **moved}, [*clock.values()])


def _program(
    synthesis: Synthesis,
    name: str,
    results: Sequence[Expression],
    lines: Sequence[Definition],
    own: Sequence[Definition],
    direction: Mapping[Symbol, Expression],
    clock: Sequence[Symbol] = (),
) -> Program:
    """The derivatives of results of lines along a direction, some of whose entries have lines of their own."""
    ordered = [line for unit in in_units(lines) for line in unit]
    more, rates = rates_of_lines(ordered, {leaf.name: rate for leaf, rate in direction.items()}, _along)
    moving: dict[Expression, Expression] = {symbol(leaf): rate for leaf, rate in rates.items()}
    dy, dc = _seeds(synthesis)
    zeroth = [] if name == "derivative_along" else [("q0", synthesis.q0)]
    inputs = [
        ("y", synthesis.y), *zeroth, ("c", synthesis.controls), ("clock", (CLOCK,)), ("dy", dy),
        ("dc", (*dc, *clock)),
    ]  # fmt: skip
    outputs = [("d", directional(list(results), moving), ())]
    settled = [line for unit in in_units([*own, *ordered, *more]) for line in unit]
    return synthesis.program(name, inputs, outputs, settled)
