"""Pawls that carry pawls, in quasi-static equilibrium: followed in numbers, with the events of the exact motion."""
