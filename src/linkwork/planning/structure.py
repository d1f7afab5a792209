"""Holds the one fact about a system that planning looks at: which equation mentions which variable.

Names go in and names come out; inside the package the same fact is rows of places, built once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from linkwork.errors import NameTaken, UnknownName, UsageError
from linkwork.planning.wording import counted, listed

Mentions = Mapping[str, Iterable[str]] | Iterable[tuple[str, Iterable[str]]]
"""Each equation with the variables it mentions, as :meth:`Structure.of` takes them."""

ROWS_PRINTED = 20
"""Equations that ``print(structure)`` shows; more would scroll away what the reader looks for."""


@dataclass(frozen=True)
class Structure:
    """Which equation mentions which variable, in the order the user gave them.

    ``mentions[i]`` are the variables of ``equations[i]``, each once.

    >>> print(Structure.of({"loop x": ["a", "b"], "loop y": ["b", "a"], "drive": ["a"]}, ["a", "b", "c"]))
    3 equations, 3 variables
      loop x: a, b
      loop y: b, a
      drive: a
      mentioned nowhere: 'c'
    """

    equations: tuple[str, ...]
    variables: tuple[str, ...]
    mentions: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if len(self.mentions) != len(self.equations):
            raise UsageError(
                "every equation needs its own list of variables",
                got=f"{len(self.equations)} equations and {len(self.mentions)} lists of variables",
                wanted="one list of variables for each equation, in the same order",
                fix='build it with Structure.of({"loop x": ["a", "b"]})',
            )
        _refuse_repeats(self.equations, "two equations have the same name")
        _refuse_repeats(self.variables, "two variables have the same name")
        for equation, names in zip(self.equations, self.mentions, strict=True):
            _refuse_repeats(names, f"equation {equation!r} lists a variable twice")
            refuse_unknown(names, self._column_of, f"equation {equation!r} mentions an unknown variable")

    @classmethod
    def of(cls, mentions: Mentions, variables: Iterable[str] | None = None) -> Structure:
        """The structure of a mapping (or pairs) from each equation to the variables it mentions.

        Without ``variables`` they are taken from the equations, in order of first mention. With them,
        their order is kept, some may be mentioned nowhere, and a mention of any other is refused. A
        variable mentioned twice in one equation counts once; the names in a set are sorted.

        >>> Structure.of({"loop x": ["b", "a", "b"], "drive": ["a"]}).variables
        ('b', 'a')
        >>> Structure.of({"drive": ["phi"]}, variables=["phi_1", "psi"])
        Traceback (most recent call last):
        linkwork.errors.UnknownName: equation 'drive' mentions an unknown variable
          got:    phi
          wanted: one of 'phi_1' and 'psi'
          fix:    write 'phi_1'
        """
        equations: list[str] = []
        rows: list[tuple[str, ...]] = []
        for equation, names in _pairs(mentions):
            equations.append(equation)
            rows.append(tuple(dict.fromkeys(as_names(names, f"the variables of equation {equation!r}"))))
        columns = dict.fromkeys(name for row in rows for name in row)
        return cls(
            equations=as_names(equations, "the equations"),
            variables=tuple(columns) if variables is None else as_names(variables, "the variables"),
            mentions=tuple(rows),
        )

    def __str__(self) -> str:
        lines = [f"{counted(len(self.equations), 'equation')}, {counted(len(self.variables), 'variable')}"]
        shown = zip(self.equations[:ROWS_PRINTED], self.mentions[:ROWS_PRINTED], strict=True)
        lines += [f"  {equation}: {', '.join(names) or 'nothing'}" for equation, names in shown]
        if len(self.equations) > ROWS_PRINTED:
            lines.append(f"  … and {counted(len(self.equations) - ROWS_PRINTED, 'equation')} more")
        mentioned = {name for names in self.mentions for name in names}
        lonely = [name for name in self.variables if name not in mentioned]
        if lonely:
            lines.append(f"  mentioned nowhere: {listed(lonely)}")
        return "\n".join(lines)

    def mentioned_in(self, equation: str) -> tuple[str, ...]:
        """The variables that ``equation`` mentions.

        >>> Structure.of({"loop x": ["a", "b"], "drive": ["a"]}).mentioned_in("loop x")
        ('a', 'b')
        """
        refuse_unknown([equation], self._row_of, "there is no such equation")
        return self.mentions[self._row_of[equation]]

    def only(self, equations: Iterable[str], variables: Iterable[str]) -> Structure:
        """The same structure seen through these equations and variables alone, order kept.

        >>> whole = Structure.of({"loop x": ["a", "b"], "loop y": ["b", "c"], "drive": ["a"]})
        >>> print(whole.only(equations=["loop y", "loop x"], variables=["b", "c"]))
        2 equations, 2 variables
          loop x: b
          loop y: b, c
        """
        equations = as_names(equations, "the equations")
        variables = as_names(variables, "the variables")
        refuse_unknown(equations, self._row_of, "there is no such equation")
        refuse_unknown(variables, self._column_of, "there is no such variable")
        kept_equations, kept_variables = set(equations), set(variables)
        if len(kept_equations) == len(self.equations) and len(kept_variables) == len(self.variables):
            return self
        rows = [row for row, equation in enumerate(self.equations) if equation in kept_equations]
        return Structure(
            equations=tuple(self.equations[row] for row in rows),
            variables=tuple(name for name in self.variables if name in kept_variables),
            mentions=tuple(
                tuple(name for name in self.mentions[row] if name in kept_variables) for row in rows
            ),
        )

    @cached_property
    def _row_of(self) -> dict[str, int]:
        """The place of each equation, counted from 0."""
        return {name: place for place, name in enumerate(self.equations)}

    @cached_property
    def _column_of(self) -> dict[str, int]:
        """The place of each variable, counted from 0."""
        return {name: place for place, name in enumerate(self.variables)}

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """For each equation the places of the variables that it mentions, counted from 0.

        >>> Structure.of({"loop x": ["a", "b"], "drive": ["a"]}).rows
        ((0, 1), (0,))
        """
        column_of = self._column_of
        return tuple(tuple(column_of[name] for name in row) for row in self.mentions)


def refuse_unknown(names: Iterable[str], known: Collection[str], problem: str) -> None:
    """Raise for the first name that is not a known one, with the nearest known one as the fix."""
    for name in names:
        if name in known:
            continue
        # Imported here because only a mistaken name needs it.
        from difflib import get_close_matches

        nearest = get_close_matches(name, known, n=1)
        raise UnknownName(
            problem,
            got=name,
            wanted=f"one of {listed(list(known))}" if known else "nothing, as nothing is declared",
            fix=f"write {nearest[0]!r}" if nearest else f"leave {name!r} out, or declare it first",
        )


def as_names(given: Iterable[str], role: str) -> tuple[str, ...]:
    """``given`` as a tuple of names; a set is sorted, since its own order changes from run to run.

    One bare text is refused: it would be read letter by letter.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UsageError(
            f"{role} must be a list of names", got=repr(given), wanted="a list", fix=f"write [{str(given)!r}]"
        )
    names = tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise UsageError(
                f"{role} must be named by text",
                got=f"{name!r}, a {type(name).__name__}",
                wanted="text",
                fix=f"write {str(name)!r}",
            )
    return tuple(sorted(names)) if isinstance(given, set | frozenset) else names


def _pairs(mentions: Mentions) -> Iterable[tuple[str, Iterable[str]]]:
    """The pairs (equation, its variables) of either form in which mentions may be given."""
    if isinstance(mentions, Mapping):
        return mentions.items()
    pairs = list(mentions) if isinstance(mentions, Iterable) else [mentions]
    for pair in pairs:
        if not (isinstance(pair, tuple | list) and len(pair) == 2):
            raise UsageError(
                "an equation must come with the variables it mentions",
                got=repr(pair),
                wanted='a mapping, or pairs such as ("loop x", ["a", "b"])',
                fix='write Structure.of({"loop x": ["a", "b"]})',
            )
    return pairs


def _refuse_repeats(names: tuple[str, ...], problem: str) -> None:
    if len(set(names)) == len(names):
        return
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            raise NameTaken(
                problem,
                got=f"{name!r} at places {names.index(name) + 1} and {place + 1}",
                wanted="each name once",
                why="answers speak of equations and variables by name alone",
                fix=f"leave one {name!r} out, or give one of them another name",
            )
        seen.add(name)
