"""The names that the expressions and formulas of a machine may use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from linkwork.model.drive import CLOCK
from linkwork.model.field import ANY, SIZES, STATE, TIME
from linkwork.model.part import GROUND, ROTATION, Frame, Part
from linkwork.model.placed import RATES, coordinate_names

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

JOINT_COORDINATES: Final = ("angle", "displacement", "length", "s")
"""What the coordinates of most joints are called, to propose them where a name is unknown."""


class Names(Collection[str]):
    """The names that an expression may use.

    Behind the name of a joint any word will do: which coordinates it has is known once its frames are,
    and asked by :func:`structure_faults`. Behind that of a part the coordinate of a joint will, that of its own.
    Where joints are ``found_later``, any name may be one of theirs.

    >>> names = Names(["a"], joints=["A"], parts=["slide"])
    >>> "A.angle" in names, "B.angle" in names, "slide.displacement" in names, list(names)
    (True, False, True, ['a'])
    """

    def __init__(
        self,
        listed: Iterable[str],
        joints: Iterable[str] = (),
        parts: Iterable[str] = (),
        *,
        found_later: bool = False,
    ) -> None:
        self._listed = dict.fromkeys(listed)  # a set that keeps its order
        self._joints = frozenset(joints)
        self._parts = frozenset(parts)
        self._found_later = found_later

    def __contains__(self, name: object) -> bool:
        if name in self._listed or not isinstance(name, str):
            return name in self._listed
        owner, _, which = name.rpartition(".")
        if owner in self._joints:
            return True
        if which.removesuffix("_rate") not in JOINT_COORDINATES:
            return False
        return owner in self._parts or (self._found_later and owner.isidentifier())

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def and_also(self, own: Iterable[str]) -> Names:
        """These names and others."""
        if not own:
            return self
        return Names((*self._listed, *own), self._joints, self._parts, found_later=self._found_later)


class Anything(Names):
    """The names of a drawing: any, since a dimension needs no number.

    >>> "width" in Anything(["a"])
    True
    """

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def and_also(self, own: Iterable[str]) -> Names:
        return self


def state_names(machine: Machine) -> Names:
    """The names that expressions of the state may use."""
    return scopes_of(machine)[STATE]


def scopes_of(machine: Machine) -> dict[str, Names]:
    """For each scope the names that its expressions may use."""
    defined = [line.name for line in machine.definitions]
    structure = (machine.dimension, machine.parts, machine.frames, machine.joints, machine.controls)
    drawing, unjoined = machine.drawing is not None, machine.is_unjoined
    return scope_names(machine.parameters, defined, *structure, drawing=drawing, unjoined=unjoined)


def scope_names(
    parameters: Iterable[str],
    definitions: Iterable[str],
    dimension: int,
    parts: Mapping[str, Any],
    frames: Mapping[str, Any],
    joints: Collection[str],
    controls: Collection[str] = (),
    drawing: bool = False,
    unjoined: bool = False,
) -> dict[str, Names]:
    """For each scope the names that its expressions may use.

    ``parts`` maps each part to something with points: a part, or the table of a file; ``frames`` alike. Parts whose
    joints are to be found (``unjoined``) may have the coordinates of the plane or those of space.
    """
    if drawing:
        return dict.fromkeys((SIZES, TIME, STATE, ANY), Anything((*parameters, *definitions)))
    sizes, time = Names(parameters), Names((*parameters, CLOCK.name))
    if not parts and not any(map(_varying, frames.values())):
        return {SIZES: sizes, TIME: time, STATE: sizes.and_also(definitions)}
    axes = "xyz"[:dimension]
    moving = [name for name in parts if name != GROUND]
    coordinates = dict.fromkeys(
        each for n in ((2, 3) if unjoined else (dimension,)) for each in coordinate_names(n)
    )
    own = [*coordinates, *(RATES[each] for each in coordinates)]
    found = [*time, *definitions, *(f"{part}.{name}" for part in moving for name in own)]
    places = [f"{part}.{point}" for part, each in parts.items() for point in _points(each)]
    found += [f"{place}.{axis}" for place in [*places, *frames] for axis in [*axes, *(f"v{a}" for a in axes)]]
    found += [f"{joint}.{name}" for joint in joints for name in JOINT_COORDINATES]
    varying = [f"{name}.{each}" for name, frame in frames.items() for each in _varying(frame)]
    found += [*controls, *varying, *(f"{each}_rate" for each in varying)]
    return {SIZES: sizes, TIME: time, STATE: Names(found, joints, moving, found_later=unjoined)}


def _varying(frame: Any) -> tuple[str, ...]:
    """The coordinates of a frame that vary, with the scalar part of a quaternion."""
    found = tuple(frame.varies if isinstance(frame, Frame) else frame.get("varies", ()))
    return (*found, "rw") if {*ROTATION[1:]} & {*found} else found


def _points(part: Any) -> Collection[str]:
    found: Any = part.points if isinstance(part, Part) else part.get("points", ())
    return tuple(found)
