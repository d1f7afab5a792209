"""What all results share: how they are seen (``plot``, ``_repr_html_``) and how they become JSON.

The work of drawing is done by renderers from above.

Packages stand in one order, and what draws stands above what is drawn. So a result only knows this registry;
``linkwork.view.results`` enters a renderer for each type, and is imported by its name when one is first needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

RENDERERS_AT: Final = "linkwork.view.results"


@dataclass(frozen=True)
class Renderer:
    """How one type of result is seen."""

    plot: Callable[..., Any]
    html: Callable[[Any], str]


_RENDERERS: Final[dict[type, Renderer]] = {}


def register(kind: type, renderer: Renderer) -> None:
    """Enter the renderer of a type; those that inherit from it have it too."""
    _RENDERERS[kind] = renderer


def renderer_of(result: object) -> Renderer:
    """The renderer of a result."""
    for again in (False, True):
        for kind in type(result).__mro__:
            if kind in _RENDERERS:
                return _RENDERERS[kind]
        if not again:
            import_module(RENDERERS_AT)
    raise TypeError(f"nothing draws a {type(result).__name__}")


class Viewable:
    """A result with a look."""

    def plot(self, *names: str, **options: Any) -> Any:
        """A picture that a notebook shows and that has ``save(path)``.

        Of columns by name for what has columns, else of the machine; options as the renderer's.
        """
        return renderer_of(self).plot(self, *names, **options)

    def _repr_html_(self) -> str:
        return renderer_of(self).html(self)


def plain_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """A result's data as JSON can hold them.

    >>> plain_document({"force": math.inf})
    {'force': 'inf'}
    """
    return {key: plain(value) for key, value in document.items()}


def plain(value: Any) -> Any:
    """Data that JSON can hold: it has no infinities and no NaN, so these become text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return plain_document(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
