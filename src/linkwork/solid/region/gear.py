"""Involute gears and racks as regions; flanks and roots are arcs within a stated deviation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from linkwork.solid.region.edge import Arc, Edge, Point
from linkwork.solid.region.fault import RegionError, positive
from linkwork.solid.region.involute import Involute, Root
from linkwork.solid.region.region import Region
from linkwork.solid.region.transform import Similarity

STANDARD_ANGLE: Final = math.radians(20)

DEVIATION: Final = 1e-3
"""Of the module: how far arcs may be from the involute, unless it is stated."""

NEAR: Final = 1e-9
"""Of the radius: ends that are nearer than this have no arc between them."""

RIM: Final = 2.5
"""Modules of material behind the teeth of a ring or a rack, unless it is given."""


def involute_gear(
    teeth: int,
    module: float,
    pressure_angle: float = STANDARD_ANGLE,
    addendum: float = 1.0,
    dedendum: float = 1.25,
    backlash: float = 0.0,
    shift: float = 0.0,
    internal: bool = False,
    *,
    rim: float | None = None,
    deviation: float | None = None,
) -> Region:
    """A spur gear about the origin with a tooth on the positive x-axis.

    ``addendum``, ``dedendum`` and the profile ``shift`` count in modules, outwards from the reference circle of
    diameter ``teeth`` × ``module``; ``backlash`` is the length by which each tooth is thinner on that circle.
    Roots are those that a rack cuts, with undercut where there are few teeth; teeth that would be pointed below
    their tip circle end where their flanks meet. An ``internal`` gear is a ring with teeth inwards and ``rim``
    behind their roots; its roots have sharp corners, and its tips end at the base circle if that comes first. To
    clear the roots of a small pinion they have to be lower, such as ``addendum=0.7``.

    >>> gear = involute_gear(20, 2)
    >>> round(gear.box[1][0], 9), gear.components[0] == gear
    (22.0, True)
    """
    form = _Form.checked(teeth, module, pressure_angle, addendum, dedendum, backlash, shift)
    within = DEVIATION * form.module if deviation is None else deviation
    if not internal:
        return Region.from_outline(_repeated(_tooth(form, within), form.teeth))
    behind = RIM * form.module if rim is None else positive("the rim of a gear", rim)
    gap, root = _gap(form, within)
    return Region.circle(root + behind) - Region.from_outline(_repeated(gap, form.teeth))


def rack(
    teeth: int,
    module: float,
    pressure_angle: float = STANDARD_ANGLE,
    addendum: float = 1.0,
    dedendum: float = 1.25,
    backlash: float = 0.0,
    *,
    rim: float | None = None,
) -> Region:
    """A rack along the x-axis, which is its reference line, with the teeth upwards and the first one at x = 0.

    >>> rack(3, 2).box[1]
    (15.707963267948966, 2.0)
    """
    form = _Form.checked(teeth, module, pressure_angle, addendum, dedendum, backlash, 0.0, least=1)
    m, pitch, slope = form.module, math.pi * form.module, math.tan(form.angle)
    behind = RIM * m if rim is None else positive("the rim of a rack", rim)
    half_tip = form.thickness / 2 - addendum * m * slope
    half_root = form.thickness / 2 + dedendum * m * slope
    if half_tip < 0 or half_root > pitch / 2:
        raise RegionError(
            "the teeth of a rack are pointed or touch at their roots",
            got=f"addendum {addendum:g}, dedendum {dedendum:g}, pressure angle {math.degrees(form.angle):g}°",
            fix="a smaller addendum, dedendum or pressure angle",
        )
    low, base = -dedendum * m, -dedendum * m - behind
    corners: list[Point] = [(-pitch / 2, base), ((form.teeth - 0.5) * pitch, base)]
    corners.append(((form.teeth - 0.5) * pitch, low))
    for place in reversed(range(form.teeth)):
        at = place * pitch
        corners += [(at + half_root, low), (at + half_tip, addendum * m)]
        corners += [(at - half_tip, addendum * m), (at - half_root, low)]
    corners.append((-pitch / 2, low))
    return Region.polygon(corners)


@dataclass(frozen=True)
class _Form:
    """The numbers of a gear; heights in modules."""

    teeth: int
    module: float
    angle: float
    addendum: float
    dedendum: float
    backlash: float
    shift: float

    @staticmethod
    def checked(
        teeth: int,
        module: float,
        angle: float,
        addendum: float,
        dedendum: float,
        backlash: float,
        shift: float,
        least: int = 3,
    ) -> _Form:
        if teeth != int(teeth) or teeth < least:
            raise RegionError(f"a gear has {teeth} teeth", wanted=f"a whole number, {least} or more")
        positive("the module of a gear", module)
        if not 0 < angle < math.pi / 4:
            raise RegionError(
                f"the pressure angle of a gear is {angle:g} radians",
                wanted="an angle between 0 and π/4",
                fix="pressure_angle=math.radians(20)",
            )
        for what, height in (("addendum", addendum), ("dedendum", dedendum)):
            positive(f"the {what} of a gear", height)
        form = _Form(int(teeth), float(module), angle, addendum, dedendum, backlash, shift)
        if not (0 < form.thickness < math.pi * module):
            raise RegionError(
                f"the teeth of a gear are {form.thickness:.6g} thick on the reference circle",
                wanted=f"between 0 and the pitch, {math.pi * module:.6g}",
                fix="a smaller backlash or shift",
            )
        return form

    @property
    def reference(self) -> float:
        return self.teeth * self.module / 2

    @property
    def thickness(self) -> float:
        """Of a tooth on the reference circle."""
        return self.module * (math.pi / 2 + 2 * self.shift * math.tan(self.angle)) - self.backlash

    def radius(self, height: float) -> float:
        """The radius at a height in modules above the shifted reference circle."""
        radius = self.reference + (height + self.shift) * self.module
        if radius <= 0:
            raise RegionError(
                "the roots of a gear are beyond its centre",
                got=f"{self.teeth} teeth, dedendum {self.dedendum:g}, shift {self.shift:g}",
                fix="more teeth or a smaller dedendum",
            )
        return radius

    def root(self) -> Root:
        """The rack's rounding ends where the mating tip does, unless its teeth are too thin for that."""
        m, sine, cosine = self.module, math.sin(self.angle), math.cos(self.angle)
        half = (math.pi * m / 2 + self.backlash) / 2
        full = (half * cosine - self.dedendum * m * sine) / (1 - sine)
        if full < 0:
            raise RegionError(
                "the gaps of a gear are pointed above its roots",
                got=f"dedendum {self.dedendum:g}, pressure angle {math.degrees(self.angle):g}°",
                fix="a smaller dedendum or pressure angle",
            )
        rounding = min(max(0.0, (self.dedendum - self.addendum) * m / (1 - sine)), full)
        below = self.dedendum * m - rounding
        across = half - (rounding + below * sine) / cosine
        return Root(self.reference, math.pi / self.teeth, rounding, across, below - self.shift * m)


def _tooth(form: _Form, deviation: float) -> list[Edge]:
    """The outline of a tooth about the x-axis, from the middle of a gap to the middle of the next."""
    flank = Involute(form.reference, form.angle, form.thickness)
    root = form.root()
    form.radius(-form.dedendum)
    beta, start = root.joins(flank)
    tip = flank.tip(form.radius(form.addendum))
    if tip <= start:
        raise RegionError(
            "the teeth of a gear end below their flanks",
            got=f"{form.teeth} teeth, addendum {form.addendum:g}, shift {form.shift:g}",
            fix="a larger addendum or more teeth",
        )
    return _symmetric([*root.edges(beta, deviation), *flank.edges(start, tip, deviation)])


def _gap(form: _Form, deviation: float) -> tuple[list[Edge], float]:
    """The outline of a gap of an internal gear, half a pitch from the x-axis, and the radius of its root.

    The gaps of a ring are as wide as the teeth of a gear with the same shift and no backlash, and wider by it.
    """
    flank = Involute(form.reference, form.angle, form.thickness + 2 * form.backlash)
    inner = max(form.radius(-form.addendum), flank.base)
    outer = flank.tip(form.radius(form.dedendum))
    turn = Similarity.turn(math.pi / form.teeth, (0.0, 0.0))
    edges = _symmetric(flank.edges(flank.at_radius(inner), outer, deviation))
    return [turn.edge(edge) for edge in edges], abs(flank.at(outer))


def _symmetric(upper: list[Edge]) -> list[Edge]:
    """An outline that goes outwards below the x-axis, along a circle, and back inwards above it."""
    mirror = Similarity.mirror((0.0, 1.0))
    return [
        *(mirror.edge(edge) for edge in upper),
        *_arc(mirror.point(upper[-1].end), upper[-1].end),
        *(edge.reversed for edge in reversed(upper)),
    ]


def _repeated(tooth: list[Edge], count: int) -> list[Edge]:
    """The outline repeated around the origin, with arcs between."""
    found: list[Edge] = []
    for place in range(count):
        turn = Similarity.turn(2 * math.pi * place / count, (0.0, 0.0))
        around = [turn.edge(edge) for edge in tooth]
        found += _arc(found[-1].end, around[0].start) if found else []
        found += around
    return [*found, *_arc(found[-1].end, found[0].start)]


def _arc(start: Point, end: Point) -> list[Edge]:
    """Anticlockwise about the origin; none between points that are the same."""
    radius = math.hypot(*start)
    return [Arc(start, end, (0.0, 0.0), True, radius)] if math.dist(start, end) > NEAR * radius else []
