"""Finds where a system has too many equations, where too few, and where just enough.

Take any maximum matching. What can be reached from an unmatched equation by going to a variable it
mentions, from there to the equation matched with that variable, and so on, is over-determined; what can
be reached likewise from an unmatched variable is under-determined; the rest is well-determined. The
three parts are the same for every maximum matching, so they belong to the system, not to the search.
An equation of the over-determined part mentions only variables of that part, and a variable of the
under-determined part is mentioned only by equations of that part.

Algorithm: A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canad. J. Math. 10 (1958);
A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM Trans. Math. Softw.
16 (1990), whose horizontal, vertical and square parts are our under-, over- and well-determined ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.planning.connected import components
from linkwork.planning.graph import NONE, Rows, reached
from linkwork.planning.matching import matched_equations, matched_variables
from linkwork.planning.report import sentences
from linkwork.planning.triangular import Block, triangular
from linkwork.planning.wording import NAMES_SHOWN

if TYPE_CHECKING:
    from linkwork.planning.structure import Structure


@dataclass(frozen=True)
class Group:
    """Connected equations and variables whose numbers do not agree.

    ``repair`` is one smallest choice that makes them agree: in the over-determined part equations to
    remove, in the under-determined part variables to give a value. With one name in it, any other
    equation (or variable) of the group would do as well.
    """

    equations: tuple[str, ...]
    variables: tuple[str, ...]
    repair: tuple[str, ...]

    @property
    def surplus(self) -> int:
        """How many equations are too many; below zero, how many are missing."""
        return len(self.equations) - len(self.variables)


@dataclass(frozen=True)
class Misfit:
    """The over- or the under-determined part: all its equations and variables, and the same in groups."""

    equations: tuple[str, ...]
    variables: tuple[str, ...]
    groups: tuple[Group, ...]

    @property
    def repair(self) -> tuple[str, ...]:
        """The repairs of all groups together."""
        return tuple(name for group in self.groups for name in group.repair)


@dataclass(frozen=True)
class Fit:
    """The well-determined part: as many equations as variables, and the blocks that solve them in order.

    Its equations may also mention variables of the over-determined part; the blocks take these as known.
    """

    equations: tuple[str, ...]
    variables: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Parts:
    """A system split by how well its equations determine its variables; everything is in one part."""

    over: Misfit
    under: Misfit
    well: Fit

    @property
    def solvable(self) -> bool:
        """Whether every part of the system has as many equations as variables."""
        return not self.over.groups and not self.under.groups

    def explain(self, names_shown: int = NAMES_SHOWN) -> tuple[str, ...]:
        """What is wrong and what would mend it, two sentences for each group.

        A list longer than ``names_shown`` is cut short; the parts themselves hold every name.

        >>> from linkwork.planning import Structure
        >>> spare_drive = Structure.of({"drive": ["a"], "motor": ["a"], "load": ["a", "b"]})
        >>> for sentence in parts(spare_drive).explain():
        ...     print(sentence)
        Over-determined: 2 equations ('drive' and 'motor') for 1 variable ('a'), 1 too many.
        Remove any one of these equations.
        Well-determined: 1 equation for 1 variable, in 1 block.
        """
        return sentences(self, names_shown)

    def __str__(self) -> str:
        return "\n".join(self.explain())


def parts(structure: Structure) -> Parts:
    """The over-, under- and well-determined parts of a system.

    >>> from linkwork.planning import Structure
    >>> found = parts(Structure.of({"drive": ["a"], "motor": ["a"], "load": ["b", "c"], "lid": ["d"]}))
    >>> found.over.equations, found.over.variables
    (('drive', 'motor'), ('a',))
    >>> found.under.equations, found.under.variables
    (('load',), ('b', 'c'))
    >>> [str(block) for block in found.well.blocks]
    ['lid → d']
    """
    variable_of = matched_variables(structure)
    equation_of = matched_equations(variable_of, len(structure.variables))
    spare_rows, spare_columns = _without_partner(variable_of), _without_partner(equation_of)

    over_rows = _reached(structure.rows, equation_of, spare_rows)
    under_columns = _reached(_turned(structure), variable_of, spare_columns)
    under_rows = _partners(equation_of, under_columns)
    misfit = {*over_rows, *under_rows}
    well_rows = [row for row in range(len(structure.equations)) if row not in misfit]

    over = _seen_through(structure, over_rows, _partners(variable_of, over_rows))
    under = _seen_through(structure, under_rows, under_columns)
    spare_equations = {structure.equations[row] for row in spare_rows}
    spare_variables = {structure.variables[column] for column in spare_columns}
    return Parts(
        over=Misfit(
            over.equations,
            over.variables,
            groups=tuple(
                Group(piece.equations, piece.variables, _among(spare_equations, piece.equations))
                for piece in components(over)
            ),
        ),
        under=Misfit(
            under.equations,
            under.variables,
            groups=tuple(
                Group(piece.equations, piece.variables, _among(spare_variables, piece.variables))
                for piece in components(under)
            ),
        ),
        well=_fit(structure, well_rows, [variable_of[row] for row in well_rows]),
    )


def _without_partner(partner_of: Sequence[int]) -> list[int]:
    return [place for place, partner in enumerate(partner_of) if partner == NONE]


def _turned(structure: Structure) -> Rows:
    """For each variable the places of the equations that mention it."""
    mentioning: list[list[int]] = [[] for _ in structure.variables]
    for equation, row in enumerate(structure.rows):
        for variable in row:
            mentioning[variable].append(equation)
    return mentioning


def _reached(rows: Rows, partner_of_place: Sequence[int], start: Sequence[int]) -> list[int]:
    """The rows that alternating paths (row, place it mentions, partner row of that) reach from ``start``."""
    if not start:
        return []
    # No path from a start meets a place without a partner, or the matching could be made larger.
    onward = [[partner for place in row if (partner := partner_of_place[place]) != NONE] for row in rows]
    return reached(onward, start)


def _partners(partner_of: Sequence[int], places: Iterable[int]) -> list[int]:
    return [partner_of[place] for place in places if partner_of[place] != NONE]


def _seen_through(structure: Structure, rows: Iterable[int], columns: Iterable[int]) -> Structure:
    return structure.only(
        equations=[structure.equations[row] for row in rows],
        variables=[structure.variables[column] for column in columns],
    )


def _among(spare: set[str], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name in spare)


def _fit(structure: Structure, rows: Sequence[int], column_of_row: Sequence[int]) -> Fit:
    """The well-determined part: these rows and their partners, matched as they were in the whole."""
    columns = sorted(column_of_row)
    well = _seen_through(structure, rows, columns)
    place_in_well = {column: place for place, column in enumerate(columns)}
    return Fit(
        well.equations, well.variables, triangular(well, [place_in_well[each] for each in column_of_row])
    )
