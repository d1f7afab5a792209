"""Random sketches, built step by step with exactly the dimensions measured in them.

Each step adds one element by an elementary construction, so the drawing is neither over- nor under-constrained,
and what a construction of it must give is known beforehand.
"""

from __future__ import annotations

import cmath
import copy
import random
from collections.abc import Callable, Sequence

from drawings import Sketch
from linkwork.model.constraint import Angle, Distance, Fixed
from sketch_builder import Builder, Unlucky, clear, sine
from sketch_steps import STEPS, by_angle_of_lines


def started(seed: int, absolute: bool) -> Builder:
    """A triangle with its sides as lines: fixed in the plane, or loose."""
    chance = random.Random(seed)
    while True:
        b = Builder(chance, absolute=absolute)
        try:
            for _ in range(3):
                b.point(b.anywhere())
            p, q, r = b.points.values()
            clear(sine(q - p, r - p), sine(p - q, r - q), sine(p - r, q - r))
        except Unlucky:
            continue
        b.line(["P1", "P2"], q - p, p)
        b.line(["P1", "P3"], r - p, p)
        b.line(["P3", "P2"], q - r, r)
        if absolute:
            b.say(Fixed(("P1",), (b.value(p.real), b.value(p.imag))))
            b.say(Angle(("L1",), b.value(cmath.phase(q - p))))
        for first, second in (("P1", "P2"), ("P1", "P3"), ("P2", "P3")):
            b.say(Distance((first, second), b.value(b.far(first, second))))
        return b


def with_step(b: Builder, step: Callable[[Builder], None]) -> Builder:
    """The builder after a step, tried until it comes out well; Unlucky where it never does."""
    for _ in range(60):
        trial = copy.deepcopy(b)
        trial.chance = b.chance
        try:
            step(trial)
        except Unlucky:
            continue
        return trial
    raise Unlucky


def random_sketch(
    seed: int, steps: int = 6, absolute: bool | None = None, only: Sequence[str] = ()
) -> Sketch:
    """A sketch by random steps."""
    chance = random.Random(f"{seed} steps")
    b = started(seed, chance.random() < 0.5 if absolute is None else absolute)
    names = list(only or STEPS)
    b = with_step(b, by_angle_of_lines)  # else the only lines are the sides of a triangle
    done = 0
    for _ in range(20 * steps):
        try:
            b = with_step(b, STEPS[chance.choice(names)])
        except Unlucky:
            continue
        done += 1
        if done == steps:
            return b.sketch()
    return random_sketch(seed + 1000, steps, absolute, only)
