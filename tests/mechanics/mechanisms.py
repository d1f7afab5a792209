"""Mechanisms as drawings, each beside positions, energies and forces written by hand with SymPy.

What is by hand is independent of the drawing: coordinates in closed form from the textbook picture. From these the
equations of motion follow by differentiation in time (d'Alembert), without any table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from drawings import drawn
from linkwork import Machine
from linkwork.model.constraint import Angle, Distance, Fixed, Horizontal, Midpoint, Ratio, Vertical
from linkwork.model.drawing import Drawing, LineSpring, PointSpring

Array = NDArray[np.float64]
ZERO = sp.Integer(0)


@dataclass(frozen=True)
class Mechanism:
    """A drawing and its mechanics by hand: (position, mass) pairs, potential energy, other generalised forces.

    ``loss`` is half the power that dampers take (Rayleigh), over ``V_u``; ``work`` the rest, by dimension.
    """

    name: str
    drawing: Drawing
    values: Mapping[str, float]
    free: tuple[str, ...]
    positions: Sequence[tuple[Any, Any]]
    potential: Any = ZERO
    driven: tuple[str, ...] = ()
    loss: Any = ZERO
    work: Mapping[str, Any] = field(default_factory=dict)

    @property
    def moving(self) -> tuple[str, ...]:
        """The dimensions that move: driven ones, then free ones, as a derivation has them."""
        return (*self.driven, *self.free)

    @property
    def machine(self) -> Machine:
        """The drawing as a machine under gravity."""
        return Machine.of(self.name, dict(self.values), drawing=self.drawing, gravity=[0, "-g"])

    @cached_property
    def by_hand(self) -> Callable[..., tuple[Array, Array, Array, float, float]]:
        """Numbers → mass matrix, velocity terms, generalised forces, kinetic and potential energy."""
        u = [sp.Symbol(name) for name in self.moving]
        v = [sp.Symbol(f"V_{name}") for name in self.moving]
        x = sp.Matrix([each for each, _ in self.positions])
        mass = sp.diag(*[each for _, each in self.positions])
        slopes = x.jacobian(u)
        speed = slopes * sp.Matrix(v)
        rest = speed.jacobian(u) * sp.Matrix(v)
        forces = [
            -sp.diff(self.potential, q) - sp.diff(self.loss, w) + self.work.get(str(q), 0)
            for q, w in zip(u, v, strict=True)
        ]
        kinetic = (speed.T * mass * speed)[0] / 2
        names = [*self.values, *(str(each) for each in v)]
        parts = [slopes.T * mass * slopes, slopes.T * mass * rest, sp.Matrix(forces), kinetic, self.potential]
        call = sp.lambdify([sp.Symbol(name) for name in names], parts, "numpy", cse=True)

        def numbers(values: Mapping[str, float]) -> tuple[Array, Array, Array, float, float]:
            m, c, f, t, p = call(*(values[name] for name in names))
            return (
                np.array(m, float),
                np.array(c, float).ravel(),
                np.array(f, float).ravel(),
                float(t),
                float(p),
            )

        return numbers

    def random_values(self, seed: int) -> dict[str, float]:
        """Dimensions near those given, with velocities, and accelerations of what is driven."""
        random = np.random.default_rng(seed)
        found = {name: value * float(random.uniform(0.93, 1.07)) for name, value in self.values.items()}
        for name in self.moving:
            found[f"V_{name}"] = float(random.normal())
            found[f"A_{name}"] = float(random.normal())
        return found

    def accelerations(self, values: Mapping[str, float]) -> dict[str, float]:
        """The accelerations of the free dimensions by hand."""
        m, c, f, _, _ = self.by_hand(values)
        count = len(self.driven)
        given = np.array([values[f"A_{name}"] for name in self.driven])
        right = (f - c)[count:] - m[count:, :count] @ given
        found = np.linalg.solve(m[count:, count:], right)
        return {f"A_{name}": float(each) for name, each in zip(self.free, found, strict=True)}

    def reactions(self, values: Mapping[str, float]) -> dict[str, float]:
        """What drives the dimensions through the accelerations in ``values``, by hand."""
        m, c, f, _, _ = self.by_hand(values)
        found = m @ [values[f"A_{name}"] for name in self.moving] + c - f
        return {name: float(each) for name, each in zip(self.moving, found, strict=True)}


def _links(*pairs: tuple[str, str, str]) -> dict[str, Any]:
    return {f"length_{value}": Distance((first, second), value) for first, second, value in pairs}


def mechanisms() -> dict[str, Mechanism]:
    """All mechanisms by name."""
    found = [
        _pendulum(),
        _double_pendulum(),
        _triple_pendulum(),
        _slider_crank(),
        _four_bar(),
        _ladder(),
        _scissor(),
        _oscillator(),
        _driven_pivot(),
        _bead(),
        _whitworth(),
        _peaucellier(),
        _spring_pendulum(),
        _pushed_bar(),
    ]
    return {each.name: each for each in found}


sin, cos, sqrt = sp.sin, sp.cos, sp.sqrt


def _pendulum() -> Mechanism:
    a, m, ell, g = sp.symbols("a m l g")
    drawing = drawn(
        points={"O": (0, 0), "P": (1, -1)},
        lines={"L": ("O", "P")},
        constraints={"turn": Angle(("L",), "a"), **_links(("O", "P", "l"))},
        masses={"P": "m"},
    )
    values = {"a": -0.7, "l": 1.3, "m": 2.0, "g": 9.81}
    return Mechanism(
        "pendulum", drawing, values, ("a",), [(ell * cos(a), m), (ell * sin(a), m)], m * g * ell * sin(a)
    )


def _double_pendulum() -> Mechanism:
    a, b, m, n, p, q, k, d, g = sp.symbols("a b m n p q k d g")
    vb = sp.Symbol("V_b")
    drawing = drawn(
        points={"O": (0, 0), "P": (1, -1), "Q": (2, -1.5)},
        lines={"L": ("O", "P"), "M": ("P", "Q")},
        constraints={
            "turn": Angle(("L",), "a"),
            "bend": Angle(("L", "M"), "b"),
            **_links(("O", "P", "p"), ("P", "Q", "q")),
        },
        masses={"P": "m", "Q": "n"},
        torsion_springs={"knee": LineSpring(("L", "M"), "k", "1/5", "d")},
    )
    values = {"a": -0.7, "b": 0.6, "p": 1.3, "q": 0.8, "m": 2.0, "n": 1.1, "k": 3.0, "d": 0.4, "g": 9.81}
    x, y = p * cos(a), p * sin(a)
    z, w = x + q * cos(a + b), y + q * sin(a + b)
    potential = m * g * y + n * g * w + k * (b - sp.Rational(1, 5)) ** 2 / 2
    pairs = [(x, m), (y, m), (z, n), (w, n)]
    return Mechanism("double_pendulum", drawing, values, ("a", "b"), pairs, potential, loss=d * vb**2 / 2)


def _triple_pendulum() -> Mechanism:
    g = sp.Symbol("g")
    angles, lengths, masses = sp.symbols("a b c"), sp.symbols("p q r"), sp.symbols("m n o")
    drawing = drawn(
        points={"O": (0, 0), "P": (1, -1), "Q": (2, -2), "R": (3, -3)},
        lines={"L": ("O", "P"), "M": ("P", "Q"), "N": ("Q", "R")},
        constraints={
            **{f"turn_{u}": Angle((line,), u) for line, u in zip("LMN", "abc", strict=True)},
            **_links(("O", "P", "p"), ("P", "Q", "q"), ("Q", "R", "r")),
        },
        masses={"P": "m", "Q": "n", "R": "o"},
    )
    values = dict(zip("abcpqrmnog", (-0.7, -1.1, -0.3, 1.2, 0.9, 1.4, 2.0, 1.5, 0.8, 9.81), strict=True))
    x = y = potential = sp.Integer(0)
    pairs: list[tuple[Any, Any]] = []
    for angle, length, mass in zip(angles, lengths, masses, strict=True):
        x, y = x + length * cos(angle), y + length * sin(angle)
        pairs += [(x, mass), (y, mass)]
        potential = potential + mass * g * y
    return Mechanism("triple_pendulum", drawing, values, ("a", "b", "c"), pairs, potential)


def _slider_crank() -> Mechanism:
    a, c, L, m, n, i, j, f, g = sp.symbols("a c L m n i j f g")
    drawing = drawn(
        points={"O": (0, 0), "P": (1, 1), "S": (4, 0), "G": (2.5, 0.5)},
        lines={"X": ("O", "S"), "K": ("O", "P"), "R": ("P", "S")},
        constraints={
            "turn": Angle(("X", "K"), "a"),
            "middle": Midpoint(("G", "P", "S")),
            **_links(("O", "P", "c"), ("P", "S", "L")),
        },
        masses={"G": "m", "S": "n"},
        inertias={"K": "i", "R": "j"},
        forces={"S": ("-f", 0)},
    )
    values = {"a": 0.9, "c": 1.2, "L": 3.1, "m": 1.4, "n": 2.2, "i": 0.3, "j": 0.5, "f": 3.0, "g": 9.81}
    slide = c * cos(a) + sqrt(L**2 - c**2 * sin(a) ** 2)
    x, y = (c * cos(a) + slide) / 2, c * sin(a) / 2
    rod = -sp.asin(c * sin(a) / L)
    pairs = [(x, m), (y, m), (slide, n), (a, i), (rod, j)]
    return Mechanism("slider_crank", drawing, values, ("a",), pairs, m * g * y + f * slide)


def _circles(x0: Any, y0: Any, r0: Any, x1: Any, y1: Any, r1: Any, side: int) -> tuple[Any, Any]:
    """Where two circles meet, to the left (+1) of the way from the first centre to the second."""
    square = (x1 - x0) ** 2 + (y1 - y0) ** 2
    along = (square + r0**2 - r1**2) / (2 * square)
    up = side * sqrt(r0**2 / square - along**2)
    return x0 + along * (x1 - x0) - up * (y1 - y0), y0 + along * (y1 - y0) + up * (x1 - x0)


def _four_bar() -> Mechanism:
    a, b, c, d, e, m, n, o, g = sp.symbols("a b c d e m n o g")
    drawing = drawn(
        points={"P2": (0, 0), "P1": (4, 0), "P4": (0.7, 1.3), "P6": (3.5, 3), "P9": (2, 2)},
        lines={"L3": ("P2", "P1"), "L5": ("P2", "P4"), "L7": ("P4", "P6"), "L8": ("P1", "P6")},
        constraints={
            "turn": Angle(("L3", "L5"), "e"),
            "coupler_point": Ratio(("P4", "P9", "P6"), "1/2"),
            **_links(("P2", "P1", "b"), ("P2", "P4", "a"), ("P1", "P6", "c"), ("P4", "P6", "d")),
        },
        masses={"P4": "m", "P6": "n", "P9": "o"},
    )
    values = {"a": 1.5, "b": 4.0, "c": 3.1, "d": 3.4, "e": 1.1, "m": 1.0, "n": 1.3, "o": 0.7, "g": 9.81}
    x4, y4 = a * cos(e), a * sin(e)
    x6, y6 = _circles(x4, y4, d, b, 0, c, 1)
    x9, y9 = (x4 + x6) / 2, (y4 + y6) / 2
    pairs = [(x4, m), (y4, m), (x6, n), (y6, n), (x9, o), (y9, o)]
    return Mechanism("four_bar", drawing, values, ("e",), pairs, g * (m * y4 + n * y6 + o * y9))


def _ladder() -> Mechanism:
    a, ell, m, j, g = sp.symbols("a l m j g")
    drawing = drawn(
        points={"O": (0, 0), "A": (2, 0), "B": (0, 3), "G": (1, 1.5)},
        lines={"X": ("O", "A"), "Y": ("O", "B"), "R": ("A", "B")},
        constraints={
            "corner": Fixed(("O",)),
            "floor": Horizontal(("X",)),
            "wall": Vertical(("Y",)),
            "lean": Angle(("R",), "a"),
            "middle": Midpoint(("G", "A", "B")),
            **_links(("A", "B", "l")),
        },
        masses={"G": "m"},
        inertias={"R": "j"},
    )
    values = {"a": 2.1, "l": 3.6, "m": 5.0, "j": 1.7, "g": 9.81}
    x, y = -ell * cos(a) / 2, ell * sin(a) / 2
    return Mechanism("ladder", drawing, values, ("a",), [(x, m), (y, m), (a, j)], m * g * y)


def _scissor() -> Mechanism:
    a, ell, m, n, g = sp.symbols("a l m n g")
    drawing = drawn(
        points={"A": (0, 0), "B": (3, 0), "C": (3, 2), "D": (0, 2), "M": (1.5, 1)},
        lines={"X": ("A", "B"), "S": ("A", "C"), "T": ("B", "D")},
        constraints={
            "spread": Angle(("X", "S"), "a"),
            "pin": Midpoint(("M", "A", "C")),
            "pin_too": Midpoint(("M", "B", "D")),
            "second": Distance(("B", "M"), "l/2"),
            **_links(("A", "C", "l")),
        },
        masses={"C": "m", "D": "m", "B": "n"},
    )
    values = {"a": 0.6, "l": 3.3, "m": 2.0, "n": 0.5, "g": 9.81}
    x, y = ell * cos(a), ell * sin(a)
    return Mechanism("scissor", drawing, values, ("a",), [(x, m), (y, 2 * m), (x, n)], 2 * m * g * y)


def _oscillator() -> Mechanism:
    s, m, k, r, c, v = sp.symbols("s m k r c V_s")
    drawing = drawn(
        points={"O": (0, 0), "P": (2, 0)},
        lines={"X": ("O", "P")},
        constraints=_links(("O", "P", "s")),
        masses={"P": "m"},
        springs={"spring": PointSpring(("O", "P"), "k", "r", "c")},
    )
    values = {"s": 2.0, "m": 1.5, "k": 40.0, "r": 1.6, "c": 2.0, "g": 9.81}
    return Mechanism("oscillator", drawing, values, ("s",), [(s, m)], k * (s - r) ** 2 / 2, loss=c * v**2 / 2)


def _driven_pivot() -> Mechanism:
    s, a, ell, m, g = sp.symbols("s a l m g")
    drawing = drawn(
        points={"O": (0, 0), "P": (2, 0), "Q": (3, -1)},
        lines={"X": ("O", "P"), "L": ("P", "Q")},
        constraints={"turn": Angle(("X", "L"), "a"), **_links(("O", "P", "s"), ("P", "Q", "l"))},
        masses={"Q": "m"},
    )
    values = {"s": 2.0, "a": -0.8, "l": 1.2, "m": 1.5, "g": 9.81}
    x, y = s + ell * cos(a), ell * sin(a)
    return Mechanism("driven_pivot", drawing, values, ("a",), [(x, m), (y, m)], m * g * y, ("s",))


def _bead() -> Mechanism:
    r, a, m, j, g = sp.symbols("r a m j g")
    drawing = drawn(
        points={"O": (0, 0), "P": (2, 1)},
        lines={"L": ("O", "P")},
        constraints={"turn": Angle(("L",), "a"), **_links(("O", "P", "r"))},
        masses={"P": "m"},
        inertias={"L": "j"},
    )
    values = {"r": 2.2, "a": 0.5, "m": 1.5, "j": 0.9, "g": 9.81}
    x, y = r * cos(a), r * sin(a)
    return Mechanism("bead", drawing, values, ("r", "a"), [(x, m), (y, m), (a, j)], m * g * y)


def _whitworth() -> Mechanism:
    a, r, h, L, m, n, g = sp.symbols("a r h L m n g")
    drawing = drawn(
        points={"Q": (0, 0), "O": (0, 2), "P": (0.7, 2.7), "T": (0.9, 3.9)},
        lines={"Y": ("Q", "O"), "K": ("O", "P"), "S": ("Q", "P", "T")},
        constraints={
            "upright": Vertical(("Y",)),
            "turn": Angle(("K",), "a"),
            **_links(("Q", "O", "h"), ("O", "P", "r"), ("Q", "T", "L")),
        },
        masses={"P": "m", "T": "n"},
    )
    values = {"a": 0.8, "r": 1.0, "h": 2.1, "L": 4.0, "m": 0.6, "n": 1.5, "g": 9.81}
    x, y = r * cos(a), h + r * sin(a)
    far = sqrt(x**2 + y**2)
    z, w = L * x / far, L * y / far
    return Mechanism(
        "whitworth", drawing, values, ("a",), [(x, m), (y, m), (z, n), (w, n)], g * (m * y + n * w)
    )


def _peaucellier() -> Mechanism:
    a, r, L, s, m, n, g = sp.symbols("a r L s m n g")
    drawing = drawn(
        points={
            "O": (0, 0),
            "C": (1, 0),
            "P": (1.8, 0.6),
            "A": (1.9, 2.4),
            "B": (2.7, -1.4),
            "Q": (2.7, 0.9),
        },
        lines={"X": ("O", "C"), "K": ("C", "P")},
        constraints={
            "turn": Angle(("X", "K"), "a"),
            "crank": Distance(("C", "P"), "r"),
            **_links(("O", "C", "r")),
            "OA": Distance(("O", "A"), "L"),
            "OB": Distance(("O", "B"), "L"),
            **{f"{end}{arm}": Distance((end, arm), "s") for end in "PQ" for arm in "AB"},
        },
        masses={"Q": "m", "A": "n"},
    )
    values = {"a": 0.7, "r": 1.0, "L": 3.1, "s": 1.6, "m": 1.5, "n": 0.4, "g": 9.81}
    x, y = r + r * cos(a), r * sin(a)
    scale = (L**2 - s**2) / (x**2 + y**2)
    z, w = _circles(0, 0, L, x, y, s, 1)
    pairs = [(scale * x, m), (scale * y, m), (z, n), (w, n)]
    return Mechanism("peaucellier", drawing, values, ("a",), pairs, g * (m * scale * y + n * w))


def _spring_pendulum() -> Mechanism:
    r, a, m, k, s, c, g, h, vr = sp.symbols("r a m k s c g h V_r")
    drawing = drawn(
        points={"O": (0, 0), "H": (3, 0), "P": (1, -2)},
        lines={"X": ("O", "H"), "L": ("O", "P")},
        constraints={"turn": Angle(("X", "L"), "a"), **_links(("O", "P", "r"), ("O", "H", "h"))},
        masses={"P": "m"},
        springs={
            "rope": PointSpring(("O", "P"), "k", "s", "c"),
            "side": PointSpring(("H", "P"), "2*k", "s/2", 0),
        },
    )
    values = {"r": 2.2, "a": -1.1, "m": 1.5, "k": 30.0, "s": 1.8, "c": 0.7, "g": 9.81, "h": 3.0}
    x, y = r * cos(a), r * sin(a)
    side = sqrt((x - h) ** 2 + y**2)
    potential = m * g * y + k * (r - s) ** 2 / 2 + k * (side - s / 2) ** 2
    return Mechanism(
        "spring_pendulum", drawing, values, ("r", "a"), [(x, m), (y, m)], potential, loss=c * vr**2 / 2
    )


def _pushed_bar() -> Mechanism:
    a, b, ell, q, j, m, f, t, g = sp.symbols("a b l q j m f t g")
    drawing = drawn(
        points={"O": (0, 0), "P": (1, 1), "Q": (2, 1)},
        lines={"L": ("O", "P"), "M": ("P", "Q")},
        constraints={
            "turn": Angle(("L",), "a"),
            "other": Angle(("M",), "b"),
            **_links(("O", "P", "l"), ("P", "Q", "q")),
        },
        masses={"Q": "m"},
        inertias={"L": "j", "M": "2*j"},
        forces={"Q": ("f", "2*f")},
        torques={"L": "t", "M": "-3*t"},
    )
    values = {"a": 0.8, "b": 0.1, "l": 1.5, "q": 1.1, "j": 0.6, "m": 1.2, "f": 4.0, "t": 2.0, "g": 9.81}
    x, y = ell * cos(a) + q * cos(b), ell * sin(a) + q * sin(b)
    work = {str(u): f * sp.diff(x, u) + 2 * f * sp.diff(y, u) + (t if u == a else -3 * t) for u in (a, b)}
    pairs = [(x, m), (y, m), (a, j), (b, 2 * j)]
    return Mechanism("pushed_bar", drawing, values, ("a", "b"), pairs, m * g * y, work=work)


ALL = mechanisms()
