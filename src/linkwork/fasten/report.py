"""What became of a snap-fit, in words: how it ended, and for each pawl what happened when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from linkwork.fasten.design import Design, every_pawl

HAPPENED: Final = {
    "collide": "meets",
    "change": "goes over to",
    "snap": "snaps",
    "release": "is released",
    "jam": "jams against",
    "stick": "sticks",
    "reverse": "slides back",
    "slip": "slips",
}
"""The kinds of events, as they are told."""


def report(design: Design, document: Mapping[str, Any]) -> str:
    """The whole result, for people; ``document`` is what ``--json`` gives."""
    lines = [design.title or design.name, "", _ending(document["termination"])]
    for name, pawl in document["pawls"].items():
        turned = _turned_by(design, name, document["pawls"])
        lines += ["", f"pawl {name}", *(turned if turned and not pawl["events"] else _events(pawl["events"]))]
        lines += turned if turned and pawl["events"] else _forces(pawl)
        lines += [*_strain(design, name, pawl), *_samples(pawl["samples"])]
    return "\n".join(lines) + "\n"


def _turned_by(design: Design, name: str, pawls: Mapping[str, Any]) -> list[str]:
    """What turns a carrier that touches nothing itself: the first of what it carries that meets something."""
    carrier = next(each for each in every_pawl(design.pawls) if each.name == name)
    if any(event["from"] or event["to"] for event in pawls[name]["events"]):
        return []
    met = [
        (event["t"], each.name)
        for each in every_pawl(carrier.pawls)
        for event in pawls[each.name]["events"]
        if event["to"]
    ]
    if not met:
        return []
    t, child = min(met)
    return [f"  touches nothing itself; turned by what {child} meets, from t = {_shown(t)} on"]


def _ending(ending: Mapping[str, Any]) -> str:
    x, y = (_shown(each) for each in ending["position"])
    causes = {
        "end": "it goes all the way",
        "root_collision": "the root runs into an obstacle",
        "jam": f"pawl {ending['pawl']} jams",
        "stick": f"pawl {ending['pawl']} sticks",
    }
    return f"{causes[ending['cause']]}: ends at t = {_shown(ending['t'])}, at ({x}, {y})"


def _events(events: Sequence[Mapping[str, Any]]) -> list[str]:
    if not events:
        return ["  meets nothing"]
    rows = [("t", "what", "angle", "on")]
    for event in events:
        turned = event["theta_from"] != event["theta_to"]
        angle = _angle(event, "theta_to")
        rows.append(
            (
                event.get("t_digits") or _shown(event["t"]),
                HAPPENED[event["kind"]],
                f"{_angle(event, 'theta_from')} → {angle}" if turned else angle,
                _contact(event["to"]),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  "
        + "  ".join(
            [*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[3]]
        ).rstrip()
        for row in rows
    ]


def _angle(event: Mapping[str, Any], key: str) -> str:
    return str(event.get(f"{key}_digits") or _shown(event[key]))


def _contact(contact: Mapping[str, str] | None) -> str:
    return "free" if contact is None else f"{contact['pawl']} on {contact['obstacle']}"


def _forces(pawl: Mapping[str, Any]) -> list[str]:
    force, resistance = (_shown(pawl[key]) for key in ("max_force", "max_resist"))
    return [f"  greatest force {force}, greatest resistance {resistance}"] if pawl["events"] else []


def _strain(design: Design, name: str, pawl: Mapping[str, Any]) -> list[str]:
    """The greatest strain of a cantilever, and where its formula ends."""
    beam = next(each.cantilever for each in every_pawl(design.pawls) if each.name == name)
    if beam is None:
        return []
    angle = beam.angle(pawl["peak_strain"])
    return [
        f"  greatest strain {100 * pawl['peak_strain']:.4g} %",
        *(f"  beyond the formula's limits: {why}" for why in beam.limits(angle)),
    ]


def _samples(samples: Mapping[str, Sequence[Any]]) -> list[str]:
    if not samples["t"]:
        return []
    columns = {"t": "t", "theta": "angle", "root_fx": "force x", "root_fy": "force y"}
    rows = zip(*(samples[key] for key in columns), strict=True)
    return [
        "",
        "  " + "".join(f"{title:>14}" for title in columns.values()),
        *("  " + "".join(f"{_shown(each):>14}" for each in row) for row in rows),
    ]


def _shown(value: float | str) -> str:
    """A number as it is printed, without the sign of a zero.

    >>> _shown(-0.0), _shown(1 / 3), _shown("inf")
    ('0', '0.333333333', 'inf')
    """
    return value if isinstance(value, str) else f"{value + 0.0:.9g}"
