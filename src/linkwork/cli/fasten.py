"""The verb ``fasten``: what becomes of a snap-fit that is pushed, decided exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, Out, Quiet, complete_design
from linkwork.cli.output import json_text, note, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwork.fasten import Fastening

FILES = {
    ".json": "the JSON document",
    ".txt": "the words",
    ".html": "a page that plays the motion",
    ".gif": "a film",
    ".png": "frames, the slices of time and angle, and the forces, in one picture",
    ".svg": "the same picture in lines",
}
PATIENCE = 0.7
MOST_DIGITS = 10_000
MOST_SAMPLES = 1_000_000


DesignName = Annotated[
    str,
    typer.Argument(
        metavar="DESIGN",
        help="A design file, or the name of an example.",
        autocompletion=complete_design,
        show_default=False,
    ),
]
DesignSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Give a number anew: mu=1/5, p0=0,3, v=0,1, duration=8, of a pawl L.k=2; may be repeated.",
        show_default=False,
    ),
]
Samples = Annotated[
    str,
    typer.Option(
        "--samples",
        metavar="TIMES",
        help="Angles and forces at these times: 1,2.5,4 or 0:10:100 for a hundred steps.",
        show_default=False,
    ),
]
Digits = Annotated[
    int,
    typer.Option(
        "--digits",
        min=0,
        max=MOST_DIGITS,
        help="Digits of times and angles, all of them right.",
        show_default=False,
    ),
]
Classify = Annotated[
    bool,
    typer.Option("--classify", help="Pull it back and say what kind of diode it is."),
]
Directions = Annotated[
    int,
    typer.Option(
        "--directions",
        min=4,
        max=100_000,
        metavar="N",
        help="With --classify: how many directions all around are tried.",
    ),
]
CriticalFriction = Annotated[
    bool,
    typer.Option(
        "--critical-friction", help="At which friction what becomes of it changes, pushed and pulled back."
    ),
]
WithUncertainty = Annotated[
    bool,
    typer.Option(
        "--uncertainty",
        help="Everything that can happen from the design's start_region in its directions, with shares.",
    ),
]
ToleranceSamples = Annotated[
    int,
    typer.Option(
        "--tolerances",
        min=0,
        max=1_000_000,
        metavar="N",
        help="What becomes of N designs within the design's tolerances.",
        show_default=False,
    ),
]
SearchTries = Annotated[
    int,
    typer.Option(
        "--search",
        min=0,
        max=1_000_000,
        metavar="N",
        help="Vary the design's search dimensions in N tries towards its goal.",
        show_default=False,
    ),
]
SearchState = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="FILE",
        help="With --search: keep the tries here, and go on from those that are kept.",
        show_default=False,
    ),
]


def fasten(
    design: DesignName,
    settings: DesignSettings = None,
    samples: Samples = "",
    digits: Digits = 0,
    classify: Classify = False,
    directions: Directions = 120,
    critical_friction: CriticalFriction = False,
    uncertainty: WithUncertainty = False,
    tolerances: ToleranceSamples = 0,
    search: SearchTries = 0,
    state: SearchState = "",
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Push a snap-fit and tell every contact, snap, jam and stick, and how it ends."""
    suffix = chosen_suffix(out, FILES, "what becomes of a snap-fit")
    times = sample_times(samples)
    from linkwork.cli.fasten_questions import Questions, answered, check_questions
    from linkwork.fasten import fasten as follow
    from linkwork.fasten import load_design
    from linkwork.fasten.report import report

    chosen = load_design(design, settings_by_name(settings or ()))
    questions = Questions(
        directions if classify else 0, critical_friction, uncertainty, tolerances, search, state
    )
    check_questions(chosen, questions)
    if digits and not quiet and (trees := [pawl.name for pawl in chosen.pawls if pawl.pawls]):
        note(
            f"warning: --digits adds none to {', '.join(trees)} and what it carries: trees are in floating point"
        )
    with progress(f"pushing {chosen.name}", quiet=quiet, patience=PATIENCE):
        found = follow(chosen)
        document = {"design": chosen.name, **found.to_json(times, digits)}
    answers, words = answered(chosen, questions, quiet=quiet)
    document |= answers
    text = report(chosen, document) + words
    with progress(f"drawing {chosen.name}", quiet=quiet, patience=PATIENCE):
        content = {".json": json_text(document), ".txt": text}.get(suffix) or _film(found, suffix)
    if suffix:
        write_file(out, content, quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else text)


def _film(found: Fastening, suffix: str) -> str | bytes:
    """The motion as a page, a film or a picture; nothing where none is wanted."""
    if not suffix:
        return ""
    if suffix in (".png", ".svg"):
        from linkwork.view.fasten_plot import fastening_picture

        return fastening_picture(found, "svg" if suffix == ".svg" else "png")
    from linkwork.view.fasten_scene import fastening_scene
    from linkwork.view.motion_file import scene_file
    from linkwork.view.page import scene_page

    scene = fastening_scene(found)
    return scene_page(scene) if suffix == ".html" else scene_file(scene, suffix)


def settings_by_name(given: Sequence[str]) -> dict[str, str]:
    """The settings of the command line, the last one where a name is repeated.

    >>> settings_by_name(["mu=1/5", "p0 = 0,3"])
    {'mu': '1/5', 'p0': '0,3'}
    """
    from linkwork.errors import UsageError

    found = {}
    for setting in given:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals or not name:
            raise UsageError(
                "a setting has the form name=value", got=f"--set {setting!r}", fix=f"--set {name or 'mu'}=1/5"
            )
        found[name] = value
    return found


def sample_times(text: str) -> list[float]:
    """The times at which angles and forces are wanted.

    >>> sample_times("1, 2.5,4"), sample_times("0:1:4")
    ([1.0, 2.5, 4.0], [0.0, 0.25, 0.5, 0.75, 1.0])
    """
    from linkwork.errors import UsageError

    if not text.strip():
        return []
    try:
        if ":" in text:
            begin, end, steps = text.split(":")
            count = int(steps)
            if not 0 < count < MOST_SAMPLES:
                raise ValueError
            first, last = float(begin), float(end)
            found = [first + (last - first) * step / count for step in range(count + 1)]
        else:
            found = [float(each) for each in text.split(",") if each.strip()]
    except ValueError:
        found = [math.nan]
    if not all(math.isfinite(each) and each >= 0 for each in found):
        raise UsageError(
            "--samples: these are no times",
            got=text[:60],
            wanted=f"times from 0 on, 1,2.5,4, or first:last:steps, 0:10:100 (at most {MOST_SAMPLES} steps)",
            fix="--samples 0:10:100",
        )
    return found


VERB = Verb(
    "fasten",
    fasten,
    "Push a snap-fit, latch or ratchet among obstacles: every contact, snap, jam and stick, exactly.",
    (
        "linkwork fasten two-pawl-tee",
        "linkwork fasten two-pawl-tee --set mu=3/4 --json",
        "linkwork fasten motion-diode --set p0=0,-8 --set v=0,1",
        "linkwork fasten tee-diagonal --digits 40",
        "linkwork fasten force-diode --samples 0:8.5:100 -o forces.json",
        "linkwork fasten motion-diode -o diode.html",
        "linkwork fasten force-diode --classify -o force-diode.png",
    ),
)
