"""Statements to shapes: modules are called, loops run, children are handed on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from linkwork.solid.scad.arguments import Given
from linkwork.solid.scad.evaluate import CONSTANTS, Evaluator, Tell
from linkwork.solid.scad.fault import Complaint, Place, ScadError, Source, counted, did_you_mean, listed
from linkwork.solid.scad.modules import CONTROL, MARKS, MODULES, OTHER_MODULES, Module, does_nothing
from linkwork.solid.scad.scope import CHILD_COUNT, SPECIALS, Children, Scope
from linkwork.solid.scad.syntax import (
    Argument,
    Block,
    Conditional,
    Instance,
    ModuleDefinition,
)
from linkwork.solid.scad.tasks import Task, run
from linkwork.solid.scad.tree import Alone, Called, Combined, Holder, Leaf, Node, nodes_below
from linkwork.solid.scad.value import Range, Value, is_true, shown

Statement = Instance | Conditional
ENDING: Final = "module {name}(n) {{ if (n > 0) {{ cube(1); translate([2, 0, 0]) {name}(n - 1); }} }}"
"""A recursion of a module that ends."""


def tree_of(block: Block, source: Source, tell: Tell | None = None) -> Node:
    """All shapes that a text asks for."""
    making = Instantiator(tell)
    try:
        nodes = run(making.program(block), making.work)
    except Complaint as complaint:
        raise making.fail(complaint, making.place or Place(source, 0)) from None
    whole = Holder(Place(source, 0), tuple(nodes))
    return next((node for node in nodes_below(whole) if isinstance(node, Alone)), whole)


class Instantiator(Evaluator):
    """The evaluation of statements."""

    def __init__(self, tell: Tell | None) -> None:
        super().__init__(tell)
        self._used: dict[int, Scope] = {}
        """The scopes of files that are used, by their blocks."""
        self._control: Final[Mapping[str, Callable[[Instance, Scope], Any]]] = {
            "for": self._for,
            "intersection_for": self._for,
            "let": self._let_module,
            "assign": self._let_module,
            "echo": self._saying,
            "assert": self._saying,
            "children": self._children,
        }

    def program(self, block: Block) -> Task[list[Node]]:
        """The shapes of a whole text."""
        scope = self._outermost(block)
        yield self._libraries(block, scope)
        nodes = yield self._nodes(block, scope)
        return list(nodes)

    def _outermost(self, block: Block) -> Scope:
        """A scope for a file, around which are the constants."""
        constants = Scope(None, dict(SPECIALS))
        constants.variables.update(CONSTANTS)
        return constants.inner(block)

    def _libraries(self, block: Block, scope: Scope) -> Task[None]:
        """The scopes of the files that a block uses, with their variables."""
        found: list[Scope] = []
        for use in block.uses:
            found.append((yield self._library(use.block)))
        scope.libraries = tuple(found)

    def _library(self, block: Block) -> Task[Scope]:
        """The scope of a file that is used, made once; files that use one another find each other in it."""
        if id(block) not in self._used:
            scope = self._used[id(block)] = self._outermost(block)
            yield self._libraries(block, scope)
            yield self._assign(block, scope)
            names = [each.name for each in block.assignments if each.name in scope.specials]
            scope.exported = {name: scope.specials[name] for name in names}
        return self._used[id(block)]

    def _assign(self, block: Block, scope: Scope) -> Task[None]:
        for assignment in block.assignments:
            self.place = assignment.place
            scope.set(assignment.name, (yield self.value(assignment.value, scope)))

    def _nodes(self, block: Block, scope: Scope) -> Task[list[Node]]:
        """The shapes of a block in its own scope."""
        yield self._assign(block, scope)
        found: list[Node] = []
        for statement in block.instances:
            node = yield self._statement(statement, scope)
            if node is not None:
                found.append(node)
        return found

    def _statement(self, statement: Statement, scope: Scope) -> Task[Node | None]:
        """The shape of a statement, if it gives one. Nothing comes of what is marked with * or %."""
        if "*" in statement.modifiers:
            return None
        self.place = statement.place
        self.work.shape()
        if isinstance(statement, Conditional):
            node: Node | None = yield self._if(statement, scope)
        else:
            node = yield self._control.get(statement.name, self._module)(statement, scope)
        if node is None or "%" in statement.modifiers:
            return None
        return Alone(statement.place, (node,)) if "!" in statement.modifiers else node

    # ------------------------------------------------------------------------------- control

    def _if(self, statement: Conditional, scope: Scope) -> Task[Node | None]:
        condition = yield self.value(statement.condition, scope)
        branch = statement.then if is_true(condition) else statement.otherwise
        if branch is None:
            return None
        nodes = yield self._nodes(branch, scope.inner(branch))
        return Holder(statement.place, tuple(nodes))

    def _for(self, statement: Instance, scope: Scope) -> Task[Node]:
        found: list[Node] = []

        def one_round(inner: Scope) -> Task[None]:
            self.place = statement.place
            found.extend((yield self._nodes(statement.children, inner.inner(statement.children))))

        yield self.loops(statement.arguments, scope, one_round)
        if statement.name == "for":
            return Holder(statement.place, tuple(found))
        return Combined(statement.place, tuple(found), "intersection")

    def _let_module(self, statement: Instance, scope: Scope) -> Task[Node]:
        inner = yield self.bound(statement.arguments, scope)
        nodes = yield self._nodes(statement.children, inner.inner(statement.children))
        return Holder(statement.place, tuple(nodes))

    def _saying(self, statement: Instance, scope: Scope) -> Task[Node | None]:
        yield self.say(statement.name, statement.arguments, statement.place, scope)
        if not statement.children.instances:
            return None
        nodes = yield self._nodes(statement.children, scope.inner(statement.children))
        return Holder(statement.place, tuple(nodes))

    def _children(self, statement: Instance, scope: Scope) -> Task[Node | None]:
        """children(), children(place), children(places): what the module around was called on."""
        children = scope.find_children()
        if children is None:
            complaint = Complaint(
                "children() stands outside of a module", fix="module around() { … children(); }"
            )
            raise self.fail(complaint, statement.place)
        values: list[Value] = yield self.values([each.value for each in statement.arguments], scope)
        instances = _enabled(children.block)
        index = values[0] if values else None
        chosen = self._chosen(index, len(instances), statement) if values else range(len(instances))
        inner = Scope(children.scope, scope.specials, children.block)
        yield self._assign(children.block, inner)
        found: list[Node] = []
        for place in chosen:
            node = yield self._statement(instances[place], inner)
            if node is not None:
                found.append(node)
        if isinstance(index, float):
            return found[0] if found else None
        return Holder(statement.place, tuple(found))

    def _chosen(self, index: Value, count: int, statement: Instance) -> list[int]:
        """The places that an index names, those that there are."""
        places: tuple[Value, ...] = (index,)
        if isinstance(index, Range):
            index.spend(self.work)
            places = tuple(index.numbers())
        elif isinstance(index, tuple):
            places = index
        if not all(isinstance(each, float) and math.isfinite(each) for each in places):
            problem = f"children: {shown(index)} names no children"
            wanted = "a number, a vector or a range, counted from 0"
            raise self.fail(Complaint(problem, wanted=wanted, fix="children(0)"), statement.place)
        return [int(each) for each in places if 0 <= each < count]  # type: ignore[operator, arg-type]

    # ------------------------------------------------------------------------------- modules

    def _module(self, statement: Instance, scope: Scope) -> Any:
        """A module of the text, or else one that is built in."""
        defined = scope.find_module(statement.name, self.work)
        if defined is not None and not (statement.name in MARKS and does_nothing(defined[0])):
            return self._own(statement, *defined, scope)
        if statement.name in MODULES:
            return self._built_in(statement, MODULES[statement.name], scope)
        raise self._unknown(statement, scope)

    def _own(
        self, statement: Instance, definition: ModuleDefinition, home: Scope, scope: Scope
    ) -> Task[Node]:
        """A call of a module of the text."""
        self.enter(statement.name[:60], statement.place, ENDING)
        inner = yield self.arguments(statement.name, definition.parameters, statement.arguments, scope, home)
        inner.block = definition.body
        inner.children = Children(statement.children, scope)
        inner.set(CHILD_COUNT, float(len(_enabled(statement.children))))
        yield self._libraries(definition.body, inner)
        nodes = yield self._nodes(definition.body, inner)
        self.leave()
        changes = bool(statement.children.instances)
        return Called(statement.place, tuple(nodes), statement.name, changes)

    def _built_in(self, statement: Instance, module: Module, scope: Scope) -> Task[Node]:
        """A call of a module that is built in; names with a dollar reach what stands behind it."""
        inner = scope.inner(statement.children)
        values: dict[str, tuple[Value, Place]] = {}
        undefined: dict[str, Place] = {}
        free = iter(module.ordered)
        given_values = yield self.values([each.value for each in statement.arguments], scope)
        for each, value in zip(statement.arguments, given_values, strict=True):
            if each.name.startswith("$"):
                inner.set(each.name, value)
                continue
            target = each.name or next(free, "")
            if target not in module.ordered and target not in module.named:
                raise self._unfit(statement.name, module, each)
            if value is None:
                undefined[target] = each.value.place
            else:
                values[target] = (value, each.value.place)
        given = Given(self, statement.name, statement.place, values, undefined, inner.specials)
        nodes = yield self._nodes(statement.children, inner)
        self.place = statement.place
        found = module.make(given, tuple(nodes))
        if nodes and isinstance(found, Leaf):
            raise self._childless(statement)
        return found

    def _childless(self, statement: Instance) -> ScadError:
        """OpenSCAD leaves such children out without a word, which hardly anybody means."""
        complaint = Complaint(
            f"{statement.name} takes nothing on which it would be called",
            wanted="a statement of its own for what stands behind it",
            why="it would be left out",
            fix=f"{statement.name}(…);   // with the semicolon",
        )
        return self.fail(complaint, statement.children.instances[0].place)

    def _unfit(self, name: str, module: Module, given: Argument) -> ScadError:
        known = [*module.ordered, *module.named]
        listed = ", ".join(known)
        problem = f"{name} has no parameter '{given.name[:60]}'"
        if not given.name:
            problem = f"{name} takes {counted(len(module.ordered), 'argument')} without a name at most"
        fix = did_you_mean(given.name, known, "leave it out") if given.name else "name = value"
        return self.fail(Complaint(problem, wanted=f"{name}({listed})", fix=fix), given.place)

    def _unknown(self, statement: Instance, scope: Scope) -> ScadError:
        name = statement.name
        supported = listed(f"a module of the text, or {', '.join((*MODULES, *CONTROL))}")
        if name in OTHER_MODULES:
            complaint = Complaint(
                f"{name} is not supported",
                wanted=supported,
                why=OTHER_MODULES[name],
                fix=f"*{name}(…);   // the asterisk leaves it out",
            )
            return self.fail(complaint, statement.place)
        known = [*scope.module_names(), *MODULES, *CONTROL]
        return self.fail(
            Complaint(
                f"there is no module '{name[:60]}'",
                wanted=supported,
                fix=did_you_mean(name, known, f"module {name[:60]}() {{ … }}"),
            ),
            statement.place,
        )


def _enabled(block: Block) -> list[Statement]:
    """The children that count: those not marked with *."""
    return [statement for statement in block.instances if "*" not in statement.modifiers]
