"""How much work a text may ask for. Counted, never timed: the same text is refused on every machine."""

from __future__ import annotations

from typing import Final

from linkwork.solid.scad.fault import Complaint

MOST_CHARACTERS: Final = 10_000_000
"""Of one text. OpenSCAD's dumps of large machines have about a tenth of this."""

MOST_FILES: Final = 100
"""That one text may draw in by include and use, counted each time."""

MOST_STEPS: Final = 5_000_000
"""Evaluations of expressions and statements, elements of vectors and characters of strings that are made."""

STEPS_OF_A_CALL: Final = 6
"""What a call of a function costs, beside its arguments and its body."""

STEPS_OF_A_ROUND: Final = 2
"""What a round of a loop costs, beside its body."""

MOST_ELEMENTS: Final = 1_000_000
"""Of one vector, string or range. OpenSCAD's loops stop near the same number."""

DEEPEST_CALLS: Final = 5_000
"""Calls of functions and modules inside one another; a call in last place takes no depth."""

DEEPEST_NESTING: Final = 50_000
"""Tasks inside one another: those that read brackets and blocks, and those that evaluate them."""
TASKS_A_BRACKET: Final = 6
"""About how many of these one bracket takes."""

DEEPEST_VECTOR: Final = 100
"""Vectors inside one another where they are printed, compared or multiplied."""

DEEPEST_SOLID: Final = 60
"""Differences, intersections and marks inside one another, after unions of unions have been joined."""

MOST_SHAPES: Final = 50_000
"""Cubes, cylinders, transforms, groups and so on, after all loops have run."""

MOST_MAKING: Final = 30_000_000
"""Steps in the making of solids: some hundreds for each edge of plane shapes that are cut with others, ten for each
place where they may cross, twenty for each face of a polyhedron. A step is about a microsecond."""

LARGEST_NUMBER: Final = 1e9
"""Of lengths, coordinates, angles and factors."""

SMALLEST_LENGTH: Final = 1e-9
"""Of edges, radii and heights; what is smaller than a billionth is an accident."""


class Work:
    """What has been spent on one text."""

    def __init__(self, most_steps: int = 0) -> None:
        self.most_steps = most_steps or MOST_STEPS
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


class Making:
    """What has been spent on the making of solids."""

    def __init__(self) -> None:
        self.steps = 0

    def spend(self, steps: float) -> None:
        """Count steps, and complain where there are too many."""
        self.steps += int(steps)
        if self.steps > MOST_MAKING:
            raise Complaint(
                f"making these shapes asks for more than {MOST_MAKING:,} steps of work",
                why="each edge, each crossing of outlines and each face counts",
                fix="simpler outlines, fewer sides, fewer shapes",
            )


def _count(elements: float) -> str:
    return f"{elements:,.0f}" if elements < 1e15 else "too many"
