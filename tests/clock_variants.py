"""Clocks drawn at random: other teeth, inertias, springs, friction and gears, with defects or without."""

from __future__ import annotations

import importlib.resources
import math
import random
import re
from collections.abc import Sequence


def example(name: str) -> str:
    """The text of a machine among the examples."""
    return (importlib.resources.files("linkwork.examples") / f"{name}.toml").read_text("utf-8")


def like(text: str, draw: random.Random, low: float, high: float) -> str:
    """A clock with other inertias, springs and friction, each by a factor between two."""

    def other(found: re.Match[str]) -> str:
        return f"{found[1]}{float(found[2]) * draw.uniform(low, high):.6g}"

    text = re.sub(r"(\n(?:inertia|friction) = )([\d.]+)", other, text)
    return re.sub(r"(stiffness = )([\d.]+)", other, text)


def random_clock(seed: int) -> str:
    """The escapement with other inertias, springs and friction, and perhaps without one or two of its teeth."""
    draw = random.Random(seed)
    text = like(example("escapement"), draw, 0.8, 1.25)
    text = text.replace("-10000 deg", f"-{draw.choice([700, 1500, 4000, 10000])} deg", 1)
    missing = draw.sample(range(10), draw.choice([0, 0, 1, 2]))
    kept = ", ".join(str(tooth) for tooth in range(10) if tooth not in missing)
    return text.replace("for (k = [0:9])", f"for (k = [{kept}])")


def wild_clock(seed: int) -> str:
    """A clock that differs by more: which one, its teeth, their form, its gears, two defects, a weak spring."""
    draw = random.Random(f"wild {seed}")
    name = draw.choice(["escapement", "escapement", "double-escapement", "chiming-clock", "time-bomb"])
    spread = draw.choice([1.1, 1.2, 1.5])
    text = like(example(name), draw, 1 / spread, spread)
    text = text.replace("-10000 deg", f"-{draw.choice([300, 1000, 3000, 10000])} deg", 1)
    return _other_gears(_other_teeth(text, draw), draw)


def _other_teeth(text: str, draw: random.Random) -> str:
    """Another number of teeth, some of them missing, or one that is too long or too thick."""
    number = draw.choice([10, 10, 10, 9, 11, 12])
    missing = draw.sample(range(number), draw.choice([0, 0, 0, 1, 2, 2]))
    kept = ", ".join(str(tooth) for tooth in range(number) if tooth not in missing)
    text = text.replace("for (k = [0:9])", f"for (k = [{kept}])").replace("36*k", f"{360 / number:.12g}*k")
    tooth = "cube([0.3, 5.4, 1])"
    if tooth in text and draw.random() < 0.3:
        text = text.replace(
            tooth, f"cube([{draw.uniform(0.26, 0.34):.3f}, {draw.uniform(5.32, 5.4):.3f}, 1])"
        )
    if draw.random() < 0.15:
        odd = f"rotate([0, 0, {draw.uniform(0, 360):.1f}]) translate([-3.2, 0, 0]) cube([0.3, 5.45, 1]);"
        text = text.replace('label("edisc")', f'label("odd") {odd}\n    label("edisc")', 1)
    return text


def _other_gears(text: str, draw: random.Random, ratios: Sequence[float] = (4.0, 2.0, 3.0, 5.0, 3.7)) -> str:
    """Pitch cylinders of another ratio at the same distance of their axes."""
    pitch = re.compile(r"(gear\(\) translate\(\[0, 0, 1\]\) cylinder\(d=)([\d.]+)")
    sizes = [float(size) for _, size in pitch.findall(text)]
    if len(sizes) != 2:
        return text
    ratio = draw.choice(ratios)
    small = sum(sizes) / (1 + ratio)
    fresh = iter([small, sum(sizes) - small])
    return pitch.sub(lambda found: f"{found[1]}{next(fresh):.12g}", text)


def chiming_clock(seed: int) -> str:
    """A clock with one chime or two: clappers of any stiffness, friction and weight, other gears, teeth missing."""
    draw = random.Random(f"chimes {seed}")
    name = draw.choice(["chiming-clock", "chiming-clock", "hour-and-day-clock"])
    text = example(name)
    for clapper in re.findall(r"\[part\.(\w*clapper)\]", text):
        text = _other_clapper(text, clapper, draw)
    if draw.random() < 0.5:
        text = _other_gears(text, draw, [4.0, 2.75, 12.4 / 2.6, 3.7, 3.5, 14 / 3, 3.137])
    if draw.random() < 0.3:
        missing = draw.sample(range(10), draw.choice([1, 1, 2]))
        kept = ", ".join(str(tooth) for tooth in range(10) if tooth not in missing)
        text = text.replace("for (k = [0:9])", f"for (k = [{kept}])")
    if name == "hour-and-day-clock":
        return text.replace('rest = "-40000 deg", stiffness = 5', 'rest = "-16000 deg", stiffness = 12')
    return text.replace("-10000 deg", f"-{draw.choice([4000, 10000, 10000])} deg", 1)


def _other_clapper(text: str, name: str, draw: random.Random) -> str:
    """A clapper that is harder to lift, or is moved more slowly, or heavier."""
    before, header, own = text.partition(f"[part.{name}]")
    for quantity, first, low, high in (
        ("stiffness", "20", 20, 8000),
        ("friction", "3", 3, 4000),
        ("inertia", "5", 2, 200),
    ):
        chosen = (
            math.exp(draw.uniform(math.log(low), math.log(high))) if draw.random() < 0.6 else float(first)
        )
        own = own.replace(f"{quantity} = {first}", f"{quantity} = {chosen:.4g}", 1)
    return before + header + own
