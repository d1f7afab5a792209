"""Whether a motion keeps out of the obstacles, by shapely, which knows nothing of how the motion was found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import shapely
from free_angles import Floats
from random_designs import polygon

DEEPEST = 1e-7
"""How far, in units of length, a pawl may enter an obstacle."""
TURNS = 64
"""Angles looked at in a snap."""


class Entered(NamedTuple):
    """Where a pawl, or the root, is deeper in an obstacle than it may be."""

    body: str
    obstacle: str
    t: float
    theta: float


def penetrations(design: dict[str, Any], result: dict[str, Any], depth: float = DEEPEST) -> list[Entered]:
    """All sampled places, event places and angles passed in a snap at which something is too deep in an obstacle."""
    found = []
    for pawl in design["pawls"]:
        t, theta = _places(result["pawls"][pawl["name"]])
        hinge = np.array(
            [float(Fraction(a) + Fraction(b)) for a, b in zip(design["p0"], pawl["hinge"], strict=True)]
        )
        found += _entered(design, pawl["name"], pawl["poly"], hinge, t, theta, depth)
    if design.get("root") is not None:
        t = np.linspace(0, result["termination"]["t"], 200)
        start = np.array([float(Fraction(x)) for x in design["p0"]])
        found += _entered(design, "root", design["root"], start, t, np.zeros(len(t)), depth)
    return found


def _places(pawl: dict[str, Any]) -> tuple[Floats, Floats]:
    samples = pawl.get("samples") or {"t": [], "theta": []}
    known = [(t, angle) for t, angle in zip(samples["t"], samples["theta"], strict=True) if angle is not None]
    for event in pawl["events"]:
        count = TURNS if event["kind"] == "snap" else 2
        angles = np.linspace(event["theta_from"], event["theta_to"], count).tolist()
        known += [(event["t"], angle) for angle in angles]
    both = np.array(known, dtype=float).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _entered(
    design: dict[str, Any], name: str, poly: Any, start: Floats, t: Floats, theta: Floats, depth: float
) -> list[Entered]:
    outline = shapely.get_coordinates(polygon(poly))
    velocity = np.array([float(Fraction(x)) for x in design["v"]])
    cosine, sine = np.cos(theta)[:, None], np.sin(theta)[:, None]
    turned = np.stack(
        [cosine * outline[:, 0] - sine * outline[:, 1], sine * outline[:, 0] + cosine * outline[:, 1]],
        axis=-1,
    )
    bodies = shapely.polygons(turned + start + t[:, None, None] * velocity)
    found = []
    for obstacle in design["obstacles"]:
        core = polygon(obstacle["poly"]).buffer(-depth, join_style="mitre")
        for at in np.flatnonzero(shapely.intersects(bodies, core)):
            found.append(Entered(name, obstacle["name"], float(t[at]), float(theta[at])))
    return found
