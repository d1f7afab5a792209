"""Machines for tests: random plane linkages that assemble as drawn, and the textbook linkages by their lengths.

A random linkage is a crank and a chain of dyads, each of three pins, of two pins and a slide on its host, or of
a slide between two pins. Everything is given where it is drawn, so that each machine goes together; every number
is a parameter, so that machines of one build share their compiled code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import linkwork as lw

Array = NDArray[np.float64]

KINDS = ("RRR", "RRP", "RPR")


@dataclass(frozen=True)
class Dyad:
    """Two bars between two hosts: where their joints stand as drawn, and the direction of a slide."""

    kind: str
    hosts: tuple[str, str]
    first: tuple[float, float]
    middle: tuple[float, float]
    last: tuple[float, float]
    direction: float


@dataclass(frozen=True)
class Drawing:
    """A plane linkage as drawn: everything in the world's frame at the start."""

    dyads: tuple[Dyad, ...]
    masses: tuple[tuple[float, float, float, float], ...]  # mass, centre, inertia of the crank and each bar
    spring: tuple[float, float, float]
    gravity: tuple[float, float] = (0.3, -9.81)
    swing: float = 0.12
    frames: tuple[tuple[float, float, float], ...] = ()  # where each part's own frame stands
    moved: tuple[float, float, float] = (0.0, 0.0, 0.0)  # the whole machine, turned and then shifted
    size: float = 1.0
    rename: Mapping[str, str] = field(default_factory=dict)

    @property
    def parts(self) -> list[str]:
        """The moving parts in order."""
        return [
            "crank",
            *(f"{side}{place}" for place in range(len(self.dyads)) for side in ("first", "last")),
        ]

    def joints(self) -> list[tuple[str, str, str, str, tuple[float, float], float]]:
        """Name, type, first part, second part, place and direction of each joint."""
        found = [("A", "revolute", "ground", "crank", (0.0, 0.0), 0.0)]
        for place, each in enumerate(self.dyads):
            first, last = f"first{place}", f"last{place}"
            slides = {"RRR": (0, 0, 0), "RRP": (0, 0, 1), "RPR": (0, 1, 0)}[each.kind]
            between = ((each.hosts[0], first), (first, last), (each.hosts[1], last))
            places = (each.first, each.middle, each.middle if each.kind == "RRP" else each.last)
            for joint, slide, pair, at in zip("JKL", slides, between, places, strict=True):
                kind = "prismatic" if slide else "revolute"
                found.append((f"{joint}{place}", kind, *pair, at, each.direction))
        return found

    def placed(self, point: Sequence[float]) -> tuple[float, float]:
        """A drawn point in the world of the whole machine, which may be moved and larger."""
        x, y, turn = self.moved
        c, s = math.cos(turn), math.sin(turn)
        return (
            self.size * (c * point[0] - s * point[1] + x),
            self.size * (s * point[0] + c * point[1] + y),
        )

    def machine(self) -> lw.Machine:
        """The machine. Names are changed by ``rename``, its own frames stand at ``frames``."""
        given: dict[str, float] = {}

        def number(name: str, value: float) -> str:
            given[name] = value
            return name

        def pair(name: str, values: Sequence[float]) -> tuple[str, str]:
            return number(f"{name}x", values[0]), number(f"{name}y", values[1])

        called = {name: self.rename.get(name, name) for name in ["ground", *self.parts]}
        parts = {}
        for place, name in enumerate(self.parts):
            mass, x, y, inertia = self.masses[place]
            fx, fy, turn = self.frames[place] if self.frames else (0.0, 0.0, 0.0)
            centre = np.array(self.placed((x, y))) - np.array([fx, fy])
            c, s = math.cos(turn), math.sin(turn)
            local = (c * centre[0] + s * centre[1], -s * centre[0] + c * centre[1])
            parts[called[name]] = lw.Part(
                mass=number(f"m{place}", mass),
                centre=pair(f"c{place}", local),
                inertia=number(f"i{place}", inertia * self.size**2),
                start=lw.Pose(at=pair(f"f{place}", (fx, fy)), turn=number(f"t{place}", turn)),
                points={"P": pair(f"p{place}", local)},
            )
        joints: dict[str, Any] = {}
        for name, kind, first, second, at, direction in self.joints():
            where = pair(f"at_{name}", self.placed(at))
            between = (called[first], called[second])
            if kind == "revolute":
                joints[self.rename.get(name, name)] = lw.joint.Revolute(parts=between, at=where)
            else:
                angle = direction + self.moved[2]
                axis = pair(f"axis_{name}", (math.cos(angle), math.sin(angle)))
                joints[self.rename.get(name, name)] = lw.joint.Prismatic(parts=between, at=where, axis=axis)
        stiffness, length, damping = self.spring
        anchor = pair("anchor", self.placed((2.0, 3.0)))
        forces = {
            "spring": lw.force.Spring(
                ("ground.S", f"{called[self.parts[-1]]}.P"),
                stiffness=number("stiffness", stiffness),
                length=number("rest", length * self.size),
                damping=number("damping", damping),
            )
        }
        down = self.gravity
        c, s = math.cos(self.moved[2]), math.sin(self.moved[2])
        gravity = (c * down[0] - s * down[1], s * down[0] + c * down[1])
        return lw.Machine.of(
            "drawn",
            given | {"swing": self.swing, "gx": gravity[0] * self.size, "gy": gravity[1] * self.size},
            parts={"ground": lw.Part(points={"S": anchor}), **parts},
            joints=joints,
            drives={"drive": lw.Drive(self.rename.get("A", "A"), value="swing*sin(3*t + t^2)")},
            forces=forces,
            gravity=("gx", "gy"),
            time=lw.Span(until=1),
        )


_places = st.floats(-3, 3).map(lambda value: round(value, 3))


@st.composite
def drawings(draw: st.DrawFn, most: int = 2) -> Drawing:
    """A crank from the origin and one or more dyads, none of them near a singular position."""
    dyads: list[Dyad] = []
    parts = ["crank"]
    for place in range(draw(st.integers(1, most))):
        kind = draw(st.sampled_from(KINDS))
        host = draw(st.sampled_from(parts[-2:]))
        other = (
            "ground" if place == 0 else draw(st.sampled_from(["ground", *(p for p in parts if p != host)]))
        )
        first = np.array([draw(_places), draw(_places)])
        first = first if np.hypot(*first) > 0.5 else first + 1.0
        way, length = draw(st.floats(0, 6.2)), draw(st.floats(1.5, 4))
        middle = first + length * np.array([math.cos(way), math.sin(way)])
        # The other bar leans against the first one by an angle far from 0 and 180 degrees.
        lean = way + draw(st.sampled_from((-1, 1))) * draw(st.floats(0.7, 2.4))
        last = middle + draw(st.floats(1.5, 4)) * np.array([math.cos(lean), math.sin(lean)])
        if kind == "RRP":
            direction = way + draw(st.floats(-0.8, 0.8))
        else:
            across = last - first
            direction = math.atan2(across[1], across[0]) + draw(st.floats(-0.8, 0.8))
        a, b, c = ((round(float(x), 4), round(float(y), 4)) for x, y in (first, middle, last))
        dyads.append(Dyad(kind, (host, other), a, b, c, round(direction, 4)))
        parts += [f"first{place}", f"last{place}"]
    masses = tuple(
        (draw(st.floats(0.1, 3)), draw(_places), draw(_places), draw(st.floats(0.05, 2))) for _ in parts
    )
    spring = (draw(st.floats(0, 50)), draw(st.floats(0, 2)), draw(st.floats(0, 5)))
    return Drawing(tuple(dyads), masses, spring)


# -------------------------------------------------------------------------------- balances in the plane


def point_of(motion: lw.Motion, part: str, local: Sequence[float]) -> tuple[Array, Array, Array]:
    """Place, velocity and acceleration (rows × 2) of a point of a part, from the part's columns."""
    angle, rate, quick = (motion[f"{part}.{name}"] for name in ("angle", "rate", "acceleration"))
    c, s = np.cos(angle), np.sin(angle)
    arm = np.column_stack([c * local[0] - s * local[1], s * local[0] + c * local[1]])
    left = np.column_stack([-arm[:, 1], arm[:, 0]])
    r, v, a = (np.column_stack([motion[f"{part}.{k}x"], motion[f"{part}.{k}y"]]) for k in ("", "v", "a"))
    return (
        r + arm,
        v + rate[:, None] * left,
        a + quick[:, None] * left - (rate**2)[:, None] * arm,
    )


def cross(a: Array, b: Array) -> Array:
    """The moment of b at the lever a."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


# ----------------------------------------------------------------------------------- linkages by lengths


def four_bar(
    ground: float,
    crank: float,
    coupler: float,
    rocker: float,
    *,
    drive: lw.Drive | None = None,
    branch: int = 1,
    at: float = 0.0,
    **options: Any,
) -> lw.Machine:
    """A four-bar with A at the origin and D on the x-axis, drawn where the crank has the angle ``at``."""
    lengths = {"ground": ground, "crank": crank, "coupler": coupler, "rocker": rocker}
    coupler_angle, rocker_angle = four_bar_angles(ground, crank, coupler, rocker, np.array([at]), branch)
    return lw.Machine.of(
        "four-bar",
        lengths | {"start2": float(coupler_angle[0]), "start3": float(rocker_angle[0])},
        parts={
            "ground": lw.Part(points={"A": (0, 0), "D": ("ground", 0)}),
            "crank": lw.Part(points={"A": (0, 0), "B": ("crank", 0)}),
            "coupler": lw.Part(points={"B": (0, 0), "C": ("coupler", 0)}, start=lw.Pose(turn="start2")),
            "rocker": lw.Part(points={"D": (0, 0), "C": ("rocker", 0)}, start=lw.Pose(turn="start3")),
        },
        joints={
            "A": lw.joint.Revolute(("ground.A", "crank.A")),
            "B": lw.joint.Revolute(("crank.B", "coupler.B")),
            "C": lw.joint.Revolute(("coupler.C", "rocker.C")),
            "D": lw.joint.Revolute(("ground.D", "rocker.D")),
        },
        drives={"crank": drive or lw.Drive("A", range=(0, "360 deg"))},
        **options,
    )


def four_bar_angles(
    ground: float, crank: float, coupler: float, rocker: float, angle: Array, branch: int = 1
) -> tuple[Array, Array]:
    """Coupler and rocker angle by intersecting circles about B and D; branch +1 has C left of B→D."""
    b = np.column_stack([crank * np.cos(angle), crank * np.sin(angle)])
    to_d = np.array([ground, 0.0]) - b
    square = np.sum(to_d**2, axis=1)
    share = (square + coupler**2 - rocker**2) / (2 * square)
    height = np.sqrt(np.maximum(coupler**2 / square - share**2, 0.0))
    left = np.column_stack([-to_d[:, 1], to_d[:, 0]])
    c = b + share[:, None] * to_d + branch * height[:, None] * left
    to_c, from_d = c - b, c - np.array([ground, 0.0])
    return np.arctan2(to_c[:, 1], to_c[:, 0]), np.arctan2(from_d[:, 1], from_d[:, 0])


def slider_crank(
    crank: float,
    rod: float,
    offset: float = 0.0,
    *,
    drive: lw.Drive | None = None,
    branch: int = 1,
    at: float = 0.0,
    **options: Any,
) -> lw.Machine:
    """A slider-crank along the x-axis at the height ``offset``; branch +1 has the slider on the right."""
    height = offset - crank * math.sin(at)
    reach = branch * math.sqrt(max(rod**2 - height**2, 0.0))
    return lw.Machine.of(
        "slider-crank",
        {
            "crank": crank,
            "rod": rod,
            "offset": offset,
            "rod0": math.atan2(height, reach),
            "slider0": crank * math.cos(at) + reach,
        },
        parts={
            "crank": lw.Part(points={"A": (0, 0), "B": ("crank", 0)}),
            "rod": lw.Part(points={"B": (0, 0), "C": ("rod", 0)}, start=lw.Pose(turn="rod0")),
            "slider": lw.Part(points={"C": (0, 0)}, start=lw.Pose(at=("slider0", "offset"))),
        },
        frames={"rail": lw.Frame(at=(0, "offset"))},
        joints={
            "A": lw.joint.Revolute(("ground", "crank.A")),
            "B": lw.joint.Revolute(("crank.B", "rod.B")),
            "C": lw.joint.Revolute(("rod.C", "slider.C")),
            "slide": lw.joint.Prismatic(("rail", "slider")),
        },
        drives={"drive": drive or lw.Drive("A")},
        **options,
    )


def turned(motion: lw.Motion, part: str) -> Array:
    """The rotation matrices of a part in space, rows × 3 × 3, from its quaternion."""
    a, b, c, d = (motion[f"{part}.q{place}"] for place in range(4))
    rows = [
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def vectors(motion: lw.Motion, owner: str, letters: str) -> Array:
    """Three columns of a part or joint in space as rows of vectors: "", "v", "a", "w", "alpha", "f", "t"."""
    return np.column_stack([motion[f"{owner}.{letters}{axis}"] for axis in "xyz"])
