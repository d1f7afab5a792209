"""Sections, layers and masses of shells: those of the same solids made of simple ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shells import PLACES, elbow, pairs, ring, washer

from linkwork.solid import (
    Block,
    Cylinder,
    Placement,
    Solid,
    SolidError,
    is_prismatic,
    layers,
    mass_properties,
    section,
    separate_solids,
)
from linkwork.solid.step import read_step

KINDS = {name: (shell, solid) for name, shell, solid, _ in pairs()}
FILES = Path(__file__).parents[1] / "step" / "files"


def check_section(solid: Solid, height: float, deviation: float | None = None) -> None:
    """The region holds the points that the solid holds at this height."""
    low, high = solid.box
    flat = np.random.default_rng(3).uniform(low[:2] - 1, high[:2] + 1, (400, 2))
    region = section(solid, height, deviation=deviation)
    points = np.column_stack([flat, np.full(len(flat), height)])
    clear = np.abs(region.distance(flat)) > (deviation or 1e-6) if region else np.ones(len(flat), dtype=bool)
    assert np.array_equal(region.contains(flat)[clear], solid.contains(points)[clear])


@pytest.mark.parametrize("place", PLACES, ids=["here", "shifted", "turned", "mirrored", "scaled"])
@pytest.mark.parametrize("name", KINDS)
def test_sections_are_those_of_the_same_solid(name: str, place: Placement) -> None:
    shell, solid = (each.placed(place) for each in KINDS[name])
    low, high = solid.box
    deviation = 1e-4 * float(np.linalg.norm(high - low))
    for share in (0.13, 0.37, 0.5, 0.71, 0.9):
        height = float(low[2] + share * (high[2] - low[2]))
        one, other = section(shell, height, deviation=deviation), section(solid, height, deviation=deviation)
        size = max(one.length, other.length) if one or other else 0.0
        assert (one.area if one else 0.0) == pytest.approx(
            other.area if other else 0.0, abs=3 * deviation * size + 1e-9
        )
        check_section(shell, height, 4 * deviation)


def test_sections_of_prismatic_shells_are_exact() -> None:
    found = section(washer(5, 2, 3), 1.0)
    assert found.area == pytest.approx(math.pi * 21, rel=1e-12)
    assert len(found.loops) == 2
    assert is_prismatic(washer(5, 2, 3))
    (layer,) = layers(washer(5, 2, 3))
    assert (layer.low, layer.high) == (0, 3)
    lying = section(washer(5, 2, 3), 0.0, axis=(1, 0, 0))
    assert lying.area == pytest.approx(18, rel=1e-9)


def test_a_section_is_that_just_above_its_height() -> None:
    """As of simple solids: at its lower end a shell has one, at its upper end none."""
    shell = washer(5, 2, 3)
    assert section(shell, 0.0).area == pytest.approx(math.pi * 21)
    assert not section(shell, 3.0)


@pytest.mark.parametrize(
    "name", ["shaft_in_plate_mm", "hinge_ap203", "gear_box_ap242", "part_rounded_block", "part_filleted_stud"]
)
@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 1, 0)])
def test_sections_of_parts_of_files(name: str, axis: tuple[float, float, float]) -> None:
    turn = Placement() if axis[2] else Placement.turn(math.pi / 2, (1, 0, 0))
    for part in read_step(FILES / f"{name}.step").parts:
        solid = part.solid.placed(turn)
        low, high = solid.box
        for share in (0.11, 0.43, 0.77):
            if name in ("part_rounded_block", "part_filleted_stud") and not axis[2]:
                continue  # tori are cut aslant
            check_section(solid, float(low[2] + share * (high[2] - low[2])), 0.01)


def test_layers_of_a_plate() -> None:
    plate, shaft = (part.solid for part in read_step(FILES / "shaft_in_plate_mm.step").parts)
    (layer,) = layers(plate)
    holes = math.pi * (6.05**2 + 4 * 2.25**2)
    assert layer.region.area == pytest.approx(60 * 40 - holes, rel=1e-12)
    assert [round(each.high - each.low, 9) for each in layers(shaft)] == [8, 4, 28]
    assert separate_solids(plate) == (1, True)


def test_a_torus_cut_aslant_is_told() -> None:
    with pytest.raises(SolidError, match="torus is cut aslant"):
        section(ring(5, 2), 0.0, axis=(1, 0, 0))
    assert section(ring(5, 2), 0.0).area == pytest.approx(math.pi * (49 - 9))
    assert section(elbow(5, 2, 2.0), 0.5).area == pytest.approx(
        (5 + math.sqrt(3.75)) ** 2 - (5 - math.sqrt(3.75)) ** 2, rel=1e-8
    )


@given(st.floats(0.05, 1.5), st.floats(-1, 1), st.floats(0.1, 0.9))
def test_leaning_cylinders_are_cut_to_ellipses(angle: float, twist: float, share: float) -> None:
    place = Placement.turn(angle, (1, twist, 0))
    shell, solid = washer(5, 2, 30).placed(place), (Cylinder(5, 30) - Cylinder(2, 30)).placed(place)
    low, high = solid.box
    height = float(low[2] + share * (high[2] - low[2]))
    one, other = section(shell, height, deviation=1e-3), section(solid, height, deviation=1e-3)
    assert (one.area if one else 0.0) == pytest.approx(other.area if other else 0.0, rel=1e-3, abs=0.05)


def test_masses_of_shells_alone_and_combined() -> None:
    """Alone by their edges, exactly; with others by sections."""
    place = Placement.turn(0.4, (1, 1, 0), (9, 2, 3))
    found = mass_properties(washer(5, 2, 3).placed(place))
    other = mass_properties((Cylinder(5, 3) - Cylinder(2, 3)).placed(place))
    assert found.volume == pytest.approx(other.volume, rel=1e-12)
    assert np.allclose(found.centre, other.centre)
    assert np.allclose(found.inertia, other.inertia)
    assert found.error < 1e-12
    cut = mass_properties(washer(5, 2, 3) - Block((20, 20, 1)).moved((-10, -10, 1)))
    assert cut.volume == pytest.approx(math.pi * 21 * 2, rel=1e-12)
