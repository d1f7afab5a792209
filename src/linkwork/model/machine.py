"""The machine: what a machine file describes, as one frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from linkwork.algebra import Definition, Expression, Operand, Table, number, parse
from linkwork.errors import LinkworkError, UnknownName, UsageError
from linkwork.model.check import faults, parameter_values
from linkwork.model.contact import Contact
from linkwork.model.drawing import Drawing
from linkwork.model.drive import Drive, Span
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.field import Coordinates, Entries, Kind, Text
from linkwork.model.force import Force
from linkwork.model.formula_reader import Macro, macro_of
from linkwork.model.joint import Joint
from linkwork.model.ordered import Ordered
from linkwork.model.part import GROUND, Frame, Part, is_massive, mass_of
from linkwork.model.pose import Pose
from linkwork.model.scene import Condition, Control, Energy, Surface
from linkwork.model.shape import Mass
from linkwork.model.vector import Vector
from linkwork.model.view import View
from linkwork.model.world import World

V = TypeVar("V")

_NOTHING: Final[Ordered[Any]] = Ordered()
_ALL_TIME: Final = Span()
_PLAIN_VIEW: Final = View()
_ALONG_Z: Final = Pose()
_PLAIN_CONTACT: Final = Contact()


@dataclass(frozen=True, repr=False)
class Machine:
    """Parameters, parts, joints, drives and forces, and definitions of what is wanted besides.

    A parameter is an exact number or an expression of other parameters. No outputs means all definitions.
    ``dimension`` is 2 for the plane and 3 for space.

    >>> ring = Machine.of("ring", {"r": 3, "R": "r + 2"}, {"area": "pi*(R^2 - r^2)"})
    >>> ring
    Machine ring: r, R → area
    >>> round(ring.table().evaluate(ring.values())["area"], 3)
    50.265
    >>> ring.values({"r": 10})
    {'r': 10.0, 'R': 12.0}
    """

    name: str
    title: str = ""
    parameters: Ordered[Expression] = _NOTHING
    definitions: tuple[Definition, ...] = ()
    outputs: tuple[str, ...] = ()
    units: Ordered[str] = _NOTHING
    dimension: int = 2
    parts: Ordered[Part] = _NOTHING
    frames: Ordered[Frame] = _NOTHING
    joints: Ordered[Joint] = _NOTHING
    drives: Ordered[Drive] = _NOTHING
    forces: Ordered[Force] = _NOTHING
    gravity: Vector | None = None
    time: Span = _ALL_TIME
    view: View = _PLAIN_VIEW
    drawing: Drawing | None = None
    functions: Ordered[str] = _NOTHING
    surfaces: Ordered[Surface] = _NOTHING
    constraints: Ordered[Condition] = _NOTHING
    initial: Ordered[Condition] = _NOTHING
    energies: Ordered[Energy] = _NOTHING
    controls: Ordered[Control] = _NOTHING
    pair_words: Ordered[str] = _NOTHING
    """What joints between solids shall be, by a part or two: "fixed", "contact", "ignore", "slot" or "overlap"."""
    plane: Pose = _ALONG_Z
    """For a machine in the plane: where its plane lies in the space of its solids."""
    contact: Contact = _PLAIN_CONTACT
    """What contacts between its solids are like."""
    is_flat: bool = False
    """Of a machine of solids whose joints are to be found: that it says itself that it moves in the plane."""
    is_spatial: bool = False
    """And that it says itself that it moves in space: it is not looked for a plane."""
    folder: str = field(default="", compare=False)
    """Where the files lie that it names: the folder of its own file."""

    @classmethod
    def of(
        cls,
        name: str,
        parameters: Mapping[str, Operand | str] | None = None,
        definitions: Mapping[str, Operand | str] | Iterable[Definition] = (),
        *,
        title: str = "",
        outputs: Sequence[str] = (),
        units: Mapping[str, str] | None = None,
        dimension: int = 2,
        parts: Mapping[str, Part] | None = None,
        frames: Mapping[str, Frame] | None = None,
        joints: Mapping[str, Joint] | None = None,
        drives: Mapping[str, Drive] | None = None,
        forces: Mapping[str, Force] | None = None,
        gravity: Sequence[Operand | str] | None = None,
        time: Span | None = None,
        view: View | None = None,
        drawing: Drawing | None = None,
        functions: Mapping[str, str] | None = None,
        surfaces: Mapping[str, Surface] | None = None,
        constraints: Mapping[str, Condition | str | Sequence[str]] | None = None,
        initial: Mapping[str, Condition | str | Sequence[str]] | None = None,
        energies: Mapping[str, Energy] | None = None,
        controls: Mapping[str, Control] | None = None,
        pair_words: Mapping[str, str] | None = None,
        plane: Pose | None = None,
        contact: Contact | None = None,
    ) -> Machine:
        """A machine from expressions, numbers or text.

        >>> from linkwork.model import Drive, Part
        >>> from linkwork.model.joint import Revolute
        >>> Machine.of(
        ...     "pendulum",
        ...     {"l": 2},
        ...     parts={"rod": Part(points={"top": (0, 0), "tip": ("l", 0)})},
        ...     joints={"pivot": Revolute(("ground", "rod.top"))},
        ...     drives={"swing": Drive("pivot")},
        ... )
        Machine pendulum: 1 part, 1 joint, 1 drive
        """
        tables: Mapping[str, Mapping[str, Any] | None] = {
            "units": units,
            "parts": parts,
            "frames": frames,
            "joints": joints,
            "drives": drives,
            "forces": forces,
            "functions": functions,
            "surfaces": surfaces,
            "energies": energies,
            "controls": controls,
            "pair_words": pair_words,
        }
        records = {"time": time, "view": view, "plane": plane, "contact": contact}
        fields: dict[str, Any] = {key: _table(key, table) for key, table in tables.items()}
        fields |= {key: record for key, record in records.items() if record is not None}
        return cls(
            name,
            title,
            Ordered({key: _expression(value) for key, value in _table("parameters", parameters).items()}),
            _definitions(definitions),
            _taken("outputs", Entries(Text(), about="a list of names", example=("area",)), outputs),
            dimension=dimension,
            gravity=None if gravity is None else _taken("gravity", Coordinates(example=(0, -9.81)), gravity),
            drawing=drawing,
            constraints=_conditions("constraints", constraints),
            initial=_conditions("initial", initial),
            **fields,
        )

    def __post_init__(self) -> None:
        for fault in faults(self):
            fault.error.where = fault.where
            raise fault.error

    @cached_property
    def moving(self) -> tuple[str, ...]:
        """The parts that have coordinates: all but the ground."""
        return tuple(name for name in self.parts if name != GROUND)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """The parts and frames with mass or inertia."""
        massive = [name for name in self.moving if is_massive(self.parts[name])]
        return (*massive, *(name for name, frame in self.frames.items() if is_massive(frame)))

    def body_mass(self, name: str) -> Mass | None:
        """The mass of a part or of a frame that is a body."""
        if name not in self.bodies:
            return None
        return mass_of(self.frames[name] if name in self.frames else self.parts[name], self.dimension)

    @cached_property
    def macros(self) -> dict[str, Macro]:
        """The functions of the user's by their names."""
        return dict(macro_of(heading, text) for heading, text in self.functions.items())

    @property
    def is_unjoined(self) -> bool:
        """Whether it is given by solids alone: its joints are to be found."""
        return not self.joints and any(part.solid is not None for part in self.parts.values())

    @cached_property
    def is_scene(self) -> bool:
        """Whether frames vary: the machine has coordinates that the user has chosen."""
        return any(frame.varies for frame in self.frames.values())

    def part(self, name: str) -> Part:
        """A part by its name; the ground exists also where no file names it."""
        return self.parts[name] if name in self.parts else Part()

    def world(self) -> World:
        """Where its parts stand, as expressions of their coordinates."""
        return World(self)

    def texts(self) -> dict[str, str]:
        """The free texts: name and title."""
        return {"name": self.name, "title": self.title}

    def table(self) -> Table:
        """The definitions in order of dependence; its inputs are the parameters, coordinates and rates needed."""
        needed = {leaf.name for line in self.definitions for leaf in line.mentions} | {*self.outputs}
        defined = {line.name for line in self.definitions}
        inputs = [name for name in self.parameters if name in needed]
        inputs += sorted(name for name in needed if name not in self.parameters and name not in defined)
        return Table.of(self.definitions, outputs=self.outputs or None, inputs=inputs)

    def values(self, overrides: Mapping[str, Operand | str] | None = None) -> dict[str, float]:
        """The parameters in numbers, some of them set anew; those that depend on them follow."""
        return parameter_values(self._overridden(overrides or {}))

    def with_parameters(self, overrides: Mapping[str, Operand | str]) -> Machine:
        """The machine with other values for some parameters.

        >>> Machine.of("bar", {"length": 2}).with_parameters({"lenght": 3})
        Traceback (most recent call last):
        linkwork.errors.UnknownName: the machine bar has no parameter 'lenght'
          wanted: length
          fix:    did you mean length?
        """
        return replace(self, parameters=Ordered(self._overridden(overrides)))

    def with_drives(self, drives: Mapping[str, Drive]) -> Machine:
        """The machine with these drives alone; what plots showed of drives that are gone is not plotted."""
        gone = self.drives.keys() - drives.keys()
        plots = tuple(name for name in self.view.plots if name.partition(".")[0] not in gone)
        return replace(self, drives=Ordered(dict(drives)), view=replace(self.view, plots=plots))

    def _overridden(self, overrides: Mapping[str, Operand | str]) -> dict[str, Expression]:
        for name in overrides:
            if name not in self.parameters:
                raise UnknownName(
                    f"the machine {self.name} has no parameter '{name}'",
                    wanted=listed(self.parameters) or "none: it has no parameters",
                    fix=did_you_mean(name, self.parameters, f"add {name} to its parameters"),
                )
        changed = {name: _expression(value, self.parameters) for name, value in overrides.items()}
        return {**self.parameters, **changed}

    def __repr__(self) -> str:
        if self.parts:
            counts = ((self.moving, "part"), (self.joints, "joint"), (self.drives, "drive"))
            shown = [f"{len(each)} {noun}{'' if len(each) == 1 else 's'}" for each, noun in counts]
            return f"Machine {self.name}: {', '.join(shown)}"
        if self.is_scene:
            count = len(self.world().frame_coordinates())
            return f"Machine {self.name}: {count} variables, {len(self.constraints)} constraints"
        if self.drawing is not None:
            drawn = ((self.drawing.points, "point"), (self.drawing.lines, "line"))
            shown = [f"{len(each)} {noun}{'' if len(each) == 1 else 's'}" for each, noun in drawn]
            return f"Machine {self.name}: a drawing of {', '.join(shown)}"
        results = self.outputs or [line.name for line in self.definitions]
        return f"Machine {self.name}: {listed(self.parameters) or 'nothing'} → {listed(results) or 'nothing'}"

    def to_json(self) -> dict[str, Any]:
        """The machine as plain data, with the keys of a machine file."""
        return {
            **self.texts(),
            "parameters": {name: str(value) for name, value in self.parameters.items()},
            "definitions": [line.to_json() for line in self.definitions],
            "outputs": list(self.outputs),
            "units": dict(self.units),
            "dimension": self.dimension,
            "parts": list(self.moving),
            "joints": {name: joint.word for name, joint in self.joints.items()},
            "drives": list(self.drives),
            "forces": {name: force.word for name, force in self.forces.items()},
        }


def _table(what: str, given: Mapping[str, V] | None) -> Ordered[V]:
    """A table of a machine from a mapping given in Python."""
    if given is None:
        return Ordered()
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise _no_table(what, given)
    return Ordered(given)


def _definitions(given: Mapping[str, Operand | str] | Iterable[Definition]) -> tuple[Definition, ...]:
    """Definitions from their texts, or as they are."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _no_table("definitions", given)
    if isinstance(given, Mapping):
        return tuple(Definition.of(key, _expression(value)) for key, value in given.items())
    return tuple(given)


def _conditions(what: str, given: Mapping[str, Any] | None) -> Ordered[Condition]:
    """Conditions from their texts."""
    table = _table(what, given)
    return Ordered(
        {name: each if isinstance(each, Condition) else Condition(each) for name, each in table.items()}
    )


def _taken(what: str, kind: Kind, given: object) -> Any:
    try:
        return kind.taken(given)
    except LinkworkError as error:
        error.problem = f"{what}: {error.problem}"
        raise


def _no_table(what: str, given: object) -> UsageError:
    return UsageError(
        f"the {what} of a machine are given by their names",
        got=f"{given!r} ({type(given).__name__})"[:80],
        wanted="a mapping of names and values",
        fix=f'{what}={{"crank": …}}',
    )


def _expression(value: Operand | str, names: Iterable[str] | None = None) -> Expression:
    if isinstance(value, str):
        return parse(value, None if names is None else set(names))
    return number(value)
