"""A plan in words: what is computed when, from which constraints, in which blocks."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from linkwork.planning.wording import counted

if TYPE_CHECKING:
    from linkwork.dynamics.plan import Part, Plan

WIDTH = 100


def plan_text(plan: Plan) -> str:
    """The explanation that ``plan`` prints."""
    spec, classes = plan.specification, plan.classes
    machine = spec.machine
    h, n = len(spec.holonomic), len(spec.nonholonomic)
    lines = [machine.title or machine.name, ""]
    lines.append(
        f"{_counted(len(plan.names), 'variable')}, {_counted(h + n, 'constraint')} "
        f"({h} holonomic, {n} nonholonomic), {_counted(len(spec.initial), 'initial condition')}"
    )
    lines += ["", "Variables"]
    lines += _class(
        "order 0", classes.zeroth, "follow from constraints after each step; no energy or force needs them"
    )
    lines += _class(
        "order 1", classes.first, "rates follow from constraints differentiated once; integrated once"
    )
    lines += _class(
        "order 2", classes.second, "accelerations follow from the equations of motion; integrated twice"
    )
    lines += ["", "Constraints"]
    for order, names in enumerate(classes.holonomic):
        lines += _class(f"H{order}", names, f"holonomic, differentiated {('never', 'once', 'twice')[order]}")
    for order, names in enumerate(classes.nonholonomic, 1):
        told = ("used as they are", "differentiated once")[order - 1]
        lines += _class(f"N{order}", names, f"nonholonomic, {told}")
    if plan.redundant:
        lines += _class("spare", plan.redundant, "follow from the others and are left out")
    lines += ["", "Systems of equations"]
    for part in plan.parts:
        lines += _part(part)
    return "\n".join(lines) + "\n"


def _class(label: str, names: Sequence[str], meaning: str) -> list[str]:
    if not names:
        return []
    text = f"{label:<8}  {len(names):>3}  {', '.join(names)}"
    return [fill(text, WIDTH, initial_indent="  ", subsequent_indent=" " * 17), f"{'':17}({meaning})"]


def _part(part: Part) -> list[str]:
    if not part.unknowns:
        return []
    head = f"  {part.name}: {part.about}"
    sizes = _sizes(part.sizes)
    counts = f"{counted(len(part.equations), 'equation')}, {counted(len(part.unknowns), 'unknown')}"
    lines = [
        head,
        f"    {counts}" + (f" in {_counted(len(part.blocks), 'part')}: {sizes}" if part.blocks else ""),
    ]
    if part.kept and len(part.kept) < len(part.blocks):
        kept = _sizes([part.sizes[place] for place in part.kept])
        lines.append(f"    only {_counted(len(part.kept), 'part')} of them needed: {kept}")
    if part.finer:
        finer = _sizes([[block.size, block.size] for block in part.finer])
        lines.append(f"    finer still, as the program does it, in {len(part.finer)}: {finer}")
    return lines


def _sizes(sizes: Sequence[Sequence[int]]) -> str:
    """Sizes of blocks, the largest first, equal ones counted."""
    counted: dict[tuple[int, int], int] = {}
    for rows, columns in sorted((tuple(each) for each in sizes), reverse=True):
        counted[rows, columns] = counted.get((rows, columns), 0) + 1
    shown = []
    for (rows, columns), count in counted.items():
        size = str(rows) if rows == columns else f"{rows}×{columns}"
        shown.append(size if count == 1 else f"{count} of {size}")
    return ", ".join(shown)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
