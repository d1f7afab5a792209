"""Accelerations by elimination along the table: as many lines as the table has, not their square.

By Gauss's principle the accelerations make ½·Σ m·(x'' − f/m)² least. With x'' = C + a, where C is known and a is
linear in the accelerations u'' of the free dimensions, that is ½·a'Ka − b'a with K = m on the diagonal and
b = f − m·C. The lines of the table say a_i = Σ_k p_ik·a_k, p_ik the slopes of a line by what it mentions. Going
through the lines backwards, each a_i is replaced by that; a free dimension that no earlier line mentions is
eliminated by its own equation,

    u'' = b_u/K_uu − Σ_j (K_uj/K_uu)·a_j,     K_jk − K_uj·K_uk/K_uu,     b_j − b_u·K_uj/K_uu,

and found going forwards again. For a chain of links this is the articulated-body algorithm (Featherstone 1983),
derived rather than typed in: what is left after each link is a 3×3 matrix.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.algebra import Definition, Expression, free_symbols, gradient, symbol
from linkwork.algebra.expression import ZERO
from linkwork.algebra.table_derivative import line_partials
from linkwork.errors import LinkworkError
from linkwork.mechanics.balance import Mechanics


class Elimination:
    """The quadratic form ½·a'Ka − b'a over what is not eliminated yet."""

    def __init__(self, mechanics: Mechanics, free: Sequence[str]) -> None:
        self.mechanics = mechanics
        self.lines = mechanics.lines
        self.free = list(free)
        self.k: dict[str, dict[str, Expression]] = {}
        self.b: dict[str, Expression] = {}
        self.slopes: dict[str, dict[str, Expression]] = {}
        self.solved: list[tuple[str, Expression]] = []

    def accelerations(self) -> None:
        """Enter the accelerations of the free dimensions."""
        self.begin()
        lines = list(self.lines.base)
        moving = self.moving_names(lines)
        uses = dict.fromkeys(self.mechanics.moving, 0)
        for line in lines:
            for leaf in line.mentions:
                if leaf.name in uses:
                    uses[leaf.name] += 1
        for line in reversed(lines):
            if line.name in self.k:
                self.replace(line, moving)
            for leaf in line.mentions:
                if leaf.name in uses:
                    uses[leaf.name] -= 1
                    if not uses[leaf.name]:
                        self.eliminate(leaf.name)
        for name in self.mechanics.moving:
            if name in self.k:
                self.eliminate(name)
        self.forwards(lines)

    def system(self) -> tuple[dict[tuple[str, str], Expression], dict[str, Expression]]:
        """The mass matrix and right-hand side of the free dimensions: all lines replaced, nothing eliminated.

        Composite bodies take part in it as one, so that it needs as many operations as it has entries.
        """
        self.begin()
        lines = list(self.lines.base)
        moving = self.moving_names(lines)
        for line in reversed(lines):
            if line.name in self.k:
                self.replace(line, moving)
        for name in self.mechanics.moving:
            if name not in self.free and name in self.k:
                self.eliminate(name)
        places = {name: place for place, name in enumerate(self.free)}
        matrix = {
            (first, second): value
            for first in self.free
            for second, value in self.k.get(first, {}).items()
            if places[first] <= places[second]
        }
        return matrix, {name: self.b.get(name, ZERO) for name in self.free}

    def moving_names(self, lines: Sequence[Definition]) -> set[str]:
        """The dimensions that move, and the lines that move with them."""
        moving = set(self.mechanics.moving)
        for line in lines:
            if any(leaf.name in moving for leaf in line.mentions):
                moving.add(line.name)
        return moving

    def begin(self) -> None:
        """K and b of the positions."""
        for each in self.mechanics.positions:
            leaves = free_symbols(each.x)
            slopes = dict(zip((leaf.name for leaf in leaves), gradient(each.x, leaves), strict=True))
            force = self.mechanics.force(each)
            if each.mass is not ZERO:
                force = force - each.mass * self.mechanics.convective(each.x)
            for name, slope in slopes.items():
                self.add_b(name, force * slope)
                for other, second in slopes.items():
                    if each.mass is not ZERO and name <= other:
                        self.add_k(name, other, each.mass * slope * second)

    def add_b(self, name: str, value: Expression) -> None:
        self.k.setdefault(name, {})
        self.b[name] = self.b.get(name, ZERO) + value

    def add_k(self, first: str, second: str, value: Expression) -> None:
        if value is ZERO:
            return
        total = self.k.setdefault(first, {}).get(second, ZERO) + value
        self.k[first][second] = total
        self.k.setdefault(second, {})[first] = total

    def taken_out(self, name: str) -> tuple[dict[str, Expression], Expression]:
        """The row of a name and its side, as lines of the table; the form no longer has it."""
        row = self.k.pop(name, {})
        for other in row:
            if other != name:
                del self.k[other][name]
        named = {other: self.lines.named(f"K_{name}_{other}", value) for other, value in row.items()}
        return named, self.lines.named(f"b_{name}", self.b.pop(name, ZERO))

    def replace(self, line: Definition, moving: set[str]) -> None:
        """a_i = Σ_k p_ik·a_k put into the form."""
        row, side = self.taken_out(line.name)
        own = row.pop(line.name, ZERO)
        slopes = {
            name: self.lines.named(f"{line.name}_per_{name}", slope)
            for name, slope in line_partials(line).items()
            if name in moving and slope is not ZERO
        }
        self.slopes[line.name] = slopes
        names = list(slopes)
        for place, first in enumerate(names):
            self.add_b(first, side * slopes[first])
            for other, entry in row.items():
                twice = 2 if other == first else 1
                self.add_k(first, other, twice * entry * slopes[first])
            for second in names[place:]:
                self.add_k(first, second, own * slopes[first] * slopes[second])

    def eliminate(self, name: str) -> None:
        """A dimension that nothing left mentions: its equation, and what the others keep of it."""
        row, side = self.taken_out(name)
        own = row.pop(name, ZERO)
        if name not in self.free:  # its acceleration is given
            for other, entry in row.items():
                self.add_b(other, -entry * symbol(f"A_{name}"))
            return
        if own is ZERO:
            raise nothing_moves(name)
        shares = {other: self.lines.named(f"G_{name}_{other}", entry / own) for other, entry in row.items()}
        names = list(shares)
        for place, first in enumerate(names):
            self.add_b(first, -side * shares[first])
            for second in names[place:]:
                self.add_k(first, second, -row[first] * shares[second])
        rest = sum((share * symbol(self.rate(other)) for other, share in shares.items()), ZERO)
        self.solved.append((name, side / own - rest))

    def rate(self, name: str) -> str:
        """What the linear part of an acceleration is called."""
        return f"A_{name}" if name in self.mechanics.moving else f"a_{name}"

    def forwards(self, lines: Sequence[Definition]) -> None:
        """The accelerations of the dimensions, and the linear parts of those of the lines."""
        for name, value in reversed(self.solved):
            self.lines.define(Definition.of(f"A_{name}", value))
        for line in lines:
            slopes = self.slopes.get(line.name)
            if slopes:
                value = sum((slope * symbol(self.rate(other)) for other, slope in slopes.items()), ZERO)
                self.lines.define(Definition.of(self.rate(line.name), value))


def nothing_moves(name: str) -> LinkworkError:
    """The error for a free dimension that has nothing to accelerate."""
    return LinkworkError(
        f"nothing with mass moves when {name} does",
        why="its acceleration would be a force divided by 0",
        wanted="masses on points, or inertias on lines, that it moves",
        fix="[drawing.masses]\nP = 1",
    )
