"""Functional mock-up units: the description, the sources and the archive of a program for FMI 2.0 and FMI 3.0."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Final
from uuid import UUID

from linkwork.emit.fmu import fmi2, fmi3
from linkwork.emit.fmu.archive import binary_path, joined, zipped
from linkwork.emit.fmu.page import page
from linkwork.emit.fmu.variable import Description, Kind, Variable, distinct, structured
from linkwork.emit.runtime import filled

__all__ = [
    "VERSIONS",
    "Description",
    "Kind",
    "Variable",
    "binary_path",
    "distinct",
    "fmu_template",
    "joined",
    "structured",
    "unit_files",
    "zipped",
]

VERSIONS: Final[Mapping[str, ModuleType]] = {"fmu2": fmi2, "fmu3": fmi3}
"""The versions of FMI by the names of their targets."""


def unit_files(
    target: str, unit: Description, machine: Mapping[str, str], words: Mapping[str, str]
) -> dict[str, str]:
    """All texts in the archive by name: ``machine`` are sources of its own, ``words`` stand in the templates.

    The token is a hash of all else, so that a library and a description of different builds never meet.
    """
    version = VERSIONS[target]
    unit = replace(unit, sources=(*(name for name in machine if name.endswith(".c")), *version.SOURCES))
    untold = _files(version, replace(unit, token="@"), machine, words)
    digest = sha256("".join(f"{name}\n{text}" for name, text in untold.items()).encode()).digest()
    return _files(version, replace(unit, token=f"{{{UUID(bytes=digest[:16])}}}"), machine, words)


def _files(
    version: ModuleType, unit: Description, machine: Mapping[str, str], words: Mapping[str, str]
) -> dict[str, str]:
    own = {name: fmu_template(f"{name}.txt", {**words, "token": unit.token}) for name in _own_files(version)}
    found: dict[str, str] = version.files(unit)
    found |= {f"sources/{name}": text for name, text in {**machine, **own}.items()}
    return found | {"documentation/index.html": page(unit, version.VERSION)}


def _own_files(version: ModuleType) -> tuple[str, ...]:
    return (*version.HEADERS, *version.SOURCES)


def fmu_template(file: str, words: Mapping[str, str]) -> str:
    """A text of this folder with ``@word@`` replaced by what stands for it."""
    return filled(_text(file), words)


@functools.cache
def _text(file: str) -> str:
    return (Path(__file__).parent / file).read_text(encoding="utf-8")
