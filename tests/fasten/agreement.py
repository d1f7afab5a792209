"""In what two results of one design differ, beyond what floats can tell."""

from __future__ import annotations

import math
from typing import Any

SAME_TIME = 1e-6
SAME_ANGLE = 1e-5
SAME_TANGENT = 1e-3
"""At a snap from a tangent: the angle there goes with the root of the time."""
SAME_FORCE = 2e-3


def differences(wanted: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """One line each; none where the results agree. Reversals of sliding are compared as other events are."""
    found = []
    if wanted["termination"]["cause"] != got["termination"]["cause"]:
        found.append(f"cause {wanted['termination']['cause']} | {got['termination']['cause']}")
    elif abs(wanted["termination"]["t"] - got["termination"]["t"]) > SAME_TIME:
        found.append(f"end at {wanted['termination']['t']} | {got['termination']['t']}")
    for name, pawl in wanted["pawls"].items():
        found += [f"{name}: {line}" for line in _pawl_differences(pawl, got["pawls"][name])]
    return found


def _pawl_differences(wanted: dict[str, Any], got: dict[str, Any]) -> list[str]:
    ours, theirs = wanted["events"], got["events"]
    kinds, others = ([event["kind"] for event in events] for events in (ours, theirs))
    if kinds != others:
        return [f"events {' '.join(kinds)} | {' '.join(others)}"]
    found = []
    for a, b in zip(ours, theirs, strict=True):
        turn = SAME_TANGENT if a["kind"] == "snap" else SAME_ANGLE
        if abs(a["t"] - b["t"]) > SAME_TIME:
            found.append(f"{a['kind']} at {a['t']} | {b['t']}")
        if abs(a["theta_from"] - b["theta_from"]) > turn or abs(a["theta_to"] - b["theta_to"]) > SAME_ANGLE:
            found.append(
                f"{a['kind']} at {a['t']} turns {a['theta_from']} {a['theta_to']} | {b['theta_from']} {b['theta_to']}"
            )
        found += [
            f"{a['kind']} at {a['t']} {key} {a[key]} | {b[key]}" for key in ("from", "to") if a[key] != b[key]
        ]
    for key in ("max_force", "max_resist"):
        if not _same_force(float(wanted[key]), float(got[key])):
            found.append(f"{key} {wanted[key]} | {got[key]}")
    return found + _sample_differences(
        wanted.get("samples"), got.get("samples"), [event["t"] for event in ours]
    )


def _same_force(a: float, b: float) -> bool:
    return a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= SAME_FORCE * abs(a) + 1e-9)


def _sample_differences(wanted: Any, got: Any, events: list[float]) -> list[str]:
    """Angles and forces at the times that both have, away from events, where they may jump."""
    if not wanted or not got:
        return []
    keys = ("theta", "root_fx", "root_fy")
    known = dict(zip(got["t"], zip(*(got[key] for key in keys), strict=True), strict=True))
    for t, *values in zip(wanted["t"], *(wanted[key] for key in keys), strict=True):
        others = known.get(t)
        if (
            others is None
            or values[0] is None
            or others[0] is None
            or any(abs(t - at) < 1e-3 for at in events)
        ):
            continue
        size = max(abs(value) for value in values[1:])
        if abs(values[0] - others[0]) > SAME_ANGLE:
            return [f"angle at {t}: {values[0]} | {others[0]}"]
        if any(abs(a - b) > SAME_FORCE * size + 1e-9 for a, b in zip(values[1:], others[1:], strict=True)):
            return [f"force at {t}: {values[1:]} | {others[1:]}"]
    return []
