"""How tables grow with the drawing: a chain of links takes as many lines a link, however long it is."""

from __future__ import annotations

from typing import Any

import pytest

from drawings import drawn
from linkwork import Machine
from linkwork.algebra import Table
from linkwork.mechanics import derive
from linkwork.model.constraint import Angle, Distance

WITHIN = 1.1


def chain(count: int) -> Machine:
    """Links with relative angles a1, a2, …, lengths l1, …, and masses m1, … at their ends."""
    links = range(1, count + 1)
    turns = {f"turn{k}": Angle((f"L{k - 1}", f"L{k}"), f"a{k}") for k in links[1:]}
    drawing = drawn(
        points=[f"P{k}" for k in range(count + 1)],
        lines={f"L{k}": (f"P{k - 1}", f"P{k}") for k in links},
        constraints={
            "turn1": Angle(("L1",), "a1"),
            **turns,
            **{f"length{k}": Distance((f"P{k - 1}", f"P{k}"), f"l{k}") for k in links},
        },
        masses={f"P{k}": f"m{k}" for k in links},
    )
    return Machine.of("chain", {}, drawing=drawing, gravity=[0, "-g"])


def asked(count: int, what: str) -> dict[str, Any]:
    """What to ask of a chain."""
    angles = [f"a{k}" for k in range(1, count + 1)]
    questions: dict[str, dict[str, Any]] = {
        "positions": {"quantity": f"P{count}x,P{count}y"},
        "velocities": {"quantity": f"V_P{count}x,V_P{count}y", "moving": angles},
        "kinetic energy": {"quantity": "kinetic_energy", "moving": angles},
        "potential energy": {"quantity": "potential_energy"},
        "reaction": {"reaction": "a1", "moving": angles},
        "accelerations": {"accelerations": angles, "form": "recursive"},
    }
    return questions[what]


def table(count: int, what: str, tidy: bool) -> Table:
    return derive(chain(count), tidy=tidy, **asked(count, what)).table


EVERYTHING = ("positions", "velocities", "kinetic energy", "potential energy", "reaction", "accelerations")


@pytest.mark.parametrize("what", EVERYTHING)
def test_lines_a_link_are_constant(what: str) -> None:
    """From 10 to 100 links the lines and the operations a link of the table as derived grow by less than 10 %."""
    short, long = table(10, what, False), table(100, what, False)
    assert len(long) / 100 < WITHIN * len(short) / 10
    assert long.operations / 100 < WITHIN * short.operations / 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "what",
    [
        "positions",
        pytest.param(
            "velocities",
            marks=pytest.mark.xfail(
                reason="1.4 lines a link of 10, 1.66 of 100: the ends need fewer", strict=True
            ),
        ),
        "kinetic energy",
        "potential energy",
        "reaction",
        "accelerations",
    ],
)
def test_tidy_lines_a_link_are_constant(what: str) -> None:
    """The same for tidy tables."""
    short, long = table(10, what, True), table(100, what, True)
    assert len(long) / 100 < WITHIN * len(short) / 10
    assert long.operations / 100 < WITHIN * short.operations / 10


def test_forms_agree_on_a_chain() -> None:
    """The recursive accelerations of five links are those of the linear system."""
    values = {"g": 9.81}
    for k in range(1, 6):
        values |= {f"a{k}": 0.3 * k - 1, f"l{k}": 1 + 0.1 * k, f"m{k}": 2 - 0.2 * k, f"V_a{k}": 0.4 - 0.1 * k}
    angles = [f"a{k}" for k in range(1, 6)]
    found = [derive(chain(5), accelerations=angles, form=form).table for form in ("matrix", "recursive")]
    first, second = (each.evaluate({name: values[name] for name in each.inputs}) for each in found)
    for name in angles:
        assert first[f"A_{name}"] == pytest.approx(second[f"A_{name}"], rel=1e-9)


def test_entries_of_the_linear_system_have_their_names() -> None:
    """Each right-hand side can be asked for, also one that is another line by its value."""
    angles = [f"a{k}" for k in range(1, 6)]
    loads = [f"load_{name}" for name in angles]
    table = derive(chain(5), accelerations=angles, quantity=loads, form="matrix", tidy=False).table
    assert set(loads) <= {line.name for line in table}
