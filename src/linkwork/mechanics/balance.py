"""Reactions, accelerations and energies of a drawing, each as lines of its table.

With generalised positions x_i(u), masses m_i and forces f_i, and dimensions u_j that move (Todd, McLeod and
Harris 1994; the double sum below in full):

    x_i'' = Σ_j ∂x_i/∂u_j·u_j'' + Σ_jk ∂²x_i/∂u_j∂u_k·u_j'·u_k'
    reaction(u) = Σ_i (m_i·x_i'' − f_i)·∂x_i/∂u
    Σ_k (Σ_i m_i·∂x_i/∂u_j·∂x_i/∂u_k)·u_k'' = Σ_i (f_i − m_i·c_i)·∂x_i/∂u_j    for the free u_j,

where c_i is the part of x_i'' without u''. A reaction is what the constraint must supply to hold the parameter,
positive in its increasing direction; a free parameter has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linkwork.algebra import Expression, symbol
from linkwork.algebra.expression import ZERO
from linkwork.mechanics.bodies import Position
from linkwork.mechanics.motion import Growing


class Mechanics:
    """The mechanics of generalised positions while some dimensions move."""

    def __init__(
        self,
        lines: Growing,
        positions: Sequence[Position],
        moving: Sequence[str],
        meaning: Callable[[Expression], Expression] = lambda force: force,
    ) -> None:
        """``meaning`` tells what the names in forces stand for: coordinates, velocities, definitions."""
        self.lines = lines
        self.positions = positions
        self.moving = list(moving)
        self.meaning = meaning

    def velocity(self, x: Expression) -> Expression:
        """x'; with one dimension that moves ∂x/∂u·u', which reads best."""
        if len(self.moving) == 1 and self.lines.is_geometry(x):
            return self.lines.by(x, self.moving[0]) * symbol(f"V_{self.moving[0]}")
        return self.lines.velocity(x, self.moving)

    def convective(self, x: Expression) -> Expression:
        """The part of x'' without the accelerations of the dimensions."""
        if len(self.moving) == 1:
            return self.lines.by_twice(x, self.moving[0]) * symbol(f"V_{self.moving[0]}") ** 2
        return self.lines.convective(x, self.moving)

    def acceleration(self, x: Expression) -> Expression:
        """x''."""
        if len(self.moving) == 1 and self.lines.is_geometry(x):
            name = self.moving[0]
            return self.lines.by(x, name) * symbol(f"A_{name}") + self.convective(x)
        return self.lines.acceleration(x, self.moving)

    def force(self, position: Position) -> Expression:
        """The force along a position, with its damping."""
        force = self.meaning(position.force)
        if position.damping is ZERO or not self.moving:
            return force
        return force - position.damping * self.velocity(position.x)

    # -------------------------------------------------------------------------------- results

    def reaction(self, dimension: str, static: bool = False) -> Expression:
        """What holds a dimension."""
        total: Expression = ZERO
        for each in self.positions:
            slope = self.lines.by(each.x, dimension)
            if slope is ZERO:
                continue
            needed = -self.meaning(each.force) if static else -self.force(each)
            if each.mass is not ZERO and self.moving and not static:
                needed = each.mass * self.acceleration(each.x) + needed
            total = total + needed * slope
        return total

    def inertia(self, first: str, second: str) -> Expression:
        """Σ m·∂x/∂u·∂x/∂v: an entry of the mass matrix; for u = v the equivalent inertia."""
        return sum(
            (
                each.mass * self.lines.by(each.x, first) * self.lines.by(each.x, second)
                for each in self.positions
                if each.mass is not ZERO
            ),
            ZERO,
        )

    def load(self, dimension: str, driven: Sequence[str]) -> Expression:
        """The right-hand side of the equation of motion: forces, less what the motion itself needs.

        ``driven`` are dimensions that move by an acceleration that is given.
        """
        total: Expression = ZERO
        for each in self.positions:
            slope = self.lines.by(each.x, dimension)
            if slope is ZERO:
                continue
            force = self.force(each)
            if each.mass is not ZERO:
                needed = self.convective(each.x)
                for other in driven:
                    needed = needed + self.lines.by(each.x, other) * symbol(f"A_{other}")
                force = force - each.mass * needed
            total = total + force * slope
        return total

    def kinetic_energy(self) -> Expression:
        """½·Σ m·x'²."""
        total: Expression = ZERO
        for each in self.positions:
            if each.mass is not ZERO:
                total = total + each.mass * self.velocity(each.x) ** 2
        return total / 2

    def potential_energy(self) -> Expression:
        """That of weights and springs."""
        return sum((each.energy for each in self.positions), ZERO)
