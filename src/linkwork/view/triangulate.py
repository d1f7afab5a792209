"""A flat outline with holes, cut into triangles by clipping ears (Meisters 1975; holes joined as by Eberly 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ring = NDArray[np.float64]
Corner = tuple[float, float]
Triangle = tuple[int, int, int]


def triangulated(rings: Sequence[Ring]) -> list[Triangle]:
    """Triangles over an outline, which turns left, and its holes, which turn right.

    Corners are counted through all rings. Where an outline crosses itself what is found covers it roughly.

    >>> triangulated([np.array([[0, 0], [2, 0], [2, 1], [0, 1]])])
    [(3, 0, 1), (1, 2, 3)]
    """
    points: list[Corner] = [(float(x), float(y)) for ring in rings for x, y in ring]
    starts = np.cumsum([0, *(len(ring) for ring in rings)]).tolist()
    loop = list(range(starts[0], starts[1]))
    holes = [list(range(start, end)) for start, end in pairwise(starts[1:])]
    for hole in sorted(holes, key=lambda each: -max(points[k][0] for k in each)):
        loop = _bridged(loop, hole, points)
    return _clipped(loop, points)


def _bridged(loop: list[int], hole: list[int], points: Sequence[Corner]) -> list[int]:
    """A loop that goes to a hole, around it and back, over a bridge that crosses nothing."""
    first = max(range(len(hole)), key=lambda k: points[hole[k]][0])
    start = points[hole[first]]
    walls = [*zip(loop, [*loop[1:], loop[0]], strict=True), *zip(hole, [*hole[1:], hole[0]], strict=True)]

    def is_free(corner: int) -> bool:
        end = points[corner]
        return not any(
            _crosses(start, end, points[a], points[b])
            for a, b in walls
            if corner not in (a, b) and hole[first] not in (a, b)
        )

    order = sorted(
        range(len(loop)),
        key=lambda k: (points[loop[k]][0] - start[0]) ** 2 + (points[loop[k]][1] - start[1]) ** 2,
    )
    place = next((k for k in order if is_free(loop[k])), order[0])
    return [*loop[: place + 1], *hole[first:], *hole[: first + 1], *loop[place:]]


def _clipped(loop: list[int], points: Sequence[Corner]) -> list[Triangle]:
    """Ears are cut off one after another; a corner that bulges and holds no other is one."""
    found: list[Triangle] = []
    left = list(loop)
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(left, k, points)), None)
        if ear is None:  # only where corners coincide or lines cross: the flattest corner goes
            ear = min(range(len(left)), key=lambda k: abs(_turn(*_around(left, k, points))))
        found.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return [*found, (left[0], left[1], left[2])] if len(left) == 3 else found


def _around(left: list[int], k: int, points: Sequence[Corner]) -> tuple[Corner, Corner, Corner]:
    return points[left[k - 1]], points[left[k]], points[left[(k + 1) % len(left)]]


def _is_ear(left: list[int], k: int, points: Sequence[Corner]) -> bool:
    a, b, c = _around(left, k, points)
    if _turn(a, b, c) <= 0:
        return False
    return not any(points[other] not in (a, b, c) and _holds(a, b, c, points[other]) for other in left)


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _holds(a: Corner, b: Corner, c: Corner, point: Corner) -> bool:
    return _turn(a, b, point) >= 0 and _turn(b, c, point) >= 0 and _turn(c, a, point) >= 0


def _crosses(a: Corner, b: Corner, c: Corner, d: Corner) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0
