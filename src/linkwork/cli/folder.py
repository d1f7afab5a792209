"""A folder of files that belong together: a new one appears whole, an old one is renewed if it is ours."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from secrets import token_hex

from linkwork.cli.output import note
from linkwork.errors import UsageError
from linkwork.model.fault import listed
from linkwork.model.store import WriteError, write_text


def write_folder(
    folder: str, files: Mapping[str, str], *, mark: str, products: Collection[str], quiet: bool
) -> None:
    """Write files into a folder. One that exists must hold nothing but files with the mark, and products of theirs."""
    folder = os.path.normpath(folder)
    if os.path.lexists(folder):
        _check_ours(folder, files, mark, products)
        for name, text in files.items():
            write_text(os.path.join(folder, name), text)
    else:
        _write_new(folder, files)
    if not quiet:
        note(f"wrote {folder}: {', '.join(files)}")


def _check_ours(folder: str, files: Collection[str], mark: str, products: Collection[str]) -> None:
    try:
        entries = sorted(os.listdir(folder))
        foreign = [
            name for name in entries if name not in products and not _has_mark(folder, name, files, mark)
        ]
    except OSError as error:
        raise _cannot_write(folder, error) from None
    if foreign:
        raise UsageError(
            f"the folder {folder} has files that are not of this program",
            got=listed(foreign),
            wanted="a new folder, or one that linkwork has written",
            fix=f"-o {os.path.join(folder, 'program')}",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _cannot_write(folder, PermissionError(0, "the folder is read-only"))


def _has_mark(folder: str, name: str, files: Collection[str], mark: str) -> bool:
    """Whether a file is one of ours: of a name that is written, with the mark near its beginning."""
    path = os.path.join(folder, name)
    if name not in files or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return mark.encode() in file.read(4096)


def _write_new(folder: str, files: Mapping[str, str]) -> None:
    parent = os.path.dirname(os.path.abspath(folder))
    temporary = os.path.join(parent, f".linkwork-{token_hex(8)}.part")
    try:
        os.makedirs(parent, exist_ok=True)
        os.mkdir(temporary)
        for name, text in files.items():
            write_text(os.path.join(temporary, name), text)
        os.rename(temporary, folder)
    except (OSError, ValueError) as error:
        raise _cannot_write(folder, error) from None
    finally:
        with suppress(OSError, ValueError):
            shutil.rmtree(temporary)


def _cannot_write(folder: str, error: OSError | ValueError) -> WriteError:
    if isinstance(error, NotADirectoryError):
        return WriteError(f"{folder} is a file, not a folder", wanted="a folder", fix=f"-o {folder}_program")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return WriteError(
        f"the folder {folder} cannot be written",
        why=reason,
        fix="choose another folder, or change the permissions",
    )
