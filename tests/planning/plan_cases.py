"""Structures for the tests of plan: random ones, hand-made ones with known blocks, and a slow oracle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st

from linkwork.planning import Structure

untimed = settings(deadline=None)
"""For laws that must not fail because the machine is busy, or because SciPy is imported at first use."""


@st.composite
def structures(draw: st.DrawFn, most: int = 7) -> Structure:
    """Any structure of at most ``most`` equations and variables, singular ones and empty ones included."""
    variables = [f"v{place}" for place in range(draw(st.integers(0, most)))]
    row = st.lists(st.sampled_from(variables), max_size=4) if variables else st.just([])
    rows = draw(st.lists(row, max_size=most))
    return Structure.of({f"e{place}": names for place, names in enumerate(rows)}, variables)


@st.composite
def solvable_structures(draw: st.DrawFn, most: int = 9) -> Structure:
    """A structure that a hidden complete matching makes solvable in blocks."""
    variables = [f"v{place}" for place in range(draw(st.integers(1, most)))]
    others = st.lists(st.sampled_from(variables), max_size=2)
    rows = [[own, *draw(others)] for own in draw(st.permutations(variables))]
    return Structure.of({f"e{place}": names for place, names in enumerate(rows)}, variables)


def largest_matching(structure: Structure) -> int:
    """The size of a maximum matching by plain augmenting paths, as slow as it is simple."""
    equation_of: dict[str, str] = {}

    def finds_partner(equation: str, tried: set[str]) -> bool:
        for variable in structure.mentioned_in(equation):
            if variable not in tried:
                tried.add(variable)
                if variable not in equation_of or finds_partner(equation_of[variable], tried):
                    equation_of[variable] = equation
                    return True
        return False

    return sum(finds_partner(equation, set()) for equation in structure.equations)


def without(structure: Structure, equations: Sequence[str] = (), variables: Sequence[str] = ()) -> Structure:
    """The structure with these equations and variables left out."""
    return structure.only(
        equations=[name for name in structure.equations if name not in equations],
        variables=[name for name in structure.variables if name not in variables],
    )


def with_equations(structure: Structure, more: Mapping[str, Sequence[str]]) -> Structure:
    """The structure with more equations at its end."""
    old = dict(zip(structure.equations, structure.mentions, strict=True))
    return Structure.of(old | dict(more), structure.variables)


@dataclass(frozen=True)
class Case:
    """A solvable system and its blocks, worked out by hand: (equations, unknowns) in solving order."""

    name: str
    structure: Structure
    blocks: tuple[tuple[str, str], ...]


CASES = (
    Case("nothing at all", Structure.of({}), ()),
    Case("one equation", Structure.of({"e": ["x"]}), (("e", "x"),)),
    Case(
        "lower triangle, already in order",
        Structure.of({"1": ["a"], "2": ["a", "b"], "3": ["a", "b", "c"]}),
        (("1", "a"), ("2", "b"), ("3", "c")),
    ),
    Case(
        "upper triangle, to be solved from the last equation back",
        Structure.of({"1": ["a", "b", "c"], "2": ["b", "c"], "3": ["c"]}),
        (("3", "c"), ("2", "b"), ("1", "a")),
    ),
    Case(
        # Row and column through the tip, and the diagonal: every equation needs the tip, the tip needs all.
        "arrow matrix, one block",
        Structure.of({"tip": ["t", "a", "b", "c"], "1": ["t", "a"], "2": ["t", "b"], "3": ["t", "c"]}),
        (("tip 1 2 3", "t a b c"),),
    ),
    Case(
        "arrow matrix without its column: the shafts first, then the tip",
        Structure.of({"tip": ["t", "a", "b", "c"], "1": ["a"], "2": ["b"], "3": ["c"]}),
        (("1", "a"), ("2", "b"), ("3", "c"), ("tip", "t")),
    ),
    Case(
        "ring of three",
        Structure.of({"1": ["a", "b"], "2": ["b", "c"], "3": ["c", "a"]}),
        (("1 2 3", "a b c"),),
    ),
    Case(
        # Watt's six-bar: a driven four-bar whose rocker carries a second loop.
        "two loops, the second behind the first",
        Structure.of(
            {
                "second_x": ["rocker", "link", "output"],
                "second_y": ["rocker", "link", "output"],
                "first_x": ["crank", "rod", "rocker"],
                "first_y": ["crank", "rod", "rocker"],
                "drive": ["crank"],
            }
        ),
        (("drive", "crank"), ("first_x first_y", "rocker rod"), ("second_x second_y", "link output")),
    ),
    Case(
        "independent equations keep the user's order",
        Structure.of({"z": ["c"], "a": ["b"], "m": ["a"]}),
        (("z", "c"), ("a", "b"), ("m", "a")),
    ),
    Case(
        "a waiting equation lets a later one pass and then comes at once",
        Structure.of(
            {"waits": ["x", "y"], "other": ["z"], "frees": ["x"], "last": ["w"]}, ["x", "y", "z", "w"]
        ),
        (("other", "z"), ("frees", "x"), ("waits", "y"), ("last", "w")),
    ),
)
