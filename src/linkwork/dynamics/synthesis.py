"""From a plan to programs: the functions of a simulation as tables, to be printed in any language.

``derivative`` gives the rates of the state y = (q1, q2, v2); ``zeroth`` the variables of order zero; ``observe`` what
is reported; each component of initialization, of initial velocities and of stabilisation gives residuals and slopes.
What depends on parameters alone is computed once, by ``constants``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from linkwork.algebra import (
    Definition,
    Expression,
    Symbol,
    derivative,
    free_symbols,
    jacobian,
    substitute,
    symbol,
)
from linkwork.algebra.expression import ZERO
from linkwork.dynamics.form import Form
from linkwork.dynamics.lines import rate_symbol
from linkwork.dynamics.plan import MULTIPLIER, Part, Plan
from linkwork.emit import Input, Output, Program
from linkwork.emit.program import NARROW_FROM
from linkwork.kinematics.system import hoisted
from linkwork.model.drive import CLOCK
from linkwork.planning import Block, Structure, blocks, components

Node = TypeVar("Node", str, int)

ARGUMENTS = ("y", "x", "other", "before", "q0", "k", "c", "clock", "place", "dy", "dc")
"""The arrays that functions take, in the order in which they take them."""
SPARE = "spare."
"""What the columns of constraints that are left out begin with."""
EAGER = 1e7
"""How much more readily than others a variable that carries no mass is moved to where the constraints hold."""
SMALL = 2
"""Unknowns up to which a linear block is solved by formulas."""
BAND_SHARE = 3
"""How many times its band a system must be long for the band to be of use."""


@dataclass(frozen=True)
class Component:
    """A part of a system: the places of its unknowns in what is corrected, and its function.

    The function puts residuals into ``r`` and their slopes into ``j``, a matrix row by row.
    """

    places: tuple[int, ...]
    equations: int
    program: Program
    weights: tuple[float, ...] = ()
    """How readily each unknown moves; empty for all alike."""

    @property
    def _slopes(self) -> Output:
        return self.program.outputs[1]

    @property
    def compact(self) -> Program:
        """The function with the slopes one after the other, without the zeros."""
        return replace(self.program, outputs=(self.program.outputs[0], replace(self._slopes, places=())))

    @property
    def columns(self) -> tuple[int, ...]:
        """The unknown of each slope."""
        return tuple(place % len(self.places) for place in self._slopes.places)

    @property
    def starts(self) -> tuple[int, ...]:
        """Where among the slopes those of each equation begin, and behind the last one their number."""
        rows = [place // len(self.places) for place in self._slopes.places]
        return tuple(bisect_left(rows, row) for row in range(self.equations + 1))

    @property
    def band(self) -> int:
        """How far apart equations with a common unknown stand, where that is near; else 0.

        Unknowns that move unlike others make the equations too unlike for the method that uses it.
        """
        ends: dict[int, list[int]] = {}
        for row, (first, last) in enumerate(pairwise(self.starts)):
            for column in self.columns[first:last]:
                ends.setdefault(column, []).append(row)
        width = max((rows[-1] - rows[0] for rows in ends.values()), default=0)
        is_narrow = self.equations >= NARROW_FROM and BAND_SHARE * width <= self.equations
        return max(width, 1) if is_narrow and not self.weights else 0


class Synthesis:
    """The programs of a plan.

    With ``keep_spare`` the constraints that follow from others stay in the equations, which then have several
    solutions for the multipliers but one for the accelerations: which of them can be spared may change on the way.
    What is ``watched`` is reported beside all else.
    """

    def __init__(
        self, plan: Plan, *, keep_spare: bool = False, watched: Mapping[str, Expression] | None = None
    ) -> None:
        self.plan = plan
        self.watched = dict(watched or {})
        self.keep_spare = keep_spare and bool(plan.redundant)
        self.spec = plan.specification
        self.lines = self.spec.lines
        classes = plan.classes
        self.q0, self.q1, self.q2 = (
            tuple(symbol(name) for name in names) for names in (classes.zeroth, classes.first, classes.second)
        )
        self.v1, self.v2 = (tuple(rate_symbol(each.name) for each in names) for names in (self.q1, self.q2))
        self.y = (*self.q1, *self.q2, *self.v2)
        self.q = (*self.q0, *self.q1, *self.q2)
        self.v = (*self.v1, *self.v2)
        self.controls = tuple(symbol(f"control_of.{each.name}") for each in self.spec.controls)
        self._constants: dict[Expression, Symbol] = {}
        self._shortest: set[str] = set()

    # ------------------------------------------------------------------------------ constants

    def _without_constants(self, values: Sequence[Expression]) -> list[Expression]:
        """Values with what depends on parameters alone replaced by names of constants."""
        fixed = {*self.spec.parameters}
        moving = [leaf for leaf in free_symbols(*values) if leaf not in fixed and leaf not in self._names]
        found, constants = hoisted(values, set(moving))
        replaced: dict[Expression, Expression] = {}
        for name, value in constants:
            if value not in self._constants:
                self._constants[value] = symbol(f"constant_{len(self._constants)}")
                self._names.add(self._constants[value])
            replaced[name] = self._constants[value]
        return substitute(found, replaced) if replaced else found

    @cached_property
    def _names(self) -> set[Symbol]:
        return set()

    @property
    def constants(self) -> tuple[Symbol, ...]:
        """The names of the constants, once all programs have been made."""
        return tuple(self._constants.values())

    @property
    def constant_values(self) -> tuple[Expression, ...]:
        """What the constants are, in terms of parameters."""
        return tuple(self._constants)

    @cached_property
    def constants_program(self) -> Program:
        """The constants from the parameters; to be asked for last."""
        renamed: dict[Expression, Expression] = {  # a parameter may be called p or k
            each: symbol(f"parameter_of.{each.name}") for each in self.spec.parameters
        }
        parameters = tuple(f"parameter_of.{each.name}" for each in self.spec.parameters)
        values = substitute(list(self._constants), renamed)
        return Program("constants", (Input("p", parameters),), (Output("k", tuple(values)),))

    def program(
        self,
        name: str,
        inputs: Sequence[tuple[str, Sequence[Symbol]]],
        outputs: Sequence[tuple[str, Sequence[Expression], Sequence[int]]],
        definitions: Sequence[Definition] = (),
        known: Mapping[Expression, Expression] | None = None,
    ) -> Program:
        """A function of arrays; constants are hoisted out of it. What is known is taken from inputs."""
        sides: list[Expression] = []
        for line in definitions:
            sides += [line.explicit] if line.explicit is not None else [*(line.implicit or ())]
        results = [value for _, values, _ in outputs for value in values]
        renamed: dict[Expression, Expression] = dict(known or {})
        renamed.update(zip(self.spec.controls, self.controls, strict=True))
        plain = self._without_constants(substitute([*sides, *results], renamed))
        replaced: list[Definition] = []
        place = 0
        for line in definitions:
            if line.explicit is not None:
                replaced.append(Definition(line.name, plain[place]))
                place += 1
            else:
                replaced.append(Definition(line.name, None, (plain[place], plain[place + 1]), line.start))
                place += 2
        written = []
        for label, values, places in outputs:
            written.append(Output(label, tuple(plain[place : place + len(values)]), places=tuple(places)))
            place += len(values)
        starts = [line.start for line in replaced if line.start is not None]
        used = set(free_symbols(*plain, *starts))
        given = [_input(label, leaves, used) for label, leaves in [*inputs, ("k", self.constants)]]
        given.sort(key=lambda each: ARGUMENTS.index(each.name))
        return Program(name, tuple(given), tuple(written), tuple(replaced))

    # ------------------------------------------------------------------------------- solving

    def _line_definitions(self) -> list[Definition]:
        return [
            Definition(leaf.name, value)
            for leaf, value in (*self.lines.places.items(), *self.lines.speeds.items())
        ]

    @cached_property
    def _first_order(self) -> list[Definition]:
        """The rates of first order, block by block."""
        return self._rates_of(self.plan.classes.first_blocks)

    def _rates_of(self, found_blocks: Sequence[Block]) -> list[Definition]:
        found: list[Definition] = []
        velocity = self.spec.velocity_constraints()
        for block in found_blocks:
            zeros = self.lines.expanded_speeds([velocity[name] for name in block.equations])
            found += solved_linearly(zeros, [rate_symbol(name) for name in block.unknowns])
        return found

    @cached_property
    def _accelerations(self) -> list[Definition]:
        """The accelerations of second order."""
        form = Form(self.spec)
        velocity = self.spec.velocity_constraints()
        acting = self._acting_constraints()
        touched: set[Symbol] = set()
        for name in acting:
            form.constrain(self.spec.multipliers[name], velocity[name])
            touched.update(free_symbols(*self.lines.expanded([velocity[name]])))
        kept = [rate for rate in self.spec.rates.values() if rate in touched]
        classes = self.plan.classes
        given = [rate_symbol(name) for name in (*self.plan.facts.idle, *classes.zeroth, *classes.first)]
        form.eliminate([*kept, *(rate for rate in given if not form.has_mass(rate))])
        found = self._solved_blocks(form)
        form.forwards()
        return [*form.definitions, *found]

    def _acting_constraints(self) -> list[str]:
        """The constraints whose multipliers are not zero, and those that give accelerations outright."""
        part = self.plan.accelerations
        shown = {name for place in part.kept for side in part.blocks[place] for name in side}
        found = [
            each.name for each in self.spec.constraints if {each.name, f"{MULTIPLIER}{each.name}"} & shown
        ]
        return [*found, *self._kept_spare(found)]

    def _kept_spare(self, acting: Sequence[str]) -> list[str]:
        """The spare constraints on what the acting ones constrain, where they are kept: on second-order rates alone."""
        if not self.keep_spare:
            return []
        velocity, moving = self.spec.velocity_constraints(), {*self.spec.rates.values()}
        touched = {*free_symbols(*self.lines.expanded([velocity[name] for name in acting]))} & {*self.v2}
        found = []
        for name in self.plan.redundant:
            mentioned = {*free_symbols(*self.lines.expanded([velocity[name]]))} & moving
            if mentioned and mentioned <= touched:
                found.append(name)
        return found

    def _blocks(self, structure: Structure) -> tuple[Block, ...]:
        """The blocks of the matrix; where spare constraints are kept, what hangs together stays together."""
        if not self.keep_spare:
            return blocks(structure)
        return tuple(Block(each.equations, each.variables) for each in components(structure))

    def _solved_blocks(self, form: Form) -> list[Definition]:
        """What constraints touch, block by block."""
        left = {name: dict(row) for name, row in form.quadratic.k.items() if row}
        structure = Structure.of(left, list(left))
        spare = {self.spec.multipliers[name].name for name in self.plan.redundant}
        found: list[Definition] = []
        for block in self._blocks(structure):
            order = narrow_order(block, structure)
            zeros = []
            for name in order if {*order} == {*block.equations} else block.equations:
                total: Expression = -form.named(f"b_{name}", form.quadratic.b.get(name, ZERO))
                for other, entry in form.named_row(f"K_{name}", left[name]).items():
                    total = total + entry * form.unknown(other)
                zeros.append(total)
            unknowns = [form.unknown(name) for name in order]
            found += solved_linearly(zeros, unknowns)
            if self.keep_spare and not spare.isdisjoint(order):
                self._shortest.update(each.name for each in unknowns)
        return found

    # ------------------------------------------------------------------------------ programs

    @property
    def state_rates(self) -> tuple[Symbol, ...]:
        """The rates of the state, as :attr:`motion_lines` define them."""
        return (*self.v1, *self.v2, *(symbol(f"A_{each.name}") for each in self.q2))

    @cached_property
    def motion_lines(self) -> list[Definition]:
        """What leads from the state to its rates."""
        return [*self._line_definitions(), *self._first_order, *self._accelerations]

    @cached_property
    def observation_lines(self) -> list[Definition]:
        """What leads from the state to what is reported."""
        more = self._rates_of(self.plan.classes.zeroth_blocks)
        return [*self._line_definitions(), *self._first_order, *more]

    @cached_property
    def derivative(self) -> Program:
        """The rates of the state."""
        inputs = [("y", self.y), ("c", self.controls), ("clock", (CLOCK,))]
        found = self.program("derivative", inputs, [("rate", self.state_rates, ())], self.motion_lines)
        return replace(found, shortest=frozenset(self._shortest)) if self._shortest else found

    @cached_property
    def zeroth_zeros(self) -> list[tuple[tuple[str, ...], list[Expression]]]:
        """For each block of order zero its unknowns, and what is zero."""
        phis = {each.name: each.phi for each in self.spec.holonomic}
        return [
            (block.unknowns, self.lines.expanded([phis[name] for name in block.equations]))
            for block in self.plan.classes.zeroth_blocks
        ]

    @cached_property
    def zeroth(self) -> Program:
        """The variables of order zero, by Newton's method from where they were."""
        starts = [symbol(f"before.{each.name}") for each in self.q0]
        start_of = dict(zip((each.name for each in self.q0), starts, strict=True))
        lines = [
            Definition(name, None, (zero, ZERO), start_of[name])
            for unknowns, zeros in self.zeroth_zeros
            for name, zero in zip(unknowns, zeros, strict=True)
        ]
        inputs = [("y", self.y), ("before", starts), ("clock", (CLOCK,))]
        return self.program("zeroth", inputs, [("q0", self.q0, ())], lines)

    def _component(self, name: str, x: Sequence[Symbol], zeros: Sequence[Expression], unknowns: Sequence[Symbol],
                   other: Sequence[Symbol] = ()) -> Component:  # fmt: skip
        rows = jacobian(zeros, unknowns)
        entries = [
            (row * len(unknowns) + column, value)
            for row, each in enumerate(rows)
            for column, value in sorted(each.items())
        ]
        inputs = [("x", x), ("other", other), ("c", self.controls), ("clock", (CLOCK,))]
        slopes = [value for _, value in entries]
        outputs = [("r", zeros, ()), ("j", slopes, [place for place, _ in entries])]
        program = self.program(name, inputs, outputs)
        places = {leaf: place for place, leaf in enumerate(x)}
        return Component(tuple(places[each] for each in unknowns), len(zeros), program)

    @cached_property
    def initialise(self) -> list[Component]:
        """Positions from holonomic constraints."""
        phis = {each.name: each.phi for each in self.spec.holonomic}
        phis |= {f"initial {each.name}": each.phi for each in self.spec.initial_positions}
        found = self._components("initialise", self.plan.initialization, self.q, phis)
        idle = self.plan.facts.idle
        if all(leaf.name in idle for leaf in self.q) or not any(leaf.name in idle for leaf in self.q):
            return found
        return [
            replace(
                each, weights=tuple(EAGER if self.q[place].name in idle else 1.0 for place in each.places)
            )
            for each in found
        ]

    def _components(
        self,
        name: str,
        part: Part,
        x: Sequence[Symbol],
        phis: dict[str, Expression],
        other: Sequence[Symbol] = (),
    ) -> list[Component]:
        by_name = {leaf.name: leaf for leaf in x} | {
            f"rate of {leaf.name.removeprefix('V_')}": leaf for leaf in x if leaf.name.startswith("V_")
        }
        found = []
        for place, (equations, unknowns) in enumerate(part.blocks):
            zeros = self._narrowly(self.lines.expanded([phis[each] for each in equations]), {*x})
            leaves = [by_name[each] for each in unknowns]
            found.append(self._component(f"{name}{place}", x, zeros, leaves, other))
        return found

    @staticmethod
    def _narrowly(zeros: Sequence[Expression], unknowns: set[Symbol]) -> Sequence[Expression]:
        """Many equations in an order in which those with a common unknown stand near each other."""
        if len(zeros) < NARROW_FROM:
            return zeros
        mentioned = [{*free_symbols(zero)} & unknowns for zero in zeros]
        users: dict[Symbol, list[int]] = {}
        for place, leaves in enumerate(mentioned):
            for leaf in leaves:
                users.setdefault(leaf, []).append(place)
        near = {
            place: sorted({other for leaf in leaves for other in users[leaf]} - {place})
            for place, leaves in enumerate(mentioned)
        }
        return [zeros[place] for place in cuthill_mckee(near)]

    @cached_property
    def velocities(self) -> list[Component]:
        """Rates at the start: initial conditions and all constraints on rates, together where they share a rate."""
        held = {
            *self.plan.classes.holonomic[1],
            *self.plan.classes.holonomic[2],
            *self.plan.facts.nonholonomic,
        }
        phis = {name: phi for name, phi in self.spec.velocity_constraints().items() if name in held}
        phis |= {f"initial {each.name}": each.phi for each in self.spec.initial_rates}
        part = self.plan.velocities_part(phis)
        return self._components("velocity", part, self.v, phis, self.q)

    @cached_property
    def stabilise(self) -> list[Component]:
        """The state from the constraints and their derivatives."""
        velocity = self.spec.velocity_constraints()
        phis = {each.name: each.phi for each in self.spec.holonomic}
        rates = self._in_rates_of_state(self.lines.expanded([velocity[name] for name in phis]))
        phis |= {f"rate of {name}": rate for name, rate in zip([*phis], rates, strict=True)}
        phis |= {each.name: each.phi for each in self.spec.nonholonomic}
        part = self.plan.stabilisation
        if self.keep_spare:
            part = self.plan.stabilisation_with(self._kept_spare(self._acting_constraints()))
        return self._components("stabilise", part, self.y, phis)

    def _in_rates_of_state(self, values: Sequence[Expression]) -> list[Expression]:
        """Values in which rates of first order are put in, where formulas tell them: the state has none of these."""
        formulas: dict[Expression, Expression] = {}
        for line in self._first_order:
            if line.explicit is not None:
                (formulas[symbol(line.name)],) = substitute([line.explicit], formulas)
        return list(substitute(list(values), formulas)) if formulas else list(values)

    @cached_property
    def observed(self) -> dict[str, Expression]:
        """What is reported besides the state: coordinates that are lines, rates, energies, definitions."""
        found: dict[str, Expression] = {}
        found |= dict(self.spec.machine_quantities())
        found |= self.spec.defined
        found["kinetic"] = self.spec.kinetic_energy()
        found["potential"] = self.spec.potential_energy()
        return found | self._spare_residuals() | self.watched

    def _spare_residuals(self) -> dict[str, Expression]:
        """What stays zero only as long as the constraints that are left out follow from the others."""
        velocity = self.spec.velocity_constraints()
        found: dict[str, Expression] = {}
        for each in self.spec.constraints:
            if each.name in self.plan.redundant:
                found[f"{SPARE}{each.name}"] = each.phi
                found[f"{SPARE}{each.name}.rate"] = velocity[each.name]
        return found

    @cached_property
    def observe(self) -> Program:
        """What is reported."""
        return self._of_state("observe", list(self.observed.values()))

    def show(self, values: Sequence[Expression]) -> Program:
        """Formulas of the state for pictures, such as where things stand; to be asked for before the constants."""
        return self._of_state("show", values)

    def _of_state(self, name: str, values: Sequence[Expression]) -> Program:
        inputs = [("y", self.y), ("q0", self.q0), ("c", self.controls), ("clock", (CLOCK,))]
        return self.program(name, inputs, [("out", values, ())], self.observation_lines)


def narrow_order(block: Block, structure: Structure) -> tuple[str, ...]:
    """The unknowns of a large symmetric block in an order that keeps its entries near the diagonal.

    Each equation has the name of an unknown.
    """
    if block.size < NARROW_FROM or {*block.unknowns} != {*block.equations}:
        return block.unknowns
    inside = {*block.unknowns}
    return tuple(
        cuthill_mckee(
            {
                name: [each for each in structure.mentioned_in(name) if each in inside]
                for name in block.unknowns
            }
        )
    )


def cuthill_mckee(near: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """An order in which neighbours stand near each other: outwards from a far end, and reversed.

    E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric matrices, 1969.
    """
    order: list[Node] = []
    left = dict.fromkeys(near)
    while left:
        reached = _outwards(_far_end(next(iter(left)), near), near)
        order += reached
        for each in reached:
            del left[each]
    return order[::-1]


def _outwards(first: Node, near: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """Everything that hangs together with a node, neighbours first, those with few neighbours before others."""
    found = {first: None}
    for name in (reached := [first]):
        for other in sorted(near[name], key=lambda each: len(near[each])):
            if other not in found:
                found[other] = None
                reached.append(other)
    return reached


def _far_end(first: Node, near: Mapping[Node, Sequence[Node]]) -> Node:
    """A node as far from another as any."""
    return _outwards(_outwards(first, near)[-1], near)[-1]


def solved_linearly(zeros: Sequence[Expression], unknowns: Sequence[Symbol]) -> list[Definition]:
    """Lines that solve equations linear in the unknowns: by formulas where they are few, else together by LU."""
    if len(unknowns) > SMALL:
        return [
            Definition(leaf.name, None, (zero, ZERO), None)
            for leaf, zero in zip(unknowns, zeros, strict=True)
        ]
    rest = substitute(zeros, dict.fromkeys(unknowns, 0))
    slopes = [[derivative(zero, leaf) for leaf in unknowns] for zero in zeros]
    if len(unknowns) == 1:
        return [Definition(unknowns[0].name, -rest[0] / slopes[0][0])]
    (a, b), (c, d) = slopes
    determinant = symbol(f"determinant_{unknowns[0].name}")
    first = (b * rest[1] - d * rest[0]) / determinant
    second = (c * rest[0] - a * rest[1]) / determinant
    return [
        Definition(determinant.name, a * d - b * c),
        Definition(unknowns[0].name, first),
        Definition(unknowns[1].name, second),
    ]


def _input(label: str, leaves: Sequence[Symbol], used: AbstractSet[Symbol]) -> Input:
    """An array of which only the entries that are used have names."""
    named = [(place, leaf.name) for place, leaf in enumerate(leaves) if leaf in used]
    return Input(label, tuple(name for _, name in named), places=tuple(place for place, _ in named))
