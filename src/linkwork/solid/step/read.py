"""STEP files as assemblies of solids."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

from linkwork.solid.step.assembly import Assembly, Walk
from linkwork.solid.step.fault import StepError
from linkwork.solid.step.occt import Occt, is_there
from linkwork.solid.step.record import StepFile
from linkwork.solid.step.text import LARGEST_FILE, StepText
from linkwork.solid.step.unit import wanted_unit

MARK: Final = b"ISO-10303-21"
BEGINNING: Final = 2**20
"""Bytes within which the mark of a STEP file stands."""


def read_step(source: str | bytes | os.PathLike[str], *, unit: str = "mm", assume: str = "") -> Assembly:
    """The parts of a STEP file (AP203, AP214, AP242), given by its path or by its text.

    Lengths are turned into ``unit``; ``assume`` is the unit of a file that names none. A file that has not changed is
    read once, however often its parts are asked for.
    """
    wanted_unit(unit)
    if assume:
        wanted_unit(assume)
    if isinstance(source, bytes):
        return _read(_decoded(source), "", unit, assume)
    if isinstance(source, str) and ("\n" in source or "ISO-10303-21" in source[:200]):
        return _read(source, "", unit, assume)
    path = os.fspath(source)
    return _read_file(path, _stamp(path), unit, assume)


@lru_cache(maxsize=8)
def _read_file(path: str, stamp: tuple[int, ...], unit: str, assume: str) -> Assembly:
    return _read(_text(path), path, unit, assume)


def _read(text: str, file: str, unit: str, assume: str) -> Assembly:
    with _nothing_collected():
        records = StepFile(StepText(text, file))
        beyond = Occt(text) if is_there() else None
        return Walk(records, wanted_unit(unit), assume, beyond).assembly(Path(file).stem)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Without a search for cycles, which takes a fifth of the time: a file makes a million values and no cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _stamp(path: str) -> tuple[int, ...]:
    """What changes when a file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()  # the reader tells what is wrong
    return found.st_mtime_ns, found.st_size, found.st_ino


def _text(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            content = stream.read(BEGINNING)
            if MARK in content.upper():  # else the reader tells that it is none, however much follows
                content += stream.read(LARGEST_FILE + 1 - len(content))
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
    return _decoded(content)


def _decoded(content: bytes) -> str:
    """As UTF-8, which newer programs write, else byte by byte."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
