"""The constants of contacts: what a machine file says, what counts where two parts touch, and what is refused."""

import pytest

from linkwork.contact import Law, Laws, machine_laws
from linkwork.errors import UsageError
from linkwork.model import load
from linkwork.model.read import machine_from_text
from linkwork.model.write import machine_to_text
from linkwork.recognition import recognise

TABLE = """
[contact]
friction = 0.1
restitution = "1/4"

[contact.pair.lever]
friction = 0.2
damping = 5

[contact.pair."frame/lever"]
friction = 0.3

[contact.pair.ewheel]
friction = 0.4
"""


@pytest.fixture(scope="module")
def clock_text() -> str:
    return machine_to_text(load("escapement")) + TABLE


def test_a_pair_counts_more_than_a_part_and_a_part_more_than_all(clock_text: str) -> None:
    laws = machine_laws(machine_from_text(clock_text, "clock.toml", "clock"))
    assert laws.of("bwheel", "frame") == Law(friction=0.1, restitution=0.25)
    assert laws.of("lever", "bwheel") == Law(friction=0.2, restitution=0.25, damping=5)
    assert laws.of("lever", "frame") == laws.of("frame", "lever") == Law(0.3, 0.25, damping=5)


def test_of_two_parts_the_later_in_the_file_counts(clock_text: str) -> None:
    laws = machine_laws(machine_from_text(clock_text, "clock.toml", "clock"))
    assert laws.of("lever", "ewheel") == laws.of("ewheel", "lever") == Law(0.4, 0.25, damping=5)


def test_a_found_machine_keeps_the_table_with_its_own_names_of_parts(clock_text: str) -> None:
    found = recognise(machine_from_text(clock_text, "clock.toml", "clock")).machine
    assert found is not None
    assert list(found.contact.pair) == ["lever", "ground/lever", "ewheel"]
    again = machine_from_text(machine_to_text(found), "found.toml", "clock")
    assert again.contact == found.contact
    assert machine_laws(again).of("ground", "lever").friction == 0.3


def test_constants_for_all_parts_can_be_given_otherwise(clock_text: str) -> None:
    laws = machine_laws(machine_from_text(clock_text, "clock.toml", "clock"), {"friction": 0.7})
    assert laws.of("bwheel", "frame") == Law(0.7, 0.25)
    assert laws.of("lever", "frame").friction == 0.3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("restitution", 1.01),
        ("restitution", -0.1),
        ("friction", -1.0),
        ("friction", float("nan")),
        ("friction", float("inf")),
        ("stiffness", 0.0),
        ("damping", -1.0),
        ("pressing", "much"),
        ("friction", True),
    ],
)
def test_constants_that_make_no_sense_are_refused(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=f"the {name} of a contact") as caught:
        Law(**{name: value})
    assert f"{name} = " in caught.value.fix


def test_without_a_table_contacts_are_smooth_and_do_not_rebound() -> None:
    assert machine_laws(load("ratchet-cw")) == Laws()
    assert Law() == Law(friction=0, restitution=0)
