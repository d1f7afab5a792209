"""Designs whose motion is known: the two pawls and the T and the motion diode of Donald and Pai (1992).

Times are closed forms where there are such, else decimals found by a brute-force simulation that is not ours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from random_designs import Design, Points, box, text

THETA = math.atan2(5, 16) - math.asin(3 / math.sqrt(281))
"""By what a tip at (5/4, -4) from the hinge is turned on a wall 3/4 from the hinge."""

Happening: TypeAlias = tuple[str, float, float, str | None]


@dataclass(frozen=True)
class Case:
    """A design, how it ends, and for each pawl what happens: kind, time, the angle after it, what is met."""

    name: str
    design: Design
    cause: str
    t: float
    events: Mapping[str, Sequence[Happening]] = field(default_factory=dict)


def points(*corners: tuple[str, str]) -> Points:
    """Corners from text."""
    return [(Fraction(x), Fraction(y)) for x, y in corners]


def pawl(name: str, poly: Points, hinge: tuple[str, str] = ("0", "0"), **more: Any) -> Design:
    """A pawl of stiffness 1 that rests at 0."""
    return {"name": name, "poly": text(poly), "hinge": list(hinge), "k": "1", "rest": "0", **more}


LEFT = points(("-1/4", "1/4"), ("-1/4", "-6"), ("5/4", "-4"), ("1/4", "-15/4"), ("1/4", "1/4"))
RIGHT = points(("-1/4", "1/4"), ("-1/4", "-15/4"), ("-5/4", "-4"), ("1/4", "-6"), ("1/4", "1/4"))


def _tee(
    p0: tuple[str, str], v: tuple[str, str], duration: str, mu: str, cocked: float | None = None
) -> Design:
    more = {} if cocked is None else {"theta_init": cocked}
    return {
        "schema": "linkwork-fastening/1",
        "obstacles": [
            {"name": "H", "poly": text(box(-5, -1, 0, 0))},
            {"name": "V", "poly": text(box(0, -7, 8, 2))},
        ],
        "root": text(box(-6, 0, 9, 2)),
        "pawls": [pawl("L", LEFT, ("-23/4", "0")), pawl("R", RIGHT, ("35/4", "0"), **more)],
        "p0": list(p0),
        "v": list(v),
        "duration": duration,
        "mu": mu,
    }


def tee_down(mu: str) -> Design:
    """Two pawls pushed over a T."""
    return _tee(("0", "10"), ("0", "-1"), "10", mu)


def tee_up(mu: str) -> Design:
    """The two pawls pulled off it again."""
    return _tee(("0", "201/100"), ("0", "1"), "8", mu, THETA)


def tee_aslant(mu: str) -> Design:
    """The same parts along a diagonal."""
    return _tee(("13/2", "9"), ("1", "-2/5"), "15", mu)


def diode(up: bool, mu: str = "0") -> Design:
    """A triangle between three obstacles, down or up."""
    return {
        "schema": "linkwork-fastening/1",
        "obstacles": [
            {
                "name": "A",
                "poly": text(points(("21/10", "-2/5"), ("23/5", "-2/5"), ("23/5", "0"), ("8/5", "0"))),
            },
            {"name": "B", "poly": text(box("13/10", "-19/10", "43/10", "-17/10"))},
            {"name": "C", "poly": text(points(("-11/10", "-9/5"), ("-41/10", "-4/5"), ("-41/10", "-23/10")))},
        ],
        "root": None,
        "pawls": [pawl("P", points(("-3/2", "-9/10"), ("19/10", "-1/5"), ("-2/5", "11/10")))],
        "p0": ["0", "-8" if up else "2"],
        "v": ["0", "1" if up else "-1"],
        "duration": "10",
        "mu": mu,
    }


ROOT17 = math.sqrt(17)
LEFT_DOWN: list[Happening] = [
    ("collide", 16 / 3, 0.0, "A edge1 H.vertex3"),
    ("change", 10 - ROOT17, -THETA, "B vertex2 H.edge3"),
    ("change", 11 - ROOT17, -THETA, "A edge2 H.vertex0"),
    ("release", 57 / 8, 0.0, None),
]
RIGHT_DOWN: list[Happening] = [
    ("collide", 10 / 3, 0.0, "A edge2 V.vertex2"),
    ("change", 8 - ROOT17, THETA, "B vertex2 V.edge1"),
]
LEFT_UP: list[Happening] = [
    ("collide", 0.865, 0.0, "A edge2 H.vertex0"),
    ("change", ROOT17 - 3.01, -THETA, "B vertex2 H.edge3"),
    ("change", ROOT17 - 2.01, -THETA, "A edge1 H.vertex3"),
    ("release", 797 / 300, 0.0, None),
]
RIGHT_UP: list[Happening] = [
    ("change", ROOT17 - 0.01, THETA, "A edge2 V.vertex2"),
    ("release", 1397 / 300, 0.0, None),
]
ASLANT: list[Happening] = [
    ("collide", 2.5, 0.0, "B vertex1 V.edge2"),
    ("reverse", 3.560765339, -0.338864, "B vertex1 V.edge2"),
    ("change", 9.0, -math.atan(4 / 3), "B vertex2 V.edge2"),
    ("change", 10.290912594, -1.114824, "A edge1 V.vertex2"),
    ("snap", 12.976077150, 0.0, None),
]
DIODE_DOWN: list[Happening] = [
    ("collide", 1.738235294, 0.0, "A edge0 A.vertex3"),
    ("reverse", 2.0, 0.167255, "A edge0 A.vertex3"),
    ("snap", 3.044030650, 0.254659, "A edge2 C.vertex0"),
    ("change", 3.485842877, 0.088711, "A edge0 B.vertex3"),
    ("reverse", 3.7, 0.258586, "A edge0 B.vertex3"),
    ("change", 5.1, math.acos(3 / 5), "B vertex1 B.edge3"),
    ("snap", 5.3, 0.0, None),
]
DIODE_UP: list[Happening] = [
    ("collide", 5.960869565, 0.0, "A edge1 B.vertex0"),
    ("reverse", 6.1, -0.110710, "A edge1 B.vertex0"),
    ("jam", 6.172418096, -0.165242, "A edge2 C.vertex0"),
]
STUCK_UP: list[Happening] = [LEFT_UP[0], ("stick", 0.865, 0.0, "A edge2 H.vertex0")]
STUCK_ASLANT: list[Happening] = [ASLANT[0], ("stick", 2.5, 0.0, "B vertex1 V.edge2")]
STUCK_LEFT: list[Happening] = [LEFT_DOWN[0], ("stick", 5.816699867, -0.106395, "A edge1 H.vertex3")]
STUCK_RIGHT: list[Happening] = [RIGHT_DOWN[0], ("stick", 3.816699867, 0.106395, "A edge2 V.vertex2")]


def _tees() -> list[Case]:
    down, up = {"L": LEFT_DOWN, "R": RIGHT_DOWN}, {"L": LEFT_UP, "R": RIGHT_UP}
    return [
        *(Case(f"tee down {mu}", tee_down(mu), "root_collision", 8.0, down) for mu in ("0", "1/10", "3/5")),
        Case("tee down 3/4", tee_down("3/4"), "stick", 3.816699867, {"L": STUCK_LEFT, "R": STUCK_RIGHT}),
        *(Case(f"tee up {mu}", tee_up(mu), "end", 8.0, up) for mu in ("0", "1/10")),
        Case("tee up 3/5", tee_up("3/5"), "stick", 0.865, {"L": STUCK_UP, "R": RIGHT_UP}),
        *(
            Case(f"tee aslant {mu}", tee_aslant(mu), "end", 15.0, {"L": ASLANT, "R": []})
            for mu in ("0", "1/50")
        ),
        Case("tee aslant 1/10", tee_aslant("1/10"), "stick", 2.5, {"L": STUCK_ASLANT, "R": []}),
    ]


def _diodes() -> list[Case]:
    frictions = ("0", "1/10", "3/10")
    return [
        *(Case(f"diode down {mu}", diode(False, mu), "end", 10.0, {"P": DIODE_DOWN}) for mu in frictions),
        *(Case(f"diode up {mu}", diode(True, mu), "jam", 6.172418096, {"P": DIODE_UP}) for mu in frictions),
    ]


CASES = (*_tees(), *_diodes())
