"""The simulation program as a project in C99: header, source, runtime, a main that runs it, and a Makefile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from linkwork.algebra import Expression
from linkwork.dynamics.c_program import scheme_text
from linkwork.dynamics.standalone import Standalone, as_comment, distinct_words
from linkwork.dynamics.synthesis import SPARE
from linkwork.emit.runtime import runtime_source, template

RUNTIME = "linkwork_runtime.h"
SPARE_MEANS = "stays 0 as long as this constraint follows from the others"

PARTS: Final = ("block_band", "block_shortest", "passage")
"""The parts of the runtime that a machine may need."""


def c_files(program: Standalone) -> dict[str, str]:
    """The files of the project by name."""
    words = c_words(program)
    return machine_files(program) | {
        "main.c": template("main.c.txt", words),
        "Makefile": template("Makefile.txt", words),
        "README.txt": template("README.c.txt", words),
    }


def machine_files(
    program: Standalone, header: str = "", source: str = "", parts: Sequence[str] = PARTS
) -> dict[str, str]:
    """The machine itself by the names of its files, with more at the end of header and source."""
    words = c_words(program) | _entries(program)
    runtime = runtime_source(*parts)
    return {
        f"{program.name}.h": template("machine.h.txt", words | {"more": header}),
        f"{program.name}.c": template("machine.c.txt", words | _code(program) | {"more": source}),
        RUNTIME: f"/* {program.mark} The runtime of all machines. */\n{runtime}",
    }


def c_products(name: str) -> tuple[str, ...]:
    """What the Makefile builds beside the files."""
    return (name, f"{name}_sanitized")


def c_words(program: Standalone) -> dict[str, str]:
    """Name, title and sizes."""
    counts = {what: len(names) for what, names in program.names.items()}
    words = {"name": program.name, "title": program.title, "mark": program.mark}
    words |= {f"{what}s": str(count) for what, count in counts.items()}
    return words | {f"{what}_room": str(max(count, 1)) for what, count in counts.items()}


def _entries(program: Standalone) -> dict[str, str]:
    """The named places of the arrays."""
    machine = program.synthesis.spec.machine
    controls = {name: each.start for name, each in machine.controls.items()}
    about = {
        "parameter": _formulas(program.parameters, machine.parameters),
        "control": _formulas(program.controls, controls),
        "column": [
            SPARE_MEANS if name.startswith(SPARE) else program.units.get(name, "") for name in program.columns
        ],
    }
    return {
        f"{what}_entries": _enumerated(f"{program.name}_{what}_", names, about.get(what, [""] * len(names)))
        for what, names in program.names.items()
    }


def _formulas(names: Sequence[str], values: Mapping[str, Expression | float]) -> list[str]:
    return [str(values[name]) for name in names]


def _enumerated(prefix: str, names: Sequence[str], comments: Sequence[str]) -> str:
    """The entries of an enumeration: at place i the i-th name."""
    lines = []
    for place, (word, comment) in enumerate(zip(distinct_words(names), comments, strict=True)):
        behind = f" /* {as_comment(comment)} */" if comment else ""
        lines.append(f"    {prefix}{word} = {place},{behind}\n")
    return "".join(lines)


def _code(program: Standalone) -> dict[str, str]:
    """What only the source of the machine has."""
    synthesis = program.synthesis
    functions = scheme_text(synthesis, (program.defaults, program.start), with_runtime=False)
    return {
        "functions": functions,
        "constants": str(len(synthesis.constants)),
        "zeroth": str(len(synthesis.q0)),
        "rates": str(len(synthesis.v)),
        "names": "\n".join(_name_table(program.name, what, each) for what, each in program.names.items()),
    }


def _name_table(machine: str, what: str, names: Sequence[str]) -> str:
    rows = [f"    {quoted(name)}," for name in names] or ["    NULL,"]
    return "\n".join([f"const char *const {machine}_names_of_{what}s[] = {{", *rows, "};"])


def quoted(name: str) -> str:
    """A string of C: letters beyond ASCII as the bytes of UTF-8."""
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in name.encode()
    )
    return f'"{plain}"'
