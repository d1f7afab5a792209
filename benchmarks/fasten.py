"""Snap-fits of 10² to 10⁵ constraints: exact, exact without the index, and by small steps of time."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

from fasten_model import comb, events_of, rack, starts
from fasten_rivals import all_pairs, stepped
from linkwork.fasten import Design, fasten
from linkwork.fasten.futures import Futures
from report import Report

SIZES = (100, 1000, 10_000, 100_000)
PAIRS_UP_TO = 10_000
"""Beyond, an algorithm that looks at all pairs takes minutes."""
STEP = 1e-4
ROUNDS = 3
STARTS, FOLLOWED = 200, 20
"""Starts that are looked up, and those of them that are followed one by one beside it."""


def main() -> int:
    """Racks and combs."""
    load = f"The load was {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors."
    report = Report("fasten", "Snap-fits", f"Times are CPU times; ours the best of {ROUNDS} runs. {load}")
    for make in (rack, comb):
        _grow(report, make)
    for make in (rack, comb):
        _start_often(report, make)
    report.write()
    return 0


def _grow(report: Report, make: Callable[[int], Design]) -> None:
    section = f"{make.__name__}, about thirty events"
    before = None
    for size in SIZES:
        design = make(size)
        mine, theirs = len(design.pawls[0].poly), sum(len(each.poly) for each in design.obstacles)
        seconds = min(_cpu(lambda: fasten(design))[0] for _ in range(ROUNDS))  # noqa: B023
        events = len(events_of(design))
        each = seconds / events
        report.add(
            section,
            {
                "n": mine * theirs,
                "pawl": mine,
                "obstacles": theirs,
                "events": events,
                "exact s": round(seconds, 3),
                "ms an event": round(1e3 * each, 2),
                "growth": round(each / before, 2) if before else "",
                **_rivals(design, size),
            },
        )
        before = each


def _start_often(report: Report, make: Callable[[int], Design]) -> None:
    """Starts at many times and angles of one slice: each followed, and by arcs that are kept."""
    for size in SIZES:
        design = make(size)
        pawl, chance = design.pawls[0], random.Random(0)
        first, more = (list(starts(design, chance, count)) for count in (STARTS, STARTS))
        futures = Futures(design, pawl)
        built, _ = _cpu(lambda: [futures.course(*start) for start in first])  # noqa: B023
        asked, found = _cpu(lambda: [futures.course(*start) for start in more])  # noqa: B023
        few = more[:FOLLOWED]
        alone, same = _cpu(lambda: [Futures(design, pawl).course(*start) for start in few])  # noqa: B023
        assert [len(each.events) for each in same] == [len(each.events) for each in found[:FOLLOWED]]
        report.add(
            f"{make.__name__}, many starts on one slice",
            {
                "n": len(pawl.poly) * sum(len(each.poly) for each in design.obstacles),
                "arcs": futures.count,
                f"first {STARTS} s": round(built, 3),
                "ms a start then": round(1e3 * asked / STARTS, 2),
                "ms a start, each followed": round(1e3 * alone / FOLLOWED, 2),
            },
        )


def _rivals(design: Design, size: int) -> dict[str, Any]:
    row: dict[str, Any] = {"all pairs s": "—"}
    if size <= PAIRS_UP_TO:
        with all_pairs():
            seconds, found = _cpu(lambda: fasten(design))
        assert found.to_json()["termination"] == fasten(design).to_json()["termination"]
        row["all pairs s"] = round(seconds, 2)
    seconds, snaps = _cpu(lambda: stepped(design, STEP))
    events = [
        e for p in fasten(design).to_json()["pawls"].values() for e in p["events"] if e["kind"] == "snap"
    ]
    wide = [e["t"] for e in events if abs(e["theta_to"] - e["theta_from"]) > 0.05]
    errors = [min(abs(t - s) for s in snaps) for t in wide] if snaps else []
    return {
        **row,
        f"steps of {STEP:g} s": round(seconds, 2),
        "their snaps off by": f"{max(errors):.1g}" if errors else "",
    }


def _cpu(run: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    result = run()
    return time.process_time() - begin, result


if __name__ == "__main__":
    raise SystemExit(main())
