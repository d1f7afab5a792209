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
from linkwork.errors import LinkworkError

if TYPE_CHECKING:
    from linkwork.collision import Clashes, clash
    from linkwork.contact import (
        Comparison,
        ContactSolution,
        FreeBodies,
        Law,
        Laws,
        compare,
        free_bodies,
        simulate,
    )
    from linkwork.emit import (
        Function,
        Program,
        compiled,
        interpreted,
        print_c,
        print_javascript,
        print_python,
    )
    from linkwork.fasten import Design, Fastening, fasten, load_design
    from linkwork.foresee import Forecast, predict
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
    from linkwork.model import (
        Condition,
        Contact,
        Control,
        Draw,
        Drawing,
        Drive,
        Energy,
        Frame,
        Machine,
        Part,
        Pose,
        Shape,
        Span,
        Surface,
        View,
        constraint,
        force,
        joint,
        load,
        save,
        visible,
    )
    from linkwork.recognition import Recognition, recognise, recognise_solids
    from linkwork.simulation import (
        Linearisation,
        SimulationProgram,
        Simulator,
        Solution,
        equilibrium,
        linearise,
        plan,
        synthesise,
    )
    from linkwork.view.live_page import live_page

__version__ = "0.4.0"

__all__ = [
    "PI",
    "Branches",
    "Clashes",
    "Comparison",
    "Condition",
    "Contact",
    "ContactSolution",
    "Control",
    "Definition",
    "Derivation",
    "Design",
    "Draw",
    "Drawing",
    "Drive",
    "Energy",
    "Expression",
    "Fastening",
    "Forecast",
    "Frame",
    "FreeBodies",
    "Function",
    "Law",
    "Laws",
    "Linearisation",
    "LinkworkError",
    "Machine",
    "Mechanism",
    "Motion",
    "Part",
    "Pose",
    "Position",
    "Program",
    "Recognition",
    "Shape",
    "SimulationProgram",
    "Simulator",
    "Solution",
    "Span",
    "Summary",
    "Surface",
    "Symbol",
    "Table",
    "TableBuilder",
    "View",
    "acos",
    "asin",
    "atan",
    "atan2",
    "clash",
    "collected",
    "compare",
    "compiled",
    "constraint",
    "cos",
    "derivative",
    "derive",
    "directional",
    "equal",
    "equilibrium",
    "evaluate",
    "exp",
    "fasten",
    "force",
    "free_bodies",
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
    "linearise",
    "live_page",
    "load",
    "load_design",
    "log",
    "maximum",
    "minimum",
    "move",
    "not_equal",
    "number",
    "operation_count",
    "parse",
    "parse_equation",
    "plan",
    "point_path",
    "predict",
    "print_c",
    "print_javascript",
    "print_python",
    "recognise",
    "recognise_solids",
    "save",
    "select",
    "show",
    "sign",
    "simulate",
    "sin",
    "sparsity",
    "sqrt",
    "substitute",
    "symbol",
    "symbols",
    "synthesise",
    "table_hessian_vector",
    "table_jacobian",
    "tan",
    "text",
    "time_derivative",
    "to_sympy",
    "transmission_angle",
    "visible",
]


_LATER = {
    name: package
    for package, names in {
        "linkwork.collision": "Clashes clash",
        "linkwork.contact": "Comparison ContactSolution FreeBodies Law Laws compare free_bodies simulate",
        "linkwork.emit": "Function Program compiled interpreted print_c print_javascript print_python",
        "linkwork.fasten": "Design Fastening load_design",
        "linkwork.foresee": "Forecast predict",
        "linkwork.kinematics": "Branches Mechanism Motion Position Summary instant_centre move point_path show "
        "transmission_angle",
        "linkwork.mechanics": "Derivation derive",
        "linkwork.model": "Condition Contact Control Draw Drawing Drive Energy Frame Machine Part Pose Shape Span "
        "Surface View constraint force joint load save visible",
        "linkwork.recognition": "Recognition recognise recognise_solids",
        "linkwork.simulation": "Linearisation SimulationProgram Simulator Solution equilibrium linearise plan "
        "synthesise",
        "linkwork.view.live_page": "live_page",
    }.items()
    for name in names.split()
}
"""Names whose packages are imported when they are first used, so that importing stays fast."""


def __getattr__(name: str) -> Any:
    if name == "fasten":  # the package is the verb, so that it is the same thing before and after its import
        return import_module("linkwork.fasten")
    if name not in _LATER:
        raise AttributeError(f"module 'linkwork' has no attribute '{name}'")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
