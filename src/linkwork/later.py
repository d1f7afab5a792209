"""Public names of a package whose modules are imported when a name is first used, so that importing stays fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["later"]


def later(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: for each module the names that it has, with blanks between them.

    >>> later("linkwork", {"linkwork.errors": "LinkworkError NoAnswer"})("NoAnswer")
    <class 'linkwork.errors.NoAnswer'>
    """
    modules = {name: module for module, its in names.items() for name in its.split()}

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
