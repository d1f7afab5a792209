"""A mapping that never changes: names in the order of the file, comparable and hashable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

V = TypeVar("V", covariant=True)


class Ordered(Mapping[str, V]):
    """Names and values in a fixed order, which counts when two are compared.

    A dict inside a frozen value could still be changed, and a mapping proxy cannot be pickled.

    >>> lengths = Ordered({"crank": 1, "rod": 3})
    >>> lengths["rod"], list(lengths)
    (3, ['crank', 'rod'])
    >>> lengths == Ordered({"rod": 3, "crank": 1})
    False
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ordered):
            return tuple(self.items()) == tuple(other.items())
        return self._values == other

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        return f"Ordered({self._values!r})"
