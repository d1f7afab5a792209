"""Buttons and menus of pages: what players of every kind offer, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_ICONS: Final = {
    "play": '<path class="one solid" d="M6 4l11 6-11 6z"/>'
    '<path class="two solid" d="M5 4h3v12H5zM12 4h3v12h-3z"/>',
    "back": '<path class="solid" d="M14 5l-7 5 7 5z"/><path d="M5 5v10"/>',
    "forth": '<path class="solid" d="M6 5l7 5-7 5z"/><path d="M15 5v10"/>',
    "reset": '<path d="M5.2 6.2A6.5 6.5 0 1 1 3.6 11M4.6 2.6l.5 3.8 3.8-.5"/>',
    "mode": '<path class="loop" d="M4 9a5 4.5 0 0 1 5-4h6M12.5 2.5L15 5l-2.5 2.5'
    'M16 11a5 4.5 0 0 1-5 4H5M7.5 17.5L5 15l2.5-2.5"/>'
    '<path class="bounce" d="M4 10h12M7 6.5L3.5 10 7 13.5M13 6.5l3.5 3.5-3.5 3.5"/>'
    '<path class="once" d="M3.5 10h11M11 6.5l3.5 3.5-3.5 3.5M17 5v10"/>',
    "traces": '<path d="M3 14C4 3 9 3 10 9s5 8 7-2"/>',
    "labels": '<path d="M4 6V4h12v2M10 4v12M7.5 16h5"/>',
    "pushes": '<circle class="solid" cx="6" cy="14" r="2.2"/><path d="M8 12l8-8M11 4h5v5"/>',
    "fit": '<path d="M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5"/>',
    "panel": '<path d="M3 6h8M15 6h2M3 14h2M9 14h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/>',
    "record": '<circle cx="10" cy="10" r="7"/><circle class="solid" cx="10" cy="10" r="3"/>',
    "theme": '<circle cx="10" cy="10" r="6.5"/><path class="solid" d="M10 3.5a6.5 6.5 0 0 1 0 13z"/>',
    "full": '<path d="M11.5 3.5h5v5M16.5 3.5l-5.5 5.5M8.5 16.5h-5v-5M3.5 16.5L9 11"/>',
    "help": '<circle cx="10" cy="10" r="7.2"/><path d="M7.8 8a2.2 2.2 0 1 1 3.4 1.9c-.8.5-1.2.9-1.2 1.7M10 14v.1"/>',
}

_SPEEDS: Final = ("0.1", "0.25", "0.5", "1", "2", "4")


def button(name: str, label: str) -> str:
    """A button with its icon.

    >>> button("fit", "Show all (f)")[:52]
    '<button type="button" id="fit" title="Show all (f)" '
    """
    icon = f'<svg viewBox="0 0 20 20" aria-hidden="true">{_ICONS[name]}</svg>'
    return f'<button type="button" id="{name}" title="{label}" aria-label="{label}">{icon}</button>'


def slider(label: str) -> str:
    """What shows and changes the time."""
    return f'<input id="slider" type="range" min="0" max="0" step="1" value="0" aria-label="{label}">'


def speeds() -> str:
    """The menu of speeds."""
    options = "".join(
        f'<option value="{speed}"{" selected" if speed == "1" else ""}>{speed}×</option>' for speed in _SPEEDS
    )
    return f'<select id="speed" title="Speed" aria-label="Speed">{options}</select>'


def control_bar(parts: Sequence[str]) -> str:
    """The parts in a row."""
    return "\n".join(['<div id="controls">', *parts, "</div>"])
