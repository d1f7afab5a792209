"""Any solid as a mesh for looking at: simple ones cut into triangles, combined by manifold3d."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch
from typing import Any, Final, NamedTuple

import numpy as np

from linkwork.solid.mesh.mesh import Mesh
from linkwork.solid.mesh.outline import step_angle
from linkwork.solid.mesh.shell_mesh import shell_mesh
from linkwork.solid.placement import Placement
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.prism import Prism
from linkwork.solid.shell import Shell
from linkwork.solid.surface import TURN
from linkwork.solid.values import (
    Block,
    Cone,
    Cylinder,
    Difference,
    Intersection,
    Named,
    Placed,
    Solid,
    SolidError,
    Sphere,
    Union,
)

SHARE: Final = 1e-3
"""The deviation, in sizes of the solid, where none is given."""
FINEST: Final = 1e-6
"""The smallest deviation, in sizes of the solid: below it triangles are too many."""
OCTAHEDRAL: Final = 1.7
"""How many more triangles a ball needs than its circles: those of manifold3d are divided octahedra."""


def solid_mesh(solid: Solid, deviation: float | None = None) -> Mesh:
    """Triangles that leave the surface of a solid by at most a deviation, by default a thousandth of its size.

    >>> mesh = solid_mesh(Block((3, 2, 1)) - Cylinder(0.5, 1).moved((1, 1, 0)), 0.01)
    >>> abs(mesh.volume - (6 - math.pi / 4)) < 0.03
    True
    """
    low, high = solid.box
    size = float(np.linalg.norm(high - low))
    within = SHARE * size if deviation is None else float(deviation)
    if not within >= FINEST * size:
        raise SolidError(
            "a deviation is too small for a mesh",
            got=f"{within:g}",
            wanted=f"at least {FINEST * size:.2g}, a millionth of the solid's size",
        )
    shell = _lone_shell(solid)
    if shell is not None:  # it needs no combining, and keeps its faces whole
        inner, place = shell
        return shell_mesh(inner.patches, within / place.scale).placed(place)
    return _read_out(_combined(solid, within))


def _lone_shell(solid: Solid) -> tuple[Shell, Placement] | None:
    place = Placement()
    while isinstance(solid, Placed | Named):
        place = place.holding(solid.place) if isinstance(solid, Placed) else place
        solid = solid.solid
    return (solid, place) if isinstance(solid, Shell) else None


# --------------------------------------------------------------------------------------- combining


class _Task(NamedTuple):
    """A solid that is to be made, or, once its own are made, to be combined."""

    solid: Solid
    deviation: float
    is_ready: bool = False


def _combined(solid: Solid, deviation: float) -> Any:
    """The manifold of a solid: what it is made of first, without recursion, so that no solid is nested too deeply."""
    made: list[Any] = []
    waiting = [_Task(solid, deviation)]
    while waiting:
        task = waiting.pop()
        inner = _inner(task.solid)
        if not inner:
            made.append(_simple(task.solid, task.deviation))
        elif task.is_ready:
            count = len(inner)
            made[-count:] = [_joined(task.solid, made[-count:])]
        else:
            scale = task.solid.place.scale if isinstance(task.solid, Placed) else 1.0
            waiting.append(task._replace(is_ready=True))
            waiting += [_Task(each, task.deviation / scale) for each in reversed(inner)]
    return made[0]


def _inner(solid: Solid) -> Sequence[Solid]:
    if isinstance(solid, Placed | Named):
        return (solid.solid,)
    if isinstance(solid, Difference):
        return (solid.first, *solid.others)
    return solid.solids if isinstance(solid, Union | Intersection) else ()


def _joined(solid: Solid, made: Sequence[Any]) -> Any:
    from manifold3d import Manifold, OpType

    if isinstance(solid, Placed):
        return made[0].transform(np.column_stack([solid.place.matrix, solid.place.origin]))
    if isinstance(solid, Named):
        return made[0]
    kinds = {Union: OpType.Add, Difference: OpType.Subtract, Intersection: OpType.Intersect}
    return Manifold.batch_boolean(list(made), kinds[type(solid)])


def _read_out(manifold: Any) -> Mesh:
    found = manifold.to_mesh64()
    points = np.array(found.vert_properties[:, :3], dtype=float)
    return Mesh(points, np.array(found.tri_verts, dtype=np.int64))


def _manifold_of(mesh: Mesh, what: str) -> Any:
    from manifold3d import Manifold, Mesh64

    points = np.ascontiguousarray(mesh.points, dtype=float)
    made = Manifold(Mesh64(points, np.ascontiguousarray(mesh.triangles.astype(np.uint64))))
    if made.status().name != "NoError":
        raise SolidError(f"{what} cannot be combined with other solids", why=made.status().name)
    return made


# ----------------------------------------------------------------------------------- simple solids


@singledispatch
def _simple(solid: Solid, deviation: float) -> Any:
    from manifold3d import Manifold

    if isinstance(solid, Union | Intersection):  # of nothing
        return Manifold()
    raise SolidError(f"a {type(solid).__name__.lower()} has no mesh", wanted="a solid of linkwork.solid")


@_simple.register
def _(solid: Block, deviation: float) -> Any:
    from manifold3d import Manifold

    return Manifold.cube(solid.size)


@_simple.register
def _(solid: Cylinder, deviation: float) -> Any:
    from manifold3d import Manifold

    return Manifold.cylinder(solid.height, solid.radius, solid.radius, _sides(solid.radius, deviation))


@_simple.register
def _(solid: Cone, deviation: float) -> Any:
    from manifold3d import Manifold

    sides = _sides(max(solid.bottom, solid.top), deviation)
    if solid.bottom > 0:
        return Manifold.cylinder(solid.height, solid.bottom, solid.top, sides)
    upside_down = Manifold.cylinder(solid.height, solid.top, 0.0, sides)
    return upside_down.mirror((0.0, 0.0, 1.0)).translate((0.0, 0.0, solid.height))


@_simple.register
def _(solid: Sphere, deviation: float) -> Any:
    from manifold3d import Manifold

    return Manifold.sphere(solid.radius, 4 * math.ceil(OCTAHEDRAL * _sides(solid.radius, deviation) / 4))


@_simple.register
def _(solid: Prism, deviation: float) -> Any:
    from manifold3d import CrossSection, Manifold

    outlines = [np.asarray(each, dtype=float) for each in solid.region.outlines(deviation)]
    return Manifold.extrude(CrossSection(outlines), solid.height)


@_simple.register
def _(solid: Polyhedron, deviation: float) -> Any:
    return _manifold_of(Mesh(solid.corners, np.asarray(solid.triangles, dtype=np.int64)), "a polyhedron")


@_simple.register
def _(solid: Shell, deviation: float) -> Any:
    return _manifold_of(shell_mesh(solid.patches, deviation), "a shell")


def _sides(radius: float, deviation: float) -> int:
    return max(8, 4 * math.ceil(TURN / step_angle(radius, deviation) / 4))
