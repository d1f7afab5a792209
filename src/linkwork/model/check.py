"""What can be wrong with a machine as a whole: names that clash, are unknown, or need each other in a circle.

Each fault comes with its place in a machine file (the keys that lead there), so that the reader of
files can name the line and a machine built in Python fails with the same words.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import Definition, Expression, Table, derivative, evaluate, free_symbols, symbol
from linkwork.errors import (
    CyclicDefinition,
    ExpressionError,
    LinkworkError,
    NameTaken,
    UnknownName,
    UsageError,
)
from linkwork.model.contact import Contact
from linkwork.model.drawing import Drawing
from linkwork.model.drive import Drive, Span
from linkwork.model.fault import Fault, did_you_mean, listed
from linkwork.model.force import Force
from linkwork.model.joint import Joint
from linkwork.model.names import state_names
from linkwork.model.ordered import Ordered
from linkwork.model.part import Frame, Part
from linkwork.model.pose import Pose
from linkwork.model.structure import inner_values, is_column, records, structure_faults
from linkwork.model.vector import Vector
from linkwork.model.view import View

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

FORMS_AGREE_WITHIN = 1e-6
"""How far the explicit form may miss the implicit one, relative to the sizes in the line."""


BASE_UNITS: Final = ("length", "angle", "time", "mass", "force")
"""Keys of the units table that are kinds of quantities, not names."""


def faults(machine: Machine) -> Iterator[Fault]:
    """The faults of a machine, the plainest first; later checks rely on the earlier ones."""
    yield from _type_faults(machine)
    parameters, definitions = machine.parameters, machine.definitions
    yield from _text_faults(machine)
    yield from _name_faults(parameters, definitions)
    yield from _parameter_faults(parameters)
    yield from structure_faults(machine)
    yield from _definition_faults(definitions, state_names(machine))
    yield from _disagreeing_forms(parameters, definitions)
    known = dict.fromkeys([*parameters, *(line.name for line in definitions)])
    if machine.drawing is not None:
        return  # outputs and units may be those of anything that follows from the drawing
    yield from _output_faults(machine.outputs, known)
    known |= dict.fromkeys(machine.controls)
    for name in machine.units:
        if name not in known and name not in BASE_UNITS and not is_column(machine, name):
            error = _unknown(name, [*known, *BASE_UNITS], "has a unit but is not defined", f"remove {name}")
            yield Fault(("units", name), error)


def parameter_values(parameters: Mapping[str, Expression]) -> dict[str, float]:
    """The parameters in numbers; an error where they have none."""
    for fault in _parameter_faults(parameters):
        raise fault.error
    found = _as_table(parameters).evaluate({})
    return {name: found[name] for name in parameters}


def _as_table(parameters: Mapping[str, Expression]) -> Table:
    return Table.of([Definition(name, value) for name, value in parameters.items()], inputs=[])


_TYPES: Final[Mapping[str, tuple[type, str]]] = {
    "name": (str, 'name="crank"'),
    "title": (str, 'title="A crank"'),
    "dimension": (int, "dimension=2"),
    "time": (Span, "time=Span(until=2)"),
    "view": (View, 'view=View(traces=["crank.B"])'),
    "plane": (Pose, "plane=Pose(z=(1, 0, 0))"),
    "contact": (Contact, "contact=Contact(friction=0.3)"),
}
_ENTRIES: Final[Mapping[str, tuple[type, str]]] = {
    "parameters": (Expression, 'parameters={"length": 2}'),
    "units": (str, 'units={"length": "mm"}'),
    "parts": (Part, 'parts={"crank": Part()}'),
    "frames": (Frame, 'frames={"slot": Frame(on="crank")}'),
    "joints": (Joint, 'joints={"A": Revolute(("ground", "crank"))}'),
    "drives": (Drive, 'drives={"crank": Drive("A")}'),
    "forces": (Force, 'forces={"weight": Push("crank", (0, -10))}'),
    "definitions": (Definition, 'definitions={"area": "a*b"}'),
    "outputs": (str, 'outputs=["area"]'),
}


def _type_faults(machine: Machine) -> Iterator[Fault]:
    """What is of another type than a machine holds; files cannot have it, Python can."""
    for key, (kind, fix) in _TYPES.items():
        value = getattr(machine, key)
        if not isinstance(value, kind) or isinstance(value, bool):
            yield Fault((key,), _wrong_type(f"the {key} of a machine", value, kind, fix))
    if machine.gravity is not None and not isinstance(machine.gravity, Vector):
        fix = "gravity=(0, -9.81)"
        yield Fault(("gravity",), _wrong_type("the gravity of a machine", machine.gravity, Vector, fix))
    if machine.drawing is not None and not isinstance(machine.drawing, Drawing):
        fix = 'drawing=Drawing(points=["A", "B"])'
        yield Fault(("drawing",), _wrong_type("the drawing of a machine", machine.drawing, Drawing, fix))
    if machine.dimension not in (2, 3):
        error = UsageError(
            "a machine lives in the plane or in space",
            got=f"dimension = {machine.dimension}",
            wanted="2 or 3",
            fix="dimension=3",
        )
        yield Fault(("dimension",), error)
    for key, (kind, fix) in _ENTRIES.items():
        entries = getattr(machine, key)
        if not isinstance(entries, tuple if key in ("definitions", "outputs") else Ordered):
            yield Fault(
                (key,), _wrong_type(f"what a machine has as {key}", entries, Ordered, f"Machine.of(…, {fix})")
            )
        for name, entry in entries.items() if isinstance(entries, Ordered) else enumerate(entries):
            if not isinstance(name, str | int) or not isinstance(entry, kind):
                yield Fault((key,), _wrong_type(f"{name!r} among the {key} of a machine", entry, kind, fix))


def _wrong_type(what: str, value: object, kind: type, fix: str) -> UsageError:
    wanted = f"a value of type {kind.__name__}"
    got = f"{value!r} ({type(value).__name__})"[:80]
    return UsageError(f"{what} is of the wrong type", got=got, wanted=wanted, fix=fix)


def _text_faults(machine: Machine) -> Iterator[Fault]:
    if not machine.name:
        yield Fault(("name",), UsageError("a machine's name is empty", fix='name = "crank"'))
    found: list[tuple[tuple[str | int, ...], Any]] = [((key,), text) for key, text in machine.texts().items()]
    found += [(("units", key), value) for key, value in machine.units.items()]
    for where, record in records(machine):
        found += inner_values(record, where)
    for where, text in found:
        if isinstance(text, str) and any("\ud800" <= character <= "\udfff" for character in text):
            error = UsageError(
                "this text has characters that no file can hold",
                got=ascii(text)[:60],
                wanted="text without lone surrogates",
                fix=ascii(text.encode(errors="replace").decode())[:60],
            )
            yield Fault(where, error)


def _name_faults(parameters: Mapping[str, Expression], definitions: Sequence[Definition]) -> Iterator[Fault]:
    for table, names in (
        ("parameter", list(parameters)),
        ("definition", [each.name for each in definitions]),
    ):
        for name in names:
            try:
                symbol(name)
            except LinkworkError as error:
                yield Fault((table, name), error)
    seen: set[str] = set()
    for line in definitions:
        if line.name in parameters:
            yield Fault(
                ("definition", line.name),
                NameTaken(
                    f"'{line.name}' is both a parameter and defined",
                    got=f"{line}",
                    why="a quantity is either given or computed",
                    fix=f"remove {line.name} from one of the two tables",
                ),
            )
        if line.name in seen:
            yield Fault(
                ("definition", line.name),
                NameTaken(f"'{line.name}' is defined twice", fix=f"call the second one {line.name}_2"),
            )
        seen.add(line.name)


def _parameter_faults(parameters: Mapping[str, Expression]) -> Iterator[Fault]:
    for name, value in parameters.items():
        for leaf in free_symbols(value):
            if leaf.name not in parameters:
                error = _unknown(leaf.name, parameters, f"is used by parameter {name} but is no parameter")
                yield Fault(("parameter", name), error)
            elif leaf.name == name:
                yield Fault(("parameter", name), _own_circle(name, value))
    try:
        found = _as_table(parameters).evaluate({})
    except CyclicDefinition as error:
        first = _first_of(error, parameters)
        circle = CyclicDefinition(
            "these parameters need each other in a circle",
            got=error.got,
            wanted="numbers, or expressions of parameters that do not lead back",
            fix=f"{first} = 1",
        )
        yield Fault(("parameter", first), circle)
        return
    for name, number in found.items():
        if not math.isfinite(number):
            yield Fault(("parameter", name), _not_finite(name, parameters[name], number))


def _definition_faults(definitions: Sequence[Definition], known: Collection[str]) -> Iterator[Fault]:
    for line in definitions:
        sides = [side for side in (line.explicit, *(line.implicit or ())) if side is not None]
        for leaf in free_symbols(*sides):
            if leaf.name not in known:
                error = _unknown(leaf.name, sorted(known), f"is used by {line.name} but defined by nothing")
                yield Fault(("definition", line.name), error)
        if line.explicit is not None and line.symbol in free_symbols(line.explicit):
            yield Fault(("definition", line.name), _own_circle(line.name, line.explicit))
    try:
        Table.of(definitions)
    except CyclicDefinition as error:
        yield Fault(("definition", _first_of(error, [line.name for line in definitions])), error)


def _disagreeing_forms(
    parameters: Mapping[str, Expression], definitions: Sequence[Definition]
) -> Iterator[Fault]:
    """Lines whose explicit form does not satisfy the implicit one where the parameters have their values.

    The test is the step that Newton's method would take from the explicit value; it is large where a
    sign or a factor is wrong. Lines without a number there are passed over.
    """
    known = _as_table(parameters).evaluate({})
    for line in Table.of(definitions):
        if line.explicit is None or not all(leaf.name in known for leaf in line.mentions):
            continue
        value = known[line.name] = evaluate([line.explicit], known)[0]
        if line.implicit is None or line == Definition.of(line.name, implicit=line.implicit):
            continue  # an explicit form that was found from the implicit one has no typing errors
        if not all(leaf.name in known for leaf in free_symbols(*line.implicit)):
            continue
        left, right = line.implicit
        slope, at_left, at_right = evaluate([derivative(left - right, line.symbol), left, right], known)
        sizes = [known[leaf.name] for leaf in free_symbols(*line.implicit)]
        sizes += [at_left / slope, at_right / slope] if slope else []
        if not slope or not all(map(math.isfinite, sizes)):
            continue
        step = (at_right - at_left) / slope
        if abs(step) > FORMS_AGREE_WITHIN * max(map(abs, sizes)):
            yield Fault(("definition", line.name), _disagreement(line, value, value + step))


def _disagreement(line: Definition, value: float, better: float) -> ExpressionError:
    return ExpressionError(
        f"the two forms of '{line.name}' disagree",
        got=f"explicit {line.name} = {value:.6g}, implicit nearer to {better:.6g}, at the parameters' values",
        wanted="an explicit form that satisfies the implicit one",
        why=f"{line}, but {line.name} = {line.explicit}"[:200],
        fix="check the signs and factors, or leave the explicit form out",
    )


def _output_faults(outputs: Sequence[str], known: Collection[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, name in enumerate(outputs):
        if name not in known:
            unknown = _unknown(name, known, "is an output but is not defined", f"remove {name}")
            yield Fault(("outputs", place), unknown)
        elif name in seen:
            error = NameTaken(f"the output '{name}' is named twice", fix=f"name {name} once")
            yield Fault(("outputs", place), error)
        seen.add(name)


def _first_of(error: CyclicDefinition, names: Iterable[str]) -> str:
    """The first name of a circle; the error shows it as a → b → a."""
    first = error.got.split(" ")[0]
    return first if first in names else next(iter(names), "")


def _unknown(name: str, known: Collection[str], trouble: str, otherwise: str = "") -> UnknownName:
    return UnknownName(
        f"'{name}' {trouble}",
        wanted="one of " + listed(known) if known else "nothing is defined here",
        fix=did_you_mean(name, known, otherwise or f"[parameter]\n{name} = 1"),
    )


def _own_circle(name: str, value: Expression) -> CyclicDefinition:
    return CyclicDefinition(
        f"'{name}' is defined by itself",
        got=f"{name} = {value}",
        wanted=f"an expression without {name}",
        fix=f"{name} = 1",
    )


def _not_finite(name: str, value: Expression, number: float) -> ExpressionError:
    return ExpressionError(
        f"the parameter '{name}' has no finite value",
        got=f"{name} = {value}"[:60] + f", which is {number}",
        wanted="a finite number",
        fix=f"{name} = 1",
    )
