"""The page inside a unit that tells a reader what it is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from linkwork.emit.fmu.variable import Description, Kind, Variable
from linkwork.emit.fmu.xml import in_one_line

_GROUPS = {
    "Parameters": (Kind.PARAMETER, Kind.FOLLOWING),
    "Inputs": (Kind.INPUT,),
    "States": (Kind.STATE,),
    "Outputs": (Kind.OUTPUT,),
    "Event indicators": (Kind.INDICATOR,),
}
_STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem; }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; }
code { font-family: ui-monospace, monospace; }"""


def page(unit: Description, version: str) -> str:
    """The documentation as one page that needs nothing else."""
    title = _text(unit.title or unit.name)
    tables = "".join(_table(unit, heading, kinds) for heading, kinds in _GROUPS.items())
    notes = "".join(f"<p>{_text(note)}.</p>\n" for note in unit.notes)
    back = " Its states are brought back onto the constraints after a step that has left them."
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
{_STYLE}
</style>
<h1>{title}</h1>
<p>The machine <code>{_text(unit.name)}</code> for model exchange and co-simulation, FMI {version}.
{_text(unit.tool)} wrote it.{back if unit.has_constraints else ""}</p>
{notes}{tables}</html>
"""


def _table(unit: Description, heading: str, kinds: Iterable[Kind]) -> str:
    chosen = [unit.variables[place] for place in unit.places(*kinds)]
    if not chosen:
        return ""
    rows = "".join(_row(each) for each in chosen)
    titles = "<tr><th>name<th>start<th>unit<th></tr>"
    return f"<h2>{heading}</h2>\n<table>\n{titles}\n{rows}</table>\n"


def _row(each: Variable) -> str:
    start = "" if each.start is None else f"{each.start:.6g}"
    cells = f"<td><code>{_text(each.name)}</code><td class=number>{start}<td>{_text(each.unit)}"
    return f"<tr>{cells}<td>{_text(each.about)}</tr>\n"


def _text(text: str) -> str:
    return escape(in_one_line(text))
