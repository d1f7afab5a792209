"""Tokens to expressions: recursive descent, written as tasks so that brackets may be nested to any depth.

From loose to tight: ``? :``, ``||``, ``&&``, equality, order, ``+ -``, ``* / %``, sign and ``!``, ``^`` (from the
right), then calls, indices and members. The words let, echo, assert and function reach as far as they can.
"""

from __future__ import annotations

from typing import Any, Final

from linkwork.solid.scad import syntax
from linkwork.solid.scad.cursor import Cursor
from linkwork.solid.scad.fault import Place
from linkwork.solid.scad.syntax import Argument, Expression, Literal, Name, Parameter
from linkwork.solid.scad.tasks import Task
from linkwork.solid.scad.tokens import (
    END,
    NAME,
    NUMBER,
    OPERATOR,
    STRING,
    VECTOR,
    string_value,
)
from linkwork.solid.scad.value import Value

_LEVELS: Final = {
    "||": 1,
    "&&": 2,
    **dict.fromkeys(("==", "!="), 3),
    **dict.fromkeys(("<", "<=", ">", ">="), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "%"), 6),
}
_ENDS: Final = frozenset((",", ";", ")", "]", ":"))
"""What may follow a value that stands alone."""
_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "undef": None}
A_VALUE: Final = "a number, a name, a string, a vector or an opening bracket"


class ExpressionReader(Cursor):
    """The reading of expressions."""

    def expression(self) -> Any:
        """A value: at once where it is a single word or number, else as a task."""
        return self._alone() or self._expression()

    def _alone(self) -> Expression | None:
        """A number, string, name or vector of numbers that is not part of anything larger."""
        token, behind = self.token, self.behind
        if behind.kind != OPERATOR or behind.text not in _ENDS:
            return None
        if token.kind == NUMBER:
            return self._number()
        if token.kind == STRING:
            return self._string()
        if token.kind == VECTOR:
            return self._numbers()
        return self._name() if token.kind == NAME else None

    def _expression(self) -> Task[Expression]:
        place = self.here
        if self.token.kind == NAME and self.behind.text == "(":
            word = self.token.text
            if word in ("let", "echo", "assert"):
                found: Expression = yield self._worded(word)
                return found
            if word == "function":
                self.take()
                parameters = yield self.parameters("function")
                body = yield self.expression()
                return syntax.FunctionOf(place, parameters, body)
        condition: Expression = yield self._binary(1)
        if not self.takes("?"):
            return condition
        then = yield self.expression()
        if not self.takes(":"):
            self.fail(
                f"{self.in_hand()} stands where ':' is expected",
                wanted="condition ? value : other value",
                fix=f": undef before {self.in_hand()}",
            )
        otherwise = yield self.expression()
        return syntax.Choice(place, condition, then, otherwise)

    def _worded(self, word: str) -> Task[Expression]:
        """let (…) value, echo (…) value, assert (…) value; behind the last two the value may be missing."""
        place = self.here
        self.take()
        arguments = yield self.arguments(word, named=word == "let")
        if word != "let" and (
            self.token.kind == END or (self.token.kind == OPERATOR and self.token.text in _ENDS)
        ):
            return syntax.Told(place, word, arguments, Literal(place, None))
        body = yield self.expression()
        return (
            syntax.Let(place, arguments, body) if word == "let" else syntax.Told(place, word, arguments, body)
        )

    def _binary(self, level: int) -> Task[Expression]:
        left: Expression = yield self._unary()
        while self.token.kind == OPERATOR and _LEVELS.get(self.token.text, 0) >= level:
            place = self.here
            operator = self.take().text
            right = yield self._binary(_LEVELS[operator] + 1)
            left = syntax.Binary(place, operator, left, right)
        return left

    def _unary(self) -> Task[Expression]:
        signs: list[tuple[Place, str]] = []
        while self.token.kind == OPERATOR and self.token.text in ("+", "-", "!"):
            signs.append((self.here, self.take().text))
        found: Expression = yield self._power()
        for place, sign in reversed(signs):
            if sign == "-" and isinstance(found, Literal) and isinstance(found.value, float):
                found = Literal(place, -found.value)
            else:
                found = syntax.Unary(place, sign, found)
        return found

    def _power(self) -> Task[Expression]:
        base: Expression = yield self._behind()
        if not self.sees("^"):
            return base
        place = self.here
        self.take()
        exponent = yield self._unary()
        return syntax.Binary(place, "^", base, exponent)

    def _behind(self) -> Task[Expression]:
        """A primary value with the calls, indices and members behind it."""
        found: Expression = yield self._primary()
        while self.token.kind == OPERATOR and self.token.text in ("(", "[", "."):
            place = self.here
            if self.sees("("):
                place = found.place if isinstance(found, Name) else place
                arguments = yield self.arguments("the name")
                found = syntax.Call(place, found, arguments)
            elif self.sees("["):
                self.opens("[", "a value")
                index = yield self.expression()
                self.closes("]")
                found = syntax.Index(place, found, index)
            else:
                self.take()
                found = syntax.Member(place, found, self.name("a member such as .x").text)
        return found

    def _primary(self) -> Any:
        token = self.token
        if token.kind == NUMBER:
            return self._number()
        if token.kind == STRING:
            return self._string()
        if token.kind == NAME:
            return self._name()
        if token.kind == VECTOR:
            return self._numbers()
        if self.sees("("):
            return self._bracketed()
        if self.sees("["):
            return self._vector()
        problem = f"{self.in_hand()} stands where a value is expected"
        if token.kind == OPERATOR and token.text == "=":
            self.fail(problem, wanted=A_VALUE, fix="compare with ==")
        self.fail(
            problem, wanted=A_VALUE, fix=f"a value before {self.in_hand()}, or leave out what asks for one"
        )

    def _number(self) -> Literal:
        place = self.here
        return Literal(place, float(self.take().text))

    def _string(self) -> Literal:
        place = self.here
        return Literal(place, string_value(self.take()))

    def _numbers(self) -> Literal:
        place = self.here
        return Literal(place, tuple(float(each) for each in self.take().text[1:-1].split(",")))

    def _name(self) -> Expression:
        place, word = self.here, self.token.text
        if word in _WORDS:
            self.take()
            return Literal(place, _WORDS[word])
        return Name(place, self.name("a value").text)

    def _bracketed(self) -> Task[Expression]:
        self.opens("(", "")
        found: Expression = yield self.expression()
        self.closes(")")
        return found

    # ------------------------------------------------------------------------------- vectors

    def _vector(self) -> Task[Expression]:
        """A vector, or a range, which begins like one."""
        place = self.here
        self.opens("[", "")
        elements: list[Expression] = []
        while True:
            while self.takes(","):
                pass
            if self.sees("]"):
                break
            elements.append((yield self._element()))
            if len(elements) == 1 and self.takes(":"):
                found: Expression = yield self._range(place, elements[0])
                return found
            if not self.sees(","):
                break
        self.closes("]")
        known = [element.value for element in elements if isinstance(element, Literal)]
        if len(known) == len(elements):
            return Literal(place, tuple(known))
        return syntax.VectorOf(place, tuple(elements))

    def _range(self, place: Place, first: Expression) -> Task[Expression]:
        second = yield self.expression()
        third = (yield self.expression()) if self.takes(":") else None
        self.closes("]")
        return syntax.RangeOf(place, first, None if third is None else second, third or second)

    def _element(self) -> Any:
        """An element of a vector: a value, or for, if, let, each and what they hold."""
        if self.token.kind == NAME:
            if self.token.text == "for":
                return self._for()
            if self.token.text == "if":
                return self._if()
            if self.token.text == "each":
                return self._each()
            if self.token.text == "let" and self.behind.text == "(":
                return self._let_element()
        if self.sees("(") and self.behind.kind == NAME and self.behind.text in ("for", "if", "each", "let"):
            return self._bracketed_element()
        return self.expression()

    def _bracketed_element(self) -> Task[Expression]:
        self.opens("(", "")
        found: Expression = yield self._element()
        self.closes(")")
        return found

    def _each(self) -> Task[Expression]:
        place = self.here
        self.take()
        return syntax.Each(place, (yield self._element()))

    def _let_element(self) -> Task[Expression]:
        place = self.here
        self.take()
        bindings = yield self.arguments("let", named=True)
        return syntax.Let(place, bindings, (yield self._element()))

    def _if(self) -> Task[Expression]:
        place = self.here
        self.take()
        self.opens("(", "if")
        condition = yield self.expression()
        self.closes(")")
        then = yield self._element()
        otherwise = None
        if self.sees_word("else"):
            self.take()
            otherwise = yield self._element()
        return syntax.IfElement(place, condition, then, otherwise)

    def _for(self) -> Task[Expression]:
        place = self.here
        self.take()
        self.opens("(", "for")
        starts = yield self._listed(named=True, ends=(")", ";"))
        if not self.takes(";"):
            self.closes(")")
            return syntax.ForEach(place, starts, (yield self._element()))
        condition = yield self.expression()
        if not self.takes(";"):
            self.fail(
                f"{self.in_hand()} stands where ';' is expected",
                wanted="for (i = 0; i < 10; i = i + 1)",
                fix="for (i = [0:9]), which counts by itself",
            )
        nexts = yield self._listed(named=True, ends=(")",))
        self.closes(")")
        return syntax.ForWhile(place, starts, condition, nexts, (yield self._element()))

    # ----------------------------------------------------------------- arguments, parameters

    def arguments(self, behind: str, *, named: bool = False) -> Task[tuple[Argument, ...]]:
        """What stands in brackets behind a call; ``named`` where each must be name = value."""
        self.opens("(", behind)
        found = yield self._listed(named=named, ends=(")",))
        self.closes(")")
        return tuple(found)

    def _listed(self, *, named: bool, ends: tuple[str, ...]) -> Task[tuple[Argument, ...]]:
        found: list[Argument] = []
        while True:
            while self.takes(","):
                pass
            if self.token.kind == OPERATOR and self.token.text in ends:
                break
            place = self.here
            name = ""
            if self.token.kind == NAME and self.behind.kind == OPERATOR and self.behind.text == "=":
                name = self.take().text
                self.take()
            elif named:
                problem = f"{self.in_hand()} stands where a name is expected"
                self.fail(problem, wanted="name = value", fix=f"name = before {self.in_hand()}")
            found.append(Argument(place, name, (yield self.expression())))
            if not self.sees(","):
                break
        return tuple(found)

    def parameters(self, behind: str) -> Task[tuple[Parameter, ...]]:
        """What a function or module takes: names, perhaps with defaults."""
        self.opens("(", behind)
        found: list[Parameter] = []
        while True:
            while self.takes(","):
                pass
            if self.sees(")"):
                break
            place = self.here
            name = self.name("the name of a parameter").text
            default = (yield self.expression()) if self.takes("=") else None
            found.append(Parameter(place, name, default))
            if not self.sees(","):
                break
        self.closes(")")
        return tuple(found)
