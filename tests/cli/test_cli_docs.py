"""The pages about the command line and machine files are true: their commands print what they show."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from cli_runner import SCRIPT, clean_environment

from linkwork.cli.derive import SUFFIXES
from linkwork.cli.verbs import LATER, VERBS
from linkwork.model.read import machine_from_text
from linkwork.model.schema import machine_schema

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("command-line.md", "machine-files.md")


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
    machines = [machine_from_text(text, "page", "m") for text in blocks("machine-files.md", "toml")]
    assert len(machines) == 2
    for machine in machines:
        assert machine.table().evaluate(machine.values())


def test_the_page_names_every_verb_option_and_key() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    for word in (*[verb.name for verb in VERBS], *LATER, *SUFFIXES, *SUFFIXES.values()):
        assert word in page
    files = (DOCS / "machine-files.md").read_text("utf-8")
    for key in machine_schema()["properties"]:
        assert f"| `{key}` |" in files
