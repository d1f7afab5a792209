"""How thick links are drawn when nothing says so: in proportion to the whole motion."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from linkwork.view.scene import Scene
from linkwork.view.shape import PLANE, Bar, Point

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

THICKNESS = {2: 0.045, 3: 0.036}
"""Width of a bar as a part of the longer side of all that moves, by dimension."""

THICKEST_OF_SHORTEST, THINNEST = 0.42, 0.016
"""A bar is at most this part of the shortest bar's length, but at least this part of the whole."""

MOST_POSES_MEASURED = 400


def thickness(scene: Scene) -> float:
    """The usual width of a bar in this scene.

    >>> from linkwork.view.scene import Body
    >>> thickness(Scene.of("bar", [Body("bar", (Bar(((0, 0), (4, 0))),))], [[[0, 0, 0]]]))
    0.18
    """
    extent = _extent(scene)
    lengths = [
        math.dist(first, second)
        for body in scene.bodies
        for shape in body.shapes
        if isinstance(shape, Bar)
        for first, second in pairwise(shape.points)
    ]
    shortest = min((length for length in lengths if length > 1e-3 * extent), default=math.inf)
    return max(min(THICKNESS[scene.dimension] * extent, THICKEST_OF_SHORTEST * shortest), THINNEST * extent)


def _extent(scene: Scene) -> float:
    """The longest side of the box around the points of all shapes in all frames."""
    import numpy as np

    low = np.full(scene.dimension, np.inf)
    high = np.full(scene.dimension, -np.inf)
    for place, body in enumerate(scene.bodies):
        spots = [(spot, shape.reach()) for shape in body.shapes for spot in shape.spots()]
        spots += [(trace.point, 0.0) for trace in scene.traces if trace.body == body.name]
        if not spots:
            continue
        moved = placed(poses_of(scene, place), np.array([spot for spot, _ in spots]))
        reach = np.array([reach for _, reach in spots])[:, None]
        low = np.minimum(low, (moved - reach).min(axis=(0, 1)))
        high = np.maximum(high, (moved + reach).max(axis=(0, 1)))
    longest = float(np.max(high - low))
    return longest if 0 < longest < math.inf else 1.0


def poses_of(scene: Scene, place: int) -> NDArray[float64]:
    """The poses of one body, thinned out when there are very many: enough to measure by."""
    import numpy as np

    step = max(1, scene.frames // MOST_POSES_MEASURED)
    return np.array([frame[place] for frame in (*scene.poses[::step], scene.poses[-1])])


def placed(poses: NDArray[float64], points: NDArray[float64]) -> NDArray[float64]:
    """Points of a body in the world, for each pose: (poses, points, dimension)."""
    import numpy as np

    dimension = points.shape[1]
    turned = np.einsum("fij,pj->fpi", rotations(poses), points)
    return np.asarray(turned + poses[:, None, :dimension])


def rotations(poses: NDArray[float64]) -> NDArray[float64]:
    """The matrices world_from_body of poses in the plane or in space."""
    import numpy as np

    if poses.shape[1] == PLANE + 1:
        c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
    q = poses[:, 3:] / np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    w, x, y, z = q.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )


def rotation(quaternion: Point) -> list[list[float]]:
    """The matrix of one unit quaternion, scalar first.

    >>> rotation((1.0, 0.0, 0.0, 0.0))
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    import numpy as np

    matrix: list[list[float]] = rotations(np.array([[0.0, 0.0, 0.0, *quaternion]]))[0].tolist()
    return matrix


def round_length(longest: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not longer.

    >>> round_length(0.37), round_length(7.0)
    (0.2, 5.0)
    """
    power = 10.0 ** math.floor(math.log10(longest))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= longest * (1 + 1e-12))
