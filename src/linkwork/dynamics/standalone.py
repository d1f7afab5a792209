"""A simulation program that stands alone: what the files of every target language are printed from.

Besides the functions of the synthesis it has two of its own. ``defaults`` gives each parameter as its formula in terms
of the others, so that those which nobody sets follow the others at run time; ``start`` gives rough positions and rates,
the controls, and the first and last time.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from linkwork import __version__
from linkwork.algebra import Expression, number, substitute, symbol
from linkwork.algebra.expression import ZERO
from linkwork.algebra.reserved import reserved_because
from linkwork.dynamics.synthesis import Component, Synthesis
from linkwork.emit import Input, Output, Program
from linkwork.kinematics.units import column_units

DEFAULT_DURATION: Final = 10
"""How long a machine runs that does not say until when."""
MARK: Final = "Written by linkwork"
"""By what a file is known as ours."""
PREFIX: Final = "machine_"
"""What the names of the machine's functions begin with in modules that offer other functions."""
_LETTERS: Final = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "ı": "i",
    }
)
"""Letters that are no others with an accent."""
_TAKEN: Final = frozenset((*sys.stdlib_module_names, "numpy", "main", "linkwork", "linkwork_runtime"))
"""Names that files or modules must not have: others would be read in their place."""


@dataclass(frozen=True)
class Standalone:
    """A synthesis with all that a program of its own needs; ``positions`` are rough ones for the values at hand.

    ``further`` are functions that only some targets have; they are made before all others, so that their constants
    are there.
    """

    synthesis: Synthesis
    positions: Mapping[str, float]
    further: tuple[Program, ...] = ()

    @cached_property
    def name(self) -> str:
        """The machine's name as an identifier of every language."""
        return identifier(self.synthesis.spec.machine.name)

    @property
    def title(self) -> str:
        """What the machine is, in one line that can stand in a comment."""
        machine = self.synthesis.spec.machine
        return as_comment(machine.title or machine.name)

    @property
    def mark(self) -> str:
        """The line that says who wrote a file."""
        return f"{MARK} {__version__}."

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.synthesis.spec.machine.parameters)

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """The names of the controls."""
        return tuple(self.synthesis.spec.machine.controls)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, of order zero, one and two."""
        return tuple(each.name for each in self.synthesis.q)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The names of the entries of the state."""
        return tuple(each.name for each in self.synthesis.y)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What a row holds."""
        return ("time", *self.synthesis.observed, "energy")

    def unused_controls(self, *others: Program) -> list[str]:
        """The controls that neither a formula of the program mentions nor one of ``others``."""
        inputs = [each for one in (*self.programs, *others) for each in one.inputs if each.name == "c"]
        used = {name for each in inputs for name in each.symbols}
        return [name for name in self.controls if f"control_of.{name}" not in used]

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """What stands at each place of the arrays."""
        return {
            "parameter": self.parameters,
            "control": self.controls,
            "variable": self.variables,
            "state": self.states,
            "column": self.columns,
        }

    @cached_property
    def units(self) -> dict[str, str]:
        """The units of columns for which the machine names some."""
        return column_units(self.synthesis.spec.machine, self.columns)

    @cached_property
    def components(self) -> dict[str, Sequence[Component]]:
        """The systems that Newton's method solves, by what they are for."""
        synthesis = self.synthesis
        return {
            "initialise": synthesis.initialise,
            "velocities": synthesis.velocities,
            "stabilise": synthesis.stabilise,
        }

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """All functions, made in one order for all languages; that of the constants behind those which need some."""
        synthesis = self.synthesis
        parts = [each.program for parts in self.components.values() for each in parts]
        found = (synthesis.derivative, synthesis.zeroth, synthesis.observe, *parts)
        return (*found, synthesis.constants_program, self.defaults, self.start, *self.further)

    @property
    def operations(self) -> dict[str, int]:
        """How many operations one call of each function costs."""
        return {program.name: program.operations for program in self.programs}

    @cached_property
    def defaults(self) -> Program:
        """Each parameter from the others, as its formula says."""
        return self._of_parameters("defaults", {"d": list(self.synthesis.spec.machine.parameters.values())})

    @cached_property
    def start(self) -> Program:
        """Rough positions and rates, the controls, the first and last time."""
        spec, synthesis = self.synthesis.spec, self.synthesis
        positions = {leaf.name: number(value) for leaf, value in spec.start_values().items()}
        rates = {leaf.name: number(value) for leaf, value in spec.start_rates().items()}
        known = {name: number(value) for name, value in self.positions.items()} | positions
        span = spec.machine.time
        last = span.start + DEFAULT_DURATION if span.until is None else span.until
        return self._of_parameters(
            "start",
            {
                "q": [known.get(leaf.name, ZERO) for leaf in synthesis.q],
                "v": [rates.get(leaf.name, ZERO) for leaf in (*synthesis.q1, *synthesis.q2)],
                "c": [number(each.start) for each in spec.machine.controls.values()],
                "span": [number(span.start), number(last)],
            },
        )

    def _of_parameters(self, name: str, outputs: Mapping[str, Sequence[Expression]]) -> Program:
        """A function of the parameters; they are renamed, since one may be called like an array."""
        names = tuple(f"parameter_of.{each}" for each in self.parameters)
        renamed: dict[Expression, Expression] = {
            symbol(each): symbol(new) for each, new in zip(self.parameters, names, strict=True)
        }
        results = tuple(
            Output(label, tuple(substitute(list(values), renamed))) for label, values in outputs.items()
        )
        return Program(name, (Input("p", names),), results)


def prefixed(program: Program) -> Program:
    """A function under a name that nothing else in its module has."""
    return replace(program, name=f"{PREFIX}{program.name}")


def identifier(name: str) -> str:
    """A name that is an identifier of every language and the name of a file that hides no other.

    Letters with accents become those without.

    >>> identifier("four-bar"), identifier("3 cars"), identifier("double"), identifier("numpy"), identifier("Übung")
    ('four_bar', 'machine_3_cars', 'machine_double', 'machine_numpy', 'Ubung')
    """
    apart = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    word = re.sub(r"[^A-Za-z0-9_]+", "_", plain).strip("_")
    taken = not word or word[0].isdigit() or word.startswith("lw_") or word.lower() in _TAKEN
    return f"machine_{word}".rstrip("_") if taken or reserved_because(word) else word


def distinct_words(names: Iterable[str]) -> list[str]:
    """Names in the letters that every language knows, made distinct by underscores.

    >>> distinct_words(["bob.x", "bob_x", "α"])
    ['bob_x', 'bob_x_', 'u3b1']
    """
    found: list[str] = []
    for name in names:
        word = "".join(
            letter if letter.isascii() and (letter.isalnum() or letter == "_") else f"u{ord(letter):x}"
            for letter in name.replace(".", "_")
        )
        while word in found:
            word += "_"
        found.append(word)
    return found


def as_comment(text: str) -> str:
    r"""A text in one line that ends no comment and no string of any language, and begins none.

    >>> as_comment('A */ "b" \n c')
    "A * / 'b' c"
    """
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    for mark, instead in (("\\", "/"), ("*/", "* /"), ("/*", "/ *"), ("??", "? ?"), ('"', "'"), ("`", "'")):
        while mark in plain:
            plain = plain.replace(mark, instead)
    return " ".join(plain.split())
