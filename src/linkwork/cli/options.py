"""The arguments and options that verbs share, so that they look and complete alike everywhere."""

from __future__ import annotations

from typing import Annotated

import typer


def complete_machine(incomplete: str) -> list[str]:
    """Machines among the examples that begin so; the shell itself completes file names where this finds nothing."""
    from linkwork import examples

    return [name for name in examples.names() if name.startswith(incomplete)]


def complete_design(incomplete: str) -> list[str]:
    """Designs among the examples that begin so."""
    from linkwork import examples

    return [name for name in examples.designs() if name.startswith(incomplete)]


def complete_example(incomplete: str) -> list[str]:
    """Examples of any kind that begin so."""
    return [*complete_machine(incomplete), *complete_design(incomplete)]


MachineName = Annotated[
    str,
    typer.Argument(
        metavar="MACHINE",
        help="A machine file, a CAD file, or the name of an example.",
        autocompletion=complete_machine,
        show_default=False,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help='Give a parameter a value, such as e="30 deg"; may be repeated.',
        show_default=False,
    ),
]
Out = Annotated[
    str, typer.Option("--out", "-o", metavar="FILE", help="Write to this file.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.", show_default=False)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No messages except errors.", show_default=False)]
Camera = Annotated[
    str,
    typer.Option(
        "--camera",
        metavar="NAME",
        help="The camera of the view that makes a picture or film.",
        show_default=False,
    ),
]
