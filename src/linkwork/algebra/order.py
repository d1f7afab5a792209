"""The order in which a table's lines are solved: each after those it needs, blocks together.

Lines that need each other in a circle form a block if each of them is an equation to be solved for its
name; a circle through a line that is given by a formula is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from linkwork.errors import CyclicDefinition

if TYPE_CHECKING:
    from linkwork.algebra.table import Definition

Unit = tuple["Definition", ...]


def in_dependency_order(lines: Sequence[Definition]) -> list[Definition]:
    """The definitions with each after those it needs, otherwise in the order given."""
    return [line for unit in in_units(lines) for line in unit]


def in_units(lines: Sequence[Definition]) -> list[Unit]:
    """The same, the lines of a block in one unit, any other line a unit of its own.

    In a block no line has an explicit form; outside of blocks every line has one that can.

    >>> from linkwork.algebra import Definition
    >>> circle, line = "x^2 + y^2 = a", "x + y = 2*b"
    >>> lines = [Definition.of("u", "x*y"), Definition.of("x", implicit=circle)]
    >>> in_units([*lines, Definition.of("y", implicit=line), Definition.of("a", "9*b^2")])
    [(a = 9*b^2,), (x^2 + y^2 = a, x + y = 2*b), (u = x*y,)]
    """
    single: list[Unit] = [(line,) for line in lines]
    ordered = _sorted(single)
    if ordered is None:
        ordered = _sorted(_components(lines))
        assert ordered is not None, "components cannot need each other in a circle"
    return [_settled(unit) for unit in ordered]


def _sorted(units: Sequence[Unit]) -> list[Unit] | None:
    """The units with each after those it needs; None where some need each other in a circle."""
    home = {line.name: place for place, unit in enumerate(units) for line in unit}
    done: set[int] = set()
    begun: set[int] = set()
    ordered: list[Unit] = []
    for first in range(len(units)):
        waiting = [first]
        while waiting:
            place = waiting[-1]
            if place in done:
                waiting.pop()
                continue
            begun.add(place)
            needed = [home[leaf.name] for line in units[place] for leaf in line.mentions if leaf.name in home]
            missing = [other for other in needed if other not in done and other != place]
            if not missing:
                waiting.pop()
                done.add(place)
                begun.discard(place)
                ordered.append(units[place])
            elif not begun.isdisjoint(missing):
                return None
            else:
                waiting += reversed(missing)
    return ordered


def _settled(unit: Unit) -> Unit:
    if len(unit) == 1:
        return (unit[0].solved(),)
    names = {line.name for line in unit}
    for line in unit:
        if not line.is_equation:
            raise _cyclic(line, unit)
        own = [leaf.name for leaf in line.start_mentions if leaf.name in names]
        if own:
            raise CyclicDefinition(
                f"the start of '{line.name}' needs {own[0]}, which is solved together with it",
                got=f"start = {line.start}",
                wanted="a number, or an expression of inputs and of lines before the block",
                fix="give a number near the solution",
            )
    return tuple(line.unsolved() for line in unit)


def _components(lines: Sequence[Definition]) -> list[Unit]:
    """The strongly connected components, by Tarjan's algorithm (1972) without recursion."""
    by_name = {line.name: line for line in lines}
    place = {line.name: position for position, line in enumerate(lines)}
    number: dict[str, int] = {}  # in the order of discovery
    lowest: dict[str, int] = {}  # the earliest one on the path that can be reached
    path: list[str] = []
    position: dict[str, int] = {}  # of each name on it
    on_path: set[str] = set()
    found: list[Unit] = []
    for first in by_name:
        waiting = [] if first in number else [(first, _needs(by_name, first))]
        while waiting:
            name, needs = waiting[-1]
            if name not in number:
                number[name] = lowest[name] = len(number)
                position[name] = len(path)
                path.append(name)
                on_path.add(name)
            if needs:
                other = needs.pop()
                if other not in number:
                    waiting.append((other, _needs(by_name, other)))
                elif other in on_path:
                    lowest[name] = min(lowest[name], number[other])
                continue
            waiting.pop()
            if waiting:
                above = waiting[-1][0]
                lowest[above] = min(lowest[above], lowest[name])
            if lowest[name] == number[name]:
                begin = position[name]
                members = sorted(path[begin:], key=place.__getitem__)
                del path[begin:]
                on_path.difference_update(members)
                found.append(tuple(by_name[member] for member in members))
    return sorted(found, key=lambda unit: place[unit[0].name])


def _needs(by_name: Mapping[str, Definition], name: str) -> list[str]:
    return [leaf.name for leaf in by_name[name].mentions if leaf.name in by_name]


def _cyclic(line: Definition, unit: Unit) -> CyclicDefinition:
    """The error of the shortest circle through a line that is no equation."""
    by_name = {each.name: each for each in unit}
    came_from: dict[str, str] = {}
    reached = [line.name]
    for name in reached:
        for other in _needs(by_name, name):
            if other not in came_from:
                came_from[other] = name
                reached.append(other)
    circle = [line.name]
    while len(circle) < 2 or circle[-1] != line.name:
        circle.append(came_from[circle[-1]])
    circle.reverse()
    shown = circle if len(circle) < 12 else [*circle[:5], "…", *circle[-5:]]
    return CyclicDefinition(
        "these definitions need each other in a circle",
        got=" → ".join(shown),
        wanted="each definition to need only inputs and other definitions before it",
        why=f"{line.name} is given by a formula; only equations are solved together",
        fix=f"make {line.name} an input, or write all of them as equations: "
        + f'Definition.of("{line.name}", implicit="{line}")'[:120],
    )
