"""Exact motions beside brute force on random designs: ``python tests/fasten/compare.py FIRST LAST``.

Prints each design on which they differ though its motion does not hang on a hair, cut down to what is needed
for the difference, and at the end how many were compared.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from agreement import differences
from brute_force import Unresolved, simulate
from exact import exact_motion
from penetration import penetrations
from random_designs import KINDS, Design, random_design, starts_free

STEPS = 400
FINE_STEPS = 1500
SHAKES = ("1/1000000", "1/10000")
SAMPLES = 40


@dataclass(frozen=True)
class Verdict:
    """How two motions of one design differ, and whether that tells anything."""

    lines: list[str]
    usable: bool
    seconds: float


def compare(design: Design) -> Verdict:
    """The two motions of a design, one beside the other."""
    times = np.linspace(0.013, float(Fraction(design["duration"])), SAMPLES).tolist()
    before = time.process_time()
    try:
        exact = exact_motion(design, times)
    except Exception:
        return Verdict([f"crash {traceback.format_exc(limit=-2)}"], True, time.process_time() - before)
    seconds = time.process_time() - before
    inside = penetrations(design, exact)
    if inside:
        return Verdict([f"inside {inside[0]}"], True, seconds)
    try:
        lines = differences(simulate(design, STEPS, times), exact)
        if lines:
            lines = differences(simulate(design, FINE_STEPS, times), exact)
    except Unresolved:
        return Verdict(["unresolved"], False, seconds)
    return Verdict(lines, not lines or is_usable(design), seconds)


def is_usable(design: Design) -> bool:
    """Whether the same happens, at the same features, when all coordinates are shaken a little."""
    try:
        wanted = _story(simulate(design, FINE_STEPS))
        return all(
            _story(simulate(each, STEPS)) == wanted
            for shake in SHAKES
            for seed in range(4)
            if starts_free(each := shaken(design, Fraction(shake), seed))
        )
    except (Unresolved, ValueError):
        return False


def _story(result: dict[str, Any]) -> Any:
    pawls = result["pawls"].items()
    told = {
        name: [(event["kind"], event["from"], event["to"]) for event in pawl["events"]]
        for name, pawl in pawls
    }
    return result["termination"]["cause"], told


def shaken(design: Design, size: Fraction, seed: int) -> Design:
    """A design with all corners moved by up to a size."""
    random = Random(seed)
    other = deepcopy(design)
    for body in (*other["obstacles"], *other["pawls"]):
        body["poly"] = [
            [str(Fraction(x) + size * Fraction(random.randint(-8, 8), 8)) for x in corner]
            for corner in body["poly"]
        ]
    return other


def smallest(design: Design) -> Design:
    """A design without the pawls, obstacles and corners that a difference does not need."""
    shrunk = True
    while shrunk:
        shrunk = False
        for candidate in _smaller(design):
            if not starts_free(candidate):
                continue
            verdict = compare(candidate)
            if verdict.lines and verdict.usable:
                design, shrunk = candidate, True
                break
    return design


def _smaller(design: Design) -> Any:
    for kind in ("pawls", "obstacles"):
        for index, body in enumerate(design[kind]):
            if len(design[kind]) > 1:
                yield {**design, kind: [each for each in design[kind] if each is not body]}
            for corner in range(len(body["poly"]) if len(body["poly"]) > 3 else 0):
                fewer = deepcopy(design)
                del fewer[kind][index]["poly"][corner]
                yield fewer
    for key, value in (("root", None), ("mu", "0")):
        if design[key] != value:
            yield {**design, key: value}


def main(first: int, last: int) -> int:
    """Compare a range of seeds."""
    count = agreed = unusable = 0
    slowest = (0.0, -1)
    for seed in range(first, last):
        verdict = compare(random_design(seed))
        count += 1
        agreed += not verdict.lines
        unusable += bool(verdict.lines) and not verdict.usable
        slowest = max(slowest, (verdict.seconds, seed))
        if verdict.lines and verdict.usable:
            print(f"seed {seed} ({KINDS[seed % len(KINDS)].__name__}):", *verdict.lines[:4], sep="\n  ")
            print("  " + json.dumps(smallest(random_design(seed))), flush=True)
    print(f"{count} designs: {agreed} agree, {unusable} hang on a hair, {count - agreed - unusable} differ")
    print(f"slowest exact motion: {slowest[0]:.2f} s, seed {slowest[1]}")
    return int(count != agreed + unusable)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
