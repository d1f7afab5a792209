"""Mass properties of shapes: against integrals over points of the shape, closed forms, and their own laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from linkwork.algebra import evaluate, number, parse, symbol
from linkwork.errors import LinkworkError
from linkwork.model import Shape
from linkwork.model.shape import PLANE_SHAPES, SPACE_SHAPES, Mass

shape: Any = Shape
Points = NDArray[np.float64]
Inside = Callable[[Points], Any]


def numbers(found: Mass, **values: float) -> tuple[float, Points, Points]:
    """Mass, centre and the matrix of inertia (in the plane a single number)."""
    mass, *rest = evaluate([found.mass, *found.centre, *found.inertia], values)
    count = len(found.centre)
    return mass, np.array(rest[:count]), np.array(rest[count:])


def matrix(inertia: Points) -> Points:
    """xx, yy, zz, xy, xz, yz as a symmetric matrix; off the diagonal stand minus the products of mass."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def integrated(inside: Inside, low: list[float], high: list[float]) -> tuple[float, Points, Points]:
    """The same by the midpoint rule over a fine grid, at density 1."""
    count = 2000 if len(low) == 2 else 160
    axes = [np.linspace(a, b, count + 1) for a, b in zip(low, high, strict=True)]
    middles = [(axis[1:] + axis[:-1]) / 2 for axis in axes]
    grid = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, len(low))
    cell = float(np.prod([(b - a) / count for a, b in zip(low, high, strict=True)]))
    points = grid[inside(grid)]
    mass, centre = cell * len(points), points.mean(axis=0)
    gaps = points - centre
    squares = float((gaps**2).sum()) * cell
    if len(low) == 2:
        return mass, centre, np.array([squares])
    tensor = squares * np.eye(3) - cell * gaps.T @ gaps
    return mass, centre, tensor


def between(points: Points, first: list[float], last: list[float]) -> tuple[Points, Points]:
    """How far along the way from first to last each point stands (0 to 1), and how far beside it."""
    way = np.subtract(last, first)
    share = (points - first) @ way / (way @ way)
    return share, np.linalg.norm(points - first - share[:, None] * way, axis=1)


def l_shape(points: Points) -> Any:
    x, y = points.T
    return (x > 0) & (y > 0) & (((x < 1) & (y < 4)) | ((x < 3) & (y < 2)))


def in_bar(first: list[float], last: list[float], radius: float) -> Inside:
    def inside(points: Points) -> Any:
        share, beside = between(points, first, last)
        return (share > 0) & (share < 1) & (beside < radius)

    return inside


# For each form: the shape, its dimension, which points are inside, and a box around it.
FORMS: dict[str, tuple[Any, int, Inside, list[float], list[float]]] = {
    "disc": (
        shape("disc", at=(1, 2), radius=1.5),
        2,
        lambda p: np.hypot(p[:, 0] - 1, p[:, 1] - 2) < 1.5,
        [-0.5, 0.5],
        [2.5, 3.5],
    ),
    "ring": (
        shape("ring", at=(0, 1), radius=2, inner=1.5),
        2,
        lambda p: abs(np.hypot(p[:, 0], p[:, 1] - 1) - 1.75) < 0.25,
        [-2, -1],
        [2, 3],
    ),
    "rectangle": (
        shape("rectangle", at=(1, 1), size=(2, 3)),
        2,
        lambda p: (abs(p[:, 0] - 1) < 1) & (abs(p[:, 1] - 1) < 1.5),
        [-1, -1],
        [3, 3],
    ),
    "bar": (
        shape("bar", points=((0, 0), (3, 1)), radius=0.5),
        2,
        in_bar([0, 0], [3, 1], 0.5),
        [-0.5, -0.5],
        [3.5, 1.5],
    ),
    "polygon": (
        shape("polygon", points=((0, 0), (3, 0), (3, 2), (1, 2), (1, 4), (0, 4))),
        2,
        l_shape,
        [0, 0],
        [3, 4],
    ),
    "box": (
        shape("box", at=(1, 0, 0), size=(2, 3, 1)),
        3,
        lambda p: (abs(p - [1, 0, 0]) < [1, 1.5, 0.5]).all(axis=1),
        [0, -1.5, -0.5],
        [2, 1.5, 0.5],
    ),
    "sphere": (
        shape("sphere", at=(0, 0, 1), radius=2),
        3,
        lambda p: np.linalg.norm(p - [0, 0, 1], axis=1) < 2,
        [-2, -2, -1],
        [2, 2, 3],
    ),
    "cylinder": (
        shape("cylinder", at=(0, 1, 0), radius=1, length=3),
        3,
        lambda p: (np.hypot(p[:, 0], p[:, 1] - 1) < 1) & (abs(p[:, 2]) < 1.5),
        [-1, 0, -1.5],
        [1, 2, 1.5],
    ),
    "cone": (
        shape("cone", at=(0, 0, 1), radius=2, length=3),
        3,
        lambda p: np.hypot(p[:, 0], p[:, 1]) < 2 * (1 - (p[:, 2] - 1) / 3),
        [-2, -2, 1],
        [2, 2, 4],
    ),
    "bar in space": (
        shape("bar", points=((0, 0, 0), (1, 2, 2)), radius=0.8),
        3,
        in_bar([0, 0, 0], [1, 2, 2], 0.8),
        [-1, -1, -1],
        [2, 3, 3],
    ),
}


def test_every_form_is_here() -> None:
    assert len(FORMS) == len(PLANE_SHAPES) + len(SPACE_SHAPES)


@pytest.mark.parametrize("form", FORMS)
def test_mass_centre_and_inertia_are_integrals(form: str) -> None:
    given_shape, dimension, inside, low, high = FORMS[form]
    mass, centre, inertia = numbers(given_shape.with_density(number(3), dimension))
    wanted_mass, wanted_centre, wanted = integrated(inside, low, high)
    size = max(np.subtract(high, low))
    assert mass == pytest.approx(3 * wanted_mass, rel=5e-3)
    assert centre == pytest.approx(wanted_centre, abs=5e-3 * size)
    found = matrix(inertia) if dimension == 3 else inertia
    assert found == pytest.approx(3 * wanted, rel=1e-2, abs=1e-2 * mass)


EXACT: dict[str, tuple[Any, int, float, list[float]]] = {
    "disc m r²/2": (shape("disc", radius=2), 2, 4 * math.pi, [8 * math.pi]),
    "unit square m/6": (shape("rectangle", size=(1, 1)), 2, 1, [1 / 6]),
    "thin rod m l²/12": (shape("bar", points=((0, 0), (12, 0)), radius=1e-9), 2, 2.4e-8, [2.4e-8 * 12]),
    "right triangle": (shape("polygon", points=((0, 0), (3, 0), (0, 6))), 2, 9, [9 * 45 / 18]),
    "sphere 2 m r²/5": (
        shape("sphere", radius=1),
        3,
        4 / 3 * math.pi,
        [8 / 15 * math.pi] * 3 + [0] * 3,
    ),
    "cone about its axis": (
        shape("cone", radius=1, length=1),
        3,
        math.pi / 3,
        [0.1875 * math.pi / 3] * 2 + [0.1 * math.pi] + [0] * 3,
    ),
}


@pytest.mark.parametrize("case", EXACT)
def test_textbook_numbers(case: str) -> None:
    given_shape, dimension, mass, inertia = EXACT[case]
    found = numbers(given_shape.with_density(number(1), dimension))
    assert found[0] == pytest.approx(mass, rel=1e-14)
    assert found[2] == pytest.approx(inertia, rel=1e-14, abs=1e-18)


COORDINATE = st.integers(-40, 40).map(lambda value: value / 8)


@st.composite
def star_polygons(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Corners at rising angles about a point: simple, and often not convex."""
    count = draw(st.integers(3, 9))
    angles = [2 * math.pi * place / count for place in range(count)]
    reaches = [draw(st.integers(1, 20)) / 4 for _ in angles]
    x, y = draw(COORDINATE), draw(COORDINATE)
    return [(x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(reaches, angles, strict=True)]


def as_polygon(corners: list[tuple[float, float]]) -> tuple[float, Points, Points]:
    return numbers(shape("polygon", points=corners).with_density(number(1), 2))


@given(star_polygons())
def test_a_polygon_is_the_sum_of_its_triangles(corners: list[tuple[float, float]]) -> None:
    """Parallel axes: masses add, and each triangle brings m·d² about the common centre."""
    middle = np.mean(corners, axis=0)
    mass, centre, inertia = as_polygon(corners)
    total, moment, pieces = 0.0, np.zeros(2), []
    for first, second in zip(corners, corners[1:] + corners[:1], strict=True):
        (ax, ay), (bx, by) = np.subtract(first, middle), np.subtract(second, middle)
        area = (ax * by - ay * bx) / 2  # signed, so that the middle need not be inside
        u, v = np.array([ax, ay]), np.array([bx, by])
        own = area * (u @ u + v @ v - u @ v) / 18
        pieces.append((area, (u + v) / 3 + middle, own))
        total, moment = total + area, moment + area * pieces[-1][1]
    about = sum(own + area * float(np.sum((place - moment / total) ** 2)) for area, place, own in pieces)
    assert mass == pytest.approx(abs(total), rel=1e-9)
    assert centre == pytest.approx(moment / total, abs=1e-8)
    assert inertia[0] == pytest.approx(about * math.copysign(1, total), rel=1e-7, abs=1e-9)


@given(star_polygons(), st.integers(0, 8))
def test_a_polygon_does_not_mind_where_it_begins_or_which_way_it_goes(
    corners: list[tuple[float, float]], begin: int
) -> None:
    wanted = as_polygon(corners)
    for other in (corners[::-1], corners[begin % len(corners) :] + corners[: begin % len(corners)]):
        for found, value in zip(as_polygon(other), wanted, strict=True):
            assert found == pytest.approx(value, rel=1e-9, abs=1e-9)


def test_many_corners_make_a_disc() -> None:
    count = 720
    corners = [(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, count, endpoint=False)]
    for found, value in zip(as_polygon(corners), (math.pi, np.zeros(2), [math.pi / 2]), strict=True):
        assert found == pytest.approx(value, rel=1e-4, abs=1e-12)


@given(st.tuples(COORDINATE, COORDINATE, COORDINATE), st.integers(1, 8), st.integers(1, 8))
def test_a_bar_in_space_is_a_turned_cylinder(way: tuple[float, float, float], r: int, scale: int) -> None:
    """Turning does not change the principal moments, and the axis of the bar is one of theirs."""
    length = math.hypot(*way) * scale
    if length == 0:
        return
    end = tuple(entry * scale for entry in way)
    mass, centre, inertia = numbers(
        shape("bar", points=((0, 0, 0), end), radius=r / 4).with_density(number(2), 3)
    )
    straight = numbers(shape("cylinder", radius=r / 4, length=length).with_density(number(2), 3))
    assert mass == pytest.approx(straight[0])
    assert centre == pytest.approx(np.array(end) / 2)
    assert np.linalg.eigvalsh(matrix(inertia)) == pytest.approx(np.sort(straight[2][:3]), rel=1e-9)
    along = np.array(end) / length
    assert matrix(inertia) @ along == pytest.approx(straight[2][2] * along, rel=1e-9, abs=1e-9 * mass)


@pytest.mark.parametrize("form", FORMS)
def test_moving_a_shape_moves_its_centre_alone(form: str) -> None:
    given_shape, dimension, *_ = FORMS[form]
    if given_shape.points:
        return
    base = numbers(given_shape.with_density(number(1), dimension))
    shift = np.arange(1, dimension + 1) / 2
    at = tuple(np.array([float(evaluate([entry], {})[0]) for entry in given_shape.at]) + shift)
    moved = shape(**{**{key: getattr(given_shape, key) for key in given_shape.kinds()}, "at": at})
    found = numbers(moved.with_density(number(1), dimension))
    assert found[0] == base[0]
    assert found[1] == pytest.approx(base[1] + shift)
    assert found[2] == pytest.approx(base[2])


@pytest.mark.parametrize("form", FORMS)
def test_moments_obey_the_triangle_inequality(form: str) -> None:
    """No body has a moment larger than the two others together."""
    given_shape, dimension, *_ = FORMS[form]
    if dimension == 3:
        a, b, c = np.linalg.eigvalsh(matrix(numbers(given_shape.with_density(number(1), 3))[2]))
        assert 0 < a <= b <= c <= a + b


def test_sizes_may_be_parameters() -> None:
    found = shape("ring", radius="R", inner="R - w").with_density(symbol("rho"), 2)
    mass, _, inertia = numbers(found, R=2, w=0.5, rho=3)
    assert mass == pytest.approx(3 * math.pi * (4 - 2.25))
    assert inertia[0] == pytest.approx(mass * (4 + 2.25) / 2)
    corners = ((0, 0), ("a", 0), ("a", "b"))
    triangle = shape("polygon", points=corners).with_density(parse("1"), 2)
    assert numbers(triangle, a=3, b=-4)[0] == pytest.approx(6)


WRONG: dict[str, tuple[Any, int, str]] = {
    "space form in the plane": (shape("sphere", radius=1), 2, "no shape of the plane"),
    "plane form in space": (shape("disc", radius=1), 3, "no shape in space"),
    "no radius": (shape("disc"), 2, "needs a radius"),
    "no length": (shape("cone", radius=1), 3, "needs a length"),
    "two edges": (shape("box", size=(1, 2)), 3, "3 edges"),
    "two corners": (shape("polygon", points=((0, 0), (1, 0))), 2, "needs 3 points"),
    "corners on a line": (shape("polygon", points=((0, 0), (1, 1), (2, 2))), 2, "on a line"),
    "one point": (shape("bar", radius=1, points=((0, 0),)), 2, "needs 2 points"),
    "no way": (shape("bar", radius=1, points=((1, 0, 0), (1, 0, 0))), 3, "the same"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_shape(case: str) -> None:
    given_shape, dimension, words = WRONG[case]
    with pytest.raises(LinkworkError, match=words) as caught:
        given_shape.with_density(number(1), dimension)
    assert caught.value.fix
