"""Programs in Python with NumPy: every operation works on whole arrays, so one call does many rows."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill
from typing import Final

from linkwork.algebra import Table
from linkwork.emit.listing import INFIX, Language, Part, Solution, Statement, listing, of_what
from linkwork.emit.program import Program, as_program
from linkwork.emit.runtime import block_solver

LANGUAGE: Final = Language(
    infix=INFIX,
    calls={
        **{name: f"np.{name}({{}})" for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "abs")},
        "asin": "np.arcsin({})",
        "acos": "np.arccos({})",
        "atan": "np.arctan({})",
        "atan2": "np.arctan2({}, {})",
        "min": "np.minimum({}, {})",
        "max": "np.maximum({}, {})",
        "sign": "np.copysign(np.sign({0}), {0})",
        "^": "np.power({}, {})",
    },
    taken=frozenset(
        ("np", "numpy", "float", "shape", "entry", "lw_block_solve", "lw_block_solve_linear"),
    ),
    pi="np.float64(3.141592653589793)",  # a Python float would raise where NumPy gives inf
    truth="np.where({}, 1.0, 0.0)",
    choice="np.where({}, {}, {})",
    condition="{} != 0.0",
)


_NUMBERS: Final = Language(
    infix=INFIX,
    calls={
        **{
            name: f"{name}({{}})"
            for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "abs")
        },
        "atan2": "atan2({}, {})",
        "min": "lw_min({}, {})",
        "max": "lw_max({}, {})",
        "sign": "lw_sign({})",
        "^": "pow({}, {})",
    },
    taken=frozenset(
        ("pow", "lw_min", "lw_max", "lw_sign", "lw_block_solve", "lw_block_solve_linear"),
    ),
    pi="3.141592653589793",
    truth="(1.0 if {} else 0.0)",
    choice="({1} if {0} else {2})",
    condition="{} != 0.0",
)
"""Functions of plain numbers: for one row ten times as fast as NumPy's."""


def print_python_functions(programs: Iterable[Program]) -> str:
    """Functions of several programs that fill lists, for a module that has the functions of ``math``.

    They raise where a division by zero or a root of a negative number has no value.
    """
    lines: list[str] = []
    for program in programs:
        for each in listing(program, _NUMBERS, _place_of, longest_part=None).equations:
            lines += [*_equations(each, _NUMBERS), "", ""]
        lines += [*_filling(program, _NUMBERS), "", ""]
    return "\n".join(lines)


def print_python(source: Program | Table) -> str:
    """The program, or a table's, as a Python module that needs only NumPy.

    The last axis of an array argument holds its entries; any axes before it are rows.

    >>> from linkwork.algebra import Table
    >>> print(print_python(Program.of_table(Table.of({"r": "sqrt(x^2 + y^2)"}), "length")))
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def length(x, y):
        \"\"\"r from x, y: 4 operations; arrays of rows are welcome.\"\"\"
        x = np.asarray(x, float)
        y = np.asarray(y, float)
        shape = np.broadcast_shapes(x.shape, y.shape)
        with np.errstate(all="ignore"):
            r = np.sqrt(x*x + y*y)
            r_out = r
        return {
            "r": np.array(np.broadcast_to(r_out, shape)),
        }
    <BLANKLINE>
    """
    program = as_program(source)
    laid_out = listing(program, LANGUAGE, _place_of, longest_part=None)
    inputs = [laid_out.inputs[each.name] for each in program.inputs]
    (part,) = laid_out.parts
    lines = ["import numpy as np", "", ""]
    if program.blocks:
        lines += [block_solver("py.txt"), ""]
    for equations in laid_out.equations:
        lines += [*_equations(equations), "", ""]
    lines += [f"def {program.name}({', '.join(inputs)}):"]
    unsolved = " NaN where equations have no solution." if program.blocks else ""
    lines.append(f'    """{_summary(program)}; arrays of rows are welcome.{unsolved}"""')
    for each in program.inputs:
        name = laid_out.inputs[each.name]
        value = f"np.asarray({name}, float)"
        lines.append(f"    {name} = {value if each.scalar else f'np.moveaxis({value}, -1, 0)'}")
    shapes = [f"{laid_out.inputs[each.name]}.shape{'' if each.scalar else '[1:]'}" for each in program.inputs]
    lines.append(f"    shape = np.broadcast_shapes({', '.join(shapes)})")
    for result in program.outputs:
        if not result.scalar:
            empty = "0.0" if result.places else "None"
            lines.append(f"    {laid_out.outputs[result.name]} = [{empty}] * {result.width}")
    lines.append('    with np.errstate(all="ignore"):')
    lines += [f"        {line}" for line in _body(part)] or ["        pass"]
    returned = []
    for result in program.outputs:
        name = laid_out.outputs[result.name]
        value = f"np.array(np.broadcast_to({name}, shape))"
        if not result.scalar:
            entries = f"[np.broadcast_to(entry, shape) for entry in {name}]"
            value = f"np.stack({entries}, -1)" if result.expressions else "np.zeros((*shape, 0))"
        returned.append(f'        "{result.name}": {value},')
    lines += ["    return {", *returned, "    }"]
    return "\n".join(lines) + "\n"


def _body(part: Part) -> list[str]:
    return [
        f"{line.target} = {line.text if isinstance(line, Statement) else _call(line)}"
        for line in part.statements
    ]


def _call(line: Solution) -> str:
    return f"{line.solver}({line.equations}, [{', '.join(line.known)}], [{', '.join(line.starts)}])"


def _equations(program: Program, language: Language = LANGUAGE) -> list[str]:
    """The function of a block's equations: it fills its last three arguments."""
    comment = fill(of_what(program), 100, initial_indent="# ", subsequent_indent="# ", break_long_words=False)
    return [comment, *_filling(program, language)]


def _filling(program: Program, language: Language) -> list[str]:
    """A function that fills its last arguments."""
    laid_out = listing(program, language, _place_of, longest_part=None)
    arguments = [laid_out.inputs[each.name] for each in program.inputs]
    arguments += [laid_out.outputs[each.name] for each in program.outputs]
    body = _body(laid_out.parts[0]) or ["pass"]
    return [f"def {program.name}({', '.join(arguments)}):", *(f"    {line}" for line in body)]


def _place_of(name: str, output: str, position: int | None) -> str:
    return name if position is None else f"{name}[{position}]"


def _summary(program: Program) -> str:
    outputs = ", ".join(each.name for each in program.outputs)
    inputs = ", ".join(each.name for each in program.inputs) or "nothing"
    return f"{outputs} from {inputs}: {program.operations} operations"
