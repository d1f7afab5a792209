"""Which variables follow from constraints alone, which must be integrated once, and which twice.

T. Ellman, R. Deak and J. Fotinatos (2003), Fig. 12. Variables of order zero are computed from constraints after each
step; those of first order from the derivatives of constraints, and integrated; the others from the equations of
motion. The paper searches for solvable subsets of up to seven constraints; here they are found at once. A set of
variables V follows from constraints if the constraints N(V) that mention it are as many as V is large and match it.
Where no variables have fewer constraints than they are, such sets are closed under union. The largest is what remains
when the variables that share too few constraints and those on which too many are put are taken out, as often as there
are any. So the classes do not depend on the order in which anything was declared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from linkwork.planning.blocks import blocks
from linkwork.planning.matching import match
from linkwork.planning.structure import Structure
from linkwork.planning.triangular import Block


@dataclass(frozen=True)
class Facts:
    """What classification looks at.

    ``holonomic`` maps each holonomic constraint to the variables it mentions; ``nonholonomic`` each other one to the
    variables and ``rates`` to the variables whose rates it mentions. ``causal`` are variables that energies or forces
    mention, ``idle`` those whose own equation of motion has no term but those of constraints.
    """

    variables: tuple[str, ...]
    holonomic: Mapping[str, frozenset[str]]
    nonholonomic: Mapping[str, frozenset[str]]
    rates: Mapping[str, frozenset[str]]
    causal: frozenset[str]
    idle: frozenset[str]
    has_constant_factor: Callable[[str, str], bool]
    """Whether the derivative of a constraint by a variable (or its rate) is a constant other than zero."""


@dataclass(frozen=True)
class Classes:
    """The classes of variables and constraints, each in the order of declaration, and the blocks that solve them."""

    zeroth: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    holonomic: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    nonholonomic: tuple[tuple[str, ...], tuple[str, ...]]
    zeroth_blocks: tuple[Block, ...]
    first_blocks: tuple[Block, ...]


def classify(facts: Facts) -> Classes:
    """The classes of the variables and constraints.

    >>> aim = Facts(
    ...     ("x", "pointer"), {"aim": frozenset({"x", "pointer"})}, {}, {}, frozenset({"x"}), frozenset({"pointer"}),
    ...     lambda constraint, variable: False,
    ... )
    >>> classes = classify(aim)
    >>> classes.zeroth, classes.second
    (('pointer',), ('x',))
    """
    zeroth_blocks = _determined(facts.variables, facts.holonomic, facts.causal, facts.nonholonomic)
    h0 = {name for block in zeroth_blocks for name in block.equations}
    q0 = {name for block in zeroth_blocks for name in block.unknowns}
    left = {name: mentioned for name, mentioned in facts.holonomic.items() if name not in h0} | dict(
        facts.rates
    )
    first_blocks = _first_order(facts, [name for name in facts.variables if name not in q0], left)
    taken = {name for block in first_blocks for name in block.equations}
    q1 = {name for block in first_blocks for name in block.unknowns}
    return Classes(
        zeroth=tuple(name for name in facts.variables if name in q0),
        first=tuple(name for name in facts.variables if name in q1),
        second=tuple(name for name in facts.variables if name not in q0 | q1),
        holonomic=(
            tuple(name for name in facts.holonomic if name in h0),
            tuple(name for name in facts.holonomic if name in taken),
            tuple(name for name in facts.holonomic if name not in h0 | taken),
        ),
        nonholonomic=(
            tuple(name for name in facts.nonholonomic if name in taken),
            tuple(name for name in facts.nonholonomic if name not in taken),
        ),
        zeroth_blocks=zeroth_blocks,
        first_blocks=first_blocks,
    )


def _first_order(
    facts: Facts, variables: Iterable[str], mentions: Mapping[str, frozenset[str]]
) -> tuple[Block, ...]:
    """Variables whose rates follow: idle ones, and then others one at a time where a factor is constant."""
    candidates = [name for name in variables if name in facts.idle]
    alone = _given_alone(facts, set(candidates), mentions)
    free = _determined([*candidates, *alone], mentions, (), {})
    while True:
        unsafe = [block for block in free if not _is_admitted(block, facts)]
        if not unsafe:
            return free
        dropped = {name for block in unsafe for name in block.unknowns}
        forbidden = {name: mentions[name] for block in unsafe for name in block.equations}
        kept = [name for name in [*candidates, *alone] if name not in dropped]
        free = _determined(kept, mentions, (), forbidden)


def _given_alone(facts: Facts, idle: set[str], mentions: Mapping[str, frozenset[str]]) -> list[str]:
    """Other variables that one constraint gives outright, and that no other mentions."""
    found: list[str] = []
    used: set[str] = set()
    for name in sorted(facts.variables):
        if name in idle or name in facts.idle:
            continue
        own = [each for each, mentioned in mentions.items() if name in mentioned]
        if len(own) == 1 and own[0] not in used and facts.has_constant_factor(own[0], name):
            found.append(name)
            used.add(own[0])
    return found


def _is_admitted(block: Block, facts: Facts) -> bool:
    if all(name in facts.idle for name in block.unknowns):
        return True
    return block.size == 1 and facts.has_constant_factor(block.equations[0], block.unknowns[0])


def _determined(
    variables: Iterable[str],
    mentions: Mapping[str, frozenset[str]],
    excluded: Collection[str],
    forbidden: Mapping[str, frozenset[str]],
) -> tuple[Block, ...]:
    """The blocks of the largest set of variables that follow from all constraints that mention them.

    ``excluded`` variables are not among them, nor those that ``forbidden`` constraints mention.
    """
    barred = {*excluded, *(name for mentioned in forbidden.values() for name in mentioned)}
    candidates = [name for name in variables if name not in barred]
    while candidates:
        kept = set(candidates)
        rows = {name: sorted(mentioned & kept) for name, mentioned in mentions.items() if mentioned & kept}
        structure = Structure.of(rows, candidates)
        variable_of = dict(match(structure).pairs)
        loose = kept - set(variable_of.values())
        reaching = _reaching(rows, variable_of, loose)
        if not reaching:
            return blocks(structure)
        candidates = [name for name in candidates if name not in reaching]
    return ()


def _reaching(
    rows: Mapping[str, Collection[str]], variable_of: Mapping[str, str], loose: Collection[str]
) -> set[str]:
    """Variables that do not follow: those that share too few constraints, and those on which too many are put.

    From a variable that is not matched to all that could give up their constraint for it, and from a constraint that
    is not matched to all variables that could change to it (A. L. Dulmage and N. S. Mendelsohn 1958); which ones are
    matched does not matter.
    """
    equation_of = {variable: equation for equation, variable in variable_of.items()}
    mentioning: dict[str, list[str]] = {}
    for equation, names in rows.items():
        for name in names:
            mentioning.setdefault(name, []).append(equation)
    few, waiting = set(loose), list(loose)
    while waiting:
        for equation in mentioning.get(waiting.pop(), ()):
            name = variable_of[equation]
            if name not in few:
                few.add(name)
                waiting.append(name)
    many: set[str] = set()
    waiting = [equation for equation in rows if equation not in variable_of]
    while waiting:
        for name in rows[waiting.pop()]:
            if name not in many:
                many.add(name)
                waiting.append(equation_of[name])
    return few | many
