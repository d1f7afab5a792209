"""What the names of a derivation mean, in words."""

from __future__ import annotations

from linkwork.algebra import Expression, free_symbols
from linkwork.model import Machine

LENGTHS = ("distance", "radius")


def meaning(machine: Machine, name: str) -> str:
    """What a name stands for in a machine's drawing; empty where nothing is known.

    >>> from linkwork.model import load
    >>> meaning(load("crank-piston"), "c"), meaning(load("crank-piston"), "reaction_a")
    ('distance of P2 and P4', 'the torque that holds a')
    """
    drawing = machine.drawing
    if drawing is None:
        return ""
    prefix, _, rest = name.partition("_")
    if rest and prefix in _DERIVED:
        return _DERIVED[prefix].format(rest, _kind_of_reaction(machine, rest))
    if "_by_" in name:
        quantity, _, by = name.rpartition("_by_")
        return f"the derivative of {quantity} by {by}"
    found = [
        f"{each.word} of {' and '.join(each.of)}"
        for each in drawing.constraints.values()
        if str(getattr(each, "value", "")) == name
    ]
    found += [f"radius of {key}" for key, each in drawing.circles.items() if str(each.radius) == name]
    found += [f"mass at {point}" for point, mass in drawing.masses.items() if str(mass) == name]
    found += [f"moment of inertia of {line}" for line, mass in drawing.inertias.items() if str(mass) == name]
    found += [f"{axis} of {point}" for point in drawing.points for axis in "xy" if name == f"{point}{axis}"]
    return "; ".join(found) or _role(machine, name)


def _role(machine: Machine, name: str) -> str:
    """Where a name that is no dimension by itself stands."""
    drawing = machine.drawing
    assert drawing is not None

    def mentions(*sides: Expression) -> bool:
        return any(leaf.name == name for leaf in free_symbols(*sides))

    found = [f"in the force on {point}" for point, force in drawing.forces.items() if mentions(*force)]
    found += [f"in the torque on {line}" for line, torque in drawing.torques.items() if mentions(torque)]
    for springs in (drawing.springs, drawing.torsion_springs):
        found += [
            f"of the spring {key}"
            for key, each in springs.items()
            if mentions(*(leaf.value for leaf in each.leaves()))
        ]
    if machine.gravity is not None and mentions(*machine.gravity):
        found.append("the acceleration of gravity")
    return "; ".join(found)


_DERIVED = {
    "V": "the rate of change of {0}",
    "A": "the acceleration of {0}",
    "reaction": "the {1} that holds {0}",
    "inertia": "the equivalent inertia of {0}",
    "load": "the right-hand side of the equation of motion of {0}",
    "tol": "the tolerance of {0}",
}


def _kind_of_reaction(machine: Machine, dimension: str) -> str:
    """A force for a length, a torque for an angle."""
    assert machine.drawing is not None
    words = {
        each.word
        for each in machine.drawing.constraints.values()
        if str(getattr(each, "value", "")) == dimension
    }
    if words == {"angle"}:
        return "torque"
    return "force" if words and words <= {*LENGTHS} else "generalised force"
