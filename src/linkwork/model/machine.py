"""The machine: what a machine file describes, as one frozen value.

For now a machine is its parameters and a table of definitions over them. Bodies and joints will stand
beside them; the parameters, the table and the way faults are found stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from linkwork.algebra import Definition, Expression, Operand, Table, number, parse
from linkwork.errors import UnknownName
from linkwork.model.check import faults, parameter_values
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.ordered import Ordered

_NOTHING: Final[Ordered[Any]] = Ordered()


@dataclass(frozen=True, repr=False)
class Machine:
    """Parameters, definitions over them, and which of these are wanted as results.

    A parameter is an exact number or an expression of other parameters. No outputs means all definitions.

    >>> ring = Machine.of("ring", {"r": 3, "R": "r + 2"}, {"area": "pi*(R^2 - r^2)"})
    >>> ring
    Machine ring: r, R → area
    >>> round(ring.table().evaluate(ring.values())["area"], 3)
    50.265
    >>> ring.values({"r": 10})
    {'r': 10.0, 'R': 12.0}
    """

    name: str
    title: str = ""
    parameters: Ordered[Expression] = _NOTHING
    definitions: tuple[Definition, ...] = ()
    outputs: tuple[str, ...] = ()
    units: Ordered[str] = _NOTHING

    @classmethod
    def of(
        cls,
        name: str,
        parameters: Mapping[str, Operand | str] | None = None,
        definitions: Mapping[str, Operand | str] | Iterable[Definition] = (),
        *,
        title: str = "",
        outputs: Sequence[str] = (),
        units: Mapping[str, str] | None = None,
    ) -> Machine:
        """A machine from expressions, numbers or text."""
        values = {key: _expression(value) for key, value in (parameters or {}).items()}
        if isinstance(definitions, Mapping):
            definitions = [Definition.of(key, _expression(value)) for key, value in definitions.items()]
        return cls(name, title, Ordered(values), tuple(definitions), tuple(outputs), Ordered(units or {}))

    def __post_init__(self) -> None:
        for fault in faults(self.texts(), self.parameters, self.definitions, self.outputs, self.units):
            raise fault.error

    def texts(self) -> dict[str, str]:
        """The free texts: name and title."""
        return {"name": self.name, "title": self.title}

    def table(self) -> Table:
        """The definitions in the order of their dependence; the parameters they need are its inputs."""
        needed = {leaf.name for line in self.definitions for leaf in line.mentions} | {*self.outputs}
        inputs = [name for name in self.parameters if name in needed]
        return Table.of(self.definitions, outputs=self.outputs or None, inputs=inputs)

    def values(self, overrides: Mapping[str, Operand | str] | None = None) -> dict[str, float]:
        """The parameters in numbers, some of them set anew; those that depend on them follow."""
        return parameter_values(self._overridden(overrides or {}))

    def with_parameters(self, overrides: Mapping[str, Operand | str]) -> Machine:
        """The machine with other values for some parameters.

        >>> Machine.of("bar", {"length": 2}).with_parameters({"lenght": 3})
        Traceback (most recent call last):
        linkwork.errors.UnknownName: the machine bar has no parameter 'lenght'
          wanted: length
          fix:    did you mean length?
        """
        return replace(self, parameters=Ordered(self._overridden(overrides)))

    def _overridden(self, overrides: Mapping[str, Operand | str]) -> dict[str, Expression]:
        for name in overrides:
            if name not in self.parameters:
                raise UnknownName(
                    f"the machine {self.name} has no parameter '{name}'",
                    wanted=listed(self.parameters) or "none: it has no parameters",
                    fix=did_you_mean(name, self.parameters, f"add {name} to its parameters"),
                )
        changed = {name: _expression(value, self.parameters) for name, value in overrides.items()}
        return {**self.parameters, **changed}

    def __repr__(self) -> str:
        results = self.outputs or [line.name for line in self.definitions]
        return f"Machine {self.name}: {listed(self.parameters) or 'nothing'} → {listed(results) or 'nothing'}"

    def to_json(self) -> dict[str, Any]:
        """The machine as plain data, with the keys of a machine file."""
        return {
            **self.texts(),
            "parameters": {name: str(value) for name, value in self.parameters.items()},
            "definitions": [line.to_json() for line in self.definitions],
            "outputs": list(self.outputs),
            "units": dict(self.units),
        }


def _expression(value: Operand | str, names: Iterable[str] | None = None) -> Expression:
    if isinstance(value, str):
        return parse(value, None if names is None else set(names))
    return number(value)
