"""An independent reference for rigid bodies: maximal coordinates, Newton-Euler equations, multipliers by least squares.

Nothing of linkwork is used here. A body has the place of its centre of mass, a unit quaternion, a velocity and an
angular velocity in the world's axes. Joints are given where they stand at the start:

    at:    r_a + s_a - r_b - s_b = 0,    second derivative  ... + w x (w x s)
    axis:  u_a . n_b = 0 for two directions n that are perpendicular to the axis u.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
cross = np.cross
Load = Callable[["Bodies", float], tuple[int, Array, Array, Array]]


@dataclass(frozen=True)
class Body:
    """A body at the start, its own axes along the world's: mass, centre, inertia, velocity of the centre, spin."""

    mass: float
    centre: Array
    inertia: Array
    velocity: Array = field(default_factory=lambda: np.zeros(3))
    spin: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class Joint:
    """A point that two bodies share and, for a hinge, an axis; body -1 is the ground."""

    first: int
    second: int
    at: Array
    axis: Array | None = None


def skew(v: Array) -> Array:
    """The matrix of v x."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rotation(q: Array) -> Array:
    """The rotation of a unit quaternion (w, x, y, z)."""
    w, v = q[0], q[1:]
    return np.asarray((w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * skew(v))


class Bodies:
    """Where all bodies are at one moment."""

    def __init__(self, bodies: Sequence[Body], y: Array) -> None:
        self.bodies = bodies
        rows = y.reshape(len(bodies), 13)
        self.r, self.q, self.v, self.w = rows[:, :3], rows[:, 3:7], rows[:, 7:10], rows[:, 10:]
        self.turned = [rotation(q / np.linalg.norm(q)) for q in self.q]

    def arm(self, body: int, at: Array) -> Array:
        """From the centre of mass to a point that stood at ``at`` at the start."""
        return at if body < 0 else np.asarray(self.turned[body] @ (at - self.bodies[body].centre))

    def point(self, body: int, at: Array) -> Array:
        """Where such a point is."""
        return at if body < 0 else np.asarray(self.r[body] + self.arm(body, at))

    def point_velocity(self, body: int, at: Array) -> Array:
        """How fast it moves."""
        return np.zeros(3) if body < 0 else np.asarray(self.v[body] + cross(self.w[body], self.arm(body, at)))

    def spin(self, body: int) -> Array:
        """The angular velocity of a body."""
        return np.zeros(3) if body < 0 else np.asarray(self.w[body])

    def direction(self, body: int, u: Array) -> Array:
        """A direction that is fixed in a body."""
        return u if body < 0 else np.asarray(self.turned[body] @ u)


def motion(
    bodies: Sequence[Body],
    joints: Sequence[Joint],
    until: float,
    gravity: Sequence[float] = (0, 0, 0),
    loads: Sequence[Load] = (),
    tolerance: float = 1e-12,
) -> Bodies:
    """All bodies at the end. A load gives (body, force, arm from the centre, moment)."""
    start = np.concatenate([[*b.centre, 1, 0, 0, 0, *b.velocity, *b.spin] for b in bodies])
    falling = np.asarray(gravity, float)

    def rates(t: float, y: Array) -> Array:
        now = Bodies(bodies, y)
        n = len(bodies)
        mass, push = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for i, body in enumerate(bodies):
            inertia = now.turned[i] @ body.inertia @ now.turned[i].T
            mass[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = body.mass * np.eye(3)
            mass[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = inertia
            push[6 * i : 6 * i + 3] = body.mass * falling
            push[6 * i + 3 : 6 * i + 6] = -cross(now.w[i], inertia @ now.w[i])
        for load in loads:
            i, force, arm, moment = load(now, t)
            if i >= 0:
                push[6 * i : 6 * i + 3] += force
                push[6 * i + 3 : 6 * i + 6] += moment + cross(arm, force)
        acceleration: Array = np.asarray(np.linalg.solve(mass, push), np.float64)
        slopes, known = _constraints(now, joints, n)
        if len(known):
            inverse = np.linalg.solve(mass, slopes.T)
            pull = np.linalg.lstsq(slopes @ inverse, known - slopes @ acceleration, rcond=1e-11)[0]
            acceleration = np.asarray(acceleration + inverse @ pull, np.float64)
        out = np.zeros((n, 13))
        for i in range(n):
            q, w = now.q[i], now.w[i]
            out[i, :3] = now.v[i]
            out[i, 3], out[i, 4:7] = -w @ q[1:] / 2, (q[0] * w + cross(w, q[1:])) / 2
            out[i, 7:] = acceleration[6 * i : 6 * i + 6]
        return out.ravel()

    found = solve_ivp(rates, (0, until), start, method="DOP853", rtol=tolerance, atol=tolerance)
    return Bodies(bodies, found.y[:, -1])


def _constraints(now: Bodies, joints: Sequence[Joint], n: int) -> tuple[Array, Array]:
    """J and d of J a = d, a the accelerations."""
    rows: list[Array] = []
    known: list[float] = []
    for joint in joints:
        block, side = np.zeros((3, 6 * n)), np.zeros(3)
        for body, sign in ((joint.first, 1.0), (joint.second, -1.0)):
            if body >= 0:
                arm, w = now.arm(body, joint.at), now.w[body]
                block[:, 6 * body : 6 * body + 3] = sign * np.eye(3)
                block[:, 6 * body + 3 : 6 * body + 6] = -sign * skew(arm)
                side -= sign * cross(w, cross(w, arm))
        rows += [*block]
        known += [*side]
        if joint.axis is None:
            continue
        unit = joint.axis / np.linalg.norm(joint.axis)
        u, wa, wb = now.direction(joint.first, unit), now.spin(joint.first), now.spin(joint.second)
        for normal in np.linalg.svd(unit[None])[2][1:]:
            v = now.direction(joint.second, normal)
            row, both = np.zeros(6 * n), cross(u, v)
            if joint.first >= 0:
                row[6 * joint.first + 3 : 6 * joint.first + 6] = both
            if joint.second >= 0:
                row[6 * joint.second + 3 : 6 * joint.second + 6] -= both
            turning = cross(cross(wa, u), v) + cross(u, cross(wb, v))
            rows.append(row)
            known.append(float(-turning @ (wa - wb)))
    return np.array(rows).reshape(-1, 6 * n), np.array(known)


def spring(
    first: int, at: Array, second: int, there: Array, stiffness: float, length: float, damping: float
) -> list[Load]:
    """A spring with a damper between points of two bodies."""

    def pull(now: Bodies) -> Array:
        gap = now.point(second, there) - now.point(first, at)
        distance = float(np.linalg.norm(gap))
        rate = gap @ (now.point_velocity(second, there) - now.point_velocity(first, at)) / distance
        return np.asarray((stiffness * (distance - length) + damping * rate) * gap / distance)

    zero = np.zeros(3)
    return [
        lambda now, t: (first, pull(now), now.arm(first, at), zero),
        lambda now, t: (second, -pull(now), now.arm(second, there), zero),
    ]


def some_inertia(random: np.random.Generator, mass: float) -> Array:
    """The inertia of a cloud of points, which obeys the triangle inequality."""
    cloud = random.normal(size=(6, 3)) * 0.2
    cloud -= cloud.mean(axis=0)
    return np.asarray(mass / 6 * sum((p @ p) * np.eye(3) - np.outer(p, p) for p in cloud))


# ---------------------------------------------------------------------------------------- machines as files


def listed(values: Sequence[float] | Array) -> str:
    """Numbers as a TOML list."""
    return "[" + ", ".join(repr(float(each)) for each in values) + "]"


def six(inertia: Array) -> str:
    """A tensor as xx, yy, zz, xy, xz, yz."""
    return listed([inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


@dataclass(frozen=True)
class Chain:
    """A random open chain in space: "r" a hinge, "s" a ball joint, "f" a floating body; tip is a point of the last."""

    kinds: str
    bodies: list[Body]
    joints: list[Joint]
    loads: list[Load]
    gravity: tuple[float, float, float]
    frames: str
    parts: str
    axes: list[Array]
    places: list[Array]

    def tip_of_frames(self, columns: Callable[[str], float]) -> Array:
        """Where the tip is, from the coordinates of the frames."""
        turned, place = np.eye(3), np.zeros(3)
        for i, kind in enumerate(self.kinds):
            if kind == "f":
                place = np.array([columns(f"b{i}.t{axis}") for axis in "xyz"])
            else:
                place = place + turned @ (self.places[i] - (self.places[i - 1] if i else 0))
            if kind == "r":
                half = columns(f"b{i}.turn") / 2
                q = np.array([np.cos(half), *(np.sin(half) * self.axes[i] / np.linalg.norm(self.axes[i]))])
            else:
                q = np.array([columns(f"b{i}.r{axis}") for axis in "wxyz"])
            turned = turned @ rotation(q)
        return np.asarray(place + turned @ (self.places[-1] - self.places[-2]))

    def tip_of_parts(self, columns: Callable[[str], float]) -> Array:
        """Where the tip is, from the coordinates of the last part."""
        last = f"b{len(self.kinds) - 1}"
        q = np.array([columns(f"{last}.q{i}") for i in range(4)])
        place = np.array([columns(f"{last}.{axis}") for axis in "xyz"])
        return np.asarray(place + rotation(q) @ (self.places[-1] - self.places[-2]))


@dataclass(frozen=True)
class Link:
    """What is drawn at random for one link, and where it stands in its chain."""

    number: int
    kind: str
    body: Body
    centre: Array
    axis: Array
    velocity: Array
    turning: Array
    rate: float

    @property
    def carrier(self) -> str:
        return f"b{self.number - 1}" if self.number else "ground"

    @property
    def _mass(self) -> str:
        body = self.body
        return f"mass = {body.mass!r}\ncentre = {listed(self.centre)}\ninertia = {six(body.inertia)}\n"

    @property
    def _against(self) -> str:
        own = f"angular_velocity(b{self.number})"
        return f"{own} - angular_velocity({self.carrier})" if self.number else own

    @property
    def _spinning(self) -> str:
        return f'\n[initial.spin{self.number}]\nholds = "{self._against} == {listed(self.turning)}"\n'

    def as_frame(self, at: Array) -> str:
        """The link as a frame, ``at`` seen from its carrier."""
        on = f'on = "{self.carrier}"\n' if self.number else ""
        text = f"\n[frame.b{self.number}]\n{on}at = {listed(at)}\n{self._mass}"
        if self.kind == "r":
            return (
                text + f'axis = {listed(self.axis)}\nvaries = ["turn"]\nrates = {{ turn = {self.rate!r} }}\n'
            )
        if self.kind == "s":
            return text + 'varies = ["rx", "ry", "rz"]\n' + self._spinning
        flying = ", ".join(f"t{axis} = {float(v)!r}" for axis, v in zip("xyz", self.velocity, strict=True))
        varies = 'varies = ["tx", "ty", "tz", "rx", "ry", "rz"]\n'
        return text + f"{varies}rates = {{ {flying} }}\n" + self._spinning

    def as_part(self, at: Array, points: str) -> str:
        """The link as a part with its joint, ``at`` in the world."""
        name = f"b{self.number}"
        text = f"\n[part.{name}]\npoints = {{ {points} }}\n{self._mass}start = {{ at = {listed(at)} }}\n"
        if self.kind == "f":
            flying = f'\n[initial.flying]\nholds = "velocity({name}) == {listed(self.velocity)}"\n'
            return text + flying + self._spinning
        text += f'\n[joint.j{self.number}]\nparts = ["{self.carrier}", "{name}"]\nat = {listed(at)}\n'
        if self.kind == "s":
            return text + 'type = "spherical"\n' + self._spinning
        unit = self.axis / np.linalg.norm(self.axis)
        spin = f'"dot({self._against}, {listed(unit)}) == {self.rate!r}"'
        return (
            text
            + f'type = "revolute"\naxis = {listed(self.axis)}\n'
            + f"\n[initial.spin{self.number}]\nholds = {spin}\n"
        )


def random_links(random: np.random.Generator, kinds: str, places: list[Array]) -> Iterator[Link]:
    """The links of a chain through places, each turning against the one before it."""
    axes = [random.normal(size=3) for _ in kinds]
    spin, velocity = np.zeros(3), np.zeros(3)
    for i, kind in enumerate(kinds):
        mass, centre = float(random.uniform(0.5, 2)), random.normal(size=3) * 0.3
        inertia = some_inertia(random, mass)
        before = places[i - 1] if i else np.zeros(3)
        velocity = velocity + cross(spin, places[i] - before) if kind != "f" else random.normal(size=3)
        turning, rate = random.normal(size=3), float(random.normal())
        spin = spin + (axes[i] / np.linalg.norm(axes[i]) * rate if kind == "r" else turning)
        body = Body(mass, places[i] + centre, inertia, velocity + cross(spin, centre), spin)
        yield Link(i, kind, body, centre, axes[i], velocity, turning, rate)


def random_loads(random: np.random.Generator, places: list[Array]) -> tuple[list[Load], str]:
    """A force that follows the last link and a torque on the first, for the reference and as a file says them."""
    last = len(places) - 2
    push, torque = random.normal(size=3) * 3, random.normal(size=3)
    none = np.zeros(3)
    loads: list[Load] = [
        lambda now, t: (last, now.direction(last, push), now.arm(last, places[-1]), none),
        lambda now, t: (0, none, none, torque * np.cos(3 * t)),
    ]
    turning = ", ".join(f'"{float(each)!r}*cos(3*t)"' for each in torque)
    return loads, (
        f'\n[force.push]\ntype = "force"\nat = "TIP"\nfollowing = true\nforce = {listed(push)}\n'
        f'\n[force.torque]\ntype = "torque"\non = "b0"\ntorque = [{turning}]\n'
    )


def random_chain(seed: int, kinds: str) -> Chain:
    """A chain with centres of mass anywhere, full tensors, a spring with a damper, a following force, a torque."""
    random = np.random.default_rng(seed)
    n, free = len(kinds), kinds[0] == "f"
    places = [random.normal(size=3) * 0.3]
    for _ in range(n):
        places.append(places[-1] + random.normal(size=3) * 0.6)
    links = list(random_links(random, kinds, places))
    frames = parts = ""
    for i, link in enumerate(links):
        frames += link.as_frame(places[i] - (places[i - 1] if i else np.zeros(3)))
        points = "o = [0, 0, 0]"
        points += f", mid = {listed(places[1] - places[0])}" if i == 0 else ""
        points += f", tip = {listed(places[n] - places[n - 1])}" if i == n - 1 else ""
        parts += link.as_part(places[i], points)
    frames += f'\n[frame.mid]\non = "b0"\nat = {listed(places[1] - places[0])}\n'
    frames += f'\n[frame.tip]\non = "b{n - 1}"\nat = {listed(places[n] - places[n - 1])}\n'
    gravity = (0.0, 0.0, 0.0) if free else (0.3, -2.0, -9.81)
    more, forces = ([], "") if free else random_loads(random, places)
    forces += '\n[force.spring]\ntype = "spring"\nbetween = ["MID", "TIP"]\n'
    forces += "stiffness = 20\nlength = 0.4\ndamping = 1.5\n"
    head = f"linkwork = 1\ndimension = 3\ngravity = {listed(gravity)}\n"
    return Chain(
        kinds,
        [link.body for link in links],
        [
            Joint(i - 1, i, places[i], links[i].axis if kind == "r" else None)
            for i, kind in enumerate(kinds)
            if kind != "f"
        ],
        spring(0, places[1], n - 1, places[n], 20, 0.4, 1.5) + more,
        gravity,
        head + frames + forces.replace("MID", "mid").replace("TIP", "tip"),
        head + parts + forces.replace("MID", "b0.mid").replace("TIP", f"b{n - 1}.tip"),
        [link.axis for link in links],
        places,
    )


@dataclass(frozen=True)
class Ring:
    """A random closed ring: its file, and what the reference needs; ``middle`` is the body whose origin is compared."""

    text: str
    bodies: list[Body]
    joints: list[Joint]
    gravity: tuple[float, float, float]
    loads: list[Load]
    middle: int
    place: Array


def random_ring(seed: int, kinds: str, dimension: int) -> Ring:
    """Bodies and the ground in a ring, "r" a hinge, "s" a ball joint; where all are hinges, they turn about z."""
    random = np.random.default_rng(seed)
    n = len(kinds) - 1
    around = np.linspace(0, 2 * np.pi, n + 1, endpoint=False) + random.uniform(-0.2, 0.2, n + 1)
    places = np.c_[np.cos(around), np.sin(around), np.zeros(n + 1)] * random.uniform(0.7, 1.5, (n + 1, 1))
    is_flat = "s" not in kinds
    if not is_flat:
        places[:, 2] = random.normal(size=n + 1) * 0.3
    axes = [np.array([0, 0, 1.0]) if is_flat else random.normal(size=3) for _ in kinds]
    names = [*(f"b{i}" for i in range(n)), "ground"]
    gravity = (0.5, -9.81, 0.0) if is_flat else (0.5, -9.0, -3.0)
    anchor, middle = np.array([1.5, 2, 0]), n // 2
    text = f"linkwork = 1\ndimension = {dimension}\ngravity = {listed(gravity[:dimension])}\n"
    text += f"\n[frame.anchor]\nat = {listed(anchor[:dimension])}\n"
    bodies = []
    for i in range(n):
        mass = float(random.uniform(0.5, 2))
        centre = (places[i + 1] - places[i]) / 2 + np.array([*random.normal(size=2) * 0.1, 0])
        inertia = some_inertia(random, mass)
        bodies.append(Body(mass, places[i] + centre, inertia))
        moments = six(inertia) if dimension == 3 else repr(float(inertia[2, 2]))
        text += (
            f"\n[part.b{i}]\nmass = {mass!r}\ncentre = {listed(centre[:dimension])}\ninertia = {moments}\n"
        )
        text += f"start = {{ at = {listed(places[i][:dimension])} }}\n"
    for i, kind in enumerate(kinds):
        word = "revolute" if kind == "r" else "spherical"
        text += f'\n[joint.j{i}]\ntype = "{word}"\nparts = ["{names[i - 1]}", "{names[i]}"]\n'
        text += f"at = {listed(places[i][:dimension])}\n"
        text += f"axis = {listed(axes[i])}\n" if dimension == 3 and kind == "r" else ""
    text += f'\n[force.spring]\ntype = "spring"\nbetween = ["anchor", "b{middle}"]\n'
    text += "stiffness = 15\nlength = 0.5\ndamping = 0.8\n"
    turning = '"2*sin(5*t)"' if dimension == 2 else '[0, 0, "2*sin(5*t)"]'
    text += f'\n[force.turning]\ntype = "torque"\non = "b0"\ntorque = {turning}\n'
    none = np.zeros(3)
    loads = spring(-1, anchor, middle, places[middle], 15, 0.5, 0.8)
    loads += [lambda now, t: (0, none, none, np.array([0, 0, 2 * np.sin(5 * t)]))]
    number = [*range(n), -1]
    joints = [
        Joint(number[i - 1], number[i], places[i], axes[i] if kind == "r" else None)
        for i, kind in enumerate(kinds)
    ]
    return Ring(text, bodies, joints, gravity, loads, middle, places[middle])


def four_bars(count: int, speed: float) -> str:
    """Parallel cranks of 1 m, upright, joined by rods of 1 m; all weigh 1 kg (IFToMM library, N four-bars)."""
    grounds = ", ".join(f"A{i} = [{i}, 0]" for i in range(count + 1))
    text = f"linkwork = 1\ngravity = [0, -9.81]\n\n[part.ground]\npoints = {{ {grounds} }}\n"
    bar = 'mass = 1\ncentre = [0.5, 0]\ninertia = "1/12"\n'
    for i in range(count + 1):
        text += f"\n[part.crank{i}]\npoints = {{ A = [0, 0], B = [1, 0] }}\n{bar}"
        text += f'start = {{ at = [{i}, 0], turn = "90 deg" }}\n'
        text += f'\n[joint.A{i}]\ntype = "revolute"\nbetween = ["ground.A{i}", "crank{i}.A"]\n'
    for i in range(1, count + 1):
        text += (
            f"\n[part.rod{i}]\npoints = {{ L = [0, 0], R = [1, 0] }}\n{bar}start = {{ at = [{i - 1}, 1] }}\n"
        )
        text += f'\n[joint.L{i}]\ntype = "revolute"\nbetween = ["crank{i - 1}.B", "rod{i}.L"]\n'
        text += f'\n[joint.R{i}]\ntype = "revolute"\nbetween = ["rod{i}.R", "crank{i}.B"]\n'
    return text + f'\n[initial.speed]\nholds = "crank0.B.vx == {speed}"\n'


def four_bars_angle(count: int, speed: float, until: float) -> tuple[float, float]:
    """The angle of all cranks and its rate: one freedom, ((N + 1)/3 + N)·a'' = -g·((N + 1)/2 + N)·cos a."""
    inertia, weight = (count + 1) / 3 + count, 9.81 * ((count + 1) / 2 + count)
    found = solve_ivp(
        lambda t, y: [y[1], -weight * np.cos(y[0]) / inertia],
        (0, until),
        [np.pi / 2, -speed],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
    )
    return float(found.y[0, -1]), float(found.y[1, -1])
