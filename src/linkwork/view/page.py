"""Pages: one HTML file that plays the motion, from the disk and without a network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from linkwork.errors import UnknownName
from linkwork.view.camera import AMBIENT, LIGHT
from linkwork.view.controls import button, control_bar, slider, speeds
from linkwork.view.document import data_element, html_document
from linkwork.view.paint import Drawing, drawing_of
from linkwork.view.plane import PlaneDrawing, colour_places, connector_stations, trace_place
from linkwork.view.plane_parts import SPOT, Layer, Part
from linkwork.view.primitive import Circle, Path, readable
from linkwork.view.pushes import HEAD, HEAD_LENGTH, LONGEST, SHAFT, arrow_vector, push_inks
from linkwork.view.pushes import SPOT as CONTACT_SPOT
from linkwork.view.scene import Bars, Column, Connector, Push, Scene
from linkwork.view.shape import SPACE, Label
from linkwork.view.space import BALL_NEARER, EDGE_NEARER, SpaceDrawing, ball_circles
from linkwork.view.svg import FONT
from linkwork.view.theme import PALETTE, SHADES, THEMES, Ink, inks

DIGITS = 7
"""Significant digits of the numbers in a page: finer than any screen, and half the size of all digits."""

USUAL_PLOT = 3
"""How many columns are plotted when nobody chose."""

_SCRIPTS = ("page.js", "player_picture.js", "player_plot.js", "player.js")


def scene_page(scene: Scene, *, plot: Sequence[str] | None = None) -> str:
    """A page that plays the scene; ``plot`` names the columns shown under it at first.

    >>> from linkwork.view.scene import Body
    >>> page = scene_page(Scene.of("still", [Body("ground")], [[[0, 0, 0]]]))
    >>> page.startswith("<!doctype html>"), "://" in page
    (True, False)
    """
    title = escape(readable(scene.title) or "linkwork")
    body = f"""<header><h1>{title}</h1><div id="clock"></div></header>
<div id="stage"><canvas id="picture" role="img" aria-label="{title}"></canvas><div id="legend"></div></div>
{_controls()}
<section id="plots" hidden><div id="chips"></div><canvas id="plot"></canvas></section>
{data_element("scene", scene_data(scene, plot))}"""
    return html_document(title, ("theme.css", "player.css"), body, _SCRIPTS)


def _controls() -> str:
    return control_bar(
        [
            button("play", "Play (space)"),
            button("back", "One frame back (←)"),
            button("forth", "One frame on (→)"),
            slider("Frame"),
            speeds(),
            button("mode", "Again from the start (m)"),
            button("traces", "Traces (t)"),
            button("labels", "Labels (l)"),
            button("pushes", "Contacts (c)"),
            button("fit", "Show all (f)"),
        ]
    )


def rounded(value: float) -> float | int | None:
    """The number with as many digits as a page needs; null for what is not a number.

    >>> rounded(1 / 3), rounded(2.0), rounded(float("nan"))
    (0.3333333, 2, None)
    """
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def _numbers(values: Iterable[float]) -> list[float | int | None]:
    return [rounded(value) for value in values]


def scene_data(scene: Scene, plot: Sequence[str] | None = None) -> dict[str, Any]:
    """What the player needs to know, as plain data."""
    drawing = drawing_of(scene)
    places = colour_places(scene)
    picture = _plane_data(drawing) if isinstance(drawing, PlaneDrawing) else _space_data(drawing)
    return {
        "title": scene.title,
        "dimension": scene.dimension,
        "unit": scene.unit,
        "time_unit": scene.time_unit,
        "seconds": rounded(scene.seconds),
        "times": _numbers(scene.times),
        "poses": [_numbers(number for pose in frame for number in pose) for frame in scene.poses],
        "bodies": [
            {"name": body.name, "ink": None if place is None else f"body-{place}"}
            for body, place in zip(scene.bodies, places, strict=True)
        ],
        "traces": [
            {
                "name": trace.name,
                "body": scene.place(trace.body),
                "point": _numbers(trace.point),
                "ink": f"trace-{trace_place(scene, trace, places)}",
                "spot": f"spot-{trace_place(scene, trace, places)}",
            }
            for trace in scene.traces
        ],
        "connectors": [_connector_data(scene, one, drawing.thickness) for one in scene.connectors],
        "labelled": any(isinstance(shape, Label) for body in scene.bodies for shape in body.shapes),
        "thickness": rounded(drawing.thickness),
        "spot": rounded(SPOT * drawing.thickness),
        "drive": None if scene.drive is None else _column_data(scene.drive),
        "columns": [_column_data(column) for column in scene.columns],
        "plot": _chosen_columns(scene, plot),
        "bars": [_bars_data(each) for each in scene.bars],
        "series": len(PALETTE),
        "font": FONT,
        "inks": _ink_data(scene, drawing),
        **picture,
    }


def _column_data(column: Column) -> dict[str, Any]:
    group = {"group": column.group, "title": column.group} if column.group else {}
    return {"name": column.name, "unit": column.unit, **group, "values": _numbers(column.values)}


def _bars_data(bars: Bars) -> dict[str, Any]:
    return {
        "name": bars.name,
        "spans": [_numbers(span) for span in bars.spans],
        "moments": _numbers(bars.moments),
    }


def _chosen_columns(scene: Scene, plot: Sequence[str] | None) -> list[int]:
    names = [column.name for column in scene.columns]
    if plot is None:
        return list(range(min(USUAL_PLOT, len(names))))
    for name in plot:
        if name not in names:
            raise UnknownName(
                "the scene has no such column", got=repr(name), wanted=", ".join(names) or "none"
            )
    return [names.index(name) for name in plot]


def _connector_data(scene: Scene, one: Connector, thickness: float) -> dict[str, Any]:
    ends = {
        "first": (one.first_body, one.first_point, one.first_radius),
        "second": (one.second_body, one.second_point, one.second_radius),
    }
    found: dict[str, Any] = {
        end: {"body": scene.place(body), "point": _numbers(point), "radius": rounded(radius)}
        for end, (body, point, radius) in ends.items()
    }
    lines = [[_numbers(stop) for stop in line] for line in connector_stations(one, thickness)]
    return {"kind": one.kind, **found, "lines": lines}


def _ink_data(scene: Scene, drawing: Drawing) -> dict[str, dict[str, dict[str, Any]]]:
    """The inks by theme; surfaces have theirs only in space, layers of solids where they are used."""
    used = (
        {part.primitive.ink for parts in drawing.parts for part in parts}
        if isinstance(drawing, PlaneDrawing)
        else set()
    )

    def needed(name: str) -> bool:
        if name.startswith(("tier-", "step-", "brim-", "leader")) or name in ("centre", "mark", "mark-name"):
            return name in used
        if name.startswith("force-"):
            return False
        if name.startswith("push-") or name == "contact":
            return bool(scene.pushes or scene.bars)
        return scene.dimension == SPACE or not name.startswith(("face-", "metal-", "earth-"))

    def data(ink: Ink) -> dict[str, Any]:
        parts = {
            "fill": ink.fill,
            "stroke": ink.stroke,
            "width": ink.width,
            "size": ink.size,
            "bold": ink.bold,
        }
        return {key: value for key, value in parts.items() if value}

    places = max(len(scene.bodies), len(PALETTE))
    return {
        theme: {name: data(ink) for name, ink in inks(THEMES[theme], places).items() if needed(name)}
        for theme in THEMES
    }


def _points(points: Iterable[complex]) -> list[float | int | None]:
    return _numbers(part for point in points for part in (point.real, point.imag))


def _plane_data(drawing: PlaneDrawing) -> dict[str, Any]:
    parts = [(part.layer, body, part) for body, parts in enumerate(drawing.parts) for part in parts]
    parts.sort(key=lambda each: (each[0], each[2].height))
    return {
        "parts": [_part_data(body, part) for _, body, part in parts],
        "layers": {"connector": Layer.CONNECTOR, "trace": Layer.TRACE, "pin": Layer.PIN},
        "reach": [[_points([point]) for point in points] for points in drawing.reach],
        "pushes": [_push_data(drawing, frame) for frame in drawing.scene.pushes],
        "arrow": [rounded(share * drawing.size) for share in (SHAFT, HEAD, HEAD * HEAD_LENGTH, CONTACT_SPOT)],
    }


def _push_data(drawing: PlaneDrawing, pushes: Iterable[Push]) -> list[list[float | int | str | None]]:
    """Of each push where it is, the arrow of the first body, and the inks of both arrows."""
    places = colour_places(drawing.scene)
    found: list[list[float | int | str | None]] = []
    for push in pushes:
        arrow = arrow_vector(push.force, drawing.middle_force, LONGEST * drawing.size)
        found.append([*_numbers(push.at), *_numbers(arrow), *push_inks(drawing.scene, push, places)])
    return found


def _part_data(body: int, part: Part) -> dict[str, Any]:
    primitive = part.primitive
    found: dict[str, Any] = {"body": body, "layer": part.layer, "ink": primitive.ink}
    if isinstance(primitive, Path):
        return {**found, "rings": [_points(ring) for ring in primitive.rings], "closed": primitive.closed}
    if isinstance(primitive, Circle):
        return {**found, "at": _points([primitive.center]), "radius": rounded(primitive.radius)}
    return {
        **found,
        "at": _points([primitive.at]),
        "text": primitive.text,
        "shift": _points([primitive.shift]),
    }


def _space_data(drawing: SpaceDrawing) -> dict[str, Any]:
    floor, camera = drawing.floor, drawing.camera
    return {
        "meshes": [_mesh_data(drawing, place) for place in range(len(drawing.meshes))],
        "reach": [[_numbers(point) for point in points] for points in drawing.reach],
        "floor": {"height": rounded(floor.height), "xs": _numbers(floor.xs), "ys": _numbers(floor.ys)},
        "camera": {"azimuth": camera.azimuth, "elevation": camera.elevation},
        "light": LIGHT,
        "ambient": AMBIENT,
        "shades": SHADES,
        "edgeNearer": rounded(EDGE_NEARER * drawing.thickness),
        "ballNearer": BALL_NEARER,
    }


def _mesh_data(drawing: SpaceDrawing, place: int) -> dict[str, Any]:
    mesh = drawing.meshes[place]
    families = sorted({face.ink for face in mesh.faces})
    return {
        "vertices": _numbers(part for vertex in mesh.vertices for part in vertex),
        "normals": _numbers(part for normal in mesh.normals for part in normal),
        "families": families,
        "faces": [[families.index(face.ink), face.normal, *face.corners] for face in mesh.faces],
        "edges": [[*edge.ends, int(edge.sharp), *edge.faces] for edge in drawing.edges[place]],
        "balls": [
            {
                "center": ball.center,
                "radius": rounded(ball.radius),
                "circles": [
                    [*_points([circle.center]), rounded(circle.radius), circle.ink]
                    for circle in ball_circles(0j, 1.0, ball.ink)
                ],
            }
            for ball in mesh.balls
        ],
        "tags": [{"at": tag.at, "text": tag.text} for tag in mesh.tags],
    }
