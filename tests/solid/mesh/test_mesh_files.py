"""STL and 3MF: written and read back, units and structure, broken files told."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.errors import LinkworkError
from linkwork.solid import Block, Cylinder
from linkwork.solid.mesh import (
    Mesh,
    MeshFileError,
    MeshPart,
    check_mesh,
    polyhedron_of,
    read_3mf,
    read_mesh_parts,
    read_stl,
    solid_mesh,
    stl_bytes,
    stl_text,
    threemf_bytes,
)

PLATE = solid_mesh(Block((6, 4, 1)) - Cylinder(1, 1).moved((2, 2, 0)), 0.02)


def archive(model: str, **others: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("3D/3dmodel.model", model)
        for name, text in others.items():
            made.writestr(name.replace("__", "/") + ".model", text)
    return stream.getvalue()


TETRAHEDRON = (
    "<mesh><vertices>"
    '<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/>'
    "</vertices><triangles>"
    '<triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>'
    '<triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh>'
)


def model(resources: str, build: str, unit: str = "millimeter") -> str:
    core = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
    production = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
    return (
        f'<?xml version="1.0"?><model unit="{unit}" xmlns="{core}" xmlns:p="{production}">'
        f"<resources>{resources}</resources><build>{build}</build></model>"
    )


def solid_object(number: int, name: str = "") -> str:
    return f'<object id="{number}" name="{name}">{TETRAHEDRON}</object>'


@pytest.mark.parametrize("write", [stl_bytes, lambda mesh: stl_text(mesh).encode()], ids=["binary", "text"])
def test_stl_is_read_as_it_was_written(write: object, tmp_path: Path) -> None:
    content = write(PLATE)  # type: ignore[operator]
    (tmp_path / "plate.stl").write_bytes(content)
    for source in (content, tmp_path / "plate.stl", str(tmp_path / "plate.stl")):
        read = read_stl(source)
        assert len(read.triangles) == len(PLATE.triangles)
        assert len(read.points) == len(PLATE.points)
        assert check_mesh(read).is_sound
        assert read.volume == pytest.approx(PLATE.volume, rel=1e-6)
        assert read.area == pytest.approx(PLATE.area, rel=1e-6)


def test_the_same_mesh_gives_the_same_bytes() -> None:
    assert stl_bytes(PLATE) == stl_bytes(PLATE)
    parts = [MeshPart("plate & <hole>", PLATE)]
    assert threemf_bytes(parts) == threemf_bytes(parts)


def test_3mf_is_read_as_it_was_written(tmp_path: Path) -> None:
    other = solid_mesh(Block((1, 1, 1)))
    content = threemf_bytes([MeshPart('plate & <hole> "a"', PLATE), MeshPart("cube", other)])
    first, second = read_3mf(content)
    assert (first.name, second.name) == ('plate & <hole> "a"', "cube")
    assert np.allclose(first.mesh.points, PLATE.points, atol=1e-8)
    assert np.array_equal(second.mesh.triangles, other.triangles)
    (tmp_path / "a.3mf").write_bytes(content)
    assert [part.name for part in read_mesh_parts(tmp_path / "a.3mf")] == [first.name, "cube"]


@pytest.mark.parametrize(
    ("unit", "size"), [("millimeter", 1), ("inch", 25.4), ("micron", 1e-3), ("meter", 1e3)]
)
def test_3mf_units_become_millimetres(unit: str, size: float) -> None:
    """Also the shifts of build items."""
    content = archive(
        model(solid_object(7), '<item objectid="7" transform="1 0 0 0 1 0 0 0 1 2 0 0"/>', unit)
    )
    (part,) = read_3mf(content)
    assert np.allclose(part.mesh.box, np.array([[2, 0, 0], [3, 1, 1]]) * size)
    assert part.name == "object 7"


def test_3mf_components_are_objects_elsewhere() -> None:
    """Turned, mirrored, twice, and in another model of the archive."""
    quarter = "0 1 0 -1 0 0 0 0 1 5 0 0"
    mirror = "-1 0 0 0 1 0 0 0 1 0 0 0"
    uses = "".join(f'<component objectid="1" transform="{each}"/>' for each in (quarter, mirror))
    pair = f"<components>{uses}</components>"
    content = archive(
        model(solid_object(1) + f'<object id="2" name="pair">{pair}</object>', '<item objectid="2"/>')
    )
    (part,) = read_3mf(content)
    assert part.name == "pair"
    assert np.allclose(part.mesh.box, [[-1, 0, 0], [5, 1, 1]])
    assert check_mesh(part.mesh).is_sound
    assert part.mesh.volume == pytest.approx(1 / 3)
    inner = model(solid_object(9), "")
    outer = model(
        '<object id="1"><components><component p:path="/3D/inner.model" objectid="9"/></components></object>',
        '<item objectid="1"/>',
    )
    assert read_3mf(archive(outer, **{"3D__inner": inner}))[0].mesh.volume == pytest.approx(1 / 6)


def test_a_mesh_becomes_a_solid() -> None:
    solid = polyhedron_of(read_stl(stl_bytes(PLATE)))
    assert solid.volume == pytest.approx(24 - math.pi, rel=0.01)
    assert solid.contains(np.array([[1, 1, 0.5], [2, 2, 0.5]])).tolist() == [True, False]


BROKEN = {
    "empty": b"",
    "no STL": b"hello",
    "cut off, binary": stl_bytes(PLATE)[:-70],
    "cut off, text": stl_text(PLATE).encode()[:-90],
    "not finite": stl_text(PLATE).replace("vertex 0", "vertex nan", 1).encode(),
    "no archive": b"PK\x03\x04 nothing",
    "no model": archive("").replace(b"3dmodel", b"3dother"),
    "no XML": archive("<model"),
    "entities": archive('<!DOCTYPE a [<!ENTITY b "c">]><model/>'),
    "nothing built": archive(model(solid_object(1), "")),
    "an object is missing": archive(model(solid_object(1), '<item objectid="2"/>')),
    "a corner is missing": archive(
        model(solid_object(1).replace('v1="0"', 'v1="9"'), '<item objectid="1"/>')
    ),
    "a corner below zero": archive(
        model(solid_object(1).replace('v1="0"', 'v1="-1"'), '<item objectid="1"/>')
    ),
    "a word for a number": archive(model(solid_object(1).replace('x="0"', 'x="a"'), '<item objectid="1"/>')),
    "an unknown unit": archive(model(solid_object(1), '<item objectid="1"/>', "ell")),
    "half a transformation": archive(model(solid_object(1), '<item objectid="1" transform="1 0 0"/>')),
    "objects in a circle": archive(
        model(
            '<object id="1"><components><component objectid="1"/></components></object>',
            '<item objectid="1"/>',
        )
    ),
    "many in few": archive(
        model(
            solid_object(0)
            + "".join(
                f'<object id="{k}"><components>'
                + f'<component objectid="{k - 1}"/>' * 10
                + "</components></object>"
                for k in range(1, 12)
            ),
            '<item objectid="11"/>',
        )
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_told(case: str) -> None:
    with pytest.raises(MeshFileError) as caught:
        read_mesh_parts(BROKEN[case])
    assert caught.value.fix


def test_files_tell_their_names(tmp_path: Path) -> None:
    (tmp_path / "bad.stl").write_bytes(b"hello")
    with pytest.raises(MeshFileError, match=r"bad\.stl: this is no STL file"):
        read_stl(tmp_path / "bad.stl")
    with pytest.raises(MeshFileError, match="cannot be read"):
        read_stl(tmp_path / "none.stl")


@given(st.data())
def test_damaged_files_give_meshes_or_an_error_of_ours(data: st.DataObject) -> None:
    whole = data.draw(
        st.sampled_from(
            [
                stl_bytes(PLATE),
                stl_text(PLATE).encode(),
                threemf_bytes([MeshPart("a", PLATE)]),
                BROKEN["many in few"],
            ]
        )
    )
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([len(damaged), len(damaged) // 2, len(damaged) - 1]))
    try:
        parts = read_mesh_parts(bytes(damaged[:cut]))
    except LinkworkError:
        return
    for part in parts:
        assert np.all(np.isfinite(part.mesh.points))
        check_mesh(part.mesh)


def test_models_of_a_view_may_be_3mf(tmp_path: Path) -> None:
    from linkwork import load
    from linkwork.view.machine_stage import machine_stage

    (tmp_path / "plate.3mf").write_bytes(threemf_bytes([MeshPart("plate", PLATE)]))
    text = 'linkwork = 1\ndimension = 3\n[view.object.w]\nshape = "model"\nfile = "plate.3mf"\nscale = 2\n'
    (tmp_path / "m.toml").write_text(text)
    stage = machine_stage(load(tmp_path / "m.toml"))
    assert np.allclose(stage.extent, [[0, 0, 0], [12, 8, 2]], atol=1e-6)


def test_a_mesh_of_nothing() -> None:
    assert Mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int64)).area == 0
