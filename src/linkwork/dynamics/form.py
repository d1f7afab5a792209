"""Accelerations by Gauss's principle: a quadratic form over the accelerations of all lines, eliminated line by line.

The accelerations make ½·Σ (u' − f/m)·m·(u' − f/m) least, under the constraints. With u' = a + C, where C is what is
known (the convective part) and a is linear in the accelerations of the variables, that is

    ½·a'Ka − b'a + λ·(Ja − d)   with   K = Σ m,  b = f − m·C,  d = −(the convective part of the constraints),

a sparse symmetric system over lines, variables and multipliers. Lines are replaced by what they are made of, last
line first; a variable that no constraint touches is eliminated as soon as no line mentions it
(:mod:`linkwork.mechanics.quadratic`). What constraints touch is left over, as a symmetric matrix to be factored in
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from linkwork.algebra import Definition, Expression, Symbol, directional, free_symbols, gradient, symbol
from linkwork.algebra.expression import ZERO
from linkwork.dynamics.lines import Lines, cross
from linkwork.dynamics.specification import Body, Specification, is_isotropic, times
from linkwork.errors import LinkworkError
from linkwork.mechanics.quadratic import QuadraticForm
from linkwork.model.placed import Placed
from linkwork.model.shape import Mass
from linkwork.model.vector import Vector


class Form:
    """The quadratic form of a specification, over the speeds of its variables and of some constraints' multipliers."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.lines: Lines = specification.lines
        self.speeds = self.lines.speeds_in_order()
        self.own = set(specification.rates.values())
        self.quadratic = QuadraticForm(self, nothing_moves)
        self.definitions: list[Definition] = []
        self._convective: dict[Symbol, Expression] = {}
        self._enter_bodies()
        self._enter_forces()

    # ------------------------------------------------------------------------------- entering

    def _enter_bodies(self) -> None:
        """½·m·v² + m·v·(ω × r) + ½·ω·I·ω of each body: v of its frame's origin O, r from there to the centre."""
        for body in self.specification.bodies:
            inertia = about_origin(body.mass)
            is_turning = any(each is not ZERO for each in inertia)
            turns = turning_axes(body.frame, inertia) if is_turning else ()
            w = Vector(tuple(body.spin @ axis for axis in turns)) if len(body.spin) == 3 else body.spin
            self._add_point(body, [*body.velocity], turns, w)
            if is_turning:
                self._add_turning(inertia, w)

    def _add_point(self, body: Body, v: Sequence[Expression], turns: Sequence[Vector], w: Vector) -> None:
        mass, centre, _ = body.mass
        if mass is ZERO:
            return
        r = body.frame.direction(centre)
        is_central = all(each is ZERO for each in centre)
        outward = Vector.zero(len(v)) if is_central else centripetal(body.spin, r)
        swept = [] if is_central else [cross(axis, r) for axis in turns or [Vector.of(1)]]
        known = Vector(tuple(self.convective(each) for each in v)) + outward
        for speed, sweep in zip(w, swept, strict=False):
            known = known + sweep * self.convective(speed)
        own = [self.slopes(each) for each in v]
        for slopes, each in zip(own, known, strict=True):
            self._add_known(slopes, mass * each)
            self._add_products(slopes, slopes, mass)
        for speed, sweep in zip(w, swept, strict=False):
            turning = self.slopes(speed)
            pull = Vector(tuple(self.convective(each) for each in v))
            self._add_known(turning, mass * (sweep @ pull))
            for slopes, lever in zip(own, sweep, strict=True):
                self._add_products(turning, slopes, mass * lever)
                self._add_products(slopes, turning, mass * lever)

    def _add_turning(self, inertia: Sequence[Expression], w: Vector) -> None:
        known = times(inertia, Vector(tuple(self.convective(each) for each in w)))
        if not is_isotropic(inertia):
            known = known + w.cross(times(inertia, w))
        slopes = [self.slopes(each) for each in w]
        for each, side in zip(slopes, known, strict=True):
            self._add_known(each, side)
        for (row, column), entry in entries_of(inertia).items():
            self._add_products(slopes[row], slopes[column], entry)

    def _add_known(self, slopes: Mapping[str, Expression], known: Expression) -> None:
        for name, slope in slopes.items():
            self.quadratic.add_b(name, -known * slope)

    def _add_products(
        self, first: Mapping[str, Expression], second: Mapping[str, Expression], weight: Expression
    ) -> None:
        """Half of a symmetric sum of products; what stands on both sides is entered once."""
        for name, slope in first.items():
            for other, other_slope in second.items():
                if name <= other:
                    self.quadratic.add_k(name, other, weight * slope * other_slope)

    def _enter_forces(self) -> None:
        for push in self.specification.pushes:
            for force, speed in zip(push.force, push.speed, strict=True):
                self._add_power(force, speed)
        power = self.lines.along([self.specification.potential])[0]
        self._add_power(-1, power)

    def _add_power(self, force: Expression | int, speed: Expression) -> None:
        if force is ZERO:
            return
        for name, slope in self.slopes(speed).items():
            self.quadratic.add_b(name, force * slope)

    def constrain(self, multiplier: Symbol, speed: Expression) -> None:
        """Add a constraint on the speeds with its multiplier."""
        self.quadratic.add_b(multiplier.name, -self.convective(speed))
        for name, slope in self.slopes(speed).items():
            self.quadratic.add_k(multiplier.name, name, slope)

    # --------------------------------------------------------------------------------- speeds

    def slopes(self, speed: Expression) -> dict[str, Expression]:
        """The derivatives of a speed by the speeds it is made of."""
        leaves = [leaf for leaf in free_symbols(speed) if leaf in self.speeds or leaf in self.own]
        slopes = gradient(speed, leaves) if leaves else []
        return {leaf.name: slope for leaf, slope in zip(leaves, slopes, strict=True) if slope is not ZERO}

    def convective(self, speed: Expression) -> Expression:
        """The part of a speed's rate that does not depend on accelerations."""
        leaves = free_symbols(speed)
        self._enter_convective(leaf for leaf in leaves if leaf in self.speeds)
        rates = self.lines.rates(speed)
        rates |= {leaf: self._convective[leaf] for leaf in leaves if leaf in self.speeds}
        return directional([speed], rates)[0] if rates else ZERO

    def _enter_convective(self, leaves: Iterable[Symbol]) -> None:
        waiting = list(leaves)
        while waiting:
            leaf = waiting[-1]
            inner = [each for each in free_symbols(self.speeds[leaf]) if each in self.speeds]
            missing = [each for each in inner if each not in self._convective]
            if leaf in self._convective or not missing:
                waiting.pop()
            if leaf not in self._convective:
                if missing:
                    waiting += missing
                else:
                    self._convective[leaf] = self.named(f"C_{leaf.name}", self.convective(self.speeds[leaf]))

    # ---------------------------------------------------------------------------- elimination

    def eliminate(self, kept: Iterable[Symbol]) -> None:
        """Replace all lines; eliminate the variables that are not ``kept``, outermost first, as soon as it pays."""
        form = self.quadratic
        made_of = {leaf.name: self.slopes(value) for leaf, value in self.speeds.items()}
        uses = {leaf.name: 0 for leaf in self.own - set(kept)}
        for slopes in made_of.values():
            for name in slopes:
                if name in uses:
                    uses[name] += 1
        outermost = [leaf.name for leaf in reversed(self.specification.rates.values())]
        waiting = dict.fromkeys(name for name in outermost if uses.get(name) == 0 and name in form)
        self._eliminate_due(waiting, set(waiting), made_of)
        for line in replacing_order(made_of, uses):
            touched = set(form.k.get(line, ()))
            if line in form:
                form.replace(line, made_of[line])
            for name in made_of[line]:
                if name in uses:
                    uses[name] -= 1
                    touched.add(name)
            ended = {name for name in made_of[line] if uses.get(name) == 0}
            waiting = dict.fromkeys(name for name in outermost if name in waiting or name in ended)
            self._eliminate_due(waiting, touched, made_of)
        for name in waiting:
            form.eliminate(name)

    def _eliminate_due(
        self, waiting: dict[str, None], touched: set[str], made_of: Mapping[str, Mapping[str, Expression]]
    ) -> None:
        """Eliminate what waits and is coupled with no more now than when the lines beside it are gone."""
        for name in [each for each in waiting if each in touched]:
            beside = {*self.quadratic.k.get(name, ())} - {name}
            later = {inner for each in beside for inner in made_of.get(each, (each,))} - {name}
            if len(beside) <= len(later):
                del waiting[name]
                self.quadratic.eliminate(name)

    def has_mass(self, rate: Symbol) -> bool:
        """Whether something with mass moves with a variable alone."""
        return rate.name in self.quadratic.k.get(rate.name, {})

    def forwards(self) -> None:
        """Enter the accelerations of what was eliminated, in terms of those that are left."""
        self.quadratic.forwards({name: self.unknown(name) for name in self.quadratic.k})

    def unknown(self, name: str) -> Symbol:
        """What is unknown of a name: the acceleration that belongs to a speed; a multiplier itself."""
        if symbol(name) not in self.own and symbol(name) not in self.speeds:
            return symbol(name)
        return symbol(f"A_{name.removeprefix('V_')}")

    def named(self, name: str, value: Expression) -> Expression:
        """A value under a name; names and numbers keep to themselves."""
        if not value.arguments or not free_symbols(value):
            return value
        self.definitions.append(Definition.of(name, value))
        return symbol(name)

    def named_row(self, name: str, row: dict[str, Expression]) -> dict[str, Expression]:
        """The values of a row under names."""
        return {other: self.named(f"{name}_{other}", value) for other, value in row.items()}

    def acceleration(self, name: str, value: Expression) -> Expression:
        """A line for the acceleration of a variable, or for the linear part of that of a line."""
        self.definitions.append(Definition.of(self.unknown(name).name, value))
        return self.unknown(name)

    linear_part = acceleration


def replacing_order(
    made_of: Mapping[str, Mapping[str, Expression]], uses: Mapping[str, int]
) -> Iterator[str]:
    """The lines, each after all that mention it.

    Of those that are ready the last that alone still mentions some variable, else the last: the variable is then
    eliminated while it is coupled with little. Along a chain the turning of a link comes before its way.
    """
    left = dict(uses)
    mentions = dict.fromkeys(made_of, 0)
    for slopes in made_of.values():
        for name in slopes:
            if name in mentions:
                mentions[name] += 1
    place = {line: number for number, line in enumerate(made_of)}
    ready = [line for line, count in mentions.items() if not count]
    while ready:
        freeing = [line for line in ready if any(left.get(name) == 1 for name in made_of[line])]
        line = max(freeing or ready, key=place.__getitem__)
        ready.remove(line)
        yield line
        for name in made_of[line]:
            if name in left:
                left[name] -= 1
            if name in mentions:
                mentions[name] -= 1
                if not mentions[name]:
                    ready.append(name)


def about_origin(mass: Mass) -> tuple[Expression, ...]:
    """The moments of inertia about the origin of the body's frame, in its axes."""
    c, m = mass.centre, mass.mass
    if len(mass.inertia) == 1:
        return (mass.inertia[0] + m * c.squared,)
    xx, yy, zz, xy, xz, yz = mass.inertia
    x, y, z = c
    return (
        xx + m * (y * y + z * z),
        yy + m * (x * x + z * z),
        zz + m * (x * x + y * y),
        xy - m * x * y,
        xz - m * x * z,
        yz - m * y * z,
    )


def turning_axes(frame: Placed, inertia: Sequence[Expression]) -> tuple[Vector, ...]:
    """The axes along which an angular velocity is taken: the body's own, unless all axes are alike."""
    if len(inertia) == 1:
        return ()
    return Placed.world(3).axes if is_isotropic(inertia) else frame.axes


def entries_of(inertia: Sequence[Expression]) -> dict[tuple[int, int], Expression]:
    """The entries of a symmetric matrix that are not zero; each product of two speeds occurs once or twice."""
    if len(inertia) == 1:
        return {(0, 0): inertia[0]}
    xx, yy, zz, xy, xz, yz = inertia
    every = {(0, 0): xx, (1, 1): yy, (2, 2): zz}
    every |= {(0, 1): xy, (1, 0): xy, (0, 2): xz, (2, 0): xz, (1, 2): yz, (2, 1): yz}
    return {place: entry for place, entry in every.items() if entry is not ZERO}


def centripetal(spin: Vector, r: Vector) -> Vector:
    """ω × (ω × r)."""
    return cross(spin, cross(spin, r))


def nothing_moves(name: str) -> LinkworkError:
    """The error for a variable that has nothing to accelerate."""
    return LinkworkError(
        f"nothing with mass moves when {name.removeprefix('V_')} does, and no constraint says how it moves",
        why="its acceleration would be a force divided by 0",
        wanted="a mass that it moves, or a constraint for it",
        fix="mass = 1",
    )
