"""Scenes are values that refuse what cannot be drawn, and say how to mend it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
import view_scenes

from linkwork.errors import LinkworkError, NameTaken, UnknownName, UsageError
from linkwork.view import (
    Bar,
    Block,
    Body,
    Box,
    Column,
    Connector,
    Disc,
    Gear,
    Hinge,
    Pin,
    Rail,
    Scene,
    Shape,
    Trace,
)

STILL = [[[0.0, 0.0, 0.0]]]
LEVEL = [[[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]]


def one(*shapes: Shape, name: str = "link") -> list[Body]:
    return [Body(name, shapes)]


@pytest.mark.parametrize("make", view_scenes.ALL, ids=lambda make: make.__name__)
def test_scenes_are_values(make: Callable[[], Scene]) -> None:
    """The same description gives equal scenes with equal hashes, which survive pickling."""
    scene = make()
    assert scene == make()
    assert hash(scene) == hash(make())
    assert pickle.loads(pickle.dumps(scene)) == scene


def test_arrays_tell_the_dimension() -> None:
    """Poses of three numbers are of the plane, of seven of space."""
    assert Scene.of("", one(), np.zeros((4, 1, 3))).dimension == 2
    assert Scene.of("", one(), np.array(LEVEL)).dimension == 3


@pytest.mark.parametrize(
    ("seconds", "shown"), [(3.0, 3.0), (0.001, 6.0), (1000.0, 6.0)], ids=["as it is", "slowed", "hastened"]
)
def test_short_and_long_motions_are_shown_in_a_bearable_time(seconds: float, shown: float) -> None:
    scene = Scene.of("", one(), np.zeros((2, 1, 3)), times=[0.0, seconds])
    assert scene.seconds == shown


def test_import_is_light() -> None:
    """``import linkwork.view`` waits with NumPy, Pillow and matplotlib until something is drawn."""
    script = "import sys, linkwork.view; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"numpy", "PIL", "matplotlib"}.isdisjoint(done.stdout.split())


MISUSE: dict[str, tuple[type[LinkworkError], Callable[[], object]]] = {
    "poses of five numbers": (UsageError, lambda: Scene.of("", one(), np.zeros((1, 1, 5)))),
    "poses of one frame only": (UsageError, lambda: Scene.of("", one(), np.zeros((1, 3)))),
    "four dimensions": (UsageError, lambda: Scene("", 4, (), ((),))),
    "no frames": (UsageError, lambda: Scene.of("", one(), np.zeros((0, 1, 3)))),
    "a body without pose": (UsageError, lambda: Scene.of("", [Body("ground"), *one()], STILL)),
    "NaN": (UsageError, lambda: Scene.of("", one(), [[[0.0, float("nan"), 0.0]]])),
    "infinity": (UsageError, lambda: Scene.of("", one(), [[[0.0, float("inf"), 0.0]]])),
    "no unit quaternion": (UsageError, lambda: Scene.of("", one(), [[[0.0, 0, 0, 2, 0, 0, 0]]])),
    "a pin in space": (UsageError, lambda: Scene.of("", one(Pin((0, 0))), LEVEL)),
    "a box in the plane": (UsageError, lambda: Scene.of("", one(Box((0, 0, 0), (1, 1, 1))), STILL)),
    "a flat bar in space": (UsageError, lambda: Scene.of("", one(Bar(((0, 0), (1, 0)))), LEVEL)),
    "a hinge without axis": (UsageError, lambda: Scene.of("", one(Hinge((0, 0, 0), (0, 0, 0))), LEVEL)),
    "a bar without points": (UsageError, lambda: Bar(())),
    "a bar at NaN": (UsageError, lambda: Bar(((0, float("nan")),))),
    "a negative radius": (UsageError, lambda: Disc((0, 0), -1.0)),
    "an endless rail": (UsageError, lambda: Rail((0, 0), 0.0, float("inf"))),
    "a block of no width": (UsageError, lambda: Block((0, 0), width=0.0)),
    "a gear of three teeth": (UsageError, lambda: Gear((0, 0), 1.0, 3)),
    "two bodies of one name": (NameTaken, lambda: Scene.of("", [*one(), *one()], np.zeros((1, 2, 3)))),
    "a trace of no body": (UnknownName, lambda: Scene.of("", one(), STILL, traces=[Trace("t", "x", (0, 0))])),
    "a trace of a point in space": (
        UsageError,
        lambda: Scene.of("", one(), STILL, traces=[Trace("t", "link", (0, 0, 0))]),
    ),
    "a spring to no body": (
        UnknownName,
        lambda: Scene.of("", one(), STILL, connectors=[Connector("spring", "link", (0, 0), "x", (0, 0))]),
    ),
    "a rope": (
        UsageError,
        lambda: Scene.of(
            "",
            one(),
            STILL,
            connectors=[Connector("rope", "link", (0, 0), "link", (1, 0))],  # type: ignore[arg-type]
        ),
    ),
    "a belt in space": (
        UsageError,
        lambda: Scene.of(
            "", one(), LEVEL, connectors=[Connector("belt", "link", (0, 0, 0), "link", (1, 0, 0), 1, 1)]
        ),
    ),
    "times that stand still": (
        UsageError,
        lambda: Scene.of("", one(), np.zeros((3, 1, 3)), times=[0, 1, 1]),
    ),
    "too few times": (UsageError, lambda: Scene.of("", one(), np.zeros((3, 1, 3)), times=[0, 1])),
    "a short column": (UsageError, lambda: Scene.of("", one(), STILL, columns=[Column("lift", (1, 2))])),
    "a short drive": (UsageError, lambda: Scene.of("", one(), STILL, drive=Column("crank", ()))),
    "a moving ground": (
        UsageError,
        lambda: Scene.of("", one(name="ground"), [[[0, 0, 0.0]], [[0, 0, 0.1]]]),
    ),
}


@pytest.mark.parametrize("case", MISUSE)
def test_misuse_says_what_was_given(case: str) -> None:
    """Each wrong scene raises an error of ours with what was given, and what was wanted or a fix."""
    kind, make = MISUSE[case]
    with pytest.raises(kind) as caught:
        make()
    assert caught.value.got
    assert caught.value.wanted or caught.value.fix
