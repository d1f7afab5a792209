"""Models as people write them: the solids that OpenSCAD makes of them, from texts and from its own dumps."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scad_points import halton

from linkwork.solid import (
    Difference,
    Intersection,
    Placed,
    Polyhedron,
    Prism,
    Shell,
    Solid,
    Union,
    is_prismatic,
    mass_properties,
)
from linkwork.solid.region import Region
from linkwork.solid.scad import read_scad_file

MODELS = sorted((Path(__file__).parent / "models").glob("*.scad"))
CORNERS = 0.012
"""What OpenSCAD's round things of 24 sides and more lack of their volume, at most: 1 - sin(x)/x for x = 15 degrees."""
SIX_DIGITS = 3e-5
"""Dumps have six digits; products of several matrices lose one more."""


def truths(digits: str, count: int) -> NDArray[np.bool_]:
    """Truths from hexadecimal digits."""
    return np.unpackbits(np.frombuffer(bytes.fromhex(digits), dtype=np.uint8))[:count].astype(bool)


def assert_alike(one: object, other: object, where: str, size: float) -> None:
    """Two solids are built alike, their numbers the same up to print."""
    assert type(one) is type(other), where
    if isinstance(one, Region) and isinstance(other, Region):
        assert len(one.loops) == len(other.loops), where
        assert one.area == pytest.approx(other.area, rel=100 * SIX_DIGITS), where
        np.testing.assert_allclose(one.box, other.box, atol=10 * SIX_DIGITS * size, err_msg=where)
    elif dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            assert_alike(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}", size)
    elif isinstance(one, tuple) and isinstance(other, tuple):
        assert len(one) == len(other), where
        for place, (first, second) in enumerate(zip(one, other, strict=True)):
            assert_alike(first, second, f"{where}[{place}]", size)
    elif isinstance(one, float):
        assert one == pytest.approx(other, abs=10 * SIX_DIGITS * size), where
    else:
        assert one == other, where


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_points_are_where_openscad_has_them(model: Path) -> None:
    """Points away from the surface lie in the solid as they do in OpenSCAD's mesh, and so do volumes that are exact."""
    golden = json.loads(model.with_suffix(".points").read_text())
    solid = read_scad_file(model)
    low, high = np.array(golden["low"]), np.array(golden["high"])
    points = low + halton(400) * (high - low)
    asked, inside = truths(golden["asked"], 400), truths(golden["inside"], 400)
    assert asked.sum() > 100
    np.testing.assert_array_equal(solid.contains(points)[asked], inside[asked])
    if is_prismatic(solid):
        assert mass_properties(solid).volume == pytest.approx(golden["volume"], rel=CORNERS)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_a_dump_gives_the_same_solid(model: Path) -> None:
    """What OpenSCAD dumps of a text is read as the same solid."""
    text, dump = read_scad_file(model), read_scad_file(model.with_suffix(".csg"))
    low, high = text.box
    assert_alike(text, dump, model.stem, float(np.linalg.norm(high - low)))


def outline(solid: Solid, indent: str = "") -> Iterator[str]:
    """A solid in lines: what it is made of, and where that stands."""
    if isinstance(solid, Placed):
        first, *others = outline(solid.solid, indent)
        yield f"{first} at {numbers(solid.place.origin)}{turned(solid)}"
        yield from others
    elif isinstance(solid, Union | Intersection):
        yield f"{indent}{type(solid).__name__.lower()} of {len(solid.solids)}"
        for each in solid.solids:
            yield from outline(each, indent + "  ")
    elif isinstance(solid, Difference):
        yield f"{indent}difference"
        yield from outline(solid.first, indent + "  ")
        for each in solid.others:
            yield from outline(each, indent + "- ")
    elif isinstance(solid, Prism):
        yield f"{indent}prism of {solid.region!r}, {numbers([solid.height])} high"
    elif isinstance(solid, Polyhedron):
        yield f"{indent}polyhedron of {len(solid.points)} points, {len(solid.polygons)} faces"
    elif isinstance(solid, Shell):
        yield f"{indent}shell of {', '.join(type(patch.surface).__name__ for patch in solid.patches)}"
    else:
        sizes = [getattr(solid, field.name) for field in dataclasses.fields(solid)]  # type: ignore[arg-type]
        yield f"{indent}{type(solid).__name__.lower()} {numbers(np.hstack(sizes))}"


def numbers(values: Iterable[float]) -> str:
    """Numbers for a line."""
    return ", ".join(f"{value + 0.0:.6g}" for value in np.round(np.array([*values]), 9))


def turned(solid: Placed) -> str:
    """The axes of a placement, unless they are those of the world."""
    matrix = np.round(solid.place.matrix, 9)
    return (
        "" if np.array_equal(matrix, np.eye(3)) else f" along {' | '.join(numbers(row) for row in matrix.T)}"
    )


def test_what_models_are_made_of() -> None:
    """Models print as they did: read the difference before you accept it."""
    golden = MODELS[0].parent.parent / "models.txt"
    found = (
        "\n\n".join("\n".join([f"===== {path.stem}", *outline(read_scad_file(path))]) for path in MODELS)
        + "\n"
    )
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")
