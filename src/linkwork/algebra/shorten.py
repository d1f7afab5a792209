"""A table shortened for readers: fewer lines, fewer operations, the same values.

This is the adaptive simplification of Todd, McLeod and Harris (1994). Lines that nobody needs go, equal
ones become one, and the others are put into the lines that use them wherever the whole table gets
lighter by it (see ``weight.py``): one at a time, and several together where only that lets sines and
cosines fold. Every step lowers the weight or, for lines too small to deserve a name, spends some of what
other steps have saved; so the result is never heavier than the table given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from linkwork.algebra.arithmetic import divide, power, scale
from linkwork.algebra.draft import Draft, rewritten, tidied_line
from linkwork.algebra.expression import SQRT, TWO, Expression, core_of, without_collector
from linkwork.algebra.fold import folded, rough_weight
from linkwork.algebra.graph import nodes_in_order
from linkwork.algebra.polynomial import TooLong, as_expression, polynomial_of
from linkwork.algebra.table import Definition, Table
from linkwork.algebra.weight import FUNCTION_WEIGHT, line_weight, names_written, table_weight, weight
from linkwork.errors import ExpressionError

THRESHOLD: Final = 2  # a line with fewer occurrences of variables is not worth a name (Todd et al.)
LONGEST: Final = 30  # the weight of a line of about a hundred characters

_MARKEDLY: Final = 10  # what must be saved by a line that becomes longer, besides what it is too long
_ROUNDS: Final = 12
_HOPELESS: Final = 12  # a line whose copies add more than this is not tried alone
_DEEPEST: Final = 4  # how many levels of definitions are put into a line at once
_LARGE: Final = 2000  # lines; in a longer table only one level at once is tried, to keep the time in bounds
_HEAVIEST: Final = 400  # and how heavy it may become on the way, multiplied out
_FACTORING: Final = 1.7  # how many times lighter factoring makes a sum that was multiplied out, at best
_MOST_DOUBTS: Final = 40  # of lines expanded together, how many are tried unexpanded again


@without_collector
def shortened(
    table: Table, *, keep: Iterable[str] = (), threshold: int = THRESHOLD, longest: int = LONGEST
) -> Table:
    """An equivalent table that is easier to read; outputs and the names in ``keep`` stay lines of it.

    Lines with fewer than ``threshold`` occurrences of variables are put into their users; no line is made
    heavier than ``longest`` unless the whole table gains markedly by it.

    >>> table = Table.of({"x": "a*cos(e)", "y": "a*sin(e)", "r": "sqrt(x^2 + y^2)", "t": "r/2"}, ["t"])
    >>> print(shortened(table))
    t = abs(a)/2
    """
    kept = [*table.outputs, *keep]
    for name in keep:
        table[name]  # an unknown name is told here
    draft = Draft(table.definitions, [name for name in kept if name in table])
    allowed = table_weight(table)
    proposals: dict[object, _Proposal | None] = {}
    draft.tidy()
    for _ in range(_ROUNDS):
        before = list(draft.lines.values())
        draft.drop_unneeded()
        _use_names(draft)
        _put_in_small_lines(draft, threshold, allowed)
        _expand_together(draft, longest, proposals)
        _put_in_lines(draft, longest)
        if list(draft.lines.values()) == before:
            break
    return replace(table, definitions=tuple(draft.lines.values()))


# ------------------------------------------------------------------------------------ equal definitions


def _use_names(draft: Draft) -> None:
    """Where a line holds what an earlier one defines, it uses the name; so equal lines become one."""
    names: dict[Expression, Expression] = {}
    for line in list(draft.lines.values()):
        sides = [side for side in (line.explicit, *(line.implicit or ())) if side is not None]
        held = {node: names[node] for node in nodes_in_order(sides) if node in names}
        plain = _plain(line)
        if plain is not None and core_of(plain) in names:
            shorter = replace(line, explicit=scale(plain.coefficient, names[core_of(plain)]), implicit=None)
        elif held:
            shorter = tidied_line(rewritten(line, held))
        else:
            shorter = line
        if line_weight(shorter) < line_weight(line):
            draft.put(shorter)
            line = shorter
        for meaning, name in _meanings(line, plain):
            names.setdefault(meaning, name)


def _plain(line: Definition) -> Expression | None:
    """The value multiplied out: the same for all forms of it."""
    try:
        return None if line.explicit is None else as_expression(polynomial_of(line.explicit))
    except (TooLong, ExpressionError):
        return None


def _meanings(line: Definition, plain: Expression | None) -> Iterator[tuple[Expression, Expression]]:
    """What stands for a name: its value, and the square of a line such as r² = x² + y²."""
    for value in (line.explicit, plain):
        if value is not None and weight(core_of(value)) > 1:
            yield core_of(value), divide(line.symbol, value.coefficient)
    if line.explicit is not None and line.implicit is not None:
        left, square = line.implicit
        if left is power(line.symbol, TWO) and weight(core_of(square)) > 1:
            yield core_of(square), divide(left, square.coefficient)


# ----------------------------------------------------------------------------- one line into its users


def _put_in_small_lines(draft: Draft, threshold: int, allowed: int) -> None:
    """Lines with too few variables for a name go, as far as what was saved so far allows."""
    spare = allowed - table_weight(draft.lines.values())
    for name in [line.name for line in sorted(draft.lines.values(), key=line_weight)]:
        line = draft.lines.get(name)
        if line is None or line.explicit is None or not _is_small(line.explicit, threshold):
            continue
        if line.name in draft.kept and weight(line.explicit) > 0:
            continue
        change = _without(draft, line)
        if change is not None and change.gain >= -spare:
            draft.apply(change.lines, change.dead)
            spare += change.gain


def _is_small(value: Expression, threshold: int) -> bool:
    """Whether the value holds few variables, and no more than a function for each of them."""
    return weight(value) <= FUNCTION_WEIGHT * max(threshold - 1, 0) and names_written(value) < threshold


@dataclass(frozen=True)
class _Change:
    """Lines in their new form, the lines that go, and how much lighter the table gets."""

    lines: Mapping[str, Definition]
    dead: Sequence[str]
    gain: int


def _without(draft: Draft, line: Definition) -> _Change | None:
    """The change that puts a line into all its users; a kept line stays, unused."""
    changed: dict[str, Definition] = {}
    for user in draft.users[line.name]:
        new = draft.with_values(draft.lines[user], [line])
        if new is None:
            return None
        changed[user] = new
    return _change_to(draft, changed)


def _put_in_lines(draft: Draft, longest: int) -> None:
    """Put lines into their users as long as this makes the table lighter, the greatest gain first."""
    waiting = list(draft.lines)
    while waiting:
        levels = draft.levels()
        found = []
        for place, name in enumerate(waiting):
            change = _worth_trying(draft, name)
            if change is not None and _is_better(draft, change, longest):
                found.append((-change.gain, levels[name], place, name))
        touched: dict[str, None] = {}
        for _, _, _, name in sorted(found):
            change = _worth_trying(draft, name)
            if change is not None and _is_better(draft, change, longest):
                around = [leaf.name for user in change.lines.values() for leaf in user.mentions]
                draft.apply(change.lines, change.dead)
                touched.update(dict.fromkeys([*around, *change.lines]))
        waiting = [name for name in draft.lines if name in touched]


def _worth_trying(draft: Draft, name: str) -> _Change | None:
    line = draft.lines.get(name)
    if line is None or not draft.may_go(line) or not draft.users[name]:
        return None
    if (len(draft.users[name]) - 1) * weight(line.value) > _HOPELESS:
        return None
    return _without(draft, line)


def _is_better(draft: Draft, change: _Change, longest: int) -> bool:
    """Whether the table gets lighter, or shorter at the same weight, and its lines not too long."""
    if change.gain < 0 or (change.gain == 0 and not change.dead):
        return False
    excess = 0
    for name, line in change.lines.items():
        if name not in change.dead:
            too_much = line_weight(line) - max(longest, line_weight(draft.lines[name]))
            excess += too_much + _MARKEDLY if too_much > 0 else 0
    return change.gain >= excess


# -------------------------------------------------------------------------- several lines at the same time


@dataclass(frozen=True)
class _Proposal:
    """A line with others put into it, several levels deep, and the names that were put in."""

    line: Definition
    used: frozenset[str]


def _expand_together(draft: Draft, longest: int, known: dict[object, _Proposal | None]) -> None:
    """Expand lines that get simple by it, together with others so that what they used may go.

    The squares and products of coordinates' derivatives are the example: x'² + y'² folds to a short sum
    only when both x' and y' are put in, and x' and y' go only when all such sums are expanded.
    """
    proposals = []
    for line in draft.lines.values():
        key = (line, len(draft.lines) <= _LARGE, *_surroundings(draft, line))
        if key not in known:
            known[key] = _proposal(draft, line)
        proposal = known[key]
        if proposal is not None:
            proposals.append(proposal)
    named = set(draft.lines)
    for group in _connected(proposals):
        gone = named - draft.lines.keys()
        if any(
            proposal.line.name in gone or any(leaf.name in gone for leaf in proposal.line.mentions)
            for proposal in group
        ):
            continue  # an earlier group took away what these stand on; the next round looks again
        change = _best_of(draft, group)
        if _is_better(draft, change, longest):
            draft.apply(change.lines, change.dead)


def _surroundings(draft: Draft, line: Definition) -> Iterator[tuple[Definition, int]]:
    """All that the proposal for a line depends on: the lines below it, and how many use each."""
    level, seen = [line], {line.name}
    for _ in range(_DEEPEST):
        names = dict.fromkeys(leaf.name for other in level for leaf in other.mentions)
        level = [draft.lines[name] for name in names if name in draft.lines and name not in seen]
        seen.update(names)
        yield from [(other, len(draft.users[other.name])) for other in level]


def _best_of(draft: Draft, group: Sequence[_Proposal]) -> _Change:
    """The change that takes as many of the proposals as pay, starting from all of them."""
    lines = {proposal.line.name: proposal.line for proposal in group}
    best = _change_to(draft, lines)
    costly = [name for name, line in lines.items() if line_weight(line) >= line_weight(draft.lines[name])]
    costly.sort(key=lambda name: line_weight(draft.lines[name]) - line_weight(lines[name]))
    for name in costly[:_MOST_DOUBTS]:
        without = _change_to(draft, {other: line for other, line in best.lines.items() if other != name})
        if without.gain > best.gain:
            best = without
    return best


def _change_to(draft: Draft, lines: Mapping[str, Definition]) -> _Change:
    dead = draft.dying(lines)
    return _Change(lines, dead, draft.gain(lines, dead))


def _proposal(draft: Draft, line: Definition) -> _Proposal | None:
    """The expansion of a line that is likely to pay: what it adds is less than its share of what goes."""
    best, least = None, 0.0
    for current, used in _expansions(draft, line):
        share = sum(line_weight(other) / max(len(draft.users[other.name]), 1) for other in used)
        try:
            rough = sum(rough_weight(folded(polynomial_of(side))) for side in current.equation)
        except TooLong:
            continue
        if rough > min(_HEAVIEST, _FACTORING * (line_weight(line) + share)):
            continue  # no bracket saves that much
        tidy = tidied_line(current)
        added = line_weight(tidy) - line_weight(line) - share
        if added < least:
            best, least = _Proposal(tidy, frozenset(other.name for other in used)), added
    return best


def _expansions(draft: Draft, line: Definition) -> Iterator[tuple[Definition, Sequence[Definition]]]:
    """The line with others put in, and which: those over inputs alone, then all, level by level."""
    inner = _inner(draft, line)
    lowest = [other for other in inner if not any(leaf.name in draft.lines for leaf in other.mentions)]
    used: dict[str, Definition] = {}
    try:
        if 0 < len(lowest) < len(inner):
            yield rewritten(line, {other.symbol: other.value for other in lowest}), lowest
        current = line
        for _ in range(_DEEPEST if len(draft.lines) <= _LARGE else 1):
            if not inner or weight(current.equation[1]) > _HEAVIEST:
                return
            used.update({other.name: other for other in inner})
            current = rewritten(current, {other.symbol: other.value for other in inner})
            yield current, list(used.values())
            inner = _inner(draft, current)
    except ExpressionError:  # a division by zero comes to light
        return


def _inner(draft: Draft, line: Definition) -> list[Definition]:
    """The lines that may be put into this one; roots are left, they rarely help a sum to fold."""
    found = [draft.lines[leaf.name] for leaf in line.mentions if leaf.name in draft.lines]
    return [other for other in found if draft.may_go(other) and core_of(other.value).operation is not SQRT]


def _connected(proposals: Sequence[_Proposal]) -> list[list[_Proposal]]:
    """The proposals in groups that share names put in, each group in the order of the table."""
    leader: dict[str, str] = {}

    def found(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = name = leader[leader[name]]
        return name

    for proposal in proposals:
        for name in proposal.used:
            leader[found(name)] = found(proposal.line.name)
    groups: dict[str, list[_Proposal]] = {}
    for proposal in proposals:
        groups.setdefault(found(proposal.line.name), []).append(proposal)
    return list(groups.values())
