"""Records and machines made in Python from the wrong things: an error of ours, with a cure, never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork
from linkwork import LinkworkError, load
from linkwork.algebra import number
from linkwork.errors import UsageError

# What a checker of types would refuse, a notebook still does.
lw: Any = linkwork
force: Any = linkwork.force
joint: Any = linkwork.joint
of: Any = linkwork.Machine.of
part: Any = linkwork.Part
PARTS = {"crank": lw.Part(points={"A": (0, 0)})}

MISUSES: dict[str, tuple[Callable[[], object], str, str]] = {
    "points as number": (lambda: part(points=5), "Part, points: a mapping", "{'A': ['a', 0]}"),
    "points without names": (lambda: part(points={5: (0, 0)}), "Part, points: a mapping", "'A'"),
    "point of one entry": (lambda: part(points={"A": (0,)}), "Part, points: A: a list of 1", "['a', 0]"),
    "point with a hole": (lambda: part(points={"A": (0, None)}), "points: A: a number", "1.5"),
    "no points": (lambda: part(points=None), "Part, points: a mapping", "'A'"),
    "mass as list": (lambda: part(mass=[1]), "Part, mass: a number", "0.2"),
    "mass as truth": (lambda: part(mass=True), "Part, mass: a number", "0.2"),
    "mass not finite": (lambda: part(mass=float("nan")), "Part, mass: a number", "finite"),
    "mass half written": (lambda: part(mass="2*(a"), "Part, mass: this bracket", "2*(a)"),
    "pose with another key": (lambda: part(start={"trun": 1}), "start: a Pose has no 'trun'", "mean turn?"),
    "pose as text": (lambda: part(start="30 deg"), "Part, start: a Pose is wanted", "Pose("),
    "unknown shape": (lambda: lw.Shape("disk"), "Shape, form: this word", '"disc"'),
    "shape as number": (lambda: lw.Shape(3), "Shape, form: this word", '"disc"'),
    "one drawn shape": (lambda: part(draw=lw.Draw("disc")), "Part, draw: a list", "'disc'"),
    "drawn number": (lambda: part(draw=[3]), "Part, draw: a Draw is wanted", "Draw(shape="),
    "joint between a text": (lambda: joint.Revolute("A.B"), "Revolute, between: a list", "'rod.B'"),
    "joint between three": (lambda: joint.Revolute(("A", "B", "C")), "between: a list of 3", "'rod.B'"),
    "joint between numbers": (lambda: joint.Revolute((1, 2)), "between: a text", "'crank.B'"),
    "axis as text": (lambda: joint.Revolute(("a", "b"), axis="x"), "axis: a list", "[1, 0]"),
    "nothing for a radius": (lambda: joint.Rolling(("a", "b"), radius=None), "radius: a number", "1"),
    "flag as text": (lambda: joint.Gear(internal="yes"), "Gear, internal: True or False", "True"),
    "no force": (lambda: force.Push("p", None), "Push, force: a list", "-10"),
    "drive of a number": (lambda: lw.Drive(5), "Drive, joint: a text", "'A'"),
    "range as number": (lambda: lw.Drive("A", range=3), "Drive, range: a list", "360 deg"),
    "half a step": (lambda: lw.Span(steps=1.5), "Span, steps: a whole number", "360"),
    "no step": (lambda: lw.Span(steps=0), "Span, steps: a whole number", "360"),
    "trace as text": (lambda: lw.View(traces="rod.C"), "View, traces: a list", "coupler.P"),
    "frame on a number": (lambda: lw.Frame(on=3), "Frame, on: a text", "'crank'"),
    "parameters in a list": (lambda: of("m", [1]), "the parameters of a machine", "parameters={"),
    "parameters without names": (lambda: of("m", {3: 1}), "the parameters of a machine", "parameters={"),
    "definitions as number": (lambda: of("m", {}, 5), "the definitions of a machine", "definitions={"),
    "definitions as text": (lambda: of("m", {}, "x"), "the definitions of a machine", "definitions={"),
    "definitions of numbers": (lambda: of("m", {}, [3]), "among the definitions", "definitions={"),
    "parts in a list": (lambda: of("m", parts=[lw.Part()]), "the parts of a machine", "parts={"),
    "parts of tables": (lambda: of("m", parts={"a": {}}), "'a' among the parts", "Part()"),
    "joints as words": (lambda: of("m", parts=PARTS, joints={"A": "revolute"}), "'A' among", "Revolute("),
    "drives as words": (lambda: of("m", parts=PARTS, drives={"d": "A"}), "'d' among", 'Drive("A")'),
    "dimension as text": (lambda: of("m", dimension="2"), "the dimension", "dimension=2"),
    "dimension with a point": (lambda: of("m", dimension=2.0), "the dimension", "dimension=2"),
    "dimension four": (lambda: of("m", dimension=4), "the plane or in space", "dimension=3"),
    "gravity as number": (lambda: of("m", gravity=9.81), "gravity: a list", "-9.81"),
    "time as number": (lambda: of("m", time=3), "the time of a machine", "Span(until=2)"),
    "view as text": (lambda: of("m", view="x"), "the view of a machine", "View("),
    "outputs as text": (lambda: of("m", outputs="area"), "outputs: a list", "['area']"),
    "units as numbers": (lambda: of("m", units={"a": 3}), "'a' among the units", '"mm"'),
    "name as number": (lambda: of(5), "the name of a machine", 'name="crank"'),
    "a plain dict inside": (lambda: lw.Machine("m", parts={"a": lw.Part()}), "as parts", "Machine.of("),
    "lone surrogate in a label": (
        lambda: of("m", parts={"p": lw.Part(draw=(lw.Draw("label", text="\ud800"),))}),
        "no file can hold",
        "?",
    ),
}


@pytest.mark.parametrize("case", MISUSES)
def test_misuse_is_told_with_a_cure(case: str) -> None:
    build, problem, cure = MISUSES[case]
    with pytest.raises(LinkworkError) as caught:
        build()
    assert problem in caught.value.problem
    assert cure in caught.value.fix
    assert caught.value.got


FAULTY: dict[str, tuple[Callable[[], object], tuple[str | int, ...]]] = {
    "unknown name": (lambda: of("m", parts={"p": lw.Part(mass="q")}), ("part", "p", "mass")),
    "unknown name in gravity": (lambda: of("m", parts=PARTS, gravity=(0, "-g")), ("gravity", 1)),
    "vector of space": (lambda: of("m", parts=PARTS, gravity=(0, 0, 1)), ("gravity",)),
    "no such part": (
        lambda: of("m", parts=PARTS, joints={"A": joint.Revolute(("ground", "rod"))}),
        ("joint", "A", "between", 1),
    ),
    "no such joint": (lambda: of("m", parts=PARTS, drives={"d": lw.Drive("A")}), ("drive", "d", "joint")),
    "negative mass": (lambda: of("m", parts={"p": lw.Part(mass=number(-1))}), ("part", "p", "mass")),
    "no direction": (
        lambda: of("m", parts={"p": lw.Part(start=lw.Pose(x=(0, 0)))}),
        ("part", "p", "start", "x"),
    ),
}


@pytest.mark.parametrize("case", FAULTY)
def test_faults_of_a_machine_know_their_place(case: str) -> None:
    """The same checks as for files, with the keys under which a file would hold the cause."""
    build, where = FAULTY[case]
    with pytest.raises(LinkworkError) as caught:
        build()
    assert caught.value.where == where
    assert caught.value.exit_code == 3


def test_arrays_are_lists() -> None:
    made = part(points={"A": np.array([0.5, 1])}, inertia=np.array([1, 2, 3]), mass=np.float64(2))
    assert made == part(points={"A": (0.5, 1)}, inertia=(1, 2, 3), mass=2)


def test_overriding_a_parameter_checks_the_machine_again() -> None:
    with pytest.raises(LinkworkError, match="no finite number"):
        load("planetary-gear").with_parameters({"sun_teeth": 0})


def test_two_errors_of_use_leave_with_2() -> None:
    with pytest.raises(UsageError) as caught:
        part(points=5)
    assert caught.value.exit_code == 2
