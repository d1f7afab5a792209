"""Plots: valid files, grouped by unit, the same every time."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from linkwork.errors import UsageError
from linkwork.view import plot_columns

X = list(np.linspace(0, 6, 20))
COLUMNS = {"lift (mm)": list(np.sin(X)), "speed (mm/s)": list(np.cos(X)), "_hidden $x$ (mm)": list(X)}


def test_plots_are_written_and_returned(tmp_path: Path) -> None:
    """The ending of the path chooses the format; the bytes are those of the file."""
    for name, beginning in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
        content = plot_columns(X, COLUMNS, x_label="angle", title="A cam $", path=tmp_path / name)
        assert content.startswith(beginning)
        assert (tmp_path / name).read_bytes() == content


def test_each_unit_has_its_axes() -> None:
    """A second unit makes the picture taller; a second column of the same unit does not."""

    def height(columns: dict[str, list[float]]) -> int:
        return Image.open(BytesIO(plot_columns(X, columns))).height

    one = height({"a (m)": X})
    assert height({"a (m)": X, "b (m)": X}) == one
    assert height({"a (m)": X, "b (s)": X}) > one


def test_plots_are_always_the_same() -> None:
    for kind in ("png", "svg"):
        first, second = (plot_columns(X, COLUMNS, format="svg" if kind == "svg" else "png") for _ in range(2))
        assert first == second


def test_svg_plots_are_xml_and_names_are_text() -> None:
    text = plot_columns(X, {"</svg><b>": X}, title="<b>", x_label="$\\frac$", format="svg")
    ElementTree.fromstring(text)


def test_gaps_are_allowed() -> None:
    assert plot_columns([0, 1, 2], {"lift": [1.0, float("nan"), 2.0]})


def test_no_global_state() -> None:
    """A plot leaves matplotlib's settings alone."""
    import matplotlib

    before = dict(matplotlib.rcParams)
    plot_columns(X, COLUMNS, theme="dark", format="svg")
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(
    ("x", "columns", "format"), [(X, {}, "png"), (X, {"a": [1.0]}, "png"), (X, {"a": X}, "pdf")]
)
def test_wrong_wishes_are_refused(x: list[float], columns: dict[str, list[float]], format: str) -> None:
    with pytest.raises(UsageError) as caught:
        plot_columns(x, columns, format=format)  # type: ignore[arg-type]
    assert caught.value.got
    assert caught.value.wanted
