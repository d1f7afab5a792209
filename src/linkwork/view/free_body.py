"""Free bodies as a picture: each part by itself, with arrows for the forces and arcs for the moments on it."""

from __future__ import annotations

import cmath
import math
from typing import Final, Literal

from linkwork.contact.free_body import CONTACT, DRIVE, JOINT, WEIGHT, Acting, FreeBodies, FreeBody
from linkwork.view.layout import Fit, Size, fit, shortened
from linkwork.view.machine_scene import machine_scene
from linkwork.view.outline import arc
from linkwork.view.plane import PlaneDrawing, in_world
from linkwork.view.primitive import Circle, Path, Primitive, Text, extremes, mapped
from linkwork.view.pushes import arrow_outline, arrow_vector, middle_force
from linkwork.view.raster import primitives_png
from linkwork.view.scene import Push
from linkwork.view.svg import primitives_svg

PANEL: Final = (470.0, 280.0)
HEAD, FOOT, MARGIN, LIST = 40.0, 30.0, 16.0, 180.0
"""Pixels: of a part's picture; above all of them for the title, below for the colours, around each; of its words."""
ZOOM: Final = 2
"""How many pixels of a PNG are one of the SVG."""
LONGEST, SHORTEST = 70.0, 16.0
"""Of an arrow, in pixels."""
SIZE: Final = 420.0
"""Of a picture to which shafts and heads are in proportion."""
FIRST_ARC, NEXT_ARC = 15.0, 6.0
"""The radius of an arc, and how much larger the next about the same point is."""
ARC_START, ARC = 0.5, 1.45 * math.pi
LINE, LETTER = 14.0, 6.3
"""The height of a row of letters, the width of a letter."""
LEAST: Final = 1e-6
"""Of the greatest force or moment on a part: what is smaller is told as 0."""
KINDS: Final = {
    WEIGHT: "weight",
    JOINT: "joints and drives",
    CONTACT: "contacts",
    "given": "springs and given forces",
}


def free_body_file(bodies: FreeBodies, suffix: Literal[".svg", ".png"]) -> str | bytes:
    """The picture as SVG or PNG."""
    size = picture_size(bodies)
    count = len(bodies.machine.moving) + 1
    if suffix == ".svg":
        return primitives_svg(free_body_picture(bodies, size), _title(bodies), size, count)
    finer = (ZOOM * size[0], ZOOM * size[1])
    return primitives_png(lambda fitted: free_body_picture(bodies, fitted), count, finer, zoom=ZOOM)


def picture_size(bodies: FreeBodies) -> Size:
    """Wide enough for all parts, in rows about as many as columns."""
    columns, rows = _grid(len(bodies.bodies))
    return round(columns * PANEL[0]), round(HEAD + rows * PANEL[1] + FOOT)


def _grid(count: int) -> tuple[int, int]:
    columns = max(1, round(math.sqrt(count)))
    return columns, math.ceil(count / columns)


def _title(bodies: FreeBodies) -> str:
    return f"t = {bodies.time:.6g}: {bodies.machine.title or bodies.machine.name}"


def free_body_picture(bodies: FreeBodies, size: Size) -> list[Primitive]:
    """All parts in pixels of a picture of this size."""
    width, height = size
    drawing = PlaneDrawing(machine_scene(bodies.machine, bodies.poses))
    middle = middle_force(
        [[Push(("", ""), (0, 0), each.force) for each in one.acting] for one in bodies.bodies]
    )
    columns, _ = _grid(len(bodies.bodies))
    wide = width / columns
    paper: tuple[complex, ...] = (0j, complex(width, 0), complex(width, height), complex(0, height))
    title = shortened(_title(bodies), int((width - 2 * MARGIN) / 8.6))
    found: list[Primitive] = [Path((paper,), "paper"), Text(complex(MARGIN, 24), title, "title")]
    for place, body in enumerate(bodies.bodies):
        corner = complex(wide * (place % columns), HEAD + PANEL[1] * (place // columns))
        found += _panel(drawing, body, corner, wide, middle)
    return [*found, *_legend(bodies, height)]


def _legend(bodies: FreeBodies, height: float) -> list[Primitive]:
    used = {_ink(each) for one in bodies.bodies for each in one.acting}
    found: list[Primitive] = []
    left = MARGIN
    for kind, words in KINDS.items():
        if f"force-{kind}" in used:
            found.append(Circle(complex(left + 5, height - 14), 5, f"force-{kind}"))
            found.append(Text(complex(left + 15, height - 10), words, "legend"))
            left += 30 + LETTER * len(words)
    return found


def _ink(acting: Acting) -> str:
    kind = JOINT if acting.kind == DRIVE else acting.kind
    return f"force-{kind if kind in KINDS else 'given'}"


def _panel(
    drawing: PlaneDrawing, body: FreeBody, corner: complex, wide: float, middle: float
) -> list[Primitive]:
    """One part, what acts on it, and what that does to it."""
    scene = drawing.scene
    place = scene.place(body.part)
    own = [in_world(part.primitive, scene.poses[0][place]) for part in drawing.parts[place]]
    shapes = [each for each in own if not isinstance(each, Text)]
    points = [point for each in shapes for point in extremes(each)]
    points += [complex(*each.point) for each in body.acting]
    xs, ys = [point.real for point in points], [point.imag for point in points]
    room = LONGEST - 10
    fitted = fit(
        (min(xs), min(ys), max(xs), max(ys)),
        (
            corner.real + LIST + room,
            corner.imag + room,
            corner.real + wide - MARGIN - room,
            corner.imag + PANEL[1] - room,
        ),
    )
    return [
        *_told(body, corner),
        *(mapped(each, fitted, fitted.scale) for each in shapes),
        *_forces(body, fitted, middle),
    ]


def _told(body: FreeBody, corner: complex) -> list[Primitive]:
    """The part, its forces by number, and what their sum does, in words."""
    forces = [math.hypot(*each.force) for each in body.acting]
    moments = [abs(each.moment_about(body.centre)) for each in body.acting]
    least, weakest = (LEAST * max(sizes, default=0.0) for sizes in (forces, moments))
    at = corner + complex(MARGIN, 14)
    found: list[Primitive] = [Text(at, shortened(body.part, 24), "title")]
    for number, each in enumerate(body.acting, 1):
        at += LINE * 1j if number > 1 else 22j
        size = _short(math.hypot(*each.force)) if math.hypot(*each.force) > least else ""
        moment = f"moment {_short(each.moment, weakest)}" if abs(each.moment) > weakest else ""
        words = f"{number}  {each.name} {' '.join(filter(None, (size, moment)))}"
        found.append(Text(at, shortened(words, 34), f"{_ink(each)}-name"))
    pull = [_short(body.mass * each, least) for each in body.acceleration]
    at += 22j
    found.append(Text(at, f"m·a = ({pull[0]}, {pull[1]})", "legend"))
    found.append(Text(at + LINE * 1j, f"I·α = {_short(body.inertia * body.turning, weakest)}", "legend"))
    return found


def _forces(body: FreeBody, fitted: Fit, middle: float) -> list[Primitive]:
    """Arrows, arcs, spots and their numbers, in the order of painting."""
    drawn: list[Primitive] = []
    texts: list[Text] = []
    arcs: dict[complex, int] = {}
    least = LEAST * max((math.hypot(*each.force) for each in body.acting), default=0.0)
    twist = LEAST * max((abs(each.moment) for each in body.acting), default=0.0)
    for number, each in enumerate(body.acting, 1):
        at = fitted(complex(*each.point))
        along = complex(*arrow_vector(each.force, middle, LONGEST)).conjugate()
        if math.hypot(*each.force) > least:
            along *= max(1.0, SHORTEST / abs(along))
            drawn.append(Path((arrow_outline(at, along, SIZE),), _ink(each)))
            texts.append(_number(texts, at + along + 8 * along / abs(along), number, each))
        if abs(each.moment) > twist:
            near = next((known for known in arcs if abs(known - at) < NEXT_ARC), at)
            radius = FIRST_ARC + NEXT_ARC * arcs.get(near, 0)
            arcs[near] = arcs.get(near, 0) + 1
            drawn += _moment(near, radius, each)
            texts.append(_number(texts, near + cmath.rect(radius + 8, -0.1), number, each))
        drawn.append(Circle(at, 3.0, _ink(each)))
    return [*drawn, *texts]


def _moment(at: complex, radius: float, acting: Acting) -> list[Primitive]:
    """An arc that ends in a head, turned as the moment turns; pixels count downwards."""
    way = -1.0 if acting.moment > 0 else 1.0
    end = way * (ARC_START + ARC)
    line = arc(at, radius, way * ARC_START, end, 32)
    tip, ahead = at + cmath.rect(radius, end), cmath.rect(1.0, end + way * math.pi / 2)
    head = (tip + 8 * ahead, tip + 4j * ahead, tip - 4j * ahead)
    return [Path((tuple(line),), f"{_ink(acting)}-line", closed=False), Path((head,), _ink(acting))]


def _number(taken: list[Text], at: complex, number: int, acting: Acting) -> Text:
    """The number of a force beside its tip, further on where another stands already."""
    at += 4j
    while any(abs(at - each.at) < LINE for each in taken):
        at += LINE
    return Text(at, str(number), f"{_ink(acting)}-name", "middle")


def _short(value: float, least: float = 0.0) -> str:
    """Four digits; 0 for what is below the least that counts.

    >>> _short(-0.0), _short(12345.6), _short(1e-13, 1e-9)
    ('0', '1.235e+04', '0')
    """
    return "0" if abs(value) <= least else f"{value:.4g}"
