"""Plain expressions to values: operators, vectors and names, which need no stack of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from linkwork.solid.scad import syntax
from linkwork.solid.scad.fault import Complaint, ScadError, did_you_mean
from linkwork.solid.scad.functions import FUNCTIONS
from linkwork.solid.scad.operators import binary, index, member, unary
from linkwork.solid.scad.scope import MISSING, Scope
from linkwork.solid.scad.syntax import Expression
from linkwork.solid.scad.trail import Trail
from linkwork.solid.scad.value import Range, Value, is_true, kind, shown

LOGIC = ("&&", "||")


class PlainEvaluator(Trail):
    """The evaluation of plain expressions, and what is made of the values of any."""

    def __init__(self) -> None:
        super().__init__()
        self._now: dict[type, Callable[[Any, Scope], Value]] = {
            syntax.Literal: lambda node, scope: node.value,
            syntax.Name: self._name,
            syntax.VectorOf: lambda node, scope: tuple([self.now(each, scope) for each in node.elements]),
            syntax.RangeOf: self._range_now,
            syntax.Unary: lambda node, scope: self.signed(node, self.now(node.operand, scope)),
            syntax.Binary: self._binary_now,
            syntax.Choice: self._choice_now,
            syntax.Index: lambda node, scope: self.element(
                node, self.now(node.value, scope), self.now(node.index, scope)
            ),
            syntax.Member: lambda node, scope: member(self.now(node.value, scope), node.name),
        }

    def now(self, node: Expression, scope: Scope) -> Value:
        """The value of a plain expression."""
        return self._now[type(node)](node, scope)

    def _choice_now(self, node: syntax.Choice, scope: Scope) -> Value:
        return self.now(node.then if is_true(self.now(node.condition, scope)) else node.otherwise, scope)

    def _binary_now(self, node: syntax.Binary, scope: Scope) -> Value:
        left = self.now(node.left, scope)
        if node.operator in LOGIC:
            if is_true(left) == (node.operator == "||"):
                return node.operator == "||"
            return is_true(self.now(node.right, scope))
        return self.combined(node, left, self.now(node.right, scope))

    def _range_now(self, node: syntax.RangeOf, scope: Scope) -> Value:
        step = 1.0 if node.step is None else self.now(node.step, scope)
        return self.ranged(node, self.now(node.first, scope), step, self.now(node.last, scope))

    # ------------------------------------------------------------------------------ of values

    def signed(self, node: syntax.Unary, operand: Value) -> Value:
        """A value behind a sign."""
        found = self.guarded(node.place, lambda: unary(node.operator, operand, self.work))
        if found is None:
            self.last_undefined = f"{node.operator} {kind(operand)} ({node.place})"
        return found

    def combined(self, node: syntax.Binary, left: Value, right: Value) -> Value:
        """Two values with an operator between them."""
        if type(left) is float and type(right) is float:
            return binary(node.operator, left, right, self.work)
        found = self.guarded(node.place, lambda: binary(node.operator, left, right, self.work))
        if found is None:
            self.last_undefined = f"{kind(left)} {node.operator} {kind(right)} ({node.place})"
        return found

    def element(self, node: syntax.Index, value: Value, place: Value) -> Value:
        """An element of a value."""
        found = index(value, place)
        if found is None:
            self.last_undefined = f"element {shown(place, 20)} of {shown(value, 40)} ({node.place})"
        return found

    def ranged(self, node: syntax.RangeOf, first: Value, step: Value, last: Value) -> Value:
        """A range; an old habit of OpenSCAD turns one without a step that runs backwards."""
        if not isinstance(first, float) or not isinstance(step, float) or not isinstance(last, float):
            return None
        if node.step is None and first > last:
            first, last = last, first
        return Range(first, step, last)

    # ---------------------------------------------------------------------------------- names

    def _name(self, node: syntax.Name, scope: Scope) -> Value:
        found = scope.find(node.name, self.work)
        if found is not MISSING:
            return found  # type: ignore[return-value]
        if node.name.startswith("$"):
            return None
        raise self._unknown_variable(node, scope)

    def _unknown_variable(self, node: syntax.Name, scope: Scope) -> ScadError:
        if node.name in FUNCTIONS or scope.find_function(node.name, self.work):
            fix = f"{node.name}(…)"
        else:
            otherwise = f"{node.name[:60]} = …;   // above, before it is needed"
            fix = did_you_mean(node.name, scope.names(), otherwise)
        problem = f"nothing here is called '{node.name[:60]}'"
        return self.fail(Complaint(problem, wanted="a variable that has a value by now", fix=fix), node.place)
