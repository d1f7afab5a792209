"""Parts that lie in one another where they are drawn: what is told to do, done, gets them out."""

from __future__ import annotations

import math
import re

import pytest
from solid_machines import Solids, box, rod

from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.finding import recognise_solids
from linkwork.solid import Cylinder, Solid

POSES = (0.0, 1.1)


def _ratchet(deep: float) -> Solids:
    """A pawl on a pin beside a block that it presses into, by an angle."""
    plate = box((-10, -10, -2), (30, 20, -1)) | rod(1, (20, 0, -1.5), 4)
    pawl = (box((-6, -1, 0), (1, 1, 1)) | Cylinder(2, 1)) - rod(1, (0, 0, -1), 3)
    tooth = box((5, -9, 0), (15, -1, 1)) - rod(1, (10, -5, -1), 3)
    axle = rod(1, (10, -5, -1.5), 4)
    return {"plate": plate | axle, "tooth": tooth, "pawl": pawl.turned(deep).moved((20, 0, 0))}


def _slide(deep: float) -> Solids:
    """A bolt in a guide that is too far in a stop, which the way across the guide would not clear."""
    guide = box((0, 0, 0), (10, 10, 10)) - box((-1, 3, 3), (11, 7, 7))
    stop = box((15, 1, 1), (18, 9, 9)) | box((12, -2, -2), (18, -1, 12))
    return {"guide": guide | stop, "bolt": box((-5, 3, 3), (15 + deep, 7, 7))}


def _done(solids: Solids, fix: str) -> Solids:
    """The machine with what the words tell."""
    told = re.match(r"(turn|move) (\w+) by (\S+ degrees about )?\((.*?)\)(?: through \((.*?)\))?:", fix)
    assert told is not None, fix
    do, name, angle, way, point = told.groups()
    numbers = [tuple(float(entry) for entry in entries.split(",")) for entries in (way, point or "0,0,0")]
    if do == "move":
        moved: Solid = solids[name].moved(numbers[0])
    else:
        moved = solids[name].turned(math.radians(float(angle.split()[0])), *numbers)
    return {**solids, name: moved}


@pytest.mark.parametrize("turn", POSES)
@pytest.mark.parametrize("deep", [0.01, 0.05, 0.2])
def test_a_pawl_is_turned_about_its_pin(deep: float, turn: float) -> None:
    """Not shifted off it; behind the turn its pairs are those of a pawl that was drawn clear."""
    solids = {name: each.turned(turn) for name, each in _ratchet(deep).items()}
    with pytest.raises(RecognitionError) as caught:
        recognise_solids(solids, "plate")
    assert caught.value.fix is not None
    assert "degrees" in caught.value.fix
    found = recognise_solids(_done(solids, caught.value.fix), "plate")
    assert [pair.kind for pair in found.pairs] == ["revolute", "revolute"]


@pytest.mark.parametrize("deep", [0.01, 1.0])
def test_a_bolt_is_moved_along_its_guide(deep: float) -> None:
    solids = _slide(deep)
    with pytest.raises(RecognitionError) as caught:
        recognise_solids(solids, "guide")
    assert caught.value.fix is not None
    found = recognise_solids(_done(solids, caught.value.fix), "guide")
    assert [pair.kind for pair in found.pairs] == ["prismatic"]
