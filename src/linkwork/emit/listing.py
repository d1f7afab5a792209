"""From a program to statements: which values get a name, how they nest, how long programs are divided.

This is the part all languages share. A value used once is written where it is used; a value used more
often, or a nest grown too deep to read, becomes a local. Long programs are cut into parts, because
compilers take more than linear time over long functions; values that cross a cut live in a workspace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from linkwork.algebra import Number, Symbol
from linkwork.algebra.expression import COMPARISONS, SELECT
from linkwork.algebra.instructions import NEGATE, Instructions
from linkwork.emit.program import Program

# How many operations one statement may nest: more is hard to read, fewer makes programs longer.
DEEPEST_NEST: Final = 8

# Measured on the 10,100 operations of a 50-link chain: gcc -O2 takes 2.6 s for parts of 300 statements,
# 6.5 s for 1500, and the small parts run fastest. V8 leaves functions over 60 kB of bytecode unoptimised.
LONGEST_PART: Final = 300

COMPARISON, SUM, SIGNED, PRODUCT, ATOM = range(5)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


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


@dataclass(frozen=True)
class Statement:
    """``target = text``; a local is declared by it, anything else is stored to."""

    target: str
    text: str
    local: bool


@dataclass(frozen=True)
class Part:
    """Statements that stand in one function, and the words they use."""

    statements: Sequence[Statement]
    words: frozenset[str]


@dataclass(frozen=True)
class Listing:
    """A program as statements in one language."""

    parts: Sequence[Part]
    workspace: str  # its name
    workspace_size: int
    inputs: Mapping[str, str]  # how each input is called
    outputs: Mapping[str, str]  # how each output is called
    operations: frozenset[str]  # the kinds of operation that occur


def listing(
    program: Program,
    language: Language,
    place_of: Callable[[str, str, int | None], str],
    longest_part: int | None = LONGEST_PART,
) -> Listing:
    """Lay out a program. ``place_of(name, output, i)`` writes where entry i of an output is stored."""
    words = _Words(program, language.taken)
    code = program.code
    named = _named_places(code, program, words)
    texts = _texts(code, language, named, _symbol_texts(program, words))
    targets = _output_targets(program, words, place_of)
    statements = _statements(code, program, words, named, texts, targets)
    workspace = words.fresh("w")
    parts, size = _divided(statements, workspace, longest_part)
    return Listing(parts, workspace, size, words.inputs, words.outputs, frozenset(code.operations))


class _Words:
    """The names of arguments and locals in one language, each distinct and allowed there."""

    def __init__(self, program: Program, taken: frozenset[str]) -> None:
        self.used = set(taken)
        self.inputs = {each.name: self.fresh(each.name) for each in program.inputs}
        self.locals = {line.name: self.fresh(line.name) for line in program.definitions}
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
        for position, leaf in enumerate(each.symbols):
            texts[leaf] = name if each.scalar else f"{name}[{position}]"
    return texts


def _output_targets(
    program: Program, words: _Words, place_of: Callable[[str, str, int | None], str]
) -> list[str]:
    return [
        place_of(words.outputs[each.name], each.name, None if each.scalar else position)
        for each in program.outputs
        for position in range(len(each.expressions))
    ]


def _named_places(code: Instructions, program: Program, words: _Words) -> dict[int, str]:
    """The places that become locals: a definition's under its own name, others as t1, t2, …"""
    uses = [0] * len(code.operations)
    for operands in code.operands:
        for operand in operands:
            uses[operand] += 1
    for place in code.results:
        uses[place] += 1
    named: dict[int, str] = {}
    for line, place in zip(program.definitions, code.results, strict=False):
        if code.operands[place]:
            named.setdefault(place, words.locals[line.name])
    nest = [0] * len(code.operations)
    for place, operands in enumerate(code.operands):
        if operands and place not in named:
            nest[place] = 1 + sum([nest[operand] for operand in operands])
            if uses[place] > 1 or nest[place] >= DEEPEST_NEST:
                named[place] = words.temporary()
                nest[place] = 0
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


def _statements(
    code: Instructions,
    program: Program,
    words: _Words,
    named: Mapping[int, str],
    texts: Sequence[str],
    targets: Sequence[str],
) -> list[Statement]:
    """Locals in the order they are needed, each root's target after the locals it uses."""
    statements: list[Statement] = []
    begin = 0
    lines = [words.locals[line.name] for line in program.definitions]
    for root, (place, end) in enumerate(zip(code.results, code.ends, strict=True)):
        statements += [
            Statement(named[local], texts[local], True) for local in range(begin, end) if local in named
        ]
        begin = end
        if root >= len(lines):
            statements.append(Statement(targets[root - len(lines)], named.get(place, texts[place]), False))
        elif named.get(place) != lines[root]:  # a second name for the same value
            statements.append(Statement(lines[root], named.get(place, texts[place]), True))
    return statements


def _divided(
    statements: Sequence[Statement], workspace: str, longest_part: int | None
) -> tuple[list[Part], int]:
    """The statements in parts, locals that cross from one part to another moved to the workspace."""
    if longest_part is None or len(statements) <= longest_part:
        return [_part(statements)], 0
    pieces = [statements[begin : begin + longest_part] for begin in range(0, len(statements), longest_part)]
    home = {line.target: piece for piece, lines in enumerate(pieces) for line in lines if line.local}
    stored: dict[str, str] = {}
    for piece, lines in enumerate(pieces):
        for line in lines:
            for word in _WORD.findall(line.text):
                if home.get(word, piece) != piece and word not in stored:
                    stored[word] = f"{workspace}[{len(stored)}]"
    moved = [[_with_stored(line, stored) for line in lines] for lines in pieces]
    return [_part(lines) for lines in moved], len(stored)


def _with_stored(line: Statement, stored: Mapping[str, str]) -> Statement:
    text = _WORD.sub(lambda word: stored.get(word[0], word[0]), line.text)
    if line.local and line.target in stored:
        return Statement(stored[line.target], text, False)
    return Statement(line.target, text, line.local)


def _part(statements: Sequence[Statement]) -> Part:
    words = {word for line in statements for word in _WORD.findall(f"{line.target} {line.text}")}
    return Part(statements, frozenset(words))
