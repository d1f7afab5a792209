"""Says in sentences what the parts of a system mean for the person who wrote its equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.planning.wording import NAMES_SHOWN, counted, listed

if TYPE_CHECKING:
    from linkwork.planning.freedoms import Fit, Group, Parts


def sentences(parts: Parts, names_shown: int = NAMES_SHOWN) -> tuple[str, ...]:
    """First what is over-determined, then what is under-determined, then what is well."""
    told = misfits_told(parts, names_shown) + _told_well(parts.well)
    return tuple(told or ["There are no equations and no variables."])


def misfits_told(parts: Parts, names_shown: int = NAMES_SHOWN) -> list[str]:
    """What is over- and what is under-determined, each group with what would mend it."""
    told = _told_idle(parts.over.groups, names_shown)
    for group in parts.over.groups:
        told += _told_over(group, names_shown) if group.variables else []
    told += _told_lonely(parts.under.groups, names_shown)
    for group in parts.under.groups:
        told += _told_under(group, names_shown) if group.equations else []
    if parts.over.groups and parts.under.groups:
        told.append(
            "Too many here and too few there is often one slip: "
            "an over-determined equation that should mention an under-determined variable."
        )
    return told


def _told_idle(groups: tuple[Group, ...], names_shown: int) -> list[str]:
    """The equations that mention nothing, together: each is a group of one and would fill a page."""
    idle = tuple(name for group in groups if not group.variables for name in group.equations)
    if not idle:
        return []
    return [
        f"Over-determined: no variable is mentioned by {listed(idle, names_shown)}.",
        "Remove each of these equations, or write down the variables it is about.",
    ]


def _told_lonely(groups: tuple[Group, ...], names_shown: int) -> list[str]:
    """The variables mentioned nowhere, together, as above."""
    lonely = tuple(name for group in groups if not group.equations for name in group.variables)
    if not lonely:
        return []
    return [
        f"Under-determined: no equation mentions {listed(lonely, names_shown)}.",
        "Give each of these variables a value or an equation, or leave it out.",
    ]


def _told_over(group: Group, names_shown: int) -> list[str]:
    fact = (
        f"Over-determined: {counted(len(group.equations), 'equation')} "
        f"({listed(group.equations, names_shown)}) for "
        f"{counted(len(group.variables), 'variable')} ({listed(group.variables, names_shown)}), "
        f"{group.surplus:,} too many."
    )
    if group.surplus == 1:
        return [fact, "Remove any one of these equations."]
    return [
        fact,
        f"Remove {group.surplus:,} of these equations, for example {listed(group.repair, names_shown)}; "
        "any one may go first, then ask again which may follow.",
    ]


def _told_under(group: Group, names_shown: int) -> list[str]:
    missing = -group.surplus
    fact = (
        f"Under-determined: {counted(len(group.variables), 'variable')} "
        f"({listed(group.variables, names_shown)}) with only "
        f"{counted(len(group.equations), 'equation')} ({listed(group.equations, names_shown)}), "
        f"{missing:,} too few."
    )
    if missing == 1:
        return [
            fact,
            "Give any one of these variables a value, or add an equation that mentions one of them.",
        ]
    return [
        fact,
        f"Give {missing:,} of these variables a value, for example {listed(group.repair, names_shown)}, "
        "or an equation each; any one may come first, then ask again which may follow.",
    ]


def _told_well(well: Fit) -> list[str]:
    if not well.blocks:
        return []
    largest = max(block.size for block in well.blocks)
    return [
        f"Well-determined: {counted(len(well.equations), 'equation')} for "
        f"{counted(len(well.variables), 'variable')}, in {counted(len(well.blocks), 'block')}"
        + (f", the largest with {largest:,} unknowns at once." if largest > 1 else ".")
    ]
