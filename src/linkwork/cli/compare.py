"""``simulate --compare``: one machine by all models of contact; a table of costs and differences, a plot, JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.cli.contact_text import aligned
from linkwork.cli.output import json_text, tell
from linkwork.cli.suffix import chosen_suffix

if TYPE_CHECKING:
    from linkwork.contact.comparison import Comparison, Cost

FILES = {
    ".svg": "a plot of all models",
    ".png": "a plot of all models",
    ".csv": "the columns of all models",
    ".json": "the JSON document",
}


def tell_comparison(found: Comparison, *, out: str, as_json: bool, quiet: bool) -> None:
    """Write the file that was asked for, then the document or the tables."""
    suffix = chosen_suffix(out, FILES, "a comparison")
    tell(
        found.to_json(),
        lambda: comparison_text(found),
        lambda: _content(found, suffix),
        as_json=as_json,
        out=out,
        quiet=quiet,
    )


def _content(found: Comparison, suffix: str) -> str | bytes:
    if suffix == ".json":
        return json_text(found.to_json())
    if suffix == ".csv":
        from linkwork.cli.column_files import csv_text

        return csv_text(found.to_frame(), {})
    from linkwork.view.comparison import comparison_plot

    return comparison_plot(found, "png" if suffix == ".png" else "svg")


def comparison_text(found: Comparison) -> str:
    """What each model cost, how it ended, and how far the others are from the first."""
    lines = [found.machine.title or found.machine.name, ""]
    lines += aligned([_HEAD, *map(_row, found.costs)])
    for model, run in found.runs.items():
        if run.why:
            lines.append(f"{model}: {run.why}")
    first = next(iter(found.runs))
    for model, differences in found.differences.items():
        rows = [(f"{model} differs from {first}", "at most", "at time", "at last")]
        for each in differences:
            rows.append((each.column, f"{each.greatest:.4g}", f"{each.at:.6g}", f"{each.last:.4g}"))
        lines += ["", *aligned(rows)]
    return "\n".join(lines) + "\n"


_HEAD = ("model", "status", "simulated", "steps", "mean step", "run time", "contacts", "energy at last")


def _row(cost: Cost) -> tuple[str, ...]:
    return (
        cost.model,
        cost.status,
        f"{cost.simulated:.6g}",
        str(cost.steps),
        f"{cost.mean_step:.4g}",
        f"{cost.seconds:.3g} s",
        str(cost.contacts),
        f"{cost.energy:.8g}",
    )
