"""What can be wrong with what is to be seen: objects, lights and cameras."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import Expression, evaluate, free_symbols
from linkwork.errors import LinkworkError
from linkwork.model.colour import COLOURS, is_colour
from linkwork.model.fault import Fault, did_you_mean, listed
from linkwork.model.field import Record
from linkwork.model.lines import Path
from linkwork.model.vector import Vector
from linkwork.model.visible import MOST_OBJECTS, Amount, Model, Reaching, Seen, Terrain, Tube, Words
from linkwork.model.visible_values import Values

if TYPE_CHECKING:
    from linkwork.model.machine import Machine
    from linkwork.model.world import World

Numbers = Mapping[str, float]

MOST_STEPS: Final = {"tube": 10_000, "terrain": 1000}
"""Pieces of a tube, and of each side of a terrain."""
STEADY: Final = ("opacity", "rough", "metal", "count", "steps", "turns", "angle", "strength")
"""Fields that cannot follow the motion."""
BOUNDS: Final = {
    "opacity": (0, 1),
    "rough": (0, 1),
    "metal": (0, 1),
    "angle": (1, 170),
    "turns": (1, 200),
    "strength": (0, 1000),
    "count": (1, MOST_OBJECTS),
}
WHOLE: Final = ("count", "steps")
LETTERS: Final = 200
"""The longest text."""
FILES: Final = (".stl", ".3mf", ".glb", ".gltf")


def view_faults(machine: Machine, world: World, numbers: Numbers) -> Iterator[Fault]:
    """Frames that are not there, formulas that cannot be read, colours nobody knows, too many objects."""
    view = machine.view
    if view.background and not is_colour(view.background):
        yield Fault(("view", "background"), _no_colour(view.background))
    values = Values(world.vocabulary)
    total = 0.0
    for table in ("object", "light", "camera"):
        for name, record in getattr(view, table).items():
            where = ("view", table, name)
            yield from _record_faults(where, record, values, numbers)
            if isinstance(record, Seen):
                total += evaluate([values.amount(record.count)], numbers)[0]
    if total > MOST_OBJECTS:
        error = LinkworkError(
            "the view has more objects than can be shown",
            got=f"{total:.0f}, repetitions counted",
            wanted=f"at most {MOST_OBJECTS}",
            fix="count = 1000",
        )
        yield Fault(("view", "object"), error)


def _record_faults(where: Path, record: Record, values: Values, numbers: Numbers) -> Iterator[Fault]:
    for key, read in _readers(record, values).items():
        try:
            found = read()
        except LinkworkError as error:
            error.problem = f"{where[1]} {str(where[2])[:60]}, {key}: {error.problem}"
            yield Fault((*where, key), error)
            return
        for fault in _value_errors(record, key, found, numbers):
            fault.problem = f"{where[1]} {str(where[2])[:60]}, {key}: {fault.problem}"
            yield Fault((*where, key), fault)


def _readers(record: Record, values: Values) -> dict[str, Callable[[], Any]]:
    """For each field how its meaning is found; it fails where it has none."""
    found: dict[str, Callable[[], Any]] = {}
    for key, kind in record.kinds().items():
        written = getattr(record, key)
        if key == "on":
            found[key] = partial(values.frame, written)
        elif key == "colour" and written:
            found[key] = partial(_coloured, written)
        elif isinstance(kind, Amount) and key != "height" and written is not None:
            found[key] = partial(values.amount, written)
        elif key in ("at", "axis", "up") and written is not None:
            found[key] = partial(values.point, written)
    found |= _own_readers(record, values)
    return found


def _own_readers(record: Record, values: Values) -> dict[str, Callable[[], Any]]:
    """The fields that mean something else than a number or a place."""
    if isinstance(record, Tube):
        return {"over": lambda: values.amounts(record.over[1:]), "curve": lambda: values.curve(record)}
    if isinstance(record, Terrain):
        return {"size": lambda: values.amounts(record.size), "height": lambda: values.height(record)}
    if isinstance(record, Reaching):
        return {"between": lambda: [values.place(each) for each in record.between]}
    if isinstance(record, Model):
        return {"file": lambda: _file_checked(record.file)}
    if isinstance(record, Words):
        return {"text": lambda: _text_checked(record.text), "size": lambda: values.scale(record)}
    if isinstance(record, Seen):
        sized = next((key for key in ("size", "radii", "outline", "length") if hasattr(record, key)), "shape")
        return {sized: lambda: (*values.scale(record), *values.fixed(record))}
    toward = getattr(record, "toward", None)
    if toward is None:
        return {}
    return {"toward": lambda: values.target(toward)}


def _value_errors(record: Record, key: str, found: Any, numbers: Numbers) -> Iterator[LinkworkError]:
    """What a field's value cannot be."""
    entries = [*found] if isinstance(found, Vector | tuple | list) else [found]
    for entry in entries:
        if not isinstance(entry, Expression):
            continue
        moving = [leaf.name for leaf in free_symbols(entry) if leaf.name not in numbers]
        if moving and key in STEADY:
            yield LinkworkError(
                f"'{moving[0]}' has no meaning here",
                wanted="a number, or an expression of parameters",
                why="this does not change while the machine moves",
                fix=f"{key} = 1",
            )
        elif not moving:
            yield from _number_errors(record, key, evaluate([entry], numbers)[0])


def _number_errors(record: Record, key: str, value: float) -> Iterator[LinkworkError]:
    if not math.isfinite(value):
        yield LinkworkError("this is no finite number", got=f"{value}", fix=f"{key} = 1")
        return
    least, most = BOUNDS.get(key, (-math.inf, math.inf))
    if key == "steps":
        least, most = 1, MOST_STEPS.get(record.word, 1)
    if key in ("radius", "length", "tube", "scale"):
        least = 0
    if not least <= value <= most or (key in WHOLE and value != int(value)):
        kind = "a whole number" if key in WHOLE else "a number"
        nearest = min(max(round(value) if key in WHOLE else value, least), most)
        yield LinkworkError(
            f"{value:.12g} is out of bounds",
            wanted=f"{kind} from {least:g} to {most:.12g}" if most < math.inf else f"{kind} of 0 or more",
            why="each of them is kept in memory and sent to the page"
            if value > most and key in WHOLE
            else "",
            fix=f"{key} = {nearest:.12g}",
        )


def _coloured(text: str) -> str:
    if not is_colour(text):
        raise _no_colour(text)
    return text


def _no_colour(text: str) -> LinkworkError:
    return LinkworkError(
        "there is no such colour",
        got=text[:60],
        wanted="#rrggbb, or one of " + listed(COLOURS, 40),
        fix=did_you_mean(text, COLOURS, 'colour = "#3a7cb8"'),
    )


def _text_checked(text: str) -> str:
    """Words that can be seen, and not more than can be drawn."""
    if not text.strip():
        raise LinkworkError(
            "there is nothing to be seen of an empty text",
            got=repr(text)[:60],
            wanted="letters",
            fix='text = "Start"',
        )
    if len(text) > LETTERS:
        raise LinkworkError(
            "this text is too long to stand in a scene",
            got=f"{len(text)} letters",
            wanted=f"at most {LETTERS}",
            fix="shorten it",
        )
    return text


def _file_checked(name: str) -> str:
    """A file beside the machine's, or in a folder below; its content is looked at when it is shown."""
    parts = name.replace("\\", "/").split("/")
    if not name or parts[0] in ("", "~") or ".." in parts or ":" in parts[0]:
        raise LinkworkError(
            "a mesh lies beside the machine's file or in a folder below",
            got=name[:60] or "an empty name",
            wanted="a relative name without ..",
            fix='file = "wheel.stl"',
        )
    if not name.lower().endswith(FILES):
        raise LinkworkError(
            "this kind of file has no mesh that can be read",
            got=name[:60],
            wanted=", ".join(FILES),
            fix='file = "wheel.stl"',
        )
    return name
