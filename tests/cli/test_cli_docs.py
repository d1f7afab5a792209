"""The pages about the command line and machine files are true: their commands print what they show."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
from pathlib import Path

import pytest
from cli_runner import SCRIPT, clean_environment

import linkwork
from linkwork.cli.clash import clash
from linkwork.cli.derive import SUFFIXES
from linkwork.cli.verbs import LATER, VERBS
from linkwork.collision.travel import STEPS
from linkwork.model import Draw, Drive, Frame, Part, Shape, View
from linkwork.model.draw import DRAWN
from linkwork.model.force import FORCES, Force
from linkwork.model.joint import JOINTS, Joint, Pair
from linkwork.model.read import machine_from_text
from linkwork.model.schema import machine_schema
from linkwork.model.shape import PLANE_SHAPES, SPACE_SHAPES

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("command-line.md", "machine-files.md", "fastening.md")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.M | re.S)


def commands(page: str) -> list[tuple[str, str]]:
    """The commands of a page and what is printed below each."""
    found = []
    for block in blocks(page, "console"):
        for piece in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = piece.partition("\n")
            found.append((command, shown))
    return found


@pytest.mark.parametrize(
    ("command", "shown"), [pytest.param(*each, id=each[0][:60]) for page in PAGES for each in commands(page)]
)
def test_a_command_prints_what_the_page_shows(command: str, shown: str, tmp_path: Path) -> None:
    """A line of … stands for any number of lines."""
    path = os.pathsep.join([str(SCRIPT.parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
        env={**clean_environment(), "PATH": path},
        timeout=60,
        check=False,
    )
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in shown.split("…\n"))
    assert re.fullmatch(pattern, done.stdout), done.stdout


def test_both_pages_have_commands() -> None:
    assert all(len(commands(page)) >= 2 for page in PAGES)


def test_the_machines_of_the_page_can_be_read() -> None:
    """Whole ones as they stand; a piece is read behind the first whole one, as the page says."""
    texts = blocks("machine-files.md", "toml")
    whole = [text for text in texts if text.startswith("linkwork = 1")]
    assert len(whole) == 2
    for text in texts:
        machine = machine_from_text(text if text in whole else whole[0] + text, "page", "m")
        assert machine.parts or machine.table().evaluate(machine.values())


@pytest.mark.parametrize("kind", [*JOINTS.values(), *FORCES.values()], ids=lambda kind: str(kind.word))
def test_the_page_names_every_joint_and_force_with_its_keys(kind: type[Joint | Force]) -> None:
    """Each has a row with where it exists and the keys of its own; what all pairs share is told above."""
    page = (DOCS / "machine-files.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith(f"| `{kind.word}` |")]
    assert rows
    shared = {*Pair.kinds()} if issubclass(kind, Pair) else set()
    for key in kind.kinds().keys() - shared:
        assert any(f"`{key}`" in row for row in rows), key
    if issubclass(kind, Joint):
        where = {(2,): "plane", (3,): "space", (2, 3): "both"}[kind.dimensions]
        assert any(f"| {where} |" in row for row in rows)


def test_the_page_names_every_key_of_parts_poses_shapes_and_drives() -> None:
    page = (DOCS / "machine-files.md").read_text("utf-8")
    for kind in (Part, Frame, Shape, Draw, Drive, View):
        assert all(f"`{key}`" in page or f"\n{key} = " in page for key in kind.kinds())
    for word in (*PLANE_SHAPES, *SPACE_SHAPES, *DRAWN):
        assert f"`{word}`" in page


def test_tables_of_verbs_have_a_row_for_each_and_promise_none_that_is_there() -> None:
    page, readme = ((DOCS / name).read_text("utf-8") for name in ("command-line.md", "../README.md"))
    for verb in VERBS:
        assert re.search(rf"^\| `{verb.name}\b", page, re.M)
        assert re.search(rf"^\| `linkwork {verb.name}\b", readme, re.M)
    words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    assert f"This version has {words[len(VERBS) - 1]}." in page
    later = ", ".join(f"`{name}`" for name in LATER)
    assert f"({later}) say that they are still to" in page
    assert f"| {later} | on their way |" in readme


def test_the_page_of_names_has_every_public_name() -> None:
    page = (DOCS / "names.md").read_text("utf-8")
    assert [name for name in linkwork.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_the_page_tells_how_many_positions_are_looked_at() -> None:
    assert f"are looked at: {STEPS} unless told" in (DOCS / "command-line.md").read_text("utf-8")
    assert inspect.signature(clash).parameters["steps"].default == STEPS


def test_the_page_names_every_verb_option_and_key() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    for word in (*[verb.name for verb in VERBS], *LATER, *SUFFIXES, *SUFFIXES.values()):
        assert word in page
    files = (DOCS / "machine-files.md").read_text("utf-8")
    for key in machine_schema()["properties"]:
        assert f"| `{key}` |" in files
