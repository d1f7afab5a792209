"""What a machine is: parts, joints, mobility, what is redundant, and whether it goes together at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.errors import LinkworkError
from linkwork.kinematics.mechanism import Mechanism
from linkwork.kinematics.mobility import Mobility
from linkwork.kinematics.position import Position
from linkwork.model import Machine
from linkwork.results import Viewable


@dataclass(frozen=True, eq=False)
class Summary(Viewable):
    """What :func:`show` found. A machine that does not go together cannot move: its mobility is 0."""

    machine: Machine
    position: Position | None
    mobility: int
    details: Mobility | None
    problem: LinkworkError | None = None

    @property
    def redundant(self) -> tuple[dict[str, Any], ...]:
        """Groups of joints with constraints that follow from one another."""
        return tuple(each.to_json() for each in self.details.redundant) if self.details else ()

    def __str__(self) -> str:
        machine = self.machine
        lines = [machine.title or machine.name, ""]
        lines += _table("parts", [(name, _part_shown(machine, name)) for name in machine.moving])
        lines += _table("joints", [(name, _joint_shown(machine, name)) for name in machine.joints])
        lines += _table(
            "drives", [(name, each.of or f"joint {each.joint}") for name, each in machine.drives.items()]
        )
        lines += _table("parameters", [(name, f"{value:g}") for name, value in machine.values().items()])
        lines.append(f"mobility   {self.mobility}")
        if self.details is not None and self.details.is_singular:
            lines.append(
                f"           (the rank alone would say {self.details.infinitesimal}: this position is singular)"
            )
        for each in self.details.redundant if self.details else ():
            lines.append(f"redundant  {each}")
        if self.position is not None and self.problem is None:
            lines.append(f"residual   {self.position.residual:.1e} of the machine's size")
        if self.problem is not None:
            lines += ["", str(self.problem)]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return f"Summary of {self.machine.name}: mobility {self.mobility}"

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        machine = self.machine
        found: dict[str, Any] = {
            "machine": machine.name,
            "title": machine.title,
            "dimension": machine.dimension,
            "parts": list(machine.moving),
            "joints": [
                {"name": name, "type": joint.word, "parts": list(_joined(machine, name))}
                for name, joint in machine.joints.items()
            ],
            "drives": list(machine.drives),
            "parameters": machine.values(),
            "units": dict(machine.units),
            "assembles": self.position is not None,
            "mobility": self.mobility,
            "redundant": list(self.redundant),
        }
        if self.position is not None:
            found |= {"position": {name: self.position[name] for name in self.position}}
            found |= {"residual": self.position.residual} if self.problem is None else {}
        if self.problem is not None:
            told = self.problem.to_json()
            found |= {"loop": told.pop("joints")} if "joints" in told else {}  # `joints` are the machine's
            found |= told
        return found


def show(machine: Machine | Mechanism) -> Summary:
    """What a machine is.

    >>> from linkwork.model import load
    >>> show(load("four-bar")).mobility
    1
    """
    mechanism = machine if isinstance(machine, Mechanism) else Mechanism(machine)
    try:
        position = mechanism.assembled
        return Summary(mechanism.machine, position, mechanism.mobility.freedoms, mechanism.mobility)
    except LinkworkError as problem:
        try:
            loose = mechanism.mobility
        except LinkworkError:
            return Summary(mechanism.machine, None, 0, None, problem)
        return Summary(mechanism.machine, mechanism.loosely_assembled, loose.freedoms, loose, problem)


def _table(heading: str, rows: list[tuple[str, str]]) -> list[str]:
    if not rows:
        return []
    width = max(len(name) for name, _ in rows)
    return [heading, *(f"  {name:<{width}}  {text}".rstrip() for name, text in rows), ""]


def _part_shown(machine: Machine, name: str) -> str:
    return ", ".join(machine.parts[name].points)


def _joint_shown(machine: Machine, name: str) -> str:
    return f"{machine.joints[name].word}: {', '.join(_joined(machine, name))}"


def _joined(machine: Machine, name: str) -> tuple[str, ...]:
    """The parts that a joint concerns, the ground included."""
    world = machine.world()
    joint = machine.joints[name]
    parts = [world.frame(each).part for each in joint.references()]
    return tuple(
        dict.fromkeys([*parts, *(part for other in joint.joints() for part in _joined(machine, other))])
    )
