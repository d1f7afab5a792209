"""Files that a text draws in: beside it or in folders below, or in those of ``OPENSCADPATH``."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from linkwork.contents import contents
from linkwork.solid.scad.fault import Place, ScadError, Source
from linkwork.solid.scad.limits import MOST_CHARACTERS, MOST_FILES
from linkwork.solid.scad.statements import read_statements
from linkwork.solid.scad.syntax import Block, Statement, Use, block_of

OWN_LIBRARY: Final = "linkwork.scad"
"""What it defines for OpenSCAD is built in here: the file is not opened."""

BYTES_OF_A_CHARACTER: Final = 4
"""In UTF-8, at most."""

_FONTS: Final = (".ttf", ".otf")


@dataclass
class Shelf:
    """What one reading has drawn in so far; ``others`` are folders of libraries, from which it may draw too."""

    root: Path | None
    others: tuple[Path, ...] = ()
    count: int = 0
    blocks: dict[Path, Block] = field(default_factory=dict)


@dataclass(frozen=True)
class Library:
    """Files as seen from a text in ``folder``; ``open_files`` are those that are being read around it."""

    shelf: Shelf
    folder: Path | None
    open_files: tuple[Path, ...] = ()

    def statements(self, path: str, place: Place) -> list[Statement]:
        """The statements of a file that is included, not in a circle."""
        if PurePosixPath(path).name == OWN_LIBRARY:
            return []
        found = self.found(path, place)
        if found in self.open_files:
            circle = [file.name for file in self.open_files[self.open_files.index(found) :]]
            raise ScadError(
                "files draw one another in, in a circle",
                place=place,
                why=" → ".join([*circle, found.name]),
                fix=f"use <{path}> for modules and functions: files may use one another",
            )
        return self._read(found, place, (*self.open_files, found))

    def use(self, path: str, place: Place) -> Use | None:
        """A file that is used. It is read once: files may use one another."""
        if PurePosixPath(path).name == OWN_LIBRARY or path.lower().endswith(_FONTS):
            return None
        found = self.found(path, place)
        if found not in self.shelf.blocks:
            self.shelf.blocks[found] = Block()  # what uses it in turn need not wait
            self.shelf.blocks[found] = block_of(self._read(found, place, (found,)))
        return Use(place, found, self.shelf.blocks)

    def _read(self, found: Path, place: Place, open_files: tuple[Path, ...]) -> list[Statement]:
        self.shelf.count += 1
        if self.shelf.count > MOST_FILES:
            raise ScadError(
                f"more than {MOST_FILES} files are drawn in, '{found.name}' among them",
                place=place,
                fix="put several of them into one file",
            )
        inside = replace(self, folder=found.parent, open_files=open_files)
        source = source_of(found, self.shelf.root, place)
        return read_statements(replace(source, find=inside.found), inside)

    def found(self, path: str, place: Place) -> Path:
        """The file of this name, if it may be read."""
        if self.shelf.root is None or self.folder is None:
            raise ScadError(
                f"'{path}' cannot be drawn in: this text does not come from a file",
                place=place,
                fix="read_scad_file(…), or read_scad(text, folder=…)",
            )
        parts = PureWindowsPath(path).parts
        found = None
        if (
            path
            and "\0" not in path
            and not PurePosixPath(path).is_absolute()
            and not PureWindowsPath(path).anchor
        ):
            found = self._first_inside(path)
        if found is None:
            outside = ".." in parts or PureWindowsPath(path).anchor or path.startswith("/")
            raise ScadError(
                f"'{path}' is outside the folder of this text"
                if outside
                else f"there is no file '{path}' here",
                place=place,
                wanted="a file in the folder of the text or below it, or in a folder that OPENSCADPATH names",
                fix="set OPENSCADPATH to its folder, or copy it beside the text: "
                f"use <{parts[-1] if parts else 'file.scad'}>",
            )
        return found

    def _first_inside(self, path: str) -> Path | None:
        """The file beside the text that names it, or else beside the first text, or in a folder of libraries."""
        root = self.shelf.root
        assert root is not None
        assert self.folder is not None
        allowed = (root, *self.shelf.others)
        for folder in (self.folder, *allowed):
            try:
                found = (folder / path).resolve()
                if any(found.is_relative_to(each) for each in allowed) and found.is_file():
                    return found
            except (OSError, ValueError):
                continue
        return None


def library(folder: Path | None, open_files: tuple[Path, ...] = ()) -> Library:
    """The files that a text in a folder may draw in."""
    root = None if folder is None else folder.resolve()
    return Library(Shelf(root, _libraries()), root, open_files)


def _libraries() -> tuple[Path, ...]:
    """The folders that ``OPENSCADPATH`` names, as for OpenSCAD itself."""
    names = os.environ.get("OPENSCADPATH", "").split(os.pathsep)
    return tuple(Path(name).resolve() for name in names if name)


def source_of(path: Path, root: Path | None, place: Place | None = None) -> Source:
    """The text of a file, named as seen from the first one."""
    name = path.relative_to(root).as_posix() if root is not None and path.is_relative_to(root) else path.name
    try:
        content = contents(path, BYTES_OF_A_CHARACTER * MOST_CHARACTERS)
    except OSError as error:
        raise ScadError(
            f"this file cannot be read: {error.strerror or error}",
            place=place,
            file="" if place else name,
            wanted="a file in OpenSCAD's notation",
            fix="check its name and its permissions",
        ) from None
    if content is None:
        raise _too_long(name)
    return checked(Source(name, _text(content, name, place)))


def _text(content: bytes, name: str, place: Place | None) -> str:
    """A text as UTF-8, else byte by byte, with one kind of line ends."""
    if b"\0" in content:
        raise ScadError(
            f"{name} is not text" if place else "this file is not text",
            place=place,
            file="" if place else name,
            wanted="a text in OpenSCAD's notation, in UTF-8",
            why="it is binary, or an editor saved it as UTF-16",
            fix="save it as UTF-8, or give another file",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def checked(source: Source) -> Source:
    """The same text, if it is not too long."""
    if len(source.text) > MOST_CHARACTERS:
        raise _too_long(source.name)
    return source


def _too_long(name: str) -> ScadError:
    return ScadError(
        f"this text has more than {MOST_CHARACTERS:,} characters",
        file=name,
        wanted="a text in OpenSCAD's notation",
        fix="is it the right file? polyhedra of so many points are read from .stl and .3mf",
    )
