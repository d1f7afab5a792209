"""The C99 runtime of generated programs: hand out the text of the parts a program asks for.

Every part is one header in this folder; its ``#include "..."`` lines say which others it needs. The parts
are pasted in front of a program, so that a generated file compiles alone, anywhere.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from linkwork.errors import UnknownName

_FOLDER = Path(__file__).parent
_INCLUDE = re.compile(r'^#include "(\w+)\.h"\n', re.MULTILINE)
_WORD = re.compile(r"@(\w+)@")
_FUNCTION = re.compile(r"^LW_STATIC ([^;{}]*?)\n\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)

PARTS: tuple[str, ...] = tuple(sorted(header.stem for header in _FOLDER.glob("*.h")))
"""The names :func:`runtime_source` knows."""

STEERING: Final = frozenset(("careful", "integrate", "passage", "radau5", "saved", "scheme", "stepping"))
"""The parts that decide what the others compute: to compile them hard takes long and saves no time of a run."""


def runtime_source(*parts: str) -> str:
    """The C text of ``parts`` and of all they need, each once; the order of asking makes no difference.

    >>> text = runtime_source("cholesky")
    >>> "lw_cholesky_solve(" in text, "lw_norm(" in text, "lw_lu_solve(" in text
    (True, True, False)
    >>> runtime_source("newton", "lu") == runtime_source("lu", "newton")
    True
    """
    return "\n".join(_own_text(part) for part in _with_needs(parts))


def runtime_library(*parts: str) -> str:
    """The same with its functions public, for programs that are linked with it."""
    return f"#define LW_STATIC\n{runtime_source(*parts)}"


def runtime_halves(*parts: str) -> tuple[str, str]:
    r"""The same as two texts that can be compiled beside one another: what computes, and what steers it.

    >>> ends = "lw_norm(int n, const double *v)\n{", "lw_stabilise(lw_runner *run, double *y, double t)\n{"
    >>> [[end in half for end in ends] for half in runtime_halves("scheme")]
    [[True, False], [False, True]]
    """
    chosen = _with_needs(parts)
    return _bodies(chosen, [part for part in chosen if part not in STEERING]), _bodies(chosen, STEERING)


def _bodies(chosen: Iterable[str], own: Collection[str]) -> str:
    """Parts of which some have their functions and the others declare them."""
    texts = (_own_text(part) if part in own else _declared(_own_text(part)) for part in chosen)
    return "#define LW_STATIC\n" + "\n".join(texts)


def _declared(text: str) -> str:
    return _FUNCTION.sub(r"\1;\n", text)


def runtime_declarations(*parts: str) -> str:
    """What a program must know of the :func:`runtime_library` that it is linked with: all but the bodies of functions.

    Small functions that are put in where they are called keep theirs.

    >>> text = runtime_declarations("vector")
    >>> "double lw_norm(int n, const double *v);" in text, "sqrt(squares)" in text, "a > b" in text
    (True, False, True)
    """
    return _declared(runtime_source(*parts))


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
    ['apart.h', 'balance_two.h', 'block.h']
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for part in PARTS:
        header = folder / f"{part}.h"
        header.write_text(_text(part), encoding="utf-8", newline="\n")
        written.append(header)
    return written


def _with_needs(parts: Sequence[str]) -> list[str]:
    """Parts and all they need, each behind what it needs."""
    for part in parts:
        if part not in PARTS:
            raise UnknownName("the runtime has no such part", got=repr(part), wanted=", ".join(PARTS))
    chosen: dict[str, None] = {}
    for part in sorted(parts):
        _add_after_needs(part, chosen)
    return list(chosen)


def _own_text(part: str) -> str:
    return _INCLUDE.sub("", _text(part))


def _add_after_needs(part: str, chosen: dict[str, None]) -> None:
    if part in chosen:
        return  # and so are its needs: most parts are needed by many others
    for need in _INCLUDE.findall(_text(part)):
        _add_after_needs(need, chosen)
    chosen.setdefault(part)


@functools.cache
def _text(part: str, ending: str = "h") -> str:
    return (_FOLDER / f"{part}.{ending}").read_text(encoding="utf-8")
