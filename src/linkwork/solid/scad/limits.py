"""How much work a text may ask for. Counted, never timed: the same text is refused on every machine."""

from __future__ import annotations

from typing import Final

from linkwork.solid.scad.fault import Complaint

MOST_CHARACTERS: Final = 10_000_000
"""Of one text. OpenSCAD's dumps of large machines have about a tenth of this."""

MOST_FILES: Final = 100
"""That one text may draw in by include and use, counted each time."""

MOST_STEPS: Final = 3_000_000
"""Evaluations of expressions and statements, elements of vectors and characters of strings that are made."""

MOST_ELEMENTS: Final = 1_000_000
"""Of one vector, string or range. OpenSCAD's loops stop near the same number."""

DEEPEST_CALLS: Final = 5_000
"""Calls of functions and modules inside one another; a call in last place takes no depth."""

DEEPEST_NESTING: Final = 20_000
"""Brackets and blocks inside one another, and what evaluates them."""

DEEPEST_VECTOR: Final = 100
"""Vectors inside one another where they are printed, compared or multiplied."""

DEEPEST_SOLID: Final = 60
"""Differences, intersections and marks inside one another, after unions of unions have been joined."""

MOST_SHAPES: Final = 50_000
"""Cubes, cylinders, transforms, groups and so on, after all loops have run."""


class Work:
    """What has been spent on one text."""

    def __init__(self, most_steps: int = MOST_STEPS) -> None:
        self.most_steps = most_steps
        self.steps = 0
        self.shapes = 0

    def spend(self, steps: int) -> None:
        """Count steps, and complain where there are too many."""
        self.steps += steps
        if self.steps > self.most_steps:
            raise Complaint(
                f"this asks for more than {self.most_steps:,} steps of work",
                why="loops and calls multiply: the limit is counted in steps, not in time",
                fix="fewer or shorter loops, or a recursion that ends",
            )

    def make(self, elements: float, noun: str = "elements") -> None:
        """Count the elements of a vector, string or range before it is made."""
        if not elements <= MOST_ELEMENTS:
            raise Complaint(
                f"this has {_count(elements)} {noun}", wanted=f"at most {MOST_ELEMENTS:,}", fix="take fewer"
            )
        self.spend(int(elements))

    def enter(self, vector: tuple[object, ...], depth: int) -> None:
        """Count the elements of a vector that is gone through, and complain where it stands too deeply in others."""
        if depth > DEEPEST_VECTOR:
            raise Complaint(f"vectors are nested more than {DEEPEST_VECTOR} deep here", fix="flatter vectors")
        self.spend(len(vector))

    def shape(self) -> None:
        """Count one more shape."""
        self.shapes += 1
        if self.shapes > MOST_SHAPES:
            raise Complaint(
                f"there are more than {MOST_SHAPES:,} shapes",
                fix="let loops run less often, or draw an outline as one polygon",
            )


def _count(elements: float) -> str:
    return f"{elements:,.0f}" if elements < 1e15 else "too many"
