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
        rows = _in_reading_order()
        width = max((len(row["name"]) for row in rows), default=0)
        text = "".join(f"{row['name']:<{width}}  {row['kind']:<7}  {row['title']}\n" for row in rows)
        document = {"examples": rows}
    deliver(text, document, as_json=as_json, out=out, quiet=quiet)


def _in_reading_order() -> list[dict[str, Any]]:
    """The examples: machines of the plane and in space, of solids, scenes, drawings, tables; the smaller ones first."""
    import tomllib

    from linkwork import examples as shipped

    found = []
    for name in shipped.names():
        path = shipped.path(name)
        content = tomllib.loads(path.read_text("utf-8"))
        parts = len(content.get("part", {}))
        varying = sum(len(frame.get("varies", ())) for frame in content.get("frame", {}).values())
        solid = any("solid" in part for part in content.get("part", {}).values())
        others = "scene" if varying else "drawing" if "drawing" in content else "table"
        kind = "solids" if solid else "machine" if parts else others
        row = {"name": name, "kind": kind}
        row |= {"title": content["title"], "path": str(path)}
        order = ("machine", "solids", "scene", "drawing", "table").index(kind)
        size = parts or varying or len(content.get("drawing", {}).get("points", ()))
        found.append(((order, content.get("dimension", 2), size, name), row))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


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
