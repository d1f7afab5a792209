"""Meshes of many triangles: what is compared grows with their number, not with its square."""

from __future__ import annotations

import math
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from solid_machines import Solids, box, rod

import linkwork as lw
from linkwork.recognition import RecognitionError, flats, machine, meeting, recognise_solids
from linkwork.recognition.facets import faceted_cylinders
from linkwork.recognition.flats import Flats, parallel_pairs
from linkwork.solid import PlaneFace, Polyhedron
from linkwork.solid.placement import Floats, triple
from linkwork.solid.rays import ColumnIndex


def wavy_disc(around: int, along: int, x: float = 0.0) -> Polyhedron:
    """A disc with a twisted wavy rim, an even bore of radius 4 and long thin triangles on both faces."""
    angles = np.linspace(0, math.tau, around, endpoint=False)
    rims = [
        _ring(angles + 0.5 * k / along, 20 + 1.5 * np.cos(12 * angles), 8 * k / along)
        for k in range(along + 1)
    ]
    bores = [_ring(angles, np.full(around, 4.0), height) for height in (0.0, 8.0)]
    rings = [*range(along + 1), along + 2, along + 1, 0]
    triangles = [_between(first, second, around) for first, second in pairwise(rings)]
    points = np.concatenate([*rims, *bores]) + np.array([x, 0, 0])
    return Polyhedron(tuple(map(triple, points)), tuple(map(tuple, np.concatenate(triangles).tolist())))


def _ring(angles: Floats, radii: Floats, height: float) -> Floats:
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles), np.full(len(angles), height)])


def _between(first: int, second: int, count: int) -> NDArray[np.intp]:
    """The triangles between two rings of corners, by their numbers."""
    here = np.arange(count)
    there = (here + 1) % count
    low, high = first * count, second * count
    return np.concatenate(
        [
            np.column_stack([low + here, low + there, high + there]),
            np.column_stack([low + here, high + there, high + here]),
        ]
    )


def on_shafts(around: int, along: int, count: int = 2) -> Solids:
    """Wavy discs side by side, each on a shaft of a plate."""
    plate = box((-30, -30, -3), (50.0 * count, 30, -0.5))
    found: Solids = {}
    for place in range(count):
        plate = plate | rod(4, (50.0 * place, 0, -1), 11)
        found[f"disc_{place}"] = wavy_disc(around, along, 50.0 * place)
    return {"plate": plate, **found}


def looked_at(solid: Polyhedron, points: Floats) -> float:
    """How many triangles are looked at for a ray from each point, on the average."""
    index = ColumnIndex.of(*(solid.corners[solid.triangles[:, k]] for k in range(3)))
    return sum(len(triangles) for *_, triangles in index.near(points)) / len(points)


def test_rays_look_at_few_triangles_of_many() -> None:
    """Sixteen times as many triangles, among them long thin ones: not twice as many for each ray."""
    points = np.random.default_rng(1).uniform((-20, -20, 0), (20, 20, 8), (2000, 3))
    few, many = looked_at(wavy_disc(96, 4), points), looked_at(wavy_disc(384, 16), points)
    assert few < 30
    assert many < 2 * few


def test_points_are_inside_as_the_surface_winds_around_them() -> None:
    """By rays through columns, and by all directions in which the surface is seen: the same."""
    disc = wavy_disc(96, 3)
    points = np.random.default_rng(2).uniform((-22, -22, -1), (22, 22, 9), (500, 3))
    assert (disc.contains(points) == disc._wound(points)).all()


def test_parallel_faces_are_the_same_however_they_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """All with all, or by a tree of their normals."""
    generator = np.random.default_rng(3)
    ways = generator.normal(size=(40, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    both = [
        _faces(ways[generator.integers(0, 40, 60)] * generator.choice((-1, 1), (60, 1))) for _ in range(2)
    ]
    found = []
    for most in (10**9, 50):
        monkeypatch.setattr(flats, "ALL_PAIRS", most)
        pairs = [np.column_stack(each) for each in parallel_pairs(both[0].normals, both[1].normals, 1e-6)]
        assert len(pairs) == 1 or most == 50
        found.append({*map(tuple, np.concatenate(pairs).tolist())})
    assert found[0] == found[1] != set()


def _faces(normals: Floats) -> Flats:
    across = np.cross(normals, np.roll(normals, 1, axis=1) + np.array([0.1, 0.2, 0.3]))
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    rows = zip(normals, across, strict=True)
    return Flats.of(
        [PlaneFace((0, 0, 0), triple(y), triple(np.cross(n, y)), (0, 1), (0, 1)) for n, y in rows]
    )


@pytest.mark.parametrize("name", ["escapement", "engine", "rotary-reciprocation", "chiming-clock"])
def test_tiles_of_faces_meet_as_all_faces_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interactions and pairs of machines, with faces compared all with all and in small tiles."""
    whole = lw.recognise(lw.load(name))
    monkeypatch.setattr(meeting, "AT_ONCE", 0)
    monkeypatch.setattr(meeting, "TILE", 3)
    tiled = lw.recognise(lw.load(name))
    assert tiled.pairs == whole.pairs
    assert [(each.parts, {*each.primitives}) for each in tiled.interactions] == [
        (each.parts, {*each.primitives}) for each in whole.interactions
    ]


def test_bores_of_meshes_are_found_among_many_directions() -> None:
    """Parallel edges of the bore, whatever other edges there are."""
    (bore,) = faceted_cylinders(wavy_disc(96, 6))
    assert (bore.sides, bore.is_hole) == (96, True)
    assert bore.radius == pytest.approx(4)


def test_memory_grows_with_the_number_of_triangles() -> None:
    """Two meshes with four times as many triangles each take about four times the memory, not sixteen times."""
    peaks = []
    for around, along in ((64, 4), (128, 8)):
        solids = on_shafts(around, along)
        tracemalloc.start()
        found = recognise_solids(solids, "plate")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert [(pair.kind, pair.parts[1]) for pair in found.pairs] == [
            ("revolute", "disc_0"),
            ("revolute", "disc_1"),
        ]
    assert peaks[1] < 6 * peaks[0]


def test_machines_that_are_too_large_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory does not suffice, the error names the part with the most faces."""

    def without_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(machine, "recognise_solids", without_memory)
    with pytest.raises(RecognitionError, match="more memory than there is") as caught:
        lw.recognise(lw.load("engine"))
    assert "frame" in caught.value.got
