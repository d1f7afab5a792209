"""linkwork: describe a machine once; everything else is derived.

The public names. Everything a user needs is here; the packages behind it are how it is made.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkwork.algebra import (
    PI,
    Definition,
    Expression,
    Symbol,
    Table,
    TableBuilder,
    acos,
    asin,
    atan,
    atan2,
    collected,
    cos,
    derivative,
    directional,
    equal,
    evaluate,
    exp,
    free_symbols,
    from_sympy,
    gradient,
    hessian,
    hessian_vector,
    jacobian,
    latex,
    log,
    maximum,
    minimum,
    not_equal,
    number,
    operation_count,
    parse,
    parse_equation,
    select,
    sign,
    sin,
    sparsity,
    sqrt,
    substitute,
    symbol,
    symbols,
    table_hessian_vector,
    table_jacobian,
    tan,
    text,
    time_derivative,
    to_sympy,
)
from linkwork.emit import Function, Program, compiled, interpreted, print_c, print_javascript, print_python
from linkwork.errors import LinkworkError
from linkwork.model import (
    Draw,
    Drawing,
    Drive,
    Frame,
    Machine,
    Part,
    Pose,
    Shape,
    Span,
    View,
    constraint,
    force,
    joint,
    load,
    save,
)

if TYPE_CHECKING:
    from linkwork.kinematics import (
        Branches,
        Mechanism,
        Motion,
        Position,
        Summary,
        instant_centre,
        move,
        point_path,
        show,
        transmission_angle,
    )
    from linkwork.mechanics import Derivation, derive

__version__ = "0.3.0"

__all__ = [
    "PI",
    "Branches",
    "Definition",
    "Derivation",
    "Draw",
    "Drawing",
    "Drive",
    "Expression",
    "Frame",
    "Function",
    "LinkworkError",
    "Machine",
    "Mechanism",
    "Motion",
    "Part",
    "Pose",
    "Position",
    "Program",
    "Shape",
    "Span",
    "Summary",
    "Symbol",
    "Table",
    "TableBuilder",
    "View",
    "acos",
    "asin",
    "atan",
    "atan2",
    "collected",
    "compiled",
    "constraint",
    "cos",
    "derivative",
    "derive",
    "directional",
    "equal",
    "evaluate",
    "exp",
    "force",
    "free_symbols",
    "from_sympy",
    "gradient",
    "hessian",
    "hessian_vector",
    "instant_centre",
    "interpreted",
    "jacobian",
    "joint",
    "latex",
    "load",
    "log",
    "maximum",
    "minimum",
    "move",
    "not_equal",
    "number",
    "operation_count",
    "parse",
    "parse_equation",
    "point_path",
    "print_c",
    "print_javascript",
    "print_python",
    "save",
    "select",
    "show",
    "sign",
    "sin",
    "sparsity",
    "sqrt",
    "substitute",
    "symbol",
    "symbols",
    "table_hessian_vector",
    "table_jacobian",
    "tan",
    "text",
    "time_derivative",
    "to_sympy",
    "transmission_angle",
]


_LATER = dict.fromkeys(
    (
        "Branches",
        "Mechanism",
        "Motion",
        "Position",
        "Summary",
        "instant_centre",
        "move",
        "point_path",
        "show",
        "transmission_angle",
    ),
    "linkwork.kinematics",
) | dict.fromkeys(("Derivation", "derive"), "linkwork.mechanics")
"""Names whose packages need NumPy: they are imported when they are first used, so that importing stays fast."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'linkwork' has no attribute '{name}'")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value
