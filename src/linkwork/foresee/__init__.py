"""Foresight: what a machine does in a thousand hours, from a few simulated repetitions of what it does."""
