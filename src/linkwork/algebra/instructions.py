"""Expressions as a straight list of machine operations: what printers print and what counts as work.

The graph keeps signs, numbers and powers in a form good for algebra; a processor wants few operations.
Here a + (−b) becomes a − b, −(a − b) becomes b − a where nothing else needs a − b, x⁵ becomes (x²)²·x,
each square shared with whoever else needs it, x·y + x·z becomes x·(y + z) where the products have no
other use, x·(1/d) becomes x/d, and c·(x·y) becomes (c·x)·y where c·x is wanted elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain
from typing import Final

from linkwork.algebra.arithmetic import multiply, negate, scale
from linkwork.algebra.expression import (
    ADD,
    DIV,
    MINUS_ONE,
    MUL,
    ONE,
    POW,
    Expression,
    Number,
    core_of,
    node,
    number,
    opposite,
    whole_exponent,
    without_collector,
)
from linkwork.algebra.graph import nodes_in_order

SUBTRACT, NEGATE = "-", "neg"

# Powers up to this exponent are products, beyond it calls of pow.
LARGEST_PRODUCT_POWER: Final = 64

# Longer products are not searched for a common factor.
MOST_FACTORS: Final = 16


@dataclass(frozen=True)
class Instructions:
    """Instruction i applies ``operations[i]`` to earlier results; a leaf has no operands.

    ``leaves[i]`` is the symbol, number or π of a leaf. ``results[k]`` is the place of the k-th root and
    ``ends[k]`` how many instructions there are once it is computed: roots are computed in their order.
    """

    operations: list[str] = field(default_factory=list)
    operands: list[tuple[int, ...]] = field(default_factory=list)
    leaves: dict[int, Expression] = field(default_factory=dict)
    results: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def count(self) -> Counter[str]:
        """How many instructions of each kind, leaves not counted."""
        return Counter(op for op, operands in zip(self.operations, self.operands, strict=True) if operands)


@without_collector
def instructions(roots: Sequence[Expression]) -> Instructions:
    """The operations that compute the roots, shared parts once.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> instructions([(x + y) ** 3 - x]).operations
    ['symbol', 'symbol', '+', '*', '*', '-']
    """
    return _Lowering(roots).code


def operations_by_kind(roots: Iterable[Expression]) -> Counter[str]:
    """How many operations of each kind compute the expressions."""
    return instructions(list(roots)).count()


def operation_count(roots: Iterable[Expression]) -> int:
    """How many arithmetic operations and function calls compute the expressions, shared parts once.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> operation_count([x + y, (x + y) ** 5 - x])
    5
    """
    return operations_by_kind(roots).total()


class _Lowering:
    """One translation: where each node's value, or its opposite's, is found."""

    def __init__(self, roots: Sequence[Expression]) -> None:
        self.code = Instructions()
        self.place: dict[Expression, int] = {}
        seen: set[Expression] = set()
        new_below = [nodes_in_order([root], seen) for root in roots]
        self.graph = _Uses([each for nodes in new_below for each in nodes], roots)
        for root, nodes in zip(roots, new_below, strict=True):
            for each in nodes:
                # leaves are entered by their users, as is what a user has needed before its turn
                if each.arguments and each not in self.graph.absorbed and each not in self.place:
                    self.enter(each)
            self.code.results.append(self.value(root))
            self.code.ends.append(len(self.code.operations))

    def enter(self, each: Expression) -> None:
        """Append the instructions of one node, whose arguments are there already."""
        operation = each.operation
        if operation is ADD:
            self.enter_sum(each)
        elif each.core is not None:
            if not each.coefficient.negative:  # negative ones wait until somebody needs the sign
                self.enter_scaled(each)
        elif operation is MUL:
            self.enter_product(each)
        elif _is_product(each):
            self.enter_power(each)
        else:
            self.enter_operation(each)

    def append(self, operation: str, *operands: int) -> int:
        self.code.operations.append(operation)
        self.code.operands.append(operands)
        return len(self.code.operations) - 1

    def value(self, wanted: Expression) -> int:
        """The place of a node's value, entered now if it is a leaf or a negation."""
        known = self.place.get(wanted)
        if known is not None:
            return known
        if not wanted.arguments:
            position = self.append(wanted.operation)
            self.code.leaves[position] = wanted
        elif wanted.coefficient is MINUS_ONE or (
            wanted.coefficient.negative and negate(wanted) in self.place
        ):
            position = self.append(NEGATE, self.magnitude(wanted))
        elif wanted.coefficient.negative:
            position = self.negatively_scaled(negate(wanted))
        else:
            if wanted not in self.graph.turned or self.graph.turned[wanted] not in self.place:
                self.enter(wanted)
            if wanted in self.place:
                return self.place[wanted]
            position = self.append(NEGATE, self.place[self.graph.turned[wanted]])  # only −wanted was entered
        self.place[wanted] = position
        return position

    def magnitude(self, negative: Expression) -> int:
        """The place of −node, for a node with a negative coefficient."""
        return self.value(negate(negative))

    def enter_operation(self, each: Expression) -> None:
        places = self.place
        operands = tuple([places[a] if a in places else self.value(a) for a in each.arguments])
        self.code.operands.append(operands)
        self.code.operations.append(each.operation)
        places[each] = len(self.code.operands) - 1

    def enter_product(self, each: Expression) -> None:
        """x·y, or x/d where y is a reciprocal 1/d that nobody else needs."""
        x, y = each.arguments
        if x in self.graph.reciprocals and y not in self.graph.reciprocals:
            x, y = y, x
        if y in self.graph.reciprocals:
            self.place[each] = self.value(node(DIV, x, y.arguments[1]))
        else:
            self.enter_operation(each)

    def enter_scaled(self, each: Expression) -> None:
        """c·(x·y), or (c·x)·y where somebody else needs c·x too."""
        factor = self.graph.shared_factor(each)
        if factor is None:
            self.enter_operation(each)
            return
        first, second = core_of(each).arguments
        other = first if second is factor else second
        scaled_factor = scale(each.coefficient, factor)
        self.place[each] = self.append(MUL, self.value(scaled_factor), self.value(other))

    def enter_sum(self, each: Expression) -> None:
        """a + b or a − b; the first term of a sum is always positive."""
        if each in self.graph.factored:
            self.enter_factored(each)
            return
        first, second = each.arguments
        if each in self.graph.turned:
            opposite = self.graph.turned[each]
            if second.coefficient.negative:
                self.place[opposite] = self.append(SUBTRACT, self.magnitude(second), self.value(first))
            else:  # −(a + 2·b) is (−2)·b − a
                scaled, other = (second, first) if self.graph.takes_sign(second) else (first, second)
                minuend = self.negatively_scaled(scaled)
                self.place[opposite] = self.append(SUBTRACT, minuend, self.value(other))
        elif not second.coefficient.negative or second in self.place:
            self.place[each] = self.append(ADD, self.value(first), self.value(second))
        else:
            self.place[each] = self.append(SUBTRACT, self.value(first), self.magnitude(second))

    def negatively_scaled(self, term: Expression) -> int:
        """The place of −c·x, at the price of c·x."""
        opposite = negate(term)
        if opposite.arguments and opposite not in self.place:
            coefficient = self.value(opposite.coefficient)
            self.place[opposite] = self.append(MUL, coefficient, self.value(core_of(term)))
        return self.value(opposite)

    def enter_factored(self, each: Expression) -> None:
        """x·(y ± z) for x·y ± x·z."""
        factor, y, z = self.graph.factored[each]
        if not z.coefficient.negative:
            inner = self.append(ADD, self.value(y), self.value(z))
        else:
            inner = self.append(SUBTRACT, self.value(y), self.magnitude(z))
        self.place[each] = self.append(MUL, self.value(factor), inner)

    def enter_power(self, each: Expression) -> None:
        """x^n by repeated squaring, through powers that others may share."""
        base, exponent = each.arguments[0], whole_exponent(each)
        steps = []
        while exponent > 1:
            steps.append(exponent)
            exponent = exponent // 2 if exponent % 2 == 0 else exponent - 1
        for exponent in reversed(steps):
            power = node(POW, base, number(exponent))
            if power not in self.place:
                half = exponent // 2 if exponent % 2 == 0 else exponent - 1
                factor = self.value(node(POW, base, number(half)) if half > 1 else base)
                other = factor if exponent % 2 == 0 else self.value(base)
                self.place[power] = self.append(MUL, factor, other)


class _Uses:
    """Who uses what, and what follows from it for the cheapest way to compute a node."""

    def __init__(self, order: Sequence[Expression], roots: Sequence[Expression]) -> None:
        self.count = Counter(chain.from_iterable([each.arguments for each in order]))
        self.count.update(roots)
        scaled = [each for each in order if each.core is not None and each.arguments]
        self.count.subtract([core_of(each) for each in scaled if self.has_positive_twin(each)])
        self.absorbed: set[Expression] = set()  # nodes whose only user computes them along the way
        self.reciprocals: set[Expression] = set()  # 1/d of which the only use is x·(1/d)
        self.turned: dict[Expression, Expression] = {}  # sums of which only the opposite is needed
        self.factored: dict[Expression, tuple[Expression, Expression, Expression]] = {}
        self.scaled: Counter[tuple[Number, Expression]] = Counter()  # how often c·x could be used
        whole = set(chain(roots, *[each.arguments for each in order if each.operation is not ADD]))
        for each in order:
            if each.operation is ADD:
                first, second = each.arguments
                if first.operation is MUL and second.operation is MUL:
                    self.note_common_factor(each)
            elif each.core is not None and each.arguments:
                self.note_scaled(each, whole)
            elif each.operation is MUL:
                self.reciprocals.update(filter(self.is_lone_reciprocal, each.arguments))
        self.absorbed |= self.reciprocals

    def has_positive_twin(self, each: Expression) -> bool:
        """Whether −c·x uses x only as c·x does, which is computed anyway."""
        if each.coefficient is MINUS_ONE or not each.coefficient.negative:
            return False
        return self.count[negate(each)] > 0

    def is_lone_product(self, each: Expression) -> bool:
        """Whether a product, or a number times a product, has one user only."""
        if self.count[each] != 1:
            return False
        return each.core is None or (each.core.operation is MUL and self.count[each.core] == 1)

    def is_lone_reciprocal(self, each: Expression) -> bool:
        return each.operation is DIV and each.arguments[0] is ONE and self.count[each] == 1

    def note_common_factor(self, total: Expression) -> None:
        """x·y ± x·z costs one multiplication more than x·(y ± z)."""
        first, second = total.arguments
        if not self.is_lone_product(first) or not self.is_lone_product(second):
            return
        shallow = (*core_of(first).arguments, *core_of(second).arguments)
        if len(set(shallow)) == len(shallow) and all(factor.operation is not MUL for factor in shallow):
            return  # the usual case: nothing in common
        left, inner_left = self.factors(core_of(first))
        right, inner_right = self.factors(core_of(second))
        if len(left) + len(right) > MOST_FACTORS:
            return
        for factor in left:
            if factor in right:
                left.remove(factor)
                right.remove(factor)
                y = scale(first.coefficient, reduce(multiply, left))
                z = scale(second.coefficient, reduce(multiply, right))
                if not y.coefficient.negative:
                    self.factored[total] = (factor, y, z)
                    self.absorbed.update(inner_left, inner_right, (first, second))
                return

    def factors(self, product: Expression) -> tuple[list[Expression], list[Expression]]:
        """The factors of a product that nobody else needs, and the products dissolved on the way."""
        found: list[Expression] = []
        dissolved = [product]
        waiting = list(product.arguments)
        while waiting:
            factor = waiting.pop()
            if factor.operation is MUL and self.count[factor] == 1 and len(dissolved) < MOST_FACTORS:
                dissolved.append(factor)
                waiting.extend(factor.arguments)
            else:
                found.append(factor)
        return found, dissolved

    def note_scaled(self, each: Expression, whole: set[Expression]) -> None:
        core = core_of(each)
        alone = self.count[core] == 1
        if each.coefficient is MINUS_ONE:
            if core.operation is ADD and alone and each in whole:
                self.note_turned(core, each)
            return
        size = opposite(each.coefficient) if each.coefficient.negative else each.coefficient
        self.scaled[size, core] += 1
        if core.operation is MUL and alone and core not in self.absorbed:
            for factor in core.arguments:
                self.scaled[size, factor] += 1
            self.absorbed.add(core)

    def note_turned(self, total: Expression, opposite: Expression) -> None:
        """−(a − b) is b − a, and a number in front of a or b takes up the sign of −(a + b)."""
        if total in self.factored:
            return
        first, second = total.arguments
        if second.coefficient.negative:
            self.turned[total] = opposite
            return
        for term in (second, first):
            if self.takes_sign(term):
                self.turned[total] = opposite
                if term.arguments:
                    self.absorbed.add(term)
                    self.absorbed.discard(core_of(term))
                return

    def takes_sign(self, term: Expression) -> bool:
        """Whether −term costs no more than the term: a number, or a number times what only it uses."""
        return isinstance(term, Number) or (term.core is not None and self.count[term] == 1)

    def shared_factor(self, each: Expression) -> Expression | None:
        """The factor x of c·(x·y) for which c·x is wanted by several."""
        core = core_of(each)
        if core not in self.absorbed or core.operation is not MUL:
            return None
        first, second = core.arguments
        uses, factor = max(
            (self.scaled[each.coefficient, first], first),
            (self.scaled[each.coefficient, second], second),
            key=lambda choice: choice[0],
        )
        return factor if uses > 1 else None


def _is_product(each: Expression) -> bool:
    """Whether a power is worth writing as a product."""
    return 0 < whole_exponent(each) <= LARGEST_PRODUCT_POWER
