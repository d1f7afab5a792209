"""The products of a STEP file: their names, of which others they consist, and which representations show them.

- PRODUCT ← PRODUCT_DEFINITION_FORMATION ← PRODUCT_DEFINITION ← PRODUCT_DEFINITION_SHAPE
- SHAPE_DEFINITION_REPRESENTATION: such a shape and its representation, which has bodies as items
- NEXT_ASSEMBLY_USAGE_OCCURRENCE: a product has another one in it; it has a shape too, which
  CONTEXT_DEPENDENT_SHAPE_REPRESENTATION places by a relationship of two representations
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from linkwork.solid.step.record import Record, StepFile

_DEFINITIONS: Final = ("PRODUCT_DEFINITION", "PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS")
_OCCURRENCES: Final = ("NEXT_ASSEMBLY_USAGE_OCCURRENCE",)
TRANSFORMED: Final = "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION"
_MADE_NAME: Final = re.compile(r"=>.*|NAUO\d*|\d+|")
"""Names of occurrences that programs make up."""


@dataclass(frozen=True)
class Occurrence:
    """A product that is in another one; ``relationship`` tells where, if the file does."""

    child: int
    name: str
    record: Record
    relationship: Record | None


@dataclass
class Product:
    """A product by its definition."""

    number: int
    name: str
    representations: list[Record] = field(default_factory=list)
    parts: list[Occurrence] = field(default_factory=list)


class Products:
    """All products of a file, by the numbers of their definitions."""

    def __init__(self, file: StepFile) -> None:
        self._file = file
        self.known: dict[int, Product] = {}
        self._children: set[int] = set()
        self._enter_shapes()
        self._enter_occurrences()
        self._enter_relatives()

    def roots(self) -> list[Product]:
        """The products that are in no other; every other one is in one of them, else it is in a circle."""
        found = [product for product in self.known.values() if product.number not in self._children]
        reached: set[int] = set()
        waiting = [product.number for product in found]
        while waiting:
            number = waiting.pop()
            if number not in reached:
                reached.add(number)
                waiting += [each.child for each in self.known[number].parts]
        lost = next((product for product in self.known.values() if product.number not in reached), None)
        if lost is not None:
            self._file.record(lost.number).fail(
                "assemblies are in each other in a circle", got=lost.name, wanted="one that is in no other"
            )
        return found

    def _product(self, definition: Record) -> Product:
        if definition.number not in self.known:
            self.known[definition.number] = Product(definition.number, _name(definition))
        return self.known[definition.number]

    def _enter_shapes(self) -> None:
        for record in self._file.of_kind("SHAPE_DEFINITION_REPRESENTATION"):
            given = record.part("SHAPE_DEFINITION_REPRESENTATION")
            definition = _defined(given.record(0))
            if definition is not None and _is_definition(definition):
                self._product(definition).representations.append(given.record(1))

    def _enter_occurrences(self) -> None:
        placed: dict[int, Record] = {}
        for record in self._file.of_kind("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"):
            given = record.part("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION")
            shaped = _defined(given.record(1))
            if shaped is not None:
                placed[shaped.number] = given.record(0)
        for record in self._file.of_kind(*_OCCURRENCES):
            given = record.part(_OCCURRENCES[0])
            parent, child = given.record(3, *_DEFINITIONS), given.record(4, *_DEFINITIONS)
            name = next(
                (text for text in (given.text(1), given.text(0)) if not _MADE_NAME.fullmatch(text)), ""
            )
            occurrence = Occurrence(
                self._product(child).number, name or _name(child), record, placed.get(record.number)
            )
            self._product(parent).parts.append(occurrence)
            self._children.add(child.number)

    def _enter_relatives(self) -> None:
        """A representation may say that another one shows the same: that one's bodies count too."""
        relatives: dict[int, list[Record]] = {}
        for record in self._file.of_kind("SHAPE_REPRESENTATION_RELATIONSHIP", "REPRESENTATION_RELATIONSHIP"):
            if TRANSFORMED in record.parts:
                continue
            kind = next(kind for kind in record.parts if kind.endswith("REPRESENTATION_RELATIONSHIP"))
            if len(record.parts) > 1:
                kind = "REPRESENTATION_RELATIONSHIP"
            first, second = record.part(kind).record(2), record.part(kind).record(3)
            relatives.setdefault(first.number, []).append(second)
            relatives.setdefault(second.number, []).append(first)
        taken = {each.number for product in self.known.values() for each in product.representations}
        for product in self.known.values():
            waiting = list(product.representations)
            while waiting:
                for other in relatives.get(waiting.pop().number, ()):
                    if other.number not in taken:
                        taken.add(other.number)
                        product.representations.append(other)
                        waiting.append(other)


def _defined(shape: Record) -> Record | None:
    """What a PRODUCT_DEFINITION_SHAPE is the shape of."""
    for kind in ("PRODUCT_DEFINITION_SHAPE", "PROPERTY_DEFINITION"):
        if kind in shape.parts:
            return shape.part(kind).optional(2)
    return None


def _is_definition(record: Record) -> bool:
    return any(kind in record.parts for kind in _DEFINITIONS)


def _name(definition: Record) -> str:
    """The name of the product of a definition, else its number there, else that of the record."""
    kind = next(kind for kind in _DEFINITIONS if kind in definition.parts)
    formation = definition.part(kind).record(2)
    own = next(kind for kind in formation.parts)
    product = formation.part(own).record(2, "PRODUCT").part("PRODUCT")
    names = (product.text(1).strip(), product.text(0).strip())
    return next((name for name in names if name), f"#{product.number}")


def items(representation: Record) -> Iterator[Record]:
    """The items of a representation of any kind."""
    kind = next(iter(representation.parts))
    if "REPRESENTATION" in representation.parts:
        yield from representation.part("REPRESENTATION").records(1)
    else:
        yield from representation.part(kind).records(1)


def context(representation: Record) -> Record:
    """The context of a representation, which tells its units."""
    kind = "REPRESENTATION" if "REPRESENTATION" in representation.parts else next(iter(representation.parts))
    return representation.part(kind).record(2)
