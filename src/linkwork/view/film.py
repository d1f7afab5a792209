"""Stages as pictures and films: PNG, GIF, and MP4 or WebM by the package PyAV, which is optional."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ToolMissing, UsageError
from linkwork.view.layout import Size, check_size
from linkwork.view.raster import LARGEST_SIDE, chosen_frames, gif_of
from linkwork.view.render import Pictures
from linkwork.view.scene import shown_seconds
from linkwork.view.stage import Stage

PICTURE: Final = (960, 600)
GIF: Final = (480, 300)
VIDEO: Final = (640, 360)
FRAMES_PER_SECOND: Final = 30
MOST_GIF_FRAMES: Final = 90
PIXELS: Final = "yuv420p"
CODECS: Final[Mapping[str, tuple[str, str, dict[str, str]]]] = {
    ".mp4": ("mp4", "libx264", {}),
    ".webm": ("webm", "libvpx-vp9", {"deadline": "realtime", "cpu-used": "5"}),
}
"""The container, the codec and its options for each kind of video; VP9 at its usual pace takes four times as long."""
PAPER: Final = "#ffffff"


def stage_png(stage: Stage, row: int = 0, size: Size = PICTURE, *, camera: str = "") -> bytes:
    """A picture of one row, seen by a camera, the first without a name, as the bytes of a PNG file.

    >>> from linkwork import load
    >>> from linkwork.view.machine_stage import machine_stage
    >>> stage_png(machine_stage(load("pendulum")), size=(160, 100))[1:4]
    b'PNG'
    """
    from PIL import Image

    file = BytesIO()
    pictures = _pictures(stage, size, camera)
    if not -stage.rows <= row < stage.rows:
        raise UsageError("there is no such row", got=f"{row}", wanted=f"0 to {stage.rows - 1}", fix="row=0")
    Image.fromarray(pictures.picture(row % stage.rows)).save(file, "PNG")
    return file.getvalue()


def stage_gif(
    stage: Stage, size: Size = GIF, *, camera: str = "", most_frames: int = MOST_GIF_FRAMES
) -> bytes:
    """The motion as the bytes of an endless GIF film."""
    from PIL import Image

    rows = chosen_frames(stage.rows, most_frames)
    pictures = _pictures(stage, size, camera)
    images = [Image.fromarray(pictures.picture(row)) for row in rows]
    times = [0.0] if stage.motion is None else stage.motion.times[rows].tolist()
    return gif_of(images, times, shown_seconds(times[-1] - times[0]), PAPER)


def stage_video(stage: Stage, suffix: str, size: Size = VIDEO, *, camera: str = "") -> bytes:
    """The motion as the bytes of an MP4 (H.264) or WebM (VP9) film of 30 frames a second."""
    if suffix not in CODECS:
        raise UsageError("no such video", got=suffix, wanted=", ".join(CODECS), fix="film.mp4")
    av = _pyav()
    container_name, codec, options = CODECS[suffix]
    file = BytesIO()
    with av.open(file, "w", format=container_name) as container:
        stream = container.add_stream(codec, rate=FRAMES_PER_SECOND, options=options)
        stream.width, stream.height, stream.pix_fmt = size[0] // 2 * 2, size[1] // 2 * 2, PIXELS
        for image in _frames(stage, (stream.width, stream.height), camera):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode(None))
    return file.getvalue()


def _frames(stage: Stage, size: Size, camera: str) -> Iterator[NDArray[np.uint8]]:
    """The row that is nearest in time to each frame."""
    times = np.zeros(1) if stage.motion is None else stage.motion.times
    seconds = shown_seconds(float(times[-1] - times[0]))
    count = max(1, round(seconds * FRAMES_PER_SECOND))
    wanted = np.linspace(times[0], times[-1], count)
    rows = np.clip(np.searchsorted(times, wanted), 0, len(times) - 1)
    pictures = _pictures(stage, size, camera)
    last, image = -1, None
    for row in rows.tolist():
        if row != last or image is None:
            last, image = row, pictures.picture(row)
        yield image


def _pictures(stage: Stage, size: Size, camera: str) -> Pictures:
    check_size(size)
    if max(size) > LARGEST_SIDE:
        raise UsageError(
            "too large for a picture", got=f"size={size}", wanted=f"at most {LARGEST_SIDE} pixels"
        )
    return Pictures(stage, size, camera)


def _pyav() -> Any:
    try:
        import av
    except ImportError:
        raise ToolMissing(
            "videos need the package PyAV",
            wanted="the package av, which brings its own ffmpeg",
            fix="pip install 'linkwork[video]'",
        ) from None
    return av
