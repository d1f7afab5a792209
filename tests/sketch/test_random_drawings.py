"""Laws of constructions on random drawings whose dimensions have exactly the values measured in them."""

from __future__ import annotations

import cmath
import random
import tomllib
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawing_residuals import residuals
from drawings import Sketch, built, constructed, fitted
from linkwork.mechanics import derive
from linkwork.model.constraint import CONSTRAINTS, Constraint, Distance
from linkwork.model.drawing import Drawing
from linkwork.sketch.construct import construct
from linkwork.sketch.diagnose import OverConstrained, UnderConstrained
from random_sketches import random_sketch
from sketch_steps import STEPS

EXACT = 1e-9
ROUGH = 0.05
SEEDS = st.integers(0, 10**6)
SOUND = [name for name in STEPS if name != "by_level"]
FEW = settings(max_examples=12)


def check_places(sketch: Sketch, rough: float = 0.0, seed: int = 0) -> None:
    """A construction gives every point where it was measured, and every constraint holds."""
    found = constructed(sketch, rough, seed)
    wrong = {
        name: off for name, off in residuals(sketch.drawing(), found, sketch.values).items() if off > EXACT
    }
    assert not wrong
    turn, shift, off = fitted(found.points, sketch.points)
    assert off < EXACT
    for name, way in sketch.ways.items():
        assert abs(turn * found.ways[name] - way) < EXACT or len(sketch.lines[name]) < 2
    for name, radius in sketch.radii.items():
        assert found.radii[name] == pytest.approx(radius, abs=EXACT)
    if any(each.word == "fixed" for each in sketch.constraints.values()):
        assert abs(turn - 1) < EXACT
        assert abs(shift) < EXACT * 10
    else:  # the first point is the origin, the first line the x-axis
        assert abs(found.points["P1"]) < EXACT
        assert abs(found.ways["L1"] - 1) < EXACT


# ---------------------------------------------------------------------------------- every kind of step


@pytest.mark.parametrize("rough", [0.0, ROUGH])
@pytest.mark.parametrize("step", SOUND)
def test_every_kind_of_step(step: str, rough: float) -> None:
    """One step of each kind upon a triangle, fixed in the plane or loose."""
    needs_axes = step in ("by_upright_line", "by_place")
    for seed in range(4):
        for absolute in (True,) if needs_axes else (True, False):
            check_places(random_sketch(seed, 1, absolute, [step]), rough, seed)


def test_points_level_with_others_are_where_the_picture_has_them() -> None:
    """A point level with one and at a distance from another is on the side that the picture shows."""
    for seed in range(8):
        check_places(random_sketch(seed, 1, True, ["by_level"]))


def test_steps_reach_every_constraint() -> None:
    """The random steps use all types of constraints."""
    words = {each.word for seed in range(60) for each in random_sketch(seed, 6).constraints.values()}
    assert words == {*CONSTRAINTS}


# ------------------------------------------------------------------------------------- many steps


@given(SEEDS)
@FEW
def test_places_come_out_as_measured(seed: int) -> None:
    """Six random steps, from places as measured and from rough ones."""
    sketch = random_sketch(seed, 6, only=SOUND)
    check_places(sketch)
    check_places(sketch, ROUGH, seed)


@given(SEEDS)
@FEW
def test_order_names_and_mirrors_change_nothing(seed: int) -> None:
    """Other orders and names and the image in a mirror are constructed as well, in as many steps."""
    sketch = random_sketch(seed, 5, only=SOUND)
    steps = len(construct(sketch.drawing(), dict(sketch.values)).steps)
    others = {
        "order": sketch.shuffled(seed),
        "names": sketch.renamed(lambda name: f"zebra_{name[::-1]}_q"),
        "mirror": sketch.mirrored(),
    }
    for how, other in others.items():
        found = construct(other.drawing(), dict(other.values))
        assert len(found.steps) == steps, how
        assert fitted(built(found, other.values).points, other.points)[2] < EXACT, how


@pytest.mark.parametrize("seed", range(12))
def test_names_change_no_line(seed: int) -> None:
    """The table of a drawing with other names has as many lines, tidy or not."""
    sketch = random_sketch(seed, 4, only=SOUND)
    other = sketch.renamed(lambda name: f"zebra_{name[::-1]}_q")
    for tidy in (True, False):
        assert len(derive(sketch.machine(), tidy=tidy).table) == len(derive(other.machine(), tidy=tidy).table)


@pytest.mark.parametrize("seed", range(12))
def test_order_changes_no_line(seed: int) -> None:
    """The table as derived has as many lines whatever the order of the constraints."""
    sketch = random_sketch(seed, 4, only=SOUND)
    count = len(derive(sketch.machine(), tidy=False).table)
    assert len(derive(sketch.shuffled(seed).machine(), tidy=False).table) == count


MIRROR = [name for name in SOUND if name not in ("by_distance_from_line", "by_lines_apart")]


@pytest.mark.parametrize("seed", range(12))
def test_a_mirror_changes_no_line(seed: int) -> None:
    """The table of the mirrored drawing has as many lines."""
    sketch = random_sketch(seed, 4, only=MIRROR)
    count = len(derive(sketch.machine(), tidy=False).table)
    assert len(derive(sketch.mirrored().machine(), tidy=False).table) == count


@pytest.mark.parametrize("step", ["by_distance_from_line", "by_lines_apart"])
def test_a_mirror_changes_no_line_of_distances_from_lines(step: str) -> None:
    """As above where a distance is to the left of a line in one picture and to the right in the other."""
    for seed in range(6):
        sketch = random_sketch(seed, 1, True, [step])
        count = len(derive(sketch.machine(), tidy=False).table)
        assert len(derive(sketch.mirrored().machine(), tidy=False).table) == count


# ---------------------------------------------------------------------------------------- counting


def pasted(sketch: Sketch, fix: str) -> Sketch:
    """The sketch with the constraints that an error proposes, at the values measured in the picture."""
    new: dict[str, Constraint] = {}
    values = dict(sketch.values)
    for name, entry in tomllib.loads(fix)["drawing"]["constraints"].items():
        new[name] = CONSTRAINTS[entry["type"]](tuple(entry["of"]), entry["value"])  # type: ignore[call-arg]
        values[entry["value"]] = 0.0
    wider = replace(sketch, constraints={**sketch.constraints, **new}, values=values)
    for each in new.values():
        here = {**values}
        if isinstance(each, Distance) and each.of[1] in sketch.ways:
            point, line = each.of
            off = (sketch.points[point] - sketch.bases[line]) * sketch.ways[line].conjugate()
            here[str(each.value)] = abs(off.imag)
        elif isinstance(each, Distance):
            first, second = (sketch.points[of] for of in each.of)
            here[str(each.value)] = abs(second - first)
        else:
            first, second = (sketch.ways[of] for of in each.of)
            here[str(each.value)] = cmath.phase(second / first)  # type: ignore[attr-defined]
        values = here
    return replace(wider, values=values)


@pytest.mark.parametrize("seed", range(10))
def test_any_constraint_left_out_is_missed(seed: int) -> None:
    """Without any one constraint something moves; what is named moves, the repair repairs."""
    sketch = random_sketch(seed, 3, False, SOUND)
    for name in sketch.constraints:
        loose = sketch.without(name)
        with pytest.raises(UnderConstrained) as caught:
            construct(loose.drawing(), dict(loose.values))
        assert caught.value.got
        assert caught.value.wanted
        moving = set(
            caught.value.got.removesuffix(" can still move").replace(",", " ").replace(" and ", " ").split()
        )
        mended = pasted(loose, caught.value.fix)
        found = constructed(mended)
        assert max(residuals(mended.drawing(), found, mended.values).values()) < EXACT, name
        # a repair may be a distance along a line, where a place is known to half the digits only
        assert fitted(found.points, sketch.points)[2] < 1e-6, name
        new = [each for each in mended.values if each not in sketch.values]
        other = replace(
            mended, values={**mended.values, **{each: mended.values[each] + 1e-5 for each in new}}
        )
        moved = constructed(other)
        changed = {each for each in found.points if abs(moved.points[each] - found.points[each]) > 1e-9}
        assert changed <= moving, name
        assert "…" in moving or changed or moving.isdisjoint(sketch.points), name


def with_one_more(seed: int) -> tuple[Sketch, list[str]]:
    """A random sketch with one distance more, and what an error says depends on it."""
    sketch = random_sketch(seed, 3, False, [name for name in SOUND if name != "by_coincidence"])
    known = {frozenset(each.of) for each in sketch.constraints.values()}
    pairs = [pair for pair in combinations(sketch.points, 2) if frozenset(pair) not in known]
    pair = random.Random(seed).choice(pairs)
    far = abs(sketch.points[pair[1]] - sketch.points[pair[0]])
    wider = replace(
        sketch,
        constraints={**sketch.constraints, "extra": Distance(pair, "more")},
        values={**sketch.values, "more": far},
    )
    with pytest.raises(OverConstrained) as caught:
        construct(wider.drawing(), dict(wider.values))
    assert caught.value.wanted
    assert caught.value.fix
    return wider, [part.split(" ")[0] for part in caught.value.got.replace(" and ", ", ").split(", ")]


@pytest.mark.parametrize("seed", range(20))
def test_any_more_dimension_is_too_much(seed: int) -> None:
    """With one more distance the drawing says too much, and the distance is among what is named."""
    wider, named = with_one_more(seed)
    assert "extra" in named
    assert {*named} <= {*wider.constraints, *wider.circles, "…"}


ONCE_NEGATIVE = (16, 24)
"""Seeds of drawings with a circle in a block: its radius came out below zero."""
OF_CLUSTERS = (30, 31, 47, 68, 74, 80, 190)
"""Seeds of drawings whose clusters have been dropped, or stand beside a known line."""


@pytest.mark.parametrize("seed", [*range(10), *ONCE_NEGATIVE, *OF_CLUSTERS])
def test_without_any_one_of_them_it_is_enough(seed: int) -> None:
    """Without any one of the constraints that are named the drawing is constructed as it was measured."""
    wider, named = with_one_more(seed)
    for name in [each for each in named if each in wider.constraints]:
        smaller = wider.without(name)
        found = constructed(smaller)
        off = residuals(smaller.drawing(), found, wider.values)
        assert {each for each, value in off.items() if not value < 1e-7} == set(), name
        assert fitted(found.points, wider.points)[2] < 1e-6, name


@pytest.mark.parametrize("seed", [2, 31, 47])
def test_a_drawing_is_always_constructed_in_the_same_way(seed: int) -> None:
    """Where objects lie in memory changes nothing."""
    sketch = with_one_more(seed)[0].without("c1")
    assert len({construct(sketch.drawing(), dict(sketch.values)).words for _ in range(8)}) == 1


# ------------------------------------------------------------------------------- elements in another order


def listed_otherwise(sketch: Sketch, seed: int) -> Sketch:
    """The sketch with its points and lines in another order: another origin, another axis."""
    chance = random.Random(seed)
    points, lines = [*sketch.points], [*sketch.lines]
    chance.shuffle(points)
    chance.shuffle(lines)
    return replace(
        sketch,
        points={name: sketch.points[name] for name in points},
        lines={name: sketch.lines[name] for name in lines},
    )


ONCE_WRONG = (201, 219, 539, 856, 1269, 1302, 1381, 1593)
"""Seeds of drawings that need clusters, blocks, more than one witness, or directions from the picture."""


@pytest.mark.parametrize("seed", [*range(8), *ONCE_WRONG])
def test_the_order_of_elements_changes_no_place(seed: int) -> None:
    """From whichever point it begins, a drawing is constructed as it was measured."""
    sketch = listed_otherwise(random_sketch(seed, 3, False, SOUND), seed)
    assert fitted(constructed(sketch).points, sketch.points)[2] < 1e-6


@pytest.mark.parametrize("seed", range(12))
def test_the_order_of_elements_changes_no_line(seed: int) -> None:
    """With the origin and the axis given, the order of points and lines changes nothing in the table."""
    sketch = random_sketch(seed, 4, False, SOUND)
    other = listed_otherwise(sketch, seed)
    own, new = (each.machine(origin="P1", axis="L1") for each in (sketch, other))
    assert len(derive(own, tidy=False).table) == len(derive(new, tidy=False).table)


def test_a_large_drawing_is_repaired_by_one_dimension() -> None:
    """A strip of 120 points without one of its distances: the proposed line is enough."""
    constraints: dict[str, Constraint] = {"base": Distance(("P0", "P1"), "base")}
    for k in range(2, 120):
        constraints[f"u{k}"] = Distance((f"P{k}", f"P{k - 2}"), f"u{k}")
        constraints[f"w{k}"] = Distance((f"P{k}", f"P{k - 1}"), f"w{k}")
    del constraints["w60"]
    points = [f"P{k}" for k in range(120)]
    with pytest.raises(UnderConstrained) as caught:
        construct(Drawing(points=points, constraints=constraints))
    (name, entry), *others = tomllib.loads(caught.value.fix)["drawing"]["constraints"].items()
    assert not others
    mended = {**constraints, name: Distance(tuple(entry["of"]), entry["value"])}
    assert len(construct(Drawing(points=points, constraints=mended)).frame.points) == 120
