"""Dimensioned drawings: from constraints to a sequence of constructions."""
