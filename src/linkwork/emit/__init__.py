"""Tables in, programs out: C, JavaScript and Python from one listing, compiled and cached."""

from linkwork.emit.c import declaration, print_c, print_c_functions
from linkwork.emit.function import Function, compiled, interpreted
from linkwork.emit.javascript import print_javascript
from linkwork.emit.program import Input, Output, Program
from linkwork.emit.python import print_python

__all__ = [
    "Function",
    "Input",
    "Output",
    "Program",
    "compiled",
    "declaration",
    "interpreted",
    "print_c",
    "print_c_functions",
    "print_javascript",
    "print_python",
]
