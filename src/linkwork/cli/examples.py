"""The verb ``examples``: lists the machines and designs that come with linkwork, prints or copies one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from linkwork.cli.options import Json, Out, Quiet, complete_example
from linkwork.cli.output import deliver
from linkwork.cli.verb import Verb

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The example to print; without it all are listed.",
        autocompletion=complete_example,
        show_default=False,
    ),
]


KINDS = ("machine", "solids", "scene", "drawing", "table", "design")
"""In the order in which they are listed."""


def examples(name: Name = "", out: Out = "", as_json: Json = False, quiet: Quiet = False) -> None:
    """List the examples, or print the file of one."""
    from linkwork import examples as shipped

    document: dict[str, Any]
    if name:
        path = shipped.path(name)
        text = path.read_text("utf-8")
        document = {"name": name, "title": shipped.describe(name), "path": str(path), "text": text}
    else:
        rows = _in_reading_order()
        width = max((len(row["name"]) for row in rows), default=0)
        text = "".join(f"{row['name']:<{width}}  {row['kind']:<7}  {row['title']}\n" for row in rows)
        document = {"examples": rows}
    deliver(text, document, as_json=as_json, out=out, quiet=quiet)


def _in_reading_order() -> list[dict[str, Any]]:
    """The examples, kind by kind, in each the smaller ones first."""
    from linkwork import examples as shipped

    found = []
    for name in (*shipped.names(), *shipped.designs()):
        content = shipped.content(name)
        kind, size = _kind_and_size(content)
        row = {"name": name, "kind": kind, "title": content["title"], "path": str(shipped.path(name))}
        found.append(((KINDS.index(kind), content.get("dimension", 2), size, name), row))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


def _kind_and_size(content: dict[str, Any]) -> tuple[str, int]:
    """What an example is, and how much there is in it."""
    if "pawls" in content:
        return "design", len(content["pawls"]) + len(content["obstacles"])
    parts = content.get("part", {})
    varying = sum(len(frame.get("varies", ())) for frame in content.get("frame", {}).values())
    if parts:
        return ("solids" if any("solid" in part for part in parts.values()) else "machine"), len(parts)
    if varying:
        return "scene", varying
    return ("drawing" if "drawing" in content else "table"), len(content.get("drawing", {}).get("points", ()))


VERB = Verb(
    "examples",
    examples,
    "List the machines and designs that come with linkwork, print or copy one.",
    (
        "linkwork examples",
        "linkwork examples four-bar-table",
        "linkwork examples four-bar-table -o mine.toml",
    ),
)
