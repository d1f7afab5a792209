"""A block that slides along x, drawn by an energy and pushed by a force, for tests of what oscillators do."""

from __future__ import annotations

from pathlib import Path

import linkwork as lw

_TEXT = """
linkwork = 1
dimension = 3
[frame.a]
mass = 1
varies = ["tx"]
at = [{at}, 0, 0]
[energy.spring]
value = "{energy}"
[force.push]
type = "force"
at = "a"
force = ["{force}", 0, 0]
"""


def driven_block(folder: Path, energy: str, force: str, at: float = 1.0) -> lw.Machine:
    """A mass of 1 at a.tx, by formulas of it, of a.tx_rate and of the time t."""
    path = folder / "block.toml"
    path.write_text(_TEXT.format(energy=energy, force=force, at=at), "utf-8")
    return lw.load(str(path))
