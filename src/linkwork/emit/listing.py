"""From a program to statements: which values get a name, how they nest, how long programs are divided.

This is the part all languages share. A value used once is written where it is used; a value used more
often, or a nest grown too deep to read, becomes a local. Long programs are cut into parts, because
compilers take more than linear time over long functions; values that cross a cut live in a workspace.
The equations of a block are a function of their own, which Newton's method calls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

from linkwork.algebra import Number, Symbol
from linkwork.algebra.block import Block
from linkwork.algebra.expression import COMPARISONS, SELECT, without_collector
from linkwork.algebra.instructions import NEGATE, Instructions
from linkwork.emit.program import Band, Program, band_of, equations_of

# How many operations one statement may nest: more is hard to read, fewer makes programs longer.
DEEPEST_NEST: Final = 12

# Measured on the 10,100 operations of a 50-link chain: gcc -O2 takes 2.6 s for parts of 300 statements,
# 6.5 s for 1500, and the small parts run fastest. V8 leaves functions over 60 kB of bytecode unoptimised.
LONGEST_PART: Final = 300

COMPARISON, SUM, SIGNED, PRODUCT, ATOM = range(5)
INFIX: Final = {
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    **dict.fromkeys(COMPARISONS, COMPARISON),
}
"""The operations that all our languages write between their operands, and how tightly they bind."""

_WORD: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")  # not the e of 1e-05


@dataclass(frozen=True)
class Language:
    """What a language says about itself to be printed."""

    infix: Mapping[str, int]  # the operations written between their operands, and how tightly they bind
    calls: Mapping[str, str]  # the operations written as calls: "{}" or "{}, {}" stand for the operands
    taken: frozenset[str]  # words a variable must not be called
    pi: str
    truth: str  # a condition as the number 1 or 0
    choice: str  # (condition, then, otherwise)
    condition: str  # a number as a condition
    banded: bool = False  # whether its runtime solves linear blocks whose matrix is a band


class Statement(NamedTuple):
    """``target = text``; a local is declared by it, anything else is stored to."""

    target: str
    text: str
    local: bool


class Solution(NamedTuple):
    """A block solved by a call of Newton's method; the statements after it take the unknowns from an array."""

    target: str  # the array of the unknowns
    workspace: str
    equations: str  # the function of the residuals
    solver: str
    starts: tuple[str, ...]
    known: tuple[str, ...]
    band: Band | None = None  # of the matrix, where only that is kept

    @property
    def text(self) -> str:
        """What the call mentions."""
        return " ".join((*self.starts, *self.known))


@dataclass(frozen=True)
class Part:
    """Statements that stand in one function."""

    statements: Sequence[Statement | Solution]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words the statements use, so that a language can leave out or silence unused arguments."""
        return frozenset(_WORD.findall("\n".join([f"{line.target} {line.text}" for line in self.statements])))


@dataclass(frozen=True)
class Listing:
    """A program as statements in one language."""

    parts: Sequence[Part]
    part_name: str  # what the functions of the parts are called, before their number
    workspace: str  # its name
    workspace_size: int
    inputs: Mapping[str, str]  # how each input is called
    outputs: Mapping[str, str]  # how each output is called
    operations: frozenset[str]  # the kinds of operation that occur
    equations: Sequence[Program] = ()  # the functions of the blocks


@without_collector
def listing(
    program: Program,
    language: Language,
    place_of: Callable[[str, str, int | None], str],
    longest_part: int | None = LONGEST_PART,
) -> Listing:
    """Lay out a program. ``place_of(name, output, i)`` writes where entry i of an output is stored."""
    words = _Words(program, language.taken)
    named = _named_places(program, words)
    plan = _statement_order(program, words, named, longest_part)
    workspace = words.fresh("w")
    stored = {
        name: f"{workspace}[{place}]" for place, name in enumerate(_crossing(program, words, named, plan))
    }
    references = {place: stored.get(name, name) for place, name in named.items()}
    symbols = {leaf: stored.get(text, text) for leaf, text in _symbol_texts(program, words).items()}
    texts = _texts(program.code, language, references, symbols)
    targets = _output_targets(program, words, place_of)
    equations = _equations(program, words, language.banded)
    parts = []
    for steps in plan:
        lines: list[Statement | Solution] = []
        for step in steps:
            if step.block is None:
                lines.append(_statement(step, program, texts, references, targets, stored))
            else:
                starts = [references.get(place, texts[place]) for place in step.places]
                function = equations[step.block].name
                kind = solver_of(program, program.blocks[step.block], language.banded)
                lines += _solution(
                    program.blocks[step.block], function, starts, words, symbols, stored, step, kind
                )
        parts.append(Part(lines))
    operations = set(program.code.operations).union(*[each.code.operations for each in equations])
    part_name = words.beginning(f"{program.name}_part")
    return Listing(
        parts,
        part_name,
        workspace,
        len(stored),
        words.inputs,
        words.outputs,
        frozenset(operations),
        equations,
    )


class _Words:
    """The names of arguments and locals in one language, each distinct and allowed there."""

    def __init__(self, program: Program, taken: frozenset[str]) -> None:
        self.used = set(taken)
        self.inputs = {each.name: self.fresh(each.name) for each in program.inputs}
        self.locals = {line.name: self.fresh(line.name) for line in program.lines}
        self.outputs = {
            each.name: self.fresh(f"{each.name}_out" if each.scalar else each.name)
            for each in program.outputs
        }
        self.temporaries = 0

    def fresh(self, name: str) -> str:
        """The name in letters every language knows, with underscores added until it is free."""
        word = "".join(
            letter if letter.isascii() and (letter.isalnum() or letter == "_") else f"u{ord(letter):x}"
            for letter in name.replace(".", "_")
        )
        while word in self.used:
            word += "_"
        self.used.add(word)
        return word

    def beginning(self, word: str) -> str:
        """A word with which no other begins."""
        while any(other.startswith(word) for other in self.used):
            word += "_"
        return word

    def temporary(self) -> str:
        """The next free of t1, t2, …"""
        self.temporaries += 1
        while f"t{self.temporaries}" in self.used:
            self.temporaries += 1
        return f"t{self.temporaries}"


def _symbol_texts(program: Program, words: _Words) -> dict[str, str]:
    """How each symbol is written: an argument, a place of an array, a local."""
    texts = dict(words.locals)
    for each in program.inputs:
        name = words.inputs[each.name]
        for position, leaf in zip(each.places or range(len(each.symbols)), each.symbols, strict=True):
            texts[leaf] = name if each.scalar else f"{name}[{position}]"
    return texts


def _output_targets(
    program: Program, words: _Words, place_of: Callable[[str, str, int | None], str]
) -> list[str]:
    return [
        place_of(words.outputs[each.name], each.name, None if each.scalar else position)
        for each in program.outputs
        for position in each.places or range(len(each.expressions))
    ]


def _named_places(program: Program, words: _Words) -> dict[int, str]:
    """The places that become locals: a definition's under its own name, others as t1, t2, …"""
    code = program.code
    uses = Counter(chain.from_iterable(code.operands))
    uses.update(code.results)
    named: dict[int, str] = {}
    for line, place in zip(program.lines, code.results, strict=False):
        if code.operands[place] and line.explicit is not None:
            named.setdefault(place, words.locals[line.name])
    nest = [0] * len(code.operations)
    for place, operands in enumerate(code.operands):
        if operands and place not in named:
            depth = 1
            for operand in operands:
                depth += nest[operand]
            if depth >= DEEPEST_NEST or uses[place] > 1:
                named[place] = words.temporary()
            else:
                nest[place] = depth
    return named


def _texts(
    code: Instructions, language: Language, named: Mapping[int, str], symbols: Mapping[str, str]
) -> list[str]:
    """The text that computes each place."""
    texts: list[str] = []
    references: list[str] = []  # the text to use a place by: its name if it has one
    bindings: list[int] = []
    infix, calls = language.infix, language.calls
    for place, (operation, operands) in enumerate(zip(code.operations, code.operands, strict=True)):
        binding = ATOM
        if not operands:
            text = _leaf_text(code, place, language, symbols)
            binding = SIGNED if text.startswith("-") else ATOM
        elif operation in infix:
            binding = infix[operation]
            a, b = operands
            left, right = references[a], references[b]
            if bindings[a] < binding:
                left = f"({left})"
            if bindings[b] <= binding:  # a + (b + c) is not (a + b) + c in floating point
                right = f"({right})"
            text = f"{left} {operation} {right}" if binding <= SUM else f"{left}{operation}{right}"
            if operation in COMPARISONS:
                text, binding = language.truth.format(text), ATOM
        elif operation is NEGATE:
            (a,) = operands
            text = f"-{references[a]}" if bindings[a] >= PRODUCT else f"-({references[a]})"
            binding = SIGNED
        elif operation is SELECT:
            text = language.choice.format(
                _condition(code, operands[0], language, references, bindings, named),
                *[references[operand] for operand in operands[1:]],
            )
        else:
            text = calls[operation].format(*[references[operand] for operand in operands])
        texts.append(text)
        references.append(named.get(place, text))
        bindings.append(ATOM if place in named else binding)
    return texts


def _leaf_text(code: Instructions, place: int, language: Language, symbols: Mapping[str, str]) -> str:
    leaf = code.leaves[place]
    if isinstance(leaf, Symbol):
        return symbols[leaf.name]
    if isinstance(leaf, Number):
        return repr(float(leaf.value))
    return language.pi


def _condition(
    code: Instructions,
    place: int,
    language: Language,
    references: Sequence[str],
    bindings: Sequence[int],
    named: Mapping[int, str],
) -> str:
    """A comparison as it stands, any other value compared with zero."""
    operation = code.operations[place]
    if operation in COMPARISONS and place not in named:
        sides = [references[operand] for operand in code.operands[place]]
        wrapped = [
            f"({side})" if bindings[operand] < SUM else side
            for side, operand in zip(sides, code.operands[place], strict=True)
        ]
        return f"{wrapped[0]} {operation} {wrapped[1]}"
    return language.condition.format(references[place])


class _Step(NamedTuple):
    """A statement before it is written: the place computed, and the local or the root that it is for.

    A block is one step, never divided: the places of its starts, the locals of its unknowns.
    """

    places: tuple[int, ...]
    locals: tuple[str, ...]
    root: int | None = None
    block: int | None = None

    @property
    def place(self) -> int:
        """The place of a single statement."""
        return self.places[0]


def _statement_order(
    program: Program, words: _Words, named: Mapping[int, str], longest_part: int | None
) -> list[list[_Step]]:
    """Locals in the order they are needed, each root after the locals it uses, cut into parts."""
    code = program.code
    lines = [words.locals[line.name] for line in program.lines]
    used = _used_symbols(program)
    blocks = {block.unknowns[-1].name: number for number, block in enumerate(program.blocks)}
    steps: list[_Step] = []
    begin = 0
    for root, (place, end) in enumerate(zip(code.results, code.ends, strict=True)):
        steps += [_Step((local,), (named[local],)) for local in range(begin, end) if local in named]
        begin = end
        if root >= len(lines):
            steps.append(_Step((place,), (), root - len(lines)))
        elif program.lines[root].explicit is None:
            number = blocks.get(program.lines[root].name)
            if number is not None:  # the last of its block: now all starts are there
                first = root + 1 - len(program.blocks[number].unknowns)
                names = [line.name for line in program.lines[first : root + 1] if line.name in used]
                unknowns = tuple(words.locals[name] for name in names)
                steps.append(_Step(tuple(code.results[first : root + 1]), unknowns, block=number))
        elif named.get(place) != lines[root]:  # a second name for the same value
            steps.append(_Step((place,), (lines[root],), root))
    if longest_part is None or len(steps) <= longest_part:
        return [steps]
    return [steps[begin : begin + longest_part] for begin in range(0, len(steps), longest_part)]


def _used_symbols(program: Program) -> set[str]:
    """The names that instructions or blocks mention: an unknown that nobody needs is not taken from its array."""
    leaves = (*program.code.leaves.values(), *(leaf for block in program.blocks for leaf in block.known))
    return {leaf.name for leaf in leaves if isinstance(leaf, Symbol)}


def _crossing(
    program: Program, words: _Words, named: Mapping[int, str], plan: Sequence[Sequence[_Step]]
) -> list[str]:
    """The locals that are used in another part than their own, in the order of first use."""
    if len(plan) == 1:
        return []
    code = program.code
    part_of: dict[int, int] = {}  # where a place is computed: an unnamed one where it is used
    home: dict[str, int] = {}
    for part, steps in enumerate(plan):
        for step in steps:
            part_of.update(dict.fromkeys(step.places, part))
            home.update(dict.fromkeys(step.locals, part))
    names = dict(named)
    for place, leaf in code.leaves.items():
        if isinstance(leaf, Symbol) and leaf.name in words.locals:
            names[place] = words.locals[leaf.name]
    homes = {place: home[name] for place, name in names.items()}
    crossing: set[int] = set()
    to_blocks: dict[str, None] = {}
    for part, steps in enumerate(plan):
        for step in steps:
            crossing.update(place for place in step.places if homes.get(place, part) != part)
            if step.block is not None:
                known = [words.locals.get(leaf.name) for leaf in program.blocks[step.block].known]
                to_blocks |= {name: None for name in known if name is not None and home[name] != part}
    for place in range(len(code.operations) - 1, -1, -1):
        part = homes.get(place, part_of.get(place, 0))
        for operand in code.operands[place]:
            own = homes.get(operand)
            if own is None:
                part_of[operand] = part
            elif own != part:
                crossing.add(operand)
    return list(dict.fromkeys([*(names[place] for place in sorted(crossing)), *to_blocks]))


def _statement(
    step: _Step,
    program: Program,
    texts: Sequence[str],
    references: Mapping[int, str],
    targets: Sequence[str],
    stored: Mapping[str, str],
) -> Statement:
    text = texts[step.place]
    if step.root is not None:
        text = references.get(step.place, text)
    if not step.locals:
        return Statement(targets[step.root or 0], text, False)
    (local,) = step.locals
    return Statement(stored.get(local, local), text, local not in stored)


# ------------------------------------------------------------------------------------------- blocks


def _equations(program: Program, words: _Words, banded: bool) -> list[Program]:
    """The functions of the blocks' equations, under names that no other word has."""
    if not program.blocks:
        return []
    name = words.beginning(f"{program.name}_block")
    return [
        equations_of(block, f"{name}{number}", solver_of(program, block, banded)[1])
        for number, block in enumerate(program.blocks, 1)
    ]


def solver_of(program: Program, block: Block, banded: bool) -> tuple[str, Band | None]:
    """The function of the runtime that solves a block, and the band that is kept of its matrix, if only that is."""
    if not block.linear:
        return "lw_block_solve", None
    if not banded:
        return "lw_block_solve_linear", None
    if not program.shortest.isdisjoint(leaf.name for leaf in block.unknowns):
        return "lw_block_solve_linear_shortest", None
    band = band_of(block)
    return ("lw_block_solve_linear", None) if band is None else ("lw_block_solve_linear_band", band)


def of_what(equations: Program) -> str:
    """Which names stand where in the arguments of a block's equations: a comment."""
    unknowns, known = equations.inputs
    given = f", with {known.name} = ({', '.join(known.symbols)})" if known.symbols else ""
    return f"{equations.name}: the equations of {unknowns.name} = ({', '.join(unknowns.symbols)}){given}."


def _solution(
    block: Block,
    function: str,
    starts: Sequence[str],
    words: _Words,
    symbols: Mapping[str, str],
    stored: Mapping[str, str],
    step: _Step,
    kind: tuple[str, Band | None],
) -> list[Statement | Solution]:
    """The call that solves a block, and the statements that take the unknowns out of its array."""
    array, workspace = (words.fresh(f"{name}{(step.block or 0) + 1}") for name in ("solution", "work"))
    known = tuple(symbols[leaf.name] for leaf in block.known)
    solver, band = kind
    call = Solution(array, workspace, function, solver, tuple(starts), known, band)
    lines: list[Statement | Solution] = [call]
    for place, leaf in enumerate(block.unknowns):
        local = words.locals[leaf.name]
        if local in step.locals:
            lines.append(Statement(stored.get(local, local), f"{array}[{place}]", local not in stored))
    return lines
