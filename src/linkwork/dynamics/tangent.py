"""How a machine's rates and what is reported of it change along a direction, exactly: forward derivatives of its lines.

Of x′ = f(x, u) and y = g(x, q₀, u), with q₀ from h(x, q₀) = 0, the derivatives along (dx, du) are f_x·dx + f_u·du and
g_x·dx + g_q·dq₀ + g_u·du, where h_x·dx + h_q·dq₀ = 0. Every line gets one line for its derivative; a block that is
solved together gets a linear block with the same matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from linkwork.algebra import Definition, Expression, Symbol, directional, free_symbols, symbol
from linkwork.algebra.expression import ONE
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
    lines = _ordered(synthesis.motion_lines)
    seeds = {leaf.name: rate for leaf, rate in _direction(synthesis).items()}
    more, found = rates_of_lines(lines, seeds, _along, synthesis.derivative.shortest)
    rates = directional(list(synthesis.state_rates), {symbol(leaf): rate for leaf, rate in found.items()})
    dy, dc = _seeds(synthesis)
    inputs = [("y", synthesis.y), ("c", synthesis.controls), ("clock", (CLOCK,)), ("dy", dy), ("dc", dc)]
    program = synthesis.program("derivative_along", inputs, [("d", rates, ())], _ordered([*lines, *more]))
    return _shortest_along(synthesis, program)


def _observe_along(synthesis: Synthesis) -> Program:
    return _values_along(synthesis, "observe_along", list(synthesis.observed.values()), {})


def values_along(synthesis: Synthesis, name: str, values: Sequence[Expression]) -> Program:
    """The derivatives of formulas of the state along (dx, du, dt): the direction of time is behind the controls'."""
    return _values_along(synthesis, name, values, {CLOCK: symbol("along_of_clock")})


def motion_program(
    synthesis: Synthesis, name: str, values: Sequence[Expression], more: Sequence[Expression] = ()
) -> Program:
    """The rates of the state; formulas of the state, and more of them; the rates of the former formulas.

    All of it in one function, for what they share is computed once.
    """
    direction = dict(zip(synthesis.y, synthesis.state_rates, strict=True))
    lines, rates = _rates_of_values(synthesis, values, {**direction, CLOCK: ONE}, _along)
    outputs = [("rate", synthesis.state_rates, ()), ("out", [*values, *more], ()), ("d", rates, ())]
    lines = _ordered([*synthesis.motion_lines, *synthesis.observation_lines, *lines])
    program = synthesis.program(name, _of_state(synthesis), outputs, lines)
    return replace(program, shortest=synthesis.derivative.shortest)


def response_program(
    synthesis: Synthesis,
    name: str,
    values: Sequence[Expression],
    loads: Sequence[Symbol],
    places: Sequence[Expression] = (),
) -> Program:
    """What loads, which are controls, do to the rates of the state; what these do to the rates of formulas.

    Some formulas of the state, ``places``, are inputs: who asks has them, and they need not be computed again.
    """
    told = [symbol(f"place_{number}") for number in range(len(places))]
    given = [symbol(f"along_of_control.{leaf.name}") for leaf in loads]
    motion = _ordered(synthesis.motion_lines)
    seeds = {leaf.name: rate for leaf, rate in zip(loads, given, strict=True)}
    more, moving = rates_of_lines(motion, seeds, _along, synthesis.derivative.shortest)
    response = directional(list(synthesis.state_rates), {symbol(leaf): rate for leaf, rate in moving.items()})
    direction = dict(zip(synthesis.y, response, strict=True))
    lines, rates = _rates_of_values(synthesis, values, direction, lambda leaf: f"response_of_line.{leaf}")
    lines = _ordered([*motion, *more, *synthesis.observation_lines, *lines])
    inputs = [*_of_state(synthesis), ("place", told), ("dc", given)]
    known = {each: leaf for each, leaf in zip(places, told, strict=True) if _is_formula(each)}
    program = synthesis.program(name, inputs, [("rate", response, ()), ("d", rates, ())], lines, known)
    return _shortest_along(synthesis, program)


def _is_formula(value: Expression) -> bool:
    """Whether it is neither a leaf nor a number, which cost nothing."""
    return not isinstance(value, Symbol) and bool(free_symbols(value))


def _shortest_along(synthesis: Synthesis, program: Program) -> Program:
    """A program that has both the blocks with spare constraints and those of their derivatives, which are alike."""
    spare = synthesis.derivative.shortest
    return replace(program, shortest=spare | {_along(name) for name in spare})


def _of_state(synthesis: Synthesis) -> list[tuple[str, Sequence[Symbol]]]:
    """The inputs of a formula of the state."""
    return [("y", synthesis.y), ("q0", synthesis.q0), ("c", synthesis.controls), ("clock", (CLOCK,))]


def _ordered(lines: Sequence[Definition]) -> list[Definition]:
    """Lines in an order of dependence, each once."""
    once = {line.name: line for line in lines}
    return [line for unit in in_units(list(once.values())) for line in unit]


def _rates_of_values(
    synthesis: Synthesis,
    values: Sequence[Expression],
    direction: Mapping[Symbol, Expression],
    name_of: Callable[[str], str],
) -> tuple[list[Definition], list[Expression]]:
    """The derivatives of formulas of the state along a direction of what is known, and lines for them."""
    moved = {leaf: symbol(f"along_of.{leaf.name}") for leaf in synthesis.q0}
    rates: dict[Symbol, Expression] = {**direction, **moved}
    own: list[Definition] = []
    for unknowns, zeros in synthesis.zeroth_zeros:
        own += solved_linearly(
            directional(zeros, dict(rates.items())), [moved[symbol(name)] for name in unknowns]
        )
    seeds = {leaf.name: rate for leaf, rate in rates.items()}
    more, found = rates_of_lines(_ordered(synthesis.observation_lines), seeds, name_of)
    return [*own, *more], directional(list(values), {symbol(leaf): rate for leaf, rate in found.items()})


def _values_along(
    synthesis: Synthesis, name: str, values: Sequence[Expression], clock: Mapping[Symbol, Symbol]
) -> Program:
    lines, rates = _rates_of_values(synthesis, values, {**_direction(synthesis), **clock}, _along)
    dy, dc = _seeds(synthesis)
    inputs = [*_of_state(synthesis), ("dy", dy), ("dc", (*dc, *clock.values()))]
    return synthesis.program(
        name, inputs, [("d", rates, ())], _ordered([*synthesis.observation_lines, *lines])
    )
