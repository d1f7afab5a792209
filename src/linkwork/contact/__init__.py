"""Machines whose parts touch: contacts simulated with rigid parts, event by event."""

from linkwork.contact.islands import ContactIslands
from linkwork.contact.laws import Law, Laws, machine_laws
from linkwork.contact.motion import simulate
from linkwork.contact.solution import ContactSolution

__all__ = ["ContactIslands", "ContactSolution", "Law", "Laws", "machine_laws", "simulate"]
