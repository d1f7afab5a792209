"""Where the things of a stage stand: formulas become placements, what is the same for all time a matrix."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, evaluate, free_symbols, number
from linkwork.errors import LinkworkError
from linkwork.model.colour import colour_code
from linkwork.model.part import GROUND
from linkwork.model.placed import Placed
from linkwork.model.vector import Vector
from linkwork.model.visible import Light, Reaching, Seen, Sight, Standing, Terrain
from linkwork.model.visible import Plane as PlaneShape
from linkwork.model.visible_values import INDEX, Matrix, Values, matrix_of, product, stretched
from linkwork.model.world import World
from linkwork.view.rows import rows_of
from linkwork.view.solid import Solid
from linkwork.view.stage import IDENTITY, Eye, Lamp, Numbers, Thing
from linkwork.view.surfaces import Surfaces
from linkwork.view.theme import PALETTE

Array = NDArray[np.float64]
Expand = Callable[[Sequence[Expression]], list[Expression]]

MOST_MOVING: Final = 1000
"""Repetitions of an object that move or differ in shape, each on its own."""
EARTH: Final = "#a8b0b8"
"""What stands on the ground and has no colour of its own."""


class Hung(NamedTuple):
    """Where something hangs: on a placement, and how it stands there if not as the placement itself."""

    placement: int
    matrix: Numbers | None


class Staging:
    """Collects placements, surfaces and what hangs on them."""

    def __init__(
        self, world: World, numbers: Mapping[str, float], steady: Collection[str], expand: Expand = list
    ) -> None:
        """``numbers`` are the values at the start; what depends on ``steady`` names alone does not change."""
        self.values = Values(world.vocabulary)
        self.numbers = numbers
        self.steady = steady
        self.parameters = world.machine.parameters
        self.names = [GROUND]
        self.matrices: list[Matrix] = []
        self.things: list[Thing] = []
        self.surfaces = Surfaces(self.values, self.evaluated, self.curve_rows)
        self._expand = expand
        self._places: dict[Matrix, int] = {tuple(map(number, IDENTITY)): 0}
        self._carriers: list[str] = []

    # ----------------------------------------------------------------------------------- numbers

    def meant(self, expressions: Sequence[Expression]) -> list[Expression]:
        """Expressions with definitions and names of points put in."""
        return self.values.vocabulary.meaning(expressions)

    def evaluated(self, expressions: Sequence[Expression]) -> list[float]:
        """Their values at the start."""
        return evaluate(self._expand(self.meant(expressions)), self.numbers)

    def curve_rows(self, expressions: Sequence[Expression], columns: Mapping[str, Array]) -> Array:
        """Their values at the start where some names run through rows."""
        return rows_of(self._expand(self.meant(expressions)), {**self.numbers, **columns})

    def is_steady(self, expressions: Sequence[Expression], names: Collection[str]) -> bool:
        """Whether expressions depend on nothing but these names."""
        return all(leaf.name in names for leaf in free_symbols(*expressions))

    # -------------------------------------------------------------------------------- placements

    def placement(self, name: str, matrix: Matrix) -> int:
        """The place of a matrix among the placements; the same matrix is sent once."""
        if matrix not in self._places:
            self._places[matrix] = len(self.names)
            self.names.append(name)
            self.matrices.append(matrix)
        return self._places[matrix]

    def hung(self, name: str, carrier: str, local: Matrix) -> Hung:
        """Something on a frame or part, at a matrix seen from there."""
        outer = tuple(self.meant(matrix_of(self.values.frame(carrier))))
        inner = tuple(self.meant(local))
        if not self.is_steady(inner, self.steady):
            return Hung(self.placement(name, product(outer, inner)), None)
        if self.is_steady(outer, self.steady):
            return Hung(0, self.matrix_numbers(product(outer, inner)))
        return Hung(self.placement(carrier, outer), self.matrix_numbers(inner))

    def matrix_numbers(self, matrix: Matrix) -> Numbers | None:
        """A matrix in numbers; none for the one that changes nothing."""
        found = tuple(self.evaluated(matrix))
        return None if found == IDENTITY else found

    def point(self, name: str, carrier: str, place: Vector) -> tuple[int, Numbers]:
        """A place on a frame or part: its placement, and its coordinates there."""
        found = self.hung(name, carrier, matrix_of(Placed(carrier, place, Placed.world(3).axes)))
        matrix = found.matrix or IDENTITY
        return found.placement, (matrix[3], matrix[7], matrix[11])

    # ----------------------------------------------------------------------------------- objects

    def see(self, name: str, thing: Seen) -> None:
        """An object, as often as it is repeated."""
        count = round(self.evaluated([self.values.amount(thing.count)])[0])
        if count == 1:
            self._individual(name, thing, 0)
            return
        carrier, local = self._local(thing)
        known = {*self.parameters, INDEX.name}
        if self.is_steady(self.meant(local), known) and not self.surfaces.mentions(thing, INDEX):
            self._repeated(name, thing, carrier, local, count)
            return
        if count > MOST_MOVING:
            error = LinkworkError(
                f"the object {name} is repeated too often",
                got=f"count = {count}",
                wanted=f"at most {MOST_MOVING} where each moves or has a shape of its own",
                why="each of them needs a placement or a surface of its own",
                fix=f"count = {MOST_MOVING}",
            )
            error.where = ("view", "object", name, "count")
            raise error
        for place in range(count):
            self._individual(name, thing, place, f".{place + 1}")

    def _individual(self, name: str, thing: Seen, place: int, which: str = "") -> None:
        self.values.index = {"i": number(place)}
        carrier, local = self._local(thing)
        hung = self.hung(name + which, carrier, local)
        self.add(name + which, hung, self.surfaces.of(name, thing), thing, carrier)
        self.values.index = {"i": INDEX}

    def _repeated(self, name: str, thing: Seen, carrier: str, local: Matrix, count: int) -> None:
        rows = self.curve_rows(local, {INDEX.name: np.arange(count, dtype=float)})
        instances = np.broadcast_to(rows, (count, 12))
        hung = self.hung(name, carrier, tuple(map(number, IDENTITY)))
        if hung.matrix is not None:
            outer = np.reshape(hung.matrix, (3, 4))
            inner = instances.reshape(-1, 3, 4)
            moved = outer[:, :3] @ inner
            moved[:, :, 3] += outer[:, 3]
            instances = moved.reshape(-1, 12)
        hung = Hung(hung.placement, None)
        self.add(name, hung, self.surfaces.of(name, thing), thing, carrier, np.array(instances))

    def _local(self, thing: Seen) -> tuple[str, Matrix]:
        """What carries an object, and its matrix seen from there."""
        if isinstance(thing, Reaching):
            return GROUND, matrix_of(self.values.reach(thing))
        assert isinstance(thing, Standing)
        return thing.on, matrix_of(self.values.stand(thing), self.values.scale(thing))

    def add(
        self, name: str, hung: Hung, solid: int, thing: Seen, carrier: str, instances: Array | None = None
    ) -> None:
        """A thing with the looks of an object."""
        opacity, rough, metal = self.evaluated(
            [self.values.amount(each) for each in (thing.opacity, thing.rough, thing.metal)]
        )
        colour = colour_code(thing.colour) if thing.colour else self.colour_of(carrier)
        is_scenery = isinstance(thing, Terrain | PlaneShape) or (
            instances is not None and hung.placement == 0
        )
        self.things.append(
            Thing(
                name,
                hung.placement,
                solid,
                colour,
                hung.matrix,
                instances,
                opacity,
                rough,
                metal,
                thing.shadow,
                is_scenery,
            )
        )

    def colour_of(self, carrier: str) -> str:
        """The colour of what stands on a carrier and has none of its own."""
        if carrier == GROUND:
            return EARTH
        if carrier not in self._carriers:
            self._carriers.append(carrier)
        return PALETTE[self._carriers.index(carrier) % len(PALETTE)]

    def plain(
        self, name: str, carrier: str, local: Matrix, solid: Solid, colour: str, opacity: float = 1.0
    ) -> None:
        """A thing that no record describes."""
        hung = self.hung(name, carrier, local)
        place = self.surfaces.place(solid)
        shadow = opacity == 1
        self.things.append(
            Thing(name, hung.placement, place, colour, hung.matrix, opacity=opacity, shadow=shadow)
        )

    # --------------------------------------------------------------------------- lights and cameras

    def lamp(self, name: str, light: Light) -> Lamp:
        """A light; one whose places follow formulas looks along z of a placement of its own."""
        at = self.values.point(light.at if light.at is not None else (number(0), number(0), number(1)))
        toward = self.values.point(light.toward) if light.toward is not None else Vector.zero(3)
        strength = self.evaluated([self.values.amount(light.strength)])[0]
        colour = colour_code(light.colour)
        if not self.is_steady(self.meant([*at, *toward]), self.steady):
            hung = self.hung(name, light.on, matrix_of(stretched(at, toward, number(1))))
            first, second = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
            return Lamp(name, light.kind, hung.placement, first, second, colour, strength, light.shadow)
        placement, start = self.point(light.on, light.on, at)
        _, end = self.point(light.on, light.on, toward)
        return Lamp(name, light.kind, placement, start, end, colour, strength, light.shadow)

    def eye(self, name: str, sight: Sight) -> Eye:
        """A camera."""
        placement, at = self.point(f"{name} stands", sight.on, self.values.point(sight.at))
        target = Vector.zero(3) if sight.toward is None else self.values.target(sight.toward)
        if isinstance(target, str):
            aim, toward = self.point(target, target, Vector.zero(3))
        else:
            aim, toward = self.point(f"{name} looks", sight.on, target)
        upward = Vector.axis(3, 1 if self.values.dimension == 2 else 2)
        up = self.evaluated([*(upward if sight.up is None else self.values.point(sight.up))])
        angle = self.evaluated([self.values.amount(sight.angle)])[0]
        return Eye(name, placement, at, toward, aim, tuple(up), angle)
