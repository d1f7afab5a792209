"""To and from SymPy, for the mathematics people already have there. Nothing else in linkwork needs it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from linkwork.algebra import functions as ours
from linkwork.algebra.arithmetic import RULES, add, divide, multiply, power
from linkwork.algebra.expression import ADD, PI, PI_OP, Expression, Number, Symbol, number, symbol
from linkwork.algebra.graph import nodes_in_order
from linkwork.errors import ExpressionError


def to_sympy(expression: Expression) -> Any:
    """The expression in SymPy; symbols become real symbols of the same name.

    >>> from linkwork.algebra import parse
    >>> to_sympy(parse("x^2/2 + sin(y)"))
    x**2/2 + sin(y)
    """
    import sympy

    built: dict[Expression, Any] = {}
    for node in nodes_in_order([expression]):
        if isinstance(node, Symbol):
            built[node] = sympy.Symbol(node.name, real=True)
        elif isinstance(node, Number):
            built[node] = sympy.Rational(node.value.numerator, node.value.denominator)
        elif node.operation is PI_OP:
            built[node] = sympy.pi
        else:
            built[node] = _to_table()[node.operation](*[built[argument] for argument in node.arguments])
    return built[expression]


def from_sympy(expression: Any) -> Expression:
    """An expression of SymPy in ours; functions of time such as q(t) become the symbol q.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> from_sympy(sympy.exp(-x) * sympy.Rational(1, 3))
    exp(-x)/3
    """
    import sympy

    if isinstance(expression, int | float):
        return number(expression)
    if not isinstance(expression, sympy.Basic):
        raise _foreign(expression)
    built: dict[Any, Expression] = {}
    waiting = [expression]
    while waiting:
        top = waiting[-1]
        missing = [] if _is_leaf(top) else [argument for argument in top.args if argument not in built]
        if top in built or not missing:
            waiting.pop()
            if top not in built:
                built[top] = _from_leaf(top) if _is_leaf(top) else _from_node(top, built)
        else:
            waiting += missing
    return built[expression]


def _is_leaf(node: Any) -> bool:
    from sympy.core.function import AppliedUndef

    return not node.args or isinstance(node, AppliedUndef)


def _from_leaf(leaf: Any) -> Expression:
    import sympy
    from sympy.core.function import AppliedUndef

    if isinstance(leaf, sympy.Symbol):
        return symbol(leaf.name)
    if isinstance(leaf, AppliedUndef):
        return symbol(leaf.func.__name__)
    if leaf.is_Rational:
        return number(Fraction(int(leaf.p), int(leaf.q)))
    if leaf.is_Float:
        return number(float(leaf))
    constants = {sympy.pi: PI, sympy.E: ours.exp(1), sympy.true: number(1), sympy.false: number(0)}
    if leaf in constants:
        return constants[leaf]
    raise _foreign(leaf)


def _from_node(node: Any, built: dict[Any, Expression]) -> Expression:
    import sympy

    if isinstance(node, sympy.Piecewise):
        return _from_piecewise(node, built)
    if isinstance(node, sympy.functions.elementary.piecewise.ExprCondPair):
        return number(0)  # read by the Piecewise around it
    arguments = [built[argument] for argument in node.args]
    convert = _from_table().get(node.func)
    if convert is None:
        raise _foreign(node)
    return convert(*arguments)


def _from_piecewise(node: Any, built: dict[Any, Expression]) -> Expression:
    branches = [(built[pair.args[0]], built[pair.args[1]]) for pair in node.args]
    value, condition = branches[-1]
    if condition is not number(1):
        raise ExpressionError(
            "a Piecewise needs a branch for every value",
            got=str(node)[:200],
            fix="end it with (value, True)",
        )
    for branch, holds in reversed(branches[:-1]):
        value = ours.select(holds, branch, value)
    return value


def _foreign(node: Any) -> ExpressionError:
    return ExpressionError(
        f"SymPy's {type(node).__name__} has no counterpart here",
        got=str(node)[:200],
        wanted="arithmetic, powers and the functions " + ", ".join(sorted(RULES)),
        fix="rewrite it first, for instance with expr.doit() or expr.rewrite(...)",
    )


@cache
def _to_table() -> dict[str, Callable[..., Any]]:
    import sympy as s

    def truth(relation: Any) -> Any:
        return s.Piecewise((1, relation), (0, True))

    return {
        ADD: s.Add,
        "*": s.Mul,
        "/": lambda a, b: a / b,
        "^": s.Pow,
        **{name: getattr(s, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
        "exp": s.exp,
        "log": s.log,
        "abs": s.Abs,
        "sign": s.sign,
        "min": s.Min,
        "max": s.Max,
        "<": lambda a, b: truth(s.Lt(a, b)),
        "<=": lambda a, b: truth(s.Le(a, b)),
        "==": lambda a, b: truth(s.Eq(a, b)),
        "!=": lambda a, b: truth(s.Ne(a, b)),
        "select": lambda c, a, b: s.Piecewise((a, s.Ne(c, 0)), (b, True)),
    }


@cache
def _from_table() -> dict[Any, Callable[..., Expression]]:
    import sympy as s

    def folded(build: Callable[[Expression, Expression], Expression]) -> Callable[..., Expression]:
        return lambda *arguments: reduce(build, arguments)

    return {
        s.Add: folded(add),
        s.Mul: folded(multiply),
        s.Pow: power,
        **{getattr(s, name): getattr(ours, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan")},
        s.exp: ours.exp,
        s.log: _logarithm,
        s.Abs: abs,
        s.sign: ours.sign,
        s.atan2: ours.atan2,
        s.Min: ours.minimum,
        s.Max: ours.maximum,
        s.Heaviside: lambda a, *_: number(0) < a,
        s.StrictLessThan: lambda a, b: a < b,
        s.LessThan: lambda a, b: a <= b,
        s.StrictGreaterThan: lambda a, b: a > b,
        s.GreaterThan: lambda a, b: a >= b,
        s.Equality: ours.equal,
        s.Unequality: ours.not_equal,
        s.ITE: ours.select,
        s.And: folded(multiply),
        s.Or: ours.maximum,
        s.Not: lambda a: 1 - a,
    }


def _logarithm(a: Expression, base: Expression | None = None) -> Expression:
    return ours.log(a) if base is None else divide(ours.log(a), ours.log(base))
