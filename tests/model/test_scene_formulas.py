"""Formulas of frames against NumPy: places by matrices, velocities by differences, on random trees of frames."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkwork as lw
from linkwork.algebra import Definition, Expression, evaluate, number
from linkwork.errors import LinkworkError, ParseError
from linkwork.model.formula import Vocabulary
from linkwork.model.vector import Vector
from linkwork.model.world import World

Array = Any
Values = dict[str, float]

TIGHT = 1e-11
DIFFERENCED = 1e-9
SPACE = ("tx", "ty", "tz")
QUATERNION = ("rw", "rx", "ry", "rz")
SCALES = ("sx", "sy", "sz")
SURFACES = {2: "x^2 + 2*y^2 + x*y - r^2", 3: "x^2 + 2*y^2 + 3*z^2 + x*y - r^2"}


# --------------------------------------------------------------------------------------- the reference


class Stand(NamedTuple):
    """A frame in numbers: origin, axes as columns, scale."""

    origin: Array
    axes: Array
    scale: Array

    def holding(self, inner: Stand) -> Stand:
        return Stand(self.point(inner.origin), self.axes @ inner.axes, self.scale * inner.scale)

    def point(self, local: Array) -> Array:
        return self.origin + self.axes @ (self.scale * local)

    def local(self, point: Array) -> Array:
        return self.axes.T @ (point - self.origin) / self.scale


def of_quaternion(q: Array) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def about(axis: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    n = axis / np.linalg.norm(axis)
    k = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def in_plane(angle: float) -> Array:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def along(z: Array, x: Array) -> Array:
    up = z / np.linalg.norm(z)
    forward = x - up * (up @ x)
    forward /= np.linalg.norm(forward)
    return np.array([forward, np.cross(up, forward), up]).T


class Made(NamedTuple):
    """A frame as it was drawn: what it was given, in numbers."""

    given: dict[str, Any]

    def stand(self, name: str, values: Mapping[str, float], dimension: int) -> Stand:
        """In its carrier."""
        at = np.array(self.given.get("at", [0.0] * dimension), float)
        origin = np.array([values.get(f"{name}.{e}", v) for e, v in zip(SPACE[:dimension], at, strict=True)])
        sizes = np.broadcast_to(np.array(self.given.get("scale", 1.0), float), dimension)
        sizes = np.array([values.get(f"{name}.{e}", v) for e, v in zip(SCALES, sizes, strict=False)])
        turn = values.get(f"{name}.turn", self.given.get("turn", 0.0))
        if dimension == 2:
            base = math.atan2(*self.given.get("x", (1.0, 0.0))[::-1])
            return Stand(origin, in_plane(base + turn), sizes)
        if "quaternion" in self.given or f"{name}.rw" in values:
            return Stand(origin, of_quaternion(self._entries(name, values)), sizes)
        if "z" in self.given:
            base = along(np.array(self.given["z"], float), np.array(self.given["x"], float))
            return Stand(origin, base @ about(np.array([0.0, 0, 1]), turn), sizes)
        axis = np.array(self.given.get("axis", (0, 0, 1)), float)
        return Stand(origin, about(axis, turn), sizes)

    def start_quaternion(self) -> Array:
        if "quaternion" in self.given:
            q = np.array(self.given["quaternion"], float)
            return q / np.linalg.norm(q)
        axis = np.array(self.given.get("axis", (0, 0, 1)), float)
        half = self.given.get("turn", 0.0) / 2
        return np.array([math.cos(half), *(math.sin(half) * axis / np.linalg.norm(axis))])

    def _entries(self, name: str, values: Mapping[str, float]) -> Array:
        return np.array(
            [values.get(f"{name}.{e}", v) for e, v in zip(QUATERNION, self.start_quaternion(), strict=True)]
        )


class Scene:
    """A machine with a tree of frames, a place of its coordinates and their rates."""

    def __init__(self, dimension: int, frames: dict[str, Made], numbers: Callable[[], float]) -> None:
        self.dimension = dimension
        self.made = frames
        bodies = {name: lw.Frame(**made.given) for name, made in frames.items()}
        surface = lw.Surface(level=SURFACES[dimension], on=list(frames)[-1])
        self.machine = lw.Machine.of(
            "scene",
            {"r": 0.7, "c": 3},
            parts={"p": lw.Part(points={"B": [0.5] * dimension})},
            frames=bodies,
            surfaces={"skin": surface},
            functions={
                "twice(u)": "u + u",
                "gap(a, b)": "position(a) - position(b)",
                "far(a, b)": "norm(gap(a, b)) + c*twice(distance(a, b))",
            },
            dimension=dimension,
        )
        self.vocabulary = World(self.machine).vocabulary
        self.values, self.rates = self._state(numbers)
        self.v = np.array([numbers() for _ in range(dimension)])

    def _state(self, numbers: Callable[[], float]) -> tuple[Values, Values]:
        place: Values = {}
        rates: Values = {}
        parts = ("x", "y", "angle") if self.dimension == 2 else ("x", "y", "z")
        for each in parts:
            place[f"p.{each}"], rates[f"p.{each}"] = numbers(), numbers()
        quaternions = [[f"p.q{k}" for k in range(4)]] if self.dimension == 3 else []
        for name, frame in self.machine.frames.items():
            own = frame.coordinates(self.dimension)
            quaternions.append([f"{name}.{each}" for each in own if each in QUATERNION])
            for each in own:
                if each not in QUATERNION:
                    place[f"{name}.{each}"], rates[f"{name}.{each}"] = numbers(), numbers()
                if each in SCALES:
                    place[f"{name}.{each}"] = 1.5 + 0.3 * numbers()
        for names in quaternions:
            self._unit(names, place, rates, numbers)
        return place, rates

    def _unit(self, names: list[str], place: Values, rates: Values, numbers: Callable[[], float]) -> None:
        """Entries so long that the whole quaternion has length 1, and rates across them."""
        if not names:
            return
        fixed = 0.0
        if names[0] != "p.q0":
            owner = names[0].rpartition(".")[0]
            start = dict(zip(QUATERNION, self.made[owner].start_quaternion(), strict=True))
            fixed = sum(v * v for e, v in start.items() if f"{owner}.{e}" not in names)
        q = np.array([numbers() for _ in names]) + np.array([2.5] + [0.0] * (len(names) - 1))
        q *= math.sqrt(1 - fixed) / np.linalg.norm(q)
        v = np.array([numbers() for _ in names]) * np.linalg.norm(q)  # a short one must not spin too fast
        v -= q * (q @ v) / (q @ q)
        place |= dict(zip(names, q.tolist(), strict=True))
        rates |= dict(zip(names, v.tolist(), strict=True))

    # ------------------------------------------------------------------------------ numbers

    def at(self, t: float) -> Values:
        """The coordinates after a time, quaternions kept at their length."""
        moved = {name: value + t * self.rates[name] for name, value in self.values.items()}
        for owner in {name.rpartition(".")[0] for name in moved}:
            entries = QUATERNION if owner != "p" else ("q0", "q1", "q2", "q3")
            names = [f"{owner}.{each}" for each in entries if f"{owner}.{each}" in moved]
            if names:
                was = math.hypot(*(self.values[name] for name in names))
                now = math.hypot(*(moved[name] for name in names))
                moved |= {name: moved[name] * was / now for name in names}
        return moved

    def stand(self, name: str, t: float = 0.0) -> Stand:
        values, n = self.at(t), self.dimension
        if name == "ground":
            return Stand(np.zeros(n), np.eye(n), np.ones(n))
        if name in self.made:
            made = self.made[name]
            return self.stand(made.given.get("on", "ground"), t).holding(made.stand(name, values, n))
        place = np.array([values[f"p.{each}"] for each in "xyz"[:n]])
        turned = (
            in_plane(values["p.angle"])
            if n == 2
            else of_quaternion(np.array([values[f"p.q{k}"] for k in range(4)]))
        )
        part = Stand(place, turned, np.ones(n))
        return part if name == "p" else part.holding(Stand(np.full(n, 0.5), np.eye(n), np.ones(n)))

    def rate(self, value: Callable[[float], Array]) -> Array:
        """The derivative by time, by differences of sixth order."""
        h = 1e-3
        first, second, third = (value(k * h) - value(-k * h) for k in (1, 2, 3))
        return (45 * first - 9 * second + third) / (60 * h)

    def spin(self, axes: Callable[[float], Array]) -> Array:
        """ω of Ṙ = [ω]·R; in the plane one number."""
        crossed = self.rate(axes) @ axes(0.0).T
        if self.dimension == 2:
            return np.array([crossed[1, 0]])
        return np.array([crossed[2, 1], crossed[0, 2], crossed[1, 0]])

    def carrier(self, name: str) -> str:
        return str(self.made[name].given.get("on", "ground")) if name in self.made else "ground"

    # ----------------------------------------------------------------------------- formulas

    def named(self) -> Values:
        """Every name with its value."""
        found: Values = {"r": 0.7, "c": 3.0, "t": 0.0, **self.values}
        plain = {"x": "vx", "y": "vy", "z": "vz", "angle": "rate"} | {f"q{k}": f"r{k}" for k in range(4)}
        for name, value in self.rates.items():
            owner, _, which = name.rpartition(".")
            found[f"p.{plain[which]}" if owner == "p" else f"{name}_rate"] = value
        return found

    def number(self, text: str) -> Array:
        value = self.vocabulary.value(text)
        if isinstance(value, Vector):
            return np.array(evaluate([*value], self.named()))
        return evaluate([value], self.named())[0]

    def vector(self) -> str:
        return "[" + ", ".join(repr(each) for each in self.v.tolist()) + "]"


@st.composite
def scenes(draw: st.DrawFn, dimension: int | None = None) -> Scene:
    """Trees of two to four frames, on each other, on a part or on its point."""
    n = draw(st.sampled_from((2, 3, 3))) if dimension is None else dimension
    count = draw(st.integers(2, 4))
    seed = draw(st.integers(0, 2**32 - 1))
    source = np.random.default_rng(seed)
    made: dict[str, Made] = {}
    for place in range(count):
        carriers = ["ground", "p", "p.B", *made]
        given_frame: dict[str, Any] = {"on": draw(st.sampled_from(carriers))}
        if draw(st.booleans()):
            given_frame["at"] = source.uniform(-2, 2, n).tolist()
        varies = draw(st.lists(st.sampled_from(SPACE[:n]), unique=True))
        kinds = ("none", "turn", "turning", "x") if n == 2 else KINDS
        _orient(draw(st.sampled_from(kinds)), given_frame, varies, source, n, draw)
        scaling = draw(st.sampled_from(("none", "none", "even", "uneven", "free")))
        if scaling == "even":
            given_frame["scale"] = (float(source.uniform(0.5, 2)),)
        elif place == count - 1 and scaling in ("uneven", "free"):  # frames on such a one would be sheared
            given_frame["scale"] = source.uniform(0.5, 2, n).tolist()
            varies += [SCALES[0]] if scaling == "free" else []
        if draw(st.booleans()):
            given_frame |= {"mass": float(source.uniform(1, 2)), "centre": source.uniform(-1, 1, n).tolist()}
        made[f"f{place}"] = Made({**given_frame, "varies": tuple(varies)})
    return Scene(n, made, lambda: float(source.uniform(-1, 1)))


KINDS = (
    "none",
    "turn",
    "turning",
    "quaternion",
    "free quaternion",
    "part of a quaternion",
    "xz",
    "turning xz",
)


def _orient(
    kind: str, given_frame: dict[str, Any], varies: list[str], source: Any, n: int, draw: st.DrawFn
) -> None:
    if kind in ("turn", "turning", "turning xz", "part of a quaternion", "free quaternion"):
        given_frame["turn"] = float(source.uniform(-3, 3))
        if n == 3 and "xz" not in kind and draw(st.booleans()):
            given_frame["axis"] = source.normal(size=3).tolist()
    if "xz" in kind:
        given_frame |= {"z": source.normal(size=3).tolist(), "x": source.normal(size=3).tolist()}
    if kind == "x":
        given_frame["x"] = source.normal(size=2).tolist()
        varies += draw(st.sampled_from((["turn"], [])))
    if "turning" in kind:
        varies.append("turn")
    if kind == "quaternion" or (kind == "free quaternion" and draw(st.booleans())):
        given_frame["quaternion"] = source.normal(size=4).tolist()
    if kind == "free quaternion":
        varies += ["rx", "ry", "rz"]
    if kind == "part of a quaternion":
        varies += draw(st.lists(st.sampled_from(QUATERNION[1:]), min_size=1, max_size=2, unique=True))


def pairs(scene: Scene) -> list[tuple[str, str]]:
    """Some frames, parts and points seen from each other."""
    names = [*scene.made]
    return [
        (names[-1], names[0]),
        (names[-1], "p"),
        ("p.B", names[-1]),
        ("ground", names[-1]),
        (names[1], "ground"),
    ]


def same(found: Array, wanted: Array, tolerance: float) -> None:
    scale = max(1.0, float(np.max(np.abs(wanted))))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * scale)


# ---------------------------------------------------------------------------------------------- places


@given(scenes())
def test_places(scene: Scene) -> None:
    """position, scale, distance and rotation are those of matrices multiplied from the root."""
    for f, g in pairs(scene):
        one, two = scene.stand(f), scene.stand(g)
        same(scene.number(f"position({f})"), one.origin, TIGHT)
        same(scene.number(f"position({f}, {g})"), two.local(one.origin), TIGHT)
        same(scene.number(f"scale({f})"), one.scale, TIGHT)
        same(scene.number(f"scale({f}, {g})"), one.scale / two.scale, TIGHT)
        same(scene.number(f"distance({f}, {g})"), np.linalg.norm(one.origin - two.origin), TIGHT)


@given(scenes(3))
def test_rotations(scene: Scene) -> None:
    """A unit quaternion whose scalar part is not negative; no entry is better than the root of the rounding."""
    for f, g in pairs(scene):
        one, two = scene.stand(f).axes, scene.stand(g).axes
        for text, wanted in ((f"rotation({f})", one), (f"rotation({f}, {g})", two.T @ one)):
            q = scene.number(text)
            assert q[0] >= 0
            same(np.linalg.norm(q), 1, 1e-7)
            same(of_quaternion(q), wanted, 1e-6)


@given(scenes(3))
def test_euler_angles(scene: Scene) -> None:
    """R = Rz·Ry·Rx against what carries the frame."""
    for f in scene.made:
        relative = scene.stand(scene.carrier(f)).axes.T @ scene.stand(f).axes
        x, y, z = (scene.number(f"euler_{axis}({f})") for axis in "xyz")
        e = np.eye(3)
        same(about(e[2], z) @ about(e[1], y) @ about(e[0], x), relative, 1e-7)


@given(scenes(2))
def test_euler_angles_of_the_plane(scene: Scene) -> None:
    for f in scene.made:
        relative = scene.stand(scene.carrier(f)).axes.T @ scene.stand(f).axes
        same(in_plane(scene.number(f"euler_z({f})")), relative, TIGHT)
        assert scene.number(f"euler_x({f})") == scene.number(f"euler_y({f})") == 0


@given(scenes())
def test_transforms(scene: Scene) -> None:
    """Points shift, turn and scale; vectors turn and scale; spins turn; normals scale the other way and are units."""
    v, text = scene.v, scene.vector()
    for f, g in pairs(scene):
        one, two = scene.stand(f), scene.stand(g)
        turned = two.axes.T @ one.axes
        same(scene.number(f"transform_point({text}, {f}, {g})"), two.local(one.point(v)), TIGHT)
        same(scene.number(f"transform_vector({text}, {f}, {g})"), turned @ (one.scale * v) / two.scale, TIGHT)
        normal = two.scale * (turned @ (v / one.scale))
        same(scene.number(f"transform_normal({text}, {f}, {g})"), normal / np.linalg.norm(normal), 1e-9)
        if scene.dimension == 3:
            same(scene.number(f"transform_spin({text}, {f}, {g})"), turned @ v, TIGHT)
        else:
            same(scene.number(f"transform_spin([2.5], {f}, {g})"), 2.5, TIGHT)


# ------------------------------------------------------------------------------------------ velocities


@given(scenes())
def test_velocities(scene: Scene) -> None:
    """The rates of places: in the world, in the frame's own axes, as seen from another frame."""
    for f, g in pairs(scene):
        v = scene.rate(lambda t, f=f: scene.stand(f, t).origin)  # type: ignore[misc]
        same(scene.number(f"velocity({f})"), v, DIFFERENCED)
        same(scene.number(f"local_velocity({f})"), scene.stand(f).axes.T @ v, DIFFERENCED)
        seen = scene.rate(lambda t, f=f, g=g: scene.stand(g, t).local(scene.stand(f, t).origin))  # type: ignore[misc]
        same(scene.number(f"velocity({f}, {g})"), seen, DIFFERENCED)


@given(scenes())
def test_angular_velocities(scene: Scene) -> None:
    """ω from rotation matrices: in the world, in own axes, against another frame in the axes of that one."""
    for f, g in pairs(scene):
        w = scene.spin(lambda t, f=f: scene.stand(f, t).axes)  # type: ignore[misc]
        same(scene.number(f"angular_velocity({f})"), w, DIFFERENCED)
        local = w if scene.dimension == 2 else scene.stand(f).axes.T @ w
        same(scene.number(f"local_angular_velocity({f})"), local, DIFFERENCED)
        seen = scene.spin(lambda t, f=f, g=g: scene.stand(g, t).axes.T @ scene.stand(f, t).axes)  # type: ignore[misc]
        same(scene.number(f"angular_velocity({f}, {g})"), seen, DIFFERENCED)


@given(scenes())
def test_rates_are_derivatives_along_the_motion(scene: Scene) -> None:
    for f, g in pairs(scene):
        one = f"distance({f}, {g})"
        if f != g and scene.number(one) > 0.1:
            wanted = scene.rate(
                lambda t, f=f, g=g: np.linalg.norm(scene.stand(f, t).origin - scene.stand(g, t).origin)  # type: ignore[misc]
            )
            same(scene.number(f"rate({one})"), wanted, DIFFERENCED)
        same(scene.number(f"rate(position({f}, {g}))"), scene.number(f"velocity({f}, {g})"), TIGHT)
    assert scene.number("rate(3*t^2 + c*t)") == 3


def test_derivatives_by_names_and_by_what_depends_on_them() -> None:
    scene = Scene(3, {"f": Made({"varies": ("turn", "tx")}), "g": Made({})}, lambda: 0.5)
    for text, wanted in {
        "derivative(sin(f.turn)*f.tx, f.turn)": math.cos(0.5) * 0.5,
        "derivative(c^2*f.tx, c)": 3.0,
        "derivative(sin(2*f.turn), 2*f.turn)": math.cos(1.0),
        "derivative(cos(3*euler_z(f)), euler_z(f))": -3 * math.sin(1.5),
        "derivative(norm(position(f))^2, f.tx)": 1.0,
    }.items():
        assert scene.number(text) == pytest.approx(wanted, rel=1e-12), text


def test_derivatives_see_through_definitions_and_places() -> None:
    """A definition, the place of a frame and of a point depend on coordinates; by its own name it is a name."""
    machine = lw.Machine.of(
        "m",
        {"c": 3},
        [Definition.of("h", "f.tx^2 + g.x"), Definition.of("k", "2*h + p.B.y")],
        parts={"p": lw.Part(points={"B": (1, 0)})},
        frames={"f": lw.Frame(varies=("tx",)), "g": lw.Frame(on="f", at=("c", 0))},
    )
    vocabulary = World(machine).vocabulary
    values = {"c": 3.0, "f.tx": 0.5, "f.tx_rate": 2.0, "h": 3.75}
    values |= {"p.x": 1.0, "p.y": 2.0, "p.angle": 0.3, "p.vx": 0.1, "p.vy": 0.2, "p.rate": 0.7}
    for text, wanted in {
        "rate(g.x)": 2.0,
        "rate(h)": 2 * 0.5 * 2 + 2,
        "rate(k)": 2 * 4.0 + 0.2 + 0.7 * math.cos(0.3),
        "rate(p.B.x)": 0.1 - 0.7 * math.sin(0.3),
        "derivative(k, f.tx)": 4.0,
        "derivative(h^2, h)": 7.5,
        "derivative(g.x^2, c)": 2 * 3.5,
    }.items():
        assert evaluate([vocabulary.scalar(text)], values)[0] == pytest.approx(wanted, rel=1e-12), text


# ------------------------------------------------------------------------------------ surfaces, bodies


def level(p: Array) -> float:
    x, y, *more = p
    return float(x * x + 2 * y * y + sum(3 * z * z for z in more) + x * y - 0.49)


def slope_of_level(p: Array) -> Array:
    x, y, *more = p
    return np.array([2 * x + y, 4 * y + x, *(6 * z for z in more)])


@given(scenes())
def test_surfaces(scene: Scene) -> None:
    """contains is the level at the origin of a frame; normals are unit gradients, of the world's places too."""
    carrier = scene.stand(list(scene.made)[-1])
    for f, _ in pairs(scene):
        same(scene.number(f"contains(skin, {f})"), level(carrier.local(scene.stand(f).origin)), TIGHT)
    local = slope_of_level(scene.v)
    same(scene.number(f"local_normal(skin, {scene.vector()})"), local / np.linalg.norm(local), 1e-9)
    world = carrier.axes @ (slope_of_level(carrier.local(scene.v)) / carrier.scale)
    same(scene.number(f"normal(skin, {scene.vector()})"), world / np.linalg.norm(world), 1e-8)


@given(scenes())
def test_bodies(scene: Scene) -> None:
    for f, made in scene.made.items():
        if "mass" in made.given:
            assert scene.number(f"mass({f})") == made.given["mass"]
            stand = scene.stand(f)  # a body is rigid: the scale of its frame does not move its centre
            wanted = stand.origin + stand.axes @ np.array(made.given["centre"])
            same(scene.number(f"centre({f})"), wanted, TIGHT)
        else:
            with pytest.raises(LinkworkError, match="has no mass"):
                scene.number(f"mass({f})")


@given(st.lists(st.integers(-40, 40).map(lambda each: each / 7), min_size=6, max_size=6))
def test_products_of_vectors(entries: list[float]) -> None:
    u, v = np.array(entries[:3]), np.array(entries[3:])
    scene = fixed_scene(3)
    texts = ["[" + ", ".join(f"({each!r})" for each in w.tolist()) + "]" for w in (u, v)]
    same(scene.number("dot({}, {})".format(*texts)), u @ v, TIGHT)
    same(scene.number("cross({}, {})".format(*texts)), np.cross(u, v), TIGHT)
    same(scene.number(f"norm({texts[0]})"), np.linalg.norm(u), TIGHT)


def test_a_spin_of_the_plane_times_a_vector() -> None:
    scene = fixed_scene(2)
    same(scene.number("cross(angular_velocity(f), [2, 3])"), np.array([-3, 2]) * scene.rates["f.turn"], TIGHT)
    for text in (
        "angular_velocity(f).z",
        "angular_velocity(f).x",
        "angular_velocity(f) + 0*t",
        "0*t + angular_velocity(f)",
    ):
        same(scene.number(text), scene.rates["f.turn"], TIGHT)


def fixed_scene(dimension: int) -> Scene:
    f = {"varies": ("tx", "turn"), "mass": 2.0, "at": [0.0] * dimension}
    g = {"on": "f", "at": [1.0, 2.0, 3.0][:dimension], "scale": (2.0,)}
    return Scene(dimension, {"f": Made(f), "g": Made(g)}, lambda: 0.25)


# ------------------------------------------------------------------------------- functions, precedence


@given(scenes())
def test_functions_of_the_user(scene: Scene) -> None:
    """Frames, vectors and numbers go through them, one inside the other."""
    for f, g in pairs(scene):
        apart = float(np.linalg.norm(scene.stand(f).origin - scene.stand(g).origin))
        same(scene.number(f"far({f}, {g})"), apart + 6 * apart, TIGHT)
        same(
            scene.number(f"twice(twice(gap({f}, {g})))"),
            4 * scene.number(f"position({f}) - position({g})"),
            TIGHT,
        )
    assert scene.number("twice(c) - twice(twice(r))*0") == 6


PRECEDENCE = {
    "[1, 2, 3].x + [4, 5, 6].z*2": 13.0,
    "-[1, 2, 3].y^2": -4.0,
    "2^[1, 2, 3].z^2": 512.0,
    "([1, 2, 3] + 2*[1, 1, 1]).z": 5.0,
    "[1, 2, 3].x/[2, 4, 8].y": 0.25,
    "dot([1, 2, 3] - [0, 1, 0], -[1, 1, 1]) + 1": -4.0,
    "norm([3, 4, 0]/5)": 1.0,
    "(-[1, 2, 3]).x": -1.0,
    "- [1, 2, 3].x": -1.0,
    "c*[1, 2, 3].y": 6.0,
    "([1, 2, 3]*c).y": 6.0,
    "cross([1, 0, 0], [0, 1, 0]).z": 1.0,
    "[sin(0), cos(0), 1 + 1].z": 2.0,
    "(0 + [1, 2, 3]).z": 3.0,
    "select([1, 2, 3].x < 2, 10, 20)": 10.0,
    "[90 deg, 0, 0].x - pi/2": 0.0,
    "([90, 0, 0].x deg) - pi/2": 0.0,
    "rotation(ground).w": 1.0,
    "position ( g , f ) .y": 2.0,
    "max([1, 2, 3].x, [1, 2, 3].y, 1)": 2.0,
}


@pytest.mark.parametrize("text", PRECEDENCE)
def test_precedence_with_vectors(text: str) -> None:
    assert fixed_scene(3).number(text) == pytest.approx(PRECEDENCE[text], abs=1e-14)


def test_equations_between_vectors() -> None:
    """One zero for each component; a vector may be compared with 0."""
    vocabulary = fixed_scene(3).vocabulary
    numbers = fixed_scene(3).named()
    for text, wanted in {
        "position(g, f) == [0, 0, 1]": [1, 2, 2],
        "position(g, f) = [0, 0, 1]": [1, 2, 2],
        "position(g, f) == 0": [1, 2, 3],
        "norm([3, 4, 0]) == c": [2],
        "contains(skin, ground) == 0": None,
        "contains(skin, g)": [-0.49],
        "select(c == 3, 4, 5) == 1": [3],
    }.items():
        found = evaluate(vocabulary.zeros(text), numbers)
        assert wanted is None or found == pytest.approx(wanted), text


# ---------------------------------------------------------------------------------------------- errors

FAULTS = {
    "position(‸h)": "nothing here is called 'h'",
    "‸position()": "position takes something else",
    "‸position(1)": "position takes something else",
    "‸position(f, g, f)": "position takes something else",
    "‸position(skin)": "position takes something else",
    "1 + ‸contains(f, skin)": "contains takes something else",
    "‸dot(1, 2)": "dot takes something else",
    "‸transform_point([1, 2], f, g)": "transform_point takes something else",
    "‸local_normal(skin, [1])": "local_normal takes something else",
    "‸transform_spin([1], f, g)": "transform_spin takes something else",
    "‸rate(f)": "rate takes something else",
    "‸derivative(f.tx, 2)": "a derivative by a number",
    "‸mass(g)": "'g' has no mass",
    "‸centre(g)": "'g' has no mass",
    "[1, 2]‸ + [1, 2, 3]": "a vector of the plane meets one of space",
    "‸dot([1, 2], [1, 2, 3])": "a vector of the plane meets one of space",
    "‸cross([1, 2], [1, 2])": "cross takes two vectors of space",
    "[1, 2, 3]‸ + 1": "'+' has no meaning between these",
    "[1, 2, 3]‸*[1, 2, 3]": "'*' has no meaning between these",
    "1‸/[1, 2, 3]": "'/' has no meaning between these",
    "[1, 2, 3]‸^2": "'^' has no meaning between these",
    "[1, 2, 3]‸ < 2": "'<' has no meaning between these",
    "‸-f": "'f' is a frame and cannot be calculated with",
    "1‸ + f": "'f' is a frame and cannot be calculated with",
    "f‸ + 1": "'f' is a frame and cannot be calculated with",
    "f‸ deg": "'f' is a frame and cannot be calculated with",
    "[1, 2, 3]‸ deg": "only a number can be in degrees",
    "‸f": "'f' is a frame, not a number",
    "‸sin(f)": "sin takes numbers",
    "‸min([1], [2])": "min takes numbers",
    "‸sin(1, 2)": "sin takes 1 argument, not 2",
    "[1, 2, 3]‸.w": "this vector has no component .w",
    "c + (1)‸.x": "only a vector has components",
    "[‸]": "a value is expected before ']'",
    "‸[f, g]": "the entries of a vector are numbers",
    "‸[[1, 2], 3]": "the entries of a vector are numbers",
    "[1, 2‸)": "this bracket closes another than was opened",
    "1‸]": "there is no open bracket",
    "(1‸]": "there is no open bracket",
    "(1‸, 2)": "a comma stands only between",
    "1‸, 2": "a comma stands only between",
    "2*‸[1, 2": "this bracket is never closed",
    "‸sin(f.tx": "this bracket is never closed",
    "‸twice": "needs its arguments in brackets",
    "‸twice(1, 2)": "twice takes 1 arguments, not 2",
    "[1, 2, 3]‸/0": "division by an exact zero",
    "position(f)‸(f)": "an operator is missing",
    "c ‸$ 2": "the character '$' has no meaning",
    "c ‸= 2": "= defines or equates",
    "f.tx ‸f.tx": "an operator is missing",
    "1 < 2 ‸< 3": "comparisons cannot be chained",
}  # fmt: skip


@pytest.mark.parametrize("marked", FAULTS)
def test_every_fault_has_a_caret_and_a_fix(marked: str) -> None:
    at = marked.index("‸")
    if marked[at + 1 : at + 2] == " ":  # the caret stands under the operator behind the blank
        at += 1
    text = marked.replace("‸", "")
    with pytest.raises(ParseError) as caught:
        fixed_scene(3).vocabulary.value(text)
    assert FAULTS[marked] in caught.value.problem
    assert caught.value.fix
    assert (caught.value.text, caught.value.position) == (text, at)


def test_fixes_of_brackets_can_be_pasted() -> None:
    vocabulary = fixed_scene(3).vocabulary
    for text in ("norm([1, 2, 3", "(c + 2", "[c, (1"):
        with pytest.raises(ParseError) as caught:
            vocabulary.value(text)
        vocabulary.value(caught.value.fix)


EQUATION_FAULTS = {
    "position(f).x": "this is no equation",
    "position(f) == 1": "one side is a vector",
    "1 == position(f)": "one side is a vector",
    "[1, 2] == [1, 2, 3]": "different numbers of entries",
    "f == g": "is a frame, not a number",
    "1 == 2 == 3": "equations cannot be chained",
    "select(1 == 2, 3, 4)": "this is no equation",
    "== 1": "the text ends",
    "1 ==": "the text ends",
}


@pytest.mark.parametrize("text", EQUATION_FAULTS)
def test_equations_that_are_none(text: str) -> None:
    with pytest.raises(ParseError, match=EQUATION_FAULTS[text]):
        fixed_scene(3).vocabulary.zeros(text)


def test_what_has_no_meaning_in_the_plane() -> None:
    with pytest.raises(ParseError, match="the plane has no quaternions") as caught:
        fixed_scene(2).vocabulary.value("rotation(f).w")
    assert caught.value.fix == "euler_z(f)"


def test_functions_that_call_themselves() -> None:
    functions = {"loop(u)": "loop(u) + 1", "ping(u)": "pong(u)", "pong(u)": "ping(u)"}
    machine = lw.Machine.of("m", functions=functions, frames={"f": lw.Frame()})
    for text in ("loop(1)", "ping(1)"):
        with pytest.raises(ParseError, match="calls itself without end") as caught:
            World(machine).vocabulary.value(text)
        assert caught.value.fix


# ------------------------------------------------------------------------------------------------ soup

WORDS = (
    *"( ) [ ] , + - * / ^ < == = .x .y .z .w deg 1 2.5 0 1e400 pi c r f g p p.B ground skin f.tx t".split(),
    *"sin( min( select( position( position(f) rotation( velocity( angular_velocity( euler_z( scale(".split(),
    *"transform_point( transform_spin( contains( contains(skin,f) normal( local_normal( mass( centre(".split(),
    *"dot( cross( norm( rate( derivative( twice( gap( far( [1,2,3] [1,2] $ ° é .. f. q".split(),
)


def refused(read: Callable[[str], object], text: str) -> object:
    """What a text means, or the error of ours that refuses it."""
    try:
        return read(text)
    except LinkworkError as error:
        return error


@settings(max_examples=150)
@given(st.lists(st.sampled_from(WORDS), max_size=14), st.sampled_from((2, 3)))
def test_soups_of_words_are_read_or_refused(words: list[str], dimension: int) -> None:
    """Only errors of ours escape, and a refused text says where."""
    vocabulary = SOUP[dimension]
    for text in (" ".join(words), "".join(words)):
        for read in (vocabulary.value, vocabulary.scalar, vocabulary.zeros):
            value = refused(read, text)
            assert isinstance(value, Expression | Vector | list | LinkworkError)
            if isinstance(value, ParseError):
                assert 0 <= value.position <= len(value.text)
                assert value.problem


SOUP: dict[int, Vocabulary] = {dimension: fixed_scene(dimension).vocabulary for dimension in (2, 3)}


@settings(max_examples=100)
@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (SOUP[3].value, SOUP[3].zeros):
        refused(read, text)


LONG: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "(" * n + "1" + ")" * n,
    "open brackets": lambda n: "(" * n,
    "open vectors": lambda n: "[" * n + "1",
    "signs": lambda n: "-" * n + "1",
    "names": lambda n: "+".join(["f.tx"] * (n // 2)),
    "functions": lambda n: "sin(" * (n // 4) + "c" + ")" * (n // 4),
    "vectors": lambda n: "+".join(["[1, 2, 3]"] * (n // 8)),
    "components": lambda n: "+".join(["position(f).x"] * (n // 8)),
    "closing": lambda n: "1" + ")" * n,
}


@pytest.mark.parametrize("case", LONG)
def test_long_texts_are_read_or_refused(case: str) -> None:
    """Reading goes from left to right once, so that forty thousand letters are nothing."""
    refused(SOUP[3].value, LONG[case](40_000))


def test_nesting_knows_no_limit() -> None:
    deep = 100_000
    assert SOUP[3].value("(" * deep + "1" + ")" * deep) is number(1)
    for text in ("[" * deep, "([-" * (deep // 8), "sin(" * (deep // 8)):
        assert isinstance(refused(SOUP[3].value, text), ParseError)
