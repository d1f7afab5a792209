"""Relations between two frames that several joints share."""

from __future__ import annotations

from linkwork.algebra import Expression
from linkwork.model.joint.base import Turn
from linkwork.model.placed import Placed


def parallel_axes(a: Placed, b: Placed) -> list[Expression]:
    """The z-axes are parallel: z_b ⟂ x_a and z_b ⟂ y_a. In the plane they always are."""
    return [] if a.dimension == 2 else [a.x @ b.z, a.y @ b.z]


def same_orientation(a: Placed, b: Placed) -> list[Expression]:
    """b is not turned against a: equal angles in the plane, in space parallel axes and x_a ⟂ y_b."""
    return [b.turn - a.turn] if a.dimension == 2 else [*parallel_axes(a, b), a.x @ b.y]


def same_way(a: Placed, b: Placed) -> list[Expression]:
    """Parallel z-axes point the same way, not against each other."""
    return [] if a.dimension == 2 else [a.z @ b.z]


def same_ways(a: Placed, b: Placed) -> list[Expression]:
    """Equal orientations: x-axes, too, point the same way."""
    return [] if a.dimension == 2 else [a.z @ b.z, a.x @ b.x]


def turn_of(a: Placed, b: Placed) -> Expression | Turn:
    """The angle from a to b, in space about z."""
    return b.turn - a.turn if a.dimension == 2 else Turn(a.y @ b.x, a.x @ b.x)


def along(a: Placed, b: Placed) -> Expression:
    """How far b stands along the direction of a: x in the plane, z in space."""
    return a.axes[0 if a.dimension == 2 else 2] @ (b.origin - a.origin)


def beside(a: Placed, b: Placed) -> list[Expression]:
    """How far b stands beside the line of a: one distance in the plane, two in space."""
    gap = b.origin - a.origin
    return [a.y @ gap] if a.dimension == 2 else [a.x @ gap, a.y @ gap]
