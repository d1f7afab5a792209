"""What a machine is, and its files."""

from linkwork.model.fault import NoSuchMachineError, PlacedError
from linkwork.model.file import load, save
from linkwork.model.machine import Machine
from linkwork.model.ordered import Ordered
from linkwork.model.schema import machine_schema

__all__ = ["Machine", "NoSuchMachineError", "Ordered", "PlacedError", "load", "machine_schema", "save"]
