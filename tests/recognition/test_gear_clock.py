"""A clock of gears: every mesh is found, and nothing else."""

from __future__ import annotations

import pytest
from gear_clock import gear_clock, meshes

from linkwork.recognition import recognise_solids


@pytest.mark.parametrize(
    ("count", "teeth"),
    [
        (5, False),
        (5, True),
        pytest.param(25, False, marks=pytest.mark.slow),
        pytest.param(25, True, marks=pytest.mark.slow),
    ],
)
def test_every_mesh_of_a_clock_is_found_and_nothing_else(count: int, teeth: bool) -> None:
    solids = gear_clock(count, teeth=teeth)
    assert len(solids) == 2 + 9 + 2 * count - 1
    found = recognise_solids(solids, "bottom")
    ratios = {frozenset(pair.parts): pair.ratio for pair in found.pairs if pair.kind == "gear"}
    assert ratios == pytest.approx(meshes(count))
    assert [pair.kind for pair in found.pairs if pair.kind != "gear"] == ["revolute"] * count
    assert [each.mobility for each in found.subsystems] == [1]
    assert len(found.groups) == 1 + count
