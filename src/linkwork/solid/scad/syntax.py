"""What texts say, as values: expressions, elements of vectors, statements, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

from linkwork.solid.scad.fault import Place
from linkwork.solid.scad.value import Value

# --------------------------------------------------------------------------------- expressions
#
# Expressions of operators, vectors and names alone are plain: they call nothing, so that they can be evaluated at
# once. Their ``weight`` is the number of expressions in them; it is 0 for those that are not plain, or too large.

MOST_PLAIN: Final = 60


@dataclass(frozen=True, eq=False, slots=True)
class Literal:
    """A value that is written down."""

    weight: ClassVar[int] = 1
    place: Place
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class Name:
    """The value of a variable."""

    weight: ClassVar[int] = 1
    place: Place
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class VectorOf:
    """A vector, whose elements may be comprehensions."""

    place: Place
    elements: tuple[Expression, ...]
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(*self.elements))


@dataclass(frozen=True, eq=False, slots=True)
class RangeOf:
    """[first : step : last]."""

    place: Place
    first: Expression
    step: Expression | None
    last: Expression
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "weight", _weight(self.first, self.last, *((self.step,) if self.step is not None else ()))
        )


@dataclass(frozen=True, eq=False, slots=True)
class Unary:
    """A sign or a negation."""

    place: Place
    operator: str
    operand: Expression
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.operand))


@dataclass(frozen=True, eq=False, slots=True)
class Binary:
    """Two values with an operator between them."""

    place: Place
    operator: str
    left: Expression
    right: Expression
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.left, self.right))


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """condition ? then : otherwise."""

    place: Place
    condition: Expression
    then: Expression
    otherwise: Expression
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.condition, self.then, self.otherwise))


@dataclass(frozen=True, eq=False, slots=True)
class Index:
    """value[index]."""

    place: Place
    value: Expression
    index: Expression
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.value, self.index))


@dataclass(frozen=True, eq=False, slots=True)
class Member:
    """value.x"""

    place: Place
    value: Expression
    name: str
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.value))


@dataclass(frozen=True, eq=False, slots=True)
class Argument:
    """What is given to a call, by name or by its place in the list."""

    place: Place
    name: str
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """A function of some values."""

    weight: ClassVar[int] = 0
    place: Place
    function: Expression
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Let:
    """let (name = value, …) body; the body may be the element of a vector."""

    weight: ClassVar[int] = 0
    place: Place
    bindings: tuple[Argument, ...]
    body: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Told:
    """echo (…) body, or assert (…) body."""

    weight: ClassVar[int] = 0
    place: Place
    word: str
    arguments: tuple[Argument, ...]
    body: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Parameter:
    """What a function or a module takes."""

    place: Place
    name: str
    default: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class FunctionOf:
    """function (x) body, as a value."""

    weight: ClassVar[int] = 0
    place: Place
    parameters: tuple[Parameter, ...]
    body: Expression


# ------------------------------------------------------------------------- elements of vectors


@dataclass(frozen=True, eq=False, slots=True)
class ForEach:
    """for (name = values, …) body."""

    weight: ClassVar[int] = 0
    place: Place
    bindings: tuple[Argument, ...]
    body: Expression


@dataclass(frozen=True, eq=False, slots=True)
class ForWhile:
    """for (name = start, …; condition; name = next, …) body."""

    weight: ClassVar[int] = 0
    place: Place
    starts: tuple[Argument, ...]
    condition: Expression
    nexts: tuple[Argument, ...]
    body: Expression


@dataclass(frozen=True, eq=False, slots=True)
class IfElement:
    """if (condition) then, perhaps else otherwise."""

    weight: ClassVar[int] = 0
    place: Place
    condition: Expression
    then: Expression
    otherwise: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Each:
    """each vector: its elements."""

    weight: ClassVar[int] = 0
    place: Place
    value: Expression


Expression: TypeAlias = (
    Literal
    | Name
    | VectorOf
    | RangeOf
    | Unary
    | Binary
    | Choice
    | Index
    | Member
    | Call
    | Let
    | Told
    | FunctionOf
    | ForEach
    | ForWhile
    | IfElement
    | Each
)


def _weight(*parts: Expression) -> int:
    """One more than the parts weigh together; 0 where one of them is not plain, or all are too many."""
    weight = 1
    for part in parts:
        if part.weight == 0:
            return 0
        weight += part.weight
    return weight if weight <= MOST_PLAIN else 0


# ---------------------------------------------------------------------------------- statements


@dataclass(frozen=True, eq=False, slots=True)
class Assignment:
    """name = value;"""

    place: Place
    name: str
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class FunctionDefinition:
    """function name(parameters) = body;"""

    place: Place
    name: str
    parameters: tuple[Parameter, ...]
    body: Expression


@dataclass(frozen=True, eq=False, slots=True)
class ModuleDefinition:
    """module name(parameters) body"""

    place: Place
    name: str
    parameters: tuple[Parameter, ...]
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Instance:
    """A module that is called, with what stands behind it as its children."""

    place: Place
    modifiers: str
    name: str
    arguments: tuple[Argument, ...]
    children: Block


@dataclass(frozen=True, eq=False, slots=True)
class Conditional:
    """if (condition) then else otherwise."""

    place: Place
    modifiers: str
    condition: Expression
    then: Block
    otherwise: Block | None


Statement: TypeAlias = "Assignment | FunctionDefinition | ModuleDefinition | Instance | Conditional | Use"


@dataclass(frozen=True, eq=False, slots=True)
class Use:
    """use <file>: the functions and modules of another text, which may use this one in turn."""

    place: Place
    file: Path
    blocks: Mapping[Path, Block]
    """The blocks of all files that are used; all of them are known once everything has been read."""

    @property
    def block(self) -> Block:
        """The block of the file."""
        return self.blocks[self.file]


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """The statements of one scope, sorted: of several assignments to a name the last counts, where the first stands."""

    assignments: tuple[Assignment, ...] = ()
    functions: dict[str, FunctionDefinition] = field(default_factory=dict)
    modules: dict[str, ModuleDefinition] = field(default_factory=dict)
    instances: tuple[Instance | Conditional, ...] = ()
    uses: tuple[Use, ...] = ()


def block_of(statements: list[Statement]) -> Block:
    """The block of some statements in the order of the text."""
    assignments: dict[str, Assignment] = {}
    functions: dict[str, FunctionDefinition] = {}
    modules: dict[str, ModuleDefinition] = {}
    instances: list[Instance | Conditional] = []
    uses: list[Use] = []
    for statement in statements:
        match statement:
            case Assignment():
                assignments[statement.name] = statement  # a dictionary keeps the place of the first
            case FunctionDefinition():
                functions[statement.name] = statement
            case ModuleDefinition():
                modules[statement.name] = statement
            case Use():
                uses.append(statement)
            case Instance() | Conditional():
                instances.append(statement)
    return Block(tuple(assignments.values()), functions, modules, tuple(instances), tuple(uses))
