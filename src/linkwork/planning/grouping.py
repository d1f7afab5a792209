"""Turns the group labels that graph algorithms give out into groups of names in the user's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    IntArray = NDArray[np.integer[Any]]


def numbered_by_first(labels: IntArray) -> tuple[int, IntArray]:
    """How many groups there are, and the labels renumbered so that groups count up by first member.

    A library may label groups as it likes; the renumbered labels depend on the grouping alone.

    >>> import numpy as np
    >>> count, number = numbered_by_first(np.array([7, 2, 7, 5], dtype=np.int32))
    >>> count, number.tolist()
    (3, [0, 1, 0, 2])
    """
    import numpy as np

    _, first_place, group = np.unique(labels, return_index=True, return_inverse=True)
    number_of_group = np.empty(len(first_place), dtype=np.int32)
    number_of_group[np.argsort(first_place)] = np.arange(len(first_place), dtype=np.int32)
    return len(first_place), number_of_group[group]


def gathered(names: tuple[str, ...], number: IntArray, count: int) -> list[tuple[str, ...]]:
    """The names of each group 0 … count − 1, where ``names[i]`` is in group ``number[i]``.

    >>> import numpy as np
    >>> gathered(("a", "b", "c"), np.array([1, 0, 1], dtype=np.int32), 2)
    [('b',), ('a', 'c')]
    """
    groups: list[list[str]] = [[] for _ in range(count)]
    for name, group in zip(names, number.tolist(), strict=True):
        groups[group].append(name)
    return [tuple(group) for group in groups]
