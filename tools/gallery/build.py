"""The gallery: a page for every example that moves, and one that shows them all.

Usage: python build.py [FOLDER [EXAMPLE …]]. Scenes are pages in which the machine runs; linkages are driven over their
range; machines of solids are simulated with their contacts. Of some there is a page of what they will do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import linkwork as lw
from linkwork import examples
from linkwork.errors import LinkworkError
from linkwork.view.film import stage_png
from linkwork.view.forecast import plot_forecast
from linkwork.view.forecast_page import forecast_page
from linkwork.view.live_page import live_page
from linkwork.view.machine_scene import machine_scene
from linkwork.view.machine_stage import machine_stage
from linkwork.view.motion_file import motion_file
from linkwork.view.raster import scene_png
from linkwork.view.results import usual_columns
from linkwork.view.solution import plot_solution
from linkwork.view.solution import usual_columns as solution_columns

SECONDS = 2.0
"""How long a scene has run in its picture."""
LATER = 0.37
"""The share of its time after which a machine in contact is in its picture."""
LONG = {
    "escapement": 30,
    "double-escapement": 30,
    "big-tooth": 40,
    "missing-tooth": 60,
    "ratchet-ccw": 20,
    "film-advance": 4,
    "woodpecker": 2,
    "marble-run": 1.2,
}
"""How long machines are watched: for some beats, and as long as there is a film or a pole left; the others as usual."""
FORESEEN = (
    *("escapement", "missing-tooth", "chiming-clock", "hour-and-day-clock", "time-bomb", "bowed-oscillator"),
    *("damped-pendulum", "irregular-pendulum"),
)
"""Machines with a page of what they will do."""
SCENE, TOUCHING, LINKAGE, FORECAST = "scene", "touching", "linkage", "forecast"
STYLE = Path(__file__).with_name("gallery.css")


@dataclass(frozen=True)
class Entry:
    """One example in the gallery."""

    name: str
    title: str
    kind: str

    def card(self) -> str:
        """What the overview shows of it."""
        title = escape(self.title)
        return (
            f'<a class="card" href="{self.name}.html"><img src="{self.name}.png" alt="{title}" loading="lazy">'
            f"<strong>{escape(self.name)}</strong><span>{title}</span></a>"
        )


def main(folder: Path, names: Sequence[str]) -> None:
    """Write all pages and pictures, and the overview."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for entry in written(folder, names):
        print(f"    {entry.name}.html", flush=True)
        entries.append(entry)
    (folder / "index.html").write_text(overview(entries), encoding="utf-8")
    print(f"{len(entries)} pages; open {folder / 'index.html'}")


def written(folder: Path, names: Sequence[str]) -> Iterator[Entry]:
    """The examples that move, their pages and pictures written."""
    for name in names:
        machine = lw.load(name)
        for page, kind, made in made_of(machine):
            (folder / f"{page}.html").write_text(made[0], encoding="utf-8")
            (folder / f"{page}.png").write_bytes(made[1])
            yield Entry(page, machine.title or name, kind)


def made_of(machine: lw.Machine) -> Iterator[tuple[str, str, tuple[str, bytes]]]:
    """The pages of a machine: their names, of which kind they are, and page and picture."""
    name = machine.name
    if machine.is_scene:
        yield name, SCENE, scene_files(machine)
    elif machine.is_unjoined:
        touching = contact_files(machine)
        if touching is not None:
            yield name, TOUCHING, touching
    elif machine.moving and machine.drives:
        yield name, LINKAGE, linkage_files(machine)
    if name in FORESEEN:
        yield f"{name}-forecast", FORECAST, forecast_files(machine)


def scene_files(machine: lw.Machine) -> tuple[str, bytes]:
    """A live page, and a picture taken a little after the start."""
    page = next(iter(live_page(machine).files.values()))
    stage = machine_stage(machine, lw.simulate(machine, SECONDS, step=SECONDS / 20, check=False))
    return page, stage_png(stage, stage.rows - 1)


def contact_files(machine: lw.Machine) -> tuple[str, bytes] | None:
    """A page that plays a machine with its contacts, and a picture of it at work; none where nothing ever touches."""
    try:
        solution = lw.simulate(machine, LONG.get(machine.name), contact="rigid")
    except LinkworkError as error:
        print(f"    {machine.name} is left out: {error.problem}")
        return None
    assert isinstance(solution, lw.ContactSolution)
    if not solution.touched:
        return None
    page = motion_file(solution, ".html")
    scene = machine_scene(solution.machine, solution)
    return str(page), scene_png(scene, round(LATER * (scene.frames - 1)))


def forecast_files(machine: lw.Machine) -> tuple[str, bytes]:
    """The page of what a machine will do, and a plot: of its pattern, else of what it does at first."""
    found = lw.predict(machine)
    if found.patterns:
        return forecast_page(found), plot_forecast(found, format="png").content
    solution = lw.simulate(machine, contact="rigid" if found.contact else None)
    return forecast_page(found), plot_solution(solution, "png", *solution_columns(solution))


def linkage_files(machine: lw.Machine) -> tuple[str, bytes]:
    """A page that drives the machine over its range, and a picture of where it starts."""
    motion = lw.move(machine)
    page = motion_file(motion, ".html", plots=usual_columns(motion))
    return str(page), scene_png(machine_scene(machine, motion))


def overview(entries: list[Entry]) -> str:
    """The page of all pages."""
    sections = [
        (title, [each for each in entries if each.kind == kind])
        for kind, title in (
            (SCENE, "Scenes that run in the page"),
            (TOUCHING, "Machines whose parts touch"),
            (FORECAST, "What they will do"),
            (LINKAGE, "Linkages over their range"),
        )
    ]
    body = "\n".join(
        f"<h2>{title}</h2>\n<main>\n{chr(10).join(each.card() for each in found)}\n</main>"
        for title, found in sections
        if found
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>linkwork: machines</title>
<style>
{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<h1>linkwork</h1>
<p>Each page is one file that carries its machine with it: open it, steer it, send it to someone.</p>
{body}
</body>
</html>
"""


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/gallery"), sys.argv[2:] or examples.names())
    except LinkworkError as error:
        sys.exit(f"error: {error}")
