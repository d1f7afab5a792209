"""Programs in C99: one documented function, and one that calls it for many rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import fill
from typing import Final

from linkwork.algebra import Table
from linkwork.emit.listing import (
    INFIX,
    Language,
    Listing,
    Part,
    Solution,
    Statement,
    listing,
    of_what,
    solver_of,
)
from linkwork.emit.program import Input, Output, Program, as_program
from linkwork.emit.runtime import runtime_source

_HELPERS: Final = {
    "sign": "static inline double lw_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }",
    "min": "static inline double lw_min(double x, double y) { return x < y || x != x ? x : y; }",
    "max": "static inline double lw_max(double x, double y) { return x > y || x != x ? x : y; }",
}

# What <math.h> defines as macros or what the program itself calls; other words of C are no names at all.
_TAKEN: Final = frozenset(
    """pow fabs fmin fmax lw_sign lw_min lw_max HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN FP_INFINITE FP_NAN
    FP_NORMAL FP_SUBNORMAL FP_ZERO FP_FAST_FMA FP_FAST_FMAF FP_FAST_FMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO
    MATH_ERREXCEPT math_errhandling M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI
    M_2_SQRTPI M_SQRT2 M_SQRT1_2 linux unix i386 row rows in out asm typeof NULL offsetof LW_STATIC LW_BLOCK_H
    LW_BLOCK_WORK LW_BLOCK_BAND_WORK LW_LINKAGE_H lw_block_equations lw_block_solve lw_block_solve_linear
    lw_block_solve_linear_band lw_block_solve_linear_shortest LW_BLOCK_SHORTEST_WORK""".split()
)

LANGUAGE: Final = Language(
    infix=INFIX,
    calls={
        **{name: f"{name}({{}})" for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp")},
        "log": "log({})",
        "abs": "fabs({})",
        "sign": "lw_sign({})",
        "^": "pow({}, {})",
        "atan2": "atan2({}, {})",
        "min": "lw_min({}, {})",
        "max": "lw_max({}, {})",
    },
    taken=_TAKEN,
    pi="3.141592653589793",
    truth="(double)({})",
    choice="({} ? {} : {})",
    condition="{} != 0.0",
    banded=True,
)


def print_c(source: Program | Table) -> str:
    """The program, or a table's, in C.

    >>> from linkwork.algebra import Table
    >>> print(print_c(Program.of_table(Table.of({"r": "sqrt(x^2 + y^2)"}), "length")))
    /* length: r from x, y (4 operations). */
    #include <math.h>
    <BLANKLINE>
    void length(double x, double y, double *r_out)
    {
        const double r = sqrt(x*x + y*y);
        *r_out = r;
    }
    <BLANKLINE>
    /* The same for many rows: 2 numbers in, 1 out. */
    void length_rows(long rows, const double *in, double *out)
    {
        for (long row = 0; row < rows; row++, in += 2, out += 1)
            length(in[0], in[1], &out[0]);
    }
    <BLANKLINE>
    """
    program = as_program(source)
    laid_out = listing(program, LANGUAGE, _place_of)
    sections = [_heading(program), "#include <math.h>"]
    if program.blocks:
        sections += ["", runtime_source(*_block_parts([program])).rstrip()]
    helpers = _helpers(laid_out.operations)
    if helpers:
        sections += ["", *helpers]
    sections += ["", *_whole_function(program, laid_out, "void")]
    sections += ["", *_rows_function(program)]
    return "\n".join(sections) + "\n"


def print_c_functions(programs: Iterable[Program], *, with_runtime: bool = True) -> str:
    """Static functions of several programs, for other C in the same file to call.

    What one writes it does not read, so its pointers are ``restrict``: sine and cosine of one angle then
    become one call, also where results are stored between them. Without ``with_runtime`` the solver of blocks
    is left out, for files that include it.
    """
    laid_out = [(program, listing(program, LANGUAGE, _place_of)) for program in programs]
    solvers = _block_parts(program for program, _ in laid_out) if with_runtime else []
    sections = [
        "#include <math.h>",
        *(["", runtime_source(*solvers)] if solvers else []),
        "",
        *_helpers({each for _, layout in laid_out for each in layout.operations}),
    ]
    for program, layout in laid_out:
        sections += ["", *_whole_function(program, layout, "static void", "*restrict ")]
    return "\n".join(sections) + "\n"


def _block_parts(programs: Iterable[Program]) -> list[str]:
    """The parts of the runtime that solve the programs' blocks."""
    solvers = {solver_of(program, block, True)[0] for program in programs for block in program.blocks}
    parts = {"lw_block_solve_linear_band": "block_band", "lw_block_solve_linear_shortest": "block_shortest"}
    return sorted({parts.get(solver, "block") for solver in solvers})


def _helpers(operations: Collection[str]) -> list[str]:
    return [text for name, text in _HELPERS.items() if name in operations]


def _whole_function(program: Program, laid_out: Listing, kind: str, pointer: str = "*") -> list[str]:
    parameters = _parameters(program, laid_out, pointer)
    lines: list[str] = []
    for each in laid_out.equations:
        lines.append(fill(f"/* {of_what(each)} */", 100, subsequent_indent=" * ", break_long_words=False))
        lines += [*_whole_function(each, listing(each, LANGUAGE, _place_of), "static void", "*restrict "), ""]
    if len(laid_out.parts) == 1:
        return [*lines, *_function(program.name, kind, parameters, laid_out.parts[0])]
    return [*lines, *_divided_function(program, laid_out, kind, parameters)]


def declaration(program: Program) -> str:
    """The function's prototype, for a header."""
    laid_out = listing(program, LANGUAGE, _place_of)
    return f"void {program.name}({', '.join(_parameters(program, laid_out).values())});"


def _place_of(name: str, output: str, position: int | None) -> str:
    return f"*{name}" if position is None else f"{name}[{position}]"


def _heading(program: Program) -> str:
    def names(arguments: Sequence[Input | Output]) -> str:
        shown = []
        for each in arguments:
            entries = each.symbols if isinstance(each, Input) else each.expressions
            shown.append(each.name if each.scalar else f"{each.name}[{len(entries)}]")
        return ", ".join(shown)

    text = f"{program.name}: {names(program.outputs)} from {names(program.inputs) or 'nothing'}"
    text += f" ({program.operations} operations)."
    if program.blocks:
        text += " Where equations that are solved together have no solution, it and what follows are NaN."
    return fill(f"/* {text} */", 100, subsequent_indent=" * ", break_long_words=False)


def _parameters(program: Program, laid_out: Listing, pointer: str = "*") -> dict[str, str]:
    """The declaration of each parameter by its name."""
    found = {}
    for given in program.inputs:
        name = laid_out.inputs[given.name]
        found[name] = f"double {name}" if given.scalar else f"const double {pointer}{name}"
    for result in program.outputs:
        name = laid_out.outputs[result.name]
        found[name] = f"double {pointer}{name}"
    return found


def _function(name: str, kind: str, parameters: Mapping[str, str], part: Part) -> list[str]:
    unused = [parameter for parameter in parameters if parameter not in part.words]
    return [
        _signature(f"{kind} {name}", parameters.values()),
        "{",
        *[f"    (void){parameter};" for parameter in unused],
        *_body(part),
        "}",
    ]


def _signature(beginning: str, parameters: Iterable[str]) -> str:
    text = f"{beginning}({', '.join(parameters) or 'void'})"
    return fill(text, 110, subsequent_indent="    ", break_long_words=False)


def _body(part: Part) -> list[str]:
    return [text for line in part.statements for text in _written(line)]


def _written(line: Statement | Solution) -> list[str]:
    if isinstance(line, Statement):
        return [f"    {'const double ' if line.local else ''}{line.target} = {line.text};"]
    size = len(line.starts)
    room, sizes, more = f"LW_BLOCK_WORK({size})", f"{size}", ""
    integers: list[str] = []
    if line.band is not None:
        room = f"LW_BLOCK_BAND_WORK({size}, {line.band.width})"
        sizes = f"{size}, {line.band.below}, {line.band.above}"
    elif line.solver == "lw_block_solve_linear_shortest":
        room, more = f"LW_BLOCK_SHORTEST_WORK({size})", f", {line.workspace}_column"
        integers = [f"int {line.workspace}_column[{size}];"]
    known = f"(const double[]){{{', '.join(line.known)}}}" if line.known else "NULL"
    declared = f"double {line.target}[{size}] = {{{', '.join(line.starts)}}}"
    declared += f", {line.workspace}[{room}];"
    call = f"{line.solver}({sizes}, {line.equations}, {known}, {line.target}, {line.workspace}{more});"
    return [
        fill(text, 110, initial_indent=" " * 4, subsequent_indent=" " * 8, break_long_words=False)
        for text in (declared, *integers, call)
    ]


def _divided_function(
    program: Program, laid_out: Listing, kind: str, declared: Mapping[str, str]
) -> list[str]:
    """Static functions for the parts, each taking what it uses, and the function that calls them."""
    lines: list[str] = []
    calls: list[str] = []
    workspace = laid_out.workspace
    parameters = {**declared, workspace: f"double *{workspace}"}
    for number, part in enumerate(laid_out.parts, 1):
        name = f"{laid_out.part_name}{number}"
        used = {word: text for word, text in parameters.items() if word in part.words}
        lines += ["", _signature(f"static void {name}", used.values()), "{", *_body(part), "}"]
        calls.append(f"    {name}({', '.join(used)});")
    own = {word: text for word, text in parameters.items() if word != workspace}
    return [
        *lines,
        "",
        _signature(f"{kind} {program.name}", own.values()),
        "{",
        *[f"    (void){word};" for word in own if not any(word in part.words for part in laid_out.parts)],
        *([f"    double {workspace}[{laid_out.workspace_size}];"] if laid_out.workspace_size else []),
        *calls,
        "}",
    ]


def _rows_function(program: Program) -> list[str]:
    """The loop over packed rows that callers from other languages use."""
    arguments: list[str] = []
    taken = 0
    for given in program.inputs:
        arguments.append(f"in[{taken}]" if given.scalar else f"in + {taken}")
        taken += len(given.symbols)
    written = 0
    for result in program.outputs:
        arguments.append(f"&out[{written}]" if result.scalar else f"out + {written}")
        written += len(result.expressions)
    call = fill(
        f"{program.name}({', '.join(arguments)});",
        110,
        initial_indent=" " * 8,
        subsequent_indent=" " * 12,
        break_long_words=False,
    )
    silenced = [] if taken else ["    (void)in;"]
    return [
        f"/* The same for many rows: {taken} numbers in, {written} out. */",
        f"void {program.name}_rows(long rows, const double *in, double *out)",
        "{",
        *silenced,
        f"    for (long row = 0; row < rows; row++, in += {taken}, out += {written})"
        if taken
        else f"    for (long row = 0; row < rows; row++, out += {written})",
        call,
        "}",
    ]
