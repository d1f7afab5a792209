"""Programs in JavaScript: one function that fills and returns an object of its outputs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from textwrap import fill
from typing import Final

from linkwork.algebra import Table
from linkwork.emit.listing import INFIX, Language, Listing, Part, Solution, Statement, listing, of_what
from linkwork.emit.program import Program, as_program
from linkwork.emit.runtime import block_solver

# Where Math.min and Math.pow differ from C: signs of zero, and powers of ±1 (a NaN here, 1 there).
_HELPERS: Final = {
    "min": "const lw_min = (x, y) => (x < y || x !== x ? x : y);",
    "max": "const lw_max = (x, y) => (x > y || x !== x ? x : y);",
    "^": (
        "const lw_pow = (x, y) =>\n  x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : Math.pow(x, y);"
    ),
}

LANGUAGE: Final = Language(
    infix=INFIX,
    calls={
        **{
            name: f"Math.{name}({{}})"
            for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "abs", "sign")
        },
        "atan2": "Math.atan2({}, {})",
        "min": "lw_min({}, {})",
        "max": "lw_max({}, {})",
        "^": "lw_pow({}, {})",
    },
    taken=frozenset(
        (
            "out",
            "globalThis",
            "window",
            "Float64Array",
            "of",
            "async",
            "get",
            "set",
            *("lw_min", "lw_max", "lw_pow"),
            *(
                "lw_block_rooms",
                "lw_block_room",
                "lw_block_largest",
                "lw_block_correction",
                "lw_block_within",
            ),
            *("lw_block_evaluate", "lw_block_solve", "lw_block_solve_linear"),
        )
    ),
    pi="3.141592653589793",
    truth="({} ? 1 : 0)",
    choice="({} ? {} : {})",
    condition="{} != 0",
)


def print_javascript(source: Program | Table, *, module: bool = True) -> str:
    """The program, or a table's, in JavaScript; ``module`` puts ``export`` in front.

    >>> from linkwork.algebra import Table
    >>> print(print_javascript(Program.of_table(Table.of({"r": "sqrt(x^2 + y^2)"}), "length")))
    // length: 4 operations; fills and returns `out`.
    export function length(x, y, out = {}) {
      const r = Math.sqrt(x*x + y*y);
      out.r = r;
      return out;
    }
    <BLANKLINE>
    """
    program = as_program(source)
    laid_out = listing(program, LANGUAGE, _place_of)
    export = "export " if module else ""
    inputs = [laid_out.inputs[each.name] for each in program.inputs]
    lines = [text for name, text in _HELPERS.items() if name in laid_out.operations]
    if program.blocks:
        lines.append(block_solver("mjs"))
    for each in laid_out.equations:
        lines += _equations(each)
    lines += [f"// {program.name}: {program.operations} operations; fills and returns `out`."]
    if program.blocks:
        lines.append(
            "// Where equations that are solved together have no solution, it and what follows are NaN."
        )
    if len(laid_out.parts) == 1:
        body = [*_arrays(program, laid_out), *_body(laid_out.parts[0])]
    else:
        divided, functions = _divided(program, laid_out, inputs)
        body = [*_arrays(program, laid_out), *divided]
        lines += functions
    lines += [f"{export}function {program.name}({', '.join([*inputs, 'out = {}'])}) {{", *body]
    return "\n".join([*lines, "  return out;", "}"]) + "\n"


def print_javascript_functions(programs: Iterable[Program]) -> str:
    """Functions of several programs that fill their last arguments, for other code of the module to call."""
    laid_out = [(program, listing(program, LANGUAGE, _place_of)) for program in programs]
    operations = {each for _, layout in laid_out for each in layout.operations}
    lines = [text for name, text in _HELPERS.items() if name in operations]
    if any(program.blocks for program, _ in laid_out):
        lines.append(block_solver("mjs"))
    for program, layout in laid_out:
        for each in layout.equations:
            lines += _equations(each)
        inputs = [layout.inputs[each.name] for each in program.inputs]
        outputs = [layout.outputs[each.name] for each in program.outputs]
        body = _body(layout.parts[0])
        if len(layout.parts) > 1:
            body, functions = _divided(program, layout, inputs)
            lines += functions
        lines += [f"function {program.name}({', '.join([*inputs, *outputs])}) {{", *body, "}", ""]
    return "\n".join(lines)


def _place_of(name: str, output: str, position: int | None) -> str:
    return _property(output) if position is None else f"{name}[{position}]"


def _property(output: str) -> str:
    return f"out.{output}" if output.isascii() and output.isidentifier() else f"out[{json.dumps(output)}]"


def _arrays(program: Program, laid_out: Listing) -> list[str]:
    """The output arrays, made unless the caller brought them."""
    lines = []
    for each in program.outputs:
        if not each.scalar:
            place = _property(each.name)
            found = f"Object.hasOwn(out, {json.dumps(each.name)}) ? {place}"
            made = f"({place} = new Float64Array({each.width}))"
            lines.append(f"  const {laid_out.outputs[each.name]} = {found} : {made};")
    return lines


def _body(part: Part) -> list[str]:
    return [_written(line) for line in part.statements]


def _written(line: Statement | Solution) -> str:
    if isinstance(line, Statement):
        return f"  {'const ' if line.local else ''}{line.target} = {line.text};"
    call = f"{line.solver}({line.equations}, [{', '.join(line.known)}], [{', '.join(line.starts)}])"
    return f"  const {line.target} = {call};"


def _equations(program: Program) -> list[str]:
    """The function of a block's equations: it fills its last three arguments."""
    laid_out = listing(program, LANGUAGE, _place_of, longest_part=None)
    arguments = [laid_out.inputs[each.name] for each in program.inputs]
    arguments += [laid_out.outputs[each.name] for each in program.outputs]
    comment = fill(
        of_what(program), 100, initial_indent="// ", subsequent_indent="// ", break_long_words=False
    )
    return [
        comment,
        f"function {program.name}({', '.join(arguments)}) {{",
        *_body(laid_out.parts[0]),
        "}",
        "",
    ]


def _divided(program: Program, laid_out: Listing, inputs: list[str]) -> tuple[list[str], list[str]]:
    """The body that calls the parts, and the functions of the parts."""
    arrays = [laid_out.outputs[each.name] for each in program.outputs if not each.scalar]
    workspace = laid_out.workspace
    body = [f"  const {workspace} = new Float64Array({laid_out.workspace_size});"]
    functions: list[str] = []
    for number, part in enumerate(laid_out.parts, 1):
        used = [word for word in [*inputs, *arrays, workspace, "out"] if word in part.words]
        name = f"{laid_out.part_name}{number}"
        functions += [f"function {name}({', '.join(used)}) {{", *_body(part), "}"]
        body.append(f"  {name}({', '.join(used)});")
    return body, functions
