"""Machine files: load one by its path or an example by its name, save one whole or not at all."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from linkwork import examples
from linkwork.errors import LinkworkError, UsageError
from linkwork.model.fault import NoSuchMachineError, foreign_file, nearest
from linkwork.model.lines import places
from linkwork.model.machine import Machine
from linkwork.model.read import machine_from_text
from linkwork.model.store import read_text, write_text
from linkwork.model.write import machine_to_text
from linkwork.suffixes import FOREIGN, SUFFIXES, is_cad

_JSON_DESIGN: Final = re.compile(r"""\s*\{(?s:.*)"(?:schema|obstacles|pawls)"\s*:""")
_TOML_DESIGN: Final = re.compile(r"""^\s*["']?schema["']?\s*=\s*["']linkwork-fastening/""", re.M)


def load(source: str | os.PathLike[str]) -> Machine:
    """The machine in a file, or the example of that name. A file of the same name comes first.

    A CAD file (``.step``, ``.scad``, …) is a machine of solids: each of its parts is one of the machine.

    >>> load("four-bar-table").outputs
    ('P9x', 'P9y')
    """
    path = os.fspath(source)
    if path in examples.names() and not os.path.isfile(path):
        path = os.fspath(examples.path(path))
    elif path in examples.designs() and not os.path.isfile(path):
        raise _is_no_machine(path)
    elif not os.path.lexists(path):
        raise _missing(path)
    if is_cad(path):
        from linkwork.model.cad import machine_of_cad

        return machine_of_cad(path, _name_of(path))
    if Path(path).suffix.lower() in FOREIGN:
        raise foreign_file(path, "{}")
    text = read_text(path)
    if is_design_text(text):
        raise _is_no_machine(path)
    return machine_from_text(text, path, _name_of(path))


def is_design(source: str | os.PathLike[str]) -> bool:
    """Whether a file, or the example of that name, is a snap-fit design.

    >>> is_design("two-pawl-tee"), is_design("four-bar")
    (True, False)
    """
    path = os.fspath(source)
    if not os.path.isfile(path):
        return path in examples.designs()
    return not is_cad(path) and is_design_text(read_text(path))


def is_design_text(text: str) -> bool:
    """Whether a text is that of a snap-fit design: JSON, or TOML that says so."""
    return bool(_JSON_DESIGN.match(text) or _TOML_DESIGN.search(text.partition("[")[0]))


def _is_no_machine(path: str) -> UsageError:
    return UsageError(
        f"{path} is a snap-fit design, not a machine",
        wanted="a machine file, a CAD file, or the name of a machine",
        fix=f"linkwork fasten {path}   # in Python: linkwork.fasten({path!r})",
    )


def name_place(error: LinkworkError, source: str | os.PathLike[str]) -> None:
    """Tell in an error that was found later, by moving the machine, where in its file the cause stands.

    Not in an example: there it is a setting that is wrong, not the file.
    """
    path = os.fspath(source)
    if not error.where or error.file or not os.path.isfile(path) or is_cad(path):
        return
    error.file, error.line = path, places(read_text(path)).line(error.where)
    error.problem = f"{path}:{error.line}: {error.problem}"


def save(machine: Machine, path: str | os.PathLike[str]) -> None:
    """Write the machine's file; ``load`` gives an equal machine back. Comments of an older file are lost."""
    with_name = machine.name != _name_of(os.fspath(path))
    write_text(path, machine_to_text(machine, with_name=with_name))


def _name_of(path: str) -> str:
    """The name that a file gives to a machine that names itself nowhere."""
    stem = Path(path).stem or "machine"
    return stem.encode(errors="replace").decode()


def _missing(path: str) -> NoSuchMachineError:
    folder = os.path.dirname(path) or "."
    try:
        here = [name for name in os.listdir(folder) if name.lower().endswith((".toml", *SUFFIXES))]
    except (OSError, ValueError):
        here = []
    stems = {Path(name).stem: os.path.join(os.path.dirname(path), name) for name in sorted(here)}
    stems |= {name: name for name in (*examples.names(), *examples.designs())}
    near = stems.get(nearest(Path(path).stem, stems), "")
    return NoSuchMachineError(
        "there is no such file and no such example",
        file=path or "''",
        wanted="a machine file, a CAD file, or one of " + ", ".join(examples.names()),
        fix=f"did you mean {near}?" if near else "linkwork examples   # lists the examples",
    )
