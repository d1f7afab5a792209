"""Gears by their teeth: which mesh and in which ratio, whatever made the teeth; and what only looks like it."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from solid_machines import QUARTER, Solids, box, rod
from toothed_machines import (
    BORE,
    CHANGES,
    THICK,
    Form,
    Make,
    Wheel,
    changed,
    compound_train,
    cubes,
    in_mesh,
    involute,
    lantern,
    mesh_of_prism,
    on_plate,
    planetary,
    polygonal,
    rack_and_pinion,
    ring_and_pinion,
    saw,
    shell_of_prism,
    side_by_side,
    spur_pair,
    star,
    train,
    trapezoids,
)

from linkwork import examples, simulate
from linkwork.model import load
from linkwork.recognition import Pair, Recognition, RecognitionError, Wishes, recognise, recognise_solids
from linkwork.recognition.toothed import around_each_other
from linkwork.solid import Cylinder, Prism, Solid, section
from linkwork.solid.placement import Triple
from linkwork.solid.region import Region, difference, involute_gear
from linkwork.solid.scad import read_scad


def found_in(solids: Solids, wishes: Wishes | None = None) -> Recognition:
    return recognise_solids(solids, next(iter(solids)), wishes)


def meshes(found: Recognition) -> dict[tuple[str, str], float]:
    return {pair.parts: pair.ratio for pair in found.pairs if pair.ratio is not None}


def only_mesh(solids: Solids) -> Pair:
    (pair,) = (pair for pair in found_in(solids).pairs if pair.ratio is not None)
    return pair


def backlash_of(pair: Pair) -> float:
    said = re.search(r"backlash, ([\d.e+-]+) at", pair.why)
    return float(said[1]) if said else 0.0


# ---------------------------------------------------------------------------------------- spur gears


@pytest.mark.parametrize(("first", "second"), [(12, 35), (35, 12), (6, 6), (17, 90)])
def test_a_pair_turns_in_the_ratio_of_its_teeth(first: int, second: int) -> None:
    pair = only_mesh(spur_pair(first, second))
    assert pair.kind == "gear"
    assert pair.teeth == (first, second)
    assert pair.ratio == -first / second
    assert pair.radii == pytest.approx((first / 2, second / 2))


@pytest.mark.parametrize("backlash", [0.0, 0.02, 0.1, 0.3])
def test_backlash_is_measured(backlash: float) -> None:
    """Each tooth is thinner by it; arcs stand for involutes within a thousandth of the module."""
    pair = only_mesh(spur_pair(12, 20, backlash))
    assert backlash_of(pair) == pytest.approx(2 * backlash, abs=3e-3)


@pytest.mark.parametrize("apart", [0.1, 0.3, 0.5])
def test_axes_a_little_too_far_apart_add_backlash(apart: float) -> None:
    """Of involutes it grows by twice the distance times the tangent of the working pressure angle."""
    pair = only_mesh(spur_pair(20, 30, apart=apart))
    base, away = math.cos(math.radians(20)) * 25, 25 + apart
    involute_of = [math.tan(angle) - angle for angle in (math.acos(base / away), math.radians(20))]
    assert backlash_of(pair) == pytest.approx(2 * away * (involute_of[0] - involute_of[1]), abs=4e-3)
    assert pair.radii == pytest.approx((away * 0.4, away * 0.6))


@pytest.mark.parametrize("make", [mesh_of_prism, shell_of_prism])
def test_the_format_makes_no_difference(make: Make) -> None:
    """Teeth are those of sections, and these are alike."""
    at, turned = in_mesh(14, Wheel({}), 9)
    one, other = (make(involute(teeth, 0.1), THICK) for teeth in (9, 14))
    found = fitting(one, other.turned(turned).moved((*at, 0)), at)
    assert found == pytest.approx((9, 14, 0.2), abs=0.02)


def test_gears_of_cad_files_are_found() -> None:
    """Shells of some hundred faces, as STEP files have them."""
    assert only_mesh(spur_pair(9, 14, 0.1, make=shell_of_prism)).teeth == (9, 14)


@pytest.mark.parametrize("height", [0.3, 1.7, 3.9])
def test_helical_gears_mesh_at_every_height(height: float) -> None:
    """Teeth that wind oppositely: each section is that of spur gears, turned on."""
    at, turned = in_mesh(18, Wheel({}), 12)
    one, other = (helical(teeth, way) for teeth, way in ((12, 1), (18, -1)))
    found = fitting(one, other.turned(turned).moved((*at, 0)), at, height)
    assert found == pytest.approx((12, 18, 0.3), abs=0.04)


def helical(teeth: int, way: int) -> Solid:
    """A wheel whose teeth go on by a pitch from bottom to top."""
    twist = way * 360 / teeth
    return read_scad(
        f"linear_extrude(height=4, twist={twist}, slices=24) involute_gear({teeth}, m=1, backlash=0.15);"
    )


def fitting(
    one: Solid, other: Solid, at: tuple[float, float], height: float = 1.0
) -> tuple[int, int, float] | None:
    """The teeth and the backlash of two wheels about the origin and another point."""
    sections = section(one, height), section(other, height)
    met = around_each_other(sections, (0j, complex(*at)), (0.0, THICK))
    if met is None or met.fit.off:
        return None
    first, second = (teeth.count for teeth in met.teeth)
    return first, second, met.fit.play * math.tau * abs(complex(*at)) / (first + second)


@pytest.mark.parametrize("form", [polygonal, cubes])
def test_the_form_of_teeth_makes_no_difference(form: Form) -> None:
    assert only_mesh(spur_pair(12, 20, form=form)).teeth == (12, 20)


def test_straight_flanks_lead_and_lag_but_keep_the_ratio() -> None:
    """At no one phase are they clear all the way, but everywhere at some: the least play is 0.063, as in shapely."""
    pair = only_mesh(trapezoid_pair(0.0))
    assert (pair.teeth, pair.ratio) == ((15, 14), -15 / 14)
    assert backlash_of(pair) == pytest.approx(0.063, abs=4e-3)
    assert "their flanks make the one lead and lag the other by" in pair.why


def test_straight_flanks_drawn_in_one_another_tell_the_turn() -> None:
    with pytest.raises(RecognitionError) as caught:
        found_in(trapezoid_pair(0.03))
    assert re.search(r"the teeth of other turned by -[\d.]+ degrees", str(caught.value.fix))


def test_straight_flanks_that_jam_are_no_gears() -> None:
    """Thicker by so little that the least play is gone: they touch, and that is what is said of them."""
    found = found_in(trapezoid_pair(0.0, -0.06))
    assert not meshes(found)
    assert ("one", "other") in {each.parts for each in found.interactions}


def trapezoid_pair(off: float, backlash: float = 0.0) -> Solids:
    """Two wheels with straight flanks, a tooth of the first in the middle of a gap of the second."""
    one = Wheel({0.0: trapezoids(15, backlash)})
    at, turned = in_mesh(14, one, 15)
    return on_plate({"one": one, "other": Wheel({0.0: trapezoids(14, backlash)}, at, turned + off)})


def test_a_lantern_pinion() -> None:
    """Pins between discs, and a wheel with gaps that such pins have cut, wider by a twentieth on each side."""
    pair = only_mesh(lantern())
    assert (pair.teeth, pair.ratio) == ((24, 8), -3.0)
    assert backlash_of(pair) == pytest.approx(0.1, abs=2e-3)


@pytest.mark.parametrize("change", CHANGES)
def test_place_size_and_hand_make_no_difference(change: str) -> None:
    pair = only_mesh(changed(spur_pair(9, 14, 0.1), CHANGES[change]))
    scale = {"small": 1e-3, "large": 1e3}.get(change, 1.0)
    assert (pair.teeth, pair.ratio) == ((9, 14), -9 / 14)
    assert backlash_of(pair) == pytest.approx(0.2 * scale, rel=0.02)


# ----------------------------------------------------------------------------------------------- trains


@pytest.mark.parametrize("idler", [10, 23])
def test_an_idler_changes_only_the_direction(idler: int) -> None:
    ratios = meshes(found_in(train(12, idler, 18)))
    assert len(ratios) == 2
    assert math.prod(ratios.values()) == pytest.approx(12 / 18)


def test_stages_on_one_arbor_multiply() -> None:
    found = found_in(compound_train((12, 30), (10, 25), (9, 27)))
    ratios = meshes(found)
    assert {*ratios} == {("arbor_0", "arbor_1"), ("arbor_1", "arbor_2"), ("arbor_2", "arbor_3")}
    assert math.prod(ratios.values()) == pytest.approx(-12 / 30 * 10 / 25 * 9 / 27)
    assert [each.mobility for each in found.subsystems] == [1]


@pytest.mark.parametrize("change", CHANGES)
def test_a_pinion_in_a_ring(change: str) -> None:
    found = found_in(changed(ring_and_pinion(30, 12), CHANGES[change]))
    assert meshes(found) == {("ring", "pinion"): 30 / 12}
    assert not found.interactions


@pytest.mark.parametrize("change", ["as drawn", "in space"])
def test_a_planetary_gear(change: str) -> None:
    """The ring is part of the frame, and the sun turns on it, not on the arm that carries the planets."""
    found = found_in(changed(planetary(), CHANGES[change]))
    every = {("frame", f"planet_{place}"): 60 / 18 for place in range(3)}
    every |= {("sun", f"planet_{place}"): -24 / 18 for place in range(3)}
    assert meshes(found) == pytest.approx(every)
    assert {pair.carrier for pair in found.pairs if pair.ratio} == {"arm"}
    assert [each.mobility for each in found.subsystems] == [1]


def test_a_planetary_gear_runs_as_willis_says() -> None:
    """The arm turns 1 + ring/sun times more slowly than the sun: 18 and 48 teeth, simulated from rest."""
    machine = recognise(load("involute-gears")).machine
    assert machine is not None
    run = simulate(machine, until=0.5)
    sun, arm, planet = (run[f"{part}.rate"][-1] for part in ("sun", "arm", "planet_1"))
    assert sun > 1
    assert sun / arm == pytest.approx(1 + 48 / 18, rel=1e-6)
    assert (planet - arm) / (sun - arm) == pytest.approx(-18 / 15, rel=1e-6)


def test_a_planetary_gear_in_a_machine_of_space(tmp_path: Path) -> None:
    """The sun is carried by the housing, not by the arm: its angle against the arm is a coordinate of its own."""
    text = examples.path("involute-gears").read_text("utf-8")
    aside = "translate([0, 0, 60]) rotate([0, 90, 0])"
    text = text.replace(
        'label("axle") ',
        f"translate([-80, -5, -12]) cube([12, 10, 72]); {aside} translate([0, 0, -75]) cylinder(d=6, h=40);"
        'label("axle") ',
    )
    text += f"""
[part.knob]
solid = "{aside} translate([0, 0, -60]) difference() {{ cylinder(d=20, h=9); cylinder(d=6, h=20, center=true); }}"
density = 1e-6
"""
    (tmp_path / "space.toml").write_text(text, "utf-8")
    machine = recognise(load(tmp_path / "space.toml")).machine
    assert machine is not None
    assert machine.dimension == 3
    run = simulate(machine, until=0.05)
    sun, arm = (run[f"{joint}.angle"][-1] for joint in ("sun_axis", "arm_axis"))
    assert sun > 0.01
    assert sun / arm == pytest.approx(1 + 48 / 18, rel=1e-5)


@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize("change", CHANGES)
def test_a_rack(change: str, below: bool) -> None:
    """A turn of the pinion takes the rack along as it takes its teeth there: velocity = axis × arm."""
    solids = changed(rack_and_pinion(below=below), CHANGES[change])
    found = found_in(solids)
    (pair,) = (pair for pair in found.pairs if pair.ratio is not None)
    (slide,) = (pair for pair in found.pairs if pair.kind == "prismatic")
    scale = {"small": 1e-3, "large": 1e3}.get(change, 1.0)
    assert (pair.kind, pair.parts, pair.teeth) == ("rack", ("pinion", "rack"), (15, 12))
    assert pair.ratio is not None
    assert abs(pair.ratio) == pytest.approx(7.5 * scale)
    middle = np.mean(solids["rack"].box, axis=0)
    assert pair.axis is not None
    assert slide.axis is not None
    speed = np.cross(pair.axis, middle - np.array(pair.point)) @ np.array(slide.axis)
    assert math.copysign(1, speed) == math.copysign(1, pair.ratio)
    assert [each.mobility for each in found.subsystems] == [1]


def test_pitch_cylinders_may_point_either_way() -> None:
    """The ratio is about one axis, however the cylinders were made."""
    wheel = Cylinder(3, 1).named("teeth", gear=True) - rod(0.5, (0, 0, -1), 3)
    plate = box((-9, -9, -2), (19, 9, -1)) | rod(0.5, (0, 0, -1.5), 4) | rod(0.5, (6, 0, -1.5), 4)
    solids = {"plate": plate, "one": wheel, "other": wheel.turned(math.pi, (1, 0, 0)).moved((6, 0, 1))}
    found = found_in(solids)
    assert meshes(found) == {("one", "other"): -1.0}


# ------------------------------------------------------------------------------- said and drawn otherwise


@pytest.mark.parametrize("word", ["contact", "ignore"])
def test_the_file_may_keep_teeth_in_contact(word: str) -> None:
    found = found_in(spur_pair(9, 14, 0.1), Wishes({frozenset(("one", "other")): word}))
    assert not meshes(found)
    assert [set(each.parts) for each in found.interactions] == [{"one", "other"}]


@pytest.mark.parametrize("off", [0.08, -0.15])
def test_teeth_on_teeth_are_an_error_that_tells_by_how_much_to_turn(off: float) -> None:
    with pytest.raises(RecognitionError, match="parts overlap") as caught:
        found_in(spur_pair(9, 14, 0.1, off=off))
    said = re.search(r"other turned by (\S+) degrees", str(caught.value.fix))
    assert said
    assert math.radians(float(said[1])) == pytest.approx(-off, abs=2e-3)
    assert only_mesh(spur_pair(9, 14, 0.1, off=off + math.radians(float(said[1])))).teeth == (9, 14)


def redrawn(folder: Path, changes: dict[str, str]) -> Recognition:
    """What is found in the planetary gear of the examples with another text here and there."""
    text = examples.path("involute-gears").read_text("utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "planetary.toml"
    file.write_text(text, "utf-8")
    return recognise(load(file))


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("housing", "rotate(180/ring_teeth)", "rotate({})"),
        ("sun", "involute_gear(sun_teeth", "rotate(7 + {}) involute_gear(sun_teeth"),
        ("planet_1", "involute_gear(planet_teeth", "rotate(9 + {}) involute_gear(planet_teeth"),
    ],
)
def test_advice_for_a_wheel_in_several_meshes_suits_all_of_them(
    part: str, old: str, new: str, tmp_path: Path
) -> None:
    """A planet out of phase with the ring alone is not turned: it would be out of phase with the sun then."""
    with pytest.raises(RecognitionError, match="parts overlap") as caught:
        redrawn(tmp_path, {old: new.format(0)})
    said = re.fullmatch(
        r"the teeth of (\w+) turned by (\S+) degrees about \(0, 0, 1\): all are then in gaps",
        str(caught.value.fix),
    )
    assert said
    assert said[1] == part
    found = redrawn(tmp_path, {old: new.format(said[2])})
    assert sum(pair.kind == "gear" for pair in found.pairs) == 6


def turned_about(solid: Solid, at: Triple, angle: float) -> Solid:
    x, y, _ = at
    return solid.moved((-x, -y, 0)).turned(angle, (0, 0, 1)).moved((x, y, 0))


def as_advised(solids: Solids, places: Mapping[str, Triple]) -> Solids:
    """The same machine, its wheels turned as the error says that they should be, if there is one."""
    try:
        found_in(solids)
    except RecognitionError as error:
        told = re.findall(r"the teeth of (\w+) turned by (\S+) degrees about \(0, 0, 1\)", str(error.fix))
        assert told
        return {
            **solids,
            **{n: turned_about(solids[n], places[n], math.radians(float(by))) for n, by in told},
        }
    return solids


@pytest.mark.parametrize("seed", range(6))
def test_advice_for_several_wheels_at_once_brings_all_teeth_into_gaps(seed: int) -> None:
    """Trains, compounds and planetary gears of which each wheel but the ring is turned anyhow, or not."""
    rng = random.Random(seed)
    backlash = rng.choice((0.03, 0.1, 0.2))
    solids = (
        train(*(rng.randint(9, 24) for _ in range(rng.randint(2, 4))), backlash=backlash),
        compound_train((rng.randint(10, 14), rng.randint(16, 25)), (11, 19), backlash=backlash),
        planetary(12 + 2 * (seed // 3), 12, 2, backlash),
    )[seed % 3]
    drawn = found_in(solids)
    places = {
        pair.parts[1]: pair.point
        for pair in drawn.pairs
        if pair.kind == "revolute" and pair.point is not None and pair.parts[1] != "arm"
    }
    turned = {
        name: turned_about(solid, places[name], rng.choice((0.0, rng.uniform(-0.4, 0.4))))
        if name in places
        else solid
        for name, solid in solids.items()
    }
    assert meshes(found_in(as_advised(turned, places))) == meshes(drawn)


def test_planets_that_cannot_be_in_phase_are_told_as_such(tmp_path: Path) -> None:
    """19 and 51 teeth of sun and ring cannot be divided by three planets."""
    changes = {"sun_teeth = 18": "sun_teeth = 19", "planet_teeth = 15": "planet_teeth = 16"}
    with pytest.raises(RecognitionError, match="parts overlap") as caught:
        redrawn(tmp_path, changes)
    assert "no turn of the wheels brings all teeth into gaps" in str(caught.value.fix)


def test_fine_teeth_out_of_phase_are_an_error_too() -> None:
    """Their overlap is less than what counts as one between other parts of a machine of this size."""
    solids = spur_pair(9, 14, 0.1, off=0.035)
    solids["plate"] |= box((-1000, -5, -4), (1000, 5, -3))
    with pytest.raises(RecognitionError, match="out of phase by"):
        found_in(solids)


def test_a_rack_out_of_phase_is_moved() -> None:
    solids = rack_and_pinion()
    solids["rack"] = solids["rack"].moved((0.5, 0, 0))
    with pytest.raises(RecognitionError) as caught:
        found_in(solids)
    assert "rack moved by (-0.5, 0, 0)" in str(caught.value.fix)


def test_gears_that_overlap_beside_their_teeth_are_refused() -> None:
    """A flange of the one, of radius 9, and a hub of the other, of radius 4, on axes that are 11.5 apart."""
    solids = spur_pair(9, 14, 0.1)
    flange = rod(9, (0, 0, THICK), 6) - rod(BORE, (0, 0, 0), 20)
    x, y = 11.5 * math.cos(0.3), 11.5 * math.sin(0.3)
    hub = rod(4, (x, y, 0), 2.5 * THICK) - rod(BORE, (x, y, 0), 20)
    found_in(solids | {"other": solids["other"] | hub})
    with pytest.raises(RecognitionError, match=r"one and other by 1\.5 at") as caught:
        found_in(solids | {"one": solids["one"] | flange, "other": solids["other"] | hub})
    assert "parts overlap" in str(caught.value)


# -------------------------------------------------------------------------------------------- near misses


def one_above_the_other() -> Solids:
    one = Wheel({0.0: involute(12)})
    return on_plate({"one": one, "other": Wheel({THICK: involute(20)}, *in_mesh(20, one, 12))})


def crossed() -> Solids:
    """A wheel over another whose axis crosses its own, as a worm's does."""
    plate = box((-20, -20, -16), (40, 20, -14)) | rod(BORE, (0, 0, -15), THICK + 17)
    plate |= box((12, -12, -16), (24, -8, 8)) - rod(BORE, (18, -13, THICK / 2), 6, "y")
    worm = Prism(involute(12), 6) | rod(BORE, (0, 0, -9), 15)
    one = Prism(involute(20) - Region.circle(BORE), THICK)
    return {"plate": plate, "one": one, "other": worm.turned(-QUARTER, (1, 0, 0)).moved((18, -3, THICK / 2))}


def on_one_axis() -> Solids:
    plate = box((-20, -20, -4), (20, 20, -1)) | rod(BORE, (0, 0, -2), 2 * THICK + 4)
    wheel = Prism(involute(20) - Region.circle(BORE), THICK)
    return {"plate": plate, "one": wheel, "other": wheel.moved((0, 0, THICK))}


def splined() -> Solids:
    """A shaft with teeth in a hub with the same teeth: it slides."""
    hub = box((-20, -20, 0), (20, 20, 8)) - Prism(involute(12), 10).moved((0, 0, -1))
    return {"hub": hub, "shaft": Prism(involute(12, 0.05), 30).moved((0, 0, -10))}


def geneva() -> Solids:
    slots = [Region.rectangle(8, 1.2).moved((4, -0.6)).turned(place * math.pi / 3) for place in range(6)]
    driver = Region.circle(3) | Region.circle(0.5, (8, 0)) | Region.rectangle(8, 0.8).moved((0, -0.4))
    return side_by_side(driver, difference(Region.circle(9), slots), 14, (0.7 * math.pi, 0.0))


def with_a_tooth_missing() -> Solids:
    gap = Region.circle(6.5) - Region.circle(4.75)
    sector = Region.polygon([(0, 0), (9, 9 * math.tan(math.pi / 12)), (9, -9 * math.tan(math.pi / 12))])
    return side_by_side(
        involute(12) - (gap & sector.turned(math.pi)), involute(20), 16, (0.0, math.pi + math.pi / 20)
    )


def with_a_long_tooth() -> Solids:
    long = involute(12) | Region.rectangle(2, 0.3).moved((-8, -0.15))
    return side_by_side(long, involute_gear(20, 1.0), 16, (0.0, math.pi + math.pi / 20))


NO_GEARS = {
    "one above the other": one_above_the_other,
    "tips half a module apart": lambda: spur_pair(apart=2.5),
    "tips that pass each other": lambda: spur_pair(apart=1.95),
    "crossed axes": crossed,
    "one axis": on_one_axis,
    "splines": splined,
    "Geneva wheel": geneva,
    "knurled knobs side by side": lambda: side_by_side(star(60, 10, 9.5), star(60, 10, 9.5), 20.1),
    "a star in fine teeth": lambda: side_by_side(
        star(8, 10, 7), involute(30), 25.2, (0.0, math.pi + math.pi / 30)
    ),
    "stars of other counts than their sizes": lambda: side_by_side(
        star(6, 10, 6), star(12, 20, 16), 27, (0.0, math.pi + math.pi / 12)
    ),
    "a star and a ratchet wheel": lambda: side_by_side(
        star(6, 5, 3), saw(24, 12, 10.5), 16.2, (0.0, math.pi + 0.17)
    ),
    "wheels of three and four": lambda: side_by_side(star(3, 10, 3), star(4, 12, 4), 17, (0.0, math.pi / 4)),
    "a tooth missing": with_a_tooth_missing,
    "a tooth too long": with_a_long_tooth,
}


@pytest.mark.parametrize("name", NO_GEARS)
@pytest.mark.parametrize("change", ["as drawn", "mirrored"])
def test_what_only_looks_like_gears(name: str, change: str) -> None:
    assert not meshes(found_in(changed(NO_GEARS[name](), CHANGES[change])))
