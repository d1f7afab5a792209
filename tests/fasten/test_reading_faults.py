"""Bad designs: every one is refused with the polygon and the vertex, the line, and something to paste."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from designs import damaged, read, tee

from linkwork.errors import LinkworkError
from linkwork.fasten import check, design_from_text, load_design
from linkwork.model import PlacedError
from linkwork.model.write import inline

Change = Callable[[dict[str, Any]], object]


def block(data: dict[str, Any]) -> list[Any]:
    found: list[Any] = data["obstacles"][0]["poly"]
    return found


def pawl(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["pawls"][0]
    return found


FAULTS: list[tuple[Change, str]] = [
    # polygons
    (lambda data: data["obstacles"][0].update(poly=block(data)[:2]), "obstacle H: it has 2 vertices"),
    (lambda data: data["obstacles"][0].update(poly=[]), "obstacle H: it has 0 vertices"),
    (lambda data: block(data).insert(2, ["0", "-1"]), "obstacle H: vertices 1 and 2 are the same point"),
    (lambda data: block(data).append(["-5", "-1"]), "obstacle H: vertices 0 and 4 are the same point"),
    (lambda data: block(data).insert(1, block(data).pop(2)), "obstacle H: edges 0 and 2 cross"),
    (lambda data: block(data).insert(1, ["-9", "-1"]), "obstacle H: vertex 1 is a spike"),
    (lambda data: data.update(root=[["0", "0"], ["1", "1"], ["3", "3"]]), "root: it has no area"),
    (lambda data: pawl(data)["poly"].insert(1, ["9", "-9"]), "pawl L: edges"),
    # the start
    (lambda data: data.update(p0=["0", "-1/2"]), "root overlaps obstacle H at the start"),
    (lambda data: data.update(p0=["1", "5"]), "pawl L overlaps obstacle H at the start"),
    # numbers
    (lambda data: pawl(data).update(k="0"), "the stiffness of pawl L is zero"),
    (lambda data: pawl(data).update(k="-1/2"), "the stiffness of pawl L is negative"),
    (lambda data: data.update(mu="-1/10"), "the friction is negative"),
    (lambda data: data.update(v=["0", "0"]), "the velocity is zero"),
    (lambda data: data.update(duration="0"), "the duration is not positive"),
    (lambda data: data.update(duration="-1"), "the duration is not positive"),
    (lambda data: data.update(mu="pi/4"), "mu: this is no rational number"),
    (lambda data: data.update(mu="1/2/3"), "mu: this is no rational number"),
    (lambda data: data.update(mu=""), "mu: this is no rational number"),
    (lambda data: data.update(mu="."), "mu: this is no rational number"),
    (lambda data: data.update(mu="٣"), "mu: this is no rational number"),
    (lambda data: data.update(mu="NaN"), "mu: this is no rational number"),
    (lambda data: data.update(mu=float("nan")), "mu: this is no rational number"),
    (lambda data: data.update(mu=float("inf")), "mu: this is no rational number"),
    (lambda data: data.update(mu="1/0"), "mu: this divides by zero"),
    (lambda data: data.update(mu="9" * 5000), "mu: this number is absurdly long"),
    (lambda data: data.update(mu="1/" + "9" * 5000), "mu: this number is absurdly long"),
    (lambda data: data.update(mu="1e999999999999"), "mu: this number is absurdly long"),
    (lambda data: data.update(mu="1e-99999"), "mu: this number is absurdly long"),
    (lambda data: data.update(mu="1e100"), "mu: this number is too large"),
    (lambda data: data.update(mu="1e-100"), "mu: this number is too small"),
    (lambda data: data.update(mu=10**60), "mu: this number is too large"),
    (
        lambda data: block(data)[3].__setitem__(1, "one"),
        "obstacle H, vertex 3, y: this is no rational number",
    ),
    (lambda data: pawl(data).update(rest={"half_tan": "inf"}), "pawl L, rest, half_tan: this is no rational"),
    (lambda data: pawl(data).update(rest={"half_tan": "1", "turns": 10**9}), "very many turns"),
    (lambda data: pawl(data).update(theta_init="1e9"), "very many turns"),
    # 60 digits of pi: its half has a tangent beyond all bounds
    (
        lambda data: pawl(data).update(
            rest="3.14159265358979323846264338327950288419716939937510582097494459230781"
        ),
        "cannot be told from half a turn",
    ),
    # names
    (lambda data: data["obstacles"].append(dict(data["obstacles"][0])), "two obstacles are called 'H'"),
    (lambda data: data["pawls"].append(dict(pawl(data))), "two pawls are called 'L'"),
    (lambda data: pawl(data).update(name=" "), "this is no name for a pawl"),
    (lambda data: pawl(data).update(name="a\nb"), "this is no name for a pawl"),
    (lambda data: pawl(data).update(name="x" * 1000), "this is no name for a pawl"),
    # structure
    (lambda data: data.update(obstacle=[]), "there is no key 'obstacle' here"),
    (lambda data: pawl(data).update(stiffness="1"), "there is no key 'stiffness' in pawl L"),
    (lambda data: pawl(data).pop("k"), "pawl L has no k"),
    (lambda data: pawl(data).pop("name"), "pawl 1 of the list has no name"),
    (lambda data: data.pop("duration"), "the file has no duration"),
    (
        lambda data: data.update(schema="linkwork-fastening/2"),
        "no design of a format that this version reads",
    ),
    (lambda data: data.update(schema=1), "no design of a format that this version reads"),
    (lambda data: data.update(linkwork=1), "this is a machine file"),
    (lambda data: data.update(p0=["0"]), "p0 is a list of 1"),
    (lambda data: data.update(p0=None), "p0 is null"),
    (lambda data: data.update(pawls={"L": pawl(data)}), "pawls is a table"),
    (lambda data: data.update(obstacles=["H"]), "obstacle 1 of the list is text"),
    (lambda data: block(data).__setitem__(1, "0, 1"), "obstacle H, vertex 1 is text"),
    (lambda data: block(data).__setitem__(1, ["1", "2", "3"]), "obstacle H, vertex 1 is a list of 3"),
    (lambda data: pawl(data).update(hinge=[True, "0"]), "pawl L, hinge, x is true or false"),
    (lambda data: data.update(root=None, pawls=[]), "nothing moves"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_bad_designs_are_refused(change: Change, words: str) -> None:
    text = json.dumps(damaged(change), indent=1)
    with pytest.raises(PlacedError) as caught:
        design_from_text(text, "tee.json", "tee")
    error = caught.value
    assert words in error.problem
    assert error.exit_code == 3
    assert error.fix or error.wanted
    assert 0 < error.line <= text.count("\n") + 1
    assert len(str(error)) < 3000


def test_the_line_is_that_of_the_vertex() -> None:
    text = json.dumps(tee(), indent=1).replace('"-15/4"', '"-15/4x"')
    with pytest.raises(PlacedError) as caught:
        design_from_text(text, "tee.json", "tee")
    assert text.split("\n")[caught.value.line - 1].strip() == '"-15/4x"'
    assert "pawl L, vertex 3, y" in caught.value.problem


def test_the_depth_and_the_vertex_of_an_overlap_are_told() -> None:
    """The pawl's second vertex is at (-6, -6) + (1, 11/2) = (-5, -1/2), which is on the block's left wall;
    a quarter farther to the right it is 1/4 deep.
    """
    with pytest.raises(PlacedError, match="pawl L overlaps obstacle H") as caught:
        read(damaged(lambda data: data.update(p0=["5/4", "11/2"], root=None)))
    assert "vertex 1 of pawl L lies inside obstacle H at (-19/4, -1/2), 0.25 deep" in caught.value.got


@pytest.mark.parametrize("key", ["obstacles", "pawls"])
@pytest.mark.parametrize("ending", ["json", "toml"])
def test_the_example_of_a_list_that_is_missing_can_be_pasted(key: str, ending: str) -> None:
    """The file with the proposed line in it has the next fault, or none."""
    data = tee()
    del data[key]
    as_toml = "".join(f"{name} = {inline(value)}\n" for name, value in data.items())
    text = json.dumps(data) if ending == "json" else as_toml
    with pytest.raises(PlacedError, match=f"the file has no {key}") as caught:
        design_from_text(text, f"d.{ending}", "d")
    fix = caught.value.fix
    mended = f"{text[:-1]}, {fix}}}" if ending == "json" else f"{fix}\n{text}"
    assert design_from_text(mended, f"d.{ending}", "d")


def test_near_words_are_proposed() -> None:
    with pytest.raises(PlacedError) as caught:
        read(damaged(lambda data: data.update(obstacels=[])))
    assert caught.value.fix == "did you mean obstacles?"
    with pytest.raises(PlacedError) as caught:
        read(damaged(lambda data: data.update(mu="−1 / 2".replace("−", "-"))))
    assert caught.value.fix == "-1/2"


@pytest.mark.parametrize("share", [0, 0.001, 0.2, 0.5, 0.77, 0.99])
def test_files_that_are_cut_off_are_refused(share: float) -> None:
    text = json.dumps(tee(), indent=1)
    with pytest.raises(PlacedError) as caught:
        design_from_text(text[: int(share * len(text))], "tee.json", "tee")
    assert "this is not JSON" in caught.value.problem


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "3",
        "null",
        '"x"',
        "{}",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"p0": ["0", "0"], "p0": 1}',
        "[1,]",
    ],
    ids=lambda text: text[:12],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(PlacedError):
        design_from_text(text, "d.json", "d")


def test_a_key_that_is_given_twice_is_named() -> None:
    text = json.dumps(tee(), indent=1).replace('"mu"', '"v": ["1", "0"],\n "mu"')
    with pytest.raises(PlacedError, match="'v' is given twice"):
        design_from_text(text, "tee.json", "tee")


@pytest.mark.parametrize("text", ["mu = 1/10", "a = ", "schema = 'x'", "linkwork = 1", "p0 = [" * 2000])
def test_bad_toml_is_refused(text: str) -> None:
    with pytest.raises(PlacedError):
        design_from_text(text, "d.toml", "d")


def test_huge_files_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(10**9)
    begin = time.process_time()
    with pytest.raises(PlacedError, match="too large"):
        load_design(path)
    assert time.process_time() - begin < 1


def test_designs_made_in_python_are_checked_alike() -> None:
    from dataclasses import replace
    from fractions import Fraction

    design = read(tee())
    with pytest.raises(LinkworkError, match="the velocity is zero"):
        check(replace(design, v=(Fraction(0), Fraction(0))))
    assert design.root is not None
    with pytest.raises(LinkworkError, match="root runs clockwise"):
        check(replace(design, root=design.root[::-1]))
    with pytest.raises(LinkworkError, match="root overlaps obstacle H"):
        check(replace(design, p0=(Fraction(0), Fraction(-1))))
