"""Every fault of parts, joints, drives and forces is told with its line and a cure, never by a traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from model_faults import FAULTS, GOOD, HEAD

from linkwork.cli.run import run
from linkwork.model import PlacedError
from linkwork.model.joint import JOINTS
from linkwork.model.read import machine_from_text

GOLDEN = Path(__file__).parents[1] / "golden" / "model_faults.txt"


def told(text: str) -> PlacedError:
    """The error with which a text is refused."""
    with pytest.raises(PlacedError) as caught:
        machine_from_text(text, "m.toml", "m")
    return caught.value


def test_the_good_machine_is_good() -> None:
    machine_from_text(GOOD, "m.toml", "m")


@pytest.mark.parametrize("case", FAULTS)
def test_faults_have_a_line_and_a_cure(case: str) -> None:
    error = told(FAULTS[case])
    assert 0 < error.line <= FAULTS[case].count("\n") + 1
    assert error.problem.startswith(f"m.toml:{error.line}: ")
    assert error.got
    assert error.fix
    assert error.exit_code == 3


def test_the_words_of_every_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The messages are part of the product: read the difference before you accept it."""
    for word, kind in list(JOINTS.items()):
        if not kind.__module__.startswith("linkwork."):  # a test or a page has made it
            monkeypatch.delitem(JOINTS, word)
    shown = "".join(f"--- {case}\n{told(text)}\n" for case, text in FAULTS.items())
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(shown, "utf-8")
    assert shown == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("case", ["missing part", "unknown type", "3-vector", "nan", "cyclic frames"])
def test_the_command_line_leaves_with_3(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with --json, where the one document on stdout is the error."""
    path = tmp_path / "m.toml"
    path.write_text(FAULTS[case])
    line = told(FAULTS[case]).line
    assert run(["derive", str(path)]) == 3
    shown = capsys.readouterr()
    assert f"m.toml:{line}: " in shown.err
    assert "Traceback" not in shown.err
    assert run(["derive", str(path), "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["line"] == line


TWIN = "(" * 1_000_000 + "1" + ")" * 1_000_000
FIELDS = {
    "parameter": f'[parameter]\na = "{TWIN}"\n',
    "definition": f'[definition]\na = "{TWIN}"\n',
    "mass": f'[part.p]\nmass = "{TWIN}"\n',
    "point": f'[part.p]\npoints = {{ A = ["{TWIN}", 0] }}\n',
    "drive": f'[part.p]\n[drive.d]\nof = "p.x"\nvalue = "{TWIN}"\n',
    "gravity": f'gravity = [0, "{TWIN}"]\n',
    "lift": f'[part.p]\n[joint.c]\ntype = "cam"\nbetween = ["ground", "p"]\nprofile = "{TWIN}"\n',
    "force": f'[part.p]\n[force.f]\ntype = "torque"\non = "p"\ntorque = "{TWIN}"\n',
    "start": f'[part.p]\nstart = {{ turn = "{TWIN}" }}\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_a_million_brackets_are_read_in_every_kind_of_field(field: str) -> None:
    machine_from_text(HEAD + FIELDS[field], "m.toml", "m")
    with pytest.raises(PlacedError, match="never closed"):
        machine_from_text(HEAD + FIELDS[field].replace(")", "", 1), "m.toml", "m")


def chain_of_frames(count: int, last: str) -> str:
    frames = "".join(f'[frame.f{place}]\non = "f{place + 1}"\n' for place in range(count))
    return f'{HEAD}[part.p]\n{frames}[frame.f{count}]\non = "{last}"\n'


def test_frames_may_stand_on_each_other_but_not_without_end() -> None:
    """A chain of any length is refused without recursion, in linear time; so is a long circle."""
    assert len(machine_from_text(chain_of_frames(50, "p"), "m.toml", "m").frames) == 51
    with pytest.raises(PlacedError, match="more than 100 frames"):
        machine_from_text(chain_of_frames(5000, "p"), "m.toml", "m")
    with pytest.raises(PlacedError, match="in a circle"):
        machine_from_text(chain_of_frames(5000, "f0"), "m.toml", "m")


@pytest.mark.parametrize(
    "text",
    [
        '[part.p]\n[joint.q]\ntype = "revolute"\nbetween = ["{}", "p"]\n',
        '[part.{}]\nmass = "q"\n',
        '[joint.p]\ntype = "{}"\n',
        '[part.p]\n[drive.q]\nof = "{}.{}"\n',
        "[part.p]\n{} = 1\n",
    ],
)
def test_no_name_makes_a_message_endless(text: str) -> None:
    with pytest.raises(PlacedError) as caught:
        machine_from_text(HEAD + text.replace("{}", "x" * 100_000), "m.toml", "m")
    assert len(str(caught.value)) < 3000
