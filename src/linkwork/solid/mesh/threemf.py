"""3MF files: objects with names and units, made of other objects, and what is to be built of them.

The file is a ZIP archive with one or more models in XML. An object is a mesh or has components, which are other objects
with a transformation; the build lists objects with a transformation.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn
from xml.parsers import expat

import numpy as np

from linkwork.solid.mesh.fault import LARGEST_FILE, MOST_TRIANGLES, MeshFileError
from linkwork.solid.mesh.mesh import Mesh, together
from linkwork.solid.placement import Floats

UNITS: Final = {
    "micron": 0.001, "millimeter": 1.0, "centimeter": 10.0, "inch": 25.4, "foot": 304.8, "meter": 1000.0,
}  # fmt: skip
"""In millimetres."""
DEEPEST: Final = 50
"""Objects within objects."""
MOST_ITEMS: Final = 10_000
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, EOFError, ValueError)
"""What Python raises when an archive is broken, or packed in a way it does not know."""
_CORE: Final = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MODEL_TYPE: Final = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_USUAL: Final = "3D/3dmodel.model"


@dataclass(frozen=True, eq=False)
class MeshPart:
    """A mesh with its name, where it is to be built, in millimetres."""

    name: str
    mesh: Mesh


@dataclass
class _Object:
    name: str = ""
    points: list[float] = field(default_factory=list)
    corners: list[int] = field(default_factory=list)
    components: list[_Use] = field(default_factory=list)


@dataclass(frozen=True)
class _Use:
    """An object that another one or the build has, by the file and the number that it has there."""

    path: str
    number: str
    matrix: Floats


@dataclass
class _Model:
    scale: float = 1.0
    objects: dict[str, _Object] = field(default_factory=dict)
    items: list[_Use] = field(default_factory=list)


def read_3mf(content: bytes) -> tuple[MeshPart, ...]:
    """What the build of a 3MF file lists, one part an item; units become millimetres."""
    package = _Package(content)
    main = package.model(package.start)
    if not main.items:
        _fail("this 3MF file builds nothing", wanted="an <item> in its <build>")
    parts = []
    for item in main.items[:MOST_ITEMS]:
        mesh = package.mesh(item, main.scale)
        name = package.model(item.path).objects[item.number].name or f"object {item.number}"
        parts.append(MeshPart(name, mesh))
    return tuple(parts)


class _Package:
    """An archive, whose models are read when they are asked for."""

    def __init__(self, content: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
            self._names = {each.filename.lstrip("/"): each for each in self._archive.infolist()}
        except (*_BROKEN, OverflowError) as error:
            _fail("this is no 3MF file", got=repr(content[:20]), wanted="a ZIP archive", why=str(error)[:80])
        self._left = LARGEST_FILE
        self._models: dict[str, _Model] = {}
        self._count = 0
        self.start = self._start()

    def _start(self) -> str:
        """The first model, as the relationships of the package name it."""
        found: list[str] = []

        def enter(kind: str, told: Mapping[str, str]) -> None:
            if kind == "Relationship" and told.get("Type") == _MODEL_TYPE:
                found.append(told.get("Target", "").lstrip("/"))

        if "_rels/.rels" in self._names:
            _parse(self._bytes("_rels/.rels"), enter)
        return found[0] if found else _USUAL

    def _bytes(self, path: str) -> bytes:
        if path not in self._names:
            _fail(f"{path} is not in this 3MF file", got=", ".join(list(self._names)[:5]), wanted=path)
        try:
            with self._archive.open(self._names[path]) as stream:
                content = stream.read(self._left + 1)
        except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, EOFError, ValueError) as error:
            _fail(f"{path} in this 3MF file is broken", why=str(error)[:80], wanted="a sound ZIP archive")
        self._left -= len(content)
        if self._left < 0:
            _fail(
                "this 3MF file is too large",
                got="more after unpacking",
                wanted=f"at most {LARGEST_FILE} bytes",
            )
        return content

    def model(self, path: str) -> _Model:
        """A model by its path in the package."""
        if path not in self._models:
            reader = _ModelReader(path)
            _parse(self._bytes(path), reader.enter)
            self._models[path] = reader.model
        return self._models[path]

    def mesh(self, use: _Use, scale: float, depth: int = 0) -> Mesh:
        """All meshes of an object, where its components put them."""
        model = self.model(use.path)
        if use.number not in model.objects:
            _fail(f"the object {use.number} is missing", wanted=f'<object id="{use.number}"> in {use.path}')
        self._count += 1
        if depth > DEEPEST or self._count > MOST_ITEMS:
            _fail("objects are in each other in a circle, or too many", got=f"object {use.number}")
        found = model.objects[use.number]
        inner = [self.mesh(each, model.scale, depth + 1) for each in found.components]
        mesh = together([*inner, _mesh_of(found, model.scale)])
        if len(mesh.triangles) > MOST_TRIANGLES:
            _fail("this mesh has too many triangles", wanted=f"at most {MOST_TRIANGLES}")
        turn, shift = use.matrix[:3], use.matrix[3] * scale
        triangles = mesh.triangles[:, ::-1] if np.linalg.det(turn) < 0 else mesh.triangles
        return Mesh(mesh.points @ turn + shift, triangles)


class _ModelReader:
    """Takes up the elements of one model."""

    def __init__(self, path: str) -> None:
        self.model = _Model()
        self._path = path
        self._object = _Object()

    def enter(self, kind: str, told: Mapping[str, str]) -> None:
        """An element that begins."""
        if kind == "vertex":
            self._object.points += [_number(told.get(axis)) for axis in "xyz"]
        elif kind == "triangle":
            self._object.corners += [_whole(told.get(corner)) for corner in ("v1", "v2", "v3")]
        elif kind == "object":
            self._object = self.model.objects[told.get("id", "")] = _Object(told.get("name", ""))
        elif kind == "component":
            self._object.components.append(self._use(told))
        elif kind == "item":
            self.model.items.append(self._use(told))
        elif kind == "model":
            unit = told.get("unit", "millimeter")
            if unit not in UNITS:
                _fail(f"the unit {unit[:20]!r} is not known", wanted=", ".join(UNITS))
            self.model.scale = UNITS[unit]

    def _use(self, told: Mapping[str, str]) -> _Use:
        numbers = [_number(each) for each in told.get("transform", "1 0 0 0 1 0 0 0 1 0 0 0").split()]
        if len(numbers) != 12:
            _fail("a transformation has not twelve numbers", got=f"{len(numbers)}", wanted="12")
        return _Use(
            told.get("path", self._path).lstrip("/"),
            told.get("objectid", ""),
            np.array(numbers).reshape(4, 3),
        )


def _mesh_of(found: _Object, scale: float) -> Mesh:
    points = np.array(found.points).reshape(-1, 3) * scale
    triangles = np.array(found.corners, dtype=np.int64).reshape(-1, 3)
    if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
        _fail(
            f"a triangle of {found.name or 'an object'} has a corner that is not there",
            got=f"corner {triangles.max()} of {len(points)}",
            wanted=f"corners 0 to {len(points) - 1}",
        )
    return Mesh(points, triangles)


def _parse(content: bytes, enter: Callable[[str, Mapping[str, str]], None]) -> None:
    """Hand out the elements of an XML text by their plain names. Texts that define entities are refused."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def begin(kind: str, told: Mapping[str, str]) -> None:
        enter(kind.rpartition(" ")[2], {name.rpartition(" ")[2]: value for name, value in told.items()})

    def refuse(*_: object) -> None:
        _fail("this 3MF file has a document type of its own", wanted="plain XML")

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, UnicodeError, LookupError, ValueError) as error:
        _fail("the XML of this 3MF file is broken", why=str(error)[:80], wanted="well-formed XML")


def _number(text: str | None) -> float:
    try:
        found = float(text or "")
    except ValueError:
        found = np.nan
    if not np.isfinite(found):
        _fail("a coordinate of the mesh is no number", got=repr(text)[:30], wanted="a finite number")
    return found


def _whole(text: str | None) -> int:
    if text is None or not text.strip().isdecimal() or len(text) > 15:
        _fail("a corner of a triangle is no number", got=repr(text)[:30], wanted="the number of a vertex")
    return int(text)


def _fail(problem: str, *, got: str = "", wanted: str = "", why: str = "") -> NoReturn:
    raise MeshFileError(problem, got=got, wanted=wanted, why=why, fix="export it again as 3MF or STL")


# ------------------------------------------------------------------------------------------ writing


def threemf_bytes(parts: Sequence[MeshPart]) -> bytes:
    """A 3MF file with an object for each mesh, in millimetres; the same meshes give the same bytes."""
    from xml.sax.saxutils import quoteattr  # which takes as long to import as a small solid to be read

    objects, items = [], []
    for number, part in enumerate(parts, start=1):
        rows = [
            f'<vertex x="{x:.9g}" y="{y:.9g}" z="{z:.9g}"/>' for x, y, z in (part.mesh.points + 0.0).tolist()
        ]
        sides = [f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in part.mesh.triangles.tolist()]
        objects.append(
            f'<object id="{number}" type="model" name={quoteattr(part.name)}><mesh><vertices>\n'
            + "\n".join(rows) + "\n</vertices><triangles>\n" + "\n".join(sides) + "\n</triangles></mesh></object>"
        )  # fmt: skip
        items.append(f'<item objectid="{number}"/>')
    model = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" xmlns="{_CORE}">'
        f"<resources>\n{''.join(objects)}\n</resources><build>{''.join(items)}</build></model>\n"
    )
    return _packed({"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONSHIPS, _USUAL: model})


def _packed(files: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode(), zipfile.ZIP_DEFLATED)
    return stream.getvalue()


_TYPES: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n'
)
_RELATIONSHIPS: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Target="/{_USUAL}" Id="rel0" Type="{_MODEL_TYPE}"/></Relationships>\n'
)
