"""What is to be seen, in files: it reads back as it was written, and every fault has its line and a cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_model_schema import agrees, valid

from linkwork import Frame, Machine, examples, load, save
from linkwork.errors import LinkworkError, UsageError
from linkwork.model import PlacedError
from linkwork.model.colour import COLOURS, colour_code, is_colour
from linkwork.model.read import machine_from_text
from linkwork.model.view import View
from linkwork.model.visible import LIGHTS, SHAPES, Box, Light, Rod, Sight, Sphere, Words
from linkwork.model.write import machine_to_text

GOLDEN = Path(__file__).parents[1] / "golden" / "view_faults.txt"

NUMBERS: Final = (1, 0.25, "r", "2*r", "r + sin(t)/9", "1/3")
VECTORS: Final = ((1, 2, 3), ("r", 0, "position(bob).z"), "position(bob)", (0.5, 0, "i"))
OWN: Final[dict[str, dict[str, tuple[Any, ...]]]] = {
    "box": {"size": ((1, 2, 3), ("r", 1, "r + position(bob).x^2"))},
    "sphere": {"radius": NUMBERS},
    "cylinder": {"radius": NUMBERS, "length": NUMBERS},
    "cone": {"radius": NUMBERS, "length": NUMBERS, "top": (0, "r/2")},
    "torus": {"radius": NUMBERS, "tube": (0.1, "r/9")},
    "ellipsoid": {"radii": ((1, 2, 3), ("r", "r", "2*r"))},
    "plane": {"size": ((1, 2), ("r", 3))},
    "tube": {
        "curve": (("cos(s)", "sin(s)", "s/9"), ("s", "r", 0)),
        "over": (("s", 0, "2*pi"),),
        "radius": (0.1,),
    },
    "terrain": {"height": ("sin(x)*y", 0, "r*x"), "size": ((4, 4),), "steps": (3, 8)},
    "extruded": {"outline": (((0, 0), (1, 0), ("r", 1)),), "length": NUMBERS},
    "text": {"text": ('<b>it\'s & "so"</b>', "Ü"), "size": NUMBERS},
    "model": {"file": ("wheel.stl", "parts/Rad.GLB")},
    "rod": {"between": (("bob", "ground"), ("[0, 0, 1]", "position(bob) + [0, 0, r]")), "radius": NUMBERS},
    "spring": {"between": (("bob", "ground"),), "radius": NUMBERS, "turns": (5, "4*r")},
}
"""For each shape values of its own fields; a new shape has to be entered here."""


@st.composite
def views(draw: st.DrawFn) -> View:
    def one(choices: Any) -> Any:
        return draw(st.sampled_from(choices))

    things = {}
    for word in draw(st.lists(st.sampled_from(sorted(SHAPES)), unique=True, max_size=5)):
        fields = {key: one(choices) for key, choices in OWN[word].items()}
        if word not in ("rod", "spring"):
            fields |= {"on": one(("ground", "bob")), "at": one(VECTORS), "turn": one((0, "30 deg", "t"))}
        fields |= {"colour": one(("", "red", "#Aa00ff")), "opacity": one((1, 0.5)), "count": one((1, 7))}
        things[one((word, f"{word} zwei", '"x"'))] = SHAPES[word](**fields)
    lights = (
        {"lamp": Light(kind=one(LIGHTS), at=one(VECTORS), strength=one((1, "r")))}
        if draw(st.booleans())
        else {}
    )
    toward = one((None, "bob", (0, 0, "r"), "position(bob) + [1, 0, 0]"))
    cameras = {"eye": Sight(at=one(VECTORS), toward=toward, angle=one((45, 30)))}
    return View(
        background=one(("", "sky")), traces=one(((), ("bob",))), object=things, light=lights, camera=cameras
    )


def machine_with(view: View) -> Machine:
    return Machine.of(
        "seen", {"r": 2}, dimension=3, frames={"bob": Frame(varies=("tx", "tz"), mass=1)}, view=view
    )


@given(views())
def test_what_is_written_reads_back_the_same_and_is_valid(view: View) -> None:
    machine = machine_with(view)
    text = machine_to_text(machine)
    assert machine_from_text(text, "m.toml", "unnamed") == machine
    assert valid(text)


def test_every_shape_is_tried() -> None:
    assert OWN.keys() == SHAPES.keys()
    for word, fields in OWN.items():
        machine_with(View(object={"it": SHAPES[word](**{key: values[0] for key, values in fields.items()})}))


@pytest.mark.parametrize("name", [name for name in examples.names() if load(name).view.object])
def test_dressed_examples_survive_saving(name: str, tmp_path: Path) -> None:
    save(load(name), tmp_path / f"{name}.toml")
    assert load(tmp_path / f"{name}.toml") == load(name)


def test_every_scene_among_the_examples_is_dressed() -> None:
    """Objects, light and at least two cameras."""
    for name in examples.names():
        machine = load(name)
        if machine.is_scene and not machine.moving:
            assert machine.view.object, name
            assert machine.view.light, name
            assert len(machine.view.camera) > 1, name


def test_an_expression_of_python_is_a_formula() -> None:
    from linkwork.algebra import symbol

    r = symbol("r")
    assert Sphere(radius=2 * r) == Sphere(radius="2*r")
    with pytest.raises(UsageError, match="a number or a formula"):
        Sphere(radius=True)


def test_markup_in_a_text_is_a_text() -> None:
    said = "<script>alert(1)</script>"
    machine = machine_with(View(object={said: Words(text=said)}))
    read = machine_from_text(machine_to_text(machine), "m.toml", "seen")
    assert read.view.object[said].text == said


def test_as_many_objects_as_a_page_can_hold() -> None:
    """A hundred thousand repetitions are fine, more than a million of them are not, taken together."""
    assert machine_with(View(object={"many": Sphere(radius=1, count=10**5)}))
    with pytest.raises(LinkworkError, match="more objects than can be shown"):
        machine_with(View(object={"a": Sphere(radius=1, count=10**6), "b": Sphere(radius=1, count=10**6)}))


def test_names_of_colours() -> None:
    assert all(is_colour(name) and is_colour(code) for name, code in COLOURS.items())
    assert colour_code("#FF00aa") == "#ff00aa"


GOOD: Final = """\
linkwork = 1
dimension = 3
[parameter]
r = 2
[frame.bob]
varies = ["tx", "tz"]
mass = 1
[view]
background = "sky"
[view.object.car]
shape = "box"
on = "bob"
size = ["r", 1, "1 + position(bob).x"]
colour = "red"
[view.object.post]
shape = "cylinder"
at = ["i", 0, 0]
radius = 0.1
length = 2
count = 20
[view.object.rail]
shape = "tube"
curve = ["r*cos(s)", "r*sin(s)", 0]
over = ["s", 0, "2*pi"]
radius = 0.1
[view.object.land]
shape = "terrain"
height = "sin(x)*y"
size = [10, 10]
steps = 20
[view.object.rope]
shape = "rod"
between = ["ground", "bob"]
radius = 0.05
[view.object.wheel]
shape = "model"
file = "wheel.stl"
[view.light.sun]
at = [1, 2, 3]
[view.camera.ride]
on = "bob"
at = [0, -8, 3]
toward = "bob"
"""
FAULTS: Final = {
    "misspelt frame": ('on = "bob"\nsize', 'on = "bo"\nsize'),
    "field of another shape": ('size = ["r"', 'radius = 1\nsize = ["r"'),
    "missing field": ("radius = 0.1\nlength", "length"),
    "unknown shape": ('"tube"', '"tubes"'),
    "no shape": ('shape = "tube"\n', ""),
    "unknown colour": ('"red"', '"rde"'),
    "unknown background": ('"sky"', '"skye"'),
    "too many": ("count = 20", "count = 2000000"),
    "half an object": ("count = 20", "count = 2.5"),
    "count that moves": ("count = 20", 'count = "1 + bob.tx"'),
    "negative radius": ("radius = 0.1\nlength", 'radius = "-r"\nlength'),
    "infinite size": ('["r", 1,', '["1/(r - 2)", 1,'),
    "unknown name": ("sin(x)*y", "sin(q)*y"),
    "unknown function": ("sin(x)*y", "sinn(x)*y"),
    "no name that runs": ('over = ["s"', "over = [3"),
    "vector of two": ("at = [0, -8, 3]", "at = [0, -8]"),
    "number for a vector": ("at = [0, -8, 3]", 'at = "r"'),
    "vector for a number": ('height = "sin(x)*y"', 'height = "[x, y, 0]"'),
    "camera looks at nothing": ('toward = "bob"', 'toward = "bop"'),
    "rod to nowhere": ('["ground", "bob"]', '["ground", "bop"]'),
    "file elsewhere": ('"wheel.stl"', '"../wheel.stl"'),
    "file of another kind": ('"wheel.stl"', '"wheel.exe"'),
    "cylinder without a length": ("length = 2\n", ""),
    "too many steps": ("steps = 20", "steps = 5000"),
    "kind of light": ("at = [1, 2, 3]", 'kind = "sunn"'),
    "angle of a camera": ('toward = "bob"', "angle = 300"),
}


def damaged(case: str) -> str:
    old, new = FAULTS[case]
    assert old in GOOD
    return GOOD.replace(old, new, 1)


@pytest.mark.parametrize("case", FAULTS)
def test_faults_have_a_line_and_a_cure(case: str) -> None:
    with pytest.raises(PlacedError) as caught:
        machine_from_text(damaged(case), "m.toml", "m")
    assert caught.value.line > 0
    assert caught.value.fix


@pytest.mark.parametrize("case", FAULTS)
def test_the_schema_says_what_the_reader_says(case: str) -> None:
    agrees(damaged(case))


def test_messages_are_as_they_were() -> None:
    """UPDATE_GOLDEN=1 writes them anew."""
    import os

    told = []
    for case in FAULTS:
        with pytest.raises(PlacedError) as caught:
            machine_from_text(damaged(case), "m.toml", "m")
        told.append(f"{case}\n{caught.value}\n")
    text = "\n".join(told)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, "utf-8")
    assert GOLDEN.read_text("utf-8") == text


def test_the_plane_takes_two_coordinates() -> None:
    machine = Machine.of(
        "flat",
        frames={"bob": Frame(varies=("tx",), mass=1)},
        view=View(object={"a": Box(size=(1, 2), at=(0, 1)), "b": Rod(between=("bob", "[1, 1]"), radius=0.1)}),
    )
    assert machine_from_text(machine_to_text(machine), "m.toml", "flat") == machine
