"""The page about drawings is true: its drawings can be read, its commands print what it shows, nothing is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork.mechanics.deriving import FORMS
from linkwork.model import Drawing, load
from linkwork.model.constraint import CONSTRAINTS
from linkwork.model.drawing import Circle, LineSpring, PointSpring
from linkwork.model.read import machine_from_text
from linkwork.sketch.construct import construct

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "drawings.md").read_text("utf-8")

ELEMENTS = """linkwork = 1
[drawing]
points = ["A", "B", "C", "D"]
lines = { L = ["A", "B"], M = ["C", "D"], N = ["A", "C"], R = ["B", "D"] }
circles = { J = { centre = "A" }, K = { centre = "B" } }
[drawing.constraints]
"""
EXAMPLES = re.findall(r"^\| `(\w+)` \| .* \| `(\{ type = .* \})` \|$", PAGE, re.M)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def commands() -> list[tuple[str, str]]:
    """The commands of the page and what is printed below each."""
    pieces = [piece for block in blocks("console") for piece in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [(command, shown) for command, _, shown in (piece.partition("\n") for piece in pieces)]


@pytest.mark.parametrize(("command", "shown"), [pytest.param(*each, id=each[0][:60]) for each in commands()])
def test_a_command_prints_what_the_page_shows(command: str, shown: str, tmp_path: Path) -> None:
    """A line of … stands for any number of lines."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "COLUMNS": "200"},
        timeout=60,
        check=False,
    )
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in shown.split("…\n"))
    assert re.fullmatch(pattern, done.stdout), done.stdout


def test_the_drawings_of_the_page_can_be_constructed() -> None:
    texts = blocks("toml")
    assert len(texts) == 2
    for text in texts:
        drawing = machine_from_text(text, "page", "m").drawing
        assert drawing is not None
        assert construct(drawing).steps


def test_the_first_drawing_is_the_example() -> None:
    assert machine_from_text(blocks("toml")[0], "page", "m").drawing == load("ladder").drawing


@pytest.mark.parametrize(("word", "example"), EXAMPLES)
def test_an_example_of_a_constraint_can_be_read(word: str, example: str) -> None:
    drawing = machine_from_text(f"{ELEMENTS}it = {example}\n", "page", "m").drawing
    assert drawing is not None
    assert drawing.constraints["it"].word == word


def test_the_page_has_every_constraint_with_its_keys() -> None:
    for word, kind in CONSTRAINTS.items():
        shown = " ".join(example for each, example in EXAMPLES if each == word)
        assert all(f"{key} = " in shown for key in kind.kinds()), word


def test_the_page_has_every_key_and_form() -> None:
    for key in Drawing.kinds():
        assert f"| `{key}` |" in PAGE
    for kind in (Circle, PointSpring, LineSpring):
        assert all(f"`{key}`" in PAGE for key in kind.kinds())
    assert all(f"`{form}`" in PAGE for form in FORMS)


def test_the_demo_prints_and_writes_what_it_found(tmp_path: Path) -> None:
    """The main formulas, and every file it names."""
    demo = ROOT / "examples" / "03-drawings" / "demo.py"
    done = subprocess.run(
        [sys.executable, demo, "demo"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "    A_a = -3*g*cos(a)/(2*l)\n" in done.stdout
    named = re.findall(r"^ {4}([\w-]+\.\w+) ", done.stdout, re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (tmp_path / "demo").iterdir())
    code = (tmp_path / "demo" / "crank_acc.c").read_text("utf-8")
    assert "void CrankAcc(" in code
    assert len(code.splitlines()) < 161  # of the paper's


def test_the_function_is_there_after_its_package_was_imported() -> None:
    line = "import linkwork.mechanics, linkwork as lw; print(lw.derive(lw.load('ladder'), accelerations='a'))"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=False)
    assert done.stdout == "A_a = -3*g*cos(a)/(2*l)\n"
