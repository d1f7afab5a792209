"""Volumes, centres and inertia: closed forms, laws, OCCT; layers; parts that fall apart."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from cut_parts import ANSWERS, CUTS, PARTS
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork.solid import (
    EMPTY,
    Block,
    Cone,
    Cylinder,
    MassProperties,
    NotPrismatic,
    Polyhedron,
    Prism,
    Solid,
    SolidError,
    Sphere,
    is_prismatic,
    layers,
    mass_properties,
    section,
    separate_solids,
)
from linkwork.solid.placement import Placement, triple
from linkwork.solid.region import Region
from random_solids import BRACKET, WEDGE, solids

OCCT: dict[str, dict[str, Any]] = json.loads(ANSWERS.read_text())


def diagonal(solid: Solid) -> list[float]:
    return [float(row[place]) for place, row in enumerate(mass_properties(solid).inertia)]


# ------------------------------------------------------------------------------------ closed forms


def test_block() -> None:
    """m (b² + c²) / 12, exactly."""
    found = mass_properties(Block((2, 3, 4)))
    assert found.volume == pytest.approx(24, rel=1e-14)
    assert found.centre == pytest.approx((1, 1.5, 2), rel=1e-14)
    assert np.array(found.inertia) == pytest.approx(np.diag([50, 40, 26]), rel=1e-13, abs=1e-12)
    assert found.error == 0


def test_round_solids() -> None:
    """Cylinder, ball, cone, and a piece of one: volumes and inertia of the tables."""
    pi = math.pi
    assert diagonal(Cylinder(2, 3)) == pytest.approx(
        [12 * pi * 21 / 12, 12 * pi * 21 / 12, 12 * pi * 2], rel=1e-12
    )
    assert diagonal(Sphere(2)) == pytest.approx([0.4 * 4 * 32 / 3 * pi] * 3, rel=1e-10)
    cone = mass_properties(Cone(2, 0, 3))
    assert cone.volume == pytest.approx(4 * pi, rel=1e-10)
    assert cone.centre == pytest.approx((0, 0, 0.75), abs=1e-9)
    across = 4 * pi * 3 / 80 * (4 * 4 + 9)
    assert np.diag(cone.inertia).tolist() == pytest.approx([across, across, 4 * pi * 0.3 * 4], rel=1e-9)
    assert mass_properties(Cone(2, 1, 3)).volume == pytest.approx(7 * pi, rel=1e-10)


def test_crossed_cylinders() -> None:
    """Archimedes and Steinmetz: 16 r³ / 3; a napkin ring has π h³ / 6, whatever the ball."""
    rod = Cylinder(1, 8).moved((0, 0, -4))
    common = mass_properties(rod & rod.turned(math.pi / 2, (1, 0, 0)))
    assert common.volume == pytest.approx(16 / 3, rel=1e-8)
    assert common.error < 1e-5
    for radius in (1.5, 2.0, 3.0):
        ring = Sphere(radius) - Cylinder(math.sqrt(radius**2 - 1), 9).moved((0, 0, -4))
        assert mass_properties(ring).volume == pytest.approx(math.pi * 8 / 6, rel=1e-7)


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_bores_along_several_axes_are_exact_unless_they_meet(angle: float) -> None:
    """Of a block with bores along x, y and z that pass one another, and an axle that sticks out of it."""
    block = Block((10, 10, 10))
    bores = (
        Cylinder(1, 12).moved((2, 2, -1)),
        Cylinder(1, 12).turned(math.pi / 2, (0, 1, 0)).moved((-1, 5, 5)),
        Cylinder(1, 12).turned(-math.pi / 2, (1, 0, 0)).moved((8, -1, 8)),
    )
    axle = Cylinder(2, 9).turned(math.pi / 2, (0, 1, 0)).moved((6, 5, 5))
    solid = ((block - bores[0] - bores[1] - bores[2]) | axle).turned(angle, (1, 2, 3))
    found = mass_properties(solid)
    plugged = math.pi * 4  # of the bore along x, which the axle fills from x = 6 on
    outside = math.pi * 4 * 5
    assert found.volume == pytest.approx(1000 - 30 * math.pi + plugged + outside, rel=1e-13)
    assert found.error == 0


def test_a_bore_that_leaves_nothing_of_another_takes_no_more() -> None:
    """A plate cut away along y, of which bores along z had been taken before."""
    plate = Block((8, 4, 1)) - Cylinder(0.5, 3).moved((2, 2, -1)) - Cylinder(0.5, 3).moved((6, 2, -1))
    cut = (
        plate
        - Block((9, 9, 9)).moved((4, -1, -1))
        - Cylinder(0.2, 9).turned(-math.pi / 2, (1, 0, 0)).moved((1, -1, 0.5))
    )
    assert mass_properties(cut).volume == pytest.approx(16 - math.pi / 4 - 0.16 * math.pi, rel=1e-13)


def test_polyhedra() -> None:
    """Half a block; the corner of a cube."""
    found = mass_properties(WEDGE)
    assert found.volume == pytest.approx(2, rel=1e-14)
    assert found.centre == pytest.approx((2 / 3, 0.5, 2 / 3), rel=1e-14)
    assert found.error == 0
    prism = Prism(Region.polygon([(0, 0), (2, 0), (0, 2)]), 1).turned(math.pi / 2, (1, 0, 0)).moved((0, 1, 0))
    assert found.inertia == pytest.approx(np.array(mass_properties(prism).inertia), rel=1e-12, abs=1e-13)
    mirrored = mass_properties(WEDGE.mirrored((1, 0, 0)))
    assert mirrored.volume == pytest.approx(2, rel=1e-14)
    assert mirrored.centre == pytest.approx((-2 / 3, 0.5, 2 / 3), rel=1e-14)


# -------------------------------------------------------------------------------------------- OCCT


@pytest.mark.parametrize("name", PARTS)
def test_masses_as_occt_has_them(name: str) -> None:
    """Volume, centre and inertia of parts of machines; OCCT's own are right to about seven digits."""
    found, wanted = mass_properties(PARTS[name]), OCCT[name]
    size = wanted["volume"] ** (1 / 3)
    assert found.volume == pytest.approx(wanted["volume"], rel=2e-6)
    assert found.centre == pytest.approx(wanted["centre"], abs=2e-6 * size)
    largest = np.abs(wanted["inertia"]).max()
    assert np.array(found.inertia) == pytest.approx(np.array(wanted["inertia"]), abs=5e-6 * largest)
    assert found.error < 1e-5


@pytest.mark.parametrize("name", PARTS)
def test_sections_as_occt_has_them(name: str) -> None:
    """The areas of sections along x, y, z and aslant."""
    areas = [section(PARTS[name], height, axis, 1e-4).area for axis, height in CUTS]
    assert areas == pytest.approx(OCCT[name]["areas"], rel=2e-5, abs=2e-3)


# -------------------------------------------------------------------------------------------- laws


def near(one: MassProperties, other: MassProperties, slack: float = 1e-7) -> bool:
    size = max(one.volume, 1e-3)
    return (
        math.isclose(one.volume, other.volume, rel_tol=slack, abs_tol=slack)
        and np.allclose(one.centre, other.centre, atol=slack * 10 / size)
        and np.allclose(one.inertia, other.inertia, rtol=slack, atol=slack * 100)
    )


@given(
    solids(square=True, prismatic=True),
    st.floats(-3, 3),
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: math.hypot(*axis) > 0.1),
    st.tuples(*[st.floats(-50, 50)] * 3),
)
def test_masses_move_with_the_solid(
    solid: Solid, angle: float, axis: tuple[float, float, float], by: tuple[float, float, float]
) -> None:
    """Anywhere in space: the centre moves along, the inertia turns, and exact ones stay exact."""
    try:
        here = mass_properties(solid)
    except SolidError:
        return
    place = Placement.shift(by).holding(Placement.turn(angle, axis))
    turned = place.matrix @ np.array(here.inertia) @ place.matrix.T
    rows = triple(turned[0]), triple(turned[1]), triple(turned[2])
    expected = MassProperties(here.volume, triple(place.point(here.centre)), rows, here.error)
    assert near(mass_properties(solid.placed(place)), expected, 1e-5 if here.error else 1e-8)


@settings(max_examples=8)
@given(solids(square=True), solids(square=True))
def test_volumes_add_up(a: Solid, b: Solid) -> None:
    """|A ∪ B| + |A ∩ B| = |A| + |B|, within the errors that are told."""

    def volume(solid: Solid) -> tuple[float, float]:
        try:
            found = mass_properties(solid)
        except SolidError:
            return 0.0, 0.0
        return found.volume, found.error * found.volume

    volumes, errors = zip(*(volume(each) for each in (a | b, a & b, a, b)), strict=True)
    slack = 10 * sum(errors) + 1e-5 * (1 + volumes[0])
    assert volumes[0] + volumes[1] == pytest.approx(volumes[2] + volumes[3], abs=slack)


def test_nothing_has_no_mass() -> None:
    """An empty solid, and one that is taken off itself."""
    with pytest.raises(SolidError, match="an empty solid has no mass"):
        mass_properties(EMPTY)
    with pytest.raises(SolidError, match="a solid has no volume"):
        mass_properties(Block((1, 1, 1)) - Block((2, 2, 2)).moved((-0.5, -0.5, -0.5)))


# ------------------------------------------------------------------------------------------ layers


def test_layers_of_a_stepped_part() -> None:
    """As few as there are different sections: blocks side by side make no layers of their own."""
    part = Block((4, 4, 2)) | Block((4, 4, 1)).moved((4, 0, 0)) | Block((4, 4, 1)).moved((4, 0, 1))
    (only,) = layers(part)
    assert only[:2] == (0.0, 2.0)
    assert only.region == Region.rectangle(8, 4)
    stepped = layers(part | Cylinder(1, 3).moved((2, 2, 0)))
    assert [(layer.low, layer.high) for layer in stepped] == [(0.0, 2.0), (2.0, 3.0)]
    assert stepped[1].region == Region.circle(1, (2, 2))


def test_layers_along_any_axis() -> None:
    """A bar with a profile has one layer along itself, and several across, where it is square."""
    profile = Region.polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)])
    bar = Prism(profile, 10).turned(0.7, (1, 2, 3))
    along, across = Placement.turn(0.7, (1, 2, 3)).matrix[:, 2], Placement.turn(0.7, (1, 2, 3)).matrix[:, 1]
    assert len(layers(bar, along.tolist())) == 1
    assert [round(layer.region.area, 9) for layer in layers(bar, across.tolist())] == [30.0, 10.0]


def test_gaps_between_layers() -> None:
    """Where nothing is, there is no layer."""
    tower = Block((1, 1, 1)) | Block((1, 1, 1)).moved((0, 0, 3))
    assert [(layer.low, layer.high) for layer in layers(tower)] == [(0.0, 1.0), (3.0, 4.0)]


def test_what_is_not_prismatic() -> None:
    """The culprit is named; what lies beside the solid does not count."""
    with pytest.raises(NotPrismatic, match="a solid has no layers") as caught:
        layers(Block((4, 4, 4)) - Sphere(1).named("bubble"))
    assert caught.value.got == "a sphere (bubble) that is no prism along it"
    assert not is_prismatic(Cylinder(1, 2), (1, 0, 0))
    assert not is_prismatic(Block((1, 1, 1)).turned(0.1, (1, 0, 0)))
    assert not is_prismatic(WEDGE)
    assert is_prismatic(WEDGE, (0, 1, 0))
    assert is_prismatic(Block((4, 4, 4)) - Sphere(1).moved((9, 9, 9)))
    assert is_prismatic(Prism(BRACKET, 1))
    assert not is_prismatic(Prism(BRACKET, 1), (1, 0, 0))


@given(solids(square=True, prismatic=True))
def test_layers_make_up_the_volume(solid: Solid) -> None:
    """Areas times heights, where there are layers, are the volume; and sections in them are the regions."""
    if not is_prismatic(solid):
        return
    found = layers(solid)
    volume = sum(layer.region.area * (layer.high - layer.low) for layer in found)
    assert volume == pytest.approx(mass_properties(solid).volume if found else 0.0, rel=1e-9)
    for layer in found:
        assert section(solid, 0.7 * layer.low + 0.3 * layer.high).area == pytest.approx(
            layer.region.area, rel=1e-9
        )


# ------------------------------------------------------------------------------- falling apart


def test_parts_that_fall_apart() -> None:
    """Cut through, bored through, joined at an edge only, or joined above."""
    bar = Block((10, 2, 2))
    saw = Block((1, 4, 4)).moved((4, -1, -1))
    assert separate_solids(bar) == (1, True)
    assert separate_solids(bar - saw) == (2, True)
    assert separate_solids((bar - saw) | Block((10, 2, 1)).moved((0, 0, 2))) == (1, True)
    assert separate_solids(Block((1, 1, 1)) | Block((1, 1, 1)).moved((1, 1, 0))) == (2, True)
    assert separate_solids(Block((1, 1, 1)) | Block((1, 1, 1)).moved((1, 0, 1))) == (2, True)
    assert separate_solids(Block((1, 1, 1)) | Block((1, 1, 1)).moved((0.5, 0, 1))) == (1, True)
    assert separate_solids(Cylinder(3, 2) - Block((8, 8, 1)).moved((-4, -4, 0.5))) == (2, True)
    assert separate_solids(Sphere(1) | Sphere(1).moved((3, 0, 0))) == (2, False)
    assert separate_solids(Sphere(1) | Sphere(1).moved((1, 0, 0))) == (1, False)
    assert separate_solids(Sphere(2) - Block((9, 9, 1)).moved((-4, -4, -0.5))) == (2, False)


@pytest.mark.parametrize("factor", [0.01, 0.013, 0.37, 1, 1 / 25.4, 100])
def test_pieces_that_lie_on_one_another_are_one_in_any_size_and_pose(factor: float) -> None:
    """Plates on a disc with a pin across them have no common axis; what touches with an edge only is apart."""
    plates = Block((6, 20, 24)).moved((-9, -10, -4)) | Block((6, 20, 24)).moved((3, -10, -4))
    across = Cylinder(3, 6).turned(math.pi / 2, (0, 1, 0)).moved((-9, 0, 12))
    foot = Cylinder(30, 6).moved((0, 0, -10)) | plates | across
    edge = Block((6, 20, 24)).turned(0.5, (1, 0, 0)).moved((-3, 0, -4))
    for solid, count in ((foot, 1), (Cylinder(30, 6).moved((0, 0, -10)) | edge, 2)):
        assert separate_solids(solid.scaled(factor)).number == count
        assert separate_solids(solid.scaled(factor).turned(0.7, (1, 2, 3))).number == count


# ------------------------------------------------------------------------ prisms and polyhedra


@pytest.mark.parametrize(
    ("polygons", "words"),
    [
        (((0, 2, 1), (0, 1, 3), (1, 2, 3)), "3 edges of one polygon only"),
        (((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)), "a volume of -0.166667"),
        (((0, 2, 1), (0, 1, 4), (1, 2, 3), (2, 0, 3)), "three or more different places from 0 to 3"),
        (((0, 2, 2), (0, 1, 3), (1, 2, 3), (2, 0, 3)), "three or more different places from 0 to 3"),
        ((), "a polyhedron needs polygons"),
    ],
)
def test_polyhedra_that_are_none(polygons: tuple[tuple[int, ...], ...], words: str) -> None:
    """Open, inside out, with places that are none."""
    with pytest.raises(SolidError) as caught:
        Polyhedron(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), polygons)
    assert words in str(caught.value)


def test_points_of_polyhedra() -> None:
    """Also on lines through edges and corners, for any pose."""
    steps = np.linspace(-0.5, 2.5, 13)
    points = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    x, y, z = points.T
    inside = (x > 0) & (y > 0) & (y < 1) & (z > 0) & (x + z < 2)
    clear = np.min(np.abs([x, y, y - 1, z, x + z - 2]), axis=0) > 1e-9
    assert (WEDGE.contains(points) == inside)[clear].all()
    turned = WEDGE.turned(0.4, (1, 2, 3))
    assert (turned.contains(Placement.turn(0.4, (1, 2, 3)).point(points)) == inside)[clear].all()


def test_prisms_that_are_none() -> None:
    """Without a height, or a region."""
    with pytest.raises(SolidError, match="the height of a prism is 0"):
        Prism(BRACKET, 0)
    with pytest.raises(SolidError, match="the region of a prism is empty"):
        Prism(Region(), 1)
