"""Names for parts of which several are called alike."""

from __future__ import annotations

from collections.abc import Iterable


class UniqueNames:
    """Gives each name once: bolt, bolt_2, bolt_3.

    >>> names = UniqueNames(["ground"])
    >>> [names.of(each) for each in ("bolt", "bolt", "bolt_2", "ground", "")]
    ['bolt', 'bolt_2', 'bolt_2_2', 'ground_2', 'part']
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._counts: dict[str, int] = dict.fromkeys(taken, 1)

    def of(self, name: str) -> str:
        """The name, with a number behind it where it has been given before."""
        plain = name or "part"
        while True:
            self._counts[plain] = self._counts.get(plain, 0) + 1
            count = self._counts[plain]
            found = plain if count == 1 else f"{plain}_{count}"
            if count == 1 or found not in self._counts:
                self._counts.setdefault(found, 1)
                return found
