"""The verb ``examples``: lists the machines that come with linkwork, prints or copies one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from linkwork.cli.options import Json, Out, Quiet, complete_machine
from linkwork.cli.output import deliver
from linkwork.cli.verb import Verb

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The example to print; without it all are listed.",
        autocompletion=complete_machine,
        show_default=False,
    ),
]


def examples(name: Name = "", out: Out = "", as_json: Json = False, quiet: Quiet = False) -> None:
    """List the examples, or print the file of one."""
    from linkwork import examples as shipped

    document: dict[str, Any]
    if name:
        path = shipped.path(name)
        text = path.read_text("utf-8")
        document = {"name": name, "title": shipped.describe(name), "path": str(path), "text": text}
    else:
        titles = {each: shipped.describe(each) for each in shipped.names()}
        width = max(map(len, titles), default=0)
        text = "".join(f"{each:<{width}}  {title}\n" for each, title in titles.items())
        rows = [
            {"name": each, "title": title, "path": str(shipped.path(each))} for each, title in titles.items()
        ]
        document = {"examples": rows}
    deliver(text, document, as_json=as_json, out=out, quiet=quiet)


VERB = Verb(
    "examples",
    examples,
    "List the machines that come with linkwork, print or copy one.",
    (
        "linkwork examples",
        "linkwork examples four-bar-table",
        "linkwork examples four-bar-table -o mine.toml",
    ),
)
