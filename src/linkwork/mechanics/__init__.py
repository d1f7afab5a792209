"""Symbolic mechanics from dimensioned drawings."""

from linkwork.mechanics.derivation import Derivation, constructed, derive

__all__ = ["Derivation", "constructed", "derive"]
