"""The order in which a system is solved: a chain of stages, each explicit or a few equations at a time.

The planner finds the blocks that must be solved together. Inside a block, unknowns that stand in an
equation linearly, with a factor that never vanishes, are computed from the others (the block is *torn*):
in a plane linkage the places of all bodies follow from their angles, and two angles are left for a loop.
What a block of the planner cannot be spared is solved by Newton's method for its *tears*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression, Number, Symbol, free_symbols, jacobian, substitute, symbol
from linkwork.kinematics.system import System
from linkwork.planning import Block, Structure, blocks

Assignment = tuple[Symbol, Expression]


@dataclass(frozen=True)
class Stage:
    """One step of the chain: explicit unknowns, then tears with as many residuals, then what follows from them."""

    explicit: tuple[Assignment, ...]
    tears: tuple[Symbol, ...]
    residuals: tuple[Expression, ...]
    followers: tuple[Assignment, ...]
    rows: tuple[int, ...]  # the equations of the system that the tears solve

    def __str__(self) -> str:
        first = [f"{name} = {value}" for name, value in self.explicit]
        solved = [f"solve {', '.join(map(str, self.tears))}"] if self.tears else []
        return "; ".join([*first, *solved, *(f"{name} = {value}" for name, value in self.followers)])


def chain_of(system: System, rows: Sequence[int]) -> tuple[Stage, ...]:
    """The stages that solve the equations of ``rows``, as many as there are unknowns.

    Raises :class:`~linkwork.errors.NoAnswer` where these equations cannot be paired with the unknowns.
    """
    phis = [system.phi[row] for row in rows]
    entries = jacobian(phis, system.unknowns)
    names = [each.name for each in system.unknowns]
    labels = [str(row) for row in rows]
    structure = Structure.of(
        {
            label: [names[column] for column in sorted(row)]
            for label, row in zip(labels, entries, strict=True)
        },
        names,
    )
    fixed = {name for name, _ in system.constants}
    solvable = {
        label: {names[column]: factor for column, factor in row.items() if _is_constant(factor, fixed)}
        for label, row in zip(labels, entries, strict=True)
    }
    phi_of = dict(zip(labels, phis, strict=True))
    stages: list[Stage] = []
    explicit: list[Assignment] = []
    for block in blocks(structure):
        torn = _torn(block, structure, solvable)
        explicit_here, stage = _stage(torn, phi_of, solvable, tuple(explicit))
        if stage is None:
            explicit = [*explicit, *explicit_here]
        else:
            stages.append(stage)
            explicit = []
    if explicit:
        stages.append(Stage(_substituted(explicit), (), (), (), ()))
    return tuple(stages)


def _is_constant(factor: Expression, fixed: set[Symbol]) -> bool:
    if isinstance(factor, Number):
        return factor.value != 0
    return all(leaf in fixed for leaf in free_symbols(factor))


@dataclass(frozen=True)
class _Torn:
    """A block with its equations divided into those that give an unknown at once and the rest."""

    solved: tuple[tuple[str, str], ...]  # (equation, unknown) in the order of computing
    tears: tuple[str, ...]
    rest: tuple[str, ...]


def _torn(block: Block, structure: Structure, solvable: Mapping[str, Mapping[str, Expression]]) -> _Torn:
    """Tear a block: assign what can be assigned, and where nothing can, take the unknown that unlocks most.

    Unknowns that no equation gives directly must be torn anyway, so they are taken first; among them, and
    then among the others, the one that most equations mention.
    """
    inside = set(block.unknowns)
    missing = {label: inside.intersection(structure.mentioned_in(label)) for label in block.equations}
    users: dict[str, list[str]] = {name: [] for name in block.unknowns}
    for label, names in missing.items():
        for name in names:
            users[name].append(label)
    givers = {name: sum(name in solvable[label] for label in users[name]) for name in block.unknowns}
    solved: list[tuple[str, str]] = []
    tears: list[str] = []
    ready = [label for label in block.equations if len(missing[label]) == 1]
    open_names = dict.fromkeys(sorted(block.unknowns, key=lambda name: (givers[name] > 0, -len(users[name]))))

    def know(name: str) -> None:
        del open_names[name]
        for label in users[name]:
            missing[label].discard(name)
            if len(missing[label]) == 1:
                ready.append(label)

    done: set[str] = set()
    while open_names:
        given = [each for each in ready if each not in done and _only(missing[each]) in solvable[each]]
        label = given[0] if given else ""
        ready = [each for each in ready if each != label and len(missing[each]) == 1]
        if not label:
            name = next(iter(open_names))
            tears.append(name)
        else:
            name = _only(missing[label])
            solved.append((label, name))
            done.add(label)
        know(name)
    rest = tuple(label for label in block.equations if label not in done)
    order = {name: place for place, name in enumerate(block.unknowns)}
    return _Torn(tuple(solved), tuple(sorted(tears, key=order.__getitem__)), rest)


def _only(names: set[str]) -> str:
    return next(iter(names), "")


def _stage(
    torn: _Torn,
    phi_of: Mapping[str, Expression],
    solvable: Mapping[str, Mapping[str, Expression]],
    explicit: tuple[Assignment, ...],
) -> tuple[list[Assignment], Stage | None]:
    """The assignments of a block, and its stage if it has tears; ``explicit`` is what stands before it."""
    given: list[Assignment] = []
    for label, name in torn.solved:
        unknown = symbol(name)
        rest = substitute([phi_of[label]], {unknown: 0})[0]
        given.append((unknown, -rest / solvable[label][name]))
    if not torn.tears:
        return given, None
    followers = _substituted(given)
    residuals = substitute([phi_of[label] for label in torn.rest], dict(followers))
    tears = tuple(symbol(name) for name in torn.tears)
    rows = tuple(int(label) for label in (*(label for label, _ in torn.solved), *torn.rest))
    return given, Stage(_substituted(explicit), tears, tuple(residuals), followers, rows)


def _substituted(assignments: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """Assignments in order, each with those before it put in, so that they can be computed at once."""
    known: dict[Expression, Expression] = {}
    for name, value in assignments:
        known[name] = substitute([value], known)[0] if known else value
    return tuple((name, known[name]) for name, _ in assignments)
