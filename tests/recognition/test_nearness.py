"""What is found by sorting or by the nearest faces alone is what comparing all with all finds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linkwork.recognition.body import Body
from linkwork.recognition.overlap import Shell, depth_in
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.skin import skin
from linkwork.solid import Block, Cone, Cylinder, Prism, RoundFace, Solid, Sphere
from linkwork.solid.membership import FEW, Membership
from linkwork.solid.placement import Floats, Placement, cross, triple, unit
from linkwork.solid.prism import seen_from_above
from linkwork.solid.region import Region


def cylinders(random: np.random.Generator, count: int) -> Rounds:
    """Cylinders along a few directions, many of them near one another."""
    axes = [triple(unit(axis)) for axis in ((0, 0, 1), (0, 0, -1), (1, 0, 0), (1, 2, 3))]
    faces = []
    for place in range(count):
        axis = axes[place % len(axes)]
        zero = triple(unit(cross(axis, (0.3, 0.5, -0.2))))
        point = triple(random.integers(-4, 5, 3) + 0.001 * random.random(3))
        faces.append(RoundFace(point, axis, zero, 1.0, 1.0, (0.0, float(random.uniform(1, 9)))))
    return Rounds.of(faces)


@pytest.mark.parametrize("seed", range(4))
def test_axes_beside_points_are_found_by_sorting(seed: int) -> None:
    """All that is as near as asked is among those found, and not much more where directions are few."""
    random = np.random.default_rng(seed)
    one, other = cylinders(random, 90), cylinders(random, 70)
    away = np.linalg.norm(cross(other.middles - one.points[:, None], one.axes[:, None]), axis=2)
    wanted = {*map(tuple, np.argwhere(away <= 0.01).tolist())}
    found = {*zip(*(each.tolist() for each in one.beside_axes(other, 0.01)), strict=True)}
    assert wanted
    assert wanted <= found
    assert len(found) < away.size / 3


def test_points_one_above_the_other_are_asked_once() -> None:
    random = np.random.default_rng(5)
    places = random.integers(0, 6, (400, 2)) / 7.0
    asked: list[int] = []

    def total(points: Floats) -> Floats:
        asked.append(len(points))
        return np.asarray(points @ np.array([1.0, 10.0]))

    np.testing.assert_array_equal(seen_from_above(places, total), places @ np.array([1.0, 10.0]))
    assert asked == [len(np.unique(places, axis=0))]


def test_many_solids_are_looked_at_only_where_points_are() -> None:
    """A plate with many posts, holes and prisms: the same points are inside, asked at once or one by one."""
    random = np.random.default_rng(6)
    plate: Solid = Block((100, 100, 2))
    disc = Prism(Region.circle(0.8), 5)
    for place in range(2 * FEW):
        x, y = (float(each) for each in random.uniform(2, 98, 2))
        added = (Cylinder(1, 6), Sphere(1.5), disc)[place % 3].moved((x, y, 0))
        plate = plate | added if place % 2 else plate - added
    points = np.concatenate([random.uniform((20, 20, -1), (26, 26, 7), (300, 3)), [(50, 50, 1), (200, 0, 0)]])
    whole = Membership(plate)
    singly = [plate_contains(plate, point) for point in points]
    assert whole.contains(points[:300]).tolist() == singly[:300]
    assert whole.contains(points).tolist() == singly
    assert 20 < sum(singly) < 280


def plate_contains(solid: Solid, point: Floats) -> bool:
    """Whether a point is in what differences and unions are made of, one after the other."""
    from linkwork.solid import Difference, Union

    if isinstance(solid, Union):
        return any(plate_contains(each, point) for each in solid.solids)
    if isinstance(solid, Difference):
        taken = any(plate_contains(each, point) for each in solid.others)
        return plate_contains(solid.first, point) and not taken
    return bool(solid.contains(point[None])[0])


@pytest.mark.parametrize("place", [Placement(), Placement.turn(0.7, (1, 2, 3))])
def test_depths_by_faces_are_closed_forms(place: Placement) -> None:
    """In a cone with a block below it: the distance from the nearest of base, mantle and sides."""
    solid = (Cone(4, 1, 6) | Block((6, 6, 3)).moved((-3, -3, -3))).placed(place)
    body = Body.of("part", solid, 1e-6)
    shell = Shell.of(body, skin(body))
    inside = np.array([(0, 0, 3), (0.5, 0, 5.8), (0, 0, -2.9), (2.5, 0.4, -1.5), (0.2, -2.8, -1.2)])
    slope = math.hypot(1, 0.5)
    wanted = [2.5 / slope, 0.2, 0.1, 0.5, 0.2]
    assert depth_in(shell, place.point(inside)) == pytest.approx(wanted, rel=1e-6)
