"""Who pushes whom from when to when: the contacts of a run as spans of time, found from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from linkwork.contact.event_log import Struck, Unlisted

Pair = tuple[str, str]
Event = Mapping[str, Any]
IMPACTS = ("impact", "settle")
"""The kinds of events that are impulses."""


class Span(NamedTuple):
    """A time from when to when."""

    begin: float
    end: float

    @property
    def length(self) -> float:
        """How long it lasts."""
        return self.end - self.begin


class Together(NamedTuple):
    """Which moving parts push one another during a span; a part that pushes none stands alone."""

    span: Span
    groups: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "from": self.span.begin,
            "until": self.span.end,
            "groups": [list(each) for each in self.groups],
        }


def held_spans(
    events: Iterable[Event], last: float, unlisted: Unlisted[Pair] | None = None
) -> dict[Pair, list[Span]]:
    """When each two parts touched; a contact that goes on from feature to feature is one. Of those between which
    events are not told it is told until then, and from then on.

    >>> def event(t, kind, feature):
    ...     return {"t": t, "kind": kind, "parts": ["a", "b"], "features": [feature, "edge"]}
    >>> held_spans([event(1, "begin", "corner"), event(2, "end", "corner"), event(2, "begin", "round")], 3)
    {('a', 'b'): [Span(begin=1, end=3)]}
    """
    found: dict[Pair, list[Span]] = {}
    open_now: Counter[Pair] = Counter()
    since: dict[Pair, float] = {}
    gap = unlisted
    for event in events:
        pair = (event["parts"][0], event["parts"][1])
        if gap is not None and event["t"] >= gap.end:
            for each, begin in since.items():
                _add(found.setdefault(each, []), Span(begin, max(begin, gap.begin)))
            open_now, since, gap = Counter(), {}, None
        if event["kind"] == "begin":
            open_now[pair] += 1
            since.setdefault(pair, event["t"])
        elif event["kind"] == "end" and open_now[pair]:
            open_now[pair] -= 1
            if not open_now[pair]:
                _add(found.setdefault(pair, []), Span(since.pop(pair), event["t"]))
        elif event["kind"] == "end" and unlisted is not None:
            _add(found.setdefault(pair, []), Span(event["t"] - event["lasted"], event["t"]))
    for pair, begin in since.items():
        _add(found.setdefault(pair, []), Span(begin, max(begin, last)))
    return found


def _add(spans: list[Span], one: Span) -> None:
    """One more span, joined to the last where they meet."""
    if spans and one.begin <= spans[-1].end:
        spans[-1] = Span(spans[-1].begin, one.end)
    else:
        spans.append(one)


def together(held: Mapping[Pair, Sequence[Span]], moving: Sequence[str], whole: Span) -> list[Together]:
    """The moving parts in groups that push one another, as long as the groups stay the same.

    >>> for each in together({("a", "b"): [Span(1, 2)]}, ["a", "b"], Span(0, 3)):
    ...     print(each.span.begin, each.span.end, each.groups)
    0 1 (('a',), ('b',))
    1 2 (('a', 'b'),)
    2 3 (('a',), ('b',))
    """
    begins: dict[float, set[Pair]] = {}
    ends: dict[float, set[Pair]] = {}
    for pair, spans in held.items():
        for span in spans if {*pair} <= {*moving} else ():
            begins.setdefault(span.begin, set()).add(pair)
            ends.setdefault(span.end, set()).add(pair)
    found: list[Together] = []
    touching: set[Pair] = set()
    since = whole.begin
    for time in [*sorted({*begins, *ends}), whole.end]:
        if time > since:
            groups = _groups(moving, touching)
            if found and found[-1].groups == groups:
                found[-1] = Together(Span(found[-1].span.begin, time), groups)
            else:
                found.append(Together(Span(since, time), groups))
            since = time
        touching -= ends.get(time, set())
        touching |= begins.get(time, set())
    return found


def _groups(moving: Sequence[str], touching: Iterable[Pair]) -> tuple[tuple[str, ...], ...]:
    """Parts that hang together by pairs, in the order of the parts.

    >>> _groups(["a", "b", "c"], [("c", "a")])
    (('a', 'c'), ('b',))
    """
    home = {part: [part] for part in moving}
    for one, other in touching:
        if one in home and other in home and home[one] is not home[other]:
            merged = sorted([*home[one], *home[other]], key=moving.index)
            home |= dict.fromkeys(merged, merged)
    return tuple(dict.fromkeys(tuple(group) for group in home.values()))


class PairSummary(NamedTuple):
    """What two parts had to do with each other."""

    parts: Pair
    impacts: int
    impulse: float
    """The largest of an impact, or of an elastic contact from begin to end."""
    lost: float
    """Energy lost in impacts, or in elastic contacts that have ended."""
    spans: tuple[Span, ...]
    force: float
    """The largest of a row or an event."""

    @property
    def held(self) -> float:
        """How long they touched, in all."""
        return sum(span.length for span in self.spans)

    @property
    def longest(self) -> Span | None:
        """The longest contact."""
        return max(self.spans, key=lambda span: span.length, default=None)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "parts": list(self.parts),
            "impacts": self.impacts,
            "impulse": self.impulse,
            "lost": self.lost,
            "force": self.force,
            "held": self.held,
            "spans": [list(span) for span in self.spans],
        }


def pair_summaries(
    events: Sequence[Event],
    held: Mapping[Pair, Sequence[Span]],
    forces: Mapping[Pair, float],
    unlisted: Mapping[Pair, Struck],
) -> list[PairSummary]:
    """A line for each two parts that touched; ``forces`` are the largest of rows, ``unlisted`` tells of others."""
    struck: dict[Pair, Struck] = {}
    for event in events:
        pair = (event["parts"][0], event["parts"][1])
        struck[pair] = struck.get(pair, Struck()) + _struck(event)
    for pair, more in unlisted.items():
        struck[pair] = struck.get(pair, Struck()) + more
    found = []
    for pair in dict.fromkeys([*held, *struck]):
        own = struck.get(pair, Struck())
        spans, force = tuple(held.get(pair, ())), max(own.force, forces.get(pair, 0.0))
        found.append(PairSummary(pair, own.impacts, own.impulse, own.lost, spans, force))
    return found


def _struck(event: Event) -> Struck:
    """What one event tells of its parts."""
    force = event.get("peak", event.get("force", 0.0))
    return Struck(int(event["kind"] in IMPACTS), event["impulse"], event.get("lost", 0.0), force)
