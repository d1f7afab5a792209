"""Pictures as SVG: one self-contained file, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal

from linkwork.errors import UsageError
from linkwork.view.layout import Size, picture
from linkwork.view.paint import drawing_of
from linkwork.view.primitive import Circle, Path, Primitive, Text, readable
from linkwork.view.scene import Scene
from linkwork.view.theme import THEMES, Ink, inks

Look = Literal["auto", "light", "dark"]

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"


def scene_svg(scene: Scene, frame: int = 0, size: Size = (640, 400), *, theme: Look = "auto") -> str:
    """A picture of one frame; ``auto`` follows the reader's choice of light or dark.

    >>> from linkwork.view.scene import Body
    >>> from linkwork.view.shape import Bar
    >>> crank = Body("crank", (Bar(((0, 0), (1, 0))),))
    >>> print(scene_svg(Scene.of("One crank", [crank], [[[0, 0, 0]]]))[:64])
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" wi
    """
    if theme not in ("auto", "light", "dark"):
        raise UsageError("no such theme", got=repr(theme), wanted="auto, light or dark", fix='theme="auto"')
    primitives = picture(drawing_of(scene), frame, size)
    return primitives_svg(primitives, scene.title or "a scene", size, len(scene.bodies), theme)


def primitives_svg(
    primitives: Sequence[Primitive], title: str, size: Size, bodies: int, theme: Look = "auto"
) -> str:
    """Primitives in pixels as SVG; ``bodies`` is how many colours of bodies they use."""
    width, height = size
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" class="lw-{theme}">',
            f"<title>{xml_text(title)}</title>",
            f"<style>\n{_style(primitives, bodies, theme)}\n</style>",
            *map(_element, primitives),
            "</svg>\n",
        ]
    )


def xml_text(text: str) -> str:
    """The text with its markup made harmless.

    >>> xml_text("<b>&")
    '&lt;b&gt;&amp;'
    """
    return escape(readable(text), quote=False)


def _style(primitives: Iterable[Primitive], bodies: int, theme: Look) -> str:
    """Rules for the inks in use, for this picture only: in a page it stands beside other things."""
    used = sorted({each.ink for each in primitives})
    light, dark = inks(THEMES["light"], bodies), inks(THEMES["dark"], bodies)
    own = f".lw-{theme}"
    rules = [
        f"{own}{{font-family:{FONT}}}",
        f"{own} path,{own} circle{{stroke-linejoin:round;stroke-linecap:round;fill-rule:evenodd}}",
        f"{own} text{{paint-order:stroke}}",
    ]
    if theme == "dark":
        return "\n".join(rules + [_rule(own, name, dark[name]) for name in used])
    rules += [_rule(own, name, light[name]) for name in used]
    if theme == "auto":
        changed = "".join(_rule(own, name, dark[name]) for name in used if dark[name] != light[name])
        rules.append(f"@media(prefers-color-scheme:dark){{{changed}}}")
    return "\n".join(rules)


def _rule(own: str, name: str, ink: Ink) -> str:
    stroke = f"stroke:{ink.stroke};stroke-width:{ink.width:g}" if ink.stroke else "stroke:none"
    letters = f";font-size:{ink.size:g}px" if ink.size else ""
    weight = ";font-weight:600" if ink.bold else ""
    return f"{own} .{name}{{fill:{ink.fill or 'none'};{stroke}{letters}{weight}}}"


def _element(primitive: Primitive) -> str:
    if isinstance(primitive, Path):
        return f'<path class="{primitive.ink}" d="{_path_data(primitive)}"/>'
    if isinstance(primitive, Circle):
        center = primitive.center
        return (
            f'<circle class="{primitive.ink}" cx="{_number(center.real)}" cy="{_number(center.imag)}" '
            f'r="{_number(primitive.radius)}"/>'
        )
    return _text_element(primitive)


def _text_element(text: Text) -> str:
    at = text.at + text.shift.conjugate()
    return (
        f'<text class="{text.ink}" x="{_number(at.real)}" y="{_number(at.imag)}" '
        f'text-anchor="{text.anchor}">{xml_text(text.text)}</text>'
    )


def _path_data(path: Path) -> str:
    runs = []
    for ring in path.rings:
        points = " ".join(f"{_number(point.real)},{_number(point.imag)}" for point in ring)
        runs.append(f"M{points}{'Z' if path.closed else ''}")
    return "".join(runs)


def _number(value: float) -> str:
    """Two decimals are a fiftieth of the thinnest line.

    >>> _number(-0.001), _number(2.50)
    ('0', '2.5')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
