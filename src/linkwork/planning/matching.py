"""Gives each equation a variable of its own, for as many equations as possible.

A matching is a set of pairs (equation, variable it mentions) in which nothing occurs twice. It is the
structural ghost of a solution: an equation is meant to determine the variable it is paired with. What
no maximum matching can pair is where a system has too many or too few equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.planning.graph import NONE, matching

if TYPE_CHECKING:
    from linkwork.planning.structure import Structure


@dataclass(frozen=True)
class Matching:
    """Pairs (equation, variable), and what is left over on either side; all in the user's order."""

    pairs: tuple[tuple[str, str], ...]
    unmatched_equations: tuple[str, ...]
    unmatched_variables: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is left over on either side."""
        return not self.unmatched_equations and not self.unmatched_variables

    def __str__(self) -> str:
        lines = [f"{equation} → {variable}" for equation, variable in self.pairs]
        lines += [f"{equation} → nothing" for equation in self.unmatched_equations]
        lines += [f"nothing → {variable}" for variable in self.unmatched_variables]
        return "\n".join(lines)


def match(structure: Structure) -> Matching:
    """A maximum matching of the structure.

    Several may be equally large; which one is returned is the same every time for the same input, but
    only what all of them agree on (:func:`linkwork.planning.parts`) says something about the system.

    >>> from linkwork.planning import Structure
    >>> print(match(Structure.of({"loop": ["a", "b"], "drive": ["a"], "load": ["c", "d"]})))
    loop → b
    drive → a
    load → c
    nothing → d
    """
    partner = matched_variables(structure)
    taken = {column for column in partner if column != NONE}
    return Matching(
        pairs=tuple(
            (equation, structure.variables[column])
            for equation, column in zip(structure.equations, partner, strict=True)
            if column != NONE
        ),
        unmatched_equations=tuple(
            equation for equation, column in zip(structure.equations, partner, strict=True) if column == NONE
        ),
        unmatched_variables=tuple(
            variable for column, variable in enumerate(structure.variables) if column not in taken
        ),
    )


def matched_variables(structure: Structure) -> list[int]:
    """For each equation the place of the variable it is matched with, or ``NONE``.

    >>> from linkwork.planning import Structure
    >>> matched_variables(Structure.of({"loop": ["a", "b"], "drive": ["a"], "stop": ["a"]}))
    [1, 0, -1]
    """
    return matching(structure.rows, len(structure.variables))


def matched_equations(variable_of_equation: Sequence[int], variable_count: int) -> list[int]:
    """The same matching seen from the variables: for each the place of its equation, or ``NONE``.

    >>> matched_equations([1, 0, -1], variable_count=3)
    [1, 0, -1]
    """
    equation_of_variable = [NONE] * variable_count
    for equation, variable in enumerate(variable_of_equation):
        if variable != NONE:
            equation_of_variable[variable] = equation
    return equation_of_variable
