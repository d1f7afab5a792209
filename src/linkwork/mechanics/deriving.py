"""One derivation in the making: names are resolved as they are asked for, and bring the lines they need.

P9x, L7_angle           coordinates of points and angles of lines, as constructed
reaction_a              what holds the dimension a; reaction(a) is another way to write it
A_a, V_a                acceleration and velocity of a dimension, given or (A) free
V_P9x, A_P9x            velocity and acceleration of what follows from the drawing
P9x_by_a                ∂P9x/∂a
inertia_a               the equivalent inertia Σ m·(∂x/∂a)², inertia_a_b an entry of the mass matrix
kinetic_energy, potential_energy
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from linkwork.algebra import Definition, Expression, free_symbols, substitute, symbol
from linkwork.algebra.expression import ZERO
from linkwork.errors import CyclicDefinition, UsageError
from linkwork.mechanics.balance import Mechanics
from linkwork.mechanics.bodies import line_angle, positions
from linkwork.mechanics.motion import Growing
from linkwork.mechanics.recursive import Elimination, NamedTerms, Terms, nothing_moves
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.machine import Machine
from linkwork.sketch.construct import Construction

FORMS = ("closed", "matrix", "recursive")
"""How accelerations are given: in closed form for one or two, as a linear system, or eliminated one by one."""


FEW = 4
"""Up to so many free dimensions the mass matrix is written by its sums, which reads best."""

PREFIXES = ("V_", "A_", "reaction_", "inertia_")


class Deriving:
    """The lines so far, and the rules by which names turn into lines."""

    def __init__(
        self,
        machine: Machine,
        construction: Construction,
        moving: Sequence[str],
        free: Sequence[str],
        form: str,
    ) -> None:
        self.machine = machine
        self.construction = construction
        self.free = list(free)
        self.moving = list(dict.fromkeys([*moving, *free]))
        self.form = form
        self.static = False
        self.own = {line.name: line for line in machine.definitions}
        self.given = sorted(given_names(machine, construction))
        self.lines = Growing(construction.definitions, self.given)
        self.places = self._places()
        found = positions(machine, construction, self.lines)
        self.mechanics = Mechanics(self.lines, found, self.moving, self.meaning)
        self.terms: Terms = NamedTerms(self.mechanics)
        self.asked: list[str] = []
        self.is_solved = False
        self.entries: dict[str, Expression] = {}  # of the linear system, by name

    def _places(self) -> dict[str, Expression]:
        """The coordinates of points and the angles of lines by name."""
        frame = self.construction.frame
        found: dict[str, Expression] = {}
        for name, point in frame.points.items():
            found |= {f"{name}x": point.x, f"{name}y": point.y}
        asked = {leaf.name for line in self.own.values() for leaf in line.mentions}
        for name, line in frame.lines.items():
            if line.direction.angle is not None:
                found[f"{name}_angle"] = line.direction.angle
            elif f"{name}_angle" in asked:
                line_angle(self.construction, self.lines, name)
        return found

    def dimensions(self) -> list[str]:
        """The dimensions that the geometry depends on."""
        defined = {line.name for line in self.lines.base}
        found = {leaf.name for line in self.lines.base for leaf in line.mentions}
        found |= {leaf.name for leaf in free_symbols(*self.places.values())}
        return sorted(found - defined)

    def _is_derived(self, name: str) -> bool:
        return self.is_known(name) or "_by_" in name or name.startswith(PREFIXES) or name.endswith("_energy")

    def check_names(self, names: Sequence[str], option: str) -> None:
        """An error where a name is nothing that is given."""
        known = self.given
        for name in names:
            if name not in known:
                raise UsageError(
                    f"{option}: nothing that is given is called '{name}'",
                    wanted="one of " + listed(known) if known else "none: nothing is given",
                    fix=did_you_mean(name, known, f"{option} {known[0] if known else 'a'}"),
                )

    def check_dimensions(self, names: Sequence[str], option: str) -> None:
        """An error where a name is no dimension of the drawing."""
        known = self.dimensions() if names else []
        for name in names:
            if name in known:
                continue
            first = known[0] if known else "a"
            if self.is_known(name):
                raise UsageError(
                    f"{option}: '{name}' follows from the drawing, it is not given",
                    wanted="one of the dimensions " + listed(known),
                    why="a quantity is either an input or an unknown",
                    fix=f"{option} {first}",
                )
            own = getattr(self.construction.drawing.constraints.get(name), "value", None)
            raise UsageError(
                f"{option}: no dimension of the drawing is called '{name}'",
                wanted="one of " + listed(known) if known else "none: the drawing has no dimensions",
                why="" if own is None else f"the constraint {name} has the dimension {own}",
                fix=f"{option} {own}" if own is not None else did_you_mean(name, known, f"{option} {first}"),
            )

    # --------------------------------------------------------------------------------- names

    def is_known(self, name: str) -> bool:
        """Whether a name stands for something that follows from the drawing or is defined."""
        return (
            name in self.places or name in self.lines or name in self.own or self._line_of(name) is not None
        )

    def resolve(self, name: str) -> Expression:
        """What a name stands for, as an expression of lines and inputs; lines are entered as needed."""
        if name in self.places:
            return self.places[name]
        if name in self.lines:
            return symbol(name)
        if name in self.entries:
            return self.entries[name]
        if name in self.own:
            return self._own_definition(self.own[name])
        line = self._line_of(name)
        if line is not None:
            return line_angle(self.construction, self.lines, line)
        value = self._derived(name)
        if value is None or value is symbol(name):
            return symbol(name)  # an input, or a line by now
        return self.lines.define(Definition.of(name, value))

    def meaning(self, force: Expression) -> Expression:
        """A force with the names in it resolved: coordinates, velocities, the machine's own definitions."""
        values: dict[Expression, Expression] = {}
        for leaf in free_symbols(force):
            if self._is_derived(leaf.name) and leaf.name not in self.asked:
                self.asked.append(leaf.name)
                values[leaf] = self.resolve(leaf.name)
                self.asked.remove(leaf.name)
            elif leaf.name in self.asked:
                raise CyclicDefinition(
                    f"a force needs '{leaf.name}', which needs the force",
                    got=str(force)[:80],
                    fix="give the force by coordinates and velocities",
                )
        return substitute([force], values)[0] if values else force

    def _line_of(self, name: str) -> str | None:
        """The line of the drawing whose angle a name is."""
        line = name.removesuffix("_angle")
        return line if line != name and line in self.construction.frame.lines else None

    def _own_definition(self, line: Definition) -> Expression:
        """A definition of the machine's own; what it mentions is resolved first."""
        values: dict[Expression, Expression] = {leaf: self.resolve(leaf.name) for leaf in line.mentions}
        base = {each.name for each in self.lines.base}
        derived = [
            leaf
            for each in values.values()
            for leaf in _leaves(each)
            if leaf in self.lines and leaf not in base
        ]
        explicit = None if line.explicit is None else substitute([line.explicit], values)[0]
        implicit = None
        if line.implicit is not None:
            left, right = substitute([*line.implicit], values)
            implicit = (left, right)
        return self.lines.define(Definition.of(line.name, explicit, implicit, line.start), moves=not derived)

    def _derived(self, name: str) -> Expression | None:
        """What a name of mechanics means; None where it is none."""
        slope = self._slope(name)
        if slope is not None:
            return slope
        if name == "kinetic_energy":
            self._needs_motion(name)
            return self.mechanics.kinetic_energy()
        if name == "potential_energy":
            return self.mechanics.potential_energy()
        meanings: Mapping[str, Callable[[str], Expression | None]] = {
            "reaction_": self._reaction,
            "inertia_": self._inertia,
            "A_": self._acceleration,
            "V_": self._velocity,
        }
        for prefix, meaning in meanings.items():
            rest = name.removeprefix(prefix)
            found = meaning(rest) if rest != name and rest else None
            if found is not None:
                return found
        return None

    def _slope(self, name: str) -> Expression | None:
        """A derivative such as P9x_by_a or P9x_by_a_b; None where the name is none."""
        quantity, by, dimensions = name.rpartition("_by_")
        if not by or not quantity or quantity in self.given:
            return None
        value = self.resolve(quantity)
        if value is symbol(quantity) and quantity not in self.lines:
            return None
        if dimensions in self.given:
            return self.lines.by(value, dimensions)
        for place in range(1, len(dimensions)):
            first, second = dimensions[:place], dimensions[place + 1 :]
            if dimensions[place] == "_" and {first, second} <= {*self.given}:
                once = self.lines.by(value, first)
                return self.lines.by(once, second)
        self.check_names([dimensions], "--quantity")
        return None

    def _reaction(self, dimension: str) -> Expression:
        self.check_dimensions([dimension], "--reaction")
        if dimension in self.free:
            raise UsageError(
                f"{dimension} is free to accelerate: nothing holds it",
                wanted="the reaction of a dimension that is held or driven",
                fix=f"--accelerations without {dimension}",
            )
        return self.mechanics.reaction(dimension, self.static)

    def _inertia(self, rest: str) -> Expression | None:
        known = self.dimensions()
        if rest in known:
            return self.mechanics.inertia(rest, rest)
        for place in range(1, len(rest)):
            if rest[place] == "_" and rest[:place] in known and rest[place + 1 :] in known:
                return self.mechanics.inertia(rest[:place], rest[place + 1 :])
        return None

    def _velocity(self, rest: str) -> Expression | None:
        if rest in self.moving or not self.is_known(rest):
            return None
        self._needs_motion(f"V_{rest}")
        return self.mechanics.velocity(self.resolve(rest))

    def _acceleration(self, rest: str) -> Expression | None:
        if rest in self.free:
            self.solve()
            return symbol(f"A_{rest}")
        if rest in self.moving or not self.is_known(rest):
            return None
        self._needs_motion(f"A_{rest}")
        if self.free:
            self.solve()
        return self.mechanics.acceleration(self.resolve(rest))

    def _needs_motion(self, what: str) -> None:
        if not self.moving:
            known = self.dimensions()
            raise UsageError(
                f"{what} needs to know which dimensions move",
                wanted="one or more of " + listed(known),
                fix=f"--moving {known[0] if known else 'a'}",
            )

    # ------------------------------------------------------------------------ accelerations

    def solve(self) -> None:
        """Enter the accelerations of the free dimensions."""
        if self.is_solved:
            return
        self.is_solved = True
        if self.form == "recursive":
            if self.construction.simultaneous:
                raise UsageError(
                    "accelerations cannot be eliminated one by one here",
                    why="some elements of the drawing are solved for at once",
                    fix="--form matrix",
                )
            Elimination(self.mechanics, self.free, self.terms).accelerations()
            return
        inertia, load = self._system()
        loads = [self._entry(f"load_{name}", load(name)) for name in self.free]
        matrix: dict[tuple[int, int], Expression] = {}
        for row, first in enumerate(self.free):
            for column in range(row, len(self.free)):
                second = self.free[column]
                name = f"inertia_{first}" if row == column else f"inertia_{first}_{second}"
                matrix[row, column] = matrix[column, row] = self._entry(name, inertia(first, second))
            if matrix[row, row] is ZERO:
                raise nothing_moves(first)
        if self.form == "closed" and len(self.free) <= 2:
            self._closed(matrix, loads)
        else:
            self._linear_system(matrix, loads)

    def _entry(self, name: str, value: Expression) -> Expression:
        """An entry of the linear system: a line, unless a name or a number says the same."""
        self.entries[name] = self.lines.named(name, value)
        return self.entries[name]

    def _system(self) -> tuple[Callable[[str, str], Expression], Callable[[str], Expression]]:
        """Entries of the mass matrix and of the right-hand side: by their sums, for many by composite bodies."""
        if len(self.free) <= FEW or self.construction.simultaneous:
            driven = [name for name in self.moving if name not in self.free]
            return self.mechanics.inertia, lambda name: self.mechanics.load(name, driven)
        matrix, loads = Elimination(self.mechanics, self.free, self.terms).system()
        return lambda first, second: matrix.get((first, second), ZERO), loads.__getitem__

    def _closed(self, m: Mapping[tuple[int, int], Expression], loads: Sequence[Expression]) -> None:
        """One unknown, or two by Cramer's rule."""
        names = [f"A_{name}" for name in self.free]
        if len(names) == 1:
            self.lines.define(Definition.of(names[0], loads[0] / m[0, 0]))
            return
        determinant = m[0, 0] * m[1, 1] - m[0, 1] ** 2
        first = loads[0] * m[1, 1] - loads[1] * m[0, 1]
        second = loads[1] * m[0, 0] - loads[0] * m[0, 1]
        self.lines.define(Definition.of(names[0], first / determinant))
        self.lines.define(Definition.of(names[1], second / determinant))

    def _linear_system(self, m: Mapping[tuple[int, int], Expression], loads: Sequence[Expression]) -> None:
        """Mass matrix times accelerations is the right-hand side, as a block of the table."""
        names = [f"A_{name}" for name in self.free]
        for row, name in enumerate(names):
            left = sum((m[row, column] * symbol(each) for column, each in enumerate(names)), ZERO)
            self.lines.define(Definition.of(name, implicit=(left, loads[row]), start=0))


def given_names(machine: Machine, construction: Construction) -> set[str]:
    """The names that a machine gives, which no line may have: dimensions, masses, what forces are made of.

    Forces may also use what is derived, and velocities and accelerations have names of their own.
    """
    drawing = construction.drawing
    derived = {f"{name}{axis}" for name in drawing.points for axis in "xy"}
    derived |= {f"{name}_angle" for name in drawing.all_lines} | {
        f"{name}_length" for name in drawing.springs
    }
    derived |= {line.name for line in machine.definitions} | {line.name for line in construction.definitions}
    names = construction.taken | {leaf.name for leaf in free_symbols(*(machine.gravity or ()))}
    return {name for name in names - derived if not name.startswith(("V_", "A_")) and "_by_" not in name}


def _leaves(value: Expression) -> list[str]:
    return [leaf.name for leaf in free_symbols(value)]
