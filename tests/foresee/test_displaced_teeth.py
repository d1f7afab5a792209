"""A wheel with a tooth out of its place repeats itself after whole turns only, however little that is."""

from __future__ import annotations

import math

import pytest

import linkwork as lw
from linkwork.examples import path
from linkwork.model.read import machine_from_text


@pytest.mark.parametrize("degrees", [1, 3])
def test_a_displaced_tooth_makes_the_pattern_a_whole_turn(degrees: int) -> None:
    """Steps of 36° with one by so much more and one by less sum up to 360° for ten teeth."""
    text = path("escapement").read_text("utf-8")
    displaced = text.replace("36*k", f"36*k + (k == 4 ? {degrees} : 0)")
    assert displaced != text
    forecast = lw.predict(machine_from_text(displaced, "displaced.toml", "displaced"), horizon=900)
    pattern = forecast.patterns[0]
    assert pattern.change["ewheel.angle"] == pytest.approx(-2 * math.pi, abs=1e-4)
    assert pattern.minima == 20
