"""The torsion springs that turn parts of a machine: where they are relaxed, and what is stored in them."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.algebra import evaluate
from linkwork.foresee.course import Course
from linkwork.kinematics.arrays import Matrix
from linkwork.model.force.torque import TorsionSpring
from linkwork.model.part import GROUND


@dataclass(frozen=True)
class TurningSpring:
    """A torsion spring of a part: where the angle of the part stands in a state, and where the spring is relaxed."""

    part: str
    place: int
    rest: float
    stiffness: float

    def energy(self, state: Matrix) -> float:
        """What is stored in it."""
        return 0.5 * self.stiffness * float(state[self.place] - self.rest) ** 2


def turning_springs(course: Course) -> list[TurningSpring]:
    """The torsion springs that turn parts."""
    machine = course.begun.machine
    values, found = machine.values(), []
    for force in machine.forces.values():
        joint = machine.joints.get(getattr(force, "joint", ""))
        if joint is None or not isinstance(force, TorsionSpring):
            continue
        stiffness, rest = evaluate([force.stiffness, force.rest], values)
        parts = [name.partition(".")[0] for name in joint.references()]
        for part in parts:
            name = f"{part}.angle"
            if part != GROUND and stiffness and name in course.variables:
                found.append(TurningSpring(part, course.variables.index(name), float(rest), float(stiffness)))
    return found
