"""Pages of stages: one HTML file that shows a machine in space, replayed or computed as one looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final

from linkwork.errors import ToolMissing
from linkwork.view.controls import button, control_bar, slider, speeds
from linkwork.view.document import data_element, html_document, packed_element
from linkwork.view.packing import packed, packed_stage
from linkwork.view.primitive import readable
from linkwork.view.svg import FONT
from linkwork.view.theme import PALETTE, THEMES, inks

_BUNDLE: Final = "bundle/three.min.js"
_PARTS: Final = (
    *("data", "engine", "driver", "bodies", "light", "traces", "whereabouts", "camera", "ahead"),
    *("stage", "fingers", "steer", "panel", "record", "help", "viewer", "hook", "wiring"),
)
_SCRIPTS: Final = ("page.js", "player_plot.js", *(f"viewer/{part}.js" for part in _PARTS))


def stage_page(
    stage: Mapping[str, Any], program: str | None = None, module: bytes = b"", *, camera: str = ""
) -> str:
    """A page of a stage, which is given as plain data; ``program`` is the script that computes a live one.

    ``module`` is the same in WebAssembly, which then computes instead of the script, unless the browser refuses it.
    ``camera`` names the one through which it is seen at first.
    """
    data, numbers = packed_stage(stage)
    three = three_script()
    title = escape(readable(str(stage["title"])) or "linkwork")
    body = f"""<div id="stage"><canvas id="picture" role="img" aria-label="{title}"></canvas></div>
<header class="glass"><h1>{title}</h1><div id="clock"></div></header>
<div id="pads"></div>
{_panel()}
{_controls()}
<div id="notice" class="glass" role="status" hidden></div>
<div id="help-text" class="glass" hidden><dl id="keys"></dl><p id="about"></p></div>
{data_element("stage-data", {**data, **_looks(), "camera": camera})}
{packed_element("numbers", numbers)}
{_licence(three)}
{packed_element("three", packed(three.encode()))}"""
    if module:
        body += "\n" + packed_element("module", packed(module))
    libraries = [] if program is None else [program]
    styles = ("theme.css", "viewer/viewer.css")
    return html_document(title, styles, body, _SCRIPTS, libraries=libraries, with_module=bool(module))


def three_script() -> str:
    """The script that draws in space; it is made when linkwork is built."""
    try:
        return files("linkwork.view").joinpath(_BUNDLE).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ToolMissing(
            "this copy of linkwork has no bundle of three.js",
            why="it is made at build time, with node and npm; there were none, or no network",
            fix="make bundle",
        ) from None


def _licence(script: str) -> str:
    """The licence at the beginning of a script, for people to read.

    >>> print(_licence("/*! a wheel -- mine */ let x;"))
    <!--
     a wheel - - mine
    -->
    """
    text = script.partition("/*!")[2].partition("*/")[0].rstrip().replace("--", "- -")
    return f"<!--\n{text}\n-->"


def _looks() -> dict[str, Any]:
    """Colours and letters of plots, by theme."""
    names = ["paper", "legend", "grid", "scale", *(f"trace-{place}" for place in range(len(PALETTE)))]
    found = {theme: inks(THEMES[theme], len(PALETTE)) for theme in THEMES}
    shown = {
        theme: {name: {"fill": each[name].fill, "stroke": each[name].stroke} for name in names}
        for theme, each in found.items()
    }
    return {"inks": shown, "series": len(PALETTE), "font": FONT}


def _panel() -> str:
    return """<div id="panel-box" class="glass" hidden>
<section id="parameters"><h2>Parameters <small>a change starts again</small></h2><div id="rows"></div></section>
<section id="plots" hidden><div id="chips"></div><canvas id="plot"></canvas></section>
</div>"""


def _controls() -> str:
    bar = control_bar(
        [
            button("play", "Play (space)"),
            button("forth", "One step (.)"),
            button("reset", "From the start (r)"),
            slider("Time"),
            speeds(),
            '<select id="camera" title="Camera (c)" aria-label="Camera"></select>',
            button("fit", "Show all (f)"),
            button("traces", "Traces (t)"),
            button("panel", "Parameters and plots (p)"),
            button("record", "Record a film (v)"),
            button("theme", "Light, dark (d)"),
            button("full", "Full screen (x)"),
            button("help", "Help (?)"),
        ]
    )
    return bar.replace('id="controls"', 'id="controls" class="glass"')
