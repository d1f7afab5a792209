"""Expressions to values: as tasks, every one of them counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from linkwork.solid.scad import syntax
from linkwork.solid.scad.fault import Complaint, Place, ScadError, counted, did_you_mean, listed
from linkwork.solid.scad.functions import FUNCTIONS, OTHER_FUNCTIONS, Builtin
from linkwork.solid.scad.limits import STEPS_OF_A_CALL, STEPS_OF_A_ROUND, Work
from linkwork.solid.scad.operators import member
from linkwork.solid.scad.plain import LOGIC, PlainEvaluator
from linkwork.solid.scad.scope import MISSING, Scope
from linkwork.solid.scad.syntax import Argument, Expression, Parameter
from linkwork.solid.scad.tasks import Task
from linkwork.solid.scad.value import Function, Range, Value, is_true, kind, shown, text_of

Tell = Callable[[str], None]
CONSTANTS: Final[dict[str, Value]] = {"PI": math.pi}
ENDING: Final = "function {name}(n) = n <= 0 ? 0 : n + {name}(n - 1);"
"""A recursion of a function that ends."""


class Evaluator(PlainEvaluator):
    """The evaluation of expressions."""

    def __init__(self, tell: Tell | None) -> None:
        super().__init__()
        self.tell = tell
        self._tasks: dict[type, Callable[[Any, Scope], Any]] = {
            syntax.VectorOf: self._vector,
            syntax.RangeOf: self._range,
            syntax.Unary: self._unary,
            syntax.Binary: self._binary,
            syntax.Choice: self._choice,
            syntax.Index: self._index,
            syntax.Member: self._member,
            syntax.Call: self._call,
            syntax.Let: self._let,
            syntax.Told: self._told,
            syntax.FunctionOf: lambda node, scope: Function(node, scope),
        }
        self._elements: dict[type, Callable[[Any, Scope, list[Value]], Task[None]]] = {
            syntax.ForEach: self._for_each,
            syntax.ForWhile: self._for_while,
            syntax.IfElement: self._if_element,
            syntax.Each: self._each,
            syntax.Let: self._let_element,
        }

    def value(self, node: Expression, scope: Scope) -> Any:
        """The value of an expression: at once where it is plain, else as a task."""
        if node.weight:
            self.work.steps += node.weight
            return self._now[type(node)](node, scope)
        return self._tasks[type(node)](node, scope)

    def values(self, nodes: Sequence[Expression], scope: Scope) -> Any:
        """The values of some expressions: at once where all are plain, else as a task."""
        if all(node.weight for node in nodes):
            return [self.value(node, scope) for node in nodes]
        return self._values(nodes, scope)

    def _values(self, nodes: Sequence[Expression], scope: Scope) -> Task[list[Value]]:
        found: list[Value] = []
        for node in nodes:
            found.append((yield self.value(node, scope)))
        return found

    # ----------------------------------------------------------------------------- operators

    def _unary(self, node: syntax.Unary, scope: Scope) -> Task[Value]:
        return self.signed(node, (yield self.value(node.operand, scope)))

    def _binary(self, node: syntax.Binary, scope: Scope) -> Task[Value]:
        left = yield self.value(node.left, scope)
        if node.operator in LOGIC:
            if is_true(left) == (node.operator == "||"):
                return node.operator == "||"
            return is_true((yield self.value(node.right, scope)))
        return self.combined(node, left, (yield self.value(node.right, scope)))

    def _choice(self, node: syntax.Choice, scope: Scope) -> Task[Value]:
        condition = yield self.value(node.condition, scope)
        found: Value = yield self.value(node.then if is_true(condition) else node.otherwise, scope)
        return found

    def _index(self, node: syntax.Index, scope: Scope) -> Task[Value]:
        value = yield self.value(node.value, scope)
        return self.element(node, value, (yield self.value(node.index, scope)))

    def _member(self, node: syntax.Member, scope: Scope) -> Task[Value]:
        return member((yield self.value(node.value, scope)), node.name)

    def _range(self, node: syntax.RangeOf, scope: Scope) -> Task[Value]:
        first = yield self.value(node.first, scope)
        step = 1.0 if node.step is None else (yield self.value(node.step, scope))
        return self.ranged(node, first, step, (yield self.value(node.last, scope)))

    # ---------------------------------------------------------------------------- let, echo

    def bound(self, bindings: Iterable[Argument], scope: Scope) -> Task[Scope]:
        """A scope inside another with names bound one after the other; the first binding of a name counts."""
        inner = scope.inner()
        done: set[str] = set()
        for each in bindings:
            value = yield self.value(each.value, inner)
            if each.name and each.name not in done:
                inner.set(each.name, value)
                done.add(each.name)
        return inner

    def _let(self, node: syntax.Let, scope: Scope) -> Task[Value]:
        inner = yield self.bound(node.bindings, scope)
        found: Value = yield self.value(node.body, inner)
        return found

    def _told(self, node: syntax.Told, scope: Scope) -> Task[Value]:
        yield self.say(node.word, node.arguments, node.place, scope)
        found: Value = yield self.value(node.body, scope)
        return found

    def say(self, word: str, arguments: tuple[Argument, ...], place: Place, scope: Scope) -> Task[None]:
        """Echo some values, or hold that the first of them is true."""
        values: list[Value] = yield self.values([each.value for each in arguments], scope)
        if word == "echo":
            texts = [
                (f"{each.name} = " if each.name else "") + text_of(value, self.work, quoted=True)
                for each, value in zip(arguments, values, strict=True)
            ]
            if self.tell is not None:
                self.tell(f"ECHO: {', '.join(texts)}")
        elif not values or not is_true(values[0]):
            message = shown(values[1], 400) if len(values) > 1 else "it must be true"
            problem = f"an assertion does not hold: {message}"
            raise self.fail(Complaint(problem, fix="give values of which it is true, or leave it out"), place)

    # --------------------------------------------------------------------------------- calls

    def _call(self, node: syntax.Call, scope: Scope) -> Task[Value]:
        """The value of a call. One in last place of a function goes on in its stead, and takes no depth."""
        found: Value
        function = yield self._function(node, scope)
        if not isinstance(function, Function):
            found = yield self._builtin(node, function, scope)
            return found
        self.enter(_called(node), node.place, ENDING)
        while True:
            self.work.spend(STEPS_OF_A_CALL)
            definition = function.definition
            scope = yield self.arguments(
                _called(node), definition.parameters, node.arguments, scope, function.scope
            )
            body: Expression = definition.body
            while isinstance(body, syntax.Choice | syntax.Let | syntax.Told):
                if isinstance(body, syntax.Choice):
                    condition = yield self.value(body.condition, scope)
                    body = body.then if is_true(condition) else body.otherwise
                elif isinstance(body, syntax.Let):
                    scope = yield self.bound(body.bindings, scope)
                    body = body.body
                else:
                    yield self.say(body.word, body.arguments, body.place, scope)
                    body = body.body
            if not isinstance(body, syntax.Call):
                found = yield self.value(body, scope)
                break
            node = body
            self.calls[-1] = (_called(node), node.place)
            function = yield self._function(node, scope)
            if not isinstance(function, Function):
                found = yield self._builtin(node, function, scope)
                break
        self.leave()
        return found

    def _function(self, node: syntax.Call, scope: Scope) -> Any:
        """What a call calls: a function of the text, or one that is built in."""
        if not isinstance(node.function, syntax.Name):
            return self._function_value(node, scope)
        name = node.function.name
        variable = scope.find(name, self.work)
        if isinstance(variable, Function):
            return variable
        defined = scope.find_function(name, self.work)
        if defined is not None:
            return Function(*defined)
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        if variable is not MISSING:
            problem = f"{name[:60]} is {kind(variable)}, not a function"  # type: ignore[arg-type]
            raise self.fail(Complaint(problem, fix=_instead_of_call(variable, name[:60])), node.place)
        raise self._unknown_function(name, node.place)

    def _function_value(self, node: syntax.Call, scope: Scope) -> Task[Function]:
        value = yield self.value(node.function, scope)
        if not isinstance(value, Function):
            problem = f"{shown(value)} is not a function, and cannot be called"
            raise self.fail(Complaint(problem, fix=_instead_of_call(value, shown(value, 20))), node.place)
        return value

    def _unknown_function(self, name: str, place: Place) -> ScadError:
        if name in OTHER_FUNCTIONS:
            problem, fix = f"the function {name} is not supported", f"write down what {name}(…) gives"
            return self.fail(Complaint(problem, why=OTHER_FUNCTIONS[name], fix=fix), place)
        return self.fail(
            Complaint(
                f"there is no function '{name[:60]}'",
                wanted=listed(f"a function of the text, or {', '.join(FUNCTIONS)}"),
                fix=did_you_mean(name, FUNCTIONS, f"function {name[:60]}(x) = …;"),
            ),
            place,
        )

    def _builtin(self, node: syntax.Call, builtin: Builtin, scope: Scope) -> Task[Value]:
        nodes = [each.value for each in node.arguments]
        if builtin is FUNCTIONS["is_undef"]:
            nodes = [_known_or_undef(each, scope, self.work) for each in nodes]
        values: list[Value] = yield self.values(nodes, scope)
        found = self.guarded(node.place, lambda: builtin(values, self.work))
        if found is None:
            self.last_undefined = (
                f"{_called(node)}({', '.join(shown(v, 20) for v in values[:4])}) ({node.place})"
            )
        return found

    def arguments(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        given: tuple[Argument, ...],
        scope: Scope,
        home: Scope,
    ) -> Task[Scope]:
        """The scope of a call: parameters with what is given for them, in the order given or by name."""
        values: list[Value] = yield self.values([each.value for each in given], scope)
        inner = Scope(home, {**scope.specials, **home.exported} if home.exported else scope.specials)
        known = [parameter.name for parameter in parameters]
        done: set[str] = set()
        unnamed = 0
        for each, value in zip(given, values, strict=True):
            target = each.name
            if not target and unnamed < len(known):
                target = known[unnamed]
                unnamed += 1
            if target not in known and not target.startswith("$"):
                raise self._unfitting(name, each, known)
            inner.set(target, value)
            done.add(target)
        for parameter in parameters:
            if parameter.name not in done:
                default = parameter.default
                inner.set(parameter.name, None if default is None else (yield self.value(default, home)))
        return inner

    def _unfitting(self, name: str, given: Argument, known: list[str]) -> ScadError:
        self.leave()
        shape = f"{name}({', '.join(known)})"
        if given.name:
            return self.fail(
                Complaint(
                    f"{name} has no parameter '{given.name[:60]}'",
                    wanted=shape,
                    fix=did_you_mean(given.name, known, "leave it out"),
                ),
                given.place,
            )
        problem = f"{name} takes {counted(len(known), 'argument')} at most"
        return self.fail(Complaint(problem, wanted=shape, fix="leave out what is too much"), given.place)

    # ------------------------------------------------------------------------------- vectors

    def _vector(self, node: syntax.VectorOf, scope: Scope) -> Task[Value]:
        found: list[Value] = []
        for element in node.elements:
            yield self._element(element, scope, found)
        return tuple(found)

    def _element(self, node: Expression, scope: Scope, into: list[Value]) -> Task[None] | None:
        """Put what an element stands for behind the others: at once where it is plain, else as a task."""
        if node.weight:
            into.append(self.value(node, scope))
            return None
        comprehension = self._elements.get(type(node))
        return self._single(node, scope, into) if comprehension is None else comprehension(node, scope, into)

    def _single(self, node: Expression, scope: Scope, into: list[Value]) -> Task[None]:
        into.append((yield self.value(node, scope)))

    def _for_each(self, node: syntax.ForEach, scope: Scope, into: list[Value]) -> Task[None]:
        yield self.loops(node.bindings, scope, lambda inner: self._element(node.body, inner, into))

    def loops(
        self, bindings: tuple[Argument, ...], scope: Scope, body: Callable[[Scope], Task[None] | None]
    ) -> Task[None]:
        """Do something for all values of the first name, and for each of them for all values of the others."""
        if not bindings:
            yield body(scope)
            return
        first, *others = bindings
        values = yield self.value(first.value, scope)
        for value in self._run_through(values, first.place):
            inner = scope.inner()
            inner.set(first.name, value)
            self.work.spend(STEPS_OF_A_ROUND)
            yield self.loops(tuple(others), inner, body) if others else body(inner)

    def _run_through(self, values: Value, place: Place) -> Iterable[Value]:
        if isinstance(values, Range):
            counted = values
            self.guarded(place, lambda: counted.spend(self.work, "rounds"))
            return values.numbers()
        if values is None:
            return ()
        return values if isinstance(values, tuple | str) else (values,)

    def _for_while(self, node: syntax.ForWhile, scope: Scope, into: list[Value]) -> Task[None]:
        inner = yield self.bound(node.starts, scope)
        while is_true((yield self.value(node.condition, inner))):
            self.place = node.place
            self.work.spend(STEPS_OF_A_ROUND)
            yield self._element(node.body, inner, into)
            following = scope.inner()
            following.variables.update(inner.variables)
            following.specials = inner.specials
            for each in node.nexts:
                following.set(each.name, (yield self.value(each.value, following)))
            inner = following

    def _if_element(self, node: syntax.IfElement, scope: Scope, into: list[Value]) -> Task[None]:
        condition = yield self.value(node.condition, scope)
        branch = node.then if is_true(condition) else node.otherwise
        if branch is not None:
            yield self._element(branch, scope, into)

    def _each(self, node: syntax.Each, scope: Scope, into: list[Value]) -> Task[None]:
        values: list[Value] = []
        yield self._element(node.value, scope, values)
        for value in values:
            elements = tuple(self._run_through(value, node.place))
            self.work.spend(len(elements))
            into += elements

    def _let_element(self, node: syntax.Let, scope: Scope, into: list[Value]) -> Task[None]:
        inner = yield self.bound(node.bindings, scope)
        yield self._element(node.body, inner, into)


def _known_or_undef(node: Expression, scope: Scope, work: Work) -> Expression:
    """The same expression, or undef in place of a name that nothing defines."""
    if isinstance(node, syntax.Name) and scope.find(node.name, work) is MISSING:
        return syntax.Literal(node.place, None)
    return node


def _instead_of_call(value: object, name: str) -> str:
    """What may be meant where a value is called that is no function."""
    return f"{name}[0] for an element" if isinstance(value, tuple | str) else f"{name}*(…) for a product"


def _called(node: syntax.Call) -> str:
    return node.function.name[:60] if isinstance(node.function, syntax.Name) else "the function"
