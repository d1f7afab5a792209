"""The verbs this version has, and those that are named already and will come."""

from __future__ import annotations

from typing import Final

from linkwork.cli import (
    clash,
    derive,
    examples,
    fasten,
    linearise,
    move,
    plan,
    predict,
    recognise,
    schema,
    show,
    simulate,
    synthesise,
)
from linkwork.cli.verb import Verb

VERBS: Final[tuple[Verb, ...]] = (
    show.VERB,
    move.VERB,
    recognise.VERB,
    clash.VERB,
    derive.VERB,
    plan.VERB,
    simulate.VERB,
    predict.VERB,
    fasten.VERB,
    linearise.VERB,
    synthesise.VERB,
    examples.VERB,
    schema.VERB,
)

LATER: Final = {
    "sweep": "many variants",
    "studio": "the browser studio",
}
"""Verbs of the interface without code yet; a verb that gets its file leaves this list."""
