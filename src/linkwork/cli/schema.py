"""The verb ``schema``: the JSON Schema of machine files and of designs, for editors and other programs."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from linkwork.cli.options import Json, Out, Quiet
from linkwork.cli.output import deliver
from linkwork.cli.verb import Verb


class Kind(StrEnum):
    """What files are of."""

    MACHINE = "machine"
    DESIGN = "design"


Which = Annotated[
    Kind, typer.Argument(metavar="[machine|design]", help="Of which files.", show_default=False)
]


def schema(kind: Which = Kind.MACHINE, out: Out = "", as_json: Json = False, quiet: Quiet = False) -> None:
    """Print the schema; it is JSON with and without ``--json``."""
    if kind is Kind.DESIGN:
        from linkwork.fasten.schema import design_schema

        document = design_schema()
    else:
        from linkwork.model import machine_schema

        document = machine_schema()
    deliver(json.dumps(document, indent=2) + "\n", document, as_json=as_json, out=out, quiet=quiet)


VERB = Verb(
    "schema",
    schema,
    "Print the JSON Schema of machine files, or of snap-fit designs.",
    ("linkwork schema", "linkwork schema -o machine.schema.json", "linkwork schema design"),
)
