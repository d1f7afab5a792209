"""The main job that ``make demo`` runs, and the README's example, as a newcomer runs them."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork import simulate
from linkwork.model.read import machine_from_text

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


def test_the_linkages_are_moved_and_written(tmp_path: Path) -> None:
    """What they are, where they stop, and every file it names."""
    said = run(str(ROOT / "examples" / "02-linkages" / "demo.py"), "demo", folder=tmp_path)
    assert "dead point at crank = 1.1410209" in said
    named = re.findall(r"^ {4}([\w-]+\.\w+) ", said, re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (tmp_path / "demo").iterdir())
    _same_picture(tmp_path / "demo" / "four-bar.svg", ROOT / "docs" / "pictures" / "four-bar.svg")


def test_the_picture_of_the_table_is_the_one_the_demo_draws(tmp_path: Path) -> None:
    """The picture in the repository is not older than the code that draws it."""
    run(str(ROOT / "examples" / "01-four-bar-table" / "demo.py"), "demo", folder=tmp_path)
    _same_picture(tmp_path / "demo" / "four_bar.svg", ROOT / "docs" / "pictures" / "four-bar-table.svg")


def _same_picture(drawn_file: Path, kept_file: Path) -> None:
    drawn, kept = (path.read_text(encoding="utf-8") for path in (drawn_file, kept_file))
    numbers = re.compile(r"-?\d+\.\d+")
    assert numbers.sub("#", drawn) == numbers.sub("#", kept)
    pairs = zip(numbers.findall(drawn), numbers.findall(kept), strict=True)
    assert all(abs(float(a) - float(b)) < 0.2 for a, b in pairs)


def test_two_units_are_coupled_as_one_machine_moves(tmp_path: Path) -> None:
    """The rows of the demo are those of a machine with both bodies in it, as near as held inputs allow."""
    pytest.importorskip("fmpy")
    said = run(str(ROOT / "examples" / "05-fmu" / "demo.py"), "demo", folder=tmp_path)
    assert sorted(path.name for path in (tmp_path / "demo").iterdir()) == ["cart.fmu", "damper.fmu"]
    rows = [
        list(map(float, line.split())) for line in said.splitlines() if re.fullmatch(r"( +-?[\d.]+){4}", line)
    ]
    pull = "12*(cart.tx - mass.tx) + 4*(cart.tx_rate - mass.tx_rate)"
    both = f"""
linkwork = 1
dimension = 3
[frame]
cart = {{ varies = ["tx"], at = [1, 0, 0], mass = 2 }}
mass = {{ varies = ["tx"], mass = 5 }}
[force.cart]
type = "force"
at = "cart"
force = ["-({pull}) - 0.2*cart.tx_rate", 0, 0]
[force.mass]
type = "force"
at = "mass"
force = ["{pull}", 0, 0]
"""
    solution = simulate(machine_from_text(both, "both.toml", "both"), 8.0, step=0.5)
    assert len(rows) == 17
    for place, (time, cart, mass, _) in enumerate(rows):
        assert time == pytest.approx(solution["time"][place])
        assert cart == pytest.approx(solution["cart.tx"][place], abs=5e-3)
        assert mass == pytest.approx(solution["mass.tx"][place], abs=5e-3)


def test_the_clock_ticks_and_is_written(tmp_path: Path) -> None:
    """Both models tick at the periods of independent simulations, the ratchet blocks one way; every file is named."""
    said = run(str(ROOT / "examples" / "06-contacts" / "demo.py"), "demo", folder=tmp_path)
    periods = {
        model: float(period) for model, period in re.findall(r"(rigid|elastic) +period ([\d.]+)", said)
    }
    assert periods == pytest.approx({"rigid": 7.38574, "elastic": 7.39966}, rel=5e-4)
    turned = dict(re.findall(r"(ratchet-\w+) +the wheel has turned by +(-?[\d.]+)", said))
    assert float(turned["ratchet-cw"]) == pytest.approx(-26.34, abs=0.02)
    assert float(turned["ratchet-ccw"]) > 700
    named = re.findall(r"^ {4}([\w-]+\.\w+) ", said, re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (tmp_path / "demo").iterdir())


def test_the_examples_of_the_readme_run(tmp_path: Path) -> None:
    """The machine of the README moves, and its lines of Python run as they stand."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    machine, drawing = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "crank.toml").write_text(machine, encoding="utf-8")
    (tmp_path / "piston.toml").write_text(drawing, encoding="utf-8")
    assert "mobility   1" in run("-m", "linkwork", "show", "crank.toml", folder=tmp_path)
    run("-m", "linkwork", "move", "crank.toml", "-o", "crank.html", folder=tmp_path)
    assert (tmp_path / "crank.html").stat().st_size > 10_000
    assert "reaction_a = " in run(
        "-m", "linkwork", "derive", "piston.toml", "--reaction", "a", folder=tmp_path
    )
    run("-m", "linkwork", "derive", "piston.toml", "--reaction", "a", "-o", "p.html", folder=tmp_path)
    assert (tmp_path / "p.html").stat().st_size > 10_000
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert "complete" in run("-c", example, folder=tmp_path)


def test_the_gallery_has_a_page_and_a_picture_for_each_machine(tmp_path: Path) -> None:
    """One that runs in its page, one that is driven, one whose parts touch, and nothing for a drawing."""
    given = ("pendulum", "four-bar", "ratchet-cw", "crank-piston")
    said = run(str(ROOT / "tools" / "gallery" / "build.py"), "gallery", *given, folder=tmp_path)
    assert "3 pages" in said
    files = {path.name for path in (tmp_path / "gallery").iterdir()}
    assert files == {"index.html", *(f"{name}.{kind}" for name in given[:3] for kind in ("html", "png"))}
    index = (tmp_path / "gallery" / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{name}.html"' in index for name in given[:3])


def test_the_gallery_has_pages_of_what_machines_will_do(tmp_path: Path) -> None:
    said = run(
        str(ROOT / "tools" / "gallery" / "build.py"),
        "gallery",
        "time-bomb",
        "damped-pendulum",
        folder=tmp_path,
    )
    assert "3 pages" in said
    index = (tmp_path / "gallery" / "index.html").read_text(encoding="utf-8")
    for name in ("time-bomb", "time-bomb-forecast", "damped-pendulum-forecast"):
        assert f'href="{name}.html"' in index
        assert (tmp_path / "gallery" / f"{name}.png").stat().st_size > 1000


def test_clocks_are_foreseen_and_written(tmp_path: Path) -> None:
    """What is foretold of a late time is what a simulation of all the time finds, and every file is named."""
    said = run(str(ROOT / "examples" / "07-foresight" / "demo.py"), "demo", folder=tmp_path)
    assert "ewheel -36° each time" in said
    assert "bigwheel meets ground" in said
    assert "hour_wheel and hour_clapper meet every 295.4" in said
    rows = re.findall(r"^ {4}\w+\.angle +(\S+)° +(\S+)°", said, re.MULTILINE)
    assert len(rows) == 3
    off = float(re.findall(r"time +may be off by ([\d.]+)", said)[0])
    fastest = math.tau / 7.3857 * 328.43 / 2  # degrees a second: the balance, swinging as at first
    for foreseen, simulated in rows:
        assert abs(float(foreseen) - float(simulated)) < 1 + off * fastest
    named = re.findall(r"^ {4}([\w-]+\.\w+) +\d+ bytes", said, re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (tmp_path / "demo").iterdir())


def test_snap_fits_are_pushed_and_written(tmp_path: Path) -> None:
    """Times are exact, the paper's figures are the diodes it says, and every file is named."""
    said = run(str(ROOT / "examples" / "08-snap-fits" / "demo.py"), "demo", folder=tmp_path)
    assert "change at t = 9.000000000000000000000000, root 0 of [-9, 1]" in said
    assert "root 0 of [83, -20, 1]" in said  # 10 - √17
    kinds = re.findall(r"^ {4}(\w+)-diode +friction \S+ +a (\w+) diode", said, re.MULTILINE)
    assert kinds == [("kinematic", "kinematic"), ("friction", "friction"), ("force", "force")]
    named = re.findall(r"^ {4}([\w-]+\.\w+) +\d+ bytes", said, re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (tmp_path / "demo").iterdir())
