"""Accelerations against Lagrange's equations in numbers, and their cost: linear in the length of a chain.

The reference knows nothing of the program: places of bodies by matrices, their derivatives by complex steps, the mass
matrix from the kinetic energy, its rates by differences, constraints by multipliers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork import Condition, Energy, Frame, Machine, force, interpreted
from linkwork.dynamics.form import Form
from linkwork.dynamics.plan import Plan
from linkwork.dynamics.specification import Specification
from linkwork.dynamics.synthesis import Synthesis
from linkwork.errors import LinkworkError

Array = Any
STEP = 1e-30
QUATERNION = ("rw", "rx", "ry", "rz")


# --------------------------------------------------------------------------------------- the reference


class Link(NamedTuple):
    """A frame with one kind of freedom, carried by another or by the ground (−1)."""

    on: int
    at: Array
    kind: str  # turn, slide, both, ball, fixed
    axis: Array
    mass: float
    centre: Array
    inertia: Array  # 1 or 6 numbers

    def varies(self, n: int) -> tuple[str, ...]:
        free = {"turn": ("turn",), "slide": ("tx",), "fixed": (), "ball": QUATERNION, "free": (*QUATERNION,)}
        translation = ("tx", "ty", "tz")[:n]
        if self.kind == "free":
            return (*translation, *QUATERNION) if n == 3 else (*translation, "turn")
        if self.kind == "both":
            return ("ty", "turn")
        return free[self.kind]


def rotation(axis: Array, angle: Array) -> Array:
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def of_quaternion(q: Array) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class Tree:
    """Links, and what their coordinates are called."""

    def __init__(self, n: int, links: list[Link]) -> None:
        self.n = n
        self.links = links
        self.names = [f"f{k}.{each}" for k, link in enumerate(links) for each in link.varies(n)]
        self.units = [k for k, link in enumerate(links) if QUATERNION[0] in link.varies(n)]
        self.gravity = np.array([0.7, -9.0, 2.0][:n])

    def stands(self, q: Array) -> list[tuple[Array, Array]]:
        """The origin and axes of every link."""
        value = dict(zip(self.names, q, strict=True))
        found: list[tuple[Array, Array]] = []
        for k, link in enumerate(self.links):
            origin, axes = found[link.on] if link.on >= 0 else (np.zeros(self.n), np.eye(self.n))
            at = [value.get(f"f{k}.t{axis}", entry) for axis, entry in zip("xyz", link.at, strict=False)]
            found.append((origin + axes @ np.array(at), axes @ self._turned(k, value)))
        return found

    def _turned(self, k: int, value: dict[str, Array]) -> Array:
        angle = value.get(f"f{k}.turn", 0.0)
        if self.n == 2:
            return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if k in self.units:
            return of_quaternion([value[f"f{k}.{each}"] for each in QUATERNION])
        return rotation(self.links[k].axis, angle)

    def centres(self, q: Array) -> Array:
        return np.array(
            [o + r @ link.centre for (o, r), link in zip(self.stands(q), self.links, strict=True)]
        )

    def slopes(self, value: Callable[[Array], Array], q: Array) -> Array:
        """∂value/∂q by complex steps, the derivative in the last place."""
        columns = []
        for unit in np.eye(len(q)):
            columns.append(np.imag(value(q + 1j * STEP * unit)) / STEP)
        return np.stack(columns, axis=-1)

    def mass_matrix(self, q: Array) -> Array:
        """M of T = ½·q̇ᵀMq̇."""
        velocity = self.slopes(self.centres, q)
        turning = self.slopes(lambda x: np.array([r for _, r in self.stands(x)]), q)
        total = np.zeros((len(q), len(q)))
        for k, (link, (_, axes)) in enumerate(zip(self.links, self.stands(q), strict=True)):
            total += link.mass * velocity[k].T @ velocity[k]
            crossed = np.einsum("ba,bcq->acq", axes, turning[k])  # RᵀṘ = [ω] in own axes
            if self.n == 2:
                spin = crossed[1, 0][None, :]
                total += link.inertia[0] * spin.T @ spin
            else:
                spin = np.array([crossed[2, 1], crossed[0, 2], crossed[1, 0]])
                total += spin.T @ tensor(link.inertia) @ spin
        return total

    def potential(self, q: Array) -> Array:
        """Of gravity and a spring from the last link to the first."""
        weight = -sum(
            link.mass * (self.gravity @ centre)
            for link, centre in zip(self.links, self.centres(q), strict=True)
        )
        gap = self.stands(q)[-1][0] - self.stands(q)[0][0]
        return np.array([weight + 3.0 / 2 * (gap @ gap)])

    def constraints(self, q: Array) -> Array:
        """Unit quaternions; where there are more constraints, a subclass adds them."""
        value = dict(zip(self.names, q, strict=True))
        return np.array([sum(value[f"f{k}.{e}"] ** 2 for e in QUATERNION) / 2 for k in self.units])

    def speeds(self, q: Array) -> Array:
        """The matrix of nonholonomic constraints."""
        return np.zeros((0, len(q)))

    def accelerations(self, q: Array, v: Array) -> Array:
        """Lagrange's equations with multipliers: Mq̈ + Ṁq̇ − ∂T/∂q = −∂V/∂q + Q + Jᵀλ, Jq̈ = −J̇q̇."""
        m = self.mass_matrix(q)
        rate = difference(lambda t: self.mass_matrix(q + t * v)) @ v
        slope = np.array(
            [difference(lambda t, u=unit: v @ self.mass_matrix(q + t * u) @ v / 2) for unit in np.eye(len(q))]  # type: ignore[misc]
        )
        last = self.slopes(lambda x: self.stands(x)[-1][0], q)
        drag = -0.4 * last.T @ (last @ v)
        applied = -self.slopes(self.potential, q)[0] + drag - rate + slope
        j = self.velocity_matrix(q)
        known = -difference(lambda t: self.velocity_matrix(q + t * v)) @ v
        size = len(j)
        whole = np.block([[m, j.T], [j, np.zeros((size, size))]])
        found = np.linalg.lstsq(whole, np.concatenate([applied, known]), rcond=1e-13)[0]
        return found[: len(q)]

    def velocity_matrix(self, q: Array) -> Array:
        return np.concatenate([self.slopes(self.constraints, q), self.speeds(q)])

    # ----------------------------------------------------------------------------- the machine

    def machine(self) -> Machine:
        frames = {}
        for k, link in enumerate(self.links):
            free = tuple(each for each in link.varies(self.n) if each != "rw")
            given_frame: dict[str, Any] = (
                {"axis": link.axis.tolist()} if self.n == 3 and "turn" in free else {}
            )
            frames[f"f{k}"] = Frame(
                on=f"f{link.on}" if link.on >= 0 else "ground", at=link.at.tolist(), varies=free,
                mass=link.mass, centre=link.centre.tolist(), inertia=tuple(link.inertia.tolist()), **given_frame,
            )  # fmt: skip
        last = f"f{len(self.links) - 1}"
        return Machine.of(
            "tree", {"k": 3, "drag": 0.4}, dimension=self.n, frames=frames, gravity=self.gravity.tolist(),
            energies={"spring": Energy(value=f"k/2*distance({last}, f0)^2")} if last != "f0" else {},
            forces={"wind": force.Push(last, f"-drag*velocity({last})")},
            constraints=self.conditions(),
        )  # fmt: skip

    def conditions(self) -> dict[str, Condition]:
        return {}


class Tied(Tree):
    """A tree whose last link keeps its distance from a point, and slides along a direction that turns with it."""

    point = np.array([4.0, 3.0, -2.0])
    rolls = False

    def constraints(self, q: Array) -> Array:
        gap = self.stands(q)[-1][0] - self.point[: self.n]
        return np.concatenate([super().constraints(q), [gap @ gap / 2]])

    def speeds(self, q: Array) -> Array:
        if not self.rolls:
            return super().speeds(q)
        axes = np.real(self.stands(q)[-1][1])
        return (axes[:, 1] @ self.slopes(lambda x: self.stands(x)[-1][0], q))[None, :]

    def conditions(self) -> dict[str, Condition]:
        last, anchor = f"f{len(self.links) - 1}", str(self.point[: self.n].tolist())
        holds = f"dot(position({last}) - {anchor}, position({last}) - {anchor}) == 10"
        found = {"rope": Condition((holds,))}
        if self.rolls:
            found["skate"] = Condition((f"local_velocity({last}).y == 0",))
        return found


class Skating(Tied):
    rolls = True


def tensor(six: Array) -> Array:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def difference(value: Callable[[float], Array]) -> Array:
    """The derivative at 0 by differences of sixth order."""
    h = 4e-3
    first, second, third = (value(k * h) - value(-k * h) for k in (1, 2, 3))
    return (45 * first - 9 * second + third) / (60 * h)


# ----------------------------------------------------------------------------------------- the program


def program(machine: Machine) -> tuple[Synthesis, Callable[[Array], Array]]:
    """The derivative of a machine, evaluated without a compiler."""
    synthesis = Synthesis(Plan(Specification.of(machine)))
    rates = interpreted(synthesis.derivative)
    values = machine.values()
    given_values = np.array([values[leaf.name] for leaf in synthesis.spec.parameters])
    constants = interpreted(synthesis.constants_program)(given_values)["k"]

    def derivative(y: Array) -> Array:
        every = {"y": y, "k": constants, "c": np.zeros(len(synthesis.controls)), "clock": np.zeros(1)}
        given_arrays = {
            each.name: every[each.name] if each.symbols else np.zeros(0)
            for each in synthesis.derivative.inputs
        }
        return rates(**given_arrays)["rate"]

    return synthesis, derivative


def check(tree: Tree, source: Any) -> None:
    """At a random state on the constraints the program has the accelerations of the reference."""
    q = source.uniform(-1, 1, len(tree.names))
    for k in tree.units:
        places = [tree.names.index(f"f{k}.{each}") for each in QUATERNION]
        q[places] /= np.linalg.norm(q[places])
    j = tree.velocity_matrix(q)
    v = source.uniform(-1, 1, len(q))
    v -= np.linalg.pinv(j) @ (j @ v) if len(j) else 0
    wanted = tree.accelerations(q, v)
    synthesis, derivative = program(tree.machine())
    at = dict(zip(tree.names, q, strict=True)) | {f"V_{n}": e for n, e in zip(tree.names, v, strict=True)}
    found = derivative(np.array([at[leaf.name] for leaf in synthesis.y]))
    known = {leaf.name: value for leaf, value in zip(synthesis.v, found, strict=False)}
    first = len(synthesis.q1) + len(synthesis.q2)
    accelerations = dict(zip((leaf.name for leaf in synthesis.q2), found[first:], strict=True))
    assert len(synthesis.q0) == 0
    scale = max(1.0, float(np.max(np.abs(wanted))))
    for name, rate, acceleration in zip(tree.names, v, wanted, strict=True):
        assert known[f"V_{name}"] == pytest.approx(rate, abs=1e-9)
        if name in accelerations:
            assert accelerations[name] == pytest.approx(acceleration, abs=1e-8 * scale), name


def tree_of(kind: type[Tree], n: int, kinds: list[str], source: Any) -> Tree:
    links = []
    for place, each in enumerate(kinds):
        axis = source.normal(size=3)
        axis /= np.linalg.norm(axis)
        points = source.normal(size=(5, n))
        points -= points.mean(axis=0)
        if n == 2:
            inertia = np.array([np.sum(points**2)])
        else:
            full = np.sum(points**2) * np.eye(3) - points.T @ points
            inertia = full[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            if source.random() < 0.3:
                inertia = np.array([2.0, 2.0, 2.0, 0, 0, 0])  # a ball: all axes are alike
        on = place - 1 if source.random() < 0.6 else int(source.integers(-1, place))
        centre = source.uniform(-1, 1, n) * (source.random() < 0.8)
        mass = float(source.uniform(0.5, 2))
        links.append(Link(on, source.uniform(-1, 1, n), each, axis, mass, centre, inertia))
    return kind(n, links)


KINDS = {2: ("turn", "slide", "both", "free"), 3: ("turn", "turn", "slide", "both", "ball", "free")}


@st.composite
def cases(draw: st.DrawFn, least: int) -> tuple[int, list[str], Any]:
    n = draw(st.sampled_from((2, 3)))
    kinds = draw(st.lists(st.sampled_from(KINDS[n]), min_size=least, max_size=4))
    return n, kinds, np.random.default_rng(draw(st.integers(0, 2**32 - 1)))


@settings(max_examples=12)
@given(cases(1))
def test_trees(case: tuple[int, list[str], Any]) -> None:
    """Open trees in the plane and in space, with centres off the origin, full tensors, a spring and drag."""
    n, kinds, source = case
    check(tree_of(Tree, n, ["turn", *kinds], source), source)


def test_a_constraint_on_nothing_that_moves_changes_nothing() -> None:
    """The last link stands on the ground, so that its distance from a point is what it is."""
    source = np.random.default_rng(0)
    tree = tree_of(Tied, 3, ["turn", "turn", "ball"], source)
    assert tree.links[-1].on == -1
    check(tree, source)


@settings(max_examples=7)
@given(cases(3))
def test_trees_with_a_holonomic_constraint(case: tuple[int, list[str], Any]) -> None:
    n, kinds, source = case
    check(tree_of(Tied, n, kinds, source), source)


@settings(max_examples=7)
@given(cases(3))
def test_trees_with_a_nonholonomic_constraint_too(case: tuple[int, list[str], Any]) -> None:
    n, kinds, source = case
    check(tree_of(Skating, n, [*kinds, "free"], source), source)


# ---------------------------------------------------------------------------------------------- the cost


def chain(n: int, dimension: int) -> Machine:
    """Links on each other; in space about y and z in turn."""
    frames = {}
    for k in range(n):
        given_frame: dict[str, Any] = {
            "on": f"f{k - 1}" if k else "ground",
            "at": (["l"] + [0] * (dimension - 1)),
        }
        if dimension == 3:
            given_frame["axis"] = (0, 1, 0) if k % 2 else (0, 0, 1)
            given_frame["inertia"] = (0.1, 0.2, 0.25)
        else:
            given_frame["inertia"] = (0.2,)
        centre = ["l/2"] + [0] * (dimension - 1)
        frames[f"f{k}"] = Frame(varies=("turn",), mass="m", centre=centre, **given_frame)
    gravity = [0] * (dimension - 1) + [-9.81]
    return Machine.of("chain", {"l": 1, "m": 0.5}, dimension=dimension, frames=frames, gravity=gravity)


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_cost_of_a_link_does_not_depend_on_the_length(dimension: int) -> None:
    """Operations per further link are the same between 10 and 20 links as between 20 and 40."""
    cost = {
        n: Synthesis(Plan(Specification.of(chain(n, dimension)))).derivative.operations for n in (10, 20, 40)
    }
    near, far = (cost[20] - cost[10]) / 10, (cost[40] - cost[20]) / 20
    assert far == pytest.approx(near, rel=0.02)


def test_a_variable_that_moves_nothing_is_told() -> None:
    machine = Machine.of(
        "m",
        frames={"f": Frame(varies=("tx",), mass=1), "g": Frame(varies=("tx",))},
        energies={"spring": Energy(value="position(g).x^2")},
    )
    form = Form(Specification.of(machine))
    with pytest.raises(LinkworkError, match=r"nothing with mass moves when g\.tx does") as caught:
        form.eliminate([])
    assert caught.value.fix


def test_a_spinning_top_precesses() -> None:
    """ω = m·g·r/(I·s) for fast spin s: the first-order answer of a textbook, by one evaluation at steady motion."""
    spin, lean = 200.0, 0.4
    inertia, across, mass, r, g = 0.01, 0.02, 1.0, 0.1, 9.81
    a, b, c = (across + mass * r * r) * math.cos(lean), -inertia * spin, mass * g * r
    precession = (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
    assert precession == pytest.approx(mass * g * r / (inertia * spin), rel=0.1)
    frames = {
        "turn": Frame(varies=("turn",), axis=(0, 0, 1)),
        "lean": Frame(on="turn", varies=("turn",), axis=(0, 1, 0)),
        "top": Frame(
            on="lean", varies=("turn",), axis=(0, 0, 1), mass=mass, centre=(0, 0, r),
            inertia=(across, across, inertia),
        ),
    }  # fmt: skip
    machine = Machine.of("top", dimension=3, frames=frames, gravity=(0, 0, -g))
    synthesis, derivative = program(machine)
    values = {"lean.turn": lean, "V_turn.turn": precession, "V_top.turn": spin - precession * math.cos(lean)}
    found = derivative(np.array([values.get(leaf.name, 0.0) for leaf in synthesis.y]))
    assert np.max(np.abs(found[3:])) < 1e-9
