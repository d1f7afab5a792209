"""Machines whose parts touch: contacts simulated with rigid or elastic parts, forces on each part, models compared."""

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
