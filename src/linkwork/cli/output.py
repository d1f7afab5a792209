"""Where results and messages go: data to stdout or a file, messages to stderr, JSON where it is asked for."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from linkwork.errors import LinkworkError
from linkwork.model.store import WriteError, write_bytes, write_text
from linkwork.results import plain


def deliver(text: str, document: Mapping[str, Any], *, as_json: bool, out: str, quiet: bool) -> None:
    """Hand over a result: ``text`` for people, ``document`` for programs.

    With a file the text goes there, and ``--json`` tells its name; ``-o -`` is stdout.
    """
    if out and out != "-":
        write_file(out, text, quiet=quiet)
        document = {**document, "file": out}
    if as_json:
        write(json_text(document))
    elif not out or out == "-":
        write(text)


def tell(
    document: Mapping[str, Any],
    text: Callable[[], str],
    content: Callable[[], str | bytes],
    *,
    as_json: bool,
    out: str,
    quiet: bool,
) -> None:
    """Hand over a result with a file of its own kind: that where it is asked for, then the document or the text."""
    if out and out != "-":
        write_file(out, content(), quiet=quiet)
        document = {**document, "file": out}
    write(json_text(document) if as_json else text())


def write_file(out: str, content: str | bytes, *, quiet: bool) -> None:
    """A file that was asked for, whole or not at all, and a message that it is there."""
    if isinstance(content, str):
        write_text(out, content)
    else:
        write_bytes(out, content)
    if not quiet:
        note(f"wrote {out}")


def write(text: str) -> None:
    """Data to stdout, at once: a reader that has gone away is noticed here, not when Python ends."""
    if sys.stdout is None:
        raise WriteError("there is no stdout to write to", fix="linkwork … -o FILE")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _silence(sys.stdout)
        if error.errno == errno.EPIPE:
            raise
        raise WriteError("the output cannot be written", why=error.strerror or str(error)) from None


def note(message: str) -> None:
    """A message to stderr."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"{message}\n")
            sys.stderr.flush()
        except OSError:
            _silence(sys.stderr)


def complain(error: LinkworkError) -> None:
    """An error in words to stderr."""
    label = "\033[1;31merror:\033[0m" if is_coloured(sys.stderr) else "error:"
    note(f"{label} {error}")


def is_coloured(stream: TextIO | None) -> bool:
    """Whether colours may go there: a terminal that shows them, and nobody said NO_COLOR."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and stream is not None and stream.isatty()


def json_text(document: Mapping[str, Any]) -> str:
    """One JSON document, a line for each key of the outermost object.

    >>> print(json_text({"x": [1.5, float("inf")], "name": "a"}), end="")
    {
      "x": [1.5, "inf"],
      "name": "a"
    }
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    ascii_only = encoding.lower().replace("-", "") != "utf8"

    def shown(value: Any) -> str:
        return json.dumps(plain(value), ensure_ascii=ascii_only, allow_nan=False)

    rows = [f"  {shown(key)}: {shown(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n" if rows else "{}\n"


def _silence(stream: TextIO) -> None:
    """Let Python's last flush of a stream that cannot be written go nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass
