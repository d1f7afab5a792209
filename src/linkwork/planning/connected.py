"""Splits a system into the parts that have nothing to do with each other."""

from __future__ import annotations

from linkwork.planning.graph import connected
from linkwork.planning.grouping import gathered, numbered_by_first
from linkwork.planning.structure import Structure


def components(structure: Structure) -> tuple[Structure, ...]:
    """The independent components, each a structure of its own: no variable is shared between two.

    They are ordered by first equation; an equation that mentions nothing and a variable mentioned
    nowhere are components of one, the latter at the end.

    >>> for part in components(Structure.of({"arm x": ["a", "b"], "lid": ["c"], "arm y": ["b"]})):
    ...     print(part)
    2 equations, 2 variables
      arm x: a, b
      arm y: b
    1 equation, 1 variable
      lid: c
    """
    of_equations, of_variables = connected(structure.rows, len(structure.variables))
    count, number = numbered_by_first([*of_equations, *of_variables])
    equation_count = len(structure.equations)

    equations = gathered(structure.equations, number[:equation_count], count)
    variables = gathered(structure.variables, number[equation_count:], count)
    return tuple(
        Structure(
            equations=own_equations,
            variables=own_variables,
            mentions=tuple(structure.mentioned_in(equation) for equation in own_equations),
        )
        for own_equations, own_variables in zip(equations, variables, strict=True)
    )
