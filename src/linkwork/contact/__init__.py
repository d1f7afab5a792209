"""Machines whose parts touch: contacts simulated with rigid or elastic parts, forces on each part, models compared.

The names are imported when they are asked for: pictures of any machine ask whether a motion has contacts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkwork.contact.comparison import Comparison, compare
    from linkwork.contact.free_body import FreeBodies, free_bodies
    from linkwork.contact.islands import ContactIslands
    from linkwork.contact.laws import Law, Laws, machine_laws
    from linkwork.contact.motion import simulate
    from linkwork.contact.solution import ContactSolution

__all__ = [
    "Comparison",
    "ContactIslands",
    "ContactSolution",
    "FreeBodies",
    "Law",
    "Laws",
    "compare",
    "free_bodies",
    "machine_laws",
    "simulate",
]

_MODULES = {
    "Comparison": "comparison",
    "compare": "comparison",
    "FreeBodies": "free_body",
    "free_bodies": "free_body",
    "ContactIslands": "islands",
    "Law": "laws",
    "Laws": "laws",
    "machine_laws": "laws",
    "simulate": "motion",
    "ContactSolution": "solution",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'linkwork.contact' has no attribute '{name}'")
    return getattr(import_module(f"linkwork.contact.{_MODULES[name]}"), name)
