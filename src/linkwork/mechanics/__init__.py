"""Symbolic mechanics from dimensioned drawings."""

from typing import TYPE_CHECKING

from linkwork.later import later

if TYPE_CHECKING:
    from linkwork.mechanics.derivation import Derivation, derive

__all__ = ["Derivation", "derive"]

__getattr__ = later(
    __name__,
    {
        "linkwork.mechanics.derivation": "Derivation derive",
    },
)
