"""STEP files as assemblies of solids."""

from __future__ import annotations

import os
from pathlib import Path

from linkwork.solid.step.assembly import Assembly, Walk
from linkwork.solid.step.fault import StepError
from linkwork.solid.step.occt import Occt, is_there
from linkwork.solid.step.record import StepFile
from linkwork.solid.step.text import LARGEST_FILE, StepText
from linkwork.solid.step.unit import wanted_unit


def read_step(source: str | bytes | os.PathLike[str], *, unit: str = "mm", assume: str = "") -> Assembly:
    """The parts of a STEP file (AP203, AP214, AP242), given by its path or by its text.

    Lengths are turned into ``unit``; ``assume`` is the unit of a file that names none.
    """
    wanted = wanted_unit(unit)
    if assume:
        wanted_unit(assume)
    text, file = _text(source)
    records = StepFile(StepText(text, file))
    beyond = Occt(text) if is_there() else None
    return Walk(records, wanted, assume, beyond).assembly(Path(file).stem)


def _text(source: str | bytes | os.PathLike[str]) -> tuple[str, str]:
    """The text, and the name of its file."""
    if isinstance(source, bytes):
        return _decoded(source), ""
    if isinstance(source, str) and ("\n" in source or "ISO-10303-21" in source[:200]):
        return source, ""
    path = os.fspath(source)
    try:
        with open(path, "rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StepError(
            "the file cannot be read", file=path, why=reason, wanted="a STEP file", fix="check its name"
        ) from None
    if len(content) > LARGEST_FILE:
        raise StepError(
            "the file is too large",
            file=path,
            got=f"more than {LARGEST_FILE // 2**20} MiB",
            wanted=f"at most {LARGEST_FILE // 2**20} MiB",
            fix="export the assemblies one by one",
        )
    return _decoded(content), path


def _decoded(content: bytes) -> str:
    """As UTF-8, which newer programs write, else byte by byte."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
