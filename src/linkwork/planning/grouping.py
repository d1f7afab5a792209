"""Turns the group labels that graph algorithms give out into groups of names in the user's order."""

from __future__ import annotations

from collections.abc import Sequence


def numbered_by_first(labels: Sequence[int]) -> tuple[int, list[int]]:
    """How many groups there are, and the labels renumbered so that groups count up by first member.

    A search may label groups as it likes; the renumbered labels depend on the grouping alone.

    >>> numbered_by_first([7, 2, 7, 5])
    (3, [0, 1, 0, 2])
    """
    number_of_group: dict[int, int] = {}
    number = [number_of_group.setdefault(label, len(number_of_group)) for label in labels]
    return len(number_of_group), number


def gathered(names: tuple[str, ...], number: Sequence[int], count: int) -> list[tuple[str, ...]]:
    """The names of each group 0 … count − 1, where ``names[i]`` is in group ``number[i]``.

    >>> gathered(("a", "b", "c"), [1, 0, 1], 2)
    [('b',), ('a', 'c')]
    """
    groups: list[list[str]] = [[] for _ in range(count)]
    for name, group in zip(names, number, strict=True):
        groups[group].append(name)
    return [tuple(group) for group in groups]
