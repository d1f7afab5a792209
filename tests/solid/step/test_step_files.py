"""Files that OCCT has written: names, places, volumes, inertia and points as OCCT has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkwork.solid import Cylinder, Placed, RoundFace, Solid, Sphere
from linkwork.solid.shell import Patch, Shell
from linkwork.solid.shell.moments import Moments, moments
from linkwork.solid.step import read_step
from linkwork.solid.step.occt import is_there

FILES = Path(__file__).parent / "files"
FACTS: dict[str, dict[str, Any]] = json.loads((FILES / "facts.json").read_text())
OURS = [name for name in FACTS if name != "free_forms_inch"]
"""Files that our own reader knows all of."""
ROUGH = {"drilled rod", "flat on cone", "elbow"}
"""Parts with edges that are chains of points."""


def patches_of(solid: Solid) -> tuple[Patch, ...]:
    if isinstance(solid, Placed):
        return tuple(patch.placed(solid.place) for patch in patches_of(solid.solid))
    assert isinstance(solid, Shell)
    return solid.patches


def check(found: Moments, expected: dict[str, Any], *, rough: bool) -> None:
    size = expected["volume"] ** (1 / 3)
    assert found.volume == pytest.approx(expected["volume"], rel=1e-4 if rough else 1e-10)
    assert abs(found.volume - expected["volume"]) <= max(found.error, 1e-10 * expected["volume"])
    assert np.allclose(found.centre, expected["centre"], atol=(2e-5 if rough else 1e-7) * size)
    scale = np.abs(expected["inertia"]).max()
    assert np.allclose(found.inertia, expected["inertia"], atol=(1e-4 if rough else 2e-7) * scale)


@pytest.mark.parametrize("name", OURS)
def test_every_part_is_there_with_its_mass(name: str) -> None:
    assembly = read_step(FILES / f"{name}.step")
    assert sorted(part.name for part in assembly.parts) == sorted(FACTS[name])
    assert assembly.notes == ()
    for part in assembly.parts:
        check(moments(patches_of(part.solid)), FACTS[name][part.name], rough=part.name in ROUGH)


def test_units_are_told_and_inches_become_millimetres() -> None:
    metric, imperial = (read_step(FILES / f"shaft_in_plate_{unit}.step") for unit in ("mm", "inch"))
    assert (metric.unit, imperial.unit) == ("mm", "inch")
    for one, other in zip(metric.parts, imperial.parts, strict=True):
        assert np.allclose(one.solid.box, other.solid.box, atol=1e-9)


def test_another_unit_may_be_asked_for() -> None:
    parts = [read_step(FILES / "shaft_in_plate_inch.step", unit=unit).parts for unit in ("mm", "inch", "m")]
    low, high = np.array([each[0].solid.box for each in parts]).transpose(1, 0, 2)
    assert np.allclose(high[0], 25.4 * high[1])
    assert np.allclose(high[0], 1000 * high[2])
    assert np.allclose(low, 0, atol=1e-9)


def test_names_paths_and_colours() -> None:
    assembly = read_step(FILES / "gear_box_ap242.step")
    assert assembly.name == "gear box"
    paths = {part.name: part.path for part in assembly.parts}
    assert paths["axle_2"] == ("gear box", "wheel shaft", "axle")
    assert paths["screw_2"] == ("gear box", "screw:2")
    assert {part.product for part in assembly.parts} == {
        "housing",
        "cover",
        "screw",
        "axle",
        "pinion",
        "wheel",
    }
    coloured = read_step(FILES / "shaft_in_plate_mm.step")
    assert {part.name: part.colour for part in coloured.parts} == {"plate": "#336699", "shaft": "#ff8000"}


def test_parts_of_one_shape_are_read_once() -> None:
    parts = {part.name: part.solid for part in read_step(FILES / "gear_box_ap242.step").parts}
    one, other = parts["axle"], parts["axle_2"]
    assert isinstance(one, Placed)
    assert isinstance(other, Placed)
    assert one.solid is other.solid


def test_points_of_a_drilled_rod() -> None:
    """Against the same made of simple solids, but for points at the rims, which are chains."""
    (part,) = read_step(FILES / "part_drilled_rod.step").parts
    true = Cylinder(5, 30) - Cylinder(2, 20).turned(np.pi / 2, (0, 1, 0)).moved((-10, 0, 15))
    points = np.random.default_rng(3).uniform([-6, -6, -1], [6, 6, 31], (4000, 3))
    assert (part.solid.contains(points) != true.contains(points)).mean() < 1e-3


def test_a_void_is_outside() -> None:
    (part,) = read_step(FILES / "part_hollow_block.step").parts
    points = np.random.default_rng(3).uniform(-2, 22, (4000, 3))
    expected = np.all((points > 0) & (points < 20), axis=1) & ~Sphere(6).moved((10, 10, 10)).contains(points)
    assert np.array_equal(part.solid.contains(points), expected)


def test_holes_and_shafts_are_whole_cylinders() -> None:
    """However the file cuts them: one face a hole, all around."""
    plate, shaft = (part.solid for part in read_step(FILES / "shaft_in_plate_mm.step").parts)
    holes = [face for face in plate.faces() if isinstance(face, RoundFace)]
    assert sorted(face.radius for face in holes) == [2.25] * 4 + [6.05]
    collars = [face for face in shaft.faces() if isinstance(face, RoundFace)]
    assert sorted(face.radius for face in collars) == [6, 6, 9]
    assert all(face.angles == (0.0, 2 * np.pi) for face in [*holes, *collars])


@pytest.mark.skipif(is_there(), reason="OCCT reads them")
def test_free_forms_are_told_where_occt_is_not() -> None:
    from linkwork.solid.step import StepError

    with pytest.raises(StepError, match="free-form") as caught:
        read_step(FILES / "free_forms_inch.step")
    assert "linkwork[cad]" in caught.value.fix
    assert caught.value.entity


def test_splines_are_recognised() -> None:
    """A plate and a knob that are all splines have planes and a cylinder, a plane, a cone and a ball."""
    kinds = {}
    for name in ("splined_plate", "splined_knob"):
        (part,) = read_step(FILES / f"part_{name}.step").parts
        kinds[name] = sorted(type(face).__name__ for face in part.solid.faces())
    assert kinds["splined_plate"] == ["PlaneFace"] * 6 + ["RoundFace"]
    assert kinds["splined_knob"] == ["PlaneFace", "RoundFace", "SphereFace"]


@pytest.mark.skipif(not is_there(), reason="needs cadquery-ocp-novtk")
def test_occt_reads_free_forms_as_shells() -> None:
    """A transition becomes facets, within their deviation; the block beside it is read as ever."""
    parts = {part.name: part for part in read_step(FILES / "free_forms_inch.step").parts}
    facts = FACTS["free_forms_inch"]
    check(moments(patches_of(parts["block"].solid)), facts["block"], rough=False)
    found = moments(patches_of(parts["transition"].solid))
    assert found.volume == pytest.approx(facts["transition"]["volume"], rel=2e-3)
    assert abs(found.volume - facts["transition"]["volume"]) < found.error
    centre = np.array([facts["transition"]["centre"]])
    assert parts["transition"].solid.contains(np.vstack([centre, centre + 100])).tolist() == [True, False]


@pytest.mark.skipif(not is_there(), reason="needs cadquery-ocp-novtk")
@pytest.mark.parametrize(
    "name",
    [
        "hinge_ap203",
        "part_rounded_block",
        "part_hollow_block",
        "part_spike",
        "part_ring",
        "part_splined_plate",
    ],
)
def test_occt_gives_the_same_shells_as_our_own_reader(name: str) -> None:
    from linkwork.solid.step.assembly import Walk
    from linkwork.solid.step.occt import Occt
    from linkwork.solid.step.record import StepFile
    from linkwork.solid.step.text import StepText
    from linkwork.solid.step.unit import wanted_unit

    text = (FILES / f"{name}.step").read_text()
    walk = Walk(StepFile(StepText(text)), wanted_unit("mm"), "", None)
    walk.assembly("")
    through = Occt(text)
    for (number, told), shell in walk.bodies.items():
        body = walk.file.record(number)
        assert shell is not None
        other = through(body, walk.known_measures[told])
        assert len(other.patches) == len(shell.patches)
        assert moments(other.patches).volume == pytest.approx(moments(shell.patches).volume, rel=1e-9)
        assert np.allclose(moments(other.patches).centre, moments(shell.patches).centre, atol=1e-7)
