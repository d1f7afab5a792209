"""The simulation program as an ES module without dependencies, for browsers and Node."""

from __future__ import annotations

import json
from collections.abc import Sequence

from linkwork.dynamics.standalone import PREFIX, Standalone, prefixed
from linkwork.dynamics.synthesis import Component
from linkwork.emit.javascript import print_javascript_functions
from linkwork.emit.runtime import template


def javascript_files(program: Standalone) -> dict[str, str]:
    """The module by the name of its file."""
    functions = print_javascript_functions(map(prefixed, program.programs)).rstrip()
    sections = [_head(program), functions, _tables(program)]
    sections += [template(f"{part}.mjs", {}).rstrip() for part in ("dop853", "scheme")]
    return {f"{program.name}.mjs": "\n\n".join(sections) + "\n"}


def _head(program: Standalone) -> str:
    return f"""// {program.title}
// {program.mark} As a program:
//
//     node {program.name}.mjs --until 10 --step 0.1 --rtol 1e-9 --set PARAMETER=NUMBER
//
// and as a module, in a browser too:
//
//     import {{ initialise, observe, step }} from "./{program.name}.mjs";
//
//     const machine = initialise();
//     while (machine.time < 10) console.log(observe(step(machine, 0.01)).energy);"""


def _tables(program: Standalone) -> str:
    """The names, the sizes, and the components that Newton's method solves."""
    synthesis = program.synthesis
    sizes = f"ZEROTH = {len(synthesis.q0)}, FIRST = {len(synthesis.q1)}, SECOND = {len(synthesis.q2)}"
    return "\n".join(
        [
            *(f"export const {what}s = {json.dumps(each)};" for what, each in program.names.items()),
            f"const {sizes}, CONSTANTS = {len(synthesis.constants)};",
            *(_component_table(name, each) for name, each in program.components.items()),
        ]
    )


def _component_table(name: str, parts: Sequence[Component]) -> str:
    rows = [
        f"  {{ equations: {part.equations}, places: {list(part.places)}, weights: {list(part.weights)}, "
        f"residual: {PREFIX}{part.program.name} }},\n"
        for part in parts
    ]
    return f"const {name.upper()} = [\n{''.join(rows)}];" if rows else f"const {name.upper()} = [];"
