"""Names in pictures of machines in space: none lies on another, and what hides others lets them be seen."""

from __future__ import annotations

import pytest

from linkwork import load, recognise
from linkwork.view.callout import names_overlap
from linkwork.view.layout import picture
from linkwork.view.machine_marks import poses_as_drawn
from linkwork.view.machine_scene import machine_scene
from linkwork.view.paint import drawing_of
from linkwork.view.primitive import Circle, Text
from linkwork.view.scene import Scene
from linkwork.view.shape import Facets

SIZE = (640, 400)


@pytest.fixture(scope="module")
def lock() -> Scene:
    machine = recognise(load("pin-tumbler-lock")).machine
    assert machine is not None
    return machine_scene(machine, poses_as_drawn(machine), marked=True)


def test_names_that_would_lie_on_one_another_stand_beside_the_picture(lock: Scene) -> None:
    shown = picture(drawing_of(lock), 0, SIZE)
    assert not names_overlap(shown)
    names = {
        each.text: each for each in shown if isinstance(each, Text) and each.ink in ("label", "mark-name")
    }
    assert {"ground", "plug", "key", "key_pin_1", "driver_pin_5", "plug_axis", "plug_key"} <= {*names}
    assert all(0 <= each.at.real <= SIZE[0] and 0 <= each.at.imag <= SIZE[1] for each in names.values())
    assert {each.anchor for each in names.values() if each.ink == "mark-name"} == {"end"}


def test_every_name_has_a_line_to_a_place_in_the_picture(lock: Scene) -> None:
    shown = picture(drawing_of(lock), 0, SIZE)
    spots = [each.center for each in shown if isinstance(each, Circle) and each.ink == "leader-spot"]
    assert len(spots) == sum(isinstance(each, Text) and each.ink in ("label", "mark-name") for each in shown)
    assert all(0 < spot.real < SIZE[0] and 0 < spot.imag < SIZE[1] for spot in spots)


def test_what_hides_other_parts_is_drawn_by_its_edges(lock: Scene) -> None:
    clear = {
        body.name
        for body in lock.bodies
        if any(isinstance(shape, Facets) and shape.is_clear for shape in body.shapes)
    }
    assert clear == {"ground", "plug"}
