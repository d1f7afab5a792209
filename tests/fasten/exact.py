"""The exact motion of a design that is plain data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from linkwork.fasten import Design, design_from_text, fasten


def design_value(data: dict[str, Any]) -> Design:
    """A design of exact numbers from one of text, read as a file is."""
    return design_from_text(json.dumps(data), "random.json", "random")


def exact_motion(data: dict[str, Any], samples: Sequence[float] = ()) -> dict[str, Any]:
    """The result of a design, as plain data."""
    return fasten(design_value(data)).to_json(samples)
