"""Names by which people call what holds parts together: the noun decides, not a word somewhere in the name."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+(?:\.\d+)?")
"""The words and numbers of a name: ``lidScrew_2`` has three."""
_FASTENER: Final = re.compile(
    r"(?:(?:set|grub|cap|wood)?screw|(?:hex|lock|wing)?nut|(?:hex)?bolt|rivet|stud|nail|washer)s?"
)
_RIVET: Final = re.compile(r"(?:rivet|stud|nail)s?")
_RETAINER: Final = re.compile(r"(?:(?:cir)?clip|(?:snap|retaining|lock|locking|spring|seeger) ?ring)s?")
_SIZE: Final = re.compile(
    r"(?<![^\W\d_])(?:iso|din|m)[ _-]?\d+(?:\.\d+)?(?:[ _-]?x[ _-]?\d+(?:\.\d+)?)?", re.IGNORECASE
)
"""A standard or a size, as in ISO 4762 M5 x 20."""
_SAYS_ENOUGH: Final = re.compile(r"(?:iso|din)[ _-]?\d|m\d+(?:\.\d+)?[ _-]?x", re.IGNORECASE)
"""What in a size tells a fastener without a noun: M5x20 does, m5 may be a motor."""
_OF: Final = ("of", "for", "in", "on", "at", "from", "to", "with", "through")
"""The noun stands before these words."""
_WHICH: Final = (
    *(
        "left",
        "right",
        "top",
        "bottom",
        "upper",
        "lower",
        "front",
        "rear",
        "back",
        "middle",
        "inner",
        "outer",
    ),
    *("long", "short", "small", "large", "big", "first", "second", "third", "last", "new", "old", "copy"),
    *("steel", "brass", "plastic", "hex", "black"),
)
"""Words behind a noun that tell which of several it is."""
_MOVING: Final = (
    *("lead", "ball", "feed", "power", "jack", "dead", "slide", "sliding", "door", "latch"),
    *("pivot", "shoulder", "hinge", "swivel"),
)
"""A screw, nut or bolt of these moves, or something turns on it: it holds nothing fast."""


def is_fastener_name(name: str) -> bool:
    """Whether a part is called like a screw, bolt, nut, rivet, stud, nail or washer, or by the standard of one alone.

    >>> [is_fastener_name(name) for name in ("m4_screw", "left bolt", "bolt_2", "ISO 4762 M5 x 20", "nut of lid")]
    [True, True, True, True, True]
    >>> [is_fastener_name(name) for name in ("bolt_holder", "lead_screw", "pivot_bolt", "DIN 625 bearing")]
    [False, False, False, False]
    """
    noun, sized = noun_of(name), any(_SAYS_ENOUGH.match(size) for size in _SIZE.findall(name))
    if not noun:
        return sized
    return _FASTENER.fullmatch(noun[-1]) is not None and not {*noun[:-1]} & {*_MOVING}


def is_rivet_name(name: str) -> bool:
    """Whether a part is called a rivet, a stud or a nail: something may turn on one of these alone.

    >>> is_rivet_name("rivet_2"), is_rivet_name("stud"), is_rivet_name("rivet_gun")
    (True, True, False)
    """
    noun = noun_of(name)
    return bool(noun) and _RIVET.fullmatch(noun[-1]) is not None


def is_retainer_name(name: str) -> bool:
    """Whether a part is called like a ring that snaps into a groove.

    >>> [is_retainer_name(name) for name in ("e_clip", "snap_ring_2", "retaining ring M8", "ring", "clipper")]
    [True, True, True, False, False]
    """
    return _RETAINER.fullmatch(" ".join(noun_of(name)[-2:])) is not None


def noun_of(name: str) -> list[str]:
    """The noun of a name, with the words before it that say more."""
    words = [word.lower() for word in _WORDS.findall(_SIZE.sub(" ", name))]
    before = next((place for place, word in enumerate(words) if word in _OF), len(words))
    nouns = [word for word in words[:before] if len(word) > 1 and word[0].isalpha()]
    while len(nouns) > 1 and nouns[-1] in _WHICH:
        nouns.pop()
    return nouns
