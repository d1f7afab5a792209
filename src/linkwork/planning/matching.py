"""Gives each equation a variable of its own, for as many equations as possible.

A matching is a set of pairs (equation, variable it mentions) in which nothing occurs twice. It is the
structural ghost of a solution: an equation is meant to determine the variable it is paired with. What
no maximum matching can pair is where a system has too many or too few equations.

Algorithm: J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs",
SIAM J. Comput. 2 (1973), as provided by SciPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwork.planning.grouping import IntArray
    from linkwork.planning.structure import Structure

UNMATCHED = -1
"""Stands in an array of places where there is no partner."""


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
    partner = matched_variables(structure).tolist()
    taken = {column for column in partner if column != UNMATCHED}
    return Matching(
        pairs=tuple(
            (equation, structure.variables[column])
            for equation, column in zip(structure.equations, partner, strict=True)
            if column != UNMATCHED
        ),
        unmatched_equations=tuple(
            equation
            for equation, column in zip(structure.equations, partner, strict=True)
            if column == UNMATCHED
        ),
        unmatched_variables=tuple(
            variable for column, variable in enumerate(structure.variables) if column not in taken
        ),
    )


def matched_variables(structure: Structure) -> IntArray:
    """For each equation the place of the variable it is matched with, or ``UNMATCHED``.

    >>> from linkwork.planning import Structure
    >>> matched_variables(Structure.of({"loop": ["a", "b"], "drive": ["a"], "stop": ["a"]})).tolist()
    [1, 0, -1]
    """
    import numpy as np
    from scipy.sparse.csgraph import maximum_bipartite_matching

    partner = maximum_bipartite_matching(structure.incidence, perm_type="column")
    return np.asarray(partner, dtype=np.int32)


def matched_equations(variable_of_equation: IntArray, variable_count: int) -> IntArray:
    """The same matching seen from the variables: for each the place of its equation, or ``UNMATCHED``.

    >>> import numpy as np
    >>> matched_equations(np.array([1, 0, -1], dtype=np.int32), variable_count=3).tolist()
    [1, 0, -1]
    """
    import numpy as np

    equation_of_variable = np.full(variable_count, UNMATCHED, dtype=np.int32)
    matched = np.flatnonzero(variable_of_equation != UNMATCHED)
    equation_of_variable[variable_of_equation[matched]] = matched
    return equation_of_variable
