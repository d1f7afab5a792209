"""Symbolic mechanics from dimensioned drawings."""

from linkwork.mechanics.derivation import Derivation, constructed, derive, formulas

__all__ = ["Derivation", "constructed", "derive", "formulas"]
