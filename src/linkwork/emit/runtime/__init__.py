"""The C99 runtime of generated programs: hand out the text of the parts a program asks for.

Every part is one header in this folder; its ``#include "..."`` lines say which others it needs. The parts
are pasted in front of a program, so that a generated file compiles alone, anywhere.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from pathlib import Path

from linkwork.errors import UnknownName

_FOLDER = Path(__file__).parent
_INCLUDE = re.compile(r'^#include "(\w+)\.h"\n', re.MULTILINE)
_WORD = re.compile(r"@(\w+)@")
_FUNCTION = re.compile(r"^LW_STATIC ([^;{}]*?)\n\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)

PARTS: tuple[str, ...] = tuple(sorted(header.stem for header in _FOLDER.glob("*.h")))
"""The names :func:`runtime_source` knows."""


def runtime_source(*parts: str) -> str:
    """The C text of ``parts`` and of all they need, each once; the order of asking makes no difference.

    >>> text = runtime_source("cholesky")
    >>> "lw_cholesky_solve(" in text, "lw_norm(" in text, "lw_lu_solve(" in text
    (True, True, False)
    >>> runtime_source("newton", "lu") == runtime_source("lu", "newton")
    True
    """
    for part in parts:
        if part not in PARTS:
            raise UnknownName("the runtime has no such part", got=repr(part), wanted=", ".join(PARTS))
    chosen: dict[str, None] = {}
    for part in sorted(parts):
        _add_after_needs(part, chosen)
    return "\n".join(_INCLUDE.sub("", _text(part)) for part in chosen)


def runtime_library(*parts: str) -> str:
    """The same with its functions public, for programs that are linked with it."""
    return f"#define LW_STATIC\n{runtime_source(*parts)}"


def runtime_declarations(*parts: str) -> str:
    """What a program must know of the :func:`runtime_library` that it is linked with: all but the bodies of functions.

    >>> text = runtime_declarations("vector")
    >>> "double lw_norm(int n, const double *v);" in text, "return" in text
    (True, False)
    """
    return _FUNCTION.sub(r"\1;\n", runtime_source(*parts))


def block_solver(ending: str) -> str:
    """The solver of blocks in another language: ``"mjs"`` or ``"py.txt"``.

    >>> block_solver("mjs").count("function lw_block_solve(")
    1
    """
    return _text("block", ending)


def template(file: str, words: Mapping[str, str]) -> str:
    """A text of this folder with ``@word@`` replaced by what stands for it.

    >>> template("README.c.txt", {"title": "A pendulum", "mark": "…", "name": "p"}).splitlines()[0]
    'A pendulum'
    """
    part, _, ending = file.partition(".")
    return filled(_text(part, ending), words)


def filled(text: str, words: Mapping[str, str]) -> str:
    """A text with ``@word@`` replaced by what stands for it.

    >>> filled("a @colour@ ball", {"colour": "red"})
    'a red ball'
    """
    return _WORD.sub(lambda found: words[found[1]], text)


def write_runtime(directory: str | os.PathLike[str]) -> list[Path]:
    """Write the headers as they are into ``directory``, for a project that includes them by name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [header.name for header in write_runtime(folder)][:3]
    ['block.h', 'block_band.h', 'block_shortest.h']
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for part in PARTS:
        header = folder / f"{part}.h"
        header.write_text(_text(part), encoding="utf-8", newline="\n")
        written.append(header)
    return written


def _add_after_needs(part: str, chosen: dict[str, None]) -> None:
    for need in _INCLUDE.findall(_text(part)):
        _add_after_needs(need, chosen)
    chosen.setdefault(part)


@functools.cache
def _text(part: str, ending: str = "h") -> str:
    return (_FOLDER / f"{part}.{ending}").read_text(encoding="utf-8")
