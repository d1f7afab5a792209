"""From solids to joints: what is joined to what and how, found from the surfaces on which parts touch."""

from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.finding import Recognition, recognise_solids
from linkwork.recognition.machine import recognise
from linkwork.recognition.pair import Pair
from linkwork.recognition.subsystems import Subsystem, Variable
from linkwork.recognition.wishes import Wishes

__all__ = [
    "Pair",
    "Recognition",
    "RecognitionError",
    "Subsystem",
    "Variable",
    "Wishes",
    "recognise",
    "recognise_solids",
]
