"""Where names have their meaning.

Ordinary names belong to the place where they are written: a scope asks the scope around it. Names with a dollar
belong to the call: what a module sets is seen by all that it calls, its children too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from linkwork.solid.scad.limits import Work
from linkwork.solid.scad.syntax import Block, FunctionDefinition, ModuleDefinition
from linkwork.solid.scad.value import Value

Definition = TypeVar("Definition")

MISSING: Final = object()
"""What is found for a name that nothing defines: undef is a value."""

SPECIALS: Final[dict[str, Value]] = {
    "$fn": 0.0,
    "$fa": 12.0,
    "$fs": 2.0,
    "$t": 0.0,
    "$preview": False,
    "$vpr": (55.0, 0.0, 25.0),
    "$vpt": (0.0, 0.0, 0.0),
    "$vpd": 140.0,
    "$vpf": 22.5,
}
CHILD_COUNT: Final = "$children"


@dataclass(frozen=True, eq=False, slots=True)
class Children:
    """What a module was called on, and the scope in which it is written."""

    block: Block
    scope: Scope


class Scope:
    """Names and their values, inside another scope."""

    __slots__ = ("around", "block", "children", "exported", "libraries", "specials", "variables")

    def __init__(
        self,
        around: Scope | None,
        specials: dict[str, Value],
        block: Block | None = None,
        children: Children | None = None,
    ) -> None:
        self.around = around
        self.specials = specials
        self.block = block
        self.children = children
        self.variables: dict[str, Value] = {}
        self.libraries: tuple[Scope, ...] = ()
        self.exported: dict[str, Value] = {}  # names with a dollar that a used file sets for its modules

    def inner(self, block: Block | None = None) -> Scope:
        """A scope inside this one."""
        return Scope(self, self.specials, block)

    def set(self, name: str, value: Value) -> None:
        """Give a name its value here."""
        if name.startswith("$") and name != CHILD_COUNT:
            self.specials = {**self.specials, name: value}
        else:
            self.variables[name] = value

    def find(self, name: str, work: Work) -> object:
        """The value of a name, or ``MISSING``."""
        if name.startswith("$") and name != CHILD_COUNT:
            return self.specials.get(name, MISSING)
        scope: Scope | None = self
        hops = 0
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.around
            hops += 1
            if hops % 4 == 0:
                work.spend(1)
        return MISSING

    def find_function(self, name: str, work: Work) -> tuple[FunctionDefinition, Scope] | None:
        """The function of a name and the scope in which it is written."""
        return self._definition(name, lambda block: block.functions, work)

    def find_module(self, name: str, work: Work) -> tuple[ModuleDefinition, Scope] | None:
        """The module of a name and the scope in which it is written."""
        return self._definition(name, lambda block: block.modules, work)

    def _definition(
        self, name: str, defined: Callable[[Block], dict[str, Definition]], work: Work
    ) -> tuple[Definition, Scope] | None:
        """The innermost definition of a name: of a scope first its own, then those of the last file it uses."""
        scope: Scope | None = self
        hops = 0
        while scope is not None:
            block = scope.block
            if block is not None:
                if name in defined(block):
                    return defined(block)[name], scope
                for library in reversed(scope.libraries):
                    if library.block is not None and name in defined(library.block):
                        return defined(library.block)[name], library
            scope = scope.around
            hops += 1
            if hops % 4 == 0:
                work.spend(1)
        return None

    def find_children(self) -> Children | None:
        """What the module around this place was called on."""
        return next((scope.children for scope in self._outward() if scope.children is not None), None)

    def names(self) -> list[str]:
        """All names of variables that have a meaning here."""
        return list(dict.fromkeys(name for scope in self._outward() for name in scope.variables))

    def module_names(self) -> list[str]:
        """All names of modules that the text defines for this place."""
        homes = (home for scope in self._outward() for home in (scope, *scope.libraries))
        blocks = (home.block for home in homes if home.block is not None)
        return list(dict.fromkeys(name for block in blocks for name in block.modules))

    def _outward(self) -> Iterator[Scope]:
        """This scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.around
