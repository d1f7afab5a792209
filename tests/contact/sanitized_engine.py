"""A plugin of pytest: the engine of contacts is compiled with the sanitizers that a variable names."""

from __future__ import annotations

import ctypes
import os
import shlex
from collections.abc import Sequence

from linkwork.contact import native
from linkwork.emit.compiler import load_library

FLAGS_VARIABLE = "LINKWORK_TEST_FLAGS"


def sanitized(source: str, *, optimise: str, extra_flags: Sequence[str]) -> ctypes.CDLL:
    """The engine, watched; what is watched is not optimised hard."""
    del optimise
    flags = (*extra_flags, *shlex.split(os.environ[FLAGS_VARIABLE]))
    return load_library(source, optimise="-O1", extra_flags=flags)


def pytest_configure() -> None:
    """Only where this is a plugin: to be imported changes nothing."""
    setattr(native, "load_library", sanitized)  # noqa: B010 - a name that the module does not export
