"""What a machine is, and its files."""

from linkwork.model.contact import Contact
from linkwork.model.draw import Draw
from linkwork.model.drawing import Drawing
from linkwork.model.drive import Drive, Span
from linkwork.model.fault import NoSuchMachineError, PlacedError
from linkwork.model.file import load, save
from linkwork.model.machine import Machine
from linkwork.model.ordered import Ordered
from linkwork.model.part import Frame, Part
from linkwork.model.pose import Pose
from linkwork.model.scene import Condition, Control, Energy, Surface
from linkwork.model.schema import machine_schema
from linkwork.model.shape import Shape
from linkwork.model.vector import Vector
from linkwork.model.view import View
from linkwork.model.world import World

__all__ = [
    "Condition",
    "Contact",
    "Control",
    "Draw",
    "Drawing",
    "Drive",
    "Energy",
    "Frame",
    "Machine",
    "NoSuchMachineError",
    "Ordered",
    "Part",
    "PlacedError",
    "Pose",
    "Shape",
    "Span",
    "Surface",
    "Vector",
    "View",
    "World",
    "load",
    "machine_schema",
    "save",
]
