"""Expressions as a straight list of machine operations: what printers print and what counts as work.

The graph keeps signs and powers in a form good for algebra; a processor wants subtractions and
products. Here a + (−b) becomes a − b, −(a − b) becomes b − a where nothing else needs a − b, and x⁵
becomes (x²)²·x, each square shared with whoever else needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from linkwork.algebra.expression import (
    ADD,
    MINUS_ONE,
    MUL,
    POW,
    Expression,
    Number,
    negate,
    node,
    number,
    without_collector,
)
from linkwork.algebra.graph import nodes_in_order

SUBTRACT, NEGATE = "-", "neg"

# Powers up to this exponent are products, beyond it calls of pow.
LARGEST_PRODUCT_POWER: Final = 64


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
        self.turned = _turned_differences([each for nodes in new_below for each in nodes], roots)
        for root, nodes in zip(roots, new_below, strict=True):
            for each in nodes:
                if each.arguments:  # leaves are entered by what uses them
                    self.enter(each)
            self.code.results.append(self.value(root))
            self.code.ends.append(len(self.code.operations))

    def enter(self, each: Expression) -> None:
        """Append the instructions of one node, whose arguments are there already."""
        operation = each.operation
        if operation is ADD:
            self.enter_sum(each)
        elif each.core is None:
            if operation is POW and _whole_exponent(each):
                self.enter_power(each)
            else:
                self.enter_operation(each)
        elif each.coefficient.value > 0:  # negative ones wait until somebody needs the sign
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
        else:
            position = self.append(NEGATE, self.magnitude(wanted))
        self.place[wanted] = position
        return position

    def magnitude(self, negative: Expression) -> int:
        """The place of −node, for a node with a negative coefficient."""
        opposite = negate(negative)
        if opposite not in self.place and opposite.core is not None and opposite.arguments:
            self.enter_operation(opposite)
        return self.value(opposite)

    def enter_operation(self, each: Expression) -> None:
        known = self.place.get
        operands = []
        for argument in each.arguments:
            place = known(argument)
            operands.append(self.value(argument) if place is None else place)
        self.place[each] = self.append(each.operation, *operands)

    def enter_sum(self, each: Expression) -> None:
        """a + b or a − b; the first term of a sum is always positive."""
        first, second = each.arguments
        if second.coefficient.value > 0 or second in self.place:
            self.place[each] = self.append(ADD, self.value(first), self.value(second))
            return
        minuend, subtrahend = self.value(first), self.magnitude(second)
        if each in self.turned:
            self.place[self.turned[each]] = self.append(SUBTRACT, subtrahend, minuend)
        else:
            self.place[each] = self.append(SUBTRACT, minuend, subtrahend)

    def enter_power(self, each: Expression) -> None:
        """x^n by repeated squaring, through powers that others may share."""
        base, exponent = each.arguments[0], _whole_exponent(each)
        chain = []
        while exponent > 1:
            chain.append(exponent)
            exponent = exponent // 2 if exponent % 2 == 0 else exponent - 1
        for exponent in reversed(chain):
            power = node(POW, base, number(exponent))
            if power not in self.place:
                half = exponent // 2 if exponent % 2 == 0 else exponent - 1
                factor = self.value(node(POW, base, number(half)) if half > 1 else base)
                other = factor if exponent % 2 == 0 else self.value(base)
                self.place[power] = self.append(MUL, factor, other)


def _turned_differences(
    order: Sequence[Expression], roots: Sequence[Expression]
) -> dict[Expression, Expression]:
    """The differences a − b of which only the opposite is needed, and that not only inside sums."""
    uses: Counter[Expression] = Counter(argument for each in order for argument in each.arguments)
    uses.update(roots)
    wanted_whole = set(roots)
    for each in order:
        if each.operation is not ADD:
            wanted_whole.update(each.arguments)
    turned = {}
    for each in order:
        if each.coefficient is MINUS_ONE and each in wanted_whole:
            core = each.core
            if core is not None and core.operation is ADD and uses[core] == 1:
                second = core.arguments[1]
                if second.coefficient.value < 0:
                    turned[core] = each
    return turned


def _whole_exponent(power: Expression) -> int:
    """The exponent of a power that is worth writing as a product; 0 for any other."""
    exponent = power.arguments[1]
    if isinstance(exponent, Number) and exponent.value.denominator == 1:
        return int(exponent.value) if exponent.value <= LARGEST_PRODUCT_POWER else 0
    return 0
