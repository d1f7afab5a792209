"""What ``move`` and ``simulate`` do alike with their columns: choose some, put them into files, tell them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from linkwork.cli.column_files import column_content
from linkwork.cli.output import json_text, write, write_file
from linkwork.errors import UsageError
from linkwork.model.fault import did_you_mean, listed

if TYPE_CHECKING:
    from linkwork.kinematics.columned import Columned


def chosen_columns(result: Columned, columns: str) -> list[str]:
    """The columns that were asked for, all of them where none was."""
    if not columns.strip():
        return list(result.columns)
    names = [name for word in columns.split(",") if (name := word.strip())]
    for name in names:
        if result.told(name) is None:
            raise _no_column(result, name)
    return list(dict.fromkeys(names))


def _no_column(result: Columned, name: str) -> UsageError:
    point, _, _ = name.rpartition(".")
    part, _, place = point.partition(".")
    fix = did_you_mean(name, result.names(), "--json   # names all columns")
    if place and place in result.machine.part(part).points:
        fix = f'[view]\ntraces = ["{point}"]   # in the machine file: adds the columns of this point'
    return UsageError(f"the {result.noun} has no column '{name}'", wanted=listed(result.columns), fix=fix)


def column_document(result: Columned, names: list[str]) -> dict[str, Any]:
    """The JSON document, with the columns that were asked for."""
    document = result.to_json()
    if names != document["columns"]:
        document["columns"] = names
        table = zip(*(result[name].tolist() for name in names), strict=True)
        document["rows"] = [list(row) for row in table]
        document["units"] = result.units_of(names)
    return document


def columned_content(
    result: Columned,
    names: list[str],
    document: dict[str, Any],
    suffix: str,
    seen: Callable[[], str | bytes],
) -> str | bytes:
    """What the file holds; ``seen`` makes what is to be looked at."""
    if not suffix:
        return ""
    if suffix == ".json":
        return json_text(document)
    return column_content(result, names, suffix) if suffix in (".csv", ".parquet") else seen()


def tell(
    result: Columned,
    names: list[str],
    document: dict[str, Any],
    content: str | bytes,
    text: Callable[[], str],
    *,
    out: str,
    suffix: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the file that was asked for, then the columns, the document or the text."""
    if suffix:
        write_file(out, content, quiet=quiet)
        document["file"] = out
    if as_json:
        write(json_text(document))
    elif out == "-":
        write(str(column_content(result, names, ".csv")))
    else:
        write(text())
