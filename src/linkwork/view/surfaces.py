"""The surfaces of a stage: unit shapes that objects share, and those that formulas and files describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, Symbol, free_symbols
from linkwork.errors import LinkworkError
from linkwork.model.visible import (
    Box,
    Coil,
    Cone,
    Cylinder,
    Ellipsoid,
    Extruded,
    Model,
    Plane,
    Reaching,
    Rod,
    Seen,
    Sphere,
    Terrain,
    Torus,
    Tube,
    Words,
)
from linkwork.model.visible_values import ACROSS, ALONG, Values
from linkwork.view import solid
from linkwork.view.solid import Solid

Array = NDArray[np.float64]
Evaluated = Callable[[Sequence[Expression]], list[float]]
Rows = Callable[[Sequence[Expression], Mapping[str, Array]], Array]


class Surfaces:
    """The surfaces in use, each once."""

    def __init__(self, values: Values, evaluated: Evaluated, rows: Rows) -> None:
        self.found: list[Solid] = []
        self._values, self._evaluated, self._rows = values, evaluated, rows
        self._places: dict[int, int] = {}

    def place(self, surface: Solid) -> int:
        """The place of a surface among those in use."""
        if id(surface) not in self._places:
            self._places[id(surface)] = len(self.found)
            self.found.append(surface)
        return self._places[id(surface)]

    def mentions(self, thing: Seen, name: Symbol) -> bool:
        """Whether the shape itself, not its size or place, depends on a name."""
        formulas = [*self._values.fixed(thing)]
        formulas += [*self._values.curve(thing)] if isinstance(thing, Tube) else []
        formulas += [self._values.height(thing)] if isinstance(thing, Terrain) else []
        return name in free_symbols(*formulas)

    def of(self, name: str, thing: Seen) -> int:
        """The surface of an object; a fault of it names the field of the machine's file."""
        try:
            return self.place(self._surface(thing))
        except LinkworkError as error:
            error.problem = f"the object {name}: {error.problem}"
            field = {"model": ("file",), "text": ("text",)}.get(thing.word, ())
            error.where = error.where or ("view", "object", name, *field)
            raise

    def _surface(self, thing: Seen) -> Solid:
        match thing:
            case Box():
                return solid.box()
            case Sphere() | Ellipsoid():
                return solid.sphere()
            case Cylinder():
                return solid.cylinder()
            case Plane():
                return solid.plane()
            case Rod():
                return solid.rod()
            case Words():
                return solid.words(thing.text)
            case Model():
                from linkwork.view.mesh_file import read_mesh

                machine = self._values.vocabulary.world.machine
                return read_mesh(machine.folder, thing.file, dimension=machine.dimension)
            case _:
                return self._formed(thing, self._evaluated(self._values.fixed(thing)))

    def _formed(self, thing: Seen, numbers: list[float]) -> Solid:
        """A surface whose form depends on numbers."""
        match thing:
            case Cone():
                return solid.cone(numbers[0])
            case Torus():
                return solid.torus(numbers[0])
            case Extruded():
                return solid.extruded(np.reshape(numbers, (-1, 2)))
            case Coil():
                return solid.spring(numbers[0], self._slenderness(thing))
            case Tube():
                first, last, radius, steps = numbers
                along = np.linspace(first, last, round(steps) + 1)
                return solid.tube(self._rows([*self._values.curve(thing)], {ALONG.name: along}), radius)
            case Terrain():
                wide, deep, steps = numbers
                xs, ys = (np.linspace(-each / 2, each / 2, round(steps) + 1) for each in (wide, deep))
                x, y = np.meshgrid(xs, ys)
                columns = dict(zip((each.name for each in ACROSS), (x.ravel(), y.ravel()), strict=True))
                heights = np.broadcast_to(self._rows([self._values.height(thing)], columns)[:, 0], x.size)
                return solid.terrain(xs, ys, heights.reshape(x.shape))
        raise AssertionError(f"{thing.word} has no surface")

    def _slenderness(self, thing: Reaching) -> float:
        """How many radii long a spring is at the start."""
        placed = self._values.reach(thing)
        assert placed.scale is not None
        radius, _, length = self._evaluated([*placed.scale])
        return max(length / radius, 0.5) if radius > 0 else 1.0
