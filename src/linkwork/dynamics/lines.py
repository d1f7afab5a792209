"""A machine in motion, as short lines: where each frame stands and how it moves, in terms of what carries it.

Places are lines x = f(what comes before), speeds are lines u = Σ c·(speeds that come before) + d. What depends on a
chain of n frames then needs lines in proportion to n, not to its square: each frame's place, velocity and angular
velocity are written with those of its carrier,

    o = o_c + R_c·s,   v = v_c + ω_c × (o − o_c) + R_c·s',   ω = ω_c + R_c·ω_own,   R' = ω × R.

Names: ``V_q`` is the rate of the coordinate or line q; ``W_f.x`` is a component of the angular velocity of f.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from linkwork.algebra import (
    Expression,
    Number,
    Symbol,
    directional,
    free_symbols,
    number,
    substitute,
    symbol,
)
from linkwork.algebra.expression import ZERO, core_of
from linkwork.model import Machine
from linkwork.model.drive import CLOCK
from linkwork.model.formula_reader import AXES
from linkwork.model.part import GROUND, ROTATION, TURN
from linkwork.model.placed import RATES, Placed, coordinate_names, turned_axes
from linkwork.model.vector import Vector
from linkwork.model.world import World


def rate_symbol(name: str) -> Symbol:
    """The rate of a coordinate or line."""
    return symbol(f"V_{name}")


class Lines(World):
    """The world of a machine whose frames are lines."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.places: dict[Symbol, Expression] = {}
        self.speeds: dict[Symbol, Expression] = {}
        self._rate_of: dict[Symbol, Expression] = {CLOCK: number(1)}
        self._frames: dict[str, Placed] = {}
        self._spins: dict[str, Vector] = {}
        self._velocities: dict[str, Vector] = {}
        self._turns: dict[str, tuple[Vector, Expression]] = {}
        self._expanded: dict[Symbol, Expression] = {}
        self._expanded_speeds: dict[Symbol, Expression] = {}

    # --------------------------------------------------------------------------------- rates

    def rates(self, *expressions: Expression) -> dict[Expression, Expression]:
        """The rate of each coordinate and line that the expressions mention; of time it is 1."""
        return {leaf: self._rate(leaf) for leaf in free_symbols(*expressions) if self._moves(leaf)}

    def _is_rate(self, name: str) -> bool:
        return name.startswith(("V_", "W_")) or super()._is_rate(name)

    def _moves(self, leaf: Symbol) -> bool:
        return leaf in self._rate_of or self.is_coordinate(leaf)

    def _rate(self, leaf: Symbol) -> Expression:
        found = self._rate_of.get(leaf)
        return rate_symbol(leaf.name) if found is None else found

    def is_coordinate(self, leaf: Symbol) -> bool:
        """Whether a name is a coordinate of a part, a frame or a joint."""
        owner, _, which = leaf.name.rpartition(".")
        machine = self.machine
        if owner in machine.frames:
            return which in machine.frames[owner].coordinates(self.dimension)
        if owner in machine.joints:
            return which in machine.joints[owner].unknowns() or (owner in self._angles and which == "angle")
        return owner in machine.moving and which in coordinate_names(self.dimension)

    def along(self, values: Sequence[Expression]) -> list[Expression]:
        """The time derivatives of expressions of coordinates and lines."""
        return directional(values, self.rates(*values))

    def resolved(self, expressions: Sequence[Expression]) -> list[Expression]:
        """Names of points, joints and rates replaced by what they stand for here."""
        found = super().resolved(expressions)
        rates: dict[Expression, Expression] = {}
        for leaf in free_symbols(*found):
            coordinate = self._rated(leaf.name)
            if coordinate:
                rates[leaf] = self._rate(symbol(coordinate))
        return substitute(found, rates) if rates else found

    def _is_plain(self, name: str) -> bool:
        """Whether a name is a line, a coordinate or a rate itself."""
        leaf = symbol(name)
        if leaf in self.places or leaf in self.speeds:
            return True
        is_rate = name.startswith("V_") and self.is_coordinate(symbol(name.removeprefix("V_")))
        return is_rate or super()._is_plain(name)

    def _rated(self, name: str) -> str:
        """The coordinate whose rate a user's name such as crank.vx, A.s_rate or car.tz_rate is; else nothing."""
        owner, _, which = name.rpartition(".")
        if owner in self.machine.moving:
            return next((f"{owner}.{each}" for each, rate in RATES.items() if rate == which), "")
        is_rate = which.endswith("_rate") and (owner in self.machine.frames or owner in self.machine.joints)
        coordinate = name.removesuffix("_rate")
        return coordinate if is_rate and self.is_coordinate(symbol(coordinate)) else ""

    # -------------------------------------------------------------------------------- frames

    def frame(self, reference: str) -> Placed:
        if reference not in self.machine.frames:
            return super().frame(reference)
        if reference not in self._frames:
            self._enter(reference)
        return self._frames[reference]

    def _enter(self, name: str) -> None:
        """Lines for a frame and, before it, for what carries it."""
        given = self.machine.frames[name]
        carrier, inner = self.frame(given.on), given.moved(name, self.dimension)
        placed = carrier.holding(inner)
        free = free_symbols(*placed.origin, *(entry for axis in placed.axes for entry in axis))
        if not any(map(self._moves, free)):
            self._frames[name] = placed
            return
        self._enter_spin(name, carrier)
        velocity = self._velocity_on(given.on, carrier, inner, placed.origin)
        axes = self._axes(name, given.on, placed)
        origin = Vector(
            tuple(
                self.place(f"{name}.{axis}", entry, speed)
                for axis, entry, speed in zip(AXES, placed.origin, velocity, strict=False)
            )
        )
        turns = self._spins[name][0]  # in the plane the rate of the angle, under one name
        angle = None if placed.angle is None else self.place(f"{name}.angle", placed.angle, turns)
        if angle is not None:
            axes = Placed.at(name, (*Vector.zero(2), angle)).axes
        self._velocities[name] = Vector(tuple(self._rate_in(entry) for entry in origin))
        owner = name if given.varies else placed.part
        self._frames[name] = Placed(owner, origin, axes, angle, placed.scale)

    def _velocity_on(self, on: str, carrier: Placed, inner: Placed, origin: Vector) -> list[Expression]:
        if carrier.scale is not None:
            return self.along([*origin])
        swept = cross(self.spin(on), carrier.direction(inner.origin))
        own = carrier.direction(Vector(tuple(self.along([*inner.origin]))))
        return [*(self.velocity(on) + swept + own)]

    def _enter_spin(self, name: str, carrier: Placed) -> None:
        given = self.machine.frames[name]
        own = self.own_spin(name)
        spin = self.spin(given.on)
        total = spin + (own if len(own) == 1 else carrier.direction(own))
        names = AXES if len(total) == 3 else ("turn",)
        self._spins[name] = Vector(
            tuple(self.speed(f"W_{name}.{axis}", entry) for axis, entry in zip(names, total, strict=False))
        )

    def _axes(self, name: str, on: str, placed: Placed) -> tuple[Vector, ...]:
        """The axes of a frame in space; where it turns about the same axis as its carrier, by the sum of the angles."""
        given = self.machine.frames[name]
        if self.dimension == 2:
            return placed.axes
        free = given.coordinates(3)
        about, angle = self._turns.get(on, (None, ZERO)) if on != GROUND else (None, ZERO)
        if TURN in free and given.is_plain_turn and given.quaternion is None:
            axis = given.turning_axis()
            if on == GROUND or about == axis:
                total = self.place(f"{name}.angle", angle + symbol(f"{name}.turn"))
                self._turns[name] = (axis, total)
                return turned_axes(axis, total)
        if not {*ROTATION, TURN} & {*free} and placed.axes == self.frame(on).axes:
            if on in self._turns:
                self._turns[name] = self._turns[on]
            return placed.axes
        rates = [cross(self._spins[name], axis) for axis in placed.axes]
        return tuple(
            Vector(
                tuple(
                    self.place(f"{name}.r{row}{column}", entry, speed)
                    for row, (entry, speed) in enumerate(zip(axis, rate, strict=True), 1)
                )
            )
            for column, (axis, rate) in enumerate(zip(placed.axes, rates, strict=True), 1)
        )

    def spin(self, reference: str) -> Vector:
        if reference in self.machine.frames:
            self.frame(reference)
            return self._spins.get(reference, self.spin(self.machine.frames[reference].on))
        owner = reference.partition(".")[0]
        if self.dimension == 2 or owner not in self.machine.moving:
            return super().spin(reference)
        if owner not in self._spins:
            total = super().spin(owner)
            self._spins[owner] = Vector(
                tuple(self.speed(f"W_{owner}.{axis}", entry) for axis, entry in zip(AXES, total, strict=True))
            )
        return self._spins[owner]

    def velocity(self, reference: str) -> Vector:
        if reference in self.machine.frames:
            frame = self.frame(reference)
            return self._velocities.get(reference, Vector(tuple(self.along([*frame.origin]))))
        owner, _, point = reference.partition(".")
        carrier = self.part(owner)
        local = self.machine.part(owner).points[point] if point else Vector.zero(self.dimension)
        return self.local_velocity(owner, carrier, local)

    def local_velocity(self, owner: str, carrier: Placed, local: Vector) -> Vector:
        """The velocity of a point of a part or frame, given in its axes."""
        of_origin = self.velocity(owner) if owner in self.machine.frames else self._part_velocity(carrier)
        return of_origin + cross(self.spin(owner), carrier.direction(local))

    def _part_velocity(self, carrier: Placed) -> Vector:
        return Vector(tuple(self.along([*carrier.origin])))

    # --------------------------------------------------------------------------------- lines

    def place(self, name: str, value: Expression, speed: Expression | None = None) -> Expression:
        """A value under a name, with its rate; names and their multiples keep to themselves."""
        if _is_simple(value):
            return value
        leaf = symbol(name)
        self.define(leaf, value, self.along([value])[0] if speed is None else speed)
        return leaf

    def define(self, leaf: Symbol, value: Expression, speed: Expression) -> None:
        """A line for a name, whatever its value."""
        self.places[leaf] = value
        self._rate_of[leaf] = self.speed(f"V_{leaf.name}", speed)

    def become_line(self, leaf: Symbol, value: Expression) -> None:
        """A coordinate becomes a line; lines made before may mention its rate."""
        speed = self.along([value])[0]
        self.define(leaf, value, speed)
        self.speeds[rate_symbol(leaf.name)] = speed

    def speeds_in_order(self) -> dict[Symbol, Expression]:
        """The speeds, each after those it is made of."""
        found: dict[Symbol, Expression] = {}
        waiting = list(reversed(self.speeds))
        while waiting:
            leaf = waiting[-1]
            inner = [each for each in free_symbols(self.speeds[leaf]) if each in self.speeds]
            missing = [each for each in inner if each not in found]
            if leaf in found or not missing:
                waiting.pop()
                found.setdefault(leaf, self.speeds[leaf])
            else:
                waiting += missing
        return found

    def speed(self, name: str, value: Expression) -> Expression:
        """A speed under a name."""
        if _is_simple(value):
            return value
        leaf = symbol(name)
        self.speeds[leaf] = value
        return leaf

    def _rate_in(self, entry: Expression) -> Expression:
        return self.along([entry])[0]

    # ----------------------------------------------------------------------------- expanding

    def expanded(self, values: Iterable[Expression]) -> list[Expression]:
        """The values in terms of coordinates and their rates alone."""
        return _put_in(list(values), {**self.places, **self.speeds}, self._expanded)

    def expanded_speeds(self, values: Iterable[Expression]) -> list[Expression]:
        """The values in terms of the rates of coordinates; places stay lines."""
        return _put_in(list(values), self.speeds, self._expanded_speeds)


def _put_in(
    values: list[Expression], lines: Mapping[Symbol, Expression], known: dict[Symbol, Expression]
) -> list[Expression]:
    """Values with lines replaced by what they are made of; ``known`` has the lines that were needed before."""
    waiting = [leaf for leaf in free_symbols(*values) if leaf in lines]
    while waiting:
        leaf = waiting[-1]
        inner = [] if leaf in known else [each for each in free_symbols(lines[leaf]) if each in lines]
        missing = [each for each in inner if each not in known]
        if missing:
            waiting += missing
            continue
        if leaf not in known:
            replaced: dict[Expression, Expression] = {each: known[each] for each in inner}
            known[leaf] = substitute([lines[leaf]], replaced)[0] if replaced else lines[leaf]
        waiting.pop()
    return substitute(values, dict(known.items())) if known else values


def _is_simple(value: Expression) -> bool:
    core = core_of(value)
    return isinstance(core, Number | Symbol)


def cross(spin: Vector, arm: Vector) -> Vector:
    """ω × r, in the plane and in space."""
    return arm.turned_left() * spin[0] if len(spin) == 1 else spin.cross(arm)
