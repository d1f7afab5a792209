"""From solids to joints: what is joined to what and how, found from the surfaces on which parts touch."""

from linkwork.recognise.pair import Pair
from linkwork.recognise.recognition import Recognition, RecognitionError, Subsystem, Wishes, recognise_solids

__all__ = ["Pair", "Recognition", "RecognitionError", "Subsystem", "Wishes", "recognise_solids"]
