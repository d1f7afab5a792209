"""The verb ``schema``: the JSON Schema of machine files, for editors and other programs."""

from __future__ import annotations

import json

from linkwork.cli.options import Json, Out, Quiet
from linkwork.cli.output import deliver
from linkwork.cli.verb import Verb


def schema(out: Out = "", as_json: Json = False, quiet: Quiet = False) -> None:
    """Print the schema; it is JSON with and without ``--json``."""
    from linkwork.model import machine_schema

    document = machine_schema()
    deliver(json.dumps(document, indent=2) + "\n", document, as_json=as_json, out=out, quiet=quiet)


VERB = Verb(
    "schema",
    schema,
    "Print the JSON Schema of machine files.",
    ("linkwork schema", "linkwork schema -o machine.schema.json"),
)
