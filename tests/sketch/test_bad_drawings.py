"""Drawings that cannot be: what is told, through Python and through machine files."""

from __future__ import annotations

import math
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import linkwork as lw
from drawings import drawn
from linkwork.errors import LinkworkError
from linkwork.mechanics import Derivation, derive
from linkwork.model.constraint import Angle, Distance, Equal, Fixed, Midpoint, Ratio, Symmetric
from linkwork.model.drawing import Circle
from linkwork.sketch.construct import construct
from linkwork.sketch.diagnose import OverConstrained, UnderConstrained

CRANK = """linkwork = 1
[parameter]
c = 1.0
L = 3.0
a = 0.5
[drawing]
points = { P2 = [0, 0], P4 = [1, 1], P8 = [4, 0] }
lines = { L3 = ["P2", "P8"], L5 = ["P2", "P4"], L7 = ["P4", "P8"] }
forces = { P8 = [-1, 0] }
masses = { P8 = "m" }
[drawing.constraints]
crank = { type = "distance", of = ["P2", "P4"], value = "c" }
turn = { type = "angle", of = ["L3", "L5"], value = "a" }
rod = { type = "distance", of = ["P4", "P8"], value = "L" }
"""
ROD = 'rod = { type = "distance", of = ["P4", "P8"], value = "L" }\n'


def asked(folder: Path, text: str, **ask: Any) -> Derivation:
    """A derivation from the text of a machine file."""
    path = folder / "crank.toml"
    path.write_text(text, encoding="utf-8")
    return derive(lw.load(path), **ask)


def told(folder: Path, text: str, **ask: Any) -> LinkworkError:
    """The error that a machine file gives; it says what is wrong and how to mend it."""
    with pytest.raises(LinkworkError) as caught:
        asked(folder, text, **ask)
    assert caught.value.problem
    assert caught.value.fix, str(caught.value)
    return caught.value


def test_the_file_that_is_changed_below_is_sound(tmp_path: Path) -> None:
    table = asked(tmp_path, CRANK, reaction="a", static=True).table
    found = table.evaluate({"c": 1.0, "L": 3.0, "a": 0.5})["reaction_a"]
    rod = math.sqrt(9 - math.sin(0.5) ** 2)
    assert found == pytest.approx(-(math.sin(0.5) + math.sin(0.5) * math.cos(0.5) / rod))


# Each: what is replaced by what, and a pattern that the error's text has to match.
REPLACED = {
    "a coordinate as a parameter": ("c = 1.0", "c = 1.0\nP8x = 3", "P8x.*coordinate"),
    "a negative length": ('value = "L"', "value = -3", "negative"),
    "a length that is no number": ('value = "L"', "value = nan", "not a number"),
    "an infinite length": ('value = "L"', "value = inf", "infinite"),
    "a negative mass": ('"m"', "-1", "negative"),
    "an infinite mass": ('"m"', "inf", "infinite"),
    "a rough place that is none": ("[1, 1]", "[nan, 1]", "not a number"),
    "a rough place in space": ("[1, 1]", "[1, 1, 1]", "two numbers"),
    "half a rough place": ("[1, 1]", "[1]", "one coordinate"),
    "a point called sin": ("P4", "sin", "sin.*name"),
    "a point called double": ("P4", "double", "double.*name"),
    "a dimension called sin": ('"L"', '"sin"', "sin is a function"),
    "a missing dimension": (ROD, "", "1 freedom left"),
    "a point that is not there": ('L5 = ["P2", "P4"]', 'L5 = ["P2", "P44"]', "no point 'P44'"),
    "an element that is not there": ('of = ["P4", "P8"]', 'of = ["P4", "P88"]', "P88"),
    "a type that is not there": ('rod = { type = "distance"', 'rod = { type = "distanse"', "distance"),
    "three ends of a distance": ('of = ["P4", "P8"]', 'of = ["P4", "P8", "P2"]', "list of"),
    "no end of a distance": ('of = ["P4", "P8"]', "of = []", "list of"),
    "a distance from itself": ('of = ["P4", "P8"]', 'of = ["P4", "P4"]', "twice"),
    "a line through one point": ('L7 = ["P4", "P8"]', 'L7 = ["P4", "P4"]', "twice"),
    "a mass on a line": ("masses = { P8", "masses = { L5", "no point 'L5'"),
    "an unknown word": ("masses =", "massses =", "massses"),
    "parts besides": ("[drawing]", "[part.x]\n[drawing]", "not both"),
}


@pytest.mark.parametrize("what", REPLACED)
def test_faults_are_told(what: str, tmp_path: Path) -> None:
    """Every fault is told with a fix, and by what it is."""
    old, new, pattern = REPLACED[what]
    assert old in CRANK
    assert re.search(pattern, str(told(tmp_path, CRANK.replace(old, new), reaction="a")), re.DOTALL)


ADDED = {
    "one length too many": ('"distance", of = ["P2", "P8"], value = "z"', OverConstrained),
    "two lengths of one rod": ('"distance", of = ["P4", "P8"], value = 7', OverConstrained),
    "the same length twice": ('"distance", of = ["P4", "P8"], value = "L"', OverConstrained),
    "parallels at an angle": ('"parallel", of = ["L3", "L5"]', OverConstrained),
    "the ends of a rod at one place": ('"coincident", of = ["P2", "P4"]', OverConstrained),
    "a distance and a half": ('"equal", of = ["P2", "P4", "P8"]', LinkworkError),
    "the angle of a point": ('"angle", of = ["P2", "L3"], value = 1', LinkworkError),
    "the radius of a line": ('"radius", of = ["L3"], value = 1', LinkworkError),
}


@pytest.mark.parametrize("what", ADDED)
def test_too_much_is_told(what: str, tmp_path: Path) -> None:
    """A constraint too many, or between what it cannot be, is named."""
    entry, kind = ADDED[what]
    error = told(tmp_path, CRANK + f"more = {{ type = {entry} }}\n")
    assert isinstance(error, kind) or kind is LinkworkError
    assert "more" in str(error)
    assert error.got
    assert error.wanted


def test_what_is_implied_in_part_only_is_not_named() -> None:
    """A ratio of three points puts the middle one on a line as well: without it that would be free."""
    constraints = {
        "whole": Distance(("A", "B"), "w"),
        "share": Ratio(("A", "P", "B"), "s"),
        "part": Distance(("A", "P"), "p"),
    }
    with pytest.raises(OverConstrained) as caught:
        construct(drawn(points=["A", "B", "P"], constraints=constraints))
    assert caught.value.got == "whole (w), part (p)"
    assert "remove any one of them" in caught.value.fix


def test_dependent_constraints_of_which_none_can_be_spared() -> None:
    """Each of them says more than what the others imply, so all are named and none is to be removed."""
    constraints = {
        "a": Fixed(("A",), (0, 0)),
        "b": Fixed(("B",), (2, 0)),
        "c": Fixed(("C",), (1, 1)),
        "images": Symmetric(("A", "B", "L")),
        "length": Distance(("C", "D"), 2),
    }
    with pytest.raises(OverConstrained) as caught:
        construct(drawn(points=["A", "B", "C", "D"], lines={"L": ["C", "D"]}, constraints=constraints))
    assert caught.value.got == "a, b, c, images"
    assert "say less" in caught.value.fix


ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "the reaction of a coordinate": ({"reaction": "P8x"}, "follows from the drawing"),
    "the acceleration of a coordinate": ({"accelerations": "P8x"}, "follows from the drawing"),
    "a reaction by a wrong name": ({"reaction": "aa"}, "'aa'.*did you mean a"),
    "a quantity by a wrong name": ({"quantity": "P88x"}, "P88x.*P8x"),
    "a slope by a wrong name": ({"quantity": "P8x", "by": "LL"}, "LL"),
    "a tolerance by a wrong name": ({"quantity": "P8x", "tolerance": "LL"}, "LL"),
    "a form that is not there": ({"accelerations": "a", "form": "closd"}, "closed"),
    "an energy of rest": ({"quantity": "kinetic_energy"}, "which dimensions move"),
    "what holds a free dimension": ({"reaction": "a", "accelerations": "a"}, "free to accelerate"),
    "the equilibrium of nothing": ({"equilibrium": "zz"}, "zz"),
    "the motion of nothing": ({"quantity": "P8x", "moving": "zz"}, "zz"),
}


@pytest.mark.parametrize("what", ASKED)
def test_questions_without_an_answer(what: str, tmp_path: Path) -> None:
    """What cannot be derived is told with what can."""
    ask, pattern = ASKED[what]
    error = told(tmp_path, CRANK, **ask)
    assert error.wanted
    assert re.search(pattern, str(error), re.DOTALL), str(error)


def test_nothing_to_accelerate(tmp_path: Path) -> None:
    """Without masses nothing has an acceleration."""
    text = CRANK.replace('masses = { P8 = "m" }\n', "")
    assert "nothing with mass" in told(tmp_path, text, accelerations="a").problem


@pytest.mark.parametrize("text", ["points = {}", "", "points = []"])
def test_empty_drawings(text: str, tmp_path: Path) -> None:
    """A drawing without points is told to be empty."""
    told(tmp_path, f"linkwork = 1\n[drawing]\n{text}\n")


def test_a_single_point_is_a_drawing(tmp_path: Path) -> None:
    """A point alone is at the origin."""
    text = 'linkwork = 1\n[drawing]\npoints = ["A"]\n'
    assert asked(tmp_path, text, quantity="Ax").table.evaluate({}) == {"Ax": 0.0}


# ------------------------------------------------------------------------- what is taken and should not be


def test_a_coordinate_as_a_dimension(tmp_path: Path) -> None:
    """P8x follows from the drawing and cannot be a length of it."""
    told(tmp_path, CRANK.replace('value = "L"', 'value = "2*P8x"').replace("L = 3.0\n", ""), reaction="a")


def test_a_force_that_depends_on_a_coordinate(tmp_path: Path) -> None:
    """A force −P8x is that of a spring to the origin, not one with a new input of the same name."""
    text = CRANK.replace("[-1, 0]", '["-P8x", 0]')
    assert "P8x" not in asked(tmp_path, text, reaction="a", static=True).table.inputs


@pytest.mark.parametrize("name", ["V_a", "A_a"])
def test_a_length_with_the_name_of_a_velocity(name: str, tmp_path: Path) -> None:
    """A length cannot have the name of a velocity or an acceleration that is an input."""
    told(tmp_path, CRANK.replace('"L"', f'"{name}"').replace("L = 3.0", f"{name} = 3.0"), reaction="a")


@pytest.mark.parametrize("name", ["reaction_a", "A_a", "inertia_a"])
def test_a_length_with_the_name_of_a_result(name: str, tmp_path: Path) -> None:
    """A name that a result has is refused as such."""
    text = CRANK.replace('"L"', f'"{name}"').replace("L = 3.0", f"{name} = 3.0")
    ask = {"reaction": "a"} if name == "reaction_a" else {"accelerations": "a"}
    assert "circle" not in told(tmp_path, text, **ask).problem


def test_two_radii_of_one_circle(tmp_path: Path) -> None:
    """A circle with a radius of its own and another by a constraint says too much."""
    text = CRANK.replace("forces", 'circles = { K = { centre = "P2", radius = 1 } }\nforces')
    told(tmp_path, text + 'more = { type = "radius", of = ["K"], value = 2 }\n')


def test_a_circle_without_a_radius(tmp_path: Path) -> None:
    """A circle whose radius follows from nothing is a freedom left."""
    told(tmp_path, CRANK.replace("forces", 'circles = { K = { centre = "P2" } }\nforces'))


def test_a_negative_radius(tmp_path: Path) -> None:
    """A circle's radius is no negative number."""
    told(tmp_path, CRANK.replace("forces", 'circles = { K = { centre = "P2", radius = -1 } }\nforces'))


def test_a_drawing_in_space(tmp_path: Path) -> None:
    """Drawings are in the plane."""
    assert "plane" in told(tmp_path, CRANK.replace("linkwork = 1", "linkwork = 1\ndimension = 3")).problem


@pytest.mark.parametrize("name", ["aa", "P8x"])
def test_the_option_that_is_wrong_is_named(name: str, tmp_path: Path) -> None:
    """The error of a reaction is not that of an option nobody gave."""
    assert "--reaction" in told(tmp_path, CRANK, reaction=name).problem


def test_a_ratio_of_nothing() -> None:
    """A point that divides a way at 0 says nothing of its end: the constraint is named."""
    drawing = drawn(
        points=["A", "B", "C"],
        lines={"L": ("A", "B")},
        constraints={"d": Distance(("A", "B"), "d"), "third": Ratio(("A", "B", "C"), 0)},
    )
    with pytest.raises(LinkworkError, match="third"):
        derive(lw.Machine.of("bar", {"d": 1}, drawing=drawing))


def test_a_triangle_that_cannot_be(tmp_path: Path) -> None:
    """A rod too short for its crank: it is said at which values."""
    found = asked(tmp_path, CRANK.replace("L = 3.0", "L = 0.1"), quantity="P8x")
    with pytest.raises(LinkworkError, match="L"):
        found.evaluate({"c": 1.0, "L": 0.1, "a": 0.5})


# ------------------------------------------------------------------------------------------ through Python

POINTS = {"A": (0, 0), "B": (4, 0), "C": (1, 3)}
SIDES = {"c": Distance(("A", "B"), 4), "b": Distance(("A", "C"), 3), "a": Distance(("B", "C"), 4)}


@pytest.mark.parametrize(
    ("more", "pattern"),
    [
        ({"constraints": {**SIDES, "x": Angle(("A", "Q"), 1)}}, "Q"),
        ({"constraints": {**SIDES, "x": Equal(("A", "B", "C", "D"))}}, "D"),
        ({"constraints": {**SIDES, "x": Midpoint(("A", "B", "K"))}}, "K"),
        ({"circles": {"K": Circle("Q")}}, "Q"),
        ({"lines": {"A": ("B", "C")}}, "A"),
        ({"origin": "Q"}, "Q"),
        ({"axis": "Q"}, "Q"),
        ({"forces": {"Q": (0, 1)}}, "Q"),
        ({"inertias": {"Q": 1}}, "Q"),
        ({"moving": ("z",)}, "z"),
    ],
)
def test_faults_through_python(more: dict[str, Any], pattern: str) -> None:
    """Names that are not there are told by the machine, or when something is derived."""
    fields = {"points": POINTS, "constraints": SIDES, **more}
    with pytest.raises(LinkworkError, match=pattern) as caught:
        derive(lw.Machine.of("triangle", {}, drawing=drawn(**fields)), quantity="Cx")
    assert caught.value.fix


@pytest.mark.parametrize(
    "points", [5, "A", {"A": "x y"}, {"A": 3}, {3: (0, 0)}, [1, 2], {"A": (1, 2, 3)}, None]
)
def test_points_that_are_none(points: Any) -> None:
    """What is no table of points raises one of our own errors."""
    with pytest.raises(LinkworkError):
        lw.Machine.of("odd", {}, drawing=drawn(points=points))


def test_what_moves_is_told_with_its_repair() -> None:
    """A triangle without one side: C moves, and a length mends it."""
    drawing = drawn(points=POINTS, lines={"L": ("A", "B")}, constraints=dict([*SIDES.items()][:2]))
    with pytest.raises(UnderConstrained) as caught:
        derive(lw.Machine.of("triangle", {}, drawing=drawing), quantity="Cx")
    assert caught.value.got == "C can still move"
    assert 'of = ["B", "C"]' in caught.value.fix


# ----------------------------------------------------------------------------------------------- damage

PIECES = (
    *(
        '"P2"',
        '"L3"',
        '"P99"',
        '""',
        '"sin"',
        "0",
        "-1",
        "nan",
        "inf",
        "1e400",
        "[]",
        "{}",
        "[[]]",
        "true",
        "'é'",
    ),
    *(
        '"distance"',
        '"angle"',
        '"equal"',
        '"tangent"',
        '"P8x"',
        '"V_a"',
        '"a + c"',
        '"1/0"',
        '"a = c"',
        "[0, 0]",
    ),
    *("of", "value", "type", "points", "lines", "circles", "masses", "=", "[", "]", "{", "}", ",", "\n"),
)


def damaged(seed: int) -> str:
    """The file with some of its words changed, left out or doubled."""
    chance = random.Random(seed)
    words = re.findall(r'"[^"]*"|\w+|\s+|[^\w\s]', CRANK)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(10, len(words))
        action = chance.randrange(4)
        if action == 0:
            words[place] = chance.choice(PIECES)
        elif action == 1:
            del words[place]
        elif action == 2:
            words.insert(place, words[chance.randrange(10, len(words))])
        else:
            words[place] = words[chance.randrange(10, len(words))]
    return "".join(words)


@given(st.integers(0, 10**9))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_raise_only_our_errors(tmp_path: Path, seed: int) -> None:
    """Whatever a file says, it is derived or refused with an error that tells why."""
    with suppress(LinkworkError):
        asked(tmp_path, damaged(seed), reaction="a")
