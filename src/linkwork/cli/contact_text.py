"""What contacts did, in a few lines: where energy went, who struck and held whom, which parts pushed one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwork.contact import ContactSolution
    from linkwork.contact.spans import PairSummary

MOST_GROUPS = 8
"""Ways to hang together that are told."""
TOLD = 1e-3
"""A loss below this share of the greatest is not told: sums over rows are no better."""

ROUNDING = 1e-12
"""Of the largest energy: a loss below it is none."""


def energy_lines(solution: ContactSolution) -> list[str]:
    """Where energy went."""
    from linkwork.contact.losses import has_only_potentials

    lost = solution.lost
    about = "" if has_only_potentials(solution.machine) else "about "
    largest = float(abs(solution.energy["total"]).max())
    least = max(TOLD * max(map(abs, lost.values())), ROUNDING * largest)
    told = []
    if lost["impacts"] > least:
        told.append(f"{lost['impacts']:.5g} in impacts")
    if lost.get("contacts", 0.0) > least:
        told.append(f"{lost['contacts']:.5g} in contacts")
    if lost["sliding"] > least:
        told.append(f"{about}{lost['sliding']:.4g} in contacts that slide")
    if lost["other"] > least:
        told.append(f"{lost['other']:.5g} in dampers and joints, net of what drives and forces gave")
    elif lost["other"] < -least:
        told.append(
            f"{-lost['other']:.5g} more came from drives and forces than went into dampers and joints"
        )
    return [f"lost      {'; '.join(told) or 'nothing'}"]


def contact_lines(solution: ContactSolution) -> list[str]:
    """Who touched whom, and which parts pushed one another."""
    if not solution.touched:
        return ["no parts touch"]
    return [*aligned([_PAIR_HEAD, *map(_pair_row, solution.touched)]), "", *_group_lines(solution)]


_PAIR_HEAD = ("parts that touch", "impacts", "impulse", "contacts", "held", "longest", "from", "force")


def _pair_row(pair: PairSummary) -> tuple[str, ...]:
    longest = pair.longest
    return (
        " / ".join(pair.parts),
        str(pair.impacts),
        f"{pair.impulse:.4g}" if pair.impacts else "",
        str(len(pair.spans)),
        f"{pair.held:.4g}",
        f"{longest.length:.4g}" if longest else "",
        f"{longest.begin:.6g}" if longest else "",
        f"{pair.force:.4g}",
    )


def _group_lines(solution: ContactSolution) -> Iterator[str]:
    """How long parts pushed one another, the longest first."""
    whole = solution.whole.length
    times: dict[tuple[tuple[str, ...], ...], float] = {}
    for each in solution.together:
        groups = tuple(group for group in each.groups if len(group) > 1)
        times[groups] = times.get(groups, 0.0) + each.span.length
    most = sorted(times.items(), key=lambda item: -item[1])
    rows = [("moving parts that push one another", "of the time")]
    for groups, time in most[:MOST_GROUPS]:
        share = f"{time / whole:.1%}" if whole else ""
        rows.append((", ".join(" + ".join(group) for group in groups) or "none", share))
    yield from aligned(rows)
    if len(most) > MOST_GROUPS:
        yield f"… and {len(most) - MOST_GROUPS} other ways"
    changes = len(solution.together) - 1
    if changes > 0:
        yield f"{changes} change{'s' if changes > 1 else ''}; --json tells when"


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows as a table, the first column to the left, the others to the right.

    >>> aligned([("a", "b"), ("long", "1")])
    ['a     b', 'long  1']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
