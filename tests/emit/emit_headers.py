"""What the headers of the C library on this machine declare and define."""

from __future__ import annotations

import re
import subprocess
from typing import Final

from linkwork.emit.compiler import find_compiler

HEADERS: Final = "complex ctype errno math stdio stdlib string time wchar wctype".split()


def macros(*flags: str) -> list[str]:
    """The names that the compiler replaces after ``#include <math.h>``."""
    text = _preprocessed("#include <math.h>\n", *flags, "-dM")
    return [line.split()[1].split("(")[0] for line in text.splitlines()]


def library_names(*flags: str) -> set[str]:
    """What stands in the headers of C before a parenthesis, as a type or as a macro."""
    text = _preprocessed("".join(f"#include <{header}.h>\n" for header in HEADERS), *flags, "-P")
    return set(macros(*flags)) | set(re.findall(r"\b([A-Za-z_]\w*)\s*[(;]", text))


def _preprocessed(source: str, *flags: str) -> str:
    compiler = find_compiler()
    assert compiler is not None
    command = [*compiler.command, *flags, "-E", "-x", "c", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
