"""What may push parts along an axis: gravity, forces, their own inertia, and other parts that strike or rub them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from linkwork.recognition.captive_pins import captive_pins
from linkwork.recognition.envelope import Envelopes
from linkwork.recognition.joined import Joined, Machinery, connected
from linkwork.recognition.motion import Motion
from linkwork.recognition.planar import plane_of
from linkwork.recognition.reach import Chosen, Surfaces
from linkwork.recognition.striking import strikes
from linkwork.solid.placement import Floats, Triple, cross, triple
from linkwork.solid.values import Inside

SLOPING = 1e-4
"""Faces that lean against an axis by less than this, in radians, lie along it: those of meshes do not exactly."""
CENTRED = 0.02
"""How far from its middle a part may be turned, as a share of its size, and still be balanced."""
STICKING = 0.1
"""What pushes along an axis by less than this share of all that pushes is held by friction, as dry parts have it."""


@dataclass(frozen=True, eq=False)
class Excitation:
    """What may push groups along an axis: gravity, forces of the file, and others that strike or rub them."""

    machinery: Machinery
    tolerance: float
    _pushers: dict[Triple, list[int]] = field(default_factory=dict)
    """The groups that slope against an axis or go along it, for each axis that was asked for."""

    def why(self, members: frozenset[int], axis: Floats, joined: Joined) -> str:
        """What pushes these groups along an axis, or nothing."""
        pull = self.machinery.groups.pulls.along(self.machinery.groups.names_of(members - {0}), axis)
        if pull.both or (pull.value and not self._is_seated(members, axis, joined, pull.value)):
            return pull.name
        linked = self._linked(members)
        turning = self._as_turning
        for holder in {*joined.groups} - members:
            motion = turning.motions.against_frame(holder)
            if motion.goes_along(axis) and self._throws(motion, members, axis, joined):
                return f"the motion of {self.machinery.groups.bodies[holder].name}"
        for other in self._may_push(members, axis):
            if other in linked or other in members:
                continue
            if any(self._pushes(turning, member, other, axis) for member in members):
                return self.machinery.groups.bodies[other].name
        return ""

    def _may_push(self, members: frozenset[int], axis: Floats) -> Sequence[int]:
        """The groups that can push these along an axis: all if these slope, else such as slope or go along it."""
        if any(self._is_sloped(member, axis) for member in members):
            return [*self.machinery.groups.members]
        if triple(axis) not in self._pushers:
            against_frame = self._as_turning.motions.against_frame
            self._pushers[triple(axis)] = [
                group
                for group in self.machinery.groups.members
                if against_frame(group).goes_along(axis) or self._is_sloped(group, axis)
            ]
        return self._pushers[triple(axis)]

    def _is_sloped(self, group: int, axis: Floats) -> bool:
        return bool(_are_sloped(self._as_turning.surfaces[group], axis).any())

    def _throws(self, motion: Motion, members: frozenset[int], axis: Floats, joined: Joined) -> bool:
        """Whether a motion that carries groups pushes them along an axis by their own inertia.

        What turns throws outwards, r ω²: not what is turned about its own middle, nor what friction holds since most of
        r is across the axis, as of a caster's wheel on its axle, nor what lies on a face outside, as the pinions of a
        differential. Masses may not be known: middles are those of volumes.
        """
        if motion.point is None or motion.kind not in ("turn", "ball"):
            return not self._keep_their_middles(members)
        within = np.vstack([self._cells(group) for group in members])
        if not len(within):
            return True
        middle = _middle(within)
        if motion.keeps_away(middle, CENTRED * max(self._size(group) for group in members)):
            return False
        if motion.axis is None:
            return not self._keep_their_middles(members)
        outwards = middle - motion.point
        outwards = outwards - (outwards @ motion.axis) * motion.axis
        along = float(outwards @ axis)
        is_thrown = abs(along) > STICKING * math.hypot(*outwards)
        return is_thrown and not self._is_seated(members, axis, joined, along)

    def _cells(self, group: int) -> Floats:
        """The middles and volumes of small pieces of a group."""
        groups = self.machinery.groups
        return np.vstack([groups.bodies[place].cells for place in groups.members[group]])

    def _size(self, group: int) -> float:
        groups = self.machinery.groups
        return max(groups.bodies[place].size for place in groups.members[group])

    def _keep_their_middles(self, members: frozenset[int]) -> bool:
        """Whether groups turn about their own middles only, whatever the machine does: the middle shaft of three."""
        machinery = self._as_turning.machinery
        groups, linkage = machinery.groups, machinery.linkage
        for group in members:
            cells, number = self._cells(group), machinery.numbers.get(group)
            if number is None or not len(cells) or not linkage.moves(number):
                return False
            middle = (_middle(cells) - groups.middle) / groups.size
            if not linkage.turns_about(number, middle, CENTRED * self._size(group) / groups.size):
                return False
        return True

    def _is_seated(self, members: frozenset[int], axis: Floats, joined: Joined, pull: float) -> bool:
        """Whether a face holds the groups against the pull."""
        sign = 1.0 if joined.groups[1] in members else -1.0
        down = np.concatenate([np.zeros(3), np.sign(pull) * sign * axis])
        return bool(np.any(joined.left.one_sided @ down < -1e-9))

    def _linked(self, members: frozenset[int]) -> set[int]:
        """The groups that pairs join to these, other than through the frame."""
        return {*members}.union(*(self._sets.get(member, ()) for member in members))

    @cached_property
    def _sets(self) -> dict[int, list[int]]:
        """With which others pairs join each group, other than through the frame."""
        groups = self.machinery.groups.members
        pairs = [each.groups for each in self.machinery.joined]
        return {group: each for each in connected([*groups], pairs) for group in each if group}

    @cached_property
    def _as_turning(self) -> Envelopes:
        """The machine as if nothing slid along the axis about which it turns."""
        joined = [
            replace(each, kind="revolute") if each.kind == "cylindrical" else each
            for each in self.machinery.joined
        ]
        return Envelopes(
            self.machinery.with_joined(joined), self.tolerance, plane_of(joined, self.machinery.groups.axes)
        )

    def _pushes(self, envelopes: Envelopes, member: int, other: int, axis: Floats) -> bool:
        their_motion = envelopes.motions.against_frame(other)
        moving = their_motion.goes_along(axis)
        own, theirs = envelopes.surfaces[member], envelopes.surfaces[other]
        sloped = [_are_sloped(each, axis) for each in (own, theirs)]
        kinds = sloped[0].astype(np.intp), sloped[1].astype(np.intp)
        if not moving and not sloped[0].any() and not sloped[1].any():
            return False
        if not envelopes.come_near(member, other):  # the first push finds both where nothing slides yet
            return False
        if other == 0:
            turn = envelopes.motions.against_frame(member)
            if turn.kind != "turn" or turn.axis is None or abs(float(turn.axis @ axis)) < 1 - 1e-9:
                return False
            places = envelopes.meetings(0, member, (kinds[1], kinds[0]))
            may_meet = bool(np.any(sloped[1][places[:, 0]] | sloped[0][places[:, 1]]))
            return may_meet and self._runs_into_frame(envelopes, member, turn, sloped)
        sliding = Motion("slide", axis, self.machinery.groups.middle)
        ways = envelopes.motions.against_frame(member), their_motion
        groups = self.machinery.groups
        both = [
            Chosen.of(own, ~captive_pins(groups, member, ways[0], other, ways[1], axis)),
            Chosen.of(theirs, ~captive_pins(groups, other, ways[1], member, ways[0], axis)),
        ]
        still = self._rolling(envelopes, member, other)
        kinds = kinds[0] + 2 * still[0], kinds[1] + 2 * still[1]

        def meet(motion: Motion) -> bool:
            met = envelopes.may_meet(both[0], motion, both[1], their_motion, kinds)
            a, b = met[:, 0], met[:, 1]
            return bool(np.any((moving | sloped[0][a] | sloped[1][b]) & ~(still[0][a] & still[1][b])))

        return meet(sliding) and (moving or meet(ways[0]))  # what slopes pushes where nothing has slid yet

    def _rolling(self, envelopes: Envelopes, member: int, other: int) -> tuple[Inside, Inside]:
        """Which faces of two groups are round about the axes on which they turn, if these meet, as of bevel gears.

        Such faces stay where they are, and meet in the plane of both axes: there they rub across it, and push nothing
        along it.
        """
        groups = member, other
        motions = [envelopes.motions.against_frame(group) for group in groups]
        lines = [(each.axis, each.point) for each in motions if each.kind == "turn"]
        found = [np.zeros(len(envelopes.surfaces[group]), dtype=bool) for group in groups]
        axes = [axis for axis, _ in lines if axis is not None]
        points = [point for _, point in lines if point is not None]
        near = 100 * self.tolerance
        if len(axes) == len(points) == 2 and abs((points[1] - points[0]) @ cross(axes[0], axes[1])) <= near:
            for place, group in enumerate(groups):
                found[place] = envelopes.surfaces[group].are_round(axes[place], points[place], near)
        return found[0], found[1]

    def _runs_into_frame(self, envelopes: Envelopes, member: int, turn: Motion, sloped: list[Inside]) -> bool:
        """Whether a group that turns gets into the frame with some of its faces, or those of the frame into it."""
        assert turn.axis is not None
        assert turn.point is not None
        axis, point = turn.axis, turn.point
        own, frame = (
            faces & ~envelopes.surfaces[group].are_round(axis, point, 100 * self.tolerance)
            for faces, group in zip(sloped, (member, 0), strict=True)
        )
        return strikes(self.machinery.groups, member, 0, (own, frame), axis, point)


def _middle(cells: Floats) -> Floats:
    """The centre of pieces with their volumes."""
    found: Floats = cells[:, 3] @ cells[:, :3] / cells[:, 3].sum()
    return found


def _are_sloped(surfaces: Surfaces, axis: Floats) -> Inside:
    """Which faces are neither along an axis nor across it."""
    slopes = surfaces.slopes(axis)
    return np.asarray((slopes > SLOPING) & (slopes < 1 - 1e-6))
