"""What was given to a module that is built in, as the kinds of values that it needs."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from linkwork.solid.scad.evaluate import Evaluator
from linkwork.solid.scad.fault import Complaint, Place
from linkwork.solid.scad.limits import LARGEST_NUMBER, SMALLEST_LENGTH, Work
from linkwork.solid.scad.value import Value, shown

FEWEST_SIDES_OF_ROUND = 24
"""With fewer sides than this a cylinder, circle or sphere is meant to have corners; with more it is meant round."""

NO_SIZE = "leave out what has no size, or {} = 10"
"""The fix for a size of 0."""


class Given:
    """Arguments by the names of the parameters, those that are undef apart."""

    def __init__(
        self,
        evaluator: Evaluator,
        module: str,
        place: Place,
        values: dict[str, tuple[Value, Place]],
        undefined: dict[str, Place],
        specials: dict[str, Value],
    ) -> None:
        self.evaluator = evaluator
        self.module = module
        self.place = place
        self.values = values
        self.undefined = undefined
        self.specials = specials

    @property
    def work(self) -> Work:
        """What counts the work."""
        return self.evaluator.work

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def value(self, name: str) -> Value:
        """Whatever was given; undef where nothing was."""
        return self.values[name][0] if name in self.values else None

    def where(self, name: str) -> Place:
        """Where an argument stands, or else the call."""
        return self.values[name][1] if name in self.values else self.undefined.get(name, self.place)

    def refuse_undef(self, *names: str) -> None:
        """Stop at an argument that was given but has no value, where nothing else takes its place."""
        for name in names:
            if name in self.undefined:
                self.unfit(name, "a value", fix=f"{name} = 10")

    def fail(self, name: str, problem: str, *, wanted: str = "", why: str = "", fix: str = "") -> NoReturn:
        """Stop at an argument."""
        raise self.evaluator.fail(
            Complaint(f"{self.module}: {problem}", wanted=wanted, why=why, fix=fix), self.where(name)
        )

    def unfit(self, name: str, wanted: str, fix: str = "") -> NoReturn:
        """Stop at an argument whose value is of no use."""
        self.fail(name, f"{name} is {shown(self.value(name))}", wanted=wanted, fix=fix)

    # -------------------------------------------------------------------------------- kinds

    def number(self, name: str, default: float | None = None) -> float:
        """A finite number."""
        if name not in self.values and name not in self.undefined and default is not None:
            return default
        value = self.value(name)
        if not isinstance(value, float) or not abs(value) <= LARGEST_NUMBER:
            self.unfit(name, f"a number up to {LARGEST_NUMBER:.0e}", fix=f"{name} = 10")
        return value

    def size(self, name: str, default: float | None = None, *, least: float | None = None) -> float:
        """A length above 0, or not below ``least``."""
        value = self.number(name, default)
        if value <= 0 if least is None else value < least:
            wanted = "a number above 0" if least is None else f"a number not below {least:g}"
            fix = f"{name} = {-value:g}" if value < 0 else NO_SIZE.format(name)
            self.unfit(name, wanted, fix)
        if 0 < value < SMALLEST_LENGTH:
            self.unfit(name, f"a length of {SMALLEST_LENGTH:g} at least", fix=f"{name} = 10")
        return value

    def whole(self, name: str, default: int | None = None, *, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.number(name, None if default is None else float(default))
        if value != int(value) or not least <= value <= most:
            nearest = min(max(round(value), least), most)
            self.unfit(name, f"a whole number from {least} to {most}", fix=f"{name} = {nearest}")
        return int(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """Whether something is so: what is neither true nor false counts as not given, as in OpenSCAD."""
        value = self.value(name)
        return value if isinstance(value, bool) else default

    def text(self, name: str) -> str:
        """A string."""
        value = self.value(name)
        if not isinstance(value, str):
            self.unfit(name, "a string", fix='"…"')
        return value

    def vector(self, name: str, counts: Collection[int] = (3,)) -> tuple[float, ...]:
        """A vector of so many finite numbers."""
        value = self.value(name)
        numbers = finite(value)
        if numbers is None or len(numbers) not in counts:
            many = " or ".join(str(count) for count in counts)
            self.unfit(name, f"a vector of {many} finite numbers", fix=f"[{', '.join('xyz'[: max(counts)])}]")
        return numbers

    def rows(self, name: str, counts: Collection[int]) -> list[tuple[float, ...]]:
        """A vector of vectors of numbers."""
        value = self.value(name)
        if not isinstance(value, tuple):
            self.unfit(name, "a vector of vectors", fix=f"{name} = [{_example(counts)}, …]")
        found: list[tuple[float, ...]] = []
        for place, row in enumerate(value):
            numbers = finite(row)
            if numbers is None or len(numbers) not in counts:
                many = " or ".join(str(count) for count in counts)
                self.fail(
                    name,
                    f"{name}[{place}] is {shown(row)}",
                    wanted=f"a vector of {many} finite numbers",
                    fix=f"{_example(counts)} in its place",
                )
            found.append(numbers)
        return found

    def indices(self, name: str, count: int) -> tuple[tuple[int, ...], ...]:
        """Vectors of places in a list of ``count`` points."""
        found = self.rows(name, range(10**7))
        least = min((each for row in found for each in row), default=0)
        for row in found:
            for each in row:
                if each != int(each) or not 0 <= each < count:
                    from_1 = least == 1 and each == count
                    self.fail(
                        name,
                        f"{name} speaks of point {each:g}",
                        wanted=f"points are counted 0 … {count - 1}",
                        fix=f"count from 0: {each - 1:g} for {each:g}, and so on"
                        if from_1
                        else f"add the point to points, or leave {each:g} out",
                    )
        return tuple(tuple(map(int, row)) for row in found)

    # -------------------------------------------------------------------------------- shared

    @property
    def sides(self) -> int:
        """The sides of something round: 0, unless $fn asks for few."""
        value = self.specials.get("$fn", 0.0)
        if not isinstance(value, float) or not 0 < value < FEWEST_SIDES_OF_ROUND:
            return 0
        return max(3, int(value))

    def radius(self, radius: str, diameter: str, default: float) -> float:
        """A radius, given as such or by its diameter, which counts if there are both."""
        if diameter in self.values:
            return self.size(diameter, least=0.0) / 2
        if radius in self.values:
            return self.size(radius, least=0.0)
        return default


def finite(value: Value) -> tuple[float, ...] | None:
    """The elements of a vector of numbers that are not too large; None for anything else."""
    if not isinstance(value, tuple):
        return None
    numbers = tuple(each for each in value if isinstance(each, float) and abs(each) <= LARGEST_NUMBER)
    return numbers if len(numbers) == len(value) else None


def _example(counts: Collection[int]) -> str:
    """A vector as long as one may be, for a message."""
    return str([1, *[0] * (max(counts) - 1)]) if len(counts) < 5 else "[0, 1, 2]"
