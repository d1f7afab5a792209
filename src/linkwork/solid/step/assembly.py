"""Parts of a STEP file where they stand: a walk through its assemblies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

import numpy as np

from linkwork.solid.placement import Placement
from linkwork.solid.shell import Shell
from linkwork.solid.step.axes import Measures, scale_of
from linkwork.solid.step.body import shell_of
from linkwork.solid.step.colour import colours
from linkwork.solid.step.fault import BeyondReader
from linkwork.solid.step.product import TRANSFORMED, Occurrence, Product, Products, context, items
from linkwork.solid.step.record import Record, StepFile
from linkwork.solid.step.topology import SHEETS, SOLIDS
from linkwork.solid.step.unit import Unit, units_of
from linkwork.solid.unique import UniqueNames
from linkwork.solid.values import Solid

MOST_INSTANCES: Final = 50_000
"""Parts and assemblies that a file may place: a small file can name the same ones again and again."""
DEEPEST: Final = 200
"""Assemblies within assemblies."""

_NO_SOLIDS: Final = (
    "SHELL_BASED_SURFACE_MODEL", "GEOMETRIC_CURVE_SET", "GEOMETRIC_SET", "TESSELLATED_SOLID", "TESSELLATED_SHELL",
    "TRIANGULATED_FACE_SET", "COMPLEX_TRIANGULATED_FACE_SET", "CSG_SOLID", "BOOLEAN_RESULT", "SWEPT_AREA_SOLID",
)  # fmt: skip
"""What a file may have instead of solids by their faces."""
_PLACES: Final = ("AXIS2_PLACEMENT_3D", "AXIS1_PLACEMENT", "CARTESIAN_POINT", "DIRECTION", "PLANE")
"""What representations list that is no shape."""

Beyond = Callable[[Record, Measures], Shell]
"""Reads a body that is beyond our own reader."""


@dataclass(frozen=True)
class Part:
    """A solid where it stands: a name of its own, the product it is, and the names of what it is in."""

    name: str
    solid: Solid
    product: str
    path: tuple[str, ...]
    colour: str = ""
    """As #rrggbb; empty where the file has none."""


@dataclass(frozen=True)
class Assembly:
    """What a file shows: its parts, the unit its lengths were in, and what was left out."""

    name: str
    parts: tuple[Part, ...]
    unit: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        rows = [f"{self.name or 'assembly'}: {len(self.parts)} parts, given in {self.unit}"]
        rows += [f"  {part.name}: {' / '.join(part.path)}" for part in self.parts]
        return "\n".join([*rows, *(f"  note: {note}" for note in self.notes)])


class _Visit(NamedTuple):
    """Something that is still to be looked at: a product or one of its representations; or the end of one."""

    place: Placement
    path: tuple[str, ...]
    product: Product | None
    representation: Record | None = None
    is_left: bool = False


class Walk:
    """One reading of one file."""

    def __init__(self, file: StepFile, wanted: Unit, assumed: str, beyond: Beyond | None) -> None:
        self.file = file
        self._wanted, self._assumed, self._beyond = wanted, assumed, beyond
        self._products = Products(file)
        self._colours = colours(file)
        self.known_measures: dict[int, Measures] = {}
        self.bodies: dict[tuple[int, int], Shell | None] = {}
        self._consisting: dict[int, list[tuple[str, Product, Placement]]] = {}
        self._reached: set[int] = set()
        self._names = UniqueNames()
        self._open: set[int] = set()
        self._count = 0
        self.parts: list[Part] = []
        self.notes: list[str] = []

    def assembly(self, name: str) -> Assembly:
        """All parts."""
        roots = self._products.roots()
        for root in roots:
            self._walk(_Visit(Placement(), (root.name,), root))
        self._loose()
        if len(roots) == 1:
            name = roots[0].name
        if not self.parts:
            self._fail_empty()
        found = dict.fromkeys(each.units.length.name for each in self.known_measures.values())
        return Assembly(name, tuple(self.parts), ", ".join(found), tuple(dict.fromkeys(self.notes)))

    # ------------------------------------------------------------------------------- walking

    def _walk(self, start: _Visit) -> None:
        """Depth first, without recursion; what is open is what the present one is in."""
        stack = [start]
        while stack:
            visit = stack.pop()
            record = self._record(visit)
            if visit.is_left:
                self._open.remove(record.number)
                continue
            self._check_limits(record, visit)
            self._open.add(record.number)
            stack.append(visit._replace(is_left=True))
            inner = self._shown(visit) if visit.representation else self._consists(visit)
            stack += reversed(inner)

    def _record(self, visit: _Visit) -> Record:
        if visit.representation is not None:
            return visit.representation
        assert visit.product is not None
        return self.file.record(visit.product.number)

    def _check_limits(self, record: Record, visit: _Visit) -> None:
        self._count += 1
        if record.number in self._open:
            record.fail("assemblies are in each other in a circle", got=" / ".join(visit.path[-5:]))
        if self._count > MOST_INSTANCES or len(self._open) > 2 * DEEPEST:
            record.fail(
                "this file places too many parts",
                got=f"more than {MOST_INSTANCES}, or nested deeper than {DEEPEST}",
                fix="export the assemblies one by one",
            )

    def _consists(self, visit: _Visit) -> list[_Visit]:
        """The representations of a product, then what it consists of."""
        product = visit.product
        assert product is not None
        inner = [visit._replace(representation=each) for each in product.representations]
        for name, child, place in self._placed_parts(product):
            inner.append(_Visit(visit.place.holding(place), (*visit.path, name), child))
        if len(inner) == len(product.representations):
            self._note_empty(product)
        return inner

    def _note_empty(self, product: Product) -> None:
        """Tell of a product that consists of no others if none of its representations shows a body."""
        shown = [item for each in product.representations for item in items(each)]
        if any(kind in item.parts for item in shown for kind in (*SOLIDS, *SHEETS, "MAPPED_ITEM")):
            return
        kinds = dict.fromkeys(item.kind for item in shown if not any(kind in item.parts for kind in _PLACES))
        what = f"no solid, but {', '.join([*kinds][:4])}: left out" if kinds else "no shape"
        self.notes.append(f"{product.name} has {what}")

    def _placed_parts(self, product: Product) -> list[tuple[str, Product, Placement]]:
        """What a product consists of, and where; found out once for a product that is placed often."""
        if product.number not in self._consisting:
            mapped = {each.number for shown in product.representations for each in self._mapped(shown)}
            found = []
            for occurrence in product.parts:
                child = self._products.known[occurrence.child]
                is_shown = any(each.number in mapped for each in child.representations)
                if (
                    occurrence.relationship is not None or not is_shown
                ):  # else the representation itself shows it
                    found.append((occurrence.name, child, self._place(occurrence, child)))
            self._consisting[product.number] = found
        return self._consisting[product.number]

    def _mapped(self, representation: Record) -> list[Record]:
        return [
            item.part("MAPPED_ITEM").record(1, "REPRESENTATION_MAP").part("REPRESENTATION_MAP").record(1)
            for item in items(representation)
            if "MAPPED_ITEM" in item.parts
        ]

    def _shown(self, visit: _Visit) -> list[_Visit]:
        """Enter the bodies of a representation; what it maps is still to be looked at."""
        representation = visit.representation
        assert representation is not None
        inner = []
        for item in items(representation):
            if "MAPPED_ITEM" in item.parts:
                given = item.part("MAPPED_ITEM")
                source = given.record(1, "REPRESENTATION_MAP").part("REPRESENTATION_MAP")
                mapped = source.record(1)
                origin = self.measures(mapped).placement(source.record(0, "AXIS2_PLACEMENT_3D"))
                target = self.measures(representation).transformation(given.record(2))
                place = visit.place.holding(target.holding(origin.inverse))
                inner.append(visit._replace(place=place, representation=mapped))
            elif any(kind in item.parts for kind in (*SOLIDS, *SHEETS)):
                self._enter(item, representation, visit)
        return inner

    def _place(self, occurrence: Occurrence, child: Product) -> Placement:
        """Where a part stands in its assembly: one item of the child's representation lies on one of the parent's."""
        relation = occurrence.relationship
        if relation is None or TRANSFORMED not in relation.parts:
            self.notes.append(f"{occurrence.name} is not placed: it stays where it was drawn")
            return Placement()
        pair = relation.part("REPRESENTATION_RELATIONSHIP")
        first, second = pair.record(2), pair.record(3)
        is_swapped = second.number in {each.number for each in child.representations}
        if is_swapped:
            first, second = second, first
        operator = relation.part(TRANSFORMED).record(0)
        if "ITEM_DEFINED_TRANSFORMATION" not in operator.parts:
            place = self._operated(operator, self.measures(second), occurrence)
            return place.inverse if is_swapped else place
        given = operator.part("ITEM_DEFINED_TRANSFORMATION")
        moved, onto = (given.record(3), given.record(2)) if is_swapped else (given.record(2), given.record(3))
        inside = {each.number for each in items(first)}
        if (
            moved.number not in inside and onto.number in inside
        ):  # some programs name them the other way round
            moved, onto = onto, moved
        origin, target = self.measures(first).placement(moved), self.measures(second).placement(onto)
        return target.holding(origin.inverse)

    def _operated(self, operator: Record, measures: Measures, occurrence: Occurrence) -> Placement:
        """The placement by an operator with turn T, scale s and origin o: p -> o + s T p.

        Operators in assemblies are not to scale (PDM Schema Usage Guide). OCCT, which writes and reads such ones, also
        with a scale below 0, means p -> (o + T p) / s by them; all else it writes as pairs of placements.
        """
        place, scale = measures.transformation(operator), scale_of(operator)
        if scale == 1.0:
            return place
        self.notes.append(f"{occurrence.name} is placed mirrored or scaled: taken as OCCT writes it")
        return Placement.of(place.matrix / scale**2, np.array(place.origin) / scale)

    def measures(self, representation: Record) -> Measures:
        """What the numbers of a representation mean."""
        told = context(representation)
        if told.number not in self.known_measures:
            self.known_measures[told.number] = Measures(units_of(told, self._assumed), self._wanted)
        return self.known_measures[told.number]

    # -------------------------------------------------------------------------------- bodies

    def _enter(self, body: Record, representation: Record, visit: _Visit) -> None:
        shell = self._body(body, representation)
        label = body.text(0).strip() if len(body.parts) == 1 else ""
        product = visit.path[-1] if visit.product is None else visit.product.name
        if shell is None:
            self.notes.append(
                f"{label or product} (#{body.number}) is a surface that encloses nothing: left out"
            )
            return
        solid = shell if visit.place == Placement() else shell.placed(visit.place)
        many = sum(1 for each in items(representation) if any(kind in each.parts for kind in SOLIDS)) > 1
        name = self._names.of(label if many and label else product)
        self.parts.append(Part(name, solid, product, visit.path, self._colours.get(body.number, "")))

    def _body(self, body: Record, representation: Record) -> Shell | None:
        """The shell of a body; one that is placed often is read once."""
        self._reached.add(body.number)
        key = (body.number, context(representation).number)
        if key not in self.bodies:
            measures = self.measures(representation)
            try:
                self.bodies[key] = shell_of(body, measures)
            except BeyondReader:
                if self._beyond is None:
                    raise
                self.bodies[key] = self._beyond(body, measures)
        return self.bodies[key]

    def _loose(self) -> None:
        """Bodies of representations that belong to no product."""
        lost = [body for body in self.file.of_kind(*SOLIDS) if body.number not in self._reached]
        if not lost:
            return
        numbers = {body.number for body in lost}
        for kind in [kind for kind in self.file.source.of_kind if kind.endswith("REPRESENTATION")]:
            for representation in self.file.of_kind(kind):
                shown = representation.parts.get(kind, ())
                listed = shown[1] if len(shown) > 2 and isinstance(shown[1], tuple) else ()
                if any(getattr(each, "number", 0) in numbers - self._reached for each in listed):
                    name = representation.text(0).strip() or "part"
                    self._walk(_Visit(Placement(), (name,), None, representation))

    def _fail_empty(self) -> NoReturn:
        source = self.file.source
        elsewhere = [each.part("DOCUMENT_FILE").text(0) for each in self.file.of_kind("DOCUMENT_FILE")]
        noted = " ".join(self.notes)
        others = [kind for kind in _NO_SOLIDS if kind in source.of_kind and kind not in noted]
        told = [*(f"parts in the file {name}" for name in elsewhere), *others, *self.notes]
        source.fail_at(
            0,
            "this STEP file has no solids",
            got=", ".join(told[:6]) or "no body at all",
            wanted=" or ".join(SOLIDS),
            fix="export the assembly as one file"
            if elsewhere
            else "export the solids, not only surfaces, curves or meshes",
        )
