"""The simulation program as a Python module that needs NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.dynamics.standalone import PREFIX, Standalone, prefixed
from linkwork.dynamics.synthesis import Component
from linkwork.emit.python import print_python_functions
from linkwork.emit.runtime import template


def python_files(program: Standalone) -> dict[str, str]:
    """The module by the name of its file."""
    sections = [
        _head(program),
        print_python_functions(map(prefixed, program.programs)).rstrip(),
        _tables(program),
    ]
    sections += [
        template(f"{part}.py.txt", {}).rstrip() for part in ("numbers", "dop853", "careful", "scheme")
    ]
    return {f"{program.name}.py": "\n\n\n".join(sections) + "\n"}


def _head(program: Standalone) -> str:
    return f'''"""{program.title}

{program.mark} Needs NumPy alone. As a program:

    python {program.name}.py --until 10 --step 0.1 --rtol 1e-9 --set PARAMETER=NUMBER

and as a module:

    import {program.name}

    machine = {program.name}.initialise()
    while machine.time < 10:
        {program.name}.step(machine, 0.01)
        print({program.name}.observe(machine)["energy"])
"""

import math
import sys
from argparse import ArgumentParser
from math import acos, asin, atan, atan2, cos, exp, log, pow, sin, sqrt, tan
from types import FunctionType

import numpy as np'''


def _tables(program: Standalone) -> str:
    """The names, the sizes, and the components that Newton's method solves."""
    synthesis = program.synthesis
    lines = [
        *(f"{what.upper()}S = {names!r}" for what, names in program.names.items()),
        f"ZEROTH, FIRST, SECOND = {len(synthesis.q0)}, {len(synthesis.q1)}, {len(synthesis.q2)}",
        f"CONSTANTS = {len(synthesis.constants)}",
        "# equations, places of the unknowns, how readily each moves, residuals and slopes",
    ]
    return "\n".join([*lines, *(_component_table(name, each) for name, each in program.components.items())])


def _component_table(name: str, parts: Sequence[Component]) -> str:
    rows = [
        f"    ({part.equations}, {part.places!r}, {part.weights!r}, {PREFIX}{part.program.name}),\n"
        for part in parts
    ]
    return f"{name.upper()} = (\n{''.join(rows)})" if rows else f"{name.upper()} = ()"
