"""Where a machine's formulas switch: what passes through zero when a condition, a kink or a jump is met.

An integrator that is told can stop there and start anew: behind such a place its polynomials hold no longer.
"""

from __future__ import annotations

from typing import Final

from linkwork.algebra import Expression, free_symbols
from linkwork.algebra.expression import ABS, COMPARISONS, MAX, MIN, SIGN
from linkwork.algebra.graph import nodes_in_order
from linkwork.dynamics.specification import Specification

SWITCH: Final = "switch_"
"""How their names begin; a number follows."""
_BETWEEN_TWO: Final = frozenset((*COMPARISONS, MIN, MAX))
_AT_ZERO: Final = frozenset((ABS, SIGN))


def switches(spec: Specification) -> dict[str, Expression]:
    """What changes its sign where forces, energies or constraints change their formula, by name.

    >>> from linkwork.model.file import machine_from_text
    >>> text = '''
    ... linkwork = 1
    ... dimension = 3
    ... [frame.bead]
    ... varies = ["tx"]
    ... mass = 1
    ... [force.wall]
    ... type = "force"
    ... at = "bead"
    ... force = ["select(bead.tx > 1, 100*(1 - bead.tx), 0)", 0, 0]
    ... '''
    >>> switches(Specification.of(machine_from_text(text, "bead.toml", "bead")))
    {'switch_1': 1 - bead.tx}
    """
    found: dict[str, Expression] = {}
    for value in dict.fromkeys(_crossings(spec)):
        if not {*free_symbols(value)} <= {*spec.parameters}:
            name = f"{SWITCH}{len(found) + 1}"
            while name in spec.defined:
                name += "_"
            found[name] = value
    return found


def _crossings(spec: Specification) -> list[Expression]:
    formulas = [
        *(entry for push in spec.pushes for entry in push.force),
        *(each.phi for each in spec.constraints),
        spec.potential,
        spec.stored,
        *spec.lines.places.values(),
    ]
    found = []
    for node in nodes_in_order(formulas):
        if node.operation in _BETWEEN_TWO:
            found.append(node.arguments[0] - node.arguments[1])
        elif node.operation in _AT_ZERO:
            found.append(node.arguments[0])
    return found
