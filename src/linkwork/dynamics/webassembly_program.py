"""The simulation program of a page for WebAssembly: C that needs no library, and offers what a page calls."""

from __future__ import annotations

from linkwork.dynamics.c_project import c_words, machine_files
from linkwork.dynamics.standalone import Standalone
from linkwork.emit import Program, print_c_functions
from linkwork.emit.fmu import joined
from linkwork.emit.runtime import template
from linkwork.emit.webassembly import freestanding


def webassembly_source(program: Standalone, show: Program) -> str:
    """The C text of the module; ``show`` is what gives the numbers of the placements, as in the script of the page."""
    placements = sum(each.width for each in show.outputs)
    words = {"show": print_c_functions([show], with_runtime=False), "placement_room": str(max(placements, 1))}
    files = machine_files(program, source=template("page.c.txt", c_words(program) | words))
    return freestanding(joined(files, [f"{program.name}.c"]))
