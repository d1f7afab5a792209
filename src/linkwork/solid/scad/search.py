"""``search``: where values stand in a table. Its answers have four shapes, kept here as OpenSCAD gives them."""

from __future__ import annotations

from linkwork.solid.scad.limits import Work
from linkwork.solid.scad.operators import index
from linkwork.solid.scad.value import Value, equal


def search(wanted: Value, table: Value, most: float, column: float, work: Work) -> Value:
    """The places of a value, or of each character or element of one, in a table: ``most`` of each, 0 for all.

    >>> search("ab", "abcabc", 0.0, 0.0, Work()), search(3.0, (1.0, 3.0, 3.0), 1.0, 0.0, Work())
    (((0.0, 3.0), (1.0, 4.0)), (1.0,))
    """
    if isinstance(wanted, float):
        return _places(wanted, table, most, column, work)
    if isinstance(wanted, str):
        return _characters(wanted, table, most, column, work)
    if not isinstance(wanted, tuple):
        return None
    found: list[Value] = []
    for each in wanted:
        places = _places(each, table, most, column, work)
        found.append(places[0] if most == 1 and places else places)
    return tuple(found)


def _characters(wanted: str, table: Value, most: float, column: float, work: Work) -> Value:
    found: list[Value] = []
    for character in wanted:
        if isinstance(table, str):
            work.spend(len(table))
            places = tuple(float(place) for place, each in enumerate(table) if each == character)
        elif isinstance(table, tuple):
            if not all(isinstance(row, tuple) for row in table):
                return ()
            places = _places(character, table, 0.0, column, work, whole=False)
        else:
            return ()
        places = places if most == 0 else places[: int(most)]
        if most != 1:
            found.append(places)
        else:
            found += places
    return tuple(found)


def _places(
    wanted: Value, table: Value, most: float, column: float, work: Work, *, whole: bool = True
) -> tuple[float, ...]:
    """Where a value stands in a vector, by itself or in a column of its rows."""
    if not isinstance(table, tuple):
        return ()
    found: list[float] = []
    for place, row in enumerate(table):
        work.spend(1)
        in_row = isinstance(row, tuple) and equal(index(row, column), wanted, work)
        if in_row or (whole and equal(row, wanted, work)):
            found.append(float(place))
            if len(found) == most:
                break
    return tuple(found)
