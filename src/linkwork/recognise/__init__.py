"""From solids to joints: what is joined to what and how, found from the surfaces on which parts touch."""

from linkwork.recognise.pair import Pair
from linkwork.recognise.recognise import recognise
from linkwork.recognise.recognition import (
    Recognition,
    RecognitionError,
    Subsystem,
    Variable,
    Wishes,
    recognise_solids,
)

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
