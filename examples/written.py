"""What the demos have in common: files that the command line writes, as a user would, and a list of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def write_files(folder: Path, files: Sequence[tuple[str, str]]) -> None:
    """Write files and folders by the commands beside their names; print how large each is."""
    print(f"\nWritten to {folder}/:")
    for name, words in files:
        path = folder / name
        command = [sys.executable, "-m", "linkwork", *words.split(), "-o", str(path), "--quiet"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        inside = [path] if path.is_file() else list(path.iterdir())
        print(f"    {name:26} {sum(each.stat().st_size for each in inside):8} bytes")
