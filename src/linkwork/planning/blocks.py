"""Answers in which order to solve a system, what each step waits for, and which steps a wish needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from linkwork.errors import NoAnswer
from linkwork.planning.freedoms import Parts, parts
from linkwork.planning.report import misfits_told
from linkwork.planning.structure import as_names, refuse_unknown
from linkwork.planning.triangular import Block
from linkwork.planning.wording import counted, listed

if TYPE_CHECKING:
    from linkwork.planning.structure import Structure

SENTENCES_SHOWN = 12
"""Sentences of explanation in an error message, two for each group; more would hide the fix below them."""


def blocks(structure: Structure) -> tuple[Block, ...]:
    """The blocks to solve one after another: each needs only its own unknowns and those of earlier ones.

    Blocks are as small as they can be. Among blocks ready to be solved, the one with the user's
    earliest equation comes first, so the same input always gives the same order.

    >>> from linkwork.planning import Structure
    >>> angles = ["crank", "rod", "rocker"]
    >>> four_bar = {"loop x": angles, "loop y": angles, "drive": ["crank"]}
    >>> for block in blocks(Structure.of(four_bar)):
    ...     print(block)
    drive → crank
    loop x, loop y → rod, rocker

    A system in which some part has too many or too few equations has no such order:

    >>> blocks(Structure.of(four_bar | {"motor": ["crank"]}))
    Traceback (most recent call last):
    linkwork.errors.NoAnswer: the system is structurally singular: its equations and variables do not pair up
      got:    4 equations for 3 variables
      wanted: as many equations as variables, in every part of the system
      why:    Over-determined: 2 equations ('drive' and 'motor') for 1 variable ('crank'), 1 too many.
              Remove any one of these equations.
      fix:    remove 'motor'
    """
    found = parts(structure)
    if not found.solvable:
        raise _singular(structure, found)
    return found.well.blocks


def dependencies(blocks: Sequence[Block], structure: Structure) -> tuple[tuple[int, ...], ...]:
    """For each block the places of the other blocks whose unknowns its equations mention, counted from 0.

    Variables that no block solves for are taken as known.

    >>> from linkwork.planning import Structure
    >>> chain = Structure.of({"drive": ["a"], "loop": ["a", "b"], "lid": ["c"], "latch": ["b", "c", "d"]})
    >>> dependencies(blocks(chain), chain)
    ((), (0,), (), (1, 2))
    """
    block_of = _block_of(blocks)
    return tuple(
        tuple(sorted(_mentioned_blocks(block, structure, block_of) - {place}))
        for place, block in enumerate(blocks)
    )


def needed(
    blocks: Sequence[Block], structure: Structure, wanted_variables: Iterable[str]
) -> tuple[Block, ...]:
    """Only those blocks, order kept, without which the wanted variables cannot be computed.

    >>> from linkwork.planning import Structure
    >>> chain = Structure.of({"drive": ["a"], "loop": ["a", "b"], "lid": ["c"], "latch": ["b", "c", "d"]})
    >>> [str(block) for block in needed(blocks(chain), chain, ["b"])]
    ['drive → a', 'loop → b']
    """
    block_of = _block_of(blocks)
    wanted = as_names(wanted_variables, "the wanted variables")
    refuse_unknown(wanted, block_of, "no block solves for this variable")
    needs = dependencies(blocks, structure)
    waiting = [block_of[name] for name in wanted]
    kept: set[int] = set()
    while waiting:
        place = waiting.pop()
        if place not in kept:
            kept.add(place)
            waiting += needs[place]
    return tuple(blocks[place] for place in sorted(kept))


def _block_of(blocks: Sequence[Block]) -> dict[str, int]:
    return {name: place for place, block in enumerate(blocks) for name in block.unknowns}


def _mentioned_blocks(block: Block, structure: Structure, block_of: dict[str, int]) -> set[int]:
    return {
        block_of[name]
        for equation in block.equations
        for name in structure.mentioned_in(equation)
        if name in block_of
    }


def _singular(structure: Structure, found: Parts) -> NoAnswer:
    """The error for a system with over- or under-determined parts, naming them and a smallest repair."""
    repairs = []
    if found.over.repair:
        repairs.append(f"remove {listed(found.over.repair)}")
    if found.under.repair:
        each = "each of " if len(found.under.repair) > 1 else ""
        repairs.append(f"give {each}{listed(found.under.repair)} a value or one more equation")
    told = misfits_told(found)
    if len(told) > SENTENCES_SHOWN:
        told = [*told[:SENTENCES_SHOWN], "… for the rest print(parts(structure))"]
    return NoAnswer(
        "the system is structurally singular: its equations and variables do not pair up",
        got=f"{counted(len(structure.equations), 'equation')} for "
        f"{counted(len(structure.variables), 'variable')}",
        wanted="as many equations as variables, in every part of the system",
        why="\n".join(told),
        fix=", and ".join(repairs),
    )
