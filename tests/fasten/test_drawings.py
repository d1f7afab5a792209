"""Polygons from DXF and SVG drawings: decimals exactly, arcs and curves within their deviation, faults by line."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import shapely
from designs import tee
from hypothesis import given
from hypothesis import strategies as st

from linkwork.errors import LinkworkError
from linkwork.fasten import load_design
from linkwork.fasten.drawing_file import drawn_polygon
from linkwork.fasten.dxf import dxf_outlines
from linkwork.fasten.outline import Outline
from linkwork.fasten.svg_file import svg_outlines
from linkwork.fasten.svg_path import path_loops
from linkwork.model import PlacedError

ORIGIN = (Fraction(0), Fraction(0))


def dxf(*entities: Sequence[tuple[int, object]]) -> str:
    """The text of a drawing: a header, and things that are lists of groups."""
    groups: list[tuple[int, object]] = [
        (0, "SECTION"),
        (2, "HEADER"),
        (9, "$ACADVER"),
        (1, "AC1015"),
        (0, "ENDSEC"),
    ]
    groups += [(0, "SECTION"), (2, "ENTITIES"), *(group for entity in entities for group in entity)]
    groups += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:>3}\n{value}\n" for code, value in groups)


def line(x0: object, y0: object, x1: object, y1: object, layer: str = "0") -> list[tuple[int, object]]:
    return [(0, "LINE"), (8, layer), (10, x0), (20, y0), (30, 0.0), (11, x1), (21, y1), (31, 0.0)]


def arc(x: object, y: object, radius: object, start: object, end: object) -> list[tuple[int, object]]:
    return [(0, "ARC"), (8, "0"), (10, x), (20, y), (40, radius), (50, start), (51, end)]


def polyline(*corners: tuple[object, ...], closed: bool = True, layer: str = "0") -> list[tuple[int, object]]:
    """Corners of x, y and where it bulges a third."""
    found: list[tuple[int, object]] = [(0, "LWPOLYLINE"), (8, layer), (90, len(corners)), (70, int(closed))]
    for x, y, *bulge in corners:
        found += [(10, x), (20, y), *((42, each) for each in bulge)]
    return found


def the_only(outlines: list[Outline]) -> Outline:
    assert len(outlines) == 1
    return outlines[0]


def region(outline: Outline) -> shapely.Polygon:
    return shapely.Polygon([(float(x), float(y)) for x, y in outline.points])


# ------------------------------------------------------------------------------------------------ DXF


def test_decimals_of_a_polyline_are_kept_exactly() -> None:
    drawing = dxf(polyline(("0.1", "0.2"), ("3.30000000000000000001", "0"), ("1e-1", "7.")))
    found = the_only(dxf_outlines(drawing, "d.dxf", 0))
    third = Fraction(330000000000000000001, 10**20)
    assert found.points == (
        (Fraction(1, 10), Fraction(1, 5)),
        (third, Fraction(0)),
        (Fraction(1, 10), Fraction(7)),
    )


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way_and_only_there(ending: str) -> None:
    """A text that has a separator of lines in it, as word processors write, does not shift what follows."""
    note = [(0, "MTEXT"), (8, "notes"), (1, "one\u2028two\x85three")]
    drawing = dxf(note, polyline((0, 0), (1, 0), (0, 1))).replace("\n", ending)
    assert len(the_only(dxf_outlines(drawing, "d.dxf", 0)).points) == 3


def test_an_old_polyline_is_the_same() -> None:
    corners = (("0", "0"), ("4", "0", "0.5"), ("4", "3"))
    old: list[tuple[int, object]] = [(0, "POLYLINE"), (8, "0"), (66, 1), (10, 0), (20, 0), (30, 0), (70, 1)]
    for x, y, *bulge in corners:
        old += [(0, "VERTEX"), (8, "0"), (10, x), (20, y), (30, 0), *((42, each) for each in bulge)]
    old += [(0, "SEQEND"), (8, "0")]
    new = the_only(dxf_outlines(dxf(polyline(*corners)), "d.dxf", 0))
    assert the_only(dxf_outlines(dxf(old), "d.dxf", 0)).points == new.points


@pytest.mark.parametrize("deviation", [0.0, 0.1, 0.001])
def test_a_bulge_is_an_arc_within_the_deviation(deviation: float) -> None:
    """A half circle of radius 2 from (2, 0) over (0, 2) to (-2, 0): bulge 1."""
    found = the_only(dxf_outlines(dxf(polyline(("2", "0", "1"), ("-2", "0"))), "d.dxf", deviation))
    half = shapely.Point(0, 0).buffer(2, quad_segs=2000).intersection(shapely.box(-3, 0, 3, 3))
    assert found.points[0] == (Fraction(2), Fraction(0))
    assert all(math.hypot(x, y) == pytest.approx(2, abs=1e-11) for x, y in found.points)
    distance = region(found).exterior.hausdorff_distance(half.exterior)
    allowed = deviation or 2 / 1000
    assert allowed / 4 < distance <= allowed * 1.001
    clockwise = the_only(dxf_outlines(dxf(polyline(("2", "0", "-1"), ("-2", "0"))), "d.dxf", deviation))
    assert all(y <= 0 for _, y in clockwise.points)


@given(st.randoms(use_true_random=False))
def test_lines_and_arcs_are_joined_in_any_order(rng: random.Random) -> None:
    """A slot: two lines and two half circles, turned by an angle so that arcs do not end on round numbers."""
    turn = rng.uniform(0, 360)
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def at(x: float, y: float) -> tuple[float, float]:
        return round(cosine * x - sine * y, 8), round(sine * x + cosine * y, 8)

    pieces = [
        line(*at(-3, -1), *at(3, -1)),
        line(*at(3, 1), *at(-3, 1)),
        arc(*at(3, 0), 1, turn - 90, turn + 90),
        arc(*at(-3, 0), 1, turn + 90, turn + 270),
    ]
    rng.shuffle(pieces)
    found = the_only(dxf_outlines(dxf(*pieces), "d.dxf", 1e-4))
    assert region(found).is_valid
    assert region(found).area == pytest.approx(12 + math.pi, rel=1e-3)
    # The corners where lines end are the lines', exactly.
    assert tuple(Fraction(str(each)) for each in at(-3, -1)) in found.points


def test_layers_tell_outlines_apart() -> None:
    square = polyline((0, 0), (1, 0), (1, 1), (0, 1), layer="arm")
    sides = [line(0, 0, 2, 0, "catch"), line(2, 0, 0, 2, "catch"), line(0, 2, 0, 0, "catch")]
    text = [(0, "TEXT"), (8, "notes"), (10, 1), (20, 1), (1, "hinge")]
    outlines = dxf_outlines(
        dxf(square, *sides, text, [(0, "CIRCLE"), (8, "pin"), (10, 0), (20, 0), (40, 2)]), "d", 0.0
    )
    assert [each.name for each in outlines] == ["arm", "catch", "pin"]
    assert region(outlines[1]).area == 2
    assert region(outlines[2]).area == pytest.approx(4 * math.pi, rel=2e-3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello\nworld\n", "this is not a DXF drawing"),
        (dxf([(0, "SPLINE"), (8, "0")]), "SPLINE is not read"),
        (dxf([(0, "INSERT"), (8, "0"), (2, "block")]), "INSERT is not read"),
        (dxf(line(0, 0, 1, 0)), "a line ends at (0, 0)"),
        (dxf(*(line(0, 0, x, y) for x, y in ((1, 0), (0, 1), (1, 1)))), "3 lines meet at (0, 0)"),
        (dxf(line(0, "nan", 1, 0)), "this is no rational number"),
        (dxf(arc(0, 0, -1, 0, 90)), "a radius is not positive"),
        (dxf([(0, "LINE"), (8, "0"), (10, 1)]), "this LINE is not complete"),
        (dxf(polyline((0, 0))), "less than two vertices"),
        (dxf([(0, "CIRCLE"), (8, "0"), (10, 0), (20, 0), (40, 1)]), "very many chords"),
    ],
)
def test_faults_of_dxf_drawings(text: str, words: str) -> None:
    with pytest.raises(PlacedError) as caught:
        dxf_outlines(text, "d.dxf", 1e-12)
    assert words in caught.value.problem
    assert caught.value.problem.startswith("d.dxf")


# ------------------------------------------------------------------------------------------------ SVG


def svg(body: str) -> str:
    return (
        f'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n{body}\n</svg>\n'
    )


def whole(points: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in points]


@pytest.mark.parametrize(
    "data",
    ["M0,0L4,0L4,3Z", "m 0 0 4 0 0 3 z", "M0 0H4V3z", "M0,0 4,0 4,3 0,0", "m0,0h4v3l-4-3", "M.0.0h4.v3z"],
)
def test_ways_to_write_a_triangle(data: str) -> None:
    (loop,) = path_loops(data, 0.0)
    assert whole(loop) == [(0, 0), (4, 0), (4, 3)]


def test_behind_a_closed_loop_a_new_one_begins_where_it_did() -> None:
    loops = path_loops("M1,1h2v2z l-1,0 0,-1 z m5,5 h1v1z", 0.0)
    assert [whole(loop)[0] for loop in loops] == [(1, 1), (1, 1), (6, 6)]


def test_y_goes_up_and_transforms_are_exact() -> None:
    body = '<g transform="translate(10,20) scale(2)"><rect id="r" x="1" y="0.1" width="2" height="3px"/></g>'
    found = the_only(svg_outlines(svg(body), "d.svg", 0.0))
    assert found.name == "r"
    assert found.points[0] == (Fraction(12), -Fraction("20.2"))
    assert found.points[2] == (Fraction(16), -Fraction("26.2"))
    turned = '<polygon points="0,0 4,0 4,3" transform="rotate(90, 1, 1)"/>'
    assert whole(the_only(svg_outlines(svg(turned), "d.svg", 0.0)).points) == [(2, 0), (2, -4), (-1, -4)]


@pytest.mark.parametrize("deviation", [0.0, 0.05, 0.001])
def test_curves_keep_within_the_deviation(deviation: float) -> None:
    """A cubic, a quadratic and their smooth followers, against a thousand points of each."""
    (loop,) = path_loops("M0,0 C2,6 8,6 10,0 S18,-6 20,0 Q25,9 30,0 T40,0 V-20 H0 Z", deviation)

    def bezier(control: Sequence[tuple[float, float]], t: float) -> tuple[float, float]:
        points = list(control)
        while len(points) > 1:
            points = [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for a, b in pairwise(points)]
        return points[0]

    curves = [
        [(0, 0), (2, 6), (8, 6), (10, 0)],
        [(10, 0), (12, -6), (18, -6), (20, 0)],
        [(20, 0), (25, 9), (30, 0)],
        [(30, 0), (35, -9), (40, 0)],
    ]
    drawn = shapely.LineString(whole(loop))
    far = max(drawn.distance(shapely.Point(bezier(curve, k / 1000))) for curve in curves for k in range(1001))
    assert 0 < far <= (deviation or 21 / 1000)


@pytest.mark.parametrize("flags", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_elliptical_arcs(flags: tuple[int, int]) -> None:
    """From (3, 0) to (0, 2) on the ellipse x²/9 + y²/4 = 1, or on the one beside it; with flags that stick together."""
    large, sweep = flags
    (loop,) = path_loops(f"M3,0A3 2 0 {large}{sweep}0 2z", 1e-3)
    centre = (0, 0) if large != sweep else (3, 2)
    for x, y in whole(loop):
        assert ((x - centre[0]) / 3) ** 2 + ((y - centre[1]) / 2) ** 2 == pytest.approx(1, abs=1e-9)
    area = shapely.Polygon(whole(loop)).area
    quarter = math.pi * 6 / 4 - 3
    assert area == pytest.approx(math.pi * 6 - quarter if large else quarter, rel=2e-3)


def test_what_is_not_drawn_is_left_out_and_groups_lend_their_names() -> None:
    body = (
        '<defs><path id="no" d="M0,0h1v1z"/></defs><g id="hook"><path d="M0,0h1v1z"/></g>'
        '<circle id="c" cx="5" r="2"/><ellipse id="e" rx="4" ry="1"/><text>hook</text>'
    )
    outlines = svg_outlines(svg(body), "d.svg", 0.0)
    assert [each.name for each in outlines] == ["hook", "c", "e"]
    assert region(outlines[1]).area == pytest.approx(4 * math.pi, rel=2e-3)
    assert region(outlines[2]).area == pytest.approx(4 * math.pi, rel=2e-3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<svg>", "this is not XML"),
        (svg('<path id="p" d="M0,0 L"/>'), "path p: this is no path"),
        (svg('<path d="L1,1"/>'), "path: a path begins with M"),
        (svg('<path d="M0,0 B1,1"/>'), "path: this is no path"),
        (svg('<path d="M0,0 A1,1 0 2 0 1,1"/>'), "path: this is no path"),
        (svg('<polygon points="0,0 x"/>'), "polygon: this is no path"),
        (svg('<rect width="2mm" height="1"/>'), "rect: this is no rational number"),
        (svg('<rect width="2" height="1" rx="1"/>'), "round corners"),
        (svg('<g transform="spin(3)"><rect width="2" height="1"/></g>'), "this is no transform"),
        ('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>', "defines entities"),
    ],
)
def test_faults_of_svg_drawings(text: str, words: str) -> None:
    with pytest.raises(PlacedError) as caught:
        svg_outlines(text, "d.svg", 0.0)
    assert words in caught.value.problem
    assert caught.value.line > 0


PATHS = st.text(alphabet="MmLlHhVvCcSsQqTtAaZz 0123456789.,-+e", max_size=60)


@given(PATHS)
def test_any_path_is_read_or_refused(data: str) -> None:
    with suppress(LinkworkError):
        for loop in path_loops(data, 0.0):
            assert len(loop) > 1


@given(
    st.lists(st.sampled_from(["0", "10", "20", "8", "LINE", "ARC", "1.5", "LWPOLYLINE", "42", "x", "70", ""]))
)
def test_any_drawing_is_read_or_refused(lines: list[str]) -> None:
    head = ["0", "SECTION", "2", "ENTITIES"]
    with suppress(PlacedError):
        dxf_outlines("\n".join([*head, *lines]), "d.dxf", 0.0)


# ---------------------------------------------------------------------------------------- in designs


def saved(folder: Path, **change: Any) -> Path:
    data = tee()
    data["pawls"][0].update(change)
    path = folder / "design.json"
    path.write_text(json.dumps(data, indent=1))
    return path


def test_a_pawl_is_drawn_elsewhere(tmp_path: Path) -> None:
    """The same polygon, drawn in another place and scale, or as the only thing, or by its name."""
    corners = tee()["pawls"][0]["poly"]
    plain = load_design(saved(tmp_path)).pawls[0].poly
    decimals = [[str(float(Fraction(each))) for each in corner] for corner in corners]
    (tmp_path / "one.dxf").write_text(dxf(polyline(*map(tuple, decimals))))
    assert load_design(saved(tmp_path, poly="one.dxf")).pawls[0].poly == plain
    moved = " ".join(f"{10 + 4 * Fraction(x)},{20 - 4 * Fraction(y)}" for x, y in corners)
    body = f'<rect id="other" width="1" height="1"/><polygon id="hook" points="{moved}"/>'
    (tmp_path / "parts.svg").write_text(svg(body))
    table = {"file": "parts.svg", "part": "hook", "origin": ["10", "-20"], "scale": "1/4"}
    assert load_design(saved(tmp_path, poly=table)).pawls[0].poly == plain
    assert load_design(saved(tmp_path, poly={**table, "part": "2"})).pawls[0].poly == plain
    assert drawn_polygon(str(tmp_path / "parts.svg"), "other", ORIGIN)[1] == (Fraction(1), Fraction(0))


@pytest.mark.parametrize(
    ("poly", "words"),
    [
        (
            "parts.svg",
            "pawl L: ",
        ),
        ("parts.svg#hok", "did you mean hook?"),
        ("parts.svg#9", "has no outline '9'"),
        ("none.dxf", "cannot be read"),
        ("hook.step", "this is no drawing that is read"),
        ({"file": "parts.svg", "part": "hook", "scale": "0"}, "scale and deviation are positive"),
        ({"file": "parts.svg", "prat": "hook"}, "there is no key 'prat' in pawl L"),
        ({"part": "hook"}, "has no file"),
        ("empty.svg", "no closed outline"),
        ("parts.svg#bow", "pawl L: edges 0 and 2 cross"),
    ],
)
def test_drawings_that_do_not_fit(poly: Any, words: str, tmp_path: Path) -> None:
    bow = '<path id="bow" d="M0,0L2,2L2,0L0,2z"/>'
    (tmp_path / "parts.svg").write_text(
        svg(f'<path id="hook" d="M0,0h1v1z"/><rect id="b" width="1" height="1"/>{bow}')
    )
    (tmp_path / "empty.svg").write_text(svg(""))
    with pytest.raises(PlacedError) as caught:
        load_design(saved(tmp_path, poly=poly))
    assert words in str(caught.value)
    assert caught.value.exit_code == 3
