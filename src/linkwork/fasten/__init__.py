"""Exact motion of snap-fits, latches and ratchets among obstacles (Donald and Pai 1992).

The package is called like its verb, so it can be called: ``linkwork.fasten("two-pawl-tee")``.
"""

import os
import sys
from types import ModuleType

from linkwork.fasten.check import check
from linkwork.fasten.design import Design, Obstacle, Pawl, Rest, Tolerances
from linkwork.fasten.diode import Classification, classify, critical_friction, look_around, pull
from linkwork.fasten.fastening import Ending, Fastening, fasten
from linkwork.fasten.futures import Futures
from linkwork.fasten.history import History, history
from linkwork.fasten.pawl_motion import PawlMotion
from linkwork.fasten.reading import design_from_text, load_design
from linkwork.fasten.schema import design_schema
from linkwork.fasten.search import Found, search
from linkwork.fasten.settings import with_settings
from linkwork.fasten.tolerance import Spread, spread
from linkwork.fasten.tree.motion import CarriedMotion
from linkwork.fasten.uncertainty import Uncertainty, uncertainty
from linkwork.fasten.writing import design_to_text, save_design

__all__ = [
    "CarriedMotion",
    "Classification",
    "Design",
    "Ending",
    "Fastening",
    "Found",
    "Futures",
    "History",
    "Obstacle",
    "Pawl",
    "PawlMotion",
    "Rest",
    "Spread",
    "Tolerances",
    "Uncertainty",
    "check",
    "classify",
    "critical_friction",
    "design_from_text",
    "design_schema",
    "design_to_text",
    "fasten",
    "history",
    "load_design",
    "look_around",
    "pull",
    "save_design",
    "search",
    "spread",
    "uncertainty",
    "with_settings",
]


class _Verb(ModuleType):
    def __call__(self, design: Design | str | os.PathLike[str]) -> Fastening:
        """Follow a snap-fit's motion exactly: that of a design, of its file, or of the example of that name."""
        if isinstance(design, Design):
            check(design)
            return fasten(design)
        return fasten(load_design(design))


sys.modules[__name__].__class__ = _Verb
