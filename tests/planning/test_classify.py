"""Classes of variables: worked examples, and on random structures the largest set by brute force."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.planning import Structure, match
from linkwork.planning.classify import Classes, Facts, classify

Mentions = Mapping[str, frozenset[str]]


def facts(
    variables: str,
    holonomic: Mapping[str, str],
    causal: str = "",
    idle: str = "",
    nonholonomic: Mapping[str, str] | None = None,
    constant: Collection[tuple[str, str]] = (),
) -> Facts:
    """Facts in one letter a variable; nonholonomic constraints mention their variables and rates alike."""
    rates = {name: frozenset(each) for name, each in (nonholonomic or {}).items()}
    return Facts(
        tuple(variables),
        {name: frozenset(each) for name, each in holonomic.items()},
        rates,
        rates,
        frozenset(causal),
        frozenset(idle),
        lambda constraint, variable: (constraint, variable) in constant,
    )


def orders(classes: Classes) -> tuple[str, str, str]:
    return "".join(classes.zeroth), "".join(classes.first), "".join(classes.second)


# --------------------------------------------------------------------------------------- worked examples

EXAMPLES: dict[str, tuple[Facts, tuple[str, str, str]]] = {
    "nothing": (facts("", {}), ("", "", "")),
    "free": (facts("xy", {}, causal="xy"), ("", "", "xy")),
    "a pendulum by its angle": (facts("a", {}, causal="a"), ("", "", "a")),
    "a pendulum in x and y": (facts("xy", {"length": "xy"}, causal="xy"), ("", "", "xy")),
    "a pointer": (facts("xp", {"aim": "xp"}, causal="x", idle="p"), ("p", "", "x")),
    "two pointers": (facts("xpq", {"a": "xp", "b": "xq"}, "x", "pq"), ("pq", "", "x")),
    "pointers on pointers": (facts("xpq", {"a": "xp", "b": "pq"}, "x", "pq"), ("pq", "", "x")),
    "two in a loop": (facts("xpq", {"a": "xpq", "b": "xpq"}, "x", "pq"), ("pq", "", "x")),
    "one aim too few": (facts("xpq", {"a": "xpq"}, "x", "pq"), ("", "", "xpq")),
    "one aim too many": (facts("xp", {"a": "xp", "b": "xp"}, "x", "p"), ("", "", "xp")),
    "a wheel that rolls": (facts("xw", {}, "x", "w", {"rolls": "xw"}), ("", "w", "x")),
    "a pointer on the wheel": (
        facts("xwp", {"aim": "wp"}, "x", "wp", {"rolls": "xw"}), ("p", "w", "x"),
    ),
    "a pointer that rolling needs": (
        facts("xwp", {"aim": "xp"}, "x", "wp", {"rolls": "xwp"}), ("", "pw", "x"),
    ),
    "given outright": (
        facts("xy", {"rail": "xy"}, "xy", constant=[("rail", "x")]), ("", "x", "y"),
    ),
    "given outright either way": (
        facts("yx", {"rail": "xy"}, "xy", constant=[("rail", "x"), ("rail", "y")]), ("", "x", "y"),
    ),
    "not outright": (facts("xy", {"rail": "xy"}, "xy"), ("", "", "xy")),
    "on two rails": (
        facts("xyz", {"a": "xy", "b": "xz"}, "xyz", constant=[("a", "y"), ("b", "z")]), ("", "yz", "x"),
    ),
    "a chain of rails": (
        facts("xyz", {"a": "xy", "b": "yz"}, "xyz", constant=[("a", "x"), ("b", "z")]), ("", "xz", "y"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", EXAMPLES)
def test_worked_examples(case: str) -> None:
    given_facts, wanted = EXAMPLES[case]
    assert tuple(map(sorted, orders(classify(given_facts)))) == tuple(map(sorted, wanted))


def test_classes_stand_in_the_order_of_declaration() -> None:
    classes = classify(facts("qxp", {"b": "xq", "a": "xp"}, "x", "pq"))
    assert classes.zeroth == ("q", "p")
    assert classes.holonomic == (("b", "a"), (), ())


# ------------------------------------------------------------------------------------------ brute force


@st.composite
def random_facts(draw: st.DrawFn) -> Facts:
    """Up to six variables and five constraints."""
    variables = "abcdef"[: draw(st.integers(1, 6))]
    some = st.frozensets(st.sampled_from(variables), min_size=1, max_size=3)
    holonomic = dict(zip("HIJK", draw(st.lists(some, max_size=4)), strict=False))
    nonholonomic = dict(zip("NO", draw(st.lists(some, max_size=2)), strict=False))
    causal = draw(st.frozensets(st.sampled_from(variables)))
    constant = draw(st.booleans())
    return Facts(
        tuple(variables), holonomic, nonholonomic, nonholonomic, causal, frozenset(variables) - causal,
        lambda constraint, variable: constant,
    )  # fmt: skip


def is_tight(chosen: Collection[str], mentions: Mentions) -> bool:
    """Whether the constraints that mention some of the variables are as many as these and match them."""
    kept = {name: sorted(each & {*chosen}) for name, each in mentions.items() if each & {*chosen}}
    return len(kept) == len(chosen) and match(Structure.of(kept, sorted(chosen))).complete


def largest(candidates: Iterable[str], mentions: Mentions) -> set[str]:
    """The union of all tight sets, by trying every set."""
    found: set[str] = set()
    names = sorted(candidates)
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            if is_tight(chosen, mentions):
                found |= {*chosen}
    return found


def groups(candidates: Iterable[str], mentions: Mentions) -> list[set[str]]:
    """Candidates that constraints tie together."""
    found: list[set[str]] = [{name} for name in candidates]
    for each in mentions.values():
        tied = [group for group in found if group & each]
        found = [group for group in found if group not in tied] + [set().union(*tied)] * bool(tied)
    return found


def is_scarce(group: Collection[str], mentions: Mentions) -> bool:
    """Whether some of the variables have fewer constraints than they are: which of them follow is open then."""
    names = sorted(group)
    every = [set(chosen) for size in range(1, len(names) + 1) for chosen in combinations(names, size)]
    return any(sum(bool(each & chosen) for each in mentions.values()) < len(chosen) for chosen in every)


def check_largest(found: Collection[str], candidates: Collection[str], mentions: Mentions) -> None:
    """What was found is tight; of variables that have enough constraints it is the largest such set."""
    assert not found or is_tight(found, mentions)
    for group in groups(candidates, mentions):
        if not is_scarce(group, mentions):
            assert group & {*found} == largest(group, mentions)
    assert {*found} <= largest(candidates, mentions)


def velocities(given_facts: Facts, classes: Classes) -> Mentions:
    """The constraints on rates that are left once those of order zero are taken."""
    left = {name: e for name, e in given_facts.holonomic.items() if name not in classes.holonomic[0]}
    return {**left, **given_facts.rates}


@given(random_facts())
def test_order_zero_is_the_largest_tight_set(given_facts: Facts) -> None:
    """Of the variables that neither energies, forces nor nonholonomic constraints mention."""
    barred = given_facts.causal.union(*given_facts.nonholonomic.values())
    check_largest(classify(given_facts).zeroth, {*given_facts.variables} - barred, given_facts.holonomic)


@given(random_facts())
def test_first_order_holds_the_largest_tight_set_of_idle_variables(given_facts: Facts) -> None:
    """Where nothing is given outright it is just that set."""
    plain = replace(given_facts, has_constant_factor=lambda constraint, variable: False)
    classes = classify(plain)
    mentions = velocities(plain, classes)
    idle = plain.idle - {*classes.zeroth}
    check_largest(classes.first, idle, mentions)
    more = classify(given_facts)
    assert is_tight(more.first, mentions) or not more.first


@given(random_facts())
def test_blocks_solve_their_class(given_facts: Facts) -> None:
    """Blocks are square, share nothing, need only what comes before them or other classes, and cover the class."""
    classes = classify(given_facts)
    for blocks, names, mentions in (
        (classes.zeroth_blocks, classes.zeroth, given_facts.holonomic),
        (classes.first_blocks, classes.first, velocities(given_facts, classes)),
    ):
        assert sorted(name for block in blocks for name in block.unknowns) == sorted(names)
        known = {*given_facts.variables} - {*names}
        for block in blocks:
            assert len(block.equations) == len(block.unknowns)
            known |= {*block.unknowns}
            assert all(mentions[name] <= known for name in block.equations)


@given(random_facts())
def test_every_constraint_and_variable_has_one_class(given_facts: Facts) -> None:
    classes = classify(given_facts)
    assert sorted(classes.zeroth + classes.first + classes.second) == sorted(given_facts.variables)
    assert sorted(sum(classes.holonomic, ())) == sorted(given_facts.holonomic)
    assert sorted(sum(classes.nonholonomic, ())) == sorted(given_facts.nonholonomic)
    assert len(classes.holonomic[0]) == len(classes.zeroth)
    assert len(classes.holonomic[1]) + len(classes.nonholonomic[0]) == len(classes.first)


@given(random_facts(), st.integers(0, 10_000))
def test_the_order_of_declaration_does_not_matter(given_facts: Facts, seed: int) -> None:
    source = random.Random(seed)

    def shuffled(table: Mentions) -> Mentions:
        return dict(source.sample(sorted(table.items()), len(table)))

    nonholonomic = shuffled(given_facts.nonholonomic)
    other = replace(
        given_facts,
        variables=tuple(source.sample(given_facts.variables, len(given_facts.variables))),
        holonomic=shuffled(given_facts.holonomic),
        nonholonomic=nonholonomic,
        rates=nonholonomic,
    )
    one, two = classify(given_facts), classify(other)
    for first, second in ((one.zeroth, two.zeroth), (one.first, two.first), (one.second, two.second)):
        assert sorted(first) == sorted(second)
    assert [sorted(each) for each in one.holonomic] == [sorted(each) for each in two.holonomic]
    assert [sorted(each) for each in one.nonholonomic] == [sorted(each) for each in two.nonholonomic]
