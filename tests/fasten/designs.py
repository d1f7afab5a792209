"""Designs for the tests of snap-fits: the data of a small one to damage, and random ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from linkwork.fasten import Design, design_from_text


def tee() -> dict[str, Any]:
    """The data of a file: a pawl on a root above a block."""
    return {
        "schema": "linkwork-fastening/1",
        "obstacles": [{"name": "H", "poly": [["-5", "-1"], ["0", "-1"], ["0", "0"], ["-5", "0"]]}],
        "root": [["-6", "0"], ["9", "0"], ["9", "2"], ["-6", "2"]],
        "pawls": [
            {
                "name": "L",
                "poly": [["-1/4", "1/4"], ["-1/4", "-6"], ["5/4", "-4"], ["1/4", "-15/4"], ["1/4", "1/4"]],
                "hinge": ["-23/4", "0"],
                "k": "1",
                "rest": "0",
            }
        ],
        "p0": ["0", "10"],
        "v": ["0", "-1"],
        "duration": "10",
        "mu": "1/10",
    }


def read(data: Any, file: str = "tee.json") -> Design:
    """The design of such data."""
    return design_from_text(json.dumps(data, indent=1), file, "tee")


def damaged(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The small design with a change made to its data."""
    data = tee()
    change(data)
    return data


RATIONAL_TEXTS = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.fractions(-1000, 1000, max_denominator=1000).map(str),
    st.decimals(-1000, 1000, places=6).map(str),
    st.floats(-1e6, 1e6).map(repr).filter(lambda text: abs(float(text)) > 1e-40 or float(text) == 0),
)
"""Numbers as people write them."""
