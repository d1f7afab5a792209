"""The benchmark's linkages as machines of ours: a part for each bar, its origin at the joint that it finds."""

from __future__ import annotations

from typing import Any

import numpy as np

import linkage_scale as scale
import linkwork as lw
from linkage_model import Array, Linkage, Motion, closed_form
from linkage_rivals import Prepared, cpu_seconds


def linkage_machine(linkage: Linkage, angle: float) -> lw.Machine:
    """Pins and bars, roughly placed where they stand at an angle of the crank."""
    places = {name: np.array(place, float) for name, place in linkage.fixed.items()}
    start = closed_form(linkage, np.array([angle]))
    places |= {name: start.positions[0, row] for row, name in enumerate(linkage.moving)}
    parts = {"ground": lw.Part(points={name: tuple(map(float, at)) for name, at in linkage.fixed.items()})}
    pinned: dict[str, list[str]] = {name: [f"ground.{name}"] for name in linkage.fixed}
    pivot, pin, length = linkage.crank
    bars = [("crank", pin, pivot, length)]
    for number, dyad in enumerate(linkage.dyads):
        bars.append((f"first{number}", dyad.joint, dyad.first, dyad.to_first))
        bars.append((f"second{number}", dyad.joint, dyad.second, dyad.to_second))
    for name, here, there, size in bars:
        along = places[there] - places[here]
        turn = float(np.arctan2(along[1], along[0]))
        pose = {"at": tuple(map(float, places[here])), "turn": turn}
        parts[name] = lw.Part(points={"here": (0, 0), "there": (float(size), 0)}, start=lw.Pose(**pose))
        pinned.setdefault(here, []).append(f"{name}.here")
        pinned.setdefault(there, []).append(f"{name}.there")
    joints = {
        f"{node}_{number}": lw.joint.Revolute((ends[0], end))
        for node, ends in pinned.items()
        for number, end in enumerate(ends[1:])
    }
    # the crank's frame looks from its pin to its pivot, so it is turned by half a turn against the angle
    drive = lw.Drive(of="crank.angle", value=f"t + {np.pi!r}")
    return lw.Machine.of(linkage.name.replace(" ", "-"), parts=parts, joints=joints, drives={"crank": drive})


def ours(linkage: Linkage, angles: Array) -> Prepared:
    """One native sweep of positions and velocities from the first angle to the last."""
    names = ["crank", *(f"first{number}" for number in range(len(linkage.dyads)))]
    return _prepared(
        linkage_machine(linkage, float(angles[0])), angles + np.pi, lambda found: _read(found, names)
    )


def _prepared(machine: lw.Machine, values: Array, read: Any) -> Prepared:
    begin = cpu_seconds()
    mechanism = lw.Mechanism(machine)
    start = mechanism.solve({next(iter(machine.drives)): float(values[0])})
    mechanism.sweep(values, start)
    seconds = cpu_seconds() - begin
    names = [each.name for each in mechanism.system.unknowns]
    return Prepared(lambda: mechanism.sweep(values, start), lambda found: read((found, names)), seconds)


def _read(found: Any, parts: list[str]) -> Motion:
    reached, names = found
    places = [[names.index(f"{part}.{axis}") for axis in "xy"] for part in parts]
    return Motion(reached.q[:, places], reached.v[:, places])


def scissors_machine(units: int, angle: float) -> lw.Machine:
    """Lazy tongs: bars ``up`` from A(k) to B(k+1) and ``down`` from B(k) to A(k+1), crossed at their middles."""
    half = scale.BAR / 2
    parts: dict[str, lw.Part] = {}
    joints: dict[str, lw.joint.Joint] = {}
    for k in range(units):
        x, y = k * scale.BAR * np.cos(angle), scale.BAR * np.sin(angle)
        points = {"begin": (0, 0), "middle": (half, 0), "end": (scale.BAR, 0)}
        parts[f"up{k}"] = lw.Part(points=points, start=lw.Pose(at=(float(x), 0), turn=angle))
        parts[f"down{k}"] = lw.Part(points=points, start=lw.Pose(at=(float(x), float(y)), turn=-angle))
        joints[f"middle{k}"] = lw.joint.Revolute((f"up{k}.middle", f"down{k}.middle"))
        if k:
            joints[f"low{k}"] = lw.joint.Revolute((f"down{k - 1}.end", f"up{k}.begin"))
            joints[f"high{k}"] = lw.joint.Revolute((f"up{k - 1}.end", f"down{k}.begin"))
    joints["low0"] = lw.joint.Revolute(("ground", "up0.begin"))
    joints["high0"] = lw.joint.PointOnLine(("ground", "down0.begin"), axis=(0, 1))
    return lw.Machine.of(
        f"scissors-{units}", parts=parts, joints=joints, drives={"bar": lw.Drive(of="up0.angle")}
    )


def ours_scissors(system: scale.System, angles: Array) -> Prepared:
    """The lazy tongs; ``read`` gives all joints: A0, B0, A1, B1, …"""
    units = system.bars // 2

    def read(found: Any) -> Motion:
        reached, names = found
        where = [
            names.index(f"{part}{k}.{axis}") for k in range(units) for part in ("up", "down") for axis in "xy"
        ]
        rows = len(reached.q)
        positions = reached.q[:, where].reshape(rows, -1, 2)
        velocities = reached.v[:, where].reshape(rows, -1, 2)
        ends = [_end(reached, names, f"{part}{units - 1}") for part in ("down", "up")]
        return Motion(
            np.concatenate([positions, *(end[0] for end in ends)], axis=1),
            np.concatenate([velocities, *(end[1] for end in ends)], axis=1),
        )

    return _prepared(scissors_machine(units, float(angles[0])), angles, read)


def _end(reached: Any, names: list[str], part: str) -> tuple[Array, Array]:
    """Where the far end of a bar is, and how fast."""
    x, y, turn = (names.index(f"{part}.{name}") for name in ("x", "y", "angle"))
    along = scale.BAR * np.column_stack([np.cos(reached.q[:, turn]), np.sin(reached.q[:, turn])])
    turned = np.column_stack([-along[:, 1], along[:, 0]]) * reached.v[:, [turn]]
    return (reached.q[:, [x, y]] + along)[:, None], (reached.v[:, [x, y]] + turned)[:, None]
