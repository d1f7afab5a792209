"""The order of the house: the model knows nothing of what stands above it, the examples know only errors."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import linkwork

SOURCE = Path(linkwork.__file__).parent
ALLOWED = {
    "model": {"errors", "algebra", "plan", "emit", "model", "examples"},
    "examples": {"errors"},
}


def imported(path: Path) -> set[str]:
    """The packages of linkwork that a file imports, also inside its functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "linkwork":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("linkwork."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("linkwork.")}
    return found


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_go_downward(package: str) -> None:
    for path in (SOURCE / package).rglob("*.py"):
        assert imported(path) <= ALLOWED[package], path
