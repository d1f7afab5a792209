"""The objects of a text that are parts of a machine, and what they are called.

What loops, conditions and the like give at the top of a text counts one by one; so does what is only placed, copied or
coloured together, if modules or labels name several of it. Any other statement there counts as a whole. If all of it
is one object, such as ``assembly();``, and that is made of several that modules or labels name, these count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from linkwork.solid.scad.tree import (
    Alone,
    Ball,
    Called,
    Combined,
    Cube,
    Drum,
    Extruded,
    Facets,
    Holder,
    Leaf,
    Marked,
    Node,
    Revolved,
    Transformed,
    nodes_below,
)

_WORDS: Final[dict[type, str]] = {
    Cube: "cube",
    Ball: "sphere",
    Drum: "cylinder",
    Facets: "polyhedron",
    Extruded: "linear_extrude",
    Revolved: "rotate_extrude",
}
"""What an object is called for want of a better name: as the module that makes it."""
DEEPEST_ASSEMBLY: Final = 50
"""Modules and unions inside one another that are opened to find the parts of an assembly."""

_PASSING: Final = (Holder, Alone)
"""What loops, conditions and the like give."""


def objects_of(tree: Node) -> list[Node]:
    """The objects of a text."""
    found = inner = _apart(_one_by_one([tree]))
    for _ in range(DEEPEST_ASSEMBLY):
        if len(inner) != 1:
            break
        inner = pieces_of(inner[0])
    return _apart(inner) if _name_several(inner) else found


def pieces_of(node: Node) -> list[Node]:
    """The objects that one is the union of, where they stand; none of what is one by its making or by its label."""
    return _pieces(node, of_modules=True)


def _apart(nodes: Iterable[Node]) -> list[Node]:
    """Nodes, those one by one that are only placed, copied or coloured together."""
    found: list[Node] = []
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        pieces = _pieces(node, of_modules=False)
        if _name_several(pieces):
            waiting += reversed(pieces)
        else:
            found.append(node)
    return found


def _name_several(nodes: Iterable[Node]) -> bool:
    """Whether modules or labels name several of some nodes, or of what these place, copy or colour together."""
    count, waiting = 0, [*nodes]
    while waiting and count < 2:
        node = waiting.pop()
        if _is_named(node):
            count += 1
        else:
            waiting += _pieces(node, of_modules=False)
    return count > 1


def _pieces(node: Node, *, of_modules: bool) -> list[Node]:
    around: list[Holder] = []
    inner: list[Node] = [node]
    while len(inner) == 1 and len(around) < DEEPEST_ASSEMBLY and _only_places(inner[0]):
        (holder,) = inner
        assert isinstance(holder, Holder)
        around.append(holder)
        inner = list(_one_by_one(holder.children))
    if len(inner) == 1:
        inner = list(_one_by_one(_united(inner[0]))) if of_modules else []
    for holder in reversed([each for each in around if not isinstance(each, Called)]):
        inner = [replace(holder, children=(each,)) for each in inner]
    return inner


def _united(node: Node) -> tuple[Node, ...]:
    """What a module or a union has put together."""
    if isinstance(node, Called) or (isinstance(node, Combined) and node.how == "union"):
        return node.children
    return ()


def _only_places(node: Node) -> bool:
    """Whether a node places, copies or colours what it holds."""
    if isinstance(node, Called):
        return node.changes
    return isinstance(node, Transformed) or (
        isinstance(node, Marked) and not (node.label or node.gear or node.thread)
    )


def name_of(node: Node) -> str:
    """The label of an object, or the name of the module that gives it, or of the first one in it."""
    for each in _only(node):
        if isinstance(each, Marked) and each.label:
            return each.label
        if isinstance(each, Called) and not each.changes:
            break
    called = [each for each in nodes_below(node) if isinstance(each, Called) and each.name]
    named = [each.name for each in called if not each.changes] or [each.name for each in called]
    words = (_WORDS[type(each)] for each in nodes_below(node) if type(each) in _WORDS)
    return named[0] if named else next(words, "part")


def is_group(node: Node) -> bool:
    """Whether an object is what a dump has in place of a module or a loop, which it does not tell apart."""
    return any(isinstance(each, Called) and not each.name for each in _only(node))


def places_several(node: Node) -> bool:
    """Whether an object is several that are placed, copied or coloured together."""
    *_, last = _only(node)
    return _only_places(last)


def _one_by_one(nodes: Iterable[Node]) -> Iterator[Node]:
    """Nodes but for those in which there is nothing; loops, conditions and the like give their own."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Holder) and type(node) in _PASSING:
            waiting += reversed(node.children)
        elif not _is_empty(node):
            yield node


def _is_empty(node: Node) -> bool:
    """Whether there is no shape in a node; the first one is looked for, so that this seldom takes long."""
    return not any(isinstance(each, Leaf) for each in nodes_below(node))


def _is_named(node: Node) -> bool:
    return any(
        (isinstance(each, Called) and not each.changes) or (isinstance(each, Marked) and each.label)
        for each in _only(node)
    )


def _only(node: Node) -> Iterator[Node]:
    """A node, what alone it holds unchanged but for its place and colour, and so on."""
    yield node
    for _ in range(DEEPEST_ASSEMBLY):
        if not isinstance(node, Holder) or type(node) not in (Called, Transformed, Marked, *_PASSING):
            return
        inner = list(_one_by_one(node.children))
        if len(inner) != 1:
            return
        (node,) = inner
        yield node
