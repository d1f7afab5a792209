"""Orders a completely matched system into blocks that can be solved one after another.

Let every equation be matched with the variable it determines. Equation i needs equation j if i mentions
the variable of j. Equations that need each other in a circle must be solved together: they are the
strong components of this graph, and they do not depend on which complete matching was taken. Sorting
the components so that each comes after those it needs makes the matrix of mentions block triangular.

Algorithms: strong components, R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J.
Comput. 1 (1972), which SciPy provides in D. J. Pearce's form without recursion; order, A. B. Kahn,
"Topological sorting of large networks", Comm. ACM 5 (1962); both together, A. Pothen, C.-J. Fan,
"Computing the block triangular form of a sparse matrix", ACM Trans. Math. Softw. 16 (1990).
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from linkwork.planning.grouping import gathered, numbered_by_first
from linkwork.planning.matching import matched_equations

if TYPE_CHECKING:
    from linkwork.planning.grouping import IntArray
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


def triangular(structure: Structure, variable_of_equation: IntArray) -> tuple[Block, ...]:
    """The blocks of a structure in solving order, given a complete matching of it.

    Among blocks that are ready to be solved, the one with the user's earliest equation comes first.

    >>> from linkwork.planning import Structure
    >>> from linkwork.planning.matching import matched_variables
    >>> chain = Structure.of({"late": ["a", "b"], "early": ["a"]})
    >>> [str(block) for block in triangular(chain, matched_variables(chain))]
    ['early → a', 'late → b']
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    equation_count = len(structure.equations)
    if equation_count == 0:
        return ()
    mentions = structure.incidence
    equation_of_variable = matched_equations(variable_of_equation, len(structure.variables))
    needed_equation = equation_of_variable[mentions.indices]
    needs = csr_array(
        (mentions.data, needed_equation, mentions.indptr), shape=(equation_count, equation_count)
    )
    _, labels = connected_components(needs, directed=True, connection="strong")
    count, number = numbered_by_first(labels)

    needing_equation = np.repeat(np.arange(equation_count), np.diff(mentions.indptr))
    order = _solving_order(count, number[needing_equation], number[needed_equation])

    equations = gathered(structure.equations, number, count)
    unknowns = gathered(structure.variables, number[equation_of_variable], count)
    return tuple(Block(equations=equations[block], unknowns=unknowns[block]) for block in order)


def _solving_order(count: int, needing: IntArray, needed: IntArray) -> list[int]:
    """The blocks 0 … count − 1, each after those it needs and otherwise the lowest number first.

    Block ``needing[k]`` needs block ``needed[k]``; a block needing itself is no obstacle.
    """
    import numpy as np

    outward = needing != needed
    edges = np.unique(needed[outward].astype(np.int64) * count + needing[outward])
    waiting_block = (edges % count).tolist()
    first_edge = np.searchsorted(edges, np.arange(count + 1, dtype=np.int64) * count).tolist()
    open_needs = np.bincount(edges % count, minlength=count).tolist()

    # Counting up makes this list a heap from the start.
    ready = [block for block in range(count) if open_needs[block] == 0]
    order: list[int] = []
    while ready:
        block = heappop(ready)
        order.append(block)
        for waiting in waiting_block[first_edge[block] : first_edge[block + 1]]:
            open_needs[waiting] -= 1
            if open_needs[waiting] == 0:
                heappush(ready, waiting)
    return order
