"""Machines with teeth: wheels of every make on shafts of a plate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from solid_machines import QUARTER, Solids, box, rod

from linkwork.solid import Block, Cylinder, Prism, Shell, Solid
from linkwork.solid.mesh import polyhedron_of, solid_mesh
from linkwork.solid.region import Arc, Edge, Region, difference, involute_gear, rack, union
from linkwork.solid.shell import Arc as ArcInSpace
from linkwork.solid.shell import Patch, Segment, plane_patch, round_patch

BORE = 1.5
THICK = 4.0

Form = Callable[[int, float], Region]
"""A wheel of a number of teeth and a backlash, of module 1, a tooth on the x-axis."""


def involute(teeth: int, backlash: float = 0.0) -> Region:
    return involute_gear(teeth, 1.0, backlash=backlash)


def polygonal(teeth: int, backlash: float = 0.0) -> Region:
    """As gear libraries for OpenSCAD make them: nothing but short lines."""
    (outline,) = involute(teeth, backlash).outlines(0.01)
    return Region.polygon(outline.tolist())


def cubes(teeth: int, backlash: float = 0.0) -> Region:
    """A disc with cubes around it."""
    width, root, tip = 1.1 - backlash, teeth / 2 - 0.9, teeth / 2 + 0.75
    cube = Region.rectangle(tip, width).moved((0, -width / 2)) - Region.circle(root / 2)
    around = [cube.turned(math.tau * place / teeth) for place in range(teeth)]
    return union([Region.circle(root), *around])


def trapezoids(teeth: int, backlash: float = 0.0) -> Region:
    """A disc with trapezoids around it, as who knows no involute draws teeth: straight flanks lead and lag a little."""
    root, tip = teeth / 2 - 1.18, teeth / 2 + 0.98
    flank = [(root * 0.97, 0.97), (tip, 0.42)]
    half = [(x, y - backlash / 2) for x, y in flank]
    tooth = Region.polygon([*half, *((x, -y) for x, y in half[::-1])])
    return union([Region.circle(root), *(tooth.turned(math.tau * place / teeth) for place in range(teeth))])


Make = Callable[[Region, float], Solid]
"""A solid of a section and a height."""


def mesh_of_prism(region: Region, height: float) -> Solid:
    """As an STL file has it."""
    return polyhedron_of(solid_mesh(Prism(region, height), 0.01))


def shell_of_prism(region: Region, height: float) -> Solid:
    """As a STEP file has it: faces within edges."""
    sides = [_side(edge, height) for loop in region.loops for edge in loop]
    lids = []
    for level, up in ((0.0, False), (height, True)):
        loops = [tuple(_raised(edge, level) for edge in loop) for loop in region.loops]
        turned = loops if up else [tuple(edge.reversed() for edge in loop[::-1]) for loop in loops]
        lids.append(plane_patch((0.0, 0.0, level), (0.0, 0.0, 1.0 if up else -1.0), turned))
    return Shell((*sides, *lids))


def _raised(edge: Edge, height: float) -> Segment | ArcInSpace:
    if not isinstance(edge, Arc):
        return Segment((*edge.start, height), (*edge.end, height))
    x, y = edge.start[0] - edge.centre[0], edge.start[1] - edge.centre[1]
    u, v = edge.end[0] - edge.centre[0], edge.end[1] - edge.centre[1]
    way = 1.0 if edge.anticlockwise else -1.0
    swept = math.atan2(way * (x * v - y * u), x * u + y * v) % math.tau
    return ArcInSpace((*edge.centre, height), (x, y, 0.0), (-way * y, way * x, 0.0), 0.0, swept)


def _side(edge: Edge, height: float) -> Patch:
    low, high = _raised(edge, 0.0), _raised(edge, height)
    up, down = Segment(low.end, high.end), Segment(high.start, low.start)
    loop = (low, up, high.reversed(), down)
    (x, y), (u, v) = edge.start, edge.end
    if not isinstance(edge, Arc):
        length = math.hypot(u - x, v - y)
        return plane_patch((x, y, 0.0), ((v - y) / length, (x - u) / length, 0.0), [loop])
    base, zero = (
        (*edge.centre, 0.0),
        ((x - edge.centre[0]) / edge.radius, (y - edge.centre[1]) / edge.radius, 0.0),
    )
    return round_patch(base, (0.0, 0.0, 1.0), zero, edge.radius, 0.0, [loop], outward=edge.anticlockwise)


@dataclass(frozen=True)
class Wheel:
    """Rows of teeth on one bore, each with the height at which it begins; where it stands, how it is turned."""

    rows: Mapping[float, Region]
    at: tuple[float, float] = (0.0, 0.0)
    turned: float = 0.0
    make: Make = Prism

    def solid(self) -> Solid:
        bored = {low: self.make(region - Region.circle(BORE), THICK) for low, region in self.rows.items()}
        layers = [solid.moved((0, 0, low)) for low, solid in bored.items()]
        whole = layers[0]
        for layer in layers[1:]:
            whole |= layer
        return whole.turned(self.turned).moved((*self.at, 0))


def in_mesh(
    teeth: int, of: Wheel, partner: int, *, way: float = 0.0, apart: float | None = None
) -> tuple[tuple[float, float], float]:
    """Where a wheel of some teeth stands, and how far it is turned, whose teeth are in the gaps of a partner's."""
    distance = (teeth + partner) / 2 if apart is None else apart
    at = of.at[0] + distance * math.cos(way), of.at[1] + distance * math.sin(way)
    # in pitches of the partner, its teeth are so far behind the line of centres; those of the other go the other way
    behind = (way - of.turned) * partner / math.tau
    return at, way + math.pi + (0.5 + behind) * math.tau / teeth


def on_plate(wheels: Mapping[str, Wheel]) -> Solids:
    """The wheels on shafts of a plate."""
    reach = [max(region.box[1][0] for region in wheel.rows.values()) + 4 for wheel in wheels.values()]
    places = [wheel.at for wheel in wheels.values()]
    low = [min(at[axis] - far for at, far in zip(places, reach, strict=True)) for axis in (0, 1)]
    high = [max(at[axis] + far for at, far in zip(places, reach, strict=True)) for axis in (0, 1)]
    plate = box((low[0], low[1], -4), (high[0], high[1], -1))
    for wheel in wheels.values():
        plate |= rod(BORE, (*wheel.at, -2), 2 + max(wheel.rows) + THICK + 1)
    return {"plate": plate} | {name: wheel.solid() for name, wheel in wheels.items()}


def spur_pair(
    first: int = 12,
    second: int = 35,
    backlash: float = 0.0,
    form: Form = involute,
    *,
    make: Make = Prism,
    apart: float = 0.0,
    off: float = 0.0,
) -> Solids:
    """Two wheels; ``apart`` is how much farther their axes are than they should, ``off`` by how much one is turned."""
    one = Wheel({0.0: form(first, backlash)}, make=make)
    at, turned = in_mesh(second, one, first, way=0.3, apart=(first + second) / 2 + apart)
    return on_plate({"one": one, "other": Wheel({0.0: form(second, backlash)}, at, turned + off, make)})


def train(*teeth: int, backlash: float = 0.1) -> Solids:
    """Wheels in one layer, each in mesh with the one before."""
    found = [Wheel({0.0: involute(teeth[0], backlash)})]
    for place, (before, count) in enumerate(pairwise(teeth)):
        at, turned = in_mesh(count, found[-1], before, way=0.4 * (-1) ** place)
        found.append(Wheel({0.0: involute(count, backlash)}, at, turned))
    return on_plate({f"wheel_{place}": wheel for place, wheel in enumerate(found)})


def compound_train(*stages: tuple[int, int], backlash: float = 0.1) -> Solids:
    """Stages of a pinion and a wheel: each wheel has the pinion of the next stage above it on its arbor."""
    found = [Wheel({0.0: involute(stages[0][0], backlash)})]
    for place, (pinion, wheel) in enumerate(stages):
        at, turned = in_mesh(wheel, found[-1], pinion, way=0.9 * (-1) ** place)
        rows = {place * THICK: involute(wheel, backlash)}
        if place + 1 < len(stages):
            rows[(place + 1) * THICK] = involute(stages[place + 1][0], backlash)
        found.append(Wheel(rows, at, turned))
    return on_plate({f"arbor_{place}": wheel for place, wheel in enumerate(found)})


def ring_and_pinion(ring: int = 60, pinion: int = 20, backlash: float = 0.1) -> Solids:
    """A ring that turns in a round recess of a plate, and a pinion in it."""
    outside = involute_gear(ring, 1.0, backlash=backlash, internal=True, addendum=0.8)
    rim = outside.box[1][0]
    apart = (ring - pinion) / 2
    plate = box((-40, -40, -4), (40, 40, THICK)) - rod(rim, (0, 0, -1), THICK + 2)
    plate |= rod(BORE, (apart, 0, -2), THICK + 3)
    wheel = Prism(involute(pinion, backlash) - Region.circle(BORE), THICK)
    # a tooth of the pinion points along x, and so has a gap of the ring to be there
    solids = {"plate": plate, "ring": Prism(outside.turned(math.pi / ring), THICK)}
    return solids | {"pinion": wheel.moved((apart, 0, 0))}


def planetary(sun: int = 24, planet: int = 18, planets: int = 3, backlash: float = 0.1) -> Solids:
    """A sun on the frame's shaft, planets on an arm, and a ring that is part of the frame."""
    ring, apart = sun + 2 * planet, (sun + planet) / 2
    outside = involute_gear(ring, 1.0, backlash=backlash, internal=True, addendum=0.8)
    inside = involute(planet, backlash) - Region.circle(BORE)
    frame = box((-50, -50, -8), (50, 50, -6)) | rod(BORE, (0, 0, -7), THICK + 9)
    frame |= Prism(outside.turned(math.pi * (planet % 2) / ring), THICK)
    for x in (-45, 45):
        frame |= box((x - 2, -2, -6), (x + 2, 2, THICK)) | box(
            (min(x, 0.8 * x), -2, -3), (max(x, 0.8 * x), 2, 0)
        )
    arm = Cylinder(apart + 3, 1).moved((0, 0, -3)) - rod(BORE, (0, 0, -4), 3)
    solids = {}
    for place in range(planets):
        turn = math.tau * place / planets
        at = apart * math.cos(turn), apart * math.sin(turn)
        arm |= rod(BORE, (*at, -2.5), THICK + 3)
        # seen from the sun, whose teeth are where they are, it stands as on a straight line with it
        behind = turn * sun / math.tau
        phase = turn + math.pi + (0.5 + behind) * math.tau / planet
        solids[f"planet_{place}"] = Prism(inside, THICK).turned(phase).moved((*at, 0))
    middle = Prism(involute(sun, backlash) - Region.circle(BORE), THICK)
    return {"frame": frame, "arm": arm, "sun": middle, **solids}


def rack_and_pinion(teeth: int = 15, backlash: float = 0.1, below: bool = True) -> Solids:
    """A pinion on a shaft of a housing and a rack in its T-slot."""
    radius = teeth / 2
    # the first tooth of the rack is at x = 0: half a pitch aside, a gap is where the pinion has its tooth
    bar = Prism(rack(12, 1.0, backlash=backlash, rim=4), THICK).moved((-5.5 * math.pi, 0, 0))
    bar |= Block((12 * math.pi, 2, THICK + 4)).moved((-6 * math.pi, -5.25, -2))
    wheel = Prism(involute(teeth, backlash) - Region.circle(BORE), THICK).turned(-QUARTER)
    groove = box((-30, -5.25, -2), (30, -3.25, THICK + 2)) | box((-30, -4, 0), (30, 0, THICK))
    housing = box((-25, -9, -6), (25, -1.5, THICK + 6)) - groove
    housing |= box((-25, -9, -6), (25, 12, -3)) | rod(BORE, (0, radius, -4), THICK + 6)
    solids = {"housing": housing, "pinion": wheel.moved((0, radius, 0)), "rack": bar}
    return solids if below else {name: solid.turned(math.pi) for name, solid in solids.items()}


def lantern(pins: int = 8, teeth: int = 24) -> Solids:
    """A lantern pinion, with pins between two discs, and a wheel whose gaps the pins themselves have cut."""
    radius, pin = pins / 2, 0.65
    apart = (pins + teeth) / 2
    cut = []
    for share in range(-30, 31):
        turn = 0.5 * share / 30 * math.tau / pins * 2
        at = complex(apart, 0) - radius * complex(math.cos(turn), math.sin(turn))
        seen = at * complex(math.cos(turn * pins / teeth), math.sin(turn * pins / teeth))
        cut.append(Region.circle(pin + 0.05, (seen.real, seen.imag)))
    gap = union(cut)
    gaps = (gap.turned(math.tau * place / teeth) for place in range(teeth))
    wheel = difference(Region.circle(teeth / 2 + 0.8), gaps)
    plate = box((-20, -20, -6), (30, 20, -4)) | rod(BORE, (0, 0, -5), 8) | rod(0.8, (apart, 0, -5), 13)
    cage = Cylinder(radius + 1.5, 1).moved((0, 0, -2.5)) | Cylinder(radius + 1.5, 1).moved((0, 0, 5))
    for place in range(pins):
        turn = math.pi + math.tau * place / pins
        cage |= rod(pin, (radius * math.cos(turn), radius * math.sin(turn), -2), 7.5)
    cage -= rod(0.8, (0, 0, -4), 12)
    hub = Prism(wheel - Region.circle(BORE), 2).moved((0, 0, 0))
    return {"plate": plate, "wheel": hub, "lantern": cage.moved((apart, 0, 0))}


def changed(solids: Mapping[str, Solid], change: Callable[[Solid], Solid]) -> Solids:
    return {name: change(solid) for name, solid in solids.items()}


CHANGES: dict[str, Callable[[Solid], Solid]] = {
    "as drawn": lambda solid: solid,
    "mirrored": lambda solid: solid.mirrored((1, 0.3, 0)),
    "upside down": lambda solid: solid.mirrored((0, 0, 1)),
    "small": lambda solid: solid.scaled(1e-3),
    "large": lambda solid: solid.scaled(1e3),
    "in space": lambda solid: solid.turned(0.7, (1, 2, 0.5)).moved((30, -20, 90)),
}
"""What changes nothing about who meshes with whom."""


def star(points: int, tip: float, root: float) -> Region:
    """A star with straight sides."""
    corners = []
    for place in range(2 * points):
        radius, turn = (root if place % 2 else tip), math.pi * place / points
        corners.append((radius * math.cos(turn), radius * math.sin(turn)))
    return Region.polygon(corners)


def saw(teeth: int, tip: float, root: float) -> Region:
    """A ratchet wheel: teeth steep on one side."""
    corners = []
    for place in range(teeth):
        turn = math.tau * place / teeth
        corners += [
            (tip * math.cos(turn), tip * math.sin(turn)),
            (root * math.cos(turn), root * math.sin(turn)),
        ]
    return Region.polygon(corners[::-1])


def side_by_side(first: Region, second: Region, apart: float, turned: Sequence[float] = (0.0, 0.0)) -> Solids:
    """Two wheels on shafts of a plate, along x."""
    wheels = {
        "one": Wheel({0.0: first}, turned=turned[0]),
        "other": Wheel({0.0: second}, (apart, 0.0), turned[1]),
    }
    return on_plate(wheels)
