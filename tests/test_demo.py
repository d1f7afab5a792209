"""The main job that ``make demo`` runs, and the README's example, as a newcomer runs them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*command: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_demo_prints_and_writes_what_it_found(tmp_path: Path) -> None:
    """Table, rates, values, and every file it names."""
    said = run(str(ROOT / "examples" / "01-four-bar-table" / "demo.py"), "demo", folder=tmp_path)
    assert "P6d^2 = a^2 + b^2 - 2*a*b*cos(e)" in said
    named = re.findall(r"^ {4}(four_bar\.\w+)", said, re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (tmp_path / "demo").iterdir())
    page = (tmp_path / "demo" / "four_bar.html").read_text(encoding="utf-8")
    assert "{{" not in page
    assert "function four_bar(" in page


def test_the_picture_of_the_readme_is_the_one_the_demo_draws(tmp_path: Path) -> None:
    """The picture in the repository is not older than the code that draws it."""
    run(str(ROOT / "examples" / "01-four-bar-table" / "demo.py"), "demo", folder=tmp_path)
    drawn = (tmp_path / "demo" / "four_bar.svg").read_text(encoding="utf-8")
    kept = (ROOT / "docs" / "pictures" / "four-bar.svg").read_text(encoding="utf-8")
    numbers = re.compile(r"-?\d+\.\d+")
    assert numbers.sub("#", drawn) == numbers.sub("#", kept)
    pairs = zip(numbers.findall(drawn), numbers.findall(kept), strict=True)
    assert all(abs(float(a) - float(b)) < 0.2 for a, b in pairs)


def test_the_example_of_the_readme_runs(tmp_path: Path) -> None:
    """The twenty lines run as they stand, and print what their comments say."""
    (example,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    said = run("-c", example, folder=tmp_path)
    for line, printed in re.findall(r"print\((.*?)\)\s+# (gap.*)", example):
        assert printed in said, line
    assert "void four_bar(" in said
