"""Building the package also makes the script that its pages carry, where there is a node to make it with."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BundleHook(BuildHookInterface):
    """Makes the bundle unless it is there; a package without one lacks only pages of machines in space."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run by hatchling before it collects the files."""
        place = Path(self.root) / "tools" / "bundle" / "build.py"
        spec = importlib.util.spec_from_file_location("bundle_build", place)
        if spec is None or spec.loader is None or not place.exists():
            return
        bundle = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(bundle)
        if bundle.BUNDLE.exists():
            return
        try:
            bundle.build()
        except bundle.NotBuilt as reason:
            self.app.display_warning(f"pages of machines in space will be missing: {reason}")
