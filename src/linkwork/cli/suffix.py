"""The suffix of the ``-o`` file says what is written into it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from linkwork.errors import UsageError
from linkwork.model.fault import did_you_mean


def chosen_suffix(out: str, known: Mapping[str, str], what: str) -> str:
    """The suffix of a file to be written, which must be known; nothing for no file and for stdout.

    >>> chosen_suffix("a/b.SVG", {".svg": "a picture"}, "a picture")
    '.svg'
    >>> chosen_suffix("pictures/", {".svg": "a picture"}, "a picture")
    Traceback (most recent call last):
    linkwork.errors.UsageError: the file needs a suffix that says how to write a picture
      got:    -o pictures/
      wanted: .svg (a picture)
      fix:    -o pictures/machine.svg
    """
    if not out or out == "-":
        return ""
    suffix = os.path.splitext(out)[1].lower()
    if suffix not in known:
        folder, name = os.path.split(out)
        stem = os.path.splitext(name)[0].lstrip(".") or "machine"
        plain = os.path.join(folder, f"{stem}{next(iter(known))}")
        raise UsageError(
            f"the suffix {suffix} does not say how to write {what}"
            if suffix
            else f"the file needs a suffix that says how to write {what}",
            got=f"-o {out}",
            wanted=", ".join(f"{ending} ({about})" for ending, about in known.items()),
            fix=did_you_mean(suffix, known, f"-o {plain}"),
        )
    return suffix
