"""What the file lets pull at parts: gravity, forces and springs, by the directions in which they may push."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from linkwork.algebra import Expression, evaluate, free_symbols
from linkwork.errors import LinkworkError
from linkwork.model import Machine
from linkwork.model.force import Force, Spring
from linkwork.model.world import World
from linkwork.recognition.weight import Weight
from linkwork.solid import Solid
from linkwork.solid.placement import Floats, Triple, triple

ALONG = 1e-9
"""The least part of a force along a direction that counts, beside all of it."""


@dataclass(frozen=True)
class Push:
    """A force on a part: what of it is always the same, and directions along which it changes, both ways."""

    name: str
    part: str
    constant: Triple = (0.0, 0.0, 0.0)
    ways: tuple[Triple, ...] = ()


@dataclass(frozen=True)
class Pull:
    """What pulls along a direction: so much, below 0 the other way, or ``both`` ways by turns; and its name."""

    value: float = 0.0
    name: str = ""
    both: bool = False


@dataclass(frozen=True, eq=False)
class Pulls:
    """Gravity, the masses of parts as far as they are known, and the forces of the file."""

    gravity: Triple | None = None
    pushes: tuple[Push, ...] = ()
    masses: Mapping[str, float] = field(default_factory=dict)

    def along(self, parts: Collection[str], way: Floats, *, weight: bool = True) -> Pull:
        """What pulls along a direction at parts that move as one; without their weight if that is not asked for."""
        own = [each for each in self.pushes if each.part in parts]
        changing = [each for each in own if any(_counts(np.array(line), way) for line in each.ways)]
        if changing:
            return Pull(0.0, f"the force {changing[0].name}", both=True)
        steady = [each for each in own if _counts(np.array(each.constant), way)]
        force = sum(float(np.array(each.constant) @ way) for each in steady)
        fall = self._fall(way) if weight else 0.0
        if not steady:
            return Pull(fall, "gravity" if fall else "")
        named = f"the force {max(steady, key=lambda each: abs(np.array(each.constant) @ way)).name}"
        if not fall or fall * force > 0:
            return Pull(force, named)
        if not all(part in self.masses for part in parts):
            return Pull(0.0, named, both=True)
        total = force + fall * sum(self.masses[part] for part in parts)
        return Pull(total, named if total * force > 0 else "gravity")

    def steady(self, parts: Collection[str]) -> Floats | None:
        """What always pulls at parts that move as one, as a vector of some length; None if nothing is told of it."""
        own = [np.array(each.constant) for each in self.pushes if each.part in parts]
        if self.gravity is None or not own:
            return sum(own, np.zeros(3)) if own else None if self.gravity is None else np.array(self.gravity)
        weight = sum(self.masses.get(part, 0.0) for part in parts) * np.array(self.gravity)
        return sum(own, weight)

    def changing(self, parts: Collection[str]) -> Floats:
        """The directions, as rows, along which forces push parts one way and the other."""
        ways = [way for each in self.pushes if each.part in parts for way in each.ways]
        return np.array(ways).reshape(-1, 3)

    def _fall(self, way: Floats) -> float:
        gravity = np.zeros(3) if self.gravity is None else np.array(self.gravity)
        return float(gravity @ way) if _counts(gravity, way) else 0.0


def _counts(force: Floats, way: Floats) -> bool:
    return bool(abs(float(force @ way)) > ALONG * float(np.linalg.norm(force)))


# ----------------------------------------------------------------------------------- from the file


def pulls_of(machine: Machine, solids: Mapping[str, Solid]) -> Pulls:
    """All that pulls at the parts of a machine of solids."""
    values = machine.values()
    gravity = None
    if machine.gravity is not None:
        numbers = [*evaluate([*machine.gravity], values), 0.0][:3]
        gravity = triple(numbers) if any(numbers) else None
    if not machine.forces:
        return Pulls(gravity)
    world = machine.world()
    pushes = [each for name, force in machine.forces.items() for each in _pushes(world, name, force, values)]
    masses: dict[str, float] = {}
    for name in {each.part for each in pushes} | ({*solids} if pushes and gravity else set()):
        if name in solids and gravity is not None:
            weight = Weight.of(
                machine.parts[name], solids[name], lambda given: list(evaluate(list(given), values))
            )
            masses |= {} if weight is None else {name: weight.mass}
    return Pulls(gravity, tuple(pushes), masses)


def _pushes(world: World, name: str, force: Force, values: Mapping[str, float]) -> list[Push]:
    """A force as the parts feel it that it acts on."""
    if isinstance(force, Spring):  # it pulls along the line between its ends as they are drawn
        ends = [world.frame(each) for each in force.between]
        drawn = _drawn(world, values)
        first, second = (np.array([*evaluate([*end.origin], drawn), 0.0][:3]) for end in ends)
        return [Push(name, end.part, ways=(triple(second - first),)) for end in ends]
    try:
        loads = force.loads(world)
    except LinkworkError:  # it names a joint, and acts in it
        return []
    found = []
    for load in loads:
        entries = [*load.force, *([0.0] if len(load.force) == 2 else [])]
        constant = [_number(entry, values) for entry in entries]
        ways = [np.eye(3)[place] for place, value in enumerate(constant) if value is None]
        if any(constant) or ways:
            steady = triple([value or 0.0 for value in constant])
            found.append(Push(name, load.part, steady, tuple(triple(way) for way in ways)))
    return found


def _number(entry: Expression | float, values: Mapping[str, float]) -> float | None:
    """A number, or nothing if it changes with time or motion."""
    if isinstance(entry, float):
        return entry
    if any(each.name not in values for each in free_symbols(entry)):
        return None
    return float(evaluate([entry], values)[0])


def _drawn(world: World, values: Mapping[str, float]) -> dict[str, float]:
    """The coordinates of all parts where they are drawn, with the parameters."""
    found = dict(values)
    for part in world.machine.moving:
        found |= {f"{part}.{each}": 0.0 for each in ("x", "y", "z", "angle", "q1", "q2", "q3")}
        found[f"{part}.q0"] = 1.0
    return found
