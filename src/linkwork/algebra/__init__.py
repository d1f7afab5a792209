"""Expressions, their derivatives, and tables of named definitions: what everything else is written in."""

from linkwork.algebra.differentiate import (
    derivative,
    directional,
    gradient,
    hessian,
    hessian_vector,
    jacobian,
    sparsity,
)
from linkwork.algebra.expression import PI, Expression, Number, Operand, Symbol, number, symbol, symbols
from linkwork.algebra.functions import (
    acos,
    asin,
    atan,
    atan2,
    cos,
    equal,
    exp,
    log,
    maximum,
    minimum,
    not_equal,
    select,
    sign,
    sin,
    sqrt,
    tan,
)
from linkwork.algebra.graph import (
    free_symbols,
    nodes_in_order,
    substitute,
)
from linkwork.algebra.instructions import instructions, operation_count, operations_by_kind
from linkwork.algebra.latex import latex
from linkwork.algebra.mathml import mathml
from linkwork.algebra.numeric import evaluate
from linkwork.algebra.parse import parse, parse_equation
from linkwork.algebra.shorten import shortened
from linkwork.algebra.simplify import collected
from linkwork.algebra.sympy_bridge import from_sympy, to_sympy
from linkwork.algebra.table import Definition, Table, TableBuilder
from linkwork.algebra.table_derivative import (
    Rates,
    TableJacobian,
    along,
    table_hessian_vector,
    table_jacobian,
    time_derivative,
)
from linkwork.algebra.text import text
from linkwork.algebra.tidy import tidied
from linkwork.algebra.weight import line_weight, table_weight, weight

__all__ = [
    "PI",
    "Definition",
    "Expression",
    "Number",
    "Operand",
    "Rates",
    "Symbol",
    "Table",
    "TableBuilder",
    "TableJacobian",
    "acos",
    "along",
    "asin",
    "atan",
    "atan2",
    "collected",
    "cos",
    "derivative",
    "directional",
    "equal",
    "evaluate",
    "exp",
    "free_symbols",
    "from_sympy",
    "gradient",
    "hessian",
    "hessian_vector",
    "instructions",
    "jacobian",
    "latex",
    "line_weight",
    "log",
    "mathml",
    "maximum",
    "minimum",
    "nodes_in_order",
    "not_equal",
    "number",
    "operation_count",
    "operations_by_kind",
    "parse",
    "parse_equation",
    "select",
    "shortened",
    "sign",
    "sin",
    "sparsity",
    "sqrt",
    "substitute",
    "symbol",
    "symbols",
    "table_hessian_vector",
    "table_jacobian",
    "table_weight",
    "tan",
    "text",
    "tidied",
    "time_derivative",
    "to_sympy",
    "weight",
]
