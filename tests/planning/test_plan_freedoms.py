"""The over-, under- and well-determined parts belong to the system, and their repairs repair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_cases import CASES, Case, largest_matching, structures, untimed, with_equations, without

from linkwork.errors import NoAnswer
from linkwork.planning import Parts, Structure, blocks, match, parts


def too_many_and_too_few(structure: Structure) -> tuple[int, int]:
    found = match(structure)
    return len(found.unmatched_equations), len(found.unmatched_variables)


@untimed
@given(structures())
def test_everything_is_in_one_part(structure: Structure) -> None:
    """Every equation and every variable is in exactly one part, in the user's order there."""
    found = parts(structure)
    three = (found.over, found.under, found.well)
    assert sorted(name for part in three for name in part.equations) == sorted(structure.equations)
    assert sorted(name for part in three for name in part.variables) == sorted(structure.variables)
    for part in three:
        assert list(part.equations) == [name for name in structure.equations if name in part.equations]
        assert list(part.variables) == [name for name in structure.variables if name in part.variables]


@untimed
@given(structures())
def test_parts_by_definition(structure: Structure) -> None:
    """Over-determined are the equations, under-determined the variables, that a largest matching may omit."""
    found, largest = parts(structure), largest_matching(structure)
    assert list(found.over.equations) == [
        name for name in structure.equations if largest_matching(without(structure, [name])) == largest
    ]
    assert list(found.under.variables) == [
        name for name in structure.variables if largest_matching(without(structure, [], [name])) == largest
    ]


@untimed
@given(structures())
def test_counts(structure: Structure) -> None:
    """Each over-determined group has more equations than variables, each under-determined one fewer."""
    found = parts(structure)
    assert len(found.well.equations) == len(found.well.variables)
    for group in found.over.groups:
        assert group.surplus == len(group.repair) > 0
        assert set(group.repair) <= set(group.equations)
        assert largest_matching(structure.only(group.equations, group.variables)) == len(group.variables)
    for group in found.under.groups:
        assert -group.surplus == len(group.repair) > 0
        assert set(group.repair) <= set(group.variables)
        assert largest_matching(structure.only(group.equations, group.variables)) == len(group.equations)


@untimed
@given(structures())
def test_groups_part_their_part(structure: Structure) -> None:
    """The groups of a part hold all its names once, and share no mention within the part."""
    for part in (parts(structure).over, parts(structure).under):
        assert sorted(e for group in part.groups for e in group.equations) == sorted(part.equations)
        assert sorted(v for group in part.groups for v in group.variables) == sorted(part.variables)
        for group in part.groups:
            inside = {name for e in group.equations for name in structure.mentioned_in(e)}
            assert inside & set(part.variables) == set(group.variables) & inside


@untimed
@given(structures())
def test_who_may_mention_whom(structure: Structure) -> None:
    """Over-determined equations mention only their part, well-determined ones nothing under-determined."""
    found = parts(structure)
    for equation in found.over.equations:
        assert set(structure.mentioned_in(equation)) <= set(found.over.variables)
    for equation in found.well.equations:
        assert not set(structure.mentioned_in(equation)) & set(found.under.variables)


@untimed
@given(structures())
def test_koenig(structure: Structure) -> None:
    """König's theorem: the parts give a cover of all mentions no larger than the largest matching."""
    found = parts(structure)
    cover_equations = {*found.under.equations, *found.well.equations}
    cover_variables = set(found.over.variables)
    for equation in structure.equations:
        assert equation in cover_equations or cover_variables.issuperset(structure.mentioned_in(equation))
    assert len(cover_equations) + len(cover_variables) == largest_matching(structure)


@untimed
@given(structures())
def test_well_part_is_solved_by_its_blocks(structure: Structure) -> None:
    """The well-determined part, with the over-determined variables taken as known, has exactly its blocks."""
    found = parts(structure)
    assert found.well.blocks == blocks(structure.only(found.well.equations, found.well.variables))


@untimed
@given(structures())
def test_repair_repairs(structure: Structure) -> None:
    """Without the equations and with values for the variables that the repair names, there are blocks."""
    found = parts(structure)
    values = {f"value of {name}": [name] for name in found.under.repair}
    repaired = with_equations(without(structure, found.over.repair), values)
    assert sum(block.size for block in blocks(repaired)) == len(structure.variables)
    assert parts(repaired).solvable


@untimed
@given(structures())
def test_any_equation_may_go_first(structure: Structure) -> None:
    """Removing any one over-determined equation leaves one too many fewer; removing another never does."""
    found = parts(structure)
    too_many, too_few = too_many_and_too_few(structure)
    for equation in structure.equations:
        after = too_many_and_too_few(without(structure, [equation]))
        guilty = equation in found.over.equations
        assert after == ((too_many - 1, too_few) if guilty else (too_many, too_few + 1))


@untimed
@given(structures(), st.data())
def test_any_variable_may_come_first(structure: Structure, data: st.DataObject) -> None:
    """One more equation about any under-determined variable, and whatever else, leaves one too few fewer."""
    found = parts(structure)
    too_many, too_few = too_many_and_too_few(structure)
    for variable in structure.variables:
        others = data.draw(st.lists(st.sampled_from(structure.variables)))
        if variable in found.under.variables:
            after = too_many_and_too_few(with_equations(structure, {"more": [variable, *others]}))
            assert after == (too_many, too_few - 1)
        else:
            after = too_many_and_too_few(with_equations(structure, {"more": [variable]}))
            assert after == (too_many + 1, too_few)


def test_not_every_pair_repairs() -> None:
    """With two or more equations too many, a choice can be wrong: hence "then ask again"."""
    structure = Structure.of({"1": ["x"], "2": ["x"], "3": ["x"], "4": ["x", "y"], "5": ["y"]})
    (group,) = parts(structure).over.groups
    assert group.surplus == 3
    assert parts(without(structure, group.repair)).solvable
    with pytest.raises(NoAnswer):
        blocks(without(structure, ["1", "4", "5"]))


@untimed
@given(structures(), st.permutations(range(7)))
def test_parts_do_not_depend_on_order(structure: Structure, places: list[int]) -> None:
    """In another order, and so with another matching, the parts hold the same names."""
    order = [place for place in places if place < len(structure.equations)]
    other = Structure.of(
        [(structure.equations[place], reversed(structure.mentions[place])) for place in order],
        reversed(structure.variables),
    )

    def as_sets(found: Parts) -> list[tuple[set[str], set[str]]]:
        return [(set(p.equations), set(p.variables)) for p in (found.over, found.under, found.well)]

    assert as_sets(parts(other)) == as_sets(parts(structure))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_solvable_by_hand(case: Case) -> None:
    """A system with blocks is well-determined throughout, and its blocks are the fine decomposition."""
    found = parts(case.structure)
    assert found.solvable
    assert found.well.blocks == blocks(case.structure)


SPOILT = Structure.of(
    {
        "drive": ["crank"],
        "motor": ["crank"],
        "loop x": ["crank", "rod", "rocker"],
        "loop y": ["crank", "rod", "rocker"],
        "spring": ["rocker", "force", "preload"],
        "note": [],
    },
    variables=["crank", "rod", "rocker", "force", "preload", "colour"],
)


def test_by_hand() -> None:
    """A four-bar driven twice, with a spring of unknown preload, is told apart as a designer would."""
    found = parts(SPOILT)
    assert [(group.equations, group.variables) for group in found.over.groups] == [
        (("drive", "motor"), ("crank",)),
        (("note",), ()),
    ]
    assert [(group.equations, group.variables) for group in found.under.groups] == [
        (("spring",), ("force", "preload")),
        ((), ("colour",)),
    ]
    assert [str(block) for block in found.well.blocks] == ["loop x, loop y → rod, rocker"]
    assert not found.solvable


def test_sentences() -> None:
    """The explanation names what is guilty, says what would mend it, and ends with what is well."""
    assert parts(SPOILT).explain() == (
        "Over-determined: no variable is mentioned by 'note'.",
        "Remove each of these equations, or write down the variables it is about.",
        "Over-determined: 2 equations ('drive' and 'motor') for 1 variable ('crank'), 1 too many.",
        "Remove any one of these equations.",
        "Under-determined: no equation mentions 'colour'.",
        "Give each of these variables a value or an equation, or leave it out.",
        "Under-determined: 2 variables ('force' and 'preload') with only 1 equation ('spring'), 1 too few.",
        "Give any one of these variables a value, or add an equation that mentions one of them.",
        "Too many here and too few there is often one slip: "
        "an over-determined equation that should mention an under-determined variable.",
        "Well-determined: 2 equations for 2 variables, in 1 block, the largest with 2 unknowns at once.",
    )
    assert str(parts(SPOILT)) == "\n".join(parts(SPOILT).explain())


def test_sentences_for_two_too_many_and_two_too_few() -> None:
    """Where more than one must go, the sentence gives an example and warns that not every choice repairs."""
    found = parts(Structure.of({"1": ["a"], "2": ["a"], "3": ["a"], "few": ["p", "q", "r"]}))
    fact, repair, missing, values, _ = found.explain()
    assert fact == "Over-determined: 3 equations ('1', '2' and '3') for 1 variable ('a'), 2 too many."
    assert repair.startswith("Remove 2 of these equations, for example '")
    assert repair.endswith("any one may go first, then ask again which may follow.")
    assert missing.endswith("3 variables ('p', 'q' and 'r') with only 1 equation ('few'), 2 too few.")
    assert values.startswith("Give 2 of these variables a value, for example '")


def test_long_lists_are_cut_on_request() -> None:
    """A sentence shows as many names as it is asked to; the part itself holds them all."""
    found = parts(Structure.of({f"e{place}": ["x"] for place in range(30)}))
    assert "'e0', 'e1' and 28 more" in found.explain(names_shown=2)[0]
    assert "'e29'" in found.explain(names_shown=30)[0]
    assert len(found.over.equations) == 30


def test_nothing_explained() -> None:
    """Of nothing it is said that there is nothing."""
    assert parts(Structure.of({})).explain() == ("There are no equations and no variables.",)


def test_same_names_on_both_sides() -> None:
    """An equation and a variable may have the same name without being mixed up."""
    found = parts(Structure.of({"a": ["b"], "b": ["b"], "c": ["a", "c"]}))
    assert found.over.equations == ("a", "b")
    assert found.over.variables == ("b",)
    assert found.under.equations == ("c",)
    assert found.under.variables == ("a", "c")
    assert set(found.over.repair) < {"a", "b"}
    assert set(found.under.repair) < {"a", "c"}
