"""Large systems are planned without recursion and without a wait."""

from __future__ import annotations

import random

import pytest

from linkwork.errors import NoAnswer
from linkwork.planning import Structure, blocks, components, dependencies, match, needed, parts


def linkages_in_a_row(count: int) -> Structure:
    """``count`` driven loops, each driven by the one before: blocks of one and of two in turn."""
    rows: dict[str, list[str]] = {}
    for k in range(count):
        rows[f"loop {k} x"] = [f"crank {k}", f"rod {k}", f"rocker {k}"]
        rows[f"loop {k} y"] = [f"rod {k}", f"rocker {k}", f"crank {k}"]
        rows[f"drive {k}"] = [f"crank {k}", f"rocker {k - 1}"] if k else ["crank 0"]
    return Structure.of(rows)


def shuffled(structure: Structure, seed: int) -> Structure:
    rows = list(zip(structure.equations, structure.mentions, strict=True))
    random.Random(seed).shuffle(rows)
    return Structure.of(rows)


def test_five_thousand_equations() -> None:
    """A shuffled system of 5,001 equations falls into its 3,334 blocks, and every question is answered."""
    count = 1_667
    structure = shuffled(linkages_in_a_row(count), seed=1)
    found = blocks(structure)
    assert len(structure.equations) == 5_001
    assert [block.size for block in found] == [1, 2] * count
    assert found[0].equations == ("drive 0",)
    assert set(found[-1].unknowns) == {"rod 1666", "rocker 1666"}
    assert len(components(structure)) == 1
    assert len(needed(found, structure, ["rocker 99"])) == 200
    assert dependencies(found, structure)[-1] == (len(found) - 2,)


def test_five_thousand_equations_gone_wrong() -> None:
    """In a random system of 5,000 equations the parts fit together and the repair repairs."""
    source = random.Random(2)
    names = [f"v{place}" for place in range(5_000)]
    structure = Structure.of({f"e{place}": source.sample(names, 3) for place in range(5_000)}, names)
    found = parts(structure)
    assert found.over.repair
    assert len(found.over.repair) == len(found.under.repair)
    rows = dict(zip(structure.equations, structure.mentions, strict=True))
    for name in found.over.repair:
        del rows[name]
    repaired = Structure.of(rows | {f"value {name}": (name,) for name in found.under.repair}, names)
    assert sum(block.size for block in blocks(repaired)) == 5_000


LONG = 100_000


def test_long_chain() -> None:
    """A chain of 100,000 equations, each needing the next, is solved from its far end, without recursion."""
    rows = {f"e{place}": [f"v{place}", f"v{place + 1}"] for place in range(LONG - 1)}
    structure = Structure.of(rows | {f"e{LONG - 1}": [f"v{LONG - 1}"]})
    found = blocks(structure)
    assert [block.equations[0] for block in found] == [f"e{place}" for place in reversed(range(LONG))]
    assert len(needed(found, structure, ["v0"])) == LONG


def test_long_ring() -> None:
    """A ring of 100,000 equations is one block."""
    structure = Structure.of({f"e{place}": [f"v{place}", f"v{(place + 1) % LONG}"] for place in range(LONG)})
    (block,) = blocks(structure)
    assert block.size == LONG


def test_long_chain_with_one_end_too_many() -> None:
    """One equation too many at the far end of a long chain makes every equation of it guilty alike."""
    rows = {f"e{place}": [f"v{place}", f"v{place + 1}"] for place in range(LONG - 1)}
    structure = Structure.of(rows | {"near end": ["v0"], "far end": [f"v{LONG - 1}"]})
    found = parts(structure)
    assert len(match(structure).unmatched_equations) == 1
    assert len(found.over.equations) == LONG + 1
    with pytest.raises(NoAnswer, match="100,001 equations"):
        blocks(structure)
