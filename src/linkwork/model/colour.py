"""Colours as people write them: a name, or red, green and blue as #rrggbb."""

from __future__ import annotations

import re
from typing import Final

COLOURS: Final = {
    "black": "#1c1f22",
    "white": "#fafafa",
    "grey": "#8b97a3",
    "silver": "#c3c9cf",
    "red": "#c8402f",
    "orange": "#e0912f",
    "yellow": "#e8c53a",
    "green": "#3f9b57",
    "teal": "#2f9e8f",
    "blue": "#3a7cb8",
    "navy": "#27476e",
    "violet": "#7a6fb0",
    "pink": "#d98aa8",
    "brown": "#84593a",
    "wood": "#a9784c",
    "sand": "#d9c59a",
    "skin": "#d9a887",
    "grass": "#7fa75f",
    "forest": "#3f6b45",
    "earth": "#8a7458",
    "stone": "#9a968c",
    "steel": "#7f8c98",
    "gold": "#cfa43a",
    "copper": "#b5713f",
    "snow": "#f1f5f8",
    "sky": "#bcd9ee",
    "night": "#141b2b",
    "water": "#4f8fb5",
}
"""The colours that have names."""

_CODE: Final = re.compile(r"#[0-9a-fA-F]{6}")


def is_colour(text: str) -> bool:
    """Whether a text is the name or the code of a colour.

    >>> is_colour("red"), is_colour("#3a7cb8"), is_colour("#3a7"), is_colour("rde")
    (True, True, False, False)
    """
    return text in COLOURS or _CODE.fullmatch(text) is not None


def colour_code(text: str) -> str:
    """The code of a colour.

    >>> colour_code("blue"), colour_code("#AABBCC")
    ('#3a7cb8', '#aabbcc')
    """
    return COLOURS.get(text, text.lower())
