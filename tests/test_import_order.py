"""The house has one order: a package imports only what stands below it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import linkwork

SOURCE = Path(__file__).parent.parent / "src" / "linkwork"

# From the ground up. Packages on one line stand side by side and do not import one another.
ORDER = (
    ("errors", "contents", "later", "suffixes"),
    ("results",),
    ("algebra",),
    ("planning",),
    ("emit",),
    ("examples",),
    ("solid",),
    ("model",),
    ("recognition",),
    ("sketch", "kinematics", "fasten"),
    ("mechanics", "collision"),
    ("dynamics",),
    ("simulation",),
    ("contact",),
    ("foresee",),
    ("view",),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(ORDER) for name in names}
MODULES = sorted(SOURCE.rglob("*.py"))


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_packages(path: Path) -> list[str]:
    """The packages of linkwork that a module imports, at the top or inside a function."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    parts = [name.split(".") for name in names]
    return [part[1] for part in parts if part[0] == "linkwork" and len(part) > 1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_downward(path: Path) -> None:
    """Every import of a package stands strictly below the importing one, or is the same package."""
    own = package_of(path)
    if own in ("__init__", "__main__", "__pycache__"):
        return
    for other in imported_packages(path):
        if other not in LEVEL:
            assert other == "__version__", (
                f"{path.name} imports linkwork.{other}, which the order does not know"
            )
            continue
        assert other == own or LEVEL[other] < LEVEL[own], f"{own} must not import {other}"


def test_every_package_has_a_place() -> None:
    """A new package must be entered in the order."""
    found = {package_of(path) for path in MODULES} - {"__init__", "__main__"}
    assert found <= LEVEL.keys()


def test_import_is_light() -> None:
    """``import linkwork`` loads neither NumPy nor SciPy nor SymPy: that is what keeps it fast."""
    script = "import sys, linkwork; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"numpy", "scipy", "sympy", "rich", "typer"}.isdisjoint(done.stdout.split())


def test_every_public_name_is_there() -> None:
    """Names that are imported when first used are in the package that is said to have them."""
    assert [name for name in linkwork.__all__ if not hasattr(linkwork, name)] == []
    assert {*linkwork.__all__} <= {*dir(linkwork)}


def test_clocks_are_foreseen_without_scipy() -> None:
    """A machine of solids is recognised, derived, planned and foreseen with NumPy alone: SciPy takes long to load."""
    script = "import sys, linkwork; linkwork.predict(linkwork.load('time-bomb')); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "linkwork.foresee" in loaded.split()
    assert "scipy" not in loaded.split()
