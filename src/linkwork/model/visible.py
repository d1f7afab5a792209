"""What there is to see: objects with shapes, lights and cameras, whose numbers may be formulas.

One class a shape. Its fields are its sizes; where it stands and how it looks is common to all. Lengths are in the
units of what carries the object, so a frame whose scale varies stretches what stands on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from linkwork.algebra import Expression, Number, number
from linkwork.errors import UsageError
from linkwork.model.field import (
    Choice,
    Entries,
    ExpressionReader,
    Flag,
    Formula,
    Kind,
    OneOrMore,
    OrFormula,
    Record,
    Text,
    given,
    registered,
)
from linkwork.model.lines import Path
from linkwork.model.part import GROUND

Written = Any
"""A field with a number, or with the text of a formula."""
Writtens = Any
"""A field with several of them, or with one formula whose value is a vector."""


@dataclass(frozen=True)
class Amount(Kind):
    """A number, or the text of a formula that is one; a text is kept as it is written."""

    example: Any = 1.5

    def schema(self) -> dict[str, Any]:
        return {
            "type": ["number", "string"],
            "description": "a number, or a formula in quotes",
            "examples": [self.example],
        }

    def taken(self, value: Any) -> Any:
        if isinstance(value, Formula):
            return value
        if isinstance(value, str):
            return Formula(value)
        if isinstance(value, Expression) and not isinstance(value, Number):
            return Formula(str(value))
        if isinstance(value, bool):
            raise UsageError("a number or a formula is wanted here", got=f"{value!r}", fix="1.5")
        return number(value)

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return Formula(value) if isinstance(value, str) else expression(path, value, "sizes")

    def plain(self, value: Any) -> Any:
        return value.text if isinstance(value, Formula) else value


def _point(
    example: Any = (0, 0, 1), about: str = "a list of two numbers or formulas, in space three"
) -> Kind:
    return OrFormula(Entries(Amount(), 2, 3, about, example=example), "a formula that is a vector")


SHAPES: Final[dict[str, type[Seen]]] = {}
"""The shapes by their words in files."""


@dataclass(frozen=True, kw_only=True)
class Seen(Record):
    """An object of a view; ``count`` repeats it, with ``i`` = 0, 1, 2, … in its formulas."""

    discriminator: ClassVar[str] = "shape"

    colour: str = given(Text("a colour: its name, or #rrggbb", "red"), "")
    opacity: Written = given(Amount(0.5), 1, "1 hides what is behind, 0 is not seen")
    rough: Written = given(Amount(0.6), 0.6, "1 is dull, 0 shines")
    metal: Written = given(Amount(1), 0, "1 is metal, 0 is not")
    shadow: bool = given(Flag(), True, "whether it casts a shadow")
    count: Written = given(Amount(12), 1, "how often it is repeated")


@dataclass(frozen=True, kw_only=True)
class Standing(Seen):
    """An object that stands on a frame or part: ``at`` a place, turned by ``turn`` about ``axis``."""

    on: str = given(Text("the frame or part that carries it", "car"), GROUND)
    at: Writtens = given(_point(), None, "where its middle is")
    turn: Written = given(Amount("90 deg"), 0, "how far it is turned")
    axis: Writtens = given(_point((1, 0, 0)), None, "about what it is turned; z without it")
    quaternion: Writtens = given(
        OrFormula(
            Entries(Amount(), 4, 4, "a list of four numbers w, x, y, z", example=(1, 0, 0, 0)),
            "a formula such as rotation(f)",
        ),
        None,
        "its orientation, in space",
    )


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Box(Standing):
    """A cuboid around its middle."""

    word: ClassVar[str] = "box"
    size: Writtens = given(_point((2, 1, 0.5)), about="its edges along x, y and z")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Sphere(Standing):
    """A ball."""

    word: ClassVar[str] = "sphere"
    radius: Written = given(Amount(0.5))


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Cylinder(Standing):
    """A cylinder along z around its middle; in the plane a disc."""

    word: ClassVar[str] = "cylinder"
    radius: Written = given(Amount(0.5))
    length: Written = given(Amount(2), None, "along z; needed in space")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Cone(Standing):
    """A cone that stands on ``at`` and points along z; ``top`` is the radius of a blunt one."""

    word: ClassVar[str] = "cone"
    radius: Written = given(Amount(0.5), about="at its foot")
    length: Written = given(Amount(2), about="from its foot to its tip")
    top: Written = given(Amount(0.2), 0, "the radius at its top")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Torus(Standing):
    """A ring about z: ``radius`` is that of its middle line, ``tube`` that of its section."""

    word: ClassVar[str] = "torus"
    radius: Written = given(Amount(1))
    tube: Written = given(Amount(0.2))


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Ellipsoid(Standing):
    """A ball with a radius of its own along each axis."""

    word: ClassVar[str] = "ellipsoid"
    radii: Writtens = given(_point((2, 1, 0.5)))


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Plane(Standing):
    """A flat rectangle across z."""

    word: ClassVar[str] = "plane"
    size: Writtens = given(
        Entries(Amount(), 2, 2, "a list of two numbers or formulas", example=(10, 10)),
        about="its edges along x and y",
    )


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Tube(Standing):
    """A tube along a curve: ``curve`` is its middle line, ``over`` the name that runs, from where and to where."""

    word: ClassVar[str] = "tube"
    curve: Writtens = given(_point(("cos(s)", "sin(s)", "s/9")), about="the middle line")
    over: Writtens = given(
        Entries(Amount(), 3, 3, "a list of a name and its first and last value", example=("s", 0, "2*pi"))
    )
    radius: Written = given(Amount(0.1))
    steps: Written = given(Amount(96), 96, "into how many pieces the curve is cut")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Terrain(Standing):
    """Land whose ``height`` is a formula of x and y."""

    word: ClassVar[str] = "terrain"
    height: Written = given(Amount("sin(x)*cos(y)"))
    size: Writtens = given(
        Entries(Amount(), 2, 2, "a list of two numbers or formulas", example=(100, 100)),
        about="how far it reaches along x and y",
    )
    steps: Written = given(Amount(48), 48, "into how many pieces each side is cut")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Extruded(Standing):
    """A plate with an outline, ``length`` thick along z around its middle."""

    word: ClassVar[str] = "extruded"
    outline: Writtens = given(
        Entries(
            Entries(Amount(), 2, 2, "a list of two numbers or formulas", example=(0, 1)),
            3,
            10**4,
            "a list of corners",
            ((0, 0), (2, 0), (0, 1)),
        )
    )
    length: Written = given(Amount(0.2), None, "along z; needed in space")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Words(Standing):
    """A text that stands in the xy-plane, its middle at ``at``."""

    word: ClassVar[str] = "text"
    text: str = given(Text("the words", "Start"))
    size: Written = given(Amount(1), 1, "the height of its letters")


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Model(Standing):
    """A mesh from a file beside the machine's own."""

    word: ClassVar[str] = "model"
    file: str = given(Text("the name of an STL, 3MF, glTF or GLB file", "wheel.stl"))
    scale: Written = given(Amount(0.001), 1, "by how much it is enlarged")


@dataclass(frozen=True, kw_only=True)
class Reaching(Seen):
    """An object that reaches from one place to another, however they move."""

    between: tuple[str, ...] = given(
        Entries(
            Text("a frame, or a formula that is a vector", "bob"), 2, 2, "a list of two", ("ground", "bob")
        )
    )
    radius: Written = given(Amount(0.05))


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Rod(Reaching):
    """A round bar between two places."""

    word: ClassVar[str] = "rod"


@registered(SHAPES)
@dataclass(frozen=True, kw_only=True)
class Coil(Reaching):
    """A spring between two places."""

    word: ClassVar[str] = "spring"
    turns: Written = given(Amount(8), 8, "how often it is wound")


LIGHTS: Final = ("sun", "point", "spot", "sky")


@dataclass(frozen=True, kw_only=True)
class Light(Record):
    """A light: the sun shines the same way everywhere, the sky from all sides."""

    kind: str = given(Choice(LIGHTS), "sun")
    on: str = given(Text("the frame or part that carries it", "car"), GROUND)
    at: Writtens = given(_point((30, -50, 80)), None, "where it is")
    toward: Writtens = given(_point((0, 0, 0)), None, "the place it shines at")
    colour: str = given(Text("a colour: its name, or #rrggbb", "white"), "white")
    strength: Written = given(Amount(2), 1, "how bright it is")
    shadow: bool = given(Flag(), True, "whether it casts shadows")


@dataclass(frozen=True, kw_only=True)
class Sight(Record):
    """A camera: it rides on a frame or part and looks at a place of that, or at another frame."""

    on: str = given(Text("the frame or part that carries it", "car"), GROUND)
    at: Writtens = given(_point((0, -8, 3)), about="where it is")
    toward: Writtens = given(
        OneOrMore(Amount(), 1, 3, "a list of numbers or formulas, or the name of a frame", ("car",)),
        None,
        "what it looks at; the origin of what carries it without it",
    )
    up: Writtens = given(_point(), None, "what is upwards in its picture")
    angle: Written = given(Amount(45), 45, "how much it sees from top to bottom, in degrees")


MOST_OBJECTS: Final = 10**6
"""Objects of a view, each repetition counted: more would not be told apart, and would not fit into a page."""
