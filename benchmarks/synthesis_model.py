"""The machines of the benchmark of synthesis, written for linkwork."""

from __future__ import annotations

import math
from typing import Any

import linkwork as lw

GRAVITY = 9.81
ROD: dict[str, Any] = {
    "points": {"A": (0, 0), "B": (1, 0)},
    "mass": 1,
    "centre": (0.5, 0),
    "inertia": (1 / 12,),
}
FOUR_BAR = (4.0, 1.5, 3.5, 3.0)  # ground, crank, coupler, rocker; 1 kg/m
CRANK_START = math.radians(60)
LEAN = 1.0  # rad of the rockers of a chain of four-bars from hanging, at the start


def chain_of_frames(n: int) -> lw.Machine:
    """Rods that hang on each other: each frame turns on the one before, so the angles are relative."""
    frames, carrier = {}, "ground"
    for link in range(1, n + 1):
        at = (0, 0) if link == 1 else (1, 0)
        frames[f"b{link}"] = lw.Frame(
            on=carrier, at=at, varies=("turn",), turn=0.3, mass=1, centre=(0.5, 0), inertia=(1 / 12,)
        )
        carrier = f"b{link}"
    return lw.Machine.of("chain", frames=frames, gravity=(0, -GRAVITY))


def chain_of_parts(n: int) -> lw.Machine:
    """The same as parts and joints, so the angles are absolute."""
    parts, joints = {}, {}
    for link in range(1, n + 1):
        parts[f"b{link}"] = lw.Part(**ROD, start={"turn": 0.3 * link})
        before = f"b{link - 1}.B" if link > 1 else "ground"
        joints[f"j{link}"] = lw.joint.Revolute((before, f"b{link}.A"))
    return lw.Machine.of("chain", parts=parts, joints=joints, gravity=(0, -GRAVITY))


def double_pendulum() -> lw.Machine:
    """Two rods; the first starts 1 rad from hanging, the second bent by 0.3 rad."""
    rod: dict[str, Any] = {"varies": ("turn",), "mass": 1, "centre": (0.5, 0), "inertia": (1 / 12,)}
    first = lw.Frame(on="ground", at=(0, 0), turn=1 - math.pi / 2, **rod)
    frames = {"upper": first, "lower": lw.Frame(on="upper", at=(1, 0), turn=0.3, **rod)}
    return lw.Machine.of("double pendulum", frames=frames, gravity=(0, -GRAVITY))


def four_bar_angles(crank: float) -> tuple[float, float]:
    """The absolute angles of coupler and rocker, upper branch, in closed form."""
    ground, a, b, c = FOUR_BAR
    x, y = a * math.cos(crank), a * math.sin(crank)
    dx, dy = ground - x, -y
    distance = math.hypot(dx, dy)
    along = (b * b - c * c + distance * distance) / (2 * distance)
    across = math.sqrt(b * b - along * along)
    px, py = x + (along * dx - across * dy) / distance, y + (along * dy + across * dx) / distance
    return math.atan2(py - y, px - x), math.atan2(py, px - ground)


def four_bar() -> lw.Machine:
    """Crank, coupler and rocker of 1 kg/m under gravity, from rest with the crank at 60°."""
    ground, a, b, c = FOUR_BAR
    coupler, rocker = four_bar_angles(CRANK_START)
    elbow = (a * math.cos(CRANK_START), a * math.sin(CRANK_START))
    starts = {"crank": (CRANK_START, (0, 0)), "coupler": (coupler, elbow), "rocker": (rocker, (ground, 0))}
    parts = {"ground": lw.Part(points={"O": (0, 0), "G": (ground, 0)})}
    for (name, (turn, at)), length in zip(starts.items(), (a, b, c), strict=True):
        parts[name] = lw.Part(
            points={"A": (0, 0), "B": (length, 0)},
            mass=length,
            centre=(length / 2, 0),
            inertia=(length**3 / 12,),
            start={"turn": turn, "at": at},
        )
    pins = (
        ("ground.O", "crank.A"),
        ("crank.B", "coupler.A"),
        ("coupler.B", "rocker.B"),
        ("ground.G", "rocker.A"),
    )
    joints = {f"pin{place}": lw.joint.Revolute(pair) for place, pair in enumerate(pins)}
    return lw.Machine.of("four-bar", parts=parts, joints=joints, gravity=(0, -GRAVITY))


def chain_of_four_bars(count: int) -> lw.Machine:
    """Squares side by side that share their rockers (the N-four-bar of the IFToMM library); one degree of freedom."""
    parts, joints = {}, {}
    lean = -math.pi / 2 + LEAN
    for place in range(count + 1):
        parts[f"r{place}"] = lw.Part(**ROD, start={"turn": lean, "at": (place, 0)})
        joints[f"g{place}"] = lw.joint.Revolute((f"ground.p{place}", f"r{place}.A"))
    parts["ground"] = lw.Part(points={f"p{place}": (place, 0) for place in range(count + 1)})
    for place in range(count):
        at = (place + math.cos(lean), math.sin(lean))
        parts[f"c{place}"] = lw.Part(**ROD, start={"turn": 0.0, "at": at})
        joints[f"a{place}"] = lw.joint.Revolute((f"r{place}.B", f"c{place}.A"))
        joints[f"b{place}"] = lw.joint.Revolute((f"c{place}.B", f"r{place + 1}.B"))
    return lw.Machine.of("n-four-bar", parts=parts, joints=joints, gravity=(0, -GRAVITY))
