"""Parts that lie in one another where they are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from linkwork.model.source import toml_key
from linkwork.recognition.body import near_pairs
from linkwork.recognition.clearing import way_out
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery
from linkwork.recognition.mesh import Mesh, Misplaced
from linkwork.recognition.overlap import Overlap, overlap, overlaps
from linkwork.recognition.phases import Phase, in_phase
from linkwork.recognition.touch import THREAD, shafts
from linkwork.recognition.wishes import OVERLAP, Wishes

MOST_FACES: Final = 20_000
"""Of two parts that hold one another on all sides: with more, as of threads drawn turn by turn, it takes minutes to see
how deep they lie in one another."""


def drawn_overlaps(groups: Groups, wishes: Wishes, tolerance: float) -> list[tuple[int, int, Overlap]]:
    """Parts that lie in one another, but for what is pressed in, screwed in, one by the file's word, or to be ignored.

    What something else holds together, as a screw does, may not.
    """
    number = {id(body): place for place, body in enumerate(groups.bodies)}
    close = [(number[id(a)], number[id(b)]) for a, b in near_pairs(groups.bodies, -tolerance)]
    ignored = {names for names, word in wishes.between.items() if word in ("ignore", OVERLAP)}
    said_one = _said_one(wishes)
    pairs = []
    for a, b in close:
        names = groups.bodies[a].name, groups.bodies[b].name
        if frozenset(names) in ignored or _is_screwed_in(groups, a, b):
            continue
        is_said = {*names} & {*wishes.fasteners} or _same(said_one, names)
        if groups.group_of(a) != groups.group_of(b) or not (is_said or _fit_one_another(groups, a, b)):
            pairs.append((a, b))
    shells = groups.shells({place for pair in pairs for place in pair})
    return overlaps(shells, pairs, 10 * tolerance)


def _fit_one_another(groups: Groups, a: int, b: int) -> bool:
    """Whether two parts are pressed into one another, or held on all sides by more faces than can be looked at."""
    touched = groups.touching.get((a, b), [])
    if any(each.kind == "press" for each in touched):
        return True
    faces = sum(len(groups.bodies[place].faces) for place in (a, b))
    return (
        bool(touched)
        and faces > MOST_FACES
        and groups.freedom_of([((a, b), each) for each in touched])[0].count == 0
    )


def _same(said_one: Mapping[str, str], names: tuple[str, str]) -> bool:
    one, other = (said_one.get(name, name) for name in names)
    return one == other


def _said_one(wishes: Wishes) -> dict[str, str]:
    """For parts of which the file says that they are fixed to others, one of all those that are one so."""
    found: dict[str, str] = {}
    for names, word in wishes.between.items():
        if word == "fixed":
            kept, *others = sorted({found.get(name, name) for name in names})
            found |= dict.fromkeys(names, kept)
            found |= {name: kept for name, one in found.items() if one in others}
    return found


def _is_screwed_in(groups: Groups, a: int, b: int) -> bool:
    """Whether one of two parts is in the other by a thread that is as thick as it is drawn."""
    touched = groups.touching.get((a, b), [])
    thick = any(each.kind == "shaft" and each.gap < -2 * groups.tolerance for each in touched)
    return thick and groups.thread_of([(a, b)], touched) is not None


def overlaps_in_order(
    deep: list[tuple[int, int, Overlap]], numbers: Mapping[int, int]
) -> list[tuple[int, int, Overlap]]:
    """The same where parts have other numbers, the deepest first."""
    found = [(min(numbers[a], numbers[b]), max(numbers[a], numbers[b]), each) for a, b, each in deep]
    return sorted(found, key=lambda each: (-float(f"{each[2].depth:.6g}"), *each[:2]))


def check_overlaps(
    machinery: Machinery, deep: list[tuple[int, int, Overlap]], found: list[Mesh], misplaced: list[Misplaced]
) -> None:
    """Refuse parts that lie in one another; teeth in mesh may, as far as their flanks stand for other curves."""
    groups = machinery.groups
    names = [body.name for body in groups.bodies]
    deep = _without_teeth(groups, deep, found)
    told = [
        f"{names[a]} and {names[b]} by {each.depth:.4g} at ({', '.join(f'{value:.4g}' for value in each.at)})"
        for a, b, each in deep
    ]
    known = {frozenset(each[:2]) for each in deep}
    told += [
        f"the teeth of {names[each.parts[0]]} and {names[each.parts[1]]}, which are out of phase by {each.by:.4g}"
        for each in misplaced
        if frozenset(each.parts) not in known
    ]
    if not told:
        return
    a, b = deep[0][:2] if deep else misplaced[0].parts
    cure = ""
    if any({*each.parts} == {a, b} for each in misplaced):
        cure = _turns(
            groups, [each.phase for each in misplaced] + [each.phase for each in found if each.phase]
        )
    raise RecognitionError(
        "parts overlap where they are drawn",
        got="; ".join(told[:8]) + (f" and {len(told) - 8} more" if len(told) > 8 else ""),
        wanted="solids that at most touch; pitch cylinders of gears may overlap",
        fix=cure or _cure(machinery, deep),
    )


def _turns(groups: Groups, phases: list[Phase]) -> str:
    """Which wheels to turn for all teeth to be in gaps; a wheel in several meshes suits all of them."""
    told, left = in_phase(phases)
    names = [body.name for body in groups.bodies]
    if left:
        a, b = (names[part] for part in left[0].parts)
        return (
            f"no turn of the wheels brings all teeth into gaps: as the axes are, {a} and {b} are out of phase when all "
            f"others are in. Move the axis of one of the two, or choose other numbers of teeth: planets evenly around "
            f"a sun fit where the teeth of sun and ring together can be divided by their number"
        )
    parts = {group: part for each in phases for group, part in zip(each.groups, each.parts, strict=True)}
    cures = [how.format(f"the teeth of {names[parts[group]]}") for group, how in sorted(told.items())]
    return f"{', '.join(cures)}: all are then in gaps"


def _cure(machinery: Machinery, deep: list[tuple[int, int, Overlap]]) -> str:
    """How to get two parts out of one another, and the words by which these two and all others that overlap may."""
    groups = machinery.groups
    a, b, depth = *deep[0][:2], deep[0][2].depth
    both = f'"{groups.bodies[a].name}/{groups.bodies[b].name}"'
    screw = _screw(groups, a, b)
    if screw is not None:
        which = "# a screw that holds; one that moves is not told so, but by its pitch:"
        said = f'[part.{toml_key(screw)}]\nfastener = true     {which}\n[joint]\n{both} = "screw {_pitch(depth):.2g}"'
        return f"say what {screw} is, if it is drawn as thick as its thread; or make it smaller:\n{said}"
    way = way_out(machinery, (a, b), deep[0][2])
    move = (
        f"{way}: it is then clear; or say that they may, or are one:"
        if way is not None
        else f"move one of them or make it smaller; gear = true is for pitch cylinders; {OVERLAP} keeps the joint:"
    )
    names = [body.name for body in groups.bodies]
    others = "".join(f'\n"{names[c]}/{names[d]}" = "{OVERLAP}"' for c, d, _ in deep[1:])
    return f'{move}\n[joint]\n{both} = "{OVERLAP}"     # keeps their joint; or "fixed", or "ignore"{others}'


def _pitch(depth: float) -> float:
    """About the pitch of a thread that is so deep: those of metal are 5/8 as deep as a triangle of equal sides."""
    return depth / (5 / 8 * math.sqrt(3) / 2)


def _screw(groups: Groups, a: int, b: int) -> str | None:
    """The one of two parts that is too thick for a hole of the other by no more than a thread is deep."""
    for hole, inner in ((a, b), (b, a)):
        fits = shafts(groups.bodies[hole], groups.bodies[inner], groups.tolerance, THREAD)
        if inner and any(each.kind == "press" and each.is_closed for each in fits):
            return groups.bodies[inner].name
    return None


def _without_teeth(
    groups: Groups, deep: list[tuple[int, int, Overlap]], found: list[Mesh]
) -> list[tuple[int, int, Overlap]]:
    """Overlaps of parts; of those that mesh, what is beside their teeth."""
    bands = {frozenset(mesh.parts): mesh.band for mesh in found}
    left = []
    for a, b, each in deep:
        beside: Overlap | None = each
        if frozenset((a, b)) in bands:
            shells = groups.shells((a, b))
            tolerance = 10 * groups.tolerance
            beside = overlap(shells[a], shells[b], tolerance, band=bands[frozenset((a, b))])
        if beside is not None:
            left.append((a, b, beside))
    return left
