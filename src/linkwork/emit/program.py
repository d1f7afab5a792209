"""A program: named inputs and outputs, and the definitions between them. Tables in, programs out.

A program is what a printer prints: one function with scalar or array arguments. It knows nothing of
languages; :mod:`linkwork.emit.listing` turns it into statements, each language into text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from linkwork.algebra import (
    Definition,
    Expression,
    Operand,
    Symbol,
    Table,
    free_symbols,
    instructions,
    number,
    symbol,
)
from linkwork.algebra.block import Block
from linkwork.algebra.expression import ZERO, is_name
from linkwork.algebra.instructions import Instructions
from linkwork.algebra.order import in_units
from linkwork.algebra.reserved import free_name, reserved_because
from linkwork.errors import BadName, NameTaken, UnknownName, UsageError

# More scalar arguments than this become one array: nobody calls a function with a hundred numbers.
MOST_SCALARS = 24

# The matrix of a block lies on the stack of the C program: 2 MB for so many unknowns.
LARGEST_BLOCK: Final = 500

# A linear block of at least so many unknowns is kept as a band if that is at most this share of the whole.
NARROW_FROM: Final = 12
NARROW_SHARE: Final = 0.6

# A function of such a name would be another one's in C (its libraries and our helpers) or in Python.
LIBRARY_NAMES: Final = frozenset(
    """EOF Float64Array HUGE_VAL INFINITY M_E M_PI NAN NULL abort abs acos acosh aligned_alloc alloca asin
    asinh assert atan atan2 atanh atexit atof atoi atol atoll bcmp bcopy bsearch bzero cabs cacos cacosh
    calloc carg casin casinh catan catanh cbrt ccos ccosh ceil cexp cimag clearerr clog conj copysign cos
    cosh cpow cproj creal csin csinh csqrt ctan ctanh div double_t drem erf erfc exit exp exp10 exp2 expm1
    fabs fclose fdim feof ferror fflush ffs ffsll fgetc fgets finite float_t floor fma fmax fmin fmod
    fopen fpclassify fprintf fputc fputc_unlocked fputs fread free frexp fscanf fseek ftell fwrite
    fwrite_unlocked gamma getc getchar getenv gets hypot i386 ilogb in index isalnum isalpha isascii
    isblank iscntrl isdigit isfinite isgraph isgreater isgreaterequal isinf isless islessequal
    islessgreater islower isnan isnormal isprint ispunct isspace isunordered isupper iswalnum iswalpha
    iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit j0
    j1 jn labs ldexp ldiv lgamma lgamma_r lgammaf_r lgammal_r linux llabs llrint llround log log10 log1p
    log2 logb lrint lround lw_block_correction lw_block_equations lw_block_evaluate lw_block_is_within
    lw_block_largest lw_block_newton lw_block_rows lw_block_solve lw_block_solve_linear
    lw_block_solve_linear_band lw_block_solve_linear_shortest lw_max lw_min
    lw_pow lw_sign main malloc math_errhandling memchr memcmp memcpy memmove memset modf nan nearbyint
    nextafter nexttoward np numpy out perror posix_memalign pow pow10 printf putc putc_unlocked putchar
    putchar_unlocked puts qsort rand realloc remainder remove remquo rename rewind rindex rint round row
    rows scalb scalbln scalbn scanf signal signbit signgam significand sin sincos sinh snprintf sprintf
    sqrt srand sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup strftime strlen
    strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtol system
    tan tanh tgamma time toascii tolower toupper towlower towupper trunc ungetc unix va_arg va_end
    va_start vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf write y0 y1 yn""".split()
)
_MACROS: Final = re.compile(r"(FP|HUGE|MATH|M)_\w+")


@dataclass(frozen=True)
class Input:
    """An argument: one scalar, or an array whose places are named symbols.

    ``places`` tells where in the array each symbol stands; without it they stand one after another.
    """

    name: str
    symbols: tuple[str, ...]
    scalar: bool = False
    places: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """How many entries its array has at least."""
        return max(self.places) + 1 if self.places else len(self.symbols)

    def takes(self, shape: Sequence[int]) -> bool:
        """Whether an array fits; where only some entries are named there may be more behind them."""
        if not shape:
            return False
        return shape[-1] >= self.width if self.places else shape[-1] == self.width


@dataclass(frozen=True)
class Output:
    """A result: one scalar or an array of expressions over the inputs and definitions; places as for inputs."""

    name: str
    expressions: tuple[Expression, ...]
    scalar: bool = False
    places: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """How many entries its array has at least; those that are not named are 0."""
        return max(self.places) + 1 if self.places else len(self.expressions)


@dataclass(frozen=True)
class Program:
    """One function to be printed.

    >>> from linkwork.algebra import symbols, sin
    >>> q, v = symbols("q v")
    >>> Program.of("swing", {"state": [q, v]}, {"rate": [v, -sin(q)]})
    swing(state[2]) → rate[2], 2 operations
    """

    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    definitions: tuple[Definition, ...] = ()
    shortest: frozenset[str] = frozenset()
    """Unknowns of linear blocks in which some equations may follow from others: the shortest solution is taken."""

    @classmethod
    def of(
        cls,
        name: str,
        inputs: Mapping[str, Sequence[Symbol]] | Sequence[Symbol],
        outputs: Mapping[str, Operand | Sequence[Operand]],
        definitions: Sequence[Definition] = (),
    ) -> Program:
        """A program from expressions: a mapping of array inputs, or a sequence of scalar ones."""
        if isinstance(inputs, Mapping):
            given = [Input(key, _names(leaves)) for key, leaves in inputs.items()]
        else:
            given = [Input(name, (name,), scalar=True) for name in _names(inputs)]
        if not isinstance(outputs, Mapping):
            raise UsageError(
                "the outputs of a program have names", got=repr(outputs)[:80], wanted='{"name": expression}'
            )
        results = [_output(key, value) for key, value in outputs.items()]
        return cls(name, tuple(given), tuple(results), tuple(definitions))

    @classmethod
    def of_table(cls, table: Table, name: str = "evaluate") -> Program:
        """The program that computes a table's outputs from its inputs, by the lines they need.

        >>> Program.of_table(Table.of({"r": "sqrt(x^2 + y^2)"}), "length")
        length(x, y) → r, 4 operations
        """
        results = [Output(output, (symbol(output),), scalar=True) for output in table.outputs]
        given = [Input(key, (key,), scalar=True) for key in table.inputs]
        if len(given) + len(results) > MOST_SCALARS:
            taken = {*table.inputs, *(line.name for line in table)}
            given = [Input(_free("inputs", taken), table.inputs)]
            results = [Output(_free("outputs", taken), tuple(symbol(each) for each in table.outputs))]
        return cls(name, tuple(given), tuple(results), table.definitions)

    def __post_init__(self) -> None:
        _check_function_name(self.name)
        names = [*(each.name for each in self.inputs), *(each.name for each in self.outputs)]
        for each in names:
            _check_name(each, "an argument")
        _check_distinct([each.name for each in self.inputs])
        _check_distinct([each.name for each in self.outputs])
        _check_distinct([line.name for line in self.definitions])
        defined = {line.name for line in self.definitions}
        given = [leaf for each in self.inputs for leaf in each.symbols]
        arrays = [each.name for each in self.inputs if not each.scalar]
        arrays += [each.name for each in self.outputs if not each.scalar]
        outputs = [each.name for each in self.outputs if each.scalar and each.name not in defined]
        _check_distinct([*given, *arrays, *defined, *(name for name in outputs if name not in given)])
        known = defined.union(given)
        for leaf in (*self.code.leaves.values(), *(leaf for block in self.blocks for leaf in block.known)):
            if isinstance(leaf, Symbol) and leaf.name not in known:
                raise UnknownName(
                    f"the program {self.name} uses '{leaf.name}', which is neither an input nor defined",
                    wanted="one of " + ", ".join([*given, *sorted(defined)][:20]),
                    fix=f"add {leaf.name} to the inputs",
                )

    @cached_property
    def results(self) -> tuple[Expression, ...]:
        """All output expressions in order."""
        return tuple(expression for each in self.outputs for expression in each.expressions)

    @cached_property
    def _solved(self) -> tuple[tuple[tuple[Definition, ...], Block | None], ...]:
        """The units of definitions that the outputs need, in order; with the block where they are one."""
        if not self.definitions:
            return ()
        needed = {leaf.name for leaf in free_symbols(*self.results)}
        found: list[tuple[tuple[Definition, ...], Block | None]] = []
        for unit in reversed(in_units(self.definitions)):
            if any(line.name in needed for line in unit):
                block = Block.of(unit) if unit[0].explicit is None else None
                if block is None:
                    needed.update(leaf.name for leaf in free_symbols(unit[0].value))
                else:
                    starts = () if block.linear else free_symbols(*block.starts)
                    needed.update(leaf.name for leaf in (*block.known, *starts))
                found.append((unit, block))
        return tuple(reversed(found))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The equations that are solved together by Newton's method, block by block."""
        return tuple(block for _, block in self._solved if block is not None)

    @cached_property
    def lines(self) -> tuple[Definition, ...]:
        """The definitions that the outputs need, each after those it needs, those of a block together."""
        return tuple(line for unit, _ in self._solved for line in unit)

    @cached_property
    def code(self) -> Instructions:
        """The instructions of the definitions, in a block of its starts, then of the outputs."""
        roots: list[Expression] = []
        for unit, block in self._solved:
            if block is None:
                roots.append(unit[0].value)
            else:
                roots += [ZERO] * len(unit) if block.linear else block.starts
        return instructions([*roots, *self.results])

    @property
    def operations(self) -> int:
        """How many operations one call costs, a block counted with one evaluation of its equations."""
        return self.code.count().total() + sum(block.operations for block in self.blocks)

    def __repr__(self) -> str:
        inputs = ", ".join(_shown(each.name, each.symbols, each.scalar) for each in self.inputs)
        outputs = ", ".join(_shown(each.name, each.expressions, each.scalar) for each in self.outputs)
        return f"{self.name}({inputs}) → {outputs}, {self.operations} operations"


def as_program(source: Program | Table, name: str = "evaluate") -> Program:
    """The program itself, or that of a table."""
    if isinstance(source, Program):
        return source
    if isinstance(source, Table):
        return Program.of_table(source, name)
    raise UsageError(
        "only programs and tables can be printed or called",
        got=f"{source!r} ({type(source).__name__})"[:80],
        fix='Table.of({"result": expression})',
    )


class Band(NamedTuple):
    """A matrix with entries only near its diagonal: how far below and above it."""

    below: int
    above: int

    @property
    def width(self) -> int:
        """Entries kept of each row: elimination with exchange of rows fills in as many above as there are below."""
        return 2 * self.below + self.above + 1

    def place(self, row: int, column: int) -> int:
        """Where an entry stands in the array of the rows."""
        return row * self.width + column - row + self.below


def band_of(block: Block) -> Band | None:
    """The band of a linear block, where it is so narrow that the rest is not worth keeping."""
    if not block.linear or len(block.unknowns) < NARROW_FROM:
        return None
    below = max((row - column for row, column, _ in block.entries), default=0)
    above = max((column - row for row, column, _ in block.entries), default=0)
    band = Band(max(below, 0), max(above, 0))
    return band if band.width <= NARROW_SHARE * len(block.unknowns) else None


def equations_of(block: Block, name: str, band: Band | None = None) -> Program:
    """The function that Newton's method calls: residuals, the sizes of their terms, and the Jacobian.

    Entries of the Jacobian that are zero are left out; its array has room for them.
    """
    n = len(block.unknowns)
    if n > LARGEST_BLOCK and band is None:
        raise UsageError(
            "too many equations have to be solved together",
            got=f"{n}: for {', '.join(leaf.name for leaf in block.unknowns[:5])}, …",
            wanted=f"at most {LARGEST_BLOCK}",
            why="the matrix of a block is kept whole",
            fix="define some of the unknowns by formulas, so that the block falls apart",
        )
    unknowns, known = _names(block.unknowns), _names(block.known)
    taken = {*unknowns, *known}
    entries = tuple(value for _, _, value in block.entries)
    places = tuple(
        row * n + column if band is None else band.place(row, column) for row, column, _ in block.entries
    )
    return Program(
        name,
        (Input(_free("x", taken), unknowns), Input(_free("known", taken), known)),
        (
            Output(_free("f", taken), block.residuals),
            Output(_free("size", taken), block.sizes),
            Output(_free("j", taken), entries, places=places),
        ),
    )


def _output(name: str, value: Operand | Sequence[Operand]) -> Output:
    if isinstance(value, Sequence):
        return Output(name, tuple(number(entry) for entry in value))
    return Output(name, (number(value),), scalar=True)


def _shown(name: str, entries: Sequence[object], scalar: bool) -> str:
    return name if scalar else f"{name}[{len(entries)}]"


def _names(leaves: Sequence[Symbol]) -> tuple[str, ...]:
    if isinstance(leaves, Expression | str) or not all(isinstance(leaf, Symbol) for leaf in leaves):
        raise UsageError(
            "the inputs of a program are symbols",
            got=repr(leaves)[:80],
            wanted="a sequence of symbols, or a mapping of names to such sequences",
            fix='Program.of("f", symbols("x y"), …)',
        )
    return tuple(leaf.name for leaf in leaves)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _check_name(name: str, what: str) -> None:
    reason = reserved_because(name) if is_name(name) else "it is no identifier"
    if reason:
        proposal = (
            free_name(name) if is_name(name) else re.sub(r"\W|^(?=\d|$)", "_", f"q{name}", flags=re.ASCII)
        )
        raise BadName(
            f"'{name}' cannot be the name of {what}", got=name, why=reason, fix=f"call it {proposal}"
        )


def _check_function_name(name: str) -> None:
    _check_name(name, "a function")
    taken = _is_library_name(name)
    if not name.isascii() or "." in name or name.startswith("_") or taken:
        raise BadName(
            f"'{name}' cannot be the name of a function",
            got=name,
            why="one of the languages it is printed in has another use for it"
            if taken
            else "a function's name has plain letters, digits and underscores, in every language",
            fix=f"call it {re.sub(r'[^a-zA-Z0-9_]', '_', name).strip('_') or 'f'}_of_machine",
        )


def _is_library_name(name: str) -> bool:
    """Whether C knows the name, also with the endings of its float and long double functions."""
    alike = (name, name.removesuffix("f"), name.removesuffix("l"))
    return not LIBRARY_NAMES.isdisjoint(alike) or _MACROS.fullmatch(name) is not None


def _check_distinct(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise NameTaken(
                f"'{name}' means two things in one program",
                why="inputs, outputs and definitions share one set of names",
                fix=f"rename one of them, for instance to {name}_out",
            )
        seen.add(name)
