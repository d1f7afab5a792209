"""Machines whose parts touch: contacts simulated with rigid parts, event by event."""

from linkwork.contact.laws import Law, Laws, machine_laws
from linkwork.contact.simulate import simulate
from linkwork.contact.simulator import ContactSimulator
from linkwork.contact.solution import ContactSolution

__all__ = ["ContactSimulator", "ContactSolution", "Law", "Laws", "machine_laws", "simulate"]
