"""Meshes from files: STL and glTF read as they were written, broken ones told, nothing else opened."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork import Frame, Machine
from linkwork.errors import LinkworkError
from linkwork.model.view import View
from linkwork.model.visible import Model, Sphere
from linkwork.view import solid
from linkwork.view.gltf import stage_glb
from linkwork.view.machine_stage import machine_stage
from linkwork.view.mesh_file import mesh_of, read_mesh
from linkwork.view.solid import Solid


def binary_stl(surface: Solid) -> bytes:
    corners = surface.positions[surface.triangles]
    facets = b"".join(
        np.zeros(3, "<f4").tobytes() + each.astype("<f4").tobytes() + b"\0\0" for each in corners
    )
    return b"solid, but binary".ljust(80) + len(corners).to_bytes(4, "little") + facets


def text_stl(surface: Solid) -> bytes:
    rows = ["solid thing"]
    for triangle in surface.positions[surface.triangles]:
        rows += ["facet normal 0 0 0", "outer loop"]
        rows += [f"vertex {x:.9g} {y:.9g} {z:.9g}" for x, y, z in triangle]
        rows += ["endloop", "endfacet"]
    return "\n".join([*rows, "endsolid"]).encode()


def glb() -> bytes:
    things = {"ball": Sphere(radius=2, at=(1, 2, 3)), "small": Sphere(radius=0.5)}
    return stage_glb(machine_stage(Machine.of("balls", dimension=3, view=View(object=things))))


def embedded_gltf() -> bytes:
    """The same as text with its data inside."""
    content = glb()
    size = int.from_bytes(content[12:16], "little")
    document = json.loads(content[20 : 20 + size])
    data = content[20 + size + 8 :]
    document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps(document).encode()


@pytest.mark.parametrize("write", [binary_stl, text_stl])
@pytest.mark.parametrize(
    "surface", [solid.box(), solid.sphere(), solid.cylinder()], ids=["box", "ball", "cylinder"]
)
def test_stl_reads_as_it_was_written(write: object, surface: Solid) -> None:
    read = mesh_of(write(surface), ".stl")  # type: ignore[operator]
    assert len(read.triangles) == len(surface.triangles)
    assert np.allclose(read.positions[read.triangles], surface.positions[surface.triangles], atol=1e-6)
    assert np.allclose(np.linalg.norm(read.normals, axis=1), 1)


def test_rounded_facets_look_round_and_edges_stay() -> None:
    ball = mesh_of(binary_stl(solid.sphere()), ".stl")
    assert np.einsum("ij,ij->i", ball.normals, ball.positions).min() > 0.99
    box = mesh_of(binary_stl(solid.box()), ".stl")
    assert np.allclose(np.abs(box.normals).max(axis=1), 1)


def test_glb_has_its_nodes_where_they_stand() -> None:
    for content, suffix in ((glb(), ".glb"), (embedded_gltf(), ".gltf")):
        read = mesh_of(content, suffix)
        assert np.allclose(read.positions.max(axis=0), [3, 5, 0.5], atol=1e-6)  # y is upwards in glTF
        assert np.allclose(read.positions.min(axis=0), [-1, -0.5, -4], atol=1e-6)
        assert len(read.triangles) == 2 * len(solid.sphere().triangles)


def test_a_machine_shows_a_mesh_beside_its_file(tmp_path: Path) -> None:
    from linkwork import load

    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "wheel.stl").write_bytes(binary_stl(solid.cylinder()))
    text = (
        'linkwork = 1\ndimension = 3\n[view.object.w]\nshape = "model"\nfile = "parts/wheel.stl"\nscale = 3\n'
    )
    (tmp_path / "m.toml").write_text(text)
    stage = machine_stage(load(tmp_path / "m.toml"))
    assert np.allclose(stage.extent, [[-3, -3, -1.5], [3, 3, 1.5]])


@pytest.mark.parametrize(("dimension", "upwards"), [(2, 1), (3, 2)])
def test_what_was_written_as_gltf_stands_as_it_stood(dimension: int, upwards: int, tmp_path: Path) -> None:
    """glTF has y upwards, a machine in space z: a cone that points up does so when it comes back."""
    from linkwork import load
    from linkwork.view.gltf import stage_glb

    start = f"linkwork = 1\ndimension = {dimension}\n[view.object.w]\n"
    cone = 'shape = "cone"\nradius = 0.5\nlength = 3\ntop = 0.1\n'
    if dimension == 2:
        cone = 'shape = "box"\nsize = [1, 3, 0.2]\nat = [0, 1.5]\n'
    (tmp_path / "m.toml").write_text(start + cone)
    written = machine_stage(load(tmp_path / "m.toml"))
    (tmp_path / "m.glb").write_bytes(stage_glb(written))
    (tmp_path / "again.toml").write_text(start + 'shape = "model"\nfile = "m.glb"\n')
    read = machine_stage(load(tmp_path / "again.toml"))
    assert np.allclose(read.extent, written.extent, atol=1e-6)
    assert read.extent[1][upwards] == pytest.approx(3)


BROKEN = {
    "empty": (b"", ".stl"),
    "no STL": (b"hello", ".stl"),
    "half a vertex": (b"solid x\nvertex 1 2", ".stl"),
    "no numbers": (b"solid x\nvertex a b c", ".stl"),
    "not finite": (b"solid x\n" + b"vertex 1 nan 2\n" * 3, ".stl"),
    "no area": (b"solid x\n" + b"vertex 1 1 1\n" * 3, ".stl"),
    "no JSON": (b"{", ".gltf"),
    "nothing in it": (b"{}", ".gltf"),
    "version 1": (b'{"asset": {"version": "1.0"}}', ".gltf"),
    "data elsewhere": (
        b'{"asset": {"version": "2.0"}, "buffers": [{"uri": "/etc/passwd", "byteLength": 9}],'
        b'"bufferViews": [{"buffer": 0, "byteLength": 9}], "accessors": [{"bufferView": 0, "componentType": 5126,'
        b'"count": 3, "type": "VEC3"}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}',
        ".gltf",
    ),
    "nodes in a circle": (
        b'{"asset": {"version": "2.0"}, "nodes": [{"children": [0]}], "scenes": [{"nodes": [0]}], "meshes": []}',
        ".gltf",
    ),
    "cut off": (glb()[:3000], ".glb"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_told(case: str) -> None:
    with pytest.raises(LinkworkError) as caught:
        mesh_of(*BROKEN[case])
    assert caught.value.fix


def test_a_missing_file_is_told_with_its_object(tmp_path: Path) -> None:
    with pytest.raises(LinkworkError, match="cannot be read"):
        read_mesh(str(tmp_path), "nothing.stl")
    view = View(object={"wheel": Model(file="no/such.stl")})
    machine = Machine.of("m", dimension=3, frames={"a": Frame(varies=("tx",), mass=1)}, view=view)
    with pytest.raises(LinkworkError, match="the object wheel"):
        machine_stage(machine)


@given(st.data())
def test_damaged_files_give_a_mesh_or_an_error_of_ours(data: st.DataObject) -> None:
    content, suffix = data.draw(
        st.sampled_from(
            [
                (binary_stl(solid.box()), ".stl"),
                (text_stl(solid.box()), ".stl"),
                (glb(), ".glb"),
                (embedded_gltf(), ".gltf"),
            ]
        )
    )
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, min(len(damaged), 4000) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([len(damaged), len(damaged) // 2, len(damaged) - 1]))
    try:
        found = mesh_of(bytes(damaged[:cut]), suffix)
    except LinkworkError:
        return
    assert np.all(np.isfinite(found.positions))
    assert found.triangles.max() < len(found.positions)
