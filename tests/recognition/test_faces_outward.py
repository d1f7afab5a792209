"""Faces of simple solids tell on which side they can bound what is made of these."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.recognition.body import Body
from linkwork.recognition.skin import LOOKS, plane_samples
from linkwork.solid import Block, Solid
from random_solids import solids

SKIN = 1e-6


@given(solids(), st.sampled_from([None, (1, 0, 0), (1, 2, 3)]))
def test_a_boundary_lies_on_a_face_that_may_look_so(solid: Solid, mirror: tuple[float, ...] | None) -> None:
    body = Body.of("part", solid if mirror is None else solid.mirrored(mirror), SKIN)
    flats = body.flats
    if not len(flats):
        return
    points, normals = plane_samples(flats)
    for way in (1.0, -1.0):
        bounding = np.flatnonzero(body.bounded(points, way * normals))
        for place in bounding:
            point, out = points[place], way * normals[place]
            away = point - flats.points
            seen = np.einsum("ijk,ik->ij", flats.frames[:, 1:], away)
            on = np.abs(np.einsum("ij,ij->i", flats.normals, away)) < SKIN / 10
            on &= np.abs(flats.normals @ out) > 1 - 1e-9
            on &= np.all((seen > flats.ranges[..., 0] - SKIN) & (seen < flats.ranges[..., 1] + SKIN), axis=1)
            assert on[place // LOOKS**2]
            assert np.any(on & (flats.outward * (flats.normals @ out) >= 0))


def test_blocks_look_out_and_holes_look_in() -> None:
    flats = Body.of("part", Block((4, 4, 4)) - Block((1, 1, 1)).moved((1, 1, 1)), SKIN).flats
    out = flats.outward[:, None] * flats.normals
    from_middle = flats.points - np.where(np.arange(12)[:, None] < 6, 2.0, 1.5)
    along = np.einsum("ij,ij->i", out, from_middle)
    assert np.all(along[:6] > 0)
    assert np.all(along[6:] < 0)


def test_a_face_that_adds_and_takes_away_may_look_either_way() -> None:
    part = (Block((4, 4, 4)) | Block((1, 1, 1)).moved((9, 0, 0))) - Block((1, 1, 1)).moved((9, 0, 0))
    flats = Body.of("part", part, SKIN).flats
    assert np.count_nonzero(flats.outward == 0) == 6
