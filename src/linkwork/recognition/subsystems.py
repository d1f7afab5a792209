"""Subsystems: parts that move together, how many motions they have, and the variables that tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from linkwork.model.placed import TURNS
from linkwork.recognition.drawn_axes import WORLD
from linkwork.recognition.freedom import null_space
from linkwork.recognition.guides import Guide, guide_rows
from linkwork.recognition.joined import Joined, Machinery, connected
from linkwork.recognition.mesh import Mesh
from linkwork.recognition.planar import plane_axes
from linkwork.solid.placement import Floats, cross

STILL: Final = 1e-6
"""Below which rate, of one for all parts together, a part stands still."""


@dataclass(frozen=True)
class Variable:
    """A coordinate of a pair that tells a motion: of a part against another, the frame where none is named."""

    part: str
    coordinate: str
    on: str = ""
    joint: str = ""
    """The joint of the found machine that has it; none for a coordinate of a part that nothing holds."""
    is_own: bool = True
    """Whether the part's own joint has it, so that the part's name will do for the joint's."""

    @property
    def name(self) -> str:
        """By which the found machine knows it: in drives, and where a start or a rate is told."""
        return f"{self.part if self.is_own else self.joint}.{self.coordinate}"

    def __str__(self) -> str:
        if not self.is_own:
            return f"{self.name} ({self.part} on {self.on})"
        return self.name + (f" on {self.on}" if self.on else "")


@dataclass(frozen=True)
class Subsystem:
    """Parts that move together: how many independent motions they have, and the variables that tell them."""

    parts: tuple[str, ...]
    mobility: int
    variables: tuple[Variable, ...]
    locked: tuple[str, ...] = ()
    """The parts that never move: what they mesh with, or the slots that guide them, hold them up."""

    def to_json(self) -> dict[str, Any]:
        """The subsystem as plain data."""
        names = [str(variable) for variable in self.variables]
        locked = {"locked": list(self.locked)} if self.locked else {}
        return {"parts": list(self.parts), "mobility": self.mobility, "variables": names, **locked}


def subsystems(
    machinery: Machinery, found: list[Mesh | Guide], joints: list[str], plane: Floats | None
) -> list[Subsystem]:
    """The moving groups in sets that pairs, gears and slots join other than through the frame."""
    pairs = [*(each.groups for each in machinery.joined), *(mesh.groups for mesh in found)]
    sets = connected([group for group in machinery.groups.members if group], pairs)
    names = {id(each): name for each, name in zip(machinery.joined, joints, strict=False)}
    return [_subsystem(machinery, members, found, names, plane) for members in sets]


def _subsystem(
    machinery: Machinery,
    members: list[int],
    found: list[Mesh | Guide],
    joints: Mapping[int, str],
    plane: Floats | None,
) -> Subsystem:
    part = machinery.only(members)
    meshing = [mesh for mesh in found if set(mesh.groups) <= {0, *members}]
    rates = _in_plane(rates_of(part, meshing), plane)
    names = machinery.groups.names_of
    bodies = tuple(name for group in members for name in names([group]))
    still = np.abs(rates).reshape(len(rates), len(members), 6).max(axis=(0, 2), initial=0.0) < STILL
    locked = tuple(
        name for group, is_still in zip(members, still, strict=True) if is_still for name in names([group])
    )
    return Subsystem(bodies, len(rates), tuple(_variables(part, joints, rates, plane)), locked)


def _in_plane(rates: Floats, plane: Floats | None) -> Floats:
    """Those of some velocities that stay in a plane: parts that nothing holds have others too."""
    if plane is None or not len(rates):
        return rates
    x, y, z = plane_axes(plane, WORLD)
    every = rates.reshape(len(rates), rates.shape[1] // 6, 6)
    out = [every[..., :3] @ x, every[..., :3] @ y, every[..., 3:] @ z]
    left: Floats = null_space(np.hstack(out).T) @ rates
    return left


def rates_of(machinery: Machinery, found: Sequence[Mesh | Guide]) -> Floats:
    """The velocities that pairs and gears leave, a row of six numbers a body for each."""
    linkage = machinery.linkage
    position, space = linkage.velocities[-1]
    if not found or not len(space):
        return space
    every = np.concatenate(
        [np.zeros((len(space), 1, 6)), space.reshape(len(space), space.shape[1] // 6, 6)], axis=1
    )
    rows = []
    for mesh in found:
        if isinstance(mesh, Guide):
            both = machinery.numbers[mesh.groups[0]], machinery.numbers[mesh.groups[1]]
            point = (mesh.point - machinery.groups.middle) / machinery.groups.size
            bent = (
                None
                if mesh.centre is None
                else (mesh.centre - machinery.groups.middle) / machinery.groups.size
            )
            rows.append(guide_rows(mesh, every, both, position, point, bent))
            continue
        first, second, carrier = (
            machinery.numbers[group] for group in (*mesh.groups, machinery.groups.group_of(mesh.carrier))
        )
        turn = (every[:, first, :3] - every[:, carrier, :3]) @ mesh.axis
        if mesh.kind == "gear":
            other = (every[:, second, :3] - every[:, carrier, :3]) @ mesh.axis
        else:
            slide = next(
                each
                for each in machinery.joined
                if each.kind == "prismatic" and mesh.groups[1] in each.groups
            )
            other = (every[:, second, 3:] - every[:, carrier, 3:]) @ slide.axis * machinery.groups.size
        rows.append(other - mesh.ratio * turn)
    left: Floats = null_space(np.array(rows)) @ space
    return left


def _variables(
    machinery: Machinery, joints: Mapping[int, str], rates: Floats, plane: Floats | None
) -> Iterator[Variable]:
    """Coordinates that tell the motion: of pairs, those with the frame first, and of parts that nothing holds."""
    groups = machinery.groups
    names = {group: groups.bodies[groups.called_after(group)].name for group in machinery.numbers}
    chosen = np.zeros((len(rates), 0))
    for variable, values in _candidates(machinery, joints, rates, names, plane):
        trial = np.column_stack([chosen, values])
        if np.linalg.matrix_rank(trial, tol=1e-7) > chosen.shape[1]:
            chosen = trial
            yield variable
        if chosen.shape[1] == len(rates):
            return


def _candidates(
    machinery: Machinery,
    joints: Mapping[int, str],
    rates: Floats,
    names: Mapping[int, str],
    plane: Floats | None,
) -> Iterator[tuple[Variable, Floats]]:
    every = rates.reshape(len(rates), rates.shape[1] // 6, 6)
    own: set[tuple[int, str]] = set()
    for each in sorted(machinery.joined, key=lambda each: 0 not in each.groups):
        group = each.groups[1]
        for word, relative in _coordinates(machinery, each, rates):
            turn = every[:, machinery.numbers[group] - 1, :3]
            about = dict(zip(TURNS, np.eye(3), strict=True)).get(word, plane if word == "angle" else None)
            if about is not None:  # the turn of the part itself, whatever carries it
                yield Variable(names[group], word, "", joints[id(each)]), turn @ about
                continue
            partner = "" if each.groups[0] == 0 else names[each.groups[0]]
            is_own = (group, word) not in own
            own.add((group, word))
            yield Variable(names[group], word, partner, joints[id(each)], is_own), relative
    axes = plane_axes(plane, machinery.groups.axes)
    shifts = ("x", "y", "z")
    for group, number in machinery.numbers.items():
        if group:
            for place, word in enumerate(shifts if plane is None else shifts[:2]):
                yield Variable(names[group], word), every[:, number - 1, 3:] @ axes[place]
            for place, word in enumerate(TURNS if plane is None else ("", "", "angle")):
                if word:
                    yield Variable(names[group], word), every[:, number - 1, :3] @ axes[place]


def _coordinates(machinery: Machinery, joined: Joined, rates: Floats) -> list[tuple[str, Floats]]:
    first, second = (machinery.numbers[group] for group in joined.groups)
    every = np.concatenate(
        [np.zeros((len(rates), 1, 6)), rates.reshape(len(rates), rates.shape[1] // 6, 6)], axis=1
    )
    relative = every[:, second] - every[:, first]
    point = (joined.point - machinery.groups.middle) / machinery.groups.size
    slide = (relative[:, 3:] + cross(relative[:, :3], point)) @ joined.axis
    turn = relative[:, :3] @ joined.axis
    words: dict[str, list[tuple[str, Floats]]] = {
        "revolute": [("angle", turn)],
        "screw": [("angle", turn)],
        "prismatic": [("displacement", slide)],
        "cylindrical": [("angle", turn), ("displacement", slide)],
    }
    turns = [(name, relative[:, place]) for place, name in enumerate(TURNS)]
    if joined.kind == "planar":
        return [("angle", turn), *((name, relative[:, 3 + place]) for place, name in enumerate("xyz"))]
    return words.get(joined.kind, turns)
