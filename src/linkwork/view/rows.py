"""The values of formulas over many rows at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, free_symbols, substitute, symbol
from linkwork.emit import Program, compiled, interpreted
from linkwork.errors import UnknownName
from linkwork.model.fault import listed

Array = NDArray[np.float64]

NATIVE_FROM: Final = 200_000
"""Numbers from which it pays to compile a program for them."""


def rows_of(expressions: Sequence[Expression], columns: Mapping[str, float | Array]) -> Array:
    """For each row the values of expressions; a column is an array, or a number that is the same in all rows.

    >>> from linkwork.algebra import parse
    >>> rows_of([parse("2*x"), parse("x + y")], {"x": np.array([1.0, 2.0]), "y": 10.0}).tolist()
    [[2.0, 11.0], [4.0, 12.0]]
    """
    leaves = free_symbols(*expressions)
    missing = [leaf.name for leaf in leaves if leaf.name not in columns]
    if missing:
        raise UnknownName(
            f"the motion does not tell {listed(missing)}, which is to be seen",
            wanted="formulas of parameters, the time, coordinates and their rates",
            fix="simulate the machine",
        )
    count = max((np.size(columns[leaf.name]) for leaf in leaves), default=1)
    own = {leaf: symbol(f"input_of.{leaf.name}") for leaf in leaves}  # a name may be that of the array
    renamed = substitute(list(expressions), dict(own.items()))
    program = Program.of("show", {"given": list(own.values())}, {"out": renamed})
    given = np.empty((count, len(leaves)))
    for place, leaf in enumerate(leaves):
        given[:, place] = columns[leaf.name]
    call = compiled if count * len(expressions) >= NATIVE_FROM else interpreted
    with np.errstate(all="ignore"):
        found = call(program)(given)["out"]
    return np.ascontiguousarray(np.broadcast_to(found, (count, len(expressions))))
