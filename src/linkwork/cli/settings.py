"""``--set name=value`` and other options with values in our own notation, every fault told as wrong use."""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from linkwork.algebra import Expression, evaluate, parse
from linkwork.cli.progress import progress
from linkwork.errors import LinkworkError, UsageError
from linkwork.model import Machine, load
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.file import name_place
from linkwork.suffixes import is_cad

PATIENCE = 0.7
"""Seconds after which it is shown that joints are being looked for."""
MOST_NAMED = 3
"""Pairs of parts that a warning names."""


def read_settings(
    given: Sequence[str], names: Collection[str], others: Collection[str]
) -> dict[str, Expression]:
    """The settings by name, the last one where a name is repeated.

    ``names`` can be set and can be used in values; ``others`` are known but computed.

    >>> read_settings(["e=30 deg", "b = 2*a"], ["a", "b", "e"], [])
    {'e': pi/6, 'b': 2*a}
    """
    found: dict[str, Expression] = {}
    for setting in given:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals or not name:
            raise UsageError(
                "a setting has the form name=value",
                got=f"--set {setting!r}",
                wanted="one of " + listed(names),
                fix=f"--set {name or next(iter(names), 'a')}=1",
            )
        if name not in names:
            raise _cannot_be_set(name, names, others)
        try:
            found[name] = parse(value, names)
        except LinkworkError as error:
            raise as_usage(error, f"--set {name}") from error
    return found


def machine_with_parts(
    name: str, settings: Sequence[str], warn: Callable[[str], None] | None = None, *, quiet: bool = False
) -> Machine:
    """The machine of this name with its parameters set; one without parts is refused."""
    machine = load(name)
    if machine.drawing is not None:
        raise UsageError(
            f"{machine.name} is a drawing, it has no parts to move",
            wanted="a machine with parts and joints",
            fix=f"linkwork derive {name}",
        )
    if not machine.moving:
        raise UsageError(
            f"{machine.name} has no parts, only definitions"
            if machine.definitions
            else f"{name} has no parts",
            wanted="a machine with parts and joints",
            fix=f"linkwork derive {name}" if machine.definitions else "linkwork examples four-bar",
        )
    return joined(name, _set(machine, settings), warn, quiet=quiet)


def joined(
    name: str, machine: Machine, warn: Callable[[str], None] | None = None, *, quiet: bool = False
) -> Machine:
    """The machine itself, or with the joints that are found where it is given by solids alone.

    ``warn`` is told that contacts are left out, where found parts may touch.
    """
    if not machine.is_unjoined:
        return machine
    from linkwork.recognition import recognise

    tell_density(name, machine)
    with blaming(name), progress(f"looking at {machine.name}", quiet=quiet, patience=PATIENCE):
        recognised = recognise(machine)
        found = recognised.machine
    assert found is not None
    if warn is not None and recognised.interactions:
        warn(_contacts_left_out([each.parts for each in recognised.interactions]))
    if not found.moving:
        raise LinkworkError(
            f"nothing can move in {machine.name}: all its parts are fixed to one another",
            got=listed(machine.parts),
            wanted="a part that can turn or slide",
            fix=f"linkwork recognise {shlex.quote(name)}   # tells why",
        )
    return found


def tell_density(name: str, machine: Machine) -> None:
    """Warn that the masses of a CAD file's parts are assumed, unless they were set."""
    from linkwork.model.cad import DENSITY, WATER

    if is_cad(name) and machine.values().get(DENSITY) == WATER:
        warnings.warn(
            f"{name} tells no masses: a density of 1 g/cm³ is assumed; "
            f"for steel --set {DENSITY}=7.85e-6 (in kg/mm³)",
            stacklevel=2,
        )


def _contacts_left_out(touching: Sequence[Sequence[str]]) -> str:
    """The warning that parts which may touch go through one another."""
    named = ", ".join(" and ".join(parts) for parts in touching[:MOST_NAMED])
    more = f" and {len(touching) - MOST_NAMED} more" if len(touching) > MOST_NAMED else ""
    return f"contacts are not computed, though these may touch: {named}{more}"


def machine_of_solids(name: str, settings: Sequence[str]) -> Machine:
    """The machine of this name with its parameters set; one that has joints already is refused."""
    machine = load(name)
    if not machine.is_unjoined:
        raise UsageError(
            f"{machine.name} has joints already" if machine.joints else f"{machine.name} has no solids",
            wanted="a machine whose parts have solids, and no joints",
            fix=f"linkwork show {name}" if machine.joints else "linkwork examples escapement",
        )
    return _set(machine, settings)


def machine_with_solids(name: str, settings: Sequence[str]) -> Machine:
    """The machine of this name with its parameters set; one without solids is refused."""
    machine = load(name)
    if not any(part.solid is not None for part in machine.parts.values()):
        raise UsageError(
            f"{machine.name} has no solids",
            wanted="a machine whose parts have solids",
            fix="linkwork examples engine",
        )
    return _set(machine, settings)


def _set(machine: Machine, settings: Sequence[str]) -> Machine:
    given = read_settings(settings, machine.parameters, [line.name for line in machine.definitions])
    if not given:
        return machine
    try:
        return machine.with_parameters(given)
    except LinkworkError as error:
        raise as_usage(error, "--set") from error


def machine_that_moves(
    name: str, settings: Sequence[str], warn: Callable[[str], None] | None = None, *, quiet: bool = False
) -> Machine:
    """The machine of this name with its parameters set; one in which nothing can move is refused."""
    machine = load(name)
    if machine.is_scene:
        return _set(machine, settings)
    return machine_with_parts(name, settings, warn, quiet=quiet)


def without_drives(machine: Machine, names: Sequence[str]) -> Machine:
    """The machine with some of its drives let go."""
    for name in names:
        if name not in machine.drives:
            raise UsageError(
                f"there is no drive '{name}' to let go",
                wanted="one of " + listed(machine.drives) if machine.drives else "none: nothing is driven",
                fix=did_you_mean(name, machine.drives, "leave --free out"),
            )
    if not names:
        return machine
    return machine.with_drives({name: drive for name, drive in machine.drives.items() if name not in names})


def numbers_by_name(option: str, given: Sequence[str], machine: Machine) -> dict[str, float]:
    """Values such as ``crank.angle=30 deg`` by their names.

    >>> numbers_by_name("--start", ["crank.angle = 90 deg"], Machine.of("bar"))
    {'crank.angle': 1.5707963267948966}
    """
    found: dict[str, float] = {}
    for setting in given:
        name, equals, value = (part.strip() for part in setting.partition("="))
        number = number_in(option, value, machine) if equals and name else None
        if number is None:
            raise UsageError(
                f"{option} has the form name=value", got=repr(setting), fix=f"{option} crank.angle=0.5"
            )
        found[name] = number
    return found


@contextmanager
def blaming(source: str) -> Iterator[None]:
    """Errors inside name the line of the machine's file at which their cause stands, and options as these are typed."""
    try:
        yield
    except LinkworkError as error:
        name_place(error, source)
        error.fix = _as_written(error, source)
        raise


def _as_written(error: LinkworkError, source: str) -> str:
    """A fix in a machine file for one who has a CAD file: how to get the former, and what to add there."""
    table = re.search(r"^\[", error.fix, re.MULTILINE)
    if table is None or not is_cad(source):
        return as_typed(error.fix)
    from linkwork.recognition import RecognitionError

    option = "--parts " if isinstance(error, RecognitionError) else ""
    file = shlex.quote(f"{Path(source).stem}.toml")
    command = f"linkwork recognise {shlex.quote(source)} {option}-o {file}   # then add to its tables:\n"
    return error.fix[: table.start()] + command + error.fix[table.start() :]


def as_typed(fix: str) -> str:
    """A fix in Python as an option of the command line.

    >>> as_typed('target="c"'), as_typed("until=10"), as_typed("start={'crank.angle': 0.1}")
    ('--target c', '--until 10', '--start crank.angle=0.1')
    """
    option = re.fullmatch(r"""(until|step|rtol|method|target|horizon|drive)=["']?([^"'=]*)["']?""", fix)
    if option:
        return f"--{option[1]} {option[2]}"
    at = re.fullmatch(r"at\(([^()]*)\)", fix)
    if at:
        return f"--at {at[1]}"
    start = re.fullmatch(r"(start|rate)s?=\{'([^']*)': (.*)\}", fix)
    return f"--{start[1]} {start[2]}={start[3]}" if start else fix


def number_in(option: str, text: str, machine: Machine) -> float | None:
    """The value of an option such as ``--until "2*pi"``, over the machine's parameters; nothing for no text.

    >>> number_in("--until", "90 deg", Machine.of("bar"))
    1.5707963267948966
    """
    if not text.strip():
        return None
    try:
        return evaluate([parse(text, set(machine.parameters))], machine.values())[0]
    except LinkworkError as error:
        raise as_usage(error, option) from error


def as_usage(error: LinkworkError, about: str) -> UsageError:
    """An error caused by an option's value: wrong use, in the words of the one who found it."""
    return UsageError(
        f"{about}: {error.problem}", got=error.got, wanted=error.wanted, why=error.why, fix=error.fix
    )


def _cannot_be_set(name: str, names: Collection[str], others: Collection[str]) -> UsageError:
    if name in others:
        return UsageError(
            f"'{name}' is computed, it cannot be set",
            wanted="one of " + listed(names),
            fix=f"make {name} a parameter of the machine",
        )
    return UsageError(
        f"there is no parameter '{name}'",
        wanted="one of " + listed(names) if names else "none: the machine has no parameters",
        fix=did_you_mean(name, names, "linkwork show MACHINE   # shows the names"),
    )
