"""Units as people write them, in terms of the base units that FMI knows."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

BASES: Final = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
"""The base units, in the order in which a unit's exponents stand."""


@dataclass(frozen=True)
class BaseUnit:
    """A unit as a factor times base units to some powers: a value times the factor is the value in base units."""

    factor: float
    exponents: tuple[int, ...]

    def to_power(self, power: int) -> BaseUnit:
        """The unit times itself."""
        return BaseUnit(self.factor**power, tuple(power * each for each in self.exponents))

    def times(self, other: BaseUnit) -> BaseUnit:
        """The product of two units."""
        together = zip(self.exponents, other.exponents, strict=True)
        return BaseUnit(self.factor * other.factor, tuple(a + b for a, b in together))

    @property
    def attributes(self) -> dict[str, str]:
        """Exponents and factor as a description writes them; what is usual is left out."""
        found = {name: str(each) for name, each in zip(BASES, self.exponents, strict=True) if each}
        return found | ({} if self.factor == 1 else {"factor": repr(self.factor)})


def _base(factor: float = 1.0, **exponents: int) -> BaseUnit:
    return BaseUnit(factor, tuple(exponents.get(name, 0) for name in BASES))


_PREFIXED: Final = {
    "m": _base(m=1),
    "g": _base(1e-3, kg=1),
    "s": _base(s=1),
    "A": _base(A=1),
    "K": _base(K=1),
    "mol": _base(mol=1),
    "rad": _base(rad=1),
    "N": _base(kg=1, m=1, s=-2),
    "J": _base(kg=1, m=2, s=-2),
    "W": _base(kg=1, m=2, s=-3),
    "Pa": _base(kg=1, m=-1, s=-2),
    "Hz": _base(s=-1),
}
_WHOLE: Final = {
    "1": _base(),
    "kg": _base(kg=1),
    "mm": _base(0.001, m=1),
    "cm": _base(0.01, m=1),
    "dm": _base(0.1, m=1),
    "cd": _base(cd=1),
    "deg": _base(math.pi / 180, rad=1),
    "°": _base(math.pi / 180, rad=1),
    "rev": _base(2 * math.pi, rad=1),
    "rpm": _base(2 * math.pi / 60, rad=1, s=-1),
    "min": _base(60.0, s=1),
    "h": _base(3600.0, s=1),
    "t": _base(1000.0, kg=1),
    "bar": _base(1e5, kg=1, m=-1, s=-2),
    "in": _base(0.0254, m=1),
    "ft": _base(0.3048, m=1),
    "lb": _base(0.45359237, kg=1),
    "lbf": _base(4.4482216152605, kg=1, m=1, s=-2),
}
_PREFIXES: Final = {
    "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "k": 1e3, "M": 1e6, "G": 1e9
}  # fmt: skip
_FACTOR: Final = re.compile(r"\s*([*·/ ]?)\s*([^\s*·/^\d-]+|1)(?:\^?(-?\d+))?")


def base_unit(text: str) -> BaseUnit | None:
    """What a unit is in base units; None where a word in it is not known.

    >>> base_unit("kg cm^2/s^2").attributes
    {'kg': '1', 'm': '2', 's': '-2', 'factor': '0.0001'}
    >>> base_unit("deg/s").attributes
    {'s': '-1', 'rad': '1', 'factor': '0.017453292519943295'}
    >>> base_unit("furlong") is None
    True
    """
    found, position = _base(), 0
    while position < len(text.rstrip()):
        factor = _FACTOR.match(text, position)
        known = None if factor is None else _known(factor[2])
        if factor is None or known is None:
            return None
        power = int(factor[3] or 1)
        found = found.times(known.to_power(-power if factor[1] == "/" else power))
        position = factor.end()
    return found if text.strip() else None


def _known(word: str) -> BaseUnit | None:
    if word in _WHOLE or word in _PREFIXED:
        return _WHOLE.get(word) or _PREFIXED[word]
    rest = _PREFIXED.get(word[1:])
    return None if rest is None or word[0] not in _PREFIXES else _base(_PREFIXES[word[0]]).times(rest)
