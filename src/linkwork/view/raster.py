"""Pictures as PNG and films as GIF, painted with Pillow: the same primitives as in SVG."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from linkwork.errors import UsageError
from linkwork.view.layout import Size, check_size, picture
from linkwork.view.paint import Drawing, drawing_of
from linkwork.view.primitive import Circle, Path, Primitive, Text, mapped, readable
from linkwork.view.scene import Scene
from linkwork.view.theme import THEMES, Ink, ThemeName, inks

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

FINER = 3
"""Pictures are painted this much larger and then made smaller, which smooths their edges."""

USUAL_WIDTH, USUAL_HEIGHT = 640, 400
"""Pixels. Larger pictures get thicker lines and larger letters."""

SHORTEST_STEP = 20
"""Milliseconds. Browsers slow films down that go faster."""

LARGEST_SIDE = 8000


def scene_png(scene: Scene, frame: int = 0, size: Size = (960, 600), *, theme: ThemeName = "light") -> bytes:
    """A picture of one frame as the bytes of a PNG file.

    >>> from linkwork.view.scene import Body
    >>> from linkwork.view.shape import Bar
    >>> crank = Body("crank", (Bar(((0, 0), (1, 0))),))
    >>> scene_png(Scene.of("One crank", [crank], [[[0, 0, 0]]]), size=(160, 100))[1:4]
    b'PNG'
    """
    return _png(_image(drawing_of(scene), frame, size, theme))


def primitives_png(
    paint: Callable[[Size], list[Primitive]],
    bodies: int,
    size: Size = (960, 600),
    *,
    theme: ThemeName = "light",
    zoom: float | None = None,
) -> bytes:
    """Primitives as the bytes of a PNG file; ``paint`` gives them for a picture of a size in pixels.

    Lines and letters are ``zoom`` times as large, and the size that is painted is as much smaller; without it, the
    larger the picture.
    """
    return _png(_painted(paint, bodies, size, theme, zoom))


def _png(image: Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def scene_gif(
    scene: Scene,
    size: Size = (480, 300),
    most_frames: int = 120,
    seconds: float | None = None,
    *,
    theme: ThemeName = "light",
) -> bytes:
    """The motion as the bytes of an endless GIF film that takes ``seconds`` a round."""
    seconds = scene.seconds if seconds is None else seconds
    if most_frames < 1 or not 0 < seconds < 3600:
        raise UsageError(
            "this film cannot be made",
            got=f"most_frames={most_frames}, seconds={seconds}",
            wanted="at least one frame, and between 0 and 3600 seconds",
            fix="scene_gif(scene, most_frames=120, seconds=6)",
        )
    drawing = drawing_of(scene)
    chosen = chosen_frames(scene.frames, most_frames)
    images = [_image(drawing, frame, size, theme) for frame in chosen]
    times = [scene.times[frame] if scene.times else float(frame) for frame in chosen]
    return gif_of(images, times, seconds, THEMES[theme].paper)


def gif_of(images: list[Image], times: list[float], seconds: float, paper: str) -> bytes:
    """Images, and when each is seen, as the bytes of an endless GIF film."""
    if len(images) > 2 and images[0].tobytes() == images[-1].tobytes():
        images, times = images[:-1], times[:-1]  # a closed round: its last frame is its first one
    flat = _with_common_palette(images, paper)
    durations = _durations(times, seconds)
    file = BytesIO()
    flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=durations, loop=0, disposal=1)
    return file.getvalue()


def chosen_frames(frames: int, most: int) -> list[int]:
    """Frames evenly spread from the first to the last.

    >>> chosen_frames(9, 5)
    [0, 2, 4, 6, 8]
    """
    if frames <= most:
        return list(range(frames))
    return [0] if most == 1 else [round(k * (frames - 1) / (most - 1)) for k in range(most)]


def _durations(times: list[float], seconds: float) -> list[int]:
    """Milliseconds for each frame, in proportion to the time until the next; tens, as GIF counts."""
    steps = [after - before for before, after in pairwise(times)]
    steps.append(sum(steps) / len(steps) if steps else 1.0)
    ends = [round(100 * seconds * end / sum(steps)) for end in accumulate(steps)]
    return [max(SHORTEST_STEP, 10 * (end - start)) for start, end in pairwise([0, *ends])]


def _with_common_palette(images: list[Image], paper: str) -> list[Image]:
    """The images in 256 colours that serve all, found from a few side by side; the first is the paper's."""
    import numpy as np
    from PIL import Image, ImageColor

    some = images[:: max(1, len(images) // 4)][:5]
    strip = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for number, image in enumerate(some):
        strip.paste(image, (0, number * image.height))
    found = strip.quantize(255, dither=Image.Dither.NONE)
    white = ImageColor.getrgb(paper)
    palette = [*white, *(found.getpalette() or [])[: 3 * 255]]
    found.putpalette(palette)
    flat = []
    for image in images:
        colours = np.array(image.quantize(palette=found, dither=Image.Dither.NONE))
        colours[(np.asarray(image) == white).all(axis=2)] = 0  # Pillow takes any colour that is near
        flat.append(Image.fromarray(colours))
        flat[-1].putpalette(palette)
    return flat


def _image(drawing: Drawing, frame: int, size: Size, theme: ThemeName) -> Image:
    return _painted(lambda fitted: picture(drawing, frame, fitted), len(drawing.scene.bodies), size, theme)


def _painted(
    paint: Callable[[Size], list[Primitive]],
    bodies: int,
    size: Size,
    theme: ThemeName,
    zoom: float | None = None,
) -> Image:
    from PIL import Image, ImageDraw

    check_size(size)
    if max(size) > LARGEST_SIDE:
        raise UsageError(
            "too large for a picture", got=f"size={size}", wanted=f"at most {LARGEST_SIDE} pixels"
        )
    if theme not in THEMES:
        raise UsageError("no such theme", got=repr(theme), wanted="light or dark", fix='theme="light"')
    zoom = zoom or max(1.0, min(size[0] / USUAL_WIDTH, size[1] / USUAL_HEIGHT))
    primitives = paint((round(size[0] / zoom), round(size[1] / zoom)))
    colours = inks(THEMES[theme], bodies)
    image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), THEMES[theme].paper)
    brush = _Brush(image, ImageDraw.Draw(image), zoom * FINER)
    for each in primitives[1:]:  # the first is the paper
        brush.draw(each, colours[each.ink])
    return image.reduce(FINER)


class _Brush:
    """Draws primitives given in pixels of the picture on an image ``scale`` times as large."""

    def __init__(self, image: Image, on: ImageDraw, scale: float) -> None:
        self.image, self.on, self.scale = image, on, scale

    def draw(self, primitive: Primitive, ink: Ink) -> None:
        """Fill, then stroke."""
        scale = self.scale
        large = mapped(primitive, lambda point: scale * point, scale)
        if isinstance(large, Path):
            self._path(large, ink)
        elif isinstance(large, Circle):
            self._circle(large, ink)
        else:
            self._text(large, ink)

    def _path(self, path: Path, ink: Ink) -> None:
        rings = [[(point.real, point.imag) for point in ring] for ring in path.rings]
        if ink.fill and path.closed:
            self._fill(rings, ink.fill)
        if ink.stroke:
            for ring in rings:
                self._stroke(ring, path.closed, ink)

    def _fill(self, rings: list[list[tuple[float, float]]], colour: str) -> None:
        if len(rings) == 1:
            self.on.polygon(rings[0], fill=colour)
            return
        from PIL import Image, ImageDraw

        xs, ys = zip(*rings[0], strict=True)
        left, top = int(min(xs)) - 1, int(min(ys)) - 1
        mask = Image.new("L", (int(max(xs)) + 2 - left, int(max(ys)) + 2 - top))
        on_mask = ImageDraw.Draw(mask)
        for number, ring in enumerate(rings):
            shifted = [(x - left, y - top) for x, y in ring]
            on_mask.polygon(shifted, fill=0 if number else 255)
        self.image.paste(Image.new("RGB", mask.size, colour), (left, top), mask)

    def _stroke(self, points: list[tuple[float, float]], closed: bool, ink: Ink) -> None:
        width = max(1, round(ink.width * self.scale))
        line = [*points, *points[:2]] if closed else points
        self.on.line(line, fill=ink.stroke, width=width, joint="curve")
        if not closed and width > 2:
            for x, y in (points[0], points[-1]):
                self.on.circle((x, y), width / 2 - 0.5, fill=ink.stroke)

    def _circle(self, circle: Circle, ink: Ink) -> None:
        at = (circle.center.real, circle.center.imag)
        half = ink.width * self.scale / 2 if ink.stroke else 0.0
        if ink.fill is None:
            self.on.circle(at, circle.radius + half, outline=ink.stroke, width=max(1, round(2 * half)))
            return
        if ink.stroke:
            self.on.circle(at, circle.radius + half, fill=ink.stroke)
        if circle.radius > half:
            self.on.circle(at, circle.radius - half, fill=ink.fill)

    def _text(self, text: Text, ink: Ink) -> None:
        at = text.at + self.scale * text.shift.conjugate()
        font = _font(round(ink.size * self.scale), ink.bold)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
        halo = round(ink.width * self.scale / 2) if ink.stroke else 0
        self.on.text(
            (at.real, at.imag),
            readable(text.text),
            fill=ink.fill,
            font=font,
            anchor=anchor,
            stroke_width=halo,
            stroke_fill=ink.stroke,
        )


@cache
def _font(size: int, bold: bool) -> Any:
    """The letters that come with matplotlib, so that pictures are alike on all computers."""
    from importlib.util import find_spec
    from pathlib import Path as File

    from PIL import ImageFont

    spec = find_spec("matplotlib")
    if spec is not None and spec.origin is not None:
        name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
        file = File(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / name
        if file.exists():
            return ImageFont.truetype(str(file), size)
    return ImageFont.load_default(size)
