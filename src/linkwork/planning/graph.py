"""Questions about graphs given as rows: ``rows[i]`` are the places to which place i leads.

All of them are asked of small graphs at every start of a command, so nothing has to be loaded for them; none recurses,
so chains may be long.

Algorithms: strong components, R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972);
matching, J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs", SIAM J. Comput.
2 (1973).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Rows = Sequence[Sequence[int]]

NONE = -1
"""Stands in a list of places where there is no place."""


def reached(rows: Rows, start: Iterable[int]) -> list[int]:
    """All places to which paths from some of them lead, in order, those included.

    >>> reached([[1], [], [1]], [0])
    [0, 1]
    """
    seen = set(start)
    waiting = list(seen)
    while waiting:
        fresh = {each for each in rows[waiting.pop()] if each not in seen}
        seen |= fresh
        waiting += fresh
    return sorted(seen)


def connected(rows: Rows, others: int) -> tuple[list[int], list[int]]:
    """Labels that are the same for what hangs together: of the rows, and of the other places to which they lead.

    >>> connected([[0, 1], [2], [1]], 4)
    ([6, 5, 6], [6, 6, 5, 3])
    """
    above = list(range(others + len(rows)))  # the places to which rows lead, then the rows

    def top(place: int) -> int:
        while above[place] != place:
            above[place] = place = above[above[place]]
        return place

    for row, places in enumerate(rows, others):
        for place in places:
            above[top(place)] = top(row)
    labels = [top(place) for place in range(len(above))]
    return labels[others:], labels[:others]


def strong_components(rows: Rows) -> list[int]:
    """A label for each place, the same for those from each of which a path leads to the others.

    >>> strong_components([[1], [0], [0]])
    [0, 0, 1]
    """
    number, low, label = [NONE] * len(rows), [0] * len(rows), [NONE] * len(rows)
    open_places: list[int] = []
    counted = labels = 0
    for start in range(len(rows)):
        way = [(start, iter(rows[start]))] if number[start] == NONE else []
        while way:
            place, leads = way[-1]
            if number[place] == NONE:
                number[place] = low[place] = counted
                counted += 1
                open_places.append(place)
            deeper = _next_unseen(place, leads, number, low, label)
            if deeper != NONE:
                way.append((deeper, iter(rows[deeper])))
                continue
            way.pop()
            if way:
                before = way[-1][0]
                low[before] = min(low[before], low[place])
            if low[place] == number[place]:
                while label[place] == NONE:
                    label[open_places.pop()] = labels
                labels += 1
    return label


def _next_unseen(
    place: int, leads: Iterator[int], number: list[int], low: list[int], label: list[int]
) -> int:
    """The next place that was not come to yet; what others tell of the way back is noted meanwhile."""
    for other in leads:
        if number[other] == NONE:
            return other
        if label[other] == NONE:
            low[place] = min(low[place], number[other])
    return NONE


def matching(rows: Rows, others: int) -> list[int]:
    """For each row one of the places it leads to, or ``NONE``, no place twice, for as many rows as possible.

    >>> matching([[0, 1], [0], [0]], 2)
    [1, 0, -1]
    """
    partner, row_of = [NONE] * len(rows), [NONE] * others
    for row in sorted(range(len(rows)), key=lambda row: len(rows[row])):  # who has the least choice, first
        free = next((place for place in rows[row] if row_of[place] == NONE), NONE)
        if free != NONE:
            partner[row], row_of[free] = free, row
    while True:
        level = _levels(rows, partner, row_of)
        if level is None:
            return partner
        leads = [iter(places) for places in rows]
        for row in range(len(rows)):
            if partner[row] == NONE:
                _lengthen(row, leads, level, partner, row_of)


def _levels(rows: Rows, partner: list[int], row_of: list[int]) -> list[int] | None:
    """How many steps rows are from one without a partner, as far as the nearest free place; None if none is reached."""
    level = [0 if each == NONE else NONE for each in partner]
    now = [row for row, each in enumerate(partner) if each == NONE]
    while now:
        later: list[int] = []
        is_found = False
        for row in now:
            for place in rows[row]:
                other = row_of[place]
                if other == NONE:
                    is_found = True
                elif level[other] == NONE:
                    level[other] = level[row] + 1
                    later.append(other)
        if is_found:
            return level
        now = later
    return None


def _lengthen(
    start: int, leads: list[Iterator[int]], level: list[int], partner: list[int], row_of: list[int]
) -> None:
    """Give a row a partner along a shortest path to a free place, if there is one: each row on it takes the next."""
    way: list[int] = [start]
    taken: list[int] = []
    while way:
        row = way[-1]
        place = next(
            (each for each in leads[row] if row_of[each] == NONE or level[row_of[each]] == level[row] + 1),
            NONE,
        )
        if place == NONE:
            way.pop()
            if taken:
                taken.pop()
            continue
        taken.append(place)
        if row_of[place] == NONE:
            for own, each in zip(way, taken, strict=True):
                partner[own], row_of[each] = each, own
            return
        way.append(row_of[place])
