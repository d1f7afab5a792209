"""Pages of stages in a browser: opening them, and comparing their pictures."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import live_stages
import numpy as np
import pytest
from browser import Shown
from PIL import Image

from linkwork.view.stage_page import stage_page

SOFTWARE = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
Show = Callable[..., Shown]

needs_bundle = pytest.mark.skipif(
    not files("linkwork.view").joinpath("bundle", "three.min.js").is_file(),
    reason="there is no bundle: make bundle",
)


def shows(browser: Any, folder: Path) -> Iterator[Show]:
    """What opens pages, given as text or as the data of a stage, for a fixture; none of them may complain."""
    opened: list[Shown] = []

    def open_page(given: str | dict[str, Any], address: str = "#paused", **context: Any) -> Shown:
        if not isinstance(given, str):
            given = stage_page(given, live_stages.program() if given["live"] else None)
        opened.append(Shown(browser, given, folder, address, **context))
        assert opened[-1].run("linkwork.ready") is True
        return opened[-1]

    yield open_page
    for shown in opened:
        shown.context.close()
        assert shown.complaints == []


def pixels(shown: Shown) -> np.ndarray[Any, Any]:
    """The picture, drawn now."""
    data = str(shown.run("linkwork.picture()")).partition(",")[2]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(int)


def differ(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    """The share of pixels that are clearly not the same."""
    return float(np.mean(np.abs(one - other).max(axis=2) > 24))
