"""The verb ``recognise``: the joints of a machine of solids, each with its reason."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import deliver, json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.model import Machine
    from linkwork.recognition import Recognition

FILES = {
    ".toml": "the machine file with its joints",
    ".json": "the JSON document",
    ".svg": "a picture",
    ".png": "a picture in pixels",
}
PATIENCE = 0.7

PartsOnly = Annotated[
    bool,
    typer.Option(
        "--parts", help="Look for no joints: write the parts as a machine file to add to.", show_default=False
    ),
]


def recognise(
    machine: MachineName,
    settings: Settings = None,
    parts_only: PartsOnly = False,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the joints of a machine that is given by the solids of its parts."""
    suffix = chosen_suffix(out, FILES, "what was found")
    from linkwork.cli.settings import blaming, machine_of_solids, tell_density
    from linkwork.recognition import recognise as recognised

    chosen = machine_of_solids(machine, settings or ())
    if parts_only:
        _parts(chosen, out, suffix, as_json=as_json, quiet=quiet)
        return
    with blaming(machine), progress(f"looking at {chosen.name}", quiet=quiet, patience=PATIENCE):
        found = recognised(chosen)
    document = {"machine": chosen.name, **found.to_json()}
    if suffix:
        if suffix == ".toml":
            tell_density(machine, chosen)
        with blaming(machine):
            _write(found, document, out, suffix, quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else str(found))


def _parts(machine: Machine, out: str, suffix: str, *, as_json: bool, quiet: bool) -> None:
    """The machine as it was given, as a file to add to; joints are not looked for."""
    if suffix not in ("", ".toml"):
        raise UsageError("--parts gives a machine file", got=f"-o {out}", fix="-o parts.toml")
    names = [*machine.parts]
    document = {"machine": machine.name, "parts": names}
    deliver(_file_text(machine, out), document, as_json=as_json, out=out, quiet=quiet)


def _file_text(machine: Machine, out: str) -> str:
    """The text of a machine's file, in which other files are named as seen from its folder."""
    from linkwork.model.solids import moved_to
    from linkwork.model.write import machine_to_text

    return machine_to_text(moved_to(machine, os.path.dirname(out) if out != "-" else ""))


def _write(found: Recognition, document: dict[str, object], out: str, suffix: str, *, quiet: bool) -> None:
    assert found.machine is not None
    if suffix == ".toml":
        from linkwork.model.cad import weighed

        write_file(out, _file_text(weighed(found.machine), out), quiet=quiet)
    elif suffix == ".json":
        write_file(out, json_text(document), quiet=quiet)
    else:
        from linkwork.cli.pictures import write_machine_picture

        write_machine_picture(found.machine, out, suffix, quiet=quiet)


VERB = Verb(
    "recognise",
    recognise,
    "Find the joints of a machine of solids: what is joined to what, how, and why.",
    (
        "linkwork recognise escapement",
        "linkwork recognise engine --json",
        "linkwork recognise engine -o found.toml",
        "linkwork recognise engine --parts -o parts.toml",
    ),
)
