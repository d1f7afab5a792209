"""Orders a completely matched system into blocks that can be solved one after another.

Let every equation be matched with the variable it determines. Equation i needs equation j if i mentions
the variable of j. Equations that need each other in a circle must be solved together: they are the
strong components of this graph, and they do not depend on which complete matching was taken. Sorting
the components so that each comes after those it needs makes the matrix of mentions block triangular.

Algorithms: order, A. B. Kahn, "Topological sorting of large networks", Comm. ACM 5 (1962); with strong
components, A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM Trans.
Math. Softw. 16 (1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from linkwork.planning.graph import Rows, strong_components
from linkwork.planning.grouping import gathered, numbered_by_first
from linkwork.planning.matching import matched_equations

if TYPE_CHECKING:
    from linkwork.planning.structure import Structure


@dataclass(frozen=True)
class Block:
    """Equations to be solved together for as many unknowns; both in the user's order.

    >>> print(Block(equations=("loop x", "loop y"), unknowns=("b", "c")))
    loop x, loop y → b, c
    """

    equations: tuple[str, ...]
    unknowns: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many unknowns are solved for at once."""
        return len(self.unknowns)

    def __str__(self) -> str:
        return f"{', '.join(self.equations)} → {', '.join(self.unknowns)}"


def triangular(structure: Structure, variable_of_equation: Sequence[int]) -> tuple[Block, ...]:
    """The blocks of a structure in solving order, given a complete matching of it.

    Among blocks that are ready to be solved, the one with the user's earliest equation comes first.

    >>> from linkwork.planning import Structure
    >>> from linkwork.planning.matching import matched_variables
    >>> chain = Structure.of({"late": ["a", "b"], "early": ["a"]})
    >>> [str(block) for block in triangular(chain, matched_variables(chain))]
    ['early → a', 'late → b']
    """
    equation_of_variable = matched_equations(variable_of_equation, len(structure.variables))
    needs = [[equation_of_variable[variable] for variable in row] for row in structure.rows]
    count, number = numbered_by_first(strong_components(needs))
    waiting: list[set[int]] = [set() for _ in range(count)]
    for equation, row in enumerate(needs):
        for needed in row:
            waiting[number[needed]].add(number[equation])
    order = _solving_order([sorted(each - {block}) for block, each in enumerate(waiting)])

    equations = gathered(structure.equations, number, count)
    unknowns = gathered(structure.variables, [number[each] for each in equation_of_variable], count)
    return tuple(Block(equations=equations[block], unknowns=unknowns[block]) for block in order)


def _solving_order(waiting_for: Rows) -> list[int]:
    """The blocks, each after those it needs and otherwise the lowest number first.

    ``waiting_for[k]`` are the blocks that need block k.
    """
    open_needs = [0] * len(waiting_for)
    for blocks in waiting_for:
        for waiting in blocks:
            open_needs[waiting] += 1

    # Counting up makes this list a heap from the start.
    ready = [block for block, needs in enumerate(open_needs) if needs == 0]
    order: list[int] = []
    while ready:
        block = heappop(ready)
        order.append(block)
        for waiting in waiting_for[block]:
            open_needs[waiting] -= 1
            if open_needs[waiting] == 0:
                heappush(ready, waiting)
    return order
