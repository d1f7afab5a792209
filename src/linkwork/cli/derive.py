"""The verb ``derive``: a machine's table as text, mathematics or code, with rates and numbers if wanted."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import complain, deliver, note
from linkwork.cli.verb import Verb
from linkwork.errors import UsageError
from linkwork.model.fault import did_you_mean

SUFFIXES = {
    "text": ".txt",
    "latex": ".tex",
    "markdown": ".md",
    "html": ".html",
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


def _option(help_text: str, flag: str) -> Any:
    return typer.Option(flag, metavar="NAMES", help=help_text, show_default=False)


Reaction = Annotated[list[str] | None, _option("What holds these dimensions of the drawing.", "--reaction")]
Accelerations = Annotated[
    list[str] | None, _option("How these free dimensions accelerate.", "--accelerations")
]
Quantity = Annotated[list[str] | None, _option("Names such as P9x, V_P9x, kinetic_energy.", "--quantity")]
By = Annotated[list[str] | None, _option("Add the derivatives by these dimensions.", "--by")]
Tolerance = Annotated[
    list[str] | None, _option("Add the errors that errors of these dimensions cause.", "--tolerance")
]
Equilibrium = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The value of a dimension that nothing needs to hold.", show_default=False
    ),
]
Moving = Annotated[list[str] | None, _option("The dimensions that change in time.", "--moving")]
Static = Annotated[bool, typer.Option("--static", help="Leave motion out.", show_default=False)]
HowSolved = Annotated[
    str,
    typer.Option(
        "--form", metavar="FORM", help="Accelerations: closed, matrix or recursive.", show_default=False
    ),
]
Untidied = Annotated[
    bool, typer.Option("--verbose-table", help="Leave the table as derived.", show_default=False)
]
InWords = Annotated[
    bool, typer.Option("--construction", help="Print how the drawing is constructed.", show_default=False)
]


WithValues = Annotated[
    bool, typer.Option("--values", help="Add the numbers for the machine's values.", show_default=False)
]


def derive(
    machine: MachineName,
    form: Form = "",
    reaction: Reaction = None,
    accelerations: Accelerations = None,
    quantity: Quantity = None,
    by: By = None,
    tolerance: Tolerance = None,
    equilibrium: Equilibrium = "",
    moving: Moving = None,
    static: Static = False,
    how: HowSolved = "",
    verbose_table: Untidied = False,
    construction: InWords = False,
    with_values: WithValues = False,
    rates: Rates = "",
    name: FunctionName = "",
    settings: Settings = None,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the table of a machine."""
    from linkwork.cli.derivation import Request, Sheet
    from linkwork.cli.settings import blaming
    from linkwork.model import load

    chosen = _form(form, out)
    given = {
        "reaction": reaction,
        "accelerations": accelerations,
        "quantity": quantity,
        "by": by,
        "tolerance": tolerance,
        "equilibrium": equilibrium,
        "moving": moving,
        "static": static,
        "form": how,
    }
    wishes: dict[str, Any] = {
        key: ",".join(value) if isinstance(value, list) else value for key, value in given.items() if value
    }
    if verbose_table:
        wishes["tidy"] = False
    with blaming(machine):
        derived = Sheet.of(load(machine), Request(rates, wishes, construction, with_values), settings or ())
    text = derived.text(chosen, name)
    document = derived.to_json()
    if form:
        document |= {"as": form, "text": text}
    deliver(text, document, as_json=as_json, out=out, quiet=quiet)
    if not quiet:
        for message in derived.notes():
            note(message)
    problem = derived.problem()
    if problem is not None:
        if not (as_json and quiet):
            complain(problem)
        raise typer.Exit(problem.exit_code)


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
        "linkwork derive four-bar-drawing --quantity P9x,P9y --construction",
        "linkwork derive crank-piston --reaction a",
        "linkwork derive engine --quantity piston.y,kinetic_energy",
        "linkwork derive double-pendulum --accelerations a,b --as html -o pendulum.html",
        "linkwork derive four-bar-table",
        "linkwork derive four-bar-table --rates e --as latex",
        'linkwork derive pendulum-table --set "amplitude=30 deg"',
        "linkwork derive cam-table --as c --name cam -o cam.c",
    ),
)
