"""Equilibria of a tree of pawls that touches in given ways, and the curve of them over time.

With hinge angles θ, springs k, contacts that slide (their force at the rim of the friction cone, against the
sliding ``s``) and contacts that stick (both coordinates held), equilibria are the solutions of

    gap_c(t, θ) = 0                     for all contacts; along_c(t, θ) = anchor_c for those that stick
    a·k(θ - rest) = Σ λ_c (∂gap_c/∂θ - μ s_c ∂along_c/∂θ) + Σ_stuck (λ_c ∂gap_c/∂θ + f_c ∂along_c/∂θ)
    a² + |λ|² + |f|² = 1.

The multipliers are homogeneous: true forces are λ/a, so a force that grows without bound is a → 0, an ordinary
point of the curve. There is one unknown more than equations, and the curve of solutions is followed by its
length (pseudo-arclength), so that it may turn back in time, where what held the tree is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from linkwork.fasten.tree.bodies import Bodies, Floats, Pair, Pose, Touch

ROUNDING = 1e-13
"""Residual at which an equilibrium is found, in units of the design's size."""
AT_REST = 1e-9
"""Radians within which a hinge that bears nothing is at rest."""
MOST_STEPS = 12
"""Of Newton's method."""
FARTHEST = 1e9
"""A step of Newton's method beyond this leads nowhere: multipliers of solutions are at most 1."""
UNBOUNDED = 1e-6
"""The springs' share in a balance below which some contact force grows without bound."""
SEEN = 1e-10
"""Multipliers below this are zero but for rounding."""


@dataclass(frozen=True)
class Hold:
    """A contact under force; ``slide`` is the way it slides along the edge, 0 where it sticks at ``anchor``."""

    touch: Touch
    slide: int = 1
    anchor: float = 0.0

    @property
    def rows(self) -> int:
        """How many conditions, and forces, it has."""
        return 1 if self.slide else 2


Mode: TypeAlias = tuple[Hold, ...]


class Equilibria:
    """The equilibria of one mode; unknowns are t, θ, the multipliers and a, in this order."""

    def __init__(self, bodies: Bodies, mode: Mode, mu: float) -> None:
        self.bodies, self.mode, self.mu = bodies, mode, mu
        self.forces = sum(hold.rows for hold in mode)
        self.is_free = ~bodies.carries[[hold.touch.body for hold in mode]].any(axis=0)
        """Which hinges bear no contact, neither of their own pawl nor of one that it carries."""
        self.stiffness, self.relaxed = bodies.k.tolist(), bodies.rest.tolist()

    def residual(self, y: Floats) -> Floats:
        """What must vanish: the contacts' conditions, the size of the multipliers less 1, the balance."""
        bodies, values = self.bodies, y.tolist()
        count, share = bodies.count, values[-1]
        pose = bodies.pose(values[0], values[1 : 1 + count])
        balance = [
            share * k * (angle - rest)
            for k, angle, rest in zip(self.stiffness, values[1 : 1 + count], self.relaxed, strict=True)
        ]
        conditions, at = [], 1 + count
        for hold in self.mode:
            (nx, ny), (tx, ty), (ox, oy), arms, sense = bodies.lever(hold.touch, pose)
            conditions.append(ox * nx + oy * ny)
            if not hold.slide:
                conditions.append(ox * tx + oy * ty - hold.anchor)
            fx, fy = self._push(hold, values, at, (nx, ny), (tx, ty))
            for hinge, (x, y_) in zip(bodies.chains[hold.touch.body], arms, strict=True):
                balance[hinge] -= sense * (x * fy - y_ * fx)
            at += hold.rows
        size = sum(value * value for value in values[1 + count :]) - 1.0
        return np.array([*conditions, size, *balance])

    def _push(self, hold: Hold, values: list[float], at: int, normal: Pair, tangent: Pair) -> Pair:
        """The force of a contact, by its multipliers from a place on."""
        press = values[at]
        rub = -self.mu * hold.slide * press if hold.slide else values[at + 1]
        return press * normal[0] + rub * tangent[0], press * normal[1] + rub * tangent[1]

    def jacobian(self, y: Floats) -> Floats:
        """Derivatives of the residual, one column an unknown (formulas at the head of ``bodies``)."""
        bodies, values = self.bodies, y.tolist()
        count, share = bodies.count, values[-1]
        pose = bodies.pose(values[0], values[1 : 1 + count])
        vx, vy = bodies.heading
        rows = [[0.0] * len(values) for _ in range(len(values) - 1)]
        size, below = rows[self.forces], rows[self.forces + 1 :]
        size[1 + count :] = [2.0 * value for value in values[1 + count :]]
        for hinge, row in enumerate(below):
            row[1 + hinge] = share * self.stiffness[hinge]
            row[-1] = self.stiffness[hinge] * (values[1 + hinge] - self.relaxed[hinge])
        at, condition = 1 + count, 0
        for hold in self.mode:
            normal, tangent, _, arms, sense = bodies.lever(hold.touch, pose)
            chain = bodies.chains[hold.touch.body]
            for (ex, ey), (gx, gy) in self._axes(hold, normal, tangent):
                row = rows[condition]
                row[0] = sense * (vx * ex + vy * ey)
                for hinge, (x, y_) in zip(chain, arms, strict=True):
                    row[1 + hinge] = sense * (x * ey - y_ * ex)
                    below[hinge][1 + count + condition] = -sense * (x * gy - y_ * gx)
                condition += 1
            force = self._push(hold, values, at, normal, tangent)
            self._bend(below, chain, arms, sense, force)
            at += hold.rows
        return np.array(rows)

    def _axes(self, hold: Hold, normal: Pair, tangent: Pair) -> tuple[tuple[Pair, Pair], ...]:
        """For each condition of a contact the direction that it keeps, and that in which its multiplier pushes."""
        if not hold.slide:
            return (normal, normal), (tangent, tangent)
        part = self.mu * hold.slide
        return ((normal, (normal[0] - part * tangent[0], normal[1] - part * tangent[1])),)

    def _bend(
        self, below: list[list[float]], chain: list[int], arms: list[Pair], sense: float, force: Pair
    ) -> None:
        """How the torque of a contact changes with the angles, and with time where its edge turns."""
        fx, fy = force
        vx, vy = self.bodies.heading
        torques = [x * fx + y * fy for x, y in arms]
        choose = max if sense > 0 else min
        for i, first in enumerate(chain):
            row = below[first]
            for j, second in enumerate(chain):
                row[1 + second] += torques[choose(i, j)]
            if sense < 0:
                row[0] -= vx * fy - vy * fx

    def solved(self, y: Floats, row: Floats, value: float, within: float = 1.0) -> Floats | None:
        """The solution near ``y`` with row·y = value; none where Newton's method finds none within so much."""
        first, last = y, 1 + self.bodies.count
        for _ in range(MOST_STEPS):
            rest = np.append(self.residual(y), row @ y - value)
            if np.abs(rest).max() < ROUNDING:
                return self._rested(y)
            if np.abs(y[:last] - first[:last]).max() > 2 * within:
                return None
            matrix = np.vstack([self.jacobian(y), row])
            try:
                step = np.linalg.solve(matrix, rest)
            except np.linalg.LinAlgError:
                return None
            if not np.abs(step).max() < FARTHEST or np.abs(step[: 1 + self.bodies.count]).max() > 1.0:
                return None
            y = y - step
        return self._rested(y) if np.abs(self.residual(y)).max() < 100 * ROUNDING else None

    def _rested(self, y: Floats) -> Floats:
        return np.concatenate([y[:1], self.rested(y[1 : 1 + self.bodies.count]), y[1 + self.bodies.count :]])

    def rested(self, theta: Floats) -> Floats:
        """Angles without the rounding of hinges that are free: these are at rest."""
        is_near = np.abs(theta - self.bodies.rest) < AT_REST
        return np.where(self.is_free & is_near, self.bodies.rest, theta)

    def at_time(self, y: Floats, t: float, within: float = 1.0) -> Floats | None:
        """The solution near ``y`` at a time."""
        row = np.zeros(len(y))
        row[0] = 1.0
        guess = y.copy()
        guess[0] = t
        return self.solved(guess, row, t, within)

    def guess(self, t: float, theta: Floats) -> Floats:
        """Unknowns at a configuration, with the forces that come nearest to balance."""
        pose = self.bodies.pose(t, theta.tolist())
        columns = [column for hold in self.mode for column in self._pushes(hold, pose)]
        offset = self.bodies.offset(theta)
        forces = (
            np.linalg.lstsq(np.stack(columns, axis=-1), offset, rcond=None)[0] if columns else np.zeros(0)
        )
        share = 1.0 / math.sqrt(1.0 + float(forces @ forces))
        return np.concatenate([[t], theta, share * forces, [share]])

    def _pushes(self, hold: Hold, pose: Pose) -> Iterator[Floats]:
        found = self.bodies.contact(hold.touch, pose)
        if hold.slide:
            yield np.asarray(found.gap_by - self.mu * hold.slide * found.along_by)
        else:
            yield np.asarray(found.gap_by)
            yield np.asarray(found.along_by)

    def pushes(self, y: Floats) -> Floats:
        """How each multiplier turns the hinges, one column each."""
        pose = self.bodies.pose(float(y[0]), y[1 : 1 + self.bodies.count].tolist())
        columns = [column for hold in self.mode for column in self._pushes(hold, pose)]
        return np.stack(columns, axis=-1) if columns else np.zeros((self.bodies.count, 0))

    def tangent(self, y: Floats, like: Floats | None = None) -> Floats | None:
        """The curve's direction, of length 1 in time and angles, onwards in time or as another one."""
        if len(y) == 2 + self.bodies.count:
            found = np.zeros(len(y))
            found[0] = 1.0
            return found
        _, size, rows = np.linalg.svd(self.jacobian(y))
        if size[-1] < 1e-12 * size[0]:
            return None
        found = rows[-1]
        length = float(np.linalg.norm(found[: 1 + self.bodies.count]))
        if length < 1e-9:
            return None
        sense = found[0] if like is None else float(found @ like)
        return np.asarray(found / math.copysign(length, sense))

    def is_stable(self, y: Floats) -> bool:
        """Whether the tree turns back when it is turned a little along its contacts, with the forces as they are.

        Springs and hinges' damping are in proportion, so with Z the turns that keep the contacts and L those on
        which their forces do no work, Lᵀk Z η' = -Lᵀ(k - Σλ ∂²gap) Z η must decay.
        """
        count, rows = self.bodies.count, self.forces
        if rows >= count:
            return True
        matrix = self.jacobian(y)
        balance, along = matrix[rows + 1 :, 1 : 1 + count], matrix[:rows, 1 : 1 + count]
        keeps = np.linalg.svd(along)[2][rows:].T if rows else np.eye(count)
        pushes = self.pushes(y)
        idle = np.linalg.svd(pushes.T)[2][rows:].T if rows else np.eye(count)
        damping = idle.T @ (self.bodies.k[:, None] * keeps)
        try:
            decay = np.linalg.eigvals(np.linalg.solve(damping, idle.T @ balance @ keeps))
        except np.linalg.LinAlgError:
            return False
        return bool((decay.real * math.copysign(1.0, y[-1]) > 1e-9).all())

    def press(self, y: Floats) -> list[tuple[float, float]]:
        """λ and f of every contact, in balance with the springs."""
        found, at = [], 1 + self.bodies.count
        with np.errstate(divide="ignore", invalid="ignore"):
            for hold in self.mode:
                press = float(y[at] / y[-1]) if y[-1] else math.inf
                rub = -self.mu * hold.slide * press if hold.slide else float(y[at + 1] / y[-1])
                found.append((press, rub))
                at += hold.rows
        return found

    def limits(self, y: Floats) -> list[tuple[float, float]]:
        """``press``, towards the end of a curve on which the springs' share vanishes: inf for what has no limit.

        There λ_c → λ_c0 along the curve, and the force λ_c/a has a limit, dλ_c/da, only where λ_c0 = 0:
        beside a contact that jams others may press as lightly as ever.
        """
        known = self.press(y)
        if y[-1] >= UNBOUNDED:
            return known
        slopes = self._by_share(y)
        kept = np.abs(y - slopes * y[-1]) <= np.maximum(SEEN, np.abs(y) / 2)
        each = iter(np.where(kept, slopes, math.inf)[1 + self.bodies.count : -1].tolist())
        forces = [[next(each) for _ in range(hold.rows)] for hold in self.mode]
        return [
            (force[0], force[-1] if not hold.slide else -self.mu * hold.slide * force[0] if self.mu else 0.0)
            for hold, force in zip(self.mode, forces, strict=True)
        ]

    def _by_share(self, y: Floats) -> Floats:
        """How the unknowns go along the curve with the springs' share; hinges that nothing turns stay."""
        row = np.zeros(len(y))
        row[-1] = 1.0
        matrix = np.vstack([self.jacobian(y), row])
        return np.asarray(np.linalg.lstsq(matrix, row, rcond=SEEN)[0], dtype=np.float64)
