"""The verb ``recognise``: the joints of a machine of solids, each with its reason."""

from __future__ import annotations

import os
from textwrap import fill
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
    from linkwork.recognition.pair import Pair

FILES = {
    ".toml": "the machine file with its joints",
    ".json": "the JSON document",
    ".svg": "a picture",
    ".png": "a picture in pixels",
}
PATIENCE = 0.7
WIDTH = 110

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
    write(json_text(document) if as_json else _text(chosen.title or chosen.name, found))


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


def _text(title: str, found: Recognition) -> str:
    lines = [title, "", _indented(f"{found.ground} stands still{_plane(found)}", "")]
    for pair in found.pairs:
        lines += ["", _heading(pair), _indented(pair.why)]
    for weld in found.welds:
        lines += ["", f"fixed  {weld.parts[0]} and {weld.parts[1]}", _indented(weld.why)]
    lines.append("")
    for number, each in enumerate(found.subsystems, start=1):
        moves = f"{each.mobility} motion{'' if each.mobility == 1 else 's'}"
        variables = f", told by {', '.join(map(str, each.variables))}" if each.variables else ""
        lines.append(_indented(f"subsystem {number}: {', '.join(each.parts)}; {moves}{variables}", ""))
    if found.interactions:
        lines += ["", "may touch"]
        for touch in found.interactions:
            lines.append(_hanging(f"{' and '.join(touch.parts)}: {_solids(touch.primitives)}"))
            if touch.why:
                lines.append(_indented(touch.why, "    "))
    return "\n".join(lines) + "\n"


def _plane(found: Recognition) -> str:
    """In which plane the others move, or why in none."""
    if len(found.groups) == 1:
        return ""
    if found.plane is None:
        return f"; the others move in space, for {found.in_space}"
    across = "of x and y" if found.plane == (0.0, 0.0, 1.0) else f"across ({_numbers(found.plane)})"
    return f"; all others move in the plane {across}"


def _heading(pair: Pair) -> str:
    where = f"  axis ({_numbers(pair.axis)})" if pair.axis is not None else ""
    where += f" through ({_numbers(pair.point)})" if pair.point is not None else ""
    ratio = f"  ratio {pair.ratio:.6g}" if pair.ratio is not None else ""
    return f"{pair.kind}  {pair.parts[0]} and {pair.parts[1]}{where}{ratio}"


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{round(value, 9) + 0.0:.6g}" for value in values)


def _indented(text: str, indent: str = "  ") -> str:
    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent or "  ")


def _hanging(text: str) -> str:
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _solids(pairs: tuple[tuple[str, str], ...]) -> str:
    """Which solids may touch which: those that may touch the same ones together."""
    partners: dict[str, list[str]] = {}
    for own, theirs in pairs:
        partners.setdefault(own, []).append(theirs)
    alike: dict[tuple[str, ...], list[str]] = {}
    for own, others in partners.items():
        alike.setdefault(tuple(others), []).append(own)
    return "; ".join(f"{', '.join(own)} with {', '.join(others)}" for others, own in alike.items())


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
