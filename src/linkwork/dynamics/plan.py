"""The plan of a simulation program: classes of variables and constraints, and how each system of equations falls apart.

Published as "Automated Synthesis of Numerical Programs for Simulation of Rigid Mechanical Systems in Physics-Based
Animation" (Ellman, Deak, Fotinatos 2003); the names of the sets are theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linkwork.algebra import Expression, derivative, free_symbols, symbol
from linkwork.algebra.expression import ZERO
from linkwork.dynamics.lines import rate_symbol
from linkwork.dynamics.specification import Specification, local_spin
from linkwork.model.world import Equation
from linkwork.planning import Block, Structure, blocks, components, dependencies, match, needed
from linkwork.planning.classify import Classes, Facts, classify

ACCELERATION = "acceleration of "
MOTION = "motion of "
MULTIPLIER = "force of "


@dataclass(frozen=True)
class Part:
    """A system of equations and the parts it falls into: names of equations and unknowns."""

    name: str
    about: str
    equations: tuple[str, ...]
    unknowns: tuple[str, ...]
    blocks: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    kept: tuple[int, ...] = ()
    """The places of the blocks that the program needs; empty for all."""
    finer: tuple[Block, ...] = ()
    """A decomposition finer than the one shown, where there is one."""

    @property
    def sizes(self) -> list[list[int]]:
        """The numbers of equations and unknowns of each block."""
        return [[len(equations), len(unknowns)] for equations, unknowns in self.blocks]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        found: dict[str, Any] = {
            "name": self.name,
            "equations": len(self.equations),
            "unknowns": len(self.unknowns),
            "blocks": self.sizes,
        }
        if self.kept:
            found["kept"] = list(self.kept)
        if self.finer:
            found["finer"] = [[block.size, block.size] for block in self.finer]
        return found


class Plan:
    """What a simulation program of a machine will do; ``redundant`` constraints follow from the others.

    So do those that mention nothing that varies.
    """

    def __init__(self, specification: Specification, redundant: Iterable[str] = ()) -> None:
        self.specification = specification
        self.lines = specification.lines
        self.names = tuple(each.name for each in specification.variables)
        self.redundant = tuple(dict.fromkeys([*redundant, *self._of_nothing()]))
        self.facts = self._facts()
        self.classes: Classes = classify(self.facts)

    # ---------------------------------------------------------------------------------- facts

    def _mentioned(self, values: Iterable[Expression]) -> frozenset[str]:
        """The variables that expressions depend on."""
        known = set(self.names)
        return frozenset(
            leaf.name for leaf in free_symbols(*self.lines.expanded(values)) if leaf.name in known
        )

    def _rated(self, values: Iterable[Expression]) -> frozenset[str]:
        """The variables whose rates expressions depend on."""
        found = {leaf.name for leaf in free_symbols(*self.lines.expanded(values))}
        return frozenset(name for name in self.names if f"V_{name}" in found)

    def _of_nothing(self) -> list[str]:
        """The constraints on nothing that varies: they hold, or they do not, and move nothing."""
        return [
            each.name
            for each in self.specification.constraints
            if not self._mentioned([each.phi]) and not self._rated([each.phi])
        ]

    def _facts(self) -> Facts:
        spec = self.specification
        speeds = [*self._speeds()]
        forces = [entry for push in spec.pushes for entry in push.force]
        told = [each.phi for each in spec.initial]
        causal = self._mentioned([*speeds, spec.potential, *forces]) | self._rated([*speeds, *forces, *told])
        power = self.lines.along([spec.potential])
        working = self._rated([*speeds, *power])
        return Facts(
            variables=self.names,
            holonomic={each.name: self._mentioned([each.phi]) for each in self._kept(spec.holonomic)},
            nonholonomic={
                each.name: self._mentioned([each.phi]) | self._rated([each.phi])
                for each in self._kept(spec.nonholonomic)
            },
            rates={each.name: self._rated([each.phi]) for each in self._kept(spec.nonholonomic)},
            causal=causal,
            idle=frozenset(self.names) - working,
            has_constant_factor=self._has_constant_factor,
        )

    def _kept(self, constraints: Iterable[Equation]) -> list[Equation]:
        return [each for each in constraints if each.name not in self.redundant]

    def _speeds(self) -> Iterable[Expression]:
        for body in self.specification.bodies:
            if body.mass.mass is not ZERO:
                yield from self.lines.local_velocity(body.name, body.frame, body.mass.centre)
            if any(each is not ZERO for each in body.mass.inertia):
                yield from local_spin(body)
        for push in self.specification.pushes:
            yield from push.speed

    def _has_constant_factor(self, constraint: str, variable: str) -> bool:
        phi = self._phis[constraint]
        by = symbol(variable) if constraint in self.facts.holonomic else rate_symbol(variable)
        factor = derivative(self.lines.expanded([phi])[0], by)
        fixed = {*self.specification.parameters}
        return factor is not ZERO and all(leaf in fixed for leaf in free_symbols(factor))

    @cached_property
    def _phis(self) -> dict[str, Expression]:
        return {each.name: each.phi for each in self.specification.constraints}

    # ------------------------------------------------------------------------------- systems

    @cached_property
    def velocity_mentions(self) -> dict[str, frozenset[str]]:
        """For each constraint the variables whose rates it restricts."""
        return {**self.facts.holonomic, **self.facts.rates}

    @cached_property
    def initialization(self) -> Part:
        """All positions from all holonomic constraints."""
        about = "positions that satisfy all holonomic constraints, as near as possible to the given ones"
        every = {each.name: self._mentioned([each.phi]) for each in self.specification.holonomic}
        for each in self.specification.initial_positions:
            every[f"initial {each.name}"] = self._mentioned([each.phi])
        return self._loose_part("initialization", about, every, self.names)

    @cached_property
    def initial_velocities(self) -> Part:
        """The rates of second order from initial conditions and constraints."""
        classes = self.classes
        first = {each.name: self._rated([each.phi]) for each in self.specification.initial_rates}
        needed_blocks = self._first_needed(frozenset().union(*first.values()) & {*classes.first})
        rows = first | {
            name: self.velocity_mentions[name]
            for name in (
                *classes.holonomic[2],
                *classes.nonholonomic[1],
                *(e for b in needed_blocks for e in b.equations),
            )
        }
        unknowns = [*classes.second, *(name for block in needed_blocks for name in block.unknowns)]
        about = "rates at the start"
        structure = Structure.of({name: sorted(m & {*unknowns}) for name, m in rows.items()}, unknowns)
        if len(rows) == len(unknowns) and not _misfit(structure):
            return _tight_part("initial velocities", about, structure)
        loose = {name: frozenset(m & {*unknowns}) for name, m in rows.items()}
        return self._loose_part(
            "initial velocities", about + ", the given ones where nothing says more", loose, unknowns
        )

    def _first_needed(self, wanted: frozenset[str]) -> list[Block]:
        """The blocks of first order that some rates need."""
        found: list[Block] = []
        waiting = set(wanted)
        for block in reversed(self.classes.first_blocks):
            if waiting & {*block.unknowns}:
                found.append(block)
                waiting |= frozenset().union(*(self.velocity_mentions[name] for name in block.equations))
        return found[::-1]

    @cached_property
    def zeroth(self) -> Part:
        """Variables of order zero from their constraints."""
        blocks_ = self.classes.zeroth_blocks
        return _blocks_part("zeroth-order positions", "after each step, from constraints", blocks_)

    @cached_property
    def first(self) -> Part:
        """The rates of first order."""
        blocks_ = self.classes.first_blocks
        return _blocks_part("first-order velocities", "from the derivatives of constraints", blocks_)

    @cached_property
    def stabilisation(self) -> Part:
        """Integrated variables and rates brought back onto the constraints."""
        return self.stabilisation_with(())

    def stabilisation_with(self, spare: Sequence[str]) -> Part:
        """The same with some of the constraints that follow from the others."""
        classes = self.classes
        second = {*classes.second}
        rows = {name: self.facts.holonomic[name] for name in (*classes.holonomic[1], *classes.holonomic[2])}
        rows |= {
            f"rate of {name}": self.facts.holonomic[name] | _rates(self.facts.holonomic[name] & second)
            for name in classes.holonomic[2]
        }
        rows |= {
            name: self.facts.nonholonomic[name] | _rates(self.facts.rates[name] & second)
            for name in classes.nonholonomic[1]
        }
        for each in self.specification.constraints:
            if each.name in spare:
                rows |= self._spare_rows(each, second)
        unknowns = [*classes.first, *classes.second, *(f"rate of {name}" for name in classes.second)]
        about = "the nearest state that satisfies the constraints and their derivatives, after each step"
        kept = {name: frozenset(m & {*unknowns}) for name, m in rows.items()}
        return self._loose_part("stabilisation", about, kept, unknowns)

    def _spare_rows(self, constraint: Equation, second: set[str]) -> dict[str, frozenset[str]]:
        mentioned = self._mentioned([constraint.phi])
        if constraint in self.specification.nonholonomic:
            return {constraint.name: mentioned | _rates(self._rated([constraint.phi]) & second)}
        return {
            constraint.name: mentioned,
            f"rate of {constraint.name}": mentioned | _rates(mentioned & second),
        }

    @cached_property
    def accelerations(self) -> Part:
        """Accelerations and multipliers from the equations of motion and the constraints differentiated twice."""
        structure = self.motion_structure
        about = "from the equations of motion and the constraints differentiated twice"
        if _misfit(structure):
            return Part("second-order accelerations", about, structure.equations, structure.variables, ())
        fine = blocks(structure)
        groups = self._as_published(fine)
        wanted = {f"{ACCELERATION}{name}" for name in self.classes.second}
        kept_blocks = {id(each) for each in needed(fine, structure, sorted(wanted))} if wanted else set()
        acting = self._acting(fine, kept_blocks)
        kept = tuple(place for place, group in enumerate(groups) if any(id(each) in acting for each in group))
        shown = tuple(
            (
                tuple(name for block in group for name in block.equations),
                tuple(name for block in group for name in block.unknowns),
            )
            for group in groups
        )
        finer = fine if len(fine) > len(groups) else ()
        return Part(
            "second-order accelerations", about, structure.equations, structure.variables, shown, kept, finer
        )

    def _acting(self, fine: Sequence[Block], kept: set[int]) -> set[int]:
        """Of the blocks that are needed those that are not zero: multipliers of idle variables vanish."""
        idle = {f"{MOTION}{name}" for name in self.facts.idle}
        return {id(each) for each in fine if id(each) in kept and not {*each.equations} <= idle}

    def _as_published(self, fine: Sequence[Block]) -> list[list[Block]]:
        """A block of first order together with the multipliers of its constraints, as in the paper."""
        group_of: dict[str, int] = {}
        for place, block in enumerate(self.classes.first_blocks):
            for name in block.unknowns:
                group_of[f"{ACCELERATION}{name}"] = place
            for name in block.equations:
                group_of[f"{MULTIPLIER}{name}"] = place
        groups: dict[object, list[Block]] = {}
        for block in fine:
            places = {group_of.get(name) for name in block.unknowns}
            key: object = places.pop() if len(places) == 1 and None not in places else id(block)
            groups.setdefault(key, []).append(block)
        return list(groups.values())

    @cached_property
    def motion_structure(self) -> Structure:
        """Which equation of motion or constraint mentions which acceleration or multiplier."""
        classes = self.classes
        moving = [*classes.first, *classes.second]
        held = [
            *classes.holonomic[1],
            *classes.holonomic[2],
            *classes.nonholonomic[0],
            *classes.nonholonomic[1],
        ]
        coupled: dict[str, set[str]] = {name: set() for name in moving}
        for speed in {*self._speeds_with_mass()}:
            together = self._rated([speed])
            for name in together:
                coupled.setdefault(name, set()).update(together)
        rows: dict[str, list[str]] = {}
        for name in moving:
            rows[f"{MOTION}{name}"] = [f"{ACCELERATION}{other}" for other in moving if other in coupled[name]]
        for constraint in held:
            for name in self.velocity_mentions[constraint]:
                rows[f"{MOTION}{name}"].append(f"{MULTIPLIER}{constraint}")
        for constraint in held:
            mentioned = self.velocity_mentions[constraint]
            rows[constraint] = [f"{ACCELERATION}{name}" for name in moving if name in mentioned]
        unknowns = [*(f"{ACCELERATION}{name}" for name in moving), *(f"{MULTIPLIER}{name}" for name in held)]
        return Structure.of(rows, unknowns)

    def _speeds_with_mass(self) -> Iterable[Expression]:
        for body in self.specification.bodies:
            if body.mass.mass is not ZERO:
                yield from self.lines.local_velocity(body.name, body.frame, body.mass.centre)
            if any(each is not ZERO for each in body.mass.inertia):
                yield from local_spin(body)

    def block_needs(self, found: Sequence[Block]) -> tuple[tuple[int, ...], ...]:
        """For each block of the accelerations the places of those that it waits for."""
        return dependencies(found, self.motion_structure)

    def velocities_part(self, zeros: Mapping[str, Expression]) -> Part:
        """The parts into which conditions on the rates at the start fall."""
        unknowns = [f"V_{name}" for name in (*self.classes.first, *self.classes.second)]
        rows = {name: frozenset(f"V_{each}" for each in self._rated([zero])) for name, zero in zeros.items()}
        return self._loose_part("velocities", "rates at the start", rows, unknowns)

    def _loose_part(
        self, name: str, about: str, rows: Mapping[str, frozenset[str]], unknowns: Sequence[str]
    ) -> Part:
        structure = Structure.of({row: sorted(mentioned) for row, mentioned in rows.items()}, unknowns)
        parts = [(each.equations, each.variables) for each in components(structure) if each.equations]
        return Part(name, about, structure.equations, structure.variables, tuple(parts))

    @property
    def parts(self) -> tuple[Part, ...]:
        """All systems of equations of the program."""
        return (
            self.initialization,
            self.initial_velocities,
            self.zeroth,
            self.first,
            self.accelerations,
            self.stabilisation,
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        classes = self.classes
        return {
            "machine": self.specification.machine.name,
            "variables": {
                "zeroth": list(classes.zeroth),
                "first": list(classes.first),
                "second": list(classes.second),
            },
            "constraints": {
                "holonomic": [list(each) for each in classes.holonomic],
                "nonholonomic": [list(each) for each in classes.nonholonomic],
                "initial": [each.name for each in self.specification.initial],
                "redundant": list(self.redundant),
            },
            "components": [part.to_json() for part in self.parts],
        }


def _rates(names: Iterable[str]) -> frozenset[str]:
    return frozenset(f"rate of {name}" for name in names)


def _misfit(structure: Structure) -> bool:
    return not match(structure).complete


def _tight_part(name: str, about: str, structure: Structure) -> Part:
    return _blocks_part(name, about, blocks(structure))


def _blocks_part(name: str, about: str, found: Sequence[Block]) -> Part:
    return Part(
        name,
        about,
        tuple(each for block in found for each in block.equations),
        tuple(each for block in found for each in block.unknowns),
        tuple((block.equations, block.unknowns) for block in found),
    )
