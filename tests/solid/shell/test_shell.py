"""Shells: points inside, boxes, volumes and moments, against simple solids and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shells import PLACES, barrel, block, cap, elbow, inside_elbow, octant, pairs, ring, washer

from linkwork.solid import Placement, RoundFace, Solid, SolidError
from linkwork.solid.placement import Floats
from linkwork.solid.shell import Chain, Patch, Segment, Shell, plane_patch
from linkwork.solid.shell.moments import moments

KINDS = {name: (shell, solid, volume) for name, shell, solid, volume in pairs()}


def around(solid: Solid, count: int = 3000, seed: int = 1) -> Floats:
    low, high = solid.box
    spread = high - low
    return np.random.default_rng(seed).uniform(low - 0.2 * spread, high + 0.2 * spread, (count, 3))


@pytest.mark.parametrize("place", PLACES, ids=["here", "shifted", "turned", "mirrored", "scaled"])
@pytest.mark.parametrize("name", KINDS)
def test_a_shell_holds_the_points_of_the_same_solid(name: str, place: Placement) -> None:
    """Whether the shell is placed as a solid or each of its faces by itself."""
    shell, solid, _ = KINDS[name]
    there = solid.placed(place)
    points = around(there)
    expected = there.contains(points)
    assert 0.02 < expected.mean() < 0.98
    assert np.array_equal(shell.placed(place).contains(points), expected)
    faces = Shell(tuple(patch.placed(place) for patch in shell.patches))
    assert np.array_equal(faces.contains(points), expected)


@pytest.mark.parametrize("place", PLACES, ids=["here", "shifted", "turned", "mirrored", "scaled"])
@pytest.mark.parametrize("name", KINDS)
def test_volume_and_box_are_exact(name: str, place: Placement) -> None:
    shell, _, volume = KINDS[name]
    patches = [patch.placed(place) for patch in shell.patches]
    found = moments(patches)
    assert found.volume == pytest.approx(volume * place.scale**3, rel=1e-12)
    assert found.error <= 1e-10 * volume * place.scale**3
    assert found.area == pytest.approx(moments(shell.patches).area * place.scale**2, rel=1e-12)
    centre = place.point(moments(shell.patches).centre)
    assert np.allclose(found.centre, centre, atol=1e-9)


def test_points_on_lines_through_edges_and_corners_are_decided() -> None:
    """A line along a face or through a corner is no line to decide by; another one is."""
    shell = block((2, 2, 2))
    steps = np.array([-0.5, 0.25, 1.0, 1.75, 2.5])
    points = np.array([[x, y, z] for x in steps for y in steps for z in steps])
    assert np.array_equal(shell.contains(points), np.all((points > 0) & (points < 2), axis=1))


def test_inertia_of_a_washer_and_a_ring() -> None:
    found = moments(washer(5, 2, 3).patches)
    axial = found.volume * (25 + 4) / 2
    across = found.volume * (3 * (25 + 4) + 9) / 12
    assert np.allclose(found.inertia, np.diag([across, across, axial]), rtol=1e-12, atol=1e-9)
    found = moments(ring(5, 2).patches)
    assert found.volume == pytest.approx(2 * math.pi**2 * 5 * 4, rel=1e-13)
    assert found.area == pytest.approx(4 * math.pi**2 * 5 * 2, rel=1e-13)
    across = found.volume * (25 / 2 + 5 * 4 / 8)
    assert np.allclose(found.inertia, np.diag([across, across, found.volume * (25 + 3)]), rtol=1e-12)


@given(
    st.floats(0.1, 6.1),
    st.floats(0.2, 0.95),
    st.integers(0, 10**6),
)
def test_a_piece_of_a_ring(angle: float, share: float, seed: int) -> None:
    """Its faces wind around the tube; volume by Pappus, and every point."""
    radius, tube = 5.0, 5.0 * share
    shell = elbow(radius, tube, angle)
    assert moments(shell.patches).volume == pytest.approx(angle * radius * math.pi * tube**2, rel=1e-11)
    points = np.random.default_rng(seed).uniform(-10, 10, (300, 3))
    assert np.array_equal(shell.contains(points), inside_elbow(points, radius, tube, angle))


@given(st.floats(0.1, 9) | st.floats(-4, -0.1), st.floats(1, 6), st.integers(0, 10**6))
def test_barrels(ring: float, height: float, seed: int) -> None:
    """Outer and inner parts of a torus that passes through itself; the radius at z is R + √(r² - z²)."""
    tube = 10.0
    shell = barrel(ring, tube, height)
    arc = (height * math.sqrt(tube**2 - height**2) + tube**2 * math.asin(height / tube)) / 2
    volume = 2 * math.pi * (ring**2 * height + 2 * ring * arc + tube**2 * height - height**3 / 3)
    assert moments(shell.patches).volume == pytest.approx(volume, rel=1e-10)
    points = np.random.default_rng(seed).uniform(-20, 20, (300, 3)) * [1, 1, 0.5]
    within = np.abs(points[:, 2]) < height
    reach = ring + np.sqrt(np.where(within, tube**2 - points[:, 2] ** 2, 0.0))
    assert np.array_equal(shell.contains(points), within & (np.hypot(points[:, 0], points[:, 1]) < reach))


@given(st.floats(-0.95, 0.95), st.integers(0, 10**6))
def test_caps_of_a_ball(share: float, seed: int) -> None:
    """Small ones hold one pole of any axis or none, large ones both."""
    radius, height = 3.0, 3.0 * share
    turn = Placement.turn(seed, (seed % 7 - 3, 1, 2))
    shell = Shell(tuple(patch.placed(turn) for patch in cap(radius, height).patches))
    h = radius - height
    assert moments(shell.patches).volume == pytest.approx(math.pi * h * h * (3 * radius - h) / 3, rel=1e-8)
    points = np.random.default_rng(seed).uniform(-3, 3, (200, 3))
    local = turn.local(points)
    expected = (np.linalg.norm(points, axis=1) < radius) & (local[:, 2] > height)
    assert np.array_equal(shell.contains(points), expected)


def test_boxes_are_tight() -> None:
    """Also where a sphere or a torus bulges beyond all edges, and where it does not."""
    low, high = cap(5, 3).box
    assert np.allclose([low, high], [[-4, -4, 3], [4, 4, 5]])
    low, high = cap(5, -3).box
    assert np.allclose([low, high], [[-5, -5, -3], [5, 5, 5]])
    low, high = octant(5).box
    assert np.allclose([low, high], [[0, 0, 0], [5, 5, 5]])
    low, high = elbow(5, 2, math.pi / 2).box
    assert np.allclose([low, high], [[0, 0, -2], [7, 7, 2]])
    low, high = ring(5, 2).box
    assert np.allclose([low, high], [[-7, -7, -2], [7, 7, 2]])


def test_faces_tell_where_they_are() -> None:
    """As the faces of simple solids do: a cylinder by its radius, length and angles."""
    outer, inner = (face for face in washer(5, 2, 3).faces() if isinstance(face, RoundFace))
    assert (outer.radius, outer.far_radius, outer.span) == (5, 5, (0, 3))
    assert outer.angles == (0, 2 * math.pi)
    assert inner.is_cylinder
    assert inner.radius == 2
    assert [patch.outward for patch in washer(5, 2, 3).patches] == [True, True, True, False]


def test_a_chain_tells_how_far_it_may_be_off() -> None:
    """A disc whose rim is a chain of 64 points: the volume is too small by less than the error that is told."""
    turns = np.linspace(0, 2 * math.pi, 65)
    off = 1 - math.cos(math.pi / 64)
    rims = [Chain(tuple((math.cos(t), math.sin(t), z) for t in turns), off) for z in (0.0, 1.0)]
    sides = []
    for k in range(64):
        a, b = turns[k], turns[k + 1]
        corners = [(math.cos(t), math.sin(t), z) for t, z in ((a, 0.0), (b, 0.0), (b, 1.0), (a, 1.0))]
        loop = tuple(Segment(p, q) for p, q in zip(corners, [*corners[1:], corners[0]], strict=True))
        middle = (a + b) / 2
        sides.append(plane_patch(corners[0], (math.cos(middle), math.sin(middle), 0.0), [loop]))
    top = plane_patch((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), [(rims[1],)])
    bottom = plane_patch((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), [(rims[0].reversed(),)])
    found = moments([top, bottom, *sides])
    assert 0 < math.pi - found.volume < found.error < 0.05


def test_a_shell_needs_faces() -> None:
    with pytest.raises(SolidError, match="no faces"):
        Shell(())


def test_shells_are_values() -> None:
    """Equal and of one hash when made alike; a reversed face reversed is the face."""
    assert washer(5, 2, 3) == washer(5, 2, 3)
    assert hash(washer(5, 2, 3)) == hash(washer(5, 2, 3))
    patch: Patch = octant(2).patches[0]
    assert patch.reversed().reversed() == patch
    assert moments([each.reversed() for each in octant(2).patches]).volume < 0
