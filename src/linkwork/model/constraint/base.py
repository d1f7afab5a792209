"""What a constraint of a drawing is: a record that says which elementary relations hold between elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from linkwork.errors import LinkworkError
from linkwork.model.constraint.relation import Relation
from linkwork.model.field import Entries, Record, Text, given, registered

if TYPE_CHECKING:
    from linkwork.model.drawing import Drawing

CONSTRAINTS: Final[dict[str, type[Constraint]]] = {}
"""The types of constraints by the word behind ``type =`` in a file."""

constraint_type: Final = registered(CONSTRAINTS)
"""Class decorator: enters a constraint into :data:`CONSTRAINTS`."""


def elements(least: int, most: int, example: Sequence[str]) -> Any:
    """The field with the names of the elements that a constraint is about."""
    count = str(least) if least == most else f"{least} to {most}"
    kind = Entries(
        Text("a point, line or circle", example[0]), least, most, f"a list of {count} names", tuple(example)
    )
    return given(kind)


@dataclass(frozen=True)
class Constraint(Record):
    """What holds between elements of a drawing."""

    of: tuple[str, ...] = elements(1, 4, ("A", "B"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        """The elementary relations that it is made of."""
        raise TypeError(f"{type(self).__name__} gives no relations")

    def kinds_in(self, drawing: Drawing) -> tuple[str, ...]:
        """What its elements are: "point", "line" or "circle"."""
        return tuple(drawing.kind_of(name) for name in self.of)

    def refused(self, drawing: Drawing, wanted: str, example: str) -> LinkworkError:
        """The error for elements that it cannot be between."""
        shown = ", ".join(
            f"{kind} {name}" for kind, name in zip(self.kinds_in(drawing), self.of, strict=True)
        )
        return LinkworkError(
            f"'{self.word}' does not hold between these elements",
            got=shown,
            wanted=wanted,
            fix=f'{{ type = "{self.word}", of = {example} }}',
        )
