"""The simulation program in JavaScript, without dependencies: a module for browsers and Node, or a part of a page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from linkwork.dynamics.standalone import PREFIX, Standalone, prefixed
from linkwork.dynamics.synthesis import Component
from linkwork.emit import Program
from linkwork.emit.javascript import print_javascript_functions
from linkwork.emit.runtime import template

_OFFERED = ("Stopped", "initialise", "step", "row", "observe", "derivative")
"""What the machine's functions and the scheme offer together."""


def javascript_files(program: Standalone) -> dict[str, str]:
    """The module by the name of its file."""
    offered = [*(f"{what}s" for what in program.names), *_OFFERED, "simulate"]
    sections = [_head(program), *_scheme(program, program.programs)]
    sections += [_part("simulate"), f"export {{ {', '.join(offered)} }};", _part("command")]
    return {f"{program.name}.mjs": "\n\n".join(sections) + "\n"}


def javascript_for_page(program: Standalone, show: Program, *, with_module: bool = False) -> str:
    """A script that defines ``program``: an object that a page steps, observes and shows.

    ``show`` gives the numbers of the placements from the inputs of the function ``observe``. ``with_module`` it can
    let a module of WebAssembly answer in its place.
    """
    offered = [*(f"{what}s" for what in program.names), *_OFFERED, "show"]
    sections = [*_scheme(program, [*program.programs, show]), _part("show")]
    sections.append(f"const PLACEMENTS = {sum(each.width for each in show.outputs)};")
    if with_module:
        offered.append("compiled")
        sections.append(_part("compiled"))
    body = "\n\n".join([*sections, f"return {{ {', '.join(offered)} }};"])
    return f"// {program.title}\n// {program.mark}\nconst program = (() => {{\n{body}\n}})();\n"


def _scheme(program: Standalone, functions: Sequence[Program]) -> list[str]:
    """The machine's functions and tables, and what takes steps with them."""
    printed = print_javascript_functions(map(prefixed, functions)).rstrip()
    return [printed, _tables(program), _part("dop853"), _part("scheme"), _part("careful")]


def _part(name: str) -> str:
    return template(f"{name}.mjs", {}).rstrip()


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
            *(f"const {what}s = {json.dumps(each)};" for what, each in program.names.items()),
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
