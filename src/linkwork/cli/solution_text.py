"""A simulation in a few lines: how it ended, how far it can be trusted, what touched, and how far things went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.cli.contact_text import contact_lines, energy_lines
from linkwork.cli.motion_text import MOST_ROWS, range_rows

if TYPE_CHECKING:
    from linkwork.model import Machine
    from linkwork.simulation import Solution


def solution_text(solution: Solution, chosen: list[str] | None = None) -> str:
    """The summary that ``simulate`` prints, with the ranges of chosen columns or of the main ones."""
    from linkwork.contact import ContactSolution

    touching = solution if isinstance(solution, ContactSolution) else None
    machine, times = solution.machine, solution.times
    lines = [machine.title or machine.name, ""]
    lines.append(f"status    {solution.status}" + (f": {solution.why}" if solution.why else ""))
    if touching:
        lines.append(f"contact   {touching.model}")
    way = ", backwards" if times[-1] < times[0] else ""
    lines.append(f"rows      {len(solution)}, time {times[0]:.6g} to {times[-1]:.6g}{way}")
    if solution.error == solution.error:
        lines.append(
            f"error     {solution.error:.1e} of each variable's size, {solution.tolerance:g} asked for"
        )
    lines.append(f"residual  {solution.residual:.1e} of the constraints and their derivatives")
    total = solution.energy["total"]
    lines.append(f"energy    {total[0]:.9g} at first, {total[-1]:.9g} at last")
    lines += energy_lines(touching) if touching else []
    effort = solution.effort
    lines.append(
        f"effort    {effort['steps']} steps of {effort['method']}, {effort['evaluations']} evaluations"
        + ("" if effort["language"] == "C" else f", in {effort['language']}")
    )
    if solution.redundant:
        lines.append(f"note      spare constraints left out: {', '.join(solution.redundant)}")
    lines += [f"note      {each}" for each in plane_lines(machine)]
    lines += [f"note      {each}" for each in touching.departed] if touching else []
    if touching and (unlisted := touching.unlisted) is not None:
        span = f"from t = {unlisted.begin:.6g} to {unlisted.end:.6g}"
        lines.append(
            f"note      {unlisted.count} events {span} are not told one by one:"
            " impacts and what they took count all, contacts those that are told"
        )
    for each in touching.left_out if touching else ():
        lines.append(f"note      not computed, and not met: {' and '.join(each.parts)} ({each.why})")
    if touching:
        lines += ["", *contact_lines(touching)]
    names = _main_columns(solution) if chosen is None else chosen
    return "\n".join([*lines, "", *range_rows(solution, names)]).rstrip() + "\n"


def plane_lines(machine: Machine) -> list[str]:
    """Which directions of its solids the axes of a plane machine are, where they are not x and y."""
    from linkwork.model.solids import plane_directions

    axes = plane_directions(machine)
    if axes is None:
        return []
    x, y = (f"({', '.join(f'{each:.6g}' for each in axis)})" for axis in axes)
    return [f"x and y are {x} and {y} of the solids, in whose plane all parts move"]


def _main_columns(solution: Solution) -> list[str]:
    """Coordinates first, then rates, then energies."""
    names = [name for name in solution.columns if name != "time"]
    rates = [name for name in names if name.endswith("rate") or name.rpartition(".")[2] in ("vx", "vy", "vz")]
    energies = [name for name in names if "." not in name]
    plain = [name for name in names if name not in rates and name not in energies]
    return [*plain, *rates, *energies] if len(names) <= MOST_ROWS else [*plain, *energies]
