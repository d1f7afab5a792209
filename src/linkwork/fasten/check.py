"""What can be wrong with a design: numbers out of bounds, names given twice, lists that are no polygons, a start at
which something already lies inside an obstacle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from linkwork.errors import LinkworkError, NameTaken
from linkwork.fasten.angle import moved, starting_angle, starting_polygons
from linkwork.fasten.cut import beyond_cut, lengthened
from linkwork.fasten.design import Design, Obstacle, Pawl, Polygon, Tolerances, every_pawl
from linkwork.fasten.overlap import Overlap, overlap
from linkwork.fasten.polygon import doubled_area, polygon_fault, shown
from linkwork.fasten.rational import checked_size
from linkwork.fasten.schema import MOST_TURNS
from linkwork.model.fault import Fault, shortened
from linkwork.model.lines import Path

NEAR: Final = 1e-9
"""Radians. A pawl whose angle is given in radians may begin that deep inside what it touches."""
LONGEST_NAME: Final = 100
"""Characters."""
MOST_CARRIED: Final = 8
"""Pawls of one tree."""
MOST_STIFFER: Final = 10**9
"""Times the softest hinge of a tree; beyond, the forces of the softest are lost in the rounding of the stiffest."""


def check(design: Design) -> None:
    """Raise the first fault of a design that was made in Python; the reader of files does it by itself."""
    for fault in (*number_faults(design), *shape_faults(design), *start_faults(design)):
        raise fault.error


def number_faults(design: Design) -> Iterator[Fault]:
    """Names and numbers without a meaning."""
    if design.root is None and not design.pawls:
        error = LinkworkError(
            "nothing moves: there is neither a root nor a pawl",
            wanted="at least one of them",
            fix="add a pawl",
        )
        yield Fault(("pawls",), error)
    yield from _name_faults(
        "obstacle", [(("obstacles", place), each.name) for place, each in enumerate(design.obstacles)]
    )
    placed = list(placed_pawls(design.pawls))
    yield from _name_faults("pawl", [(where, pawl.name) for where, pawl in placed])
    for where, pawl in placed:
        yield from _pawl_faults(pawl, where)
    for place, pawl in enumerate(design.pawls):
        yield from _tree_faults(pawl, ("pawls", place))
    if not any(design.v):
        why = "the root is pushed along a line"
        yield _wrong(
            ("v",), "the velocity is zero", got="(0, 0)", wanted="a direction", why=why, fix='["0", "-1"]'
        )
    if design.duration <= 0:
        yield _wrong(
            ("duration",), "the duration is not positive", got=str(design.duration), wanted="more than 0"
        )
    yield from _cut_faults(design)
    yield from _question_faults(design)
    if design.mu < 0:
        yield _wrong(
            ("mu",), "the friction is negative", got=str(design.mu), wanted="0 or more", fix=f'"{-design.mu}"'
        )


def _question_faults(design: Design) -> Iterator[Fault]:
    """Directions that are none, tolerances that are no widths, dimensions that vary nothing."""
    yield from _search_faults(design)
    for place, direction in enumerate(design.directions):
        if not any(direction):
            yield _wrong(("directions", place), "a direction is zero", got="(0, 0)", wanted="a velocity")
    if design.farthest is not None and design.farthest <= 0:
        yield _wrong(
            ("farthest",), "the farthest pull is not positive", got=str(design.farthest), wanted="more than 0"
        )
    widths = design.tolerances or Tolerances()
    for key, width, most in (
        ("coordinates", widths.coordinates, None),
        ("mu", widths.mu, None),
        ("k", widths.k, 1),
    ):
        if width < 0 or (most is not None and width >= most):
            wanted = "0 or more" + (f" and less than {most}" if most else "")
            yield _wrong(
                ("tolerances", key), "a tolerance is no width", got=str(width), wanted=wanted, fix='"1/100"'
            )


def _cut_faults(design: Design) -> Iterator[Fault]:
    """Cuts that are no edges, or beyond which nobody knows how a body goes on."""
    for place, each in enumerate(design.obstacles):
        for which, edge in enumerate(each.cut):
            where: Path = ("obstacles", place, "cut", which)
            if not 0 <= edge < len(each.poly) or each.cut.index(edge) != which:
                yield _wrong(
                    where,
                    f"obstacle {each.name} has no such edge to cut"
                    if edge not in each.cut[:which]
                    else f"obstacle {each.name} has an edge that is cut twice",
                    got=str(edge),
                    wanted=f"numbers from 0 to {len(each.poly) - 1}, each once",
                    fix="[0]",
                )
            elif beyond_cut(each.poly, edge) is None:
                yield _wrong(
                    where,
                    f"obstacle {each.name} cannot go on beyond its edge {edge}",
                    got=f"edges {(edge - 1) % len(each.poly)} and {(edge + 1) % len(each.poly)} beside it, "
                    f"which do not run to vertices {edge} and {(edge + 1) % len(each.poly)} side by side",
                    wanted="parallel edges on both sides of a cut",
                    why="the body goes on between them, as wide as it is there",
                    fix="add a vertex on each side, so that a piece before the cut has parallel edges",
                )


def _search_faults(design: Design) -> Iterator[Fault]:
    if design.search is None:
        return
    named = {each.name: each.poly for each in design.obstacles}
    named |= {each.name: each.poly for each in every_pawl(design.pawls)}
    named |= {"root": design.root} if design.root else {}
    settable = ["mu", *(f"{pawl.name}.k" for pawl in every_pawl(design.pawls))]
    for each in design.search.vary:
        where: Path = ("search", "vary", each.name)
        if each.low >= each.high:
            low, high = sorted((each.low, each.high))
            yield _wrong(
                (*where, "low"),
                "a dimension has no range",
                got=f"{each.low} to {each.high}",
                wanted="low less than high",
                fix=f'"low": "{low}", "high": "{high if high > low else high + 1}"',
            )
        if bool(each.moves) == bool(each.sets):
            yield _wrong(
                where,
                "a dimension either moves vertices or sets a number",
                got=each.name,
                wanted="moves or sets",
            )
        if each.sets and each.sets not in settable:
            wanted = ", ".join(settable)
            yield _wrong(
                (*where, "sets"), "there is no such number", got=each.sets, wanted=wanted, fix='"mu"'
            )
        for owner, vertex, _ in each.moves:
            if owner not in named or vertex >= len(named[owner]):
                known = [owner] if owner in named else list(named)
                yield _wrong(
                    (*where, "moves"),
                    "there is no such vertex",
                    got=f"{owner}.{vertex}",
                    wanted=", ".join(f"{name}.0 to {name}.{len(named[name]) - 1}" for name in known),
                    fix=f'"moves": {{"{known[0]}.0": ["1", "0"]}}',
                )
    for key in ("insertion_most", "retention_least"):
        bound = getattr(design.search.goal, key)
        if bound is not None and bound <= 0:
            yield _wrong(
                ("search", "goal", key), "a force is not positive", got=str(bound), wanted="more than 0"
            )


def _wrong(where: Path, problem: str, *, got: str, wanted: str, why: str = "", fix: str = '"1"') -> Fault:
    return Fault(where, LinkworkError(problem, got=got, wanted=wanted, why=why, fix=fix))


def placed_pawls(pawls: Sequence[Pawl], where: Path = ()) -> Iterator[tuple[Path, Pawl]]:
    """Pawls and all that they carry, each with its place in a file."""
    for place, pawl in enumerate(pawls):
        here: Path = (*where, "pawls", place)
        yield here, pawl
        yield from placed_pawls(pawl.pawls, here)


def _name_faults(kind: str, named: Sequence[tuple[Path, str]]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for place, (path, name) in enumerate(named):
        where: Path = (*path, "name")
        if seen.setdefault(name, place) != place:
            error: LinkworkError = NameTaken(
                f"two {kind}s are called '{shortened(name)}'",
                why=f"{kind} {seen[name] + 1} and {kind} {place + 1} of the list could not be told apart",
                fix=f'"{name}_2"',
            )
            yield Fault(where, error)
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            yield _wrong(
                where,
                f"this is no name for {'an obstacle' if kind == 'obstacle' else 'a pawl'}",
                got=ascii(name)[:60],
                wanted=f"printable characters, at most {LONGEST_NAME}",
                fix='"A"',
            )


def _tree_faults(pawl: Pawl, where: Path) -> Iterator[Fault]:
    """A tree that is too large to be followed, or whose hinges are too different."""
    every = list(every_pawl([pawl]))
    count = len(every)
    soft, stiff = (choose(every, key=lambda each: each.k) for choose in (min, max))
    if 0 < soft.k * MOST_STIFFER < stiff.k:
        yield _wrong(
            where,
            f"the hinges of the tree of pawl {pawl.name} are too different",
            got=f"k of {stiff.name} is {float(stiff.k / soft.k):.3g} times that of {soft.name}",
            wanted=f"at most {MOST_STIFFER:.0e} times",
            why="trees are followed in floating point, where the soft hinge's forces would be lost",
            fix=f"draw {stiff.name} as one body with what carries it, or give it a smaller k",
        )
    if count > MOST_CARRIED:
        yield _wrong(
            where,
            f"pawl {pawl.name} carries very many pawls",
            got=f"a tree of {count} pawls",
            wanted=f"at most {MOST_CARRIED} together",
            why="every way in which their contacts can hold is tried",
            fix="leave out hinges that hardly turn: draw what they join as one pawl",
        )


def _pawl_faults(pawl: Pawl, where: Path) -> Iterator[Fault]:
    if pawl.k <= 0:
        yield _wrong(
            (*where, "k"),
            f"the stiffness of pawl {pawl.name} is {'zero' if pawl.k == 0 else 'negative'}",
            got=str(pawl.k),
            wanted="more than 0",
            why="without a spring nothing says where a pawl turns to",
        )
    if pawl.cantilever is not None and pawl.k != pawl.cantilever.stiffness:
        yield _wrong(
            (*where, "k"),
            f"the stiffness of pawl {pawl.name} is not that of its cantilever",
            got=str(pawl.k),
            wanted=str(pawl.cantilever.stiffness),
            fix="Pawl(…, k=cantilever.stiffness, cantilever=cantilever)",
        )
    if abs(pawl.rest.turns) > MOST_TURNS:
        yield _wrong(
            (*where, "rest", "turns"),
            f"the rest angle of pawl {pawl.name} is very many turns",
            got=str(pawl.rest.turns),
            wanted=f"at most {MOST_TURNS}",
            fix="0",
        )
    if pawl.theta_init is not None and abs(pawl.theta_init) > 6 * MOST_TURNS:
        yield _wrong(
            (*where, "theta_init"),
            f"the angle at which pawl {pawl.name} begins is very many turns",
            got=str(pawl.theta_init),
            wanted=f"at most {6 * MOST_TURNS} radians",
            fix='"0"',
        )


# ---------------------------------------------------------------------------------------------- polygons


def polygons(design: Design) -> Iterator[tuple[Path, str, Polygon]]:
    """Every polygon with its place in a file, and how messages call it."""
    for place, obstacle in enumerate(design.obstacles):
        yield ("obstacles", place, "poly"), f"obstacle {obstacle.name}", obstacle.poly
    if design.root is not None:
        yield ("root",), "root", design.root
    for where, pawl in placed_pawls(design.pawls):
        yield (*where, "poly"), f"pawl {pawl.name}", pawl.poly


def shape_faults(design: Design) -> Iterator[Fault]:
    """Polygons that are none, or that run clockwise."""
    for where, name, polygon in polygons(design):
        found = polygon_faults(where, name, polygon)
        yield from found
        if not found and doubled_area(polygon) < 0:
            yield _wrong(
                where,
                f"{name} runs clockwise",
                got=", ".join(map(shown, polygon[:3])) + ", …",
                wanted="its vertices counter-clockwise",
                why="features are numbered by them",
                fix="linkwork.fasten.polygon.counter_clockwise(poly)",
            )


def polygon_faults(where: Path, name: str, polygon: Polygon) -> list[Fault]:
    """What keeps a list of vertices from being a polygon, under the polygon's name."""
    for corner in polygon:
        for coordinate in corner:
            checked_size(coordinate)
    found = polygon_fault(polygon)
    if found is None:
        return []
    found.error.problem = f"{name}: {found.error.problem}"
    return [Fault(where if found.vertex is None else (*where, found.vertex), found.error)]


# ---------------------------------------------------------------------------------------------- the start


def start_faults(design: Design) -> Iterator[Fault]:
    """What lies inside an obstacle before anything has moved. Exact, but for angles that are given in radians."""
    design = lengthened(design)
    if design.root is not None:
        yield from _inside_faults(design, "root", moved(design.root, design.p0), ("root",), 0.0)
    placed = placed_pawls(design.pawls)
    for top in design.pawls:
        is_exact = all(starting_angle(each).width == 0 for each in every_pawl([top]))
        hinge = [float(a + b) for a, b in zip(top.hinge, design.p0, strict=True)]
        for polygon, (where, pawl) in zip(starting_polygons(top, design.p0), placed, strict=False):
            reach = max(math.hypot(float(x) - hinge[0], float(y) - hinge[1]) for x, y in polygon)
            allowed = 0.0 if is_exact else NEAR * reach
            yield from _inside_faults(design, f"pawl {pawl.name}", polygon, (*where, "poly"), allowed)


def _inside_faults(
    design: Design, name: str, polygon: Polygon, where: Path, allowed: float
) -> Iterator[Fault]:
    for obstacle in design.obstacles:
        found = overlap(polygon, obstacle.poly, allowed)
        if found is not None:
            yield Fault(
                (*where, found.vertex) if found.is_of_first else where, _overlapping(found, name, obstacle)
            )


def _overlapping(found: Overlap, name: str, obstacle: Obstacle) -> LinkworkError:
    other = f"obstacle {obstacle.name}"
    inner, outer = (name, other) if found.is_of_first else (other, name)
    what = f"{'vertex' if found.is_vertex else 'edge'} {found.vertex}"
    deep = f"{found.depth:.6g} deep" if found.depth else "over all of it"
    return LinkworkError(
        f"{name} overlaps {other} at the start",
        got=f"{what} of {inner} lies inside {outer} at {shown(found.at)}, {deep}",
        wanted="a start at which nothing overlaps; touching is allowed",
        why="parts do not go through one another, so this place cannot have been reached",
        fix="begin farther away: change p0",
    )
