"""Assemblies: where parts stand, what they are called, several of one kind, and structures of all sorts."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from step_writer import StepWriter

from linkwork.solid import Block, Cylinder, Placement, RoundFace, mass_properties
from linkwork.solid.step import StepError, read_step

TURNED = Placement.turn(0.6, (1, 2, 3), (4, 5, 6))
OTHER = Placement.turn(-1.2, (0, 1, 1)).holding(Placement.shift((3, 0, -2)))


def grid(
    count: int = 600, seed: int = 5, reach: float = 15.0
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(seed).uniform(-reach, reach, (count, 3))


@pytest.mark.parametrize("swapped", [False, True])
def test_parts_stand_where_their_assemblies_put_them(swapped: bool) -> None:
    """Placements in placements; the relationship may name the assembly first or the part."""
    writer = StepWriter()
    block = writer.product("block", [writer.block((3, 4, 5))])
    inner, outer = writer.product("inner"), writer.product("outer")
    writer.put(inner, block, "first", TURNED, swapped=swapped)
    writer.put(outer, inner, "", OTHER, swapped=swapped)
    (part,) = read_step(str(writer)).parts
    assert part.path == ("outer", "inner", "first")
    expected = Block((3, 4, 5)).placed(OTHER.holding(TURNED))
    points = grid()
    assert np.array_equal(part.solid.contains(points), expected.contains(points))


def test_one_product_in_several_places() -> None:
    writer = StepWriter()
    bolt = writer.product("bolt", [writer.rod(1.0, 0.0, 6.0)])
    top = writer.product("top")
    for k in range(5):
        writer.put(top, bolt, f"bolt:{k}", Placement.shift((4 * k, 0, 0)))
    parts = read_step(str(writer)).parts
    assert [part.name for part in parts] == ["bolt", "bolt_2", "bolt_3", "bolt_4", "bolt_5"]
    assert [part.product for part in parts] == ["bolt"] * 5
    middles = [(part.solid.box[0] + part.solid.box[1]) / 2 for part in parts]
    assert np.allclose(middles, [[4 * k, 0, 3] for k in range(5)])


def test_bodies_of_one_product_are_parts_of_their_own_names() -> None:
    writer = StepWriter()
    bodies = [
        writer.block((1, 1, 1), "left"),
        writer.block((1, 1, 1), "", (3, 0, 0)),
        writer.rod(1.0, 5.0, 6.0, "pin"),
    ]
    writer.product("casting", bodies)
    parts = read_step(str(writer)).parts
    assert [part.name for part in parts] == ["left", "casting", "pin"]


def test_a_representation_of_its_own_for_the_bodies() -> None:
    """As most programs write parts: the product's representation names another one, which has the bodies."""
    writer = StepWriter()
    part = writer.product("part", [writer.block((1, 2, 3))], apart=True)
    top = writer.product("top")
    writer.put(top, part, "p", TURNED)
    (found,) = read_step(str(writer)).parts
    points = grid(reach=8)
    assert np.array_equal(found.solid.contains(points), Block((1, 2, 3)).placed(TURNED).contains(points))


def test_mapped_items_place_representations() -> None:
    """Also with a transformation operator that scales and mirrors; the structure of products is not counted twice."""
    writer = StepWriter()
    rod = writer.product("rod", [writer.rod(1.0, 0.0, 4.0)])
    first = writer.mapped(rod, writer.placement((5, 0, 0), (1, 0, 0), (0, 1, 0)))
    axes = [writer.direction(way) for way in ((1, 0, 0), (0, 1, 0), (0, 0, -1))]
    operator = writer.add(
        f"CARTESIAN_TRANSFORMATION_OPERATOR_3D('','',$,{axes[0]},{axes[1]},{writer.point((0, 9, 0))},2.,{axes[2]})"
    )
    top = writer.product("top", [first, writer.mapped(rod, operator)])
    writer.add(f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('','rod:1','',{top.definition},{rod.definition},$)")
    assembly = read_step(str(writer))
    assert len(assembly.parts) == 2
    boxes = [part.solid.box for part in assembly.parts]
    assert np.allclose(boxes[0], [[5, -1, -1], [9, 1, 1]])
    assert np.allclose(boxes[1], [[-2, 7, -8], [2, 11, 0]])


@pytest.mark.parametrize(
    ("scale", "box"),
    [(1.0, [[9, 0, 0], [10, 2, 3]]), (-1.0, [[-10, -2, -3], [-9, 0, 0]]), (2.0, [[4.5, 0, 0], [5, 1, 1.5]])],
)
def test_operators_in_assemblies(scale: float, box: list[list[float]]) -> None:
    """They bring the part into the assembly; those that mirror or scale are taken as OCCT writes them.

    What OCCT 8 writes of a part that is placed twice as large has the scale 0.5, which it reads as 2; and it writes the
    shift of a mirrored part the other way round.
    """
    writer = StepWriter()
    part, top = writer.product("part", [writer.block((1, 2, 3))]), writer.product("top")
    occurrence = writer.add(
        f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('','one','',{top.definition},{part.definition},$)"
    )
    shape = writer.add(f"PRODUCT_DEFINITION_SHAPE('','',{occurrence})")
    operator = writer.add(
        f"CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',$,$,{writer.point((9, 0, 0))},{scale},$)"
    )
    relation = writer.add(
        f"(REPRESENTATION_RELATIONSHIP('','',{part.representation},{top.representation}) "
        f"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION({operator}) SHAPE_REPRESENTATION_RELATIONSHIP())"
    )
    writer.add(f"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION({relation},{shape})")
    assembly = read_step(str(writer))
    (found,) = assembly.parts
    assert np.allclose(found.solid.box, box)
    assert mass_properties(found.solid).volume == pytest.approx(6 * abs(scale) ** -3)
    assert len(assembly.notes) == (scale != 1)


def test_parts_in_their_own_units() -> None:
    """A part in inches in an assembly in millimetres."""
    writer = StepWriter("mm")
    inches = writer.add_context("inch")
    part = writer.product("part", [writer.block((1, 1, 1))], context=inches)
    top = writer.product("top")
    writer.put(top, part, "p", Placement.shift((100, 0, 0)))
    assembly = read_step(str(writer))
    assert sorted(assembly.unit.split(", ")) == ["inch", "mm"]
    low, high = assembly.parts[0].solid.box
    assert np.allclose([low, high], [[100.0, 0.0, 0.0], [125.4, 25.4, 25.4]])


@pytest.mark.parametrize(
    ("unit", "size"), [("mm", 1), ("cm", 10), ("m", 1000), ("um", 1e-3), ("inch", 25.4), ("foot", 304.8)]
)
def test_units_of_length(unit: str, size: float) -> None:
    writer = StepWriter(unit)
    writer.product("block", [writer.block((1, 2, 3))])
    assembly = read_step(str(writer))
    assert assembly.unit == unit
    assert np.allclose(assembly.parts[0].solid.box[1], np.array([1, 2, 3]) * size, rtol=1e-12)


def test_angles_in_degrees() -> None:
    writer = StepWriter(angle="degree")
    writer.product("spike", [writer.spike(2.0, 5.0, math.degrees(math.atan2(2, 5)))])
    (part,) = read_step(str(writer)).parts
    assert np.allclose(part.solid.box, [[-2, -2, 0], [2, 2, 5]])


def test_a_unit_may_be_assumed_where_none_is_said() -> None:
    writer = StepWriter("none")
    writer.product("block", [writer.block((1, 2, 3))])
    with pytest.raises(StepError, match="does not say in which unit"):
        read_step(str(writer))
    assembly = read_step(str(writer), assume="inch")
    assert np.allclose(assembly.parts[0].solid.box[1], [25.4, 50.8, 76.2])


@pytest.mark.parametrize("seam", ["halves", "one", "none"])
def test_a_round_face_is_one_however_it_is_cut(seam: str) -> None:
    writer = StepWriter()
    writer.product("rod", [writer.rod(3.0, -1.0, 9.0, seam=seam)])
    (part,) = read_step(str(writer)).parts
    faces = [face for face in part.solid.faces() if isinstance(face, RoundFace)]
    assert len(faces) == 1
    assert faces[0].angles == (0.0, 2 * math.pi)
    assert faces[0].span == pytest.approx((0.0, 10.0))
    points = grid(reach=10)
    expected = Cylinder(3, 10).moved((0, 0, -1)).contains(points)
    assert np.array_equal(part.solid.contains(points), expected)


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 3), st.floats(0.3, 0.9)),
        max_size=5,
        unique_by=lambda h: h[:2],
    ),
    st.floats(0, 6.28),
    st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.1, 1)),
)
def test_plates_with_holes(
    holes: list[tuple[int, int, float]], angle: float, axis: tuple[float, float, float]
) -> None:
    """Any holes, turned anyhow: the points of the same made of a block and cylinders."""
    place = Placement.turn(angle, axis, (1, 2, 3))
    bores = [(2 * x + 1.0, 2 * y + 1.0, r) for x, y, r in holes]
    writer = StepWriter()
    plate = writer.product("plate", [writer.block((12, 8, 2), holes=bores)])
    writer.put(writer.product("top"), plate, "plate", place)
    (part,) = read_step(str(writer)).parts
    solid = Block((12, 8, 2))
    cut = [Cylinder(r, 4).moved((x, y, -1)) for x, y, r in bores]
    expected = solid.placed(place)
    for each in cut:
        expected = expected - each.placed(place)
    points = place.point(np.random.default_rng(7).uniform((-1, -1, -1), (13, 9, 3), (300, 3)))
    assert np.array_equal(part.solid.contains(points), expected.contains(points))


# ---------------------------------------------------------------------------------- structures of all sorts


def test_empty_assemblies_are_noted() -> None:
    writer = StepWriter()
    part = writer.product("part", [writer.block((1, 1, 1))])
    empty, top = writer.product("empty"), writer.product("top")
    writer.put(top, empty, "nothing")
    writer.put(top, part, "part")
    assert [each.name for each in read_step(str(writer)).parts] == ["part"]
    alone = StepWriter()
    alone.put(alone.product("top"), alone.product("empty"), "nothing")
    with pytest.raises(StepError, match="no solids"):
        read_step(str(alone))


def test_what_is_no_solid_by_its_faces_is_noted() -> None:
    """A part that is a mesh alone is missing else, and nothing tells; what a body has besides is not missed."""
    writer = StepWriter()
    mesh = writer.add("TESSELLATED_SOLID('',(),$)")
    part = writer.product("part", [writer.block((1, 1, 1)), mesh])
    other, top = writer.product("cover", [mesh, writer.placement((0, 0, 0))]), writer.product("top")
    writer.put(top, part, "part")
    writer.put(top, other, "cover:1")
    assembly = read_step(str(writer))
    assert [each.name for each in assembly.parts] == ["part"]
    assert assembly.notes == ("cover has no solid, but TESSELLATED_SOLID: left out",)


def test_a_part_that_is_not_placed_is_noted() -> None:
    writer = StepWriter()
    part = writer.product("part", [writer.block((1, 1, 1))])
    top = writer.product("top")
    writer.add(f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('','part:1','',{top.definition},{part.definition},$)")
    assembly = read_step(str(writer))
    assert assembly.notes == ("part:1 is not placed: it stays where it was drawn",)


def test_bodies_of_no_product_are_found() -> None:
    writer = StepWriter()
    body = writer.block((1, 2, 3))
    writer.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('loose',({body}),{writer.context})")
    (part,) = read_step(str(writer)).parts
    assert part.path == ("loose",)


def test_open_surfaces_are_left_out_and_closed_ones_are_solids() -> None:
    writer = StepWriter()
    faces = writer.prism_faces([(0, 0), (2, 0), (2, 2), (0, 2)], 0, 2)
    bodies = []
    for name, count in (("whole", 6), ("sheet", 5)):
        shell = writer.add(f"OPEN_SHELL('',({','.join(faces[:count])}))")
        bodies.append(writer.add(f"SHELL_BASED_SURFACE_MODEL('{name}',({shell}))"))
    writer.product("part", bodies)
    assembly = read_step(str(writer))
    assert len(assembly.parts) == 1
    assert "sheet" in assembly.notes[0]


def test_faceted_bodies() -> None:
    """Corners alone, without edges; faces may name no surface."""
    writer = StepWriter()
    corners = {k: writer.point((k & 1, (k >> 1) & 1, k >> 2)) for k in range(8)}
    faces = []
    for place in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
        loop = writer.add(f"POLY_LOOP('',({','.join(corners[k] for k in place)}))")
        bound = writer.add(f"FACE_OUTER_BOUND('',{loop},.T.)")
        faces.append(writer.add(f"FACE('',({bound}))"))
    shell = writer.add(f"CLOSED_SHELL('',({','.join(faces)}))")
    writer.product("cube", [writer.add(f"FACETED_BREP('',{shell})")])
    (part,) = read_step(str(writer)).parts
    points = grid(reach=2)
    assert np.array_equal(part.solid.contains(points), Block((1, 1, 1)).contains(points))


def test_a_solid_turned_inside_out_is_turned_back() -> None:
    writer = StepWriter()
    writer.product("block", [writer.block((1, 2, 3))])
    inverted = str(writer).replace("FACE_OUTER_BOUND('',", "FACE_OUTER_BOUND('!',")
    rows = []
    for row in inverted.splitlines():
        if "FACE_OUTER_BOUND('!'" in row:
            row = row.replace(",.T.)", ",.F.)")
        if "ADVANCED_FACE" in row:
            row = row.replace(",.T.)", ",.F.)")
        rows.append(row)
    (part,) = read_step("\n".join(rows)).parts
    points = grid(reach=4)
    assert np.array_equal(part.solid.contains(points), Block((1, 2, 3)).contains(points))


def test_edges_need_not_be_shared() -> None:
    """Faces that each have edges of their own are sewn together where these lie at one place."""
    writer = StepWriter()
    faces = []
    for each in range(6):
        own = StepWriter()
        own.records, own.context = writer.records, writer.context
        faces.append(own.prism_faces([(0, 0), (2, 0), (2, 2), (0, 2)], 0, 2)[each])
    writer.product("block", [writer.body(faces)])
    (part,) = read_step(str(writer)).parts
    assert np.allclose(part.solid.box, [[0, 0, 0], [2, 2, 2]])


def test_read_from_a_path_or_text_or_bytes(tmp_path: Path) -> None:
    writer = StepWriter()
    writer.product("Zähler 'x'".replace("'", "''"), [writer.block((1, 2, 3))])
    text = str(writer)
    path = tmp_path / "a.step"
    path.write_text(text, encoding="utf-8")
    found = [read_step(each) for each in (text, text.encode(), path, str(path), text.encode("latin-1"))]
    assert [each.parts[0].name for each in found] == ["Zähler 'x'"] * 5
    assert all(each.parts[0].solid == found[0].parts[0].solid for each in found)


def test_a_file_is_read_once_and_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.step"
    found = []
    for size in (1, 1, 2):
        writer = StepWriter()
        writer.product("block", [writer.block((size, 1, 1))])
        if not path.exists() or path.read_text() != str(writer):
            path.write_text(str(writer))
            os.utime(path, ns=(size, size))
        found.append(read_step(path))
    assert found[0] is found[1]
    assert found[2].parts[0].solid.box[1].tolist() == [2, 1, 1]
    assert read_step(path, unit="m") is not found[2]


def test_an_assembly_prints_itself() -> None:
    writer = StepWriter()
    part = writer.product("block", [writer.block((1, 1, 1))])
    writer.put(writer.product("top"), part, "block:1")
    assert str(read_step(str(writer))) == "top: 1 parts, given in mm\n  block: top / block:1"
