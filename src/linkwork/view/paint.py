"""From a scene to what can be painted: the one road that pictures, films and pages share."""

from __future__ import annotations

from linkwork.view.plane import PlaneDrawing
from linkwork.view.primitive import Primitive
from linkwork.view.scene import Scene, check_frame
from linkwork.view.shape import PLANE
from linkwork.view.space import SpaceDrawing

Drawing = PlaneDrawing | SpaceDrawing


def drawing_of(scene: Scene) -> Drawing:
    """The scene with all that can be found before its frames are painted."""
    return PlaneDrawing(scene) if scene.dimension == PLANE else SpaceDrawing(scene)


def paint(scene: Scene, frame: int = 0) -> list[Primitive]:
    """The primitives of one frame in the order of painting, in coordinates of the world.

    A scene in space is seen by the usual camera; its coordinates are those of the camera's plane.

    >>> from linkwork.view.scene import Body
    >>> from linkwork.view.shape import Bar
    >>> crank = Body("crank", (Bar(((0, 0), (1, 0))),))
    >>> [type(each).__name__ for each in paint(Scene.of("crank", [crank], [[[0, 0, 0]]]))]
    ['Path', 'Circle', 'Circle']
    """
    check_frame(scene, frame)
    return drawing_of(scene).painted(frame)
