"""Design files: what is written is read exactly, in JSON and in TOML, and what is saved loads back equal."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from designs import RATIONAL_TEXTS, damaged, read, tee
from hypothesis import given

from linkwork.fasten import (
    Design,
    Rest,
    check,
    design_from_text,
    design_schema,
    design_to_text,
    load_design,
    save_design,
)
from linkwork.fasten.rational import rational
from linkwork.model.write import inline


def test_a_design_is_read_exactly() -> None:
    design = read(tee())
    assert design.name == "tee"
    assert design.mu == Fraction(1, 10)
    assert design.pawls[0].poly[0] == (Fraction(-1, 4), Fraction(1, 4))
    assert design.pawls[0].hinge == (Fraction(-23, 4), Fraction(0))
    assert design.obstacles[0].poly[2] == (Fraction(0), Fraction(0))
    check(design)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"1/3"', Fraction(1, 3)),
        ('"+0.1"', Fraction(1, 10)),
        ('" 2 "', Fraction(2)),
        ('".5"', Fraction(1, 2)),
        ('"5."', Fraction(5)),
        ('"1e-3"', Fraction(1, 1000)),
        ('"25E-1"', Fraction(5, 2)),
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("3", Fraction(3)),
        ("0.1000000000000000000000000000000000000001", Fraction(10**39 + 1, 10**40)),
    ],
)
def test_numbers_are_read_as_written(written: str, meant: Fraction) -> None:
    """Also numbers without quotes: by their text, not through a double."""
    text = json.dumps(tee()).replace('"mu": "1/10"', f'"mu": {written}')
    assert design_from_text(text, "d.json", "d").mu == meant


@given(RATIONAL_TEXTS)
def test_a_text_is_the_number_it_says(text: str) -> None:
    assert rational(text) == Fraction(text)


def as_toml(data: dict[str, Any]) -> str:
    return "".join(f"{key} = {inline(value)}\n" for key, value in data.items() if value is not None)


def test_toml_says_the_same() -> None:
    assert design_from_text(as_toml(tee()), "tee.toml", "tee") == read(tee())
    without = damaged(lambda data: data.update(root=None))
    assert design_from_text(as_toml(without), "tee.toml", "tee") == read(without)


def test_toml_numbers_need_no_quotes() -> None:
    text = as_toml(tee()).replace('mu = "1/10"', "mu = 0.1").replace('duration = "10"', "duration = 1_0")
    assert design_from_text(text, "tee.toml", "tee") == read(tee())


def test_clockwise_polygons_are_turned_and_keep_their_first_vertex() -> None:
    def turn(data: dict[str, Any]) -> None:
        poly = data["obstacles"][0]["poly"]
        data["obstacles"][0]["poly"] = [poly[0], *poly[:0:-1]]
        data["root"].reverse()

    design = read(damaged(turn))
    assert design.obstacles == read(tee()).obstacles
    assert design.root is not None
    assert design.root[0] == (Fraction(-6), Fraction(2))


@pytest.mark.parametrize(
    ("given_rest", "meant"),
    [
        ("0", Rest()),
        (0, Rest()),
        ({"half_tan": "1/3"}, Rest(Fraction(1, 3))),
        ({"half_tan": "-1/2", "turns": 2}, Rest(Fraction(-1, 2), 2)),
    ],
)
def test_rest_angles_are_exact(given_rest: Any, meant: Rest) -> None:
    data = damaged(lambda data: data["pawls"][0].update(rest=given_rest))
    assert read(data).pawls[0].rest == meant


def test_rest_angles_in_radians_have_a_width() -> None:
    rest = read(damaged(lambda data: data["pawls"][0].update(rest="0.3"))).pawls[0].rest
    assert rest.radians == Fraction(3, 10)
    assert 0 < rest.width <= Fraction(1, 10**30)


def test_a_pawl_may_begin_cocked() -> None:
    pawl = read(damaged(lambda data: data["pawls"][0].update(theta_init="-0.25"))).pawls[0]
    assert pawl.theta_init == Fraction(-1, 4)


def test_what_may_be_left_out() -> None:
    def leave_out(data: dict[str, Any]) -> None:
        for key in ("schema", "mu", "root"):
            del data[key]
        for key in ("hinge", "rest"):
            del data["pawls"][0][key]

    design = read(damaged(leave_out))
    assert design.mu == 0
    assert design.root is None
    assert not any(design.pawls[0].hinge)


@pytest.mark.parametrize("rest", ["0", "0.3", {"half_tan": "1/3", "turns": -1}])
@pytest.mark.parametrize("root", [None, tee()["root"]])
def test_what_is_saved_loads_back_equal(rest: Any, root: Any, tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["pawls"][0].update(rest=rest, theta_init="0.1")
        data.update(root=root, name="Tür", title='"A" \\ title')

    design = read(damaged(change))
    save_design(design, tmp_path / "saved.json")
    assert load_design(tmp_path / "saved.json") == design


def test_the_published_schema_takes_what_the_reader_takes() -> None:
    schema = design_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(tee())
    assert validator.is_valid(json.loads(design_to_text(read(tee()))))
    for change in (
        lambda data: data.update(titel="x"),
        lambda data: data["pawls"][0].update(k=[1]),
        lambda data: data.pop("p0"),
        lambda data: data.update(p0=["0"]),
        lambda data: data["obstacles"][0].pop("name"),
    ):
        assert not validator.is_valid(damaged(change))


def test_touching_at_the_start_is_allowed() -> None:
    """The root stands on the block, and beside it by nothing at all."""

    def stand(data: dict[str, Any]) -> None:
        data.update(p0=["0", "0"], pawls=[])

    assert isinstance(read(damaged(stand)), Design)


def test_a_pawl_that_is_cocked_within_rounding_of_a_contact_begins_there() -> None:
    """A bar turned until its lower edge lies on a corner: the angle is known only to some digits."""

    def cock(digits: int) -> dict[str, Any]:
        def change(data: dict[str, Any]) -> None:
            data.update(root=None, p0=["0", "0"])
            data["obstacles"] = [{"name": "H", "poly": [["3", "4"], ["5", "3"], ["5", "4"]]}]
            bar = [["0", "0"], ["9", "0"], ["9", "1"], ["0", "1"]]
            # atan2(4, 3) = 0.92729521800161223…, the lower edge through (3, 4)
            exact = "0.92729521800161223242851246292"
            data["pawls"] = [{"name": "L", "poly": bar, "k": "1", "theta_init": exact[: digits + 2]}]

        return damaged(change)

    assert read(cock(12)).pawls[0].theta_init is not None
    with pytest.raises(Exception, match=re.escape("pawl L overlaps obstacle H")):
        read(cock(3))
