"""Colours and line widths: the inks a picture is drawn in, by light and by dark.

An ink has a name, such as ``body-2`` or ``hatch``; pictures name inks, themes say what they look like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ThemeName = Literal["light", "dark"]

PALETTE: Final = (
    "#3a7cb8",
    "#e0912f",
    "#2f9e7a",
    "#b5679b",
    "#6ab0de",
    "#c9593c",
    "#c7b13a",
    "#7a6fb0",
)
"""Okabe and Ito's colours for every kind of sight (jfly.uni-koeln.de/color), a little calmer."""

SHADES: Final = 16
"""Steps of light on the surfaces of bodies in space."""

TIERS: Final = 24
"""Tints of the layers of solids, from the lowest to the highest."""

TITLE_LETTERS, LABEL_LETTERS, LEGEND_LETTERS = 14.0, 12.0, 11.0
"""Sizes in pixels."""

MARKED: Final = "#c0182f"
"""The colour of what is written into a picture: names of joints, axes, pitch circles."""

WHITE, BLACK = "#ffffff", "#000000"


@dataclass(frozen=True, slots=True)
class Ink:
    """How a primitive is drawn: widths and letter sizes are in pixels."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    size: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours everything else follows from."""

    paper: str
    text: str
    faint: str
    ground: str
    metal: str
    grid: str
    shadow: str
    dark: bool


THEMES: Final[dict[ThemeName, Theme]] = {
    "light": Theme(
        paper="#ffffff",
        text="#22303c",
        faint="#6b7885",
        ground="#d5dae0",
        metal="#8b97a3",
        grid="#e6eaee",
        shadow="#e9ecf0",
        dark=False,
    ),
    "dark": Theme(
        paper="#15191f",
        text="#e4e9ee",
        faint="#93a0ad",
        ground="#3a444e",
        metal="#8b97a3",
        grid="#252c34",
        shadow="#0f1216",
        dark=True,
    ),
}


def mix(first: str, second: str, part: float) -> str:
    """A colour ``part`` of the way from one to another.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(first[k : k + 2], 16), int(second[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def body_colour(place: int) -> str:
    """The colour of the body in a place; beyond the palette it starts again."""
    return PALETTE[place % len(PALETTE)]


def line_colour(number: int, theme: ThemeName) -> str:
    """The colour of a curve in a plot, strong enough for a thin line."""
    colour = PALETTE[number % len(PALETTE)]
    return mix(colour, WHITE, 0.25) if THEMES[theme].dark else mix(colour, BLACK, 0.12)


def inks(theme: Theme, places: int) -> dict[str, Ink]:
    """Every ink of a picture with this many moving bodies.

    >>> inks(THEMES["light"], 1)["paper"]
    Ink(fill='#ffffff', stroke=None, width=0.0, size=0.0, bold=False)
    """
    line = mix(theme.text, theme.paper, 0.12)
    marked = mix(MARKED, WHITE, 0.3) if theme.dark else MARKED
    found = {
        "paper": Ink(theme.paper),
        "ground": Ink(theme.ground, mix(theme.ground, theme.text, 0.35), 1.2),
        "ground-line": Ink(None, line, 1.6),
        "support": Ink(mix(theme.ground, theme.paper, 0.45), line, 1.4),
        "hatch": Ink(None, mix(theme.text, theme.paper, 0.45), 1.0),
        "hole": Ink(theme.paper, line, 1.1),
        "pin": Ink(theme.paper, line, 1.7),
        "pin-dot": Ink(line),
        "centre": Ink(None, line, 1.3),
        "mark": Ink(None, marked, 1.5),
        "leader": Ink(None, theme.faint, 0.9),
        "leader-spot": Ink(theme.text),
        "mark-name": Ink(marked, theme.paper, 3.0, LABEL_LETTERS, True),
        "contact": Ink(marked, theme.paper, 1.2),
        "push-ground": Ink(mix(theme.text, theme.paper, 0.25), theme.paper, 1.0),
        **_force_inks(theme, marked),
        "slot": Ink(theme.paper, line, 1.1),
        "spring": Ink(None, mix(theme.text, theme.paper, 0.2), 1.6),
        "damper": Ink(None, mix(theme.text, theme.paper, 0.2), 1.6),
        "rod": Ink(None, mix(theme.text, theme.paper, 0.2), 2.2),
        "belt": Ink(None, mix(theme.text, theme.paper, 0.25), 2.4),
        "edge": Ink(None, theme.paper if theme.dark else theme.text, 1.3),
        "rim": Ink(None, theme.text if not theme.dark else theme.paper, 1.6),
        "label": Ink(theme.text, theme.paper, 3.0, LABEL_LETTERS),
        "title": Ink(theme.text, None, 0.0, TITLE_LETTERS, True),
        "legend": Ink(theme.faint, None, 0.0, LEGEND_LETTERS),
        "scale": Ink(None, theme.faint, 1.2),
        "grid": Ink(None, theme.grid, 1.0),
        "shadow": Ink(theme.shadow, theme.shadow, 0.8),
    }
    found |= _shaded("metal", theme.metal, theme)
    found |= _shaded("earth", theme.ground if theme.dark else mix(theme.ground, BLACK, 0.06), theme)
    found |= _tiers("ground", theme.ground, mix(theme.ground, theme.text, 0.35), theme)
    for place in range(places):
        found |= _body_inks(place, theme)
    return found


def _force_inks(theme: Theme, marked: str) -> dict[str, Ink]:
    """Arrows, and lines of arcs, by what makes the force."""
    colours = {
        "weight": mix(theme.text, theme.paper, 0.15),
        "joint": mix(PALETTE[0], WHITE, 0.25) if theme.dark else mix(PALETTE[0], BLACK, 0.15),
        "contact": marked,
        "given": mix(PALETTE[2], WHITE, 0.25) if theme.dark else mix(PALETTE[2], BLACK, 0.2),
    }
    found = {f"force-{kind}": Ink(colour, theme.paper, 1.0) for kind, colour in colours.items()}
    for kind, colour in colours.items():
        found[f"force-{kind}-line"] = Ink(None, colour, 2.0)
        found[f"force-{kind}-name"] = Ink(colour, theme.paper, 3.0, LEGEND_LETTERS, bold=True)
    return found


def _body_inks(place: int, theme: Theme) -> dict[str, Ink]:
    colour = body_colour(place)
    fill = mix(colour, theme.paper, 0.22 if theme.dark else 0.40)
    edge = mix(colour, WHITE, 0.45) if theme.dark else mix(colour, BLACK, 0.40)
    strong = mix(colour, WHITE, 0.25) if theme.dark else mix(colour, BLACK, 0.25)
    return {
        f"body-{place}": Ink(fill, edge, 1.4),
        f"mark-{place}": Ink(edge),
        f"line-{place}": Ink(None, edge, 1.8),
        f"trace-{place}": Ink(None, strong, 1.7),
        f"spot-{place}": Ink(strong, theme.paper, 1.4),
        f"push-{place}": Ink(strong, theme.paper, 1.0),
        **_shaded(f"face-{place}", colour, theme),
        **_tiers(str(place), colour, edge, theme),
    }


def _tiers(whose: str, colour: str, edge: str, theme: Theme) -> dict[str, Ink]:
    """Tints of layers, the higher the lighter; steps of rounded surfaces have no edge."""
    found = {f"brim-{whose}": Ink(None, edge, 1.3)}
    for tier in range(TIERS):
        up = tier / (TIERS - 1)
        tint = _tint(whose, colour, up, theme)
        found[f"tier-{whose}-{tier}"] = Ink(tint, edge, 1.3)
        found[f"step-{whose}-{tier}"] = Ink(tint)
    return found


def _tint(whose: str, colour: str, up: float, theme: Theme) -> str:
    if whose == "ground":
        return mix(
            mix(colour, theme.text, 0.10 if theme.dark else 0.06), WHITE, (0.16 if theme.dark else 0.75) * up
        )
    if theme.dark:
        return mix(mix(colour, theme.paper, 0.50), mix(colour, WHITE, 0.12), up)
    return mix(mix(colour, WHITE, 0.22), mix(colour, WHITE, 0.66), up)


def _shaded(name: str, colour: str, theme: Theme) -> dict[str, Ink]:
    """Steps from the shadow side to the lit side of a surface."""
    darkest, lightest = mix(colour, BLACK, 0.48), mix(colour, WHITE, 0.38 if theme.dark else 0.55)
    found = {}
    for step in range(SHADES):
        light = step / (SHADES - 1)
        shade = mix(darkest, colour, light * 2) if light < 0.5 else mix(colour, lightest, light * 2 - 1)
        found[f"{name}-{step}"] = Ink(shade, shade, 1.0)
    return found
