"""A picture in pixels: the painted frame fitted into a rectangle, with title, legend and scale."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from linkwork.errors import UsageError
from linkwork.view.callout import called_out, names_overlap, room_beside
from linkwork.view.paint import Drawing
from linkwork.view.plane import PlaneDrawing, Rectangle, colour_places
from linkwork.view.primitive import Circle, Path, Primitive, Text, mapped
from linkwork.view.proportion import round_length
from linkwork.view.scene import Scene, check_frame
from linkwork.view.theme import LEGEND_LETTERS, TITLE_LETTERS

Size = tuple[int, int]

MARGIN, TITLE_HEIGHT, TITLE_ROW, LEGEND_ROW = 14.0, 34.0, 18.0, 18.0
LETTER_WIDTH = 0.58
"""Of the letter size: the usual width of a letter, good enough to leave room for it."""

SCALE_ROOM, SCALE_LENGTH = 130.0, 72.0
"""For the scale: the room left beside the legend, and the longest line."""

LONGEST_NAME, MOST_LEGEND_ROWS, MOST_NAMES = 24, 2, 10
"""Of the legend: letters of a name, rows of names, names; of a machine with more there is a single row."""

COUNT_ROOM = 86.0
"""For the words that count the names left out."""

SMALLEST_PICTURE = 80


@dataclass(frozen=True, slots=True)
class Fit:
    """Where the world lies in the picture: pixel = origin + scale * (x - iy)."""

    scale: float
    origin: complex

    def __call__(self, point: complex) -> complex:
        return self.origin + self.scale * point.conjugate()


def fit(box: Rectangle, area: Rectangle) -> Fit:
    """The largest fit of a box of the world into an area of pixels (left, top, right, bottom).

    >>> fit((0, 0, 10, 5), (0, 0, 100, 100))(10 + 5j)
    (100+25j)
    """
    width, height = max(box[2] - box[0], 1e-12), max(box[3] - box[1], 1e-12)
    scale = min((area[2] - area[0]) / width, (area[3] - area[1]) / height)
    middle = complex(box[0] + box[2], box[1] + box[3]) / 2
    return Fit(scale, complex(area[0] + area[2], area[1] + area[3]) / 2 - scale * middle.conjugate())


def picture(drawing: Drawing, frame: int, size: Size) -> list[Primitive]:
    """Everything in a picture of one frame, in pixels and in the order of painting."""
    scene = drawing.scene
    check_frame(scene, frame)
    check_size(size)
    width, height = size
    rows = _legend_rows(scene, width - 2 * MARGIN - SCALE_ROOM)
    bottom = height - MARGIN - LEGEND_ROW * max(len(rows), 1) - 6
    title = _title_rows(scene, width)
    top = TITLE_HEIGHT + TITLE_ROW * (len(title) - 1) if title else MARGIN
    area = (MARGIN, top + 8, width - MARGIN, max(bottom, top + 20))
    place, painted = _placed(drawing, frame, area)
    paper: tuple[complex, ...] = (0j, complex(width, 0), complex(width, height), complex(0, height))
    return [
        Path((paper,), "paper"),
        *painted,
        *(Text(complex(MARGIN, 24.0 + TITLE_ROW * row), text, "title") for row, text in enumerate(title)),
        *_legend(rows, height),
        *_axes(drawing, bottom),
        *_scale_bar(place.scale, scene.unit, width, height),
    ]


def _placed(drawing: Drawing, frame: int, area: Rectangle) -> tuple[Fit, list[Primitive]]:
    """The painted frame in an area of pixels; in a single picture in space, names that overlap stand beside it."""
    painted = drawing.painted(frame)
    place = fit(drawing.box, area)
    found = [mapped(each, place, place.scale) for each in painted]
    is_film = drawing.scene.frames > 1
    if isinstance(drawing, PlaneDrawing) or is_film or not names_overlap(found):
        return place, found
    left, right = room_beside(painted)
    place = fit(drawing.box, (area[0] + left, area[1], max(area[2] - right, area[0] + left + 20), area[3]))
    return place, called_out([mapped(each, place, place.scale) for each in painted], area)


def check_size(size: Size) -> None:
    """Refuse a picture too small to show anything."""
    if len(size) != 2 or min(size) < SMALLEST_PICTURE:
        raise UsageError(
            "too small for a picture",
            got=f"size={size}",
            wanted=f"at least {SMALLEST_PICTURE} pixels each way",
            fix="size=(640, 400)",
        )


def shortened(text: str, most: int) -> str:
    """The text, cut with an ellipsis when it is longer than ``most`` letters.

    >>> shortened("connecting rod", 8)
    'connect…'
    """
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _title_rows(scene: Scene, width: int) -> list[str]:
    """The title in one row or in two; what does not fit into them is cut."""
    most = max(8, int((width - 2 * MARGIN) / (LETTER_WIDTH * TITLE_LETTERS)))
    rows = wrap(scene.title, most)
    return [*rows[:1], *([shortened(" ".join(rows[1:]), most)] if len(rows) > 1 else [])]


def _legend_rows(scene: Scene, room: float) -> list[list[tuple[float, str, str]]]:
    """Rows of (left, ink, name) for the bodies that move; what does not fit is counted."""
    names = [
        (f"body-{place}", shortened(body.name, LONGEST_NAME))
        for body, place in zip(scene.bodies, colour_places(scene), strict=True)
        if place is not None
    ]
    most = MOST_LEGEND_ROWS if len(names) <= MOST_NAMES else 1
    rows: list[list[tuple[float, str, str]]] = [[]]
    left = 0.0
    for number, (ink, name) in enumerate(names):
        wide = 30 + LEGEND_LETTERS * LETTER_WIDTH * len(name)
        is_last_row = len(rows) == most and number < len(names) - 1
        if left + wide > room - COUNT_ROOM * is_last_row and rows[-1]:
            if len(rows) == most:
                rows[-1].append((left, "", f"… and {len(names) - number} more"))
                break
            rows.append([])
            left = 0.0
        rows[-1].append((left, ink, name))
        left += wide
    return [row for row in rows if row]


def _legend(rows: list[list[tuple[float, str, str]]], height: int) -> list[Primitive]:
    found: list[Primitive] = []
    for number, row in enumerate(rows):
        y = height - MARGIN - LEGEND_ROW * (len(rows) - 1 - number)
        for left, ink, name in row:
            if ink:
                found.append(Circle(complex(MARGIN + 5 + left, y - 4), 4.5, ink))
            found.append(Text(complex(MARGIN + 15 + left, y), name, "legend"))
    return found


def _scale_bar(scale: float, unit: str, width: int, height: int) -> list[Primitive]:
    """A line of a round length, with its length beside it."""
    length = round_length(SCALE_LENGTH / scale)
    right, y = width - MARGIN, height - MARGIN - 4
    left = right - length * scale
    bar = ((complex(left, y - 4), complex(left, y), complex(right, y), complex(right, y - 4)),)
    text = f"{length:.6g} {shortened(unit, 8)}".strip()
    middle = complex((left + right) / 2, y - 5)
    return [Path(bar, "scale", closed=False), Text(middle, text, "legend", "middle")]


def _axes(drawing: Drawing, bottom: float) -> list[Primitive]:
    """In space: how x, y and z lie in the picture."""
    if isinstance(drawing, PlaneDrawing):
        return []
    right, up, _ = drawing.camera.axes()
    origin = complex(MARGIN + 26, bottom - 10)
    found: list[Primitive] = []
    for k, name in enumerate("xyz"):
        way = complex(right[k], -up[k])
        tip = origin + 22 * way
        found.append(Path(((origin, tip),), "scale", closed=False))
        found.append(Text(tip + 8 * way + 4j, name, "legend", "middle"))
    return found
