"""Faults of scenes: frames that vary, bodies, surfaces, energies, controls, formulas, each with its line and a cure."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.model import PlacedError
from linkwork.model.read import machine_from_text
from linkwork.model.scene_faults import principal_moments

GOLDEN = Path(__file__).parents[1] / "golden" / "scene_faults.txt"

GOOD: Final = """\
linkwork = 1
dimension = 3
[parameter]
g = 9.81
[frame.pivot]
varies = ["ry"]
axis = [0, 1, 0]
rates = { ry = 1 }
[frame.bob]
on = "pivot"
at = [0, 0, -2]
mass = 1
inertia = [0.1, 0.1, 0.1]
[frame.other]
varies = ["tx", "ty", "tz", "turn"]
scale = 2
mass = 2
[control.push]
range = [-1, 1]
keys = ["a", "d"]
[function]
"height(f)" = "position(f).z"
[surface.floor]
level = "z"
on = "other"
[energy.weight]
each = "mass(body)*g*position(body).z"
[energy.pull]
pair = "-mass(a)*mass(b)/distance(a, b)"
bodies = ["bob", "other"]
[force.engine]
type = "force"
at = "bob"
force = "push*[1, 0, 0]"
[constraint.rail]
holds = "position(other).x == 0"
[initial.speed]
holds = "velocity(bob).x == 1"
"""
PLANE: Final = """\
linkwork = 1
[frame.f]
varies = ["tx", "turn"]
mass = 1
"""


def changed(old: str, new: str) -> str:
    """The good scene with one piece replaced."""
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def planar(more: str) -> str:
    """A scene of the plane and more of its frame."""
    return PLANE + more


RAIL = '"position(other).x == 0"'
FAULTS: Final[dict[str, tuple[str, str]]] = {
    "zero quaternion": (changed("axis = [0, 1, 0]", "quaternion = [0, 0, 0, 0]"), "quaternion = [0, 0"),
    "short quaternion": (changed("axis = [0, 1, 0]", "quaternion = [1, 0, 0]"), "quaternion = [1, 0, 0]"),
    "quaternion in the plane": (planar("quaternion = [1, 0, 0, 0]\n"), "quaternion = "),
    "quaternion entry in the plane": (PLANE.replace('"turn"', '"rz"'), "varies = "),
    "height in the plane": (PLANE.replace('"turn"', '"tz"'), "varies = "),
    "turn with rx": (changed('"tz", "turn"', '"turn", "rx"'), "varies = "),
    "unknown coordinate": (changed('"tz", "turn"', '"tz", "spin"'), "varies = "),
    "x and a quaternion": (changed("axis = [0, 1, 0]", "x = [0, 1, 0]"), "x = [0, 1, 0]"),
    "scale zero": (changed("scale = 2", "scale = 0"), "scale = 0"),
    "scale of two": (changed("scale = 2", "scale = [1, 2]"), "scale = [1, 2]"),
    "wrong rates key": (changed("{ ry = 1 }", "{ rz = 1 }"), "rates = "),
    "rates of a fixed frame": (changed('on = "pivot"', 'on = "pivot"\nrates = { tx = 1 }'), "rates = { tx"),
    "rates as number": (changed("{ ry = 1 }", "1"), "rates = 1"),
    "negative mass": (changed("mass = 1", "mass = -1"), "mass = -1"),
    "negative inertia": (changed("[0.1, 0.1, 0.1]", "[-0.1, 0.1, 0.1]"), "inertia = "),
    "inertia of no body": (changed("[0.1, 0.1, 0.1]", "[0.1, 0.1, 0.3]"), "inertia = "),
    "six entries not definite": (changed("[0.1, 0.1, 0.1]", "[1, 1, 1, 2, 0, 0]"), "inertia = "),
    "six entries of no body": (changed("[0.1, 0.1, 0.1]", "[1, 1, 1, 0.9, 0, 0]"), "inertia = "),
    "two moments": (changed("[0.1, 0.1, 0.1]", "[0.1, 0.1]"), "inertia = "),
    "one moment in space": (changed("[0.1, 0.1, 0.1]", "0.1"), "inertia = "),
    "three moments in the plane": (planar("inertia = [1, 1, 1]\n"), "inertia = "),
    "negative moment in the plane": (planar("inertia = -1\n"), "inertia = -1"),
    "centre without mass": (changed("scale = 2\nmass = 2", "centre = [0, 0, 1]"), "centre = "),
    "part of no body": (GOOD + "[part.p]\nmass = 1\ninertia = [1, 1, 3]\n", "inertia = [1, 1, 3]"),
    "frame cycle": (changed("scale = 2", 'on = "floor_frame"\n[frame.floor_frame]\non = "other"'), 'on = "'),
    "frame on itself": (changed('on = "pivot"', 'on = "bob"'), 'on = "bob"'),
    "frame on nothing": (changed('on = "pivot"', 'on = "pivo"'), 'on = "pivo"'),
    "energy with two forms": (changed('pair = "', 'value = "g"\npair = "'), "pair = "),
    "energy without form": (changed('each = "mass(body)*g*position(body).z"\n', ""), "[energy.weight]"),
    "energy of an unknown body": (changed('["bob", "other"]', '["bob", "othr"]'), "bodies = "),
    "energy of no body": (changed('["bob", "other"]', '["bob", "pivot"]'), "bodies = "),
    "energy of a vector": (changed("mass(body)*g*position(body).z", "position(body)"), "each = "),
    "energy of an unknown name": (changed("mass(body)*g*pos", "mass(body)*G*pos"), "each = "),
    "energy without body": (changed("mass(body)*g*pos", "mass(bdy)*g*pos"), "each = "),
    "empty range": (changed("range = [-1, 1]", "range = [1, 1]"), "range = "),
    "range upside down": (changed("range = [-1, 1]", "range = [1, -1]"), "range = "),
    "range of one": (changed("range = [-1, 1]", "range = [1]"), "range = [1]"),
    "start outside": (changed("range = [-1, 1]", "range = [-1, 1]\nstart = 2"), "start = 2"),
    "one key": (changed('["a", "d"]', '["a"]'), "keys = "),
    "three keys": (changed('["a", "d"]', '["a", "d", "w"]'), "keys = "),
    "one key twice": (changed('["a", "d"]', '["a", "a"]'), "keys = "),
    "one key, small and large": (changed('["a", "d"]', '["a", "A"]'), "keys = "),
    "no key": (changed('["a", "d"]', '["", "d"]'), "keys = "),
    "a word for a key": (changed('["a", "d"]', '["a", "<b>"]'), "keys = "),
    "a key with a wrong name": (changed('["a", "d"]', '["ArowLeft", "ArrowRight"]'), "keys = "),
    "one key for two controls": (GOOD + '[control.pull]\nkeys = ["q", "d"]\n', 'keys = ["q"'),
    "control called like a parameter": (GOOD + "[control.g]\n", "[control.g]"),
    "control without a name": (changed("[control.push]", '[control.""]'), '[control.""]'),
    "unknown key of a control": (changed("range =", "rnge ="), "rnge ="),
    "heading without brackets": (changed('"height(f)"', '"height"'), '"height" ='),
    "heading of a function of ours": (changed('"height(f)"', '"sin(f)"'), '"sin(f)"'),
    "heading with one argument twice": (changed('"height(f)"', '"height(f, f)"'), '"height(f, f)"'),
    "heading with a number": (changed('"height(f)"', '"height(2)"'), '"height(2)"'),
    "function twice": (changed('"height(f)"', '"height(a, b)" = "a"\n"height(f)"'), '"height(f)"'),
    "function that cannot be read": (
        changed('"position(f).z"', '"position(f.z"').replace(RAIL, '"height(other) == 0"'),
        "holds = ",
    ),
    "function of something else": (changed(RAIL, '"height(2) == 0"'), "holds = "),
    "functions in a circle": (
        changed('"position(f).z"', '"height(f)"').replace(RAIL, '"height(other) == 0"'),
        "holds = ",
    ),
    "unknown frame": (changed("position(other).x == 0", "position(othr).x == 0"), "holds = "),
    "unknown function": (changed("position(other).x == 0", "place(other).x == 0"), "holds = "),
    "vector for a number": (changed(RAIL, '"norm(position(other).x) == 0"'), "holds = "),
    "vector equals number": (changed(RAIL, '"position(other) == 1"'), "holds = "),
    "no equation": (changed(RAIL, '"position(other).x"'), "holds = "),
    "no equation in a list": (changed(RAIL, '["1*g == g + position(other).x", "g"]'), "holds = "),
    "bracket left open": (changed(RAIL, '"(position(other).x == 0"'), "holds = "),
    "initial that cannot be read": (changed("velocity(bob).x == 1", "velocty(bob).x == 1"), "velocty"),
    "empty condition": (changed(RAIL, "[]"), "holds = []"),
    "condition without holds": (changed(f"holds = {RAIL}\n", ""), "[constraint.rail]"),
    "surface on an unknown frame": (changed('on = "other"', 'on = "othr"'), 'on = "othr"'),
    "surface of an unknown name": (changed('level = "z"', 'level = "z - h"'), "level = "),
    "surface without level": (changed('level = "z"\n', ""), "[surface.floor]"),
    "constraint with a dot": (changed("[constraint.rail]", '[constraint."a.b"]'), '[constraint."a.b"]'),
    "constraint with a dash": (changed("[constraint.rail]", "[constraint.a-b]"), "[constraint.a-b]"),
    "force of a number": (changed('"push*[1, 0, 0]"', '"push"'), "force = "),
    "force of an unknown name": (changed('"push*[1, 0, 0]"', '"psh*[1, 0, 0]"'), "force = "),
    "force of the plane": (changed('"push*[1, 0, 0]"', '"push*[1, 0]"'), "force = "),
    "force at nothing": (changed('at = "bob"', 'at = "bb"'), 'at = "bb"'),
}  # fmt: skip


def told(text: str) -> PlacedError:
    """The error with which a text is refused."""
    with pytest.raises(PlacedError) as caught:
        machine_from_text(text, "m.toml", "m")
    return caught.value


def test_the_good_scenes_are_good() -> None:
    for text in (GOOD, PLANE):
        machine_from_text(text, "m.toml", "m")


@pytest.mark.parametrize("case", FAULTS)
def test_faults_have_a_line_and_a_cure(case: str) -> None:
    text, guilty = FAULTS[case]
    error = told(text)
    assert guilty in text.splitlines()[error.line - 1]
    assert error.problem.startswith(f"m.toml:{error.line}: ")
    assert error.got
    assert error.fix
    assert error.exit_code == 3


def test_the_words_of_every_fault() -> None:
    """The messages are part of the product: read the difference before you accept it."""
    shown = "".join(f"--- {case}\n{told(text)}\n" for case, (text, _) in FAULTS.items())
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(shown, "utf-8")
    assert shown == GOLDEN.read_text("utf-8")


@given(st.lists(st.floats(-3, 3, allow_subnormal=False), min_size=6, max_size=6))
def test_principal_moments_are_eigenvalues(entries: list[float]) -> None:
    xx, yy, zz, xy, xz, yz = entries
    wanted = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    np.testing.assert_allclose(principal_moments(entries), wanted, rtol=0, atol=2e-7)


@given(st.lists(st.tuples(*[st.floats(-2, 2)] * 3, st.floats(0.1, 2)), min_size=1, max_size=6))
def test_the_inertia_of_any_points_with_mass_is_accepted(
    points: list[tuple[float, float, float, float]],
) -> None:
    """Also that of one point and of points on a line, whose moments touch the limits."""
    total = np.zeros((3, 3))
    for x, y, z, mass in points:
        r = np.array([x, y, z])
        total += mass * (r @ r * np.eye(3) - np.outer(r, r))
    six = [total[0, 0], total[1, 1], total[2, 2], total[0, 1], total[0, 2], total[1, 2]]
    text = ", ".join(f"{each:.17g}" for each in six)
    machine_from_text(changed("[0.1, 0.1, 0.1]", f"[{text}]"), "m.toml", "m")
