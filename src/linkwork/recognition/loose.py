"""Parts that nothing holds are refused unless they are meant to be free, with what nearly holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from linkwork.model.fault import listed
from linkwork.model.source import toml_key
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.few_sides import few_sided
from linkwork.recognition.free import is_kept_loose
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery, connected
from linkwork.recognition.near_misses import near_misses
from linkwork.recognition.wishes import Wishes

MOST_TOLD: Final = 8
"""Parts for which a fix is told at once, at most."""


def check_free(machinery: Machinery, wishes: Wishes) -> None:
    """Refuse parts that nothing holds, alone or with what is joined to them, unless they are meant to be free."""
    groups = machinery.groups
    loose = [
        members
        for members in _unheld(machinery)
        if not is_kept_loose(groups, groups.names_of(members), wishes)
    ]
    if not loose:
        return
    leads = [groups.bodies[groups.called_after(members[0])].name for members in loose]
    names = groups.names_of([group for members in loose for group in members])
    frame = groups.bodies[0].name
    told = [
        *islice(near_misses(groups, names), MOST_TOLD),
        *islice(few_sided(groups, names), MOST_TOLD),
        ", ".join(islice(_lying(groups, loose), MOST_TOLD)),
    ]
    raise RecognitionError(
        f"nothing holds {_subject(groups, loose)}",
        got="; ".join([_fits(loose, frame), *filter(None, told)]),
        wanted="surfaces that fit and hold from both sides, as teeth alone do not, or the word that it is free",
        fix="\n".join(f"[part.{toml_key(name)}]\nfree = true" for name in leads[:MOST_TOLD])
        + f'\n# where one is made fast to another, under [joint]: "{leads[0]}/{frame}" = "fixed"',
    )


def _unheld(machinery: Machinery) -> list[list[int]]:
    """The groups in sets that pairs and slots join, of which none is joined to the frame."""
    pairs = [*(each.groups for each in machinery.joined), *machinery.groups.slotted]
    held = {group for both in pairs if 0 in both for group in both}
    sets = connected([group for group in machinery.groups.members if group], pairs)
    return [members for members in sets if not held & {*members}]


def _subject(groups: Groups, loose: Sequence[Sequence[int]]) -> str:
    """Whom nothing holds: parts, and those that are joined to them."""
    told = []
    for members in loose:
        lead, *others = (groups.bodies[groups.called_after(group)].name for group in members)
        told.append(f"{lead} with what is joined to it, {listed(others)}" if others else lead)
    if len(told) == 1:
        return f"the part {told[0]}"
    return f"the parts {'; '.join(told) if any(len(each) > 1 for each in loose) else listed(told)}"


def _fits(loose: Sequence[Sequence[int]], frame: str) -> str:
    """What is missing."""
    if any(len(members) > 1 for members in loose):
        return f"no shaft, hole, slide or socket of them fits {frame} or what that holds"
    return f"no shaft, hole, slide or socket of {'it' if len(loose) == 1 else 'them'} fits another part"


def _lying(groups: Groups, loose: Sequence[Sequence[int]]) -> Iterator[str]:
    """What parts lie on, though that does not hold them: each two once, the upper on the lower."""
    number = {group: place for place, members in enumerate(loose) for group in members}
    for (a, b), touched in groups.touching.items():
        names = groups.bodies[a].name, groups.bodies[b].name
        flat = next((each for each in touched if each.kind == "plane"), None)
        if flat is None or number.get(groups.group_of(a)) == number.get(groups.group_of(b)):
            continue
        weight = groups.pulls.along([names[1]], flat.normals[0], weight=True).value
        upwards = -weight or float(flat.normals[0] @ groups.axes[2])  # without weight z is up
        under, upper = names if upwards >= 0 else names[::-1]
        yield f"{upper} lies on {under}"
