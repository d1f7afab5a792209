"""What is written into a picture: axes and slides with the names of joints, pitch circles, the names of parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.model import Machine
from linkwork.model import joint as joints
from linkwork.model.part import GROUND
from linkwork.model.placed import coordinate_names
from linkwork.solid.region import Region, difference, union
from linkwork.view.callout import spread
from linkwork.view.hidden import hiding, places_seen
from linkwork.view.machine_layout import Array, Fixed
from linkwork.view.machine_sketch import Sketch
from linkwork.view.part_layers import PartLayers
from linkwork.view.shape import Axis, Callout, Facets, Label, PitchCircle, Slide, Track

SLIDE: Final = 9.0
"""The length of a slide's arrow in the plane, in thicknesses."""
BEYOND: Final = 3.0
"""How far an axis in space goes on beyond the parts, in thicknesses."""
GRID: Final = 28
"""Lines each way among whose crossings the place for a name is looked for."""
ROOM: Final = (590.0, 320.0)
"""Of a picture of the usual size, in pixels: what is left for the machine and the names beside it."""
LETTER, LINE, GAP = 7.2, 19.0, 11.0
"""In pixels of a picture of the usual size: of a letter, of a line of letters, between the machine and a name."""
Marks = Sequence[tuple[str, Array]]
SLIDING: Final = (joints.Prismatic, joints.Cylindrical, joints.Screw)


def poses_as_drawn(machine: Machine) -> Array:
    """All parts where their solids are drawn, as one frame."""
    rest = [1.0 if name == "q0" else 0.0 for name in coordinate_names(machine.dimension)]
    return np.tile(rest, (1, len(machine.moving), 1))


def draw_marks(sketch: Sketch) -> None:
    """The names of all joints and parts."""
    marks: list[tuple[str, Array]] = []
    for name, joint in sketch.layout.machine.joints.items():
        if isinstance(joint, joints.Pair):
            frames = sketch.layout.frames(joint)
            holder = next((frame for frame in frames if sketch.is_ground(frame.part)), frames[0])
            marks.append((name, _marked(joint, holder, sketch)))
    for part, gears in sketch.toothed.items():
        for gear in gears:
            sketch.add(part, PitchCircle, gear.at, gear.radius)
    if sketch.layout.dimension == 3:
        _name_solids(sketch)
        for name, place in marks:
            sketch.add(GROUND, Label, place, name, is_marked=True)
        return
    taken = [place for _, place in marks]
    parts: list[tuple[str, Array]] = []
    for part in sketch.layout.layers:
        parts.append((part, _place_on(part, taken, sketch)))
        taken.append(parts[-1][1])
    _call_out(parts, marks, sketch)


def point_at(places: Marks, sketch: Sketch) -> None:
    """Words that point at places of the picture."""
    for words, place in places:
        if sketch.layout.dimension == 3:
            sketch.add(GROUND, Label, place, words)
        else:
            sketch.add(GROUND, Axis, place, is_marked=True)
    if sketch.layout.dimension == 2 and sketch.layout.layers:
        _call_out((), places, sketch)


def _marked(joint: joints.Pair, frame: Fixed, sketch: Sketch) -> Array:
    """Mark a joint, and tell where its name points to."""
    if sketch.layout.dimension == 2:
        if not isinstance(joint, joints.Prismatic):
            sketch.add(frame.part, Axis, frame.origin, is_marked=True)
            return frame.origin
        length = SLIDE * sketch.thickness
        sketch.add(frame.part, Slide, frame.origin, frame.axes[0], length)
        return np.asarray(frame.origin + frame.axes[0] * length / 2)
    at, length = _along(frame, sketch)
    if isinstance(joint, SLIDING):
        sketch.add(frame.part, Slide, at, frame.way, length)
    elif isinstance(joint, joints.Revolute):
        sketch.add(frame.part, Track, at, frame.way, length)
    else:
        return frame.origin
    return np.asarray(at + frame.way * length / 2)


def _along(frame: Fixed, sketch: Sketch) -> tuple[Array, float]:
    """The middle and the length of an axis that goes through all parts and a little further."""
    spots = [
        point
        for shapes in sketch.shapes.values()
        for shape in shapes
        for spot in shape.spots()
        for point in (np.array(spot), np.array(spot) + getattr(shape, "axis", 0.0))
    ]
    places = [float((spot - frame.origin) @ frame.way) for spot in spots] or [0.0]
    low, high = min(places) - BEYOND * sketch.thickness, max(places) + BEYOND * sketch.thickness
    return frame.origin + frame.way * (low + high) / 2, high - low


def _name_solids(sketch: Sketch) -> None:
    """Names where parts are seen; those that hide others, as a housing, are drawn by their edges alone."""
    solids = {
        part: shape
        for part in sketch.layout.meshes
        for shape in sketch.shapes[part]
        if isinstance(shape, Facets)
    }
    clear = hiding(solids)
    for part, place in places_seen(solids, clear).items():
        sketch.add(GROUND, Label, place, part)
    for part in clear:
        sketch.shapes[part] = [
            replace(shape, is_clear=True) if isinstance(shape, Facets) else shape
            for shape in sketch.shapes[part]
        ]


# ------------------------------------------------------------------------------------- places of names


def _place_on(name: str, taken: Sequence[Array], sketch: Sketch) -> Array:
    """The roomiest place on what is seen of a part, away from what other names point to."""
    layers = sketch.layout.layers
    region = _seen(name, layers) or layers[name].seen()
    (left, bottom), (right, top) = region.box
    x, y = np.meshgrid(np.linspace(left, right, GRID + 2)[1:-1], np.linspace(bottom, top, GRID + 2)[1:-1])
    points = np.column_stack([x.ravel(), y.ravel()])
    depth = np.minimum(-region.distance(points), sketch.thickness)
    away = np.full(len(points), 6 * sketch.thickness)
    for other in taken:
        away = np.minimum(away, np.linalg.norm(points - other, axis=1))
    # Of places that are equally good the leftmost is nearest to where the name stands.
    left_of = (right - points[:, 0]) / (right - left) * sketch.thickness
    score = np.where(depth > 0, np.minimum(away, 4 * depth) + left_of, depth)
    return np.asarray(points[int(np.argmax(score))])


def _seen(name: str, layers: dict[str, PartLayers]) -> Region:
    """What is seen of a part from above, with the others over it."""
    found = []
    for layer in layers[name].layers:
        if layer.look in ("edged", "plain"):
            others = [
                other.region
                for part, each in layers.items()
                for other in each.layers
                if part != name and other.high > layer.high and other.look in ("edged", "plain")
            ]
            found.append(difference(layer.region, others))
    return union(found)


def _call_out(parts: Marks, marks: Marks, sketch: Sketch) -> None:
    """Names of parts on the left of a machine, those of its joints on the right."""
    boxes = [layer.region.box for part in sketch.layout.layers.values() for layer in part.layers]
    left, bottom = (min(box[0][axis] for box in boxes) for axis in (0, 1))
    right, top = (max(box[1][axis] for box in boxes) for axis in (0, 1))
    widths = [LETTER * max((len(name) for name, _ in names), default=0) for names in (parts, marks)]
    pixel = max((top - bottom) / ROOM[1], (right - left) / max(ROOM[0] - sum(widths) - 4 * GAP, 100.0))
    for names, edge, way in ((parts, left, -1.0), (marks, right, 1.0)):
        # Of two at one height the nearer has the lower name: lines to those behind it pass above it.
        ordered = sorted(names, key=lambda each: (round(float(each[1][1]) / pixel), -way * float(each[1][0])))
        heights = spread([float(place[1]) for _, place in ordered], LINE * pixel, (bottom, top))
        for (name, place), height in zip(ordered, heights, strict=True):
            start = edge + way * 2 * GAP * pixel
            end = start + way * LETTER * len(name) * pixel
            points = (tuple(place.tolist()), (start, height), (end, height))
            sketch.add(GROUND, Callout, points, name, is_marked=way > 0)
