"""What can be wrong with controls: their range, where they start, the keys that steer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from linkwork.algebra import evaluate
from linkwork.errors import LinkworkError, NameTaken
from linkwork.model.fault import Fault, did_you_mean
from linkwork.model.scene import Control

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

KEYS: Final = (
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"),
    *("Enter", "Tab", "Backspace", "Insert", "Delete", "Shift"),
)
"""The keys with names; others are called by the one sign that they write."""
PAIRS: Final = ("ad", "sw", "jl", "ki", "fh", "gt", "nm", "12")
"""Keys beside each other, to be proposed."""


def control_faults(machine: Machine, values: Mapping[str, float]) -> Iterator[Fault]:
    """Controls that nobody could use."""
    owners: dict[str, str] = {}
    used = {pressed(key) for control in machine.controls.values() for key in control.keys}
    free = next((f'keys = ["{one}", "{other}"]' for one, other in PAIRS if not {one, other} & used), "")
    for name, control in machine.controls.items():
        if name in machine.parameters:
            fix = f"[control.{name}_input]"
            yield Fault(("control", name), NameTaken(f"'{name}' is both a parameter and a control", fix=fix))
        yield from _range_faults(name, control, values)
        yield from _key_faults(name, control, owners, free)


def _range_faults(name: str, control: Control, values: Mapping[str, float]) -> Iterator[Fault]:
    least, most = evaluate([*control.range], values)
    if not least < most:
        error = LinkworkError(
            f"the range of the control {name} is empty",
            got=f"[{least:g}, {most:g}]",
            fix="range = [-1, 1]",
        )
        yield Fault(("control", name, "range"), error)
    start = evaluate([control.start], values)[0]
    if not least <= start <= most:
        error = LinkworkError(
            f"the control {name} starts outside its range",
            got=f"{start:g}",
            wanted=f"{least:g} to {most:g}",
            fix=f"start = {least:g}",
        )
        yield Fault(("control", name, "start"), error)


def _key_faults(name: str, control: Control, owners: dict[str, str], free: str) -> Iterator[Fault]:
    """Keys that no keyboard has, or that are taken; ``owners`` are the controls of the keys so far."""
    if len(control.keys) not in (0, 2):
        error = LinkworkError(f"the control {name} has one key", wanted="two", fix=free)
        yield Fault(("control", name, "keys"), error)
    for place, key in enumerate(control.keys):
        where = ("control", name, "keys", place)
        if not is_key(key):
            error = LinkworkError(
                f"the control {name} has a key that is none: '{key}'",
                wanted=f"one sign, such as a, or one of {', '.join(KEYS)}",
                fix=did_you_mean(key, KEYS, free),
            )
            yield Fault(where, error)
            continue
        owner = owners.setdefault(pressed(key), name)
        if owner != name or pressed(key) in map(pressed, control.keys[:place]):
            error = LinkworkError(
                f"the key '{key}' of the control {name} is taken",
                wanted="another key than that of "
                + (f"the control {owner}" if owner != name else "its other end"),
                fix=free,
            )
            yield Fault(where, error)


def is_key(key: str) -> bool:
    """Whether a word names a key, as browsers do.

    >>> is_key("a"), is_key("ArrowUp"), is_key(" "), is_key("up"), is_key("")
    (True, True, True, False, False)
    """
    return key in KEYS or (len(key) == 1 and key.isprintable())


def pressed(key: str) -> str:
    """What tells keys from each other: a letter is the same key with shift and without."""
    return key.lower() if len(key) == 1 else key
