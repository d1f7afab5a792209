"""A matching pairs each equation with a variable of its own, for as many as possible."""

from __future__ import annotations

from hypothesis import given
from plan_cases import largest_matching, solvable_structures, structures, untimed

from linkwork.planning import Structure, match


@untimed
@given(structures())
def test_is_a_matching(structure: Structure) -> None:
    """Every pair is a mention, nothing is paired twice, and the rest is listed as left over, in order."""
    found = match(structure)
    equations = [equation for equation, _ in found.pairs]
    variables = [variable for _, variable in found.pairs]
    assert all(variable in structure.mentioned_in(equation) for equation, variable in found.pairs)
    assert len(set(variables)) == len(variables)
    assert equations == [name for name in structure.equations if name not in found.unmatched_equations]
    assert found.unmatched_equations == tuple(e for e in structure.equations if e not in equations)
    assert found.unmatched_variables == tuple(v for v in structure.variables if v not in variables)


@untimed
@given(structures())
def test_is_maximum(structure: Structure) -> None:
    """No matching is larger: plain augmenting paths find none."""
    assert len(match(structure).pairs) == largest_matching(structure)


@untimed
@given(solvable_structures())
def test_is_complete_where_it_can_be(structure: Structure) -> None:
    """A system with a hidden complete matching is matched completely."""
    assert match(structure).complete


@untimed
@given(structures())
def test_is_repeatable(structure: Structure) -> None:
    """The same input gives the same matching."""
    again = Structure(structure.equations, structure.variables, structure.mentions)
    assert match(again) == match(structure)


def test_leftovers_by_hand() -> None:
    """What cannot be matched is named on its side."""
    found = match(Structure.of({"idle": [], "e": ["a", "b"]}, ["a", "b", "lonely"]))
    assert found.unmatched_equations == ("idle",)
    assert len(found.pairs) == 1
    assert "lonely" in found.unmatched_variables
    assert not found.complete
    assert "idle → nothing" in str(found)
    assert "nothing → lonely" in str(found)


def test_nothing_to_match() -> None:
    """The empty structure is completely matched, by nothing."""
    found = match(Structure.of({}))
    assert found.pairs == ()
    assert found.complete
