"""Random snap-fits, the same for the same seed: smooth ones in general position, and ones as engineers draw them.

The structured ones (hooks, ramps, racks, combs, keyholes, wedges, pinions, grids) have many coincidences:
edges along the motion, flush edges, vertices that meet vertices, gaps without clearance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

import shapely
from brute_force import rest_angle

Design: TypeAlias = dict[str, Any]
Points: TypeAlias = list[tuple[Fraction, Fraction]]

FRICTIONS = ("0", "0", "1/20", "1/10", "3/10", "1/2", "1")
STIFFNESSES = ("1", "1", "2", "1/3")
DIRECTIONS = ((1, 0), (0, -1), (1, -1), (2, -1), (1, 2), (-1, 0), (3, 1), (-1, -3))


def random_design(seed: int) -> Design:
    """The design of a seed. It starts without overlap."""
    random = Random(seed)
    make = KINDS[seed % len(KINDS)]
    for _ in range(200):
        design = make(random)
        if starts_free(design):
            return design
    raise AssertionError(f"{make.__name__} seldom starts free")


def starts_free(design: Design) -> bool:
    """Whether all polygons are simple, without doubled corners, and nothing overlaps an obstacle at the start."""
    outlines = [each["poly"] for each in (*design["obstacles"], *design["pawls"])]
    if any(a == b for poly in outlines for a, b in zip(poly, poly[1:] + poly[:1], strict=True)):
        return False
    if any(_has_spike(poly) for poly in outlines):
        return False
    shapes = [polygon(poly) for poly in outlines]
    if not all(shape.is_valid and shape.area > 0 and shape.exterior.is_ccw for shape in shapes):
        return False
    obstacles = shapes[: len(design["obstacles"])]
    p0 = [Fraction(x) for x in design["p0"]]
    bodies = (
        [shapely.affinity.translate(polygon(design["root"]), *map(float, p0))] if design.get("root") else []
    )
    for pawl in design["pawls"]:
        hinge = [float(a + Fraction(b)) for a, b in zip(p0, pawl["hinge"], strict=True)]
        angle = float(Fraction(pawl["theta_init"])) if "theta_init" in pawl else rest_angle(pawl["rest"])
        turned = shapely.affinity.rotate(polygon(pawl["poly"]), angle, (0, 0), use_radians=True)
        bodies.append(shapely.affinity.translate(turned, *hinge))
    return all(body.intersection(each).area < 1e-12 for body in bodies for each in obstacles)


def _has_spike(poly: Any) -> bool:
    """Whether an edge goes back along the one before it."""
    corners = [(Fraction(x), Fraction(y)) for x, y in poly]
    for a, b, c in zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True):
        ahead = (c[0] - b[0]) * (b[0] - a[0]) + (c[1] - b[1]) * (b[1] - a[1])
        if ahead < 0 and _turn(a, b, c) == 0:
            return True
    return False


def cocked(seed: int) -> Design | None:
    """The design of a seed with its pawls turned away from rest at the start, unless there is hardly room."""
    design, random = random_design(seed), Random(seed)
    for _ in range(20):
        for pawl in design["pawls"]:
            pawl["theta_init"] = str(round(rest_angle(pawl["rest"]) + random.uniform(-4, 4), 3))
        if starts_free(design):
            return design
    return None


def polygon(points: Any) -> Any:
    """Shapely's polygon of a list of rational corners."""
    return shapely.Polygon([(float(Fraction(x)), float(Fraction(y))) for x, y in points])


def text(points: Points) -> list[list[str]]:
    """Corners as designs write them."""
    return [[str(x), str(y)] for x, y in points]


def box(left: Any, low: Any, right: Any, high: Any) -> Points:
    """A rectangle."""
    x, y, u, v = (Fraction(each) for each in (left, low, right, high))
    return [(x, y), (u, y), (u, v), (x, v)]


def moved(points: Points, x: Any, y: Any) -> Points:
    """A polygon elsewhere."""
    return [(a + Fraction(x), b + Fraction(y)) for a, b in points]


def design_of(
    obstacles: list[Points],
    pawls: list[Design],
    p0: Any,
    v: Any,
    duration: Any,
    mu: str = "0",
    root: Points | None = None,
) -> Design:
    """A design, with its obstacles named by number."""
    named = [{"name": f"O{number}", "poly": text(points)} for number, points in enumerate(obstacles)]
    return {
        "schema": "linkwork-fastening/1",
        "obstacles": named,
        "root": None if root is None else text(root),
        "pawls": pawls,
        "p0": [str(Fraction(x)) for x in p0],
        "v": [str(Fraction(x)) for x in v],
        "duration": str(Fraction(duration)),
        "mu": mu,
    }


def pawl_of(points: Points, random: Random, name: str = "P", hinge: Any = (0, 0), rest: Any = "0") -> Design:
    """A pawl with a random stiffness."""
    return {
        "name": name,
        "poly": text(points),
        "hinge": [str(Fraction(x)) for x in hinge],
        "k": random.choice(STIFFNESSES),
        "rest": rest,
    }


def some(random: Random, low: float, high: float, parts: int = 8) -> Fraction:
    """A rational number with a small denominator."""
    return Fraction(random.randint(math.ceil(low * parts), math.floor(high * parts)), parts)


def star(random: Random, corners: int, near: float, far: float, parts: int = 12) -> Points:
    """Corners in order around the origin."""
    while True:
        turns = sorted(random.uniform(0, 2 * math.pi) for _ in range(corners))
        radii = [random.uniform(near, far) for _ in turns]
        points = [
            (Fraction(round(r * math.cos(a) * parts), parts), Fraction(round(r * math.sin(a) * parts), parts))
            for r, a in zip(radii, turns, strict=True)
        ]
        shape = shapely.Polygon(points)
        if shape.is_valid and shape.area > near * near / 2 and shape.exterior.is_ccw:
            return points


def hull(points: Points) -> Points:
    """The corners of the convex hull, counter-clockwise."""
    ordered = sorted(set(points))
    chains: list[Points] = []
    for line in (ordered, ordered[::-1]):
        chain: Points = []
        for point in line:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _turn(a: Any, b: Any, c: Any) -> Fraction:
    return Fraction((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def random_rest(random: Random) -> Any:
    """Mostly 0; else an angle whose half has a rational tangent, sometimes a turn away."""
    if random.random() < 0.6:
        return "0"
    return {"half_tan": str(some(random, -1.5, 1.5, 6)), "turns": random.choice((0, 0, 0, 1, -1))}


def smooth(random: Random) -> Design:
    """One to three pawls among one to four polygons along the way, in general position."""
    v = (some(random, -2, 2, 5), some(random, -2, 2, 5))
    while not any(v):
        v = (some(random, -2, 2, 5), some(random, -2, 2, 5))
    length = math.hypot(*map(float, v))
    duration = Fraction(round(14 / length * 4), 4)
    obstacles: list[Points] = []
    for _ in range(random.randint(1, 4)):
        along, across = random.uniform(4, 10) / length, random.uniform(-3.5, 3.5) / length
        x = Fraction(round((float(v[0]) * along - float(v[1]) * across) * 8), 8)
        y = Fraction(round((float(v[1]) * along + float(v[0]) * across) * 8), 8)
        points = star(random, random.randint(3, 7), 0.4, 1.8)
        obstacles.append(moved(hull(points) if random.random() < 0.4 else points, x, y))
    pawls = []
    for number in range(random.choice((1, 1, 1, 2, 3))):
        points = star(random, random.randint(3, 7), 0.5, 2.6)
        points = hull(points) if random.random() < 0.4 else points
        hinge = (some(random, -1, 1), some(random, -1, 1)) if number else (0, 0)
        pawls.append(pawl_of(points, random, f"P{number}", hinge, random_rest(random)))
    root = moved(box(-1, -1, 1, 1), 0, 0) if random.random() < 0.15 else None
    return design_of(obstacles, pawls, (0, 0), v, duration, random.choice(FRICTIONS), root)


def hook(random: Random) -> Design:
    """A hook on a bar, down past a block with a lip, and up again in half of the cases."""
    depth, tip, bar = some(random, 4, 7, 4), some(random, 0.5, 2, 4), Fraction(1, 4)
    low = some(random, 1, 3, 4)
    points = [
        (-bar, bar),
        (-bar, -depth),
        (tip, -depth + low),
        (bar, -depth + low + some(random, -0.75, 0.75, 4)),
        (bar, bar),
    ]
    lip = some(random, 0.5, 3, 2)
    left = random.choice((Fraction(3, 4), Fraction(1, 2), Fraction(1, 4), Fraction(1)))
    block = [(left, -lip), (left + 4, -lip), (left + 4, Fraction(0)), (left, Fraction(0))]
    if random.random() < 0.6:
        block[0] = (left + some(random, 0, 2, 2), -lip - some(random, 0, 1, 4))
    obstacles = [block] if random.random() < 0.5 else [block, box(left + 1, -9, left + 5, -lip - 1)]
    if random.random() < 0.3:
        obstacles.append(box(-3, -4, -Fraction(1, 2), random.choice((0, 1, -1))))
    up = random.random() < 0.4
    p0 = (0, some(random, 1, 3) if up else depth + 1)
    v = (some(random, -0.5, 0.5, 5) if random.random() < 0.2 else 0, 1 if up else -1)
    root = box(-1, 0, 6, 1) if random.random() < 0.5 else None
    return design_of(obstacles, [pawl_of(points, random)], p0, v, 2 * depth, random.choice(FRICTIONS), root)


def ramp(random: Random) -> Design:
    """An arm whose tip is lifted by one ramp or a chain of them."""
    reach, drop = some(random, 2, 6, 2), some(random, 0, 2, 4)
    half = Fraction(1, 4)
    points = [(-half, -half), (reach, -drop - half), (reach, half - drop), (-half, half)]
    if random.random() < 0.5:
        points = [(-half, -half), (reach, -drop - 1), (reach + 1, -drop), (-half, half)]
    heights = [some(random, -2, 1, 4)]
    for _ in range(random.randint(1, 4)):
        heights.append(heights[-1] + some(random, -1.5, 1.5, 4))
    xs = [reach + 2]
    for _ in heights[1:]:
        xs.append(xs[-1] + some(random, 0.5, 3, 2))
    bottom = min(heights) - 1
    floor = [(xs[0], bottom), (xs[-1], bottom), *zip(reversed(xs), reversed(heights), strict=True)]
    p0 = (0, drop + some(random, -1, 1.5, 4))
    return design_of(
        [floor], [pawl_of(points, random, rest=random_rest(random))], p0, (1, 0), 16, random.choice(FRICTIONS)
    )


def tooth(left: Any, low: Any, width: Any, height: Any, lean: Any) -> Points:
    """A saw tooth whose top stands over a share of its foot."""
    x, y, w = Fraction(left), Fraction(low), Fraction(width)
    return [(x, y), (x + w, y), (x + w * Fraction(lean), y + Fraction(height))]


def rack(random: Random) -> Design:
    """A pawl that clicks along saw teeth, one obstacle a tooth or all in one."""
    count, pitch, height = random.randint(2, 6), some(random, 1, 2, 2), some(random, 0.5, 1.5, 4)
    lean = random.choice((0, 1, Fraction(1, 2), Fraction(3, 4), Fraction(1, 4)))
    if random.random() < 0.5:
        obstacles = [tooth(3 + pitch * number, 0, pitch, height, lean) for number in range(count)]
    else:
        top: Points = []
        for number in reversed(range(count)):
            top += [(3 + pitch * (number + 1), Fraction(0)), (3 + pitch * (number + Fraction(lean)), height)]
        top.append((Fraction(3), Fraction(0)))
        corners = [point for number, point in enumerate(top) if not number or point != top[number - 1]]
        base = [(Fraction(3), Fraction(-1)), (3 + pitch * count, Fraction(-1))]
        obstacles = [base + corners]
    down = some(random, 1.5, 3, 2)
    lag = some(random, -2, 2, 2)
    half = Fraction(1, 4)
    points = [
        (-half, Fraction(0)),
        (lag - half, -down),
        (lag + half, -down),
        (half, Fraction(0)),
        (Fraction(0), half),
    ]
    if random.random() < 0.5:
        points = [(-half, Fraction(0)), (lag, -down), (half, Fraction(0)), (Fraction(0), half)]
    p0 = (random.choice((0, -1)), down + height * some(random, -0.5, 0.9, 4))
    v = (1, 0) if random.random() < 0.8 else (1, Fraction(-1, 10))
    return design_of(
        obstacles, [pawl_of(points, random)], p0, v, 3 + pitch * count + 4, random.choice(FRICTIONS)
    )


def comb(random: Random) -> Design:
    """A comb of prongs drawn over a comb of posts."""
    prongs, posts = random.randint(2, 4), random.randint(2, 5)
    gap = some(random, 0.5, 1, 4)
    length = some(random, 1, 2, 2)
    points: Points = []
    for number in range(prongs):
        x = 2 * gap * number
        points += [(x, -length), (x + gap, -length)]
        if number < prongs - 1:
            points += [(x + gap, -Fraction(1, 4)), (x + 2 * gap, -Fraction(1, 4))]
    points += [(2 * gap * prongs - gap, Fraction(1, 4)), (Fraction(0), Fraction(1, 4))]
    points = moved(points, -gap * random.randint(0, prongs), 0)
    height = some(random, 0.5, 1.5, 4)
    top = some(random, 0, 0.5, 4)
    spacing = gap * random.choice((2, 2, 3))
    first = 2 * gap * prongs + 1
    obstacles = [
        [
            (first + spacing * n, Fraction(0)),
            (first + spacing * n + gap, Fraction(0)),
            (first + spacing * n + gap - top * gap, height),
            (first + spacing * n + top * gap, height),
        ]
        for n in range(posts)
    ]
    p0 = (0, length + height - some(random, 0.125, 1, 8))
    return design_of(
        obstacles,
        [pawl_of(points, random, rest=random_rest(random))],
        p0,
        (1, 0),
        first + spacing * posts + 8,
        random.choice(FRICTIONS),
    )


def keyhole(random: Random) -> Design:
    """A plate through a gap between two blocks, with and without clearance."""
    width, length = some(random, 0.5, 2, 4), some(random, 1, 4, 2)
    points = box(-width / 2, -length, width / 2, Fraction(1, 2))
    if random.random() < 0.4:
        points = [
            (-width / 2, Fraction(1, 2) - length),
            (Fraction(0), -length),
            (width / 2, Fraction(1, 2) - length),
            (width / 2, Fraction(1, 2)),
            (-width / 2, Fraction(1, 2)),
        ]
    clearance = random.choice((0, 0, Fraction(1, 8), Fraction(1, 4), 1))
    shift = some(random, -1, 1, 4)
    gap = width + clearance
    thick = some(random, 0.5, 3, 2)
    obstacles = [
        box(shift - gap / 2 - 2, -thick, shift - gap / 2, 0),
        box(shift + gap / 2, -thick, shift + gap / 2 + 2, 0),
    ]
    if random.random() < 0.3:
        obstacles.append(box(-4, -8, 4, -7))
    rest: Any = "0" if random.random() < 0.6 else {"half_tan": str(some(random, -0.5, 0.5, 8)), "turns": 0}
    v = (0, -1) if random.random() < 0.8 else (some(random, -0.25, 0.25), -1)
    return design_of(
        obstacles,
        [pawl_of(points, random, rest=rest)],
        (0, length + 1),
        v,
        2 * length + 6,
        random.choice(FRICTIONS),
    )


def wedge(random: Random) -> Design:
    """A plate into a narrowing way."""
    points = box(-1, -some(random, 0.5, 2, 2), some(random, 0.5, 2, 2), some(random, 0.25, 1, 4))
    if random.random() < 0.5:
        points = hull(star(random, random.randint(4, 6), 0.7, 2, 4))
    mouth, end = some(random, 1.5, 3, 4), some(random, 0, 1, 4)
    lean, shift = some(random, 0, 1, 4), some(random, -0.5, 0.5, 4)
    upper = [
        (Fraction(3), mouth + shift),
        (Fraction(9), end + shift),
        (Fraction(9), mouth + 2),
        (Fraction(3), mouth + 2),
    ]
    lower = [
        (Fraction(3), -mouth * lean + shift - 1),
        (Fraction(3), -mouth - 3),
        (Fraction(9), -mouth - 3),
        (Fraction(9), -end + shift - Fraction(1, 2)),
    ]
    v = (1, 0) if random.random() < 0.7 else (1, some(random, -0.25, 0.25, 8))
    return design_of(
        [upper, lower],
        [pawl_of(points, random, rest=random_rest(random))],
        (-1, 0),
        v,
        14,
        random.choice(FRICTIONS),
    )


def pinion(random: Random) -> Design:
    """A star that rolls over a row of teeth, and winds its spring past half a turn and more."""
    prongs = random.randint(3, 6)
    outer, inner = some(random, 1.5, 2.5, 4), some(random, 0.4, 0.8, 4)
    points: Points = []
    for number in range(2 * prongs):
        radius = outer if number % 2 == 0 else inner
        angle = math.pi * number / prongs
        points.append(
            (
                Fraction(round(float(radius) * math.cos(angle) * 12), 12),
                Fraction(round(float(radius) * math.sin(angle) * 12), 12),
            )
        )
    spacing = 2 * math.pi * float(outer) * random.uniform(0.6, 1) / prongs
    pitch = Fraction(round(spacing * 4), 4)
    teeth = random.randint(3, 12)
    height = some(random, 0.25, 1, 4)
    first = outer + 1
    obstacles = [
        [
            (first + pitch * n, -outer - 1),
            (first + pitch * n + Fraction(1, 2), -outer - 1),
            (first + pitch * n + Fraction(1, 4), -outer + height),
        ]
        for n in range(teeth)
    ]
    mu = random.choice(("0", "0", "0", "1/10"))
    return design_of(obstacles, [pawl_of(points, random)], (0, 0), (1, 0), first + pitch * teeth + 4, mu)


def grid(random: Random) -> Design:
    """Polygons on whole numbers, moved along the grid or its diagonal."""
    points = star(random, random.randint(3, 6), 0.9, 2.9, 1)
    v = random.choice(DIRECTIONS)
    obstacles = []
    for _ in range(random.randint(1, 4)):
        shape = (
            star(random, random.randint(3, 6), 0.9, 2.2, 1)
            if random.random() < 0.6
            else box(0, 0, random.randint(1, 3), random.randint(1, 2))
        )
        size = max(abs(v[0]), abs(v[1]))
        far = random.randint(4, 8)
        x, y = round(v[0] * far / size), round(v[1] * far / size)
        obstacles.append(moved(shape, x + random.randint(-2, 2), y + random.randint(-2, 2)))
    rest: Any = (
        "0"
        if random.random() < 0.7
        else {"half_tan": random.choice(("1", "-1", "1/2", "-1/3")), "turns": random.choice((0, 0, 1))}
    )
    length = max(abs(v[0]), abs(v[1]))
    return design_of(
        obstacles,
        [pawl_of(points, random, rest=rest)],
        (0, 0),
        v,
        Fraction(16, length),
        random.choice(FRICTIONS),
    )


KINDS: tuple[Callable[[Random], Design], ...] = (
    smooth,
    hook,
    smooth,
    ramp,
    rack,
    smooth,
    comb,
    keyhole,
    wedge,
    smooth,
    pinion,
    grid,
)
