"""Tokens to statements: assignments, definitions, modules that are called, and files that are drawn in."""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

from linkwork.solid.scad import syntax
from linkwork.solid.scad.expressions import ExpressionReader
from linkwork.solid.scad.fault import Complaint, Place, Source
from linkwork.solid.scad.syntax import Block, Statement, block_of
from linkwork.solid.scad.tasks import Task, run
from linkwork.solid.scad.tokens import END, FILE, NAME, OPERATOR

_MODIFIERS: Final = "!#%*"
_CALLED: Final = frozenset(("for", "let", "echo", "assert"))
"""Words that are called like modules."""


class Files(Protocol):
    """What draws other files in."""

    def statements(self, path: str, place: Place) -> list[Statement]:
        """The statements of a file that is included."""

    def use(self, path: str, place: Place) -> syntax.Use | None:
        """A file that is used; None if it is built in."""


def read_statements(source: Source, files: Files) -> list[Statement]:
    """All statements of a text, those of included files among them."""
    reader = StatementReader(source, files)
    try:
        return run(reader.program())
    except Complaint as complaint:
        raise complaint.at(reader.here) from None


class StatementReader(ExpressionReader):
    """The reading of statements."""

    def __init__(self, source: Source, files: Files) -> None:
        super().__init__(source)
        self.files = files

    def program(self) -> Task[list[Statement]]:
        """The whole text."""
        found: list[Statement] = []
        while self.token.kind != END:
            if self.sees("}"):
                self.fail("there is no open '{' for this one", fix="leave it out")
            yield self._statement(found)
        return found

    def _statement(self, into: list[Statement]) -> Task[None]:
        """One statement, put behind those there are; a bare block is no scope of its own."""
        if self.takes(";"):
            return
        if self.sees("{"):
            yield self._statements_in_braces(into)
        elif self.token.kind == FILE:
            self._file(into)
        elif self.token.kind == NAME and self.token.text in ("module", "function"):
            into.append((yield self._definition(self.token.text)))
        elif self.token.kind == NAME and self.behind.kind == OPERATOR and self.behind.text == "=":
            into.append((yield self._assignment()))
        else:
            into.append((yield self._instance()))

    def _statements_in_braces(self, into: list[Statement]) -> Task[None]:
        self.opens("{", "")
        while not self.sees("}"):
            if self.token.kind == END:
                self.closes("}")
            yield self._statement(into)
        self.closes("}")

    def _file(self, into: list[Statement]) -> None:
        place = self.here
        match = re.fullmatch(r"(include|use)\s*<(.*)>", self.take().text, re.DOTALL)
        assert match is not None
        word, path = match.groups()
        if word == "include":
            into.extend(self.files.statements(path.strip(), place))
        else:
            used = self.files.use(path.strip(), place)
            into.extend([] if used is None else [used])

    def _ends(self) -> None:
        if self.takes(";"):
            return
        self.fail(f"{self.in_hand()} stands where ';' is expected", fix="end the line before it with ;")

    def _assignment(self) -> Task[Statement]:
        place = self.here
        name = self.name("a name").text
        self.take()
        value = yield self.expression()
        self._ends()
        return syntax.Assignment(place, name, value)

    def _definition(self, word: str) -> Task[Statement]:
        self.take()
        place = self.here
        name = self.name(f"the name of a {word}").text
        parameters = yield self.parameters(name)
        if word == "module":
            return syntax.ModuleDefinition(place, name, parameters, (yield self._body()))
        if not self.takes("="):
            problem = f"{self.in_hand()} stands where '=' is expected"
            self.fail(problem, wanted=f"function {name}(x) = value;", fix=f"= before {self.in_hand()}")
        body = yield self.expression()
        self._ends()
        return syntax.FunctionDefinition(place, name, parameters, body)

    def _body(self) -> Task[Block]:
        """What stands behind a module: nothing, one statement, or several in braces."""
        into: list[Statement] = []
        yield self._statement(into)
        return block_of(into)

    def _children(self) -> Task[Block]:
        """What a module is called on."""
        if self.takes(";"):
            return Block()
        into: list[Statement] = []
        if self.sees("{"):
            yield self._statements_in_braces(into)
        else:
            into.append((yield self._instance()))
        return block_of(into)

    def _instance(self) -> Any:
        place = self.here
        modifiers = ""
        while self.token.kind == OPERATOR and self.token.text in _MODIFIERS:
            modifiers += self.take().text
        if self.token.kind != NAME:
            self._fail_on_statement()
        if self.token.text == "if":
            return self._conditional(place, modifiers)
        return self._call(place, modifiers)

    def _call(self, place: Place, modifiers: str) -> Task[Statement]:
        place = self.here
        name = self.take().text if self.token.text in _CALLED else self.name("the name of a module").text
        if not self.sees("("):
            self._fail_on_neighbour(name)
        arguments = yield self.arguments(name, named=name in ("for", "let", "intersection_for", "assign"))
        children = yield self._children()
        return syntax.Instance(place, modifiers, name, arguments, children)

    def _conditional(self, place: Place, modifiers: str) -> Task[Statement]:
        self.take()
        self.opens("(", "if")
        condition = yield self.expression()
        self.closes(")")
        then = yield self._children()
        otherwise = None
        if self.sees_word("else"):
            self.take()
            otherwise = yield self._children()
        return syntax.Conditional(place, modifiers, condition, then, otherwise)

    def _fail_on_statement(self) -> None:
        if self.token.kind == END:
            self.fail("the text ends where a module is expected", fix="end it with ;")
        self.fail(
            f"{self.in_hand()} stands where a statement is expected",
            wanted="name = value;, a module such as cube(1);, or a definition",
            fix=f"leave {self.in_hand()} out"
            if self.token.kind == OPERATOR
            else f"name = {self.token.text[:40]};",
        )

    def _fail_on_neighbour(self, name: str) -> None:
        if self.sees(";"):
            self.fail(f"'{name}' is not called", wanted="a value for it, or brackets", fix=f"{name}();")
        self.fail(
            f"{self.in_hand()} stands behind '{name[:40]}'",
            wanted=f"{name[:40]} = value; or {name[:40]}(…);",
            fix=f"{name[:40]}();" if self.token.kind == NAME else f"{name[:40]}(…);",
        )
