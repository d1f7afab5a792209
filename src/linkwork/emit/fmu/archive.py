"""A unit as one file: where its library lies, the text that it is compiled from, and the archive around it."""

from __future__ import annotations

import io
import platform
import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from typing import Final

_INCLUDE: Final = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the same content gives the same bytes."""
_SYSTEMS: Final = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
_ENDINGS: Final = {"linux": ".so", "darwin": ".dylib", "windows": ".dll"}
_PROCESSORS: Final = {
    "x86_64": "x86_64",
    "amd64": "x86_64",
    "aarch64": "aarch64",
    "arm64": "aarch64",
    **dict.fromkeys(("i386", "i486", "i586", "i686", "x86"), "x86"),
}


def binary_path(name: str, version: str, system: str = sys.platform, processor: str = "") -> str | None:
    """Where the library of a unit lies in its archive; None where FMI has no name for this platform.

    >>> binary_path("car", "2.0", "linux", "x86_64"), binary_path("car", "3.0", "darwin", "arm64")
    ('binaries/linux64/car.so', 'binaries/aarch64-darwin/car.dylib')
    >>> binary_path("car", "2.0", "win32", "AMD64"), binary_path("car", "3.0", "plan9", "mips")
    ('binaries/win64/car.dll', None)
    """
    kind = _SYSTEMS.get(system)
    word = _PROCESSORS.get((processor or platform.machine()).lower())
    if kind is None or word is None:
        return None
    if version == "2.0":
        short = "win" if kind == "windows" else kind
        folder = f"{short}{'32' if word == 'x86' else '64'}"
    else:
        folder = f"{word}-{kind}"
    return f"binaries/{folder}/{name}{_ENDINGS[kind]}"


def joined(files: Mapping[str, str], sources: Sequence[str]) -> str:
    r"""Sources as one text, with every file that they include pasted once.

    >>> print(joined({"a.h": "int a;\n", "a.c": '#include "a.h"\nint b;\n'}, ["a.c"]), end="")
    int a;
    int b;
    """
    pasted: set[str] = set()

    def text_of(name: str) -> str:
        return _INCLUDE.sub(lambda found: once(found[1]), files[name])

    def once(name: str) -> str:
        if name in pasted:
            return ""
        pasted.add(name)
        return text_of(name)

    return "".join(once(name) for name in sources)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """An archive whose bytes depend on nothing but its files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o755 if isinstance(content, bytes) else 0o644) << 16
            archive.writestr(entry, content)
    return whole.getvalue()
