"""The verb ``derive``: a machine's table as text, mathematics or code, with rates and numbers if wanted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import deliver, note
from linkwork.cli.verb import Verb
from linkwork.errors import UsageError
from linkwork.model.fault import did_you_mean

if TYPE_CHECKING:
    pass

SUFFIXES = {
    "text": ".txt",
    "latex": ".tex",
    "markdown": ".md",
    "c": ".c",
    "javascript": ".js",
    "python": ".py",
}
"""The forms a table can take, and the file names that ask for them."""


def _complete_form(incomplete: str) -> list[str]:
    return [form for form in SUFFIXES if form.startswith(incomplete)]


Form = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="FORM",
        help=f"{', '.join(SUFFIXES)}; without it the file's suffix decides, else text.",
        autocompletion=_complete_form,
        show_default=False,
    ),
]
Rates = Annotated[
    str,
    typer.Option(
        metavar="NAMES", help="Add the time derivatives, moving these parameters.", show_default=False
    ),
]
FunctionName = Annotated[
    str, typer.Option("--name", metavar="NAME", help="The function's name in code.", show_default=False)
]


def derive(
    machine: MachineName,
    form: Form = "",
    rates: Rates = "",
    name: FunctionName = "",
    settings: Settings = None,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the table of a machine."""
    from linkwork.cli.derivation import Derivation
    from linkwork.model import load

    chosen = _form(form, out)
    derived = Derivation.of(load(machine), rates, settings or ())
    text = derived.text(chosen, name)
    document = derived.to_json()
    if form:
        document |= {"as": form, "text": text}
    deliver(text, document, as_json=as_json, out=out, quiet=quiet)
    if not quiet:
        for message in derived.notes():
            note(message)


def _form(form: str, out: str) -> str:
    """The form that was asked for, by name or by the suffix of the file."""
    if form in SUFFIXES:
        return form
    if form:
        raise UsageError(
            f"a table cannot be shown as '{form}'",
            wanted=", ".join(SUFFIXES),
            fix=did_you_mean(form, SUFFIXES, "--as text"),
        )
    suffix = os.path.splitext(out)[1].lower()
    by_suffix = {ending: each for each, ending in SUFFIXES.items()}
    if suffix and suffix not in by_suffix:
        raise UsageError(
            f"the suffix {suffix} does not say how to write a table",
            got=f"-o {out}",
            wanted=", ".join(by_suffix) + ", or --as",
            fix=f"linkwork derive … --json > {out}" if suffix == ".json" else f"-o {out} --as text",
        )
    return by_suffix.get(suffix, "text")


VERB = Verb(
    "derive",
    derive,
    "Print a machine's table of definitions as text, mathematics or code.",
    (
        "linkwork derive four-bar-table",
        "linkwork derive four-bar-table --rates e --as latex",
        'linkwork derive pendulum-table --set "amplitude=30 deg"',
        "linkwork derive cam-table --as c --name cam -o cam.c",
    ),
)
