"""Programs in Python with NumPy: every operation works on whole arrays, so one call does many rows."""

from __future__ import annotations

from typing import Final

from linkwork.emit.listing import COMPARISON, PRODUCT, SUM, Language, listing
from linkwork.emit.program import Program

LANGUAGE: Final = Language(
    infix={
        "+": SUM,
        "-": SUM,
        "*": PRODUCT,
        "/": PRODUCT,
        **dict.fromkeys(("<", "<=", "==", "!="), COMPARISON),
    },
    calls={
        **{name: f"np.{name}({{}})" for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "abs", "sign")},
        "asin": "np.arcsin({})",
        "acos": "np.arccos({})",
        "atan": "np.arctan({})",
        "atan2": "np.arctan2({}, {})",
        "min": "np.minimum({}, {})",
        "max": "np.maximum({}, {})",
        "^": "np.power({}, {})",
    },
    taken=frozenset(("np", "numpy", "float", "zip", "shape")),
    pi="3.141592653589793",
    truth="np.where({}, 1.0, 0.0)",
    choice="np.where({}, {}, {})",
    condition="{} != 0.0",
)


def print_python(program: Program) -> str:
    """The program as a Python module that needs only NumPy.

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
        with np.errstate(all="ignore"):
            r = np.sqrt(x*x + y*y)
            r_out = r
        return {"r": r_out}
    <BLANKLINE>
    """
    laid_out = listing(program, LANGUAGE, _place_of, longest_part=None)
    inputs = [laid_out.inputs[each.name] for each in program.inputs]
    (part,) = laid_out.parts
    lines = ["import numpy as np", "", "", f"def {program.name}({', '.join(inputs)}):"]
    lines.append(f'    """{_summary(program)}; arrays of rows are welcome."""')
    for each in program.inputs:
        name = laid_out.inputs[each.name]
        lines.append(f"    {name} = np.asarray({name}, float){'' if each.scalar else '.T'}")
    for result in program.outputs:
        if not result.scalar:
            lines.append(f"    {laid_out.outputs[result.name]} = [None] * {len(result.expressions)}")
    lines.append('    with np.errstate(all="ignore"):')
    lines += [f"        {line.target} = {line.text}" for line in part.statements] or ["        pass"]
    returned = []
    for result in program.outputs:
        name = laid_out.outputs[result.name]
        value = name if result.scalar else f"np.stack(np.broadcast_arrays(*{name})).T"
        if not result.expressions:
            value = "np.zeros(0)"
        returned.append(f'"{result.name}": {value}')
    lines.append(f"    return {{{', '.join(returned)}}}")
    return "\n".join(lines) + "\n"


def _place_of(name: str, output: str, position: int | None) -> str:
    return name if position is None else f"{name}[{position}]"


def _summary(program: Program) -> str:
    outputs = ", ".join(each.name for each in program.outputs)
    inputs = ", ".join(each.name for each in program.inputs) or "nothing"
    return f"{outputs} from {inputs}: {program.operations} operations"
