"""A forecast in words: its sentences, what they rest on, and states that were asked for; as text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwork.foresee import Forecast
    from linkwork.foresee.recall import Recalled

SEEN = 1e-8
"""Of a quantity: what it may be off by is told if it is more."""
PARTIAL = "partial: the forecast was interrupted, this is what was found so far"


def forecast_text(found: Forecast, asked: Sequence[Recalled] = ()) -> str:
    """The words, and what they rest on."""
    lines = [_title(found), ""]
    lines += [PARTIAL, ""] if found.is_partial else []
    lines += [*found.summary.split("; "), ""]
    lines += [f"{name:<10} {words}" for name, words in _grounds(found)]
    for each in asked:
        lines += ["", f"at t = {each.time:.9g}, {_off(each)}"]
        lines += [f"  {name:<20} {value: .9g}{_besides(each, name)}" for name, value in each.values.items()]
    return "\n".join(lines) + "\n"


def forecast_markdown(found: Forecast, asked: Sequence[Recalled] = ()) -> str:
    """The same with headings, lists and tables."""
    lines = [f"# {_title(found)}", ""]
    lines += [f"**{PARTIAL}**", ""] if found.is_partial else []
    lines += [f"- {sentence}" for sentence in found.summary.split("; ")]
    lines += ["", "| | |", "|---|---|"]
    lines += [f"| {name} | {words} |" for name, words in _grounds(found)]
    for each in asked:
        lines += [
            "",
            f"## At t = {each.time:.9g}",
            "",
            f"{_off(each)}",
            "",
            "| quantity | value |",
            "|---|---|",
        ]
        lines += [f"| {name} | {value:.9g}{_besides(each, name)} |" for name, value in each.values.items()]
    return "\n".join(lines) + "\n"


def _title(found: Forecast) -> str:
    return found.machine.title or found.machine.name


def _grounds(found: Forecast) -> list[tuple[str, str]]:
    """What was simulated, tested and rejected."""
    until = min(found.reached, found.known_until)
    of = f" of {until:.6g}" if found.simulated_time < until else ""
    lines = [("simulated", f"{found.simulated_time:.6g}{of}")]
    restarts = sum(each.restarts for each in found.patterns)
    if restarts:
        words = f"{restarts}; where they were set going was foretold to {found.deviation:.2g} of a swing"
        lines.append(("restarts", words))
    return lines + [
        ("rejected", f"{each.minima} minima, at t = {each.t:.6g}: {each.why}") for each in found.rejected
    ]


def _off(each: Recalled) -> str:
    return f"which may be off by {each.time_error:.2g}"


def _besides(each: Recalled, name: str) -> str:
    """By how much a quantity may be off besides, if that is told by its digits."""
    off = each.errors.get(name, 0.0)
    return f" ± {off:.2g}" if off > SEEN * abs(each.values[name]) else ""
