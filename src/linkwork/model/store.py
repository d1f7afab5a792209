"""Files on disk: read up to a limit, written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from secrets import token_hex

from linkwork.contents import contents
from linkwork.errors import UsageError
from linkwork.model.fault import NoSuchMachineError, PlacedError

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes. A machine written by hand has a few kilobytes; this stops a wrong file before it fills memory."""


class WriteError(UsageError):
    """A file that cannot be written where it was asked for."""


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file in UTF-8; a byte order mark, as some editors write it, is dropped."""
    shown = os.fspath(path)
    try:
        content = contents(path, LARGEST_FILE)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise _cannot_read(shown, error) from None
    if content is None:
        raise PlacedError(
            "this file is too large for a machine",
            file=shown,
            got=f"more than {LARGEST_FILE // 2**20} MiB",
            wanted=f"at most {LARGEST_FILE // 2**20} MiB",
            fix="is it the right file?",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_text(shown, content, error.start) from None
    if "\0" in text:
        raise _not_text(shown, content, content.index(0))
    return text


def _not_text(shown: str, content: bytes, position: int) -> PlacedError:
    return PlacedError(
        "this file is not text in UTF-8",
        file=shown,
        line=content.count(b"\n", 0, position) + 1,
        got=f"the byte 0x{content[position]:02x} at position {position}",
        wanted="a TOML file in UTF-8",
        why="it is binary, or an editor saved it in another encoding",
        fix="save it as UTF-8, or give another file",
    )


def _cannot_read(shown: str, error: OSError | ValueError) -> NoSuchMachineError:
    if isinstance(error, IsADirectoryError):
        return NoSuchMachineError(
            "this is a folder, not a machine file",
            file=shown,
            wanted="a file",
            fix=f"{os.path.join(shown, 'machine.toml')}",
        )
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return NoSuchMachineError(
        "this file cannot be read", file=shown, why=reason, fix="check the name and the permissions"
    )


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file so that its name never stands for half of it: a new file takes the old one's place.

    A symbolic link stays one, its target is replaced. What is no regular file (``/dev/null``, a pipe)
    cannot be replaced and is written to directly.
    """
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise _cannot_write(os.fspath(path), error) from None
    write_bytes(path, content)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """As :func:`write_text`, for files that are no text."""
    shown = os.fspath(path)
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            target.write_bytes(content)
        else:
            _replace(target, content, mode)
    except (OSError, ValueError) as error:
        raise _cannot_write(shown, error) from None


def _replace(target: Path, content: bytes, mode: int | None) -> None:
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(0, "it is a folder; name a file in it")
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(0, "the file is read-only")  # replacing it would not mind
    temporary = target.with_name(f".linkwork-{token_hex(8)}.part")
    try:
        # Not tempfile: its files are private, and the new file should follow the umask like any other.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _cannot_write(shown: str, error: OSError | ValueError) -> WriteError:
    folder = os.path.dirname(shown) or "."
    if isinstance(error, FileNotFoundError) and not os.path.isdir(folder):
        return WriteError(f"there is no folder {folder}", got=shown, fix=f"mkdir -p {folder}")
    if isinstance(error, UnicodeEncodeError):
        return WriteError(
            "this text has characters that UTF-8 cannot hold",
            got=ascii(error.object[error.start : error.start + 20]),
            wanted="text without lone surrogates",
        )
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return WriteError(
        f"{shown} cannot be written", why=reason, fix="choose another file, or change the permissions"
    )
