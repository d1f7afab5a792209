"""Blocks are the smallest steps in which a system can be solved, in an order that is always the same."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_cases import CASES, Case, largest_matching, solvable_structures, structures, untimed, without

from linkwork.errors import NoAnswer, UnknownName, UsageError
from linkwork.planning import Block, Structure, blocks, components, dependencies, match, needed


def as_sets(found: tuple[Block, ...]) -> set[tuple[frozenset[str], frozenset[str]]]:
    return {(frozenset(block.equations), frozenset(block.unknowns)) for block in found}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_by_hand(case: Case) -> None:
    """Systems solved by hand fall into the blocks found by hand, in that order."""
    found = tuple((" ".join(block.equations), " ".join(block.unknowns)) for block in blocks(case.structure))
    assert found == case.blocks


@untimed
@given(solvable_structures())
def test_triangular(structure: Structure) -> None:
    """A block mentions only its own unknowns and those of earlier blocks."""
    known: set[str] = set()
    for block in blocks(structure):
        known |= set(block.unknowns)
        for equation in block.equations:
            assert known.issuperset(structure.mentioned_in(equation))


@untimed
@given(solvable_structures())
def test_every_name_once(structure: Structure) -> None:
    """Each equation and each variable is in exactly one block, as many of one as of the other, in order."""
    found = blocks(structure)
    assert sorted(name for block in found for name in block.equations) == sorted(structure.equations)
    assert sorted(name for block in found for name in block.unknowns) == sorted(structure.variables)
    for block in found:
        assert len(block.equations) == len(block.unknowns) == block.size
        assert list(block.equations) == [name for name in structure.equations if name in block.equations]
        assert list(block.unknowns) == [name for name in structure.variables if name in block.unknowns]


@untimed
@given(solvable_structures(most=6))
def test_smallest(structure: Structure) -> None:
    """No block can be split: taking out any one equation and any one unknown leaves the rest matchable.

    A square pattern falls into smaller blocks exactly if some such removal leaves it unmatchable.
    """
    for block in blocks(structure):
        alone = structure.only(block.equations, block.unknowns)
        for equation in block.equations:
            for unknown in block.unknowns:
                assert largest_matching(without(alone, [equation], [unknown])) == block.size - 1


@untimed
@given(solvable_structures())
def test_users_order_where_possible(structure: Structure) -> None:
    """A block follows at once on one with a later first equation only if it needs that one."""
    found = blocks(structure)
    first = [structure.equations.index(block.equations[0]) for block in found]
    needs = dependencies(found, structure)
    for place in range(1, len(found)):
        if first[place] < first[place - 1]:
            assert place - 1 in needs[place]


@untimed
@given(solvable_structures(), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(structure: Structure, random: Random) -> None:
    """Shuffled and renamed equations and variables fall into the same blocks, shuffled and renamed."""
    rows = list(zip(structure.equations, structure.mentions, strict=True))
    variables = list(structure.variables)
    random.shuffle(rows)
    random.shuffle(variables)
    other = Structure.of(
        [("new " + equation, ["new " + name for name in reversed(names)]) for equation, names in rows],
        ["new " + name for name in variables],
    )
    renamed = {
        (frozenset("new " + e for e in equations), frozenset("new " + v for v in unknowns))
        for equations, unknowns in as_sets(blocks(structure))
    }
    assert as_sets(blocks(other)) == renamed


@untimed
@given(solvable_structures())
def test_repeatable(structure: Structure) -> None:
    """The same input gives the same blocks in the same order."""
    again = Structure(structure.equations, structure.variables, structure.mentions)
    assert blocks(again) == blocks(structure)


@untimed
@given(solvable_structures())
def test_components_have_the_same_blocks(structure: Structure) -> None:
    """Solving each independent component for itself takes the same blocks as solving the whole."""
    apart = [as_sets(blocks(piece)) for piece in components(structure)]
    assert set().union(*apart) == as_sets(blocks(structure))


@untimed
@given(structures())
def test_refused_exactly_if_singular(structure: Structure) -> None:
    """There are blocks if and only if every equation and every variable can be matched."""
    if match(structure).complete:
        assert sum(block.size for block in blocks(structure)) == len(structure.equations)
    else:
        with pytest.raises(NoAnswer, match="structurally singular"):
            blocks(structure)


def test_singular_names_the_guilty() -> None:
    """The error names the equations too many, the variables too few, and the smallest repair of both."""
    with pytest.raises(NoAnswer) as caught:
        blocks(Structure.of({"drive": ["a"], "motor": ["a"], "loop": ["b", "c"], "load": ["a", "d"]}))
    error = caught.value
    assert error.got == "4 equations for 4 variables"
    assert "2 equations ('drive' and 'motor') for 1 variable ('a'), 1 too many" in error.why
    assert "2 variables ('b' and 'c') with only 1 equation ('loop'), 1 too few" in error.why
    assert "load" not in error.why
    assert error.fix in {
        f"remove '{spare}', and give '{free}' a value or one more equation"
        for spare in ("drive", "motor")
        for free in ("b", "c")
    }


def test_singular_in_many_places_stays_readable() -> None:
    """Hundreds of guilty groups do not bury the fix."""
    with pytest.raises(NoAnswer) as caught:
        blocks(Structure.of({f"e{place}": [f"v{place // 2}"] for place in range(600)}))
    assert str(caught.value).count("\n") < 25
    assert "print(parts(structure))" in caught.value.why
    assert "and 280 more" in caught.value.fix


def test_empty_equation_and_lonely_variable() -> None:
    """An equation about nothing and a variable of no equation make a system singular, also together."""
    with pytest.raises(NoAnswer, match="no variable is mentioned by 'idle'"):
        blocks(Structure.of({"idle": []}))
    with pytest.raises(NoAnswer, match="no equation mentions 'lonely'"):
        blocks(Structure.of({}, variables=["lonely"]))
    with pytest.raises(NoAnswer, match="often one slip"):
        blocks(Structure.of({"idle": []}, variables=["lonely"]))


@untimed
@given(solvable_structures())
def test_dependencies_are_the_mentions(structure: Structure) -> None:
    """Block i needs block j directly if and only if i mentions an unknown of j; then j comes before i."""
    found = blocks(structure)
    for place, needs in enumerate(dependencies(found, structure)):
        mentioned = {name for e in found[place].equations for name in structure.mentioned_in(e)}
        by_hand = [j for j in range(len(found)) if j != place and mentioned & set(found[j].unknowns)]
        assert list(needs) == by_hand
        assert all(other < place for other in needs)


@untimed
@given(solvable_structures(), st.data())
def test_needed_is_enough_and_no_more(structure: Structure, data: st.DataObject) -> None:
    """The needed blocks are those a sweep from the last block back must keep, and they suffice."""
    found = blocks(structure)
    wanted = data.draw(st.lists(st.sampled_from(structure.variables)))
    swept: list[Block] = []
    asked_for = set(wanted)
    for block in reversed(found):
        if asked_for & set(block.unknowns):
            swept.insert(0, block)
            asked_for |= {name for e in block.equations for name in structure.mentioned_in(e)}
    kept = needed(found, structure, wanted)
    assert kept == tuple(swept)
    assert {name for block in kept for name in block.unknowns} >= asked_for


def test_needed_for_nothing_is_nothing() -> None:
    """Who wants nothing needs no block; who wants the last of a chain needs all."""
    chain = Structure.of({"1": ["a"], "2": ["a", "b"], "3": ["b", "c"]})
    found = blocks(chain)
    assert needed(found, chain, []) == ()
    assert needed(found, chain, ["c"]) == found
    assert needed(found, chain, {"a"}) == found[:1]


def test_needed_takes_the_rest_as_known() -> None:
    """Variables that no given block solves for count as known, so a part of the blocks may be asked."""
    chain = Structure.of({"1": ["a"], "2": ["a", "b"], "3": ["b", "c"]})
    later = blocks(chain)[1:]
    assert needed(later, chain, ["c"]) == later
    assert dependencies(later, chain) == ((), (0,))


def test_needed_refuses_strangers() -> None:
    """A wanted variable that no block solves for, a text for a list, and foreign blocks are refused."""
    chain = Structure.of({"1": ["alpha"], "2": ["alpha", "beta"]})
    found = blocks(chain)
    with pytest.raises(UnknownName, match="no block solves") as caught:
        needed(found, chain, ["alpa"])
    assert caught.value.fix == "write 'alpha'"
    with pytest.raises(UsageError):
        needed(found, chain, "alpha")
    with pytest.raises(UnknownName, match="no such equation"):
        needed(found, Structure.of({"other": ["alpha"]}), ["alpha"])


def test_block_prints() -> None:
    """A block reads as equations and what they give."""
    assert str(Block(("loop x", "loop y"), ("b", "c"))) == "loop x, loop y → b, c"
