"""Files of scenes: what is written reads back the same, the schema agrees, and every example says what it did."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_model_schema import agrees, valid
from test_scene_faults import FAULTS

from linkwork import Condition, Control, Energy, Frame, Machine, Part, Surface, examples, load, save
from linkwork.model import PlacedError, force
from linkwork.model.read import machine_from_text
from linkwork.model.write import machine_to_text

SCENES: Final = [name for name in examples.names() if "[frame." in examples.path(name).read_text("utf-8")]
PARAMETERS: Final[dict[str, float | str]] = {"a": 2, "b": 0.75, "θ": "30 deg", "tiny": "1e-3*a"}
SIZES: Final = ("a", "b", "a*b", "1/3", 2, 0.1, 7)
LENGTHS: Final = (*SIZES, 0, -1.5, "-b", "sin(θ)", "select(a < b, a, 1)")
UNUSUAL: Final = ('say "a"', "tab\there", "back\\slash", "# no comment", "zwölf", "")


def read_back(machine: Machine) -> Machine:
    return machine_from_text(machine_to_text(machine), "m.toml", "unnamed")


@st.composite
def scenes(draw: st.DrawFn) -> Machine:
    """Frames that vary, bodies, conditions, energies, controls, surfaces and functions, in the plane or in space."""
    n = draw(st.sampled_from((2, 3)))

    def one(choices: Any) -> Any:
        return draw(st.sampled_from(choices))

    def vector(choices: Any = LENGTHS) -> Any:
        return tuple(one(choices) for _ in range(n))

    names: list[str] = []
    frames: dict[str, Frame] = {}
    for place in range(draw(st.integers(1, 4))):
        made = frame(draw, n, one, vector, ["ground", "p", "p.B", *names])
        names.append(f"f{place}" if place else "ünit")
        frames[names[-1]] = made
    bodies = [name for name, each in frames.items() if each.mass is not None]
    energies = {"weight": Energy(each="mass(body)*a*position(body).y")} if bodies else {}
    if len(bodies) > 1:
        energies["pull"] = Energy(pair="-mass(a)*mass(b)/(1 + distance(a, b))", bodies=tuple(bodies[:2]))
    if draw(st.booleans()):
        energies["spring"] = Energy(value=f"b/2*distance({names[0]}, p)^2")
    controls = {"push": Control(one((0, "b", 0.5)), one(((-1, 1), ("-a", "a"))), one(((), ("a", "d"))))}
    equation = f"position({names[-1]}).x == a*t + push"
    holds = one((equation, (equation, f"rate(position({names[0]})) == velocity(p)")))
    return Machine.of(
        one(("scene", "zwei Körper")),
        PARAMETERS,
        title=one(UNUSUAL),
        dimension=n,
        parts={"p": Part(points={"B": vector()}, mass=one((None, 1)))},
        frames=frames,
        constraints={"rail": Condition(holds)} if draw(st.booleans()) else {},
        initial={"speed": Condition((f"velocity({names[-1]}).y == b",))} if draw(st.booleans()) else {},
        energies=energies,
        controls=controls if "push" in str(holds) or draw(st.booleans()) else {},
        surfaces={"wall": Surface("x^2 + a*y - b", names[-1])} if draw(st.booleans()) else {},
        functions={"far(u, v)": "a*distance(u, v)", "one()": "1"} if draw(st.booleans()) else {},
        forces={"engine": push(names[-1], n, one, vector)} if draw(st.booleans()) else {},
        gravity=vector() if draw(st.booleans()) else None,
    )


def push(at: str, n: int, one: Any, vector: Any) -> Any:
    given_force = one((vector(), "push*[1, 0]" if n == 2 else "push*[1, 0, b] - 2*velocity(p)"))
    return force.Push(at, given_force)


def frame(draw: st.DrawFn, n: int, one: Any, vector: Any, carriers: list[str]) -> Frame:
    given_frame: dict[str, Any] = {"on": one(carriers)}
    coin: Any = st.booleans()
    moving: list[str] = draw(st.lists(st.sampled_from(("tx", "ty", "tz")[:n]), unique=True))
    orientation = one(("none", "turn") if n == 2 else ("none", "turn", "quaternion", "free"))
    if orientation == "turn":
        given_frame["turn"] = one(("30 deg", "θ", -2))
        moving += ["turn"]
    if orientation == "quaternion":
        given_frame["quaternion"] = (1, "a", 0, -0.5)
    if orientation == "free":
        moving += one((["rx"], ["rx", "ry", "rz"]))
    if draw(coin):
        given_frame["at"] = vector()
    if draw(coin):
        given_frame["scale"] = one(((2,), vector(SIZES)))
    if moving and draw(coin):
        given_frame["rates"] = {moving[0]: one(LENGTHS)}
    if draw(coin):
        given_frame["mass"] = one(SIZES)
        given_frame["centre"] = vector()
        given_frame["inertia"] = (1,) if n == 2 else one(((1, 1, "a/2"), (3, 3, 3, 0.5, 0, "tiny")))
    return Frame(varies=tuple(moving), **given_frame)


@given(scenes())
def test_scenes_read_back_the_same(machine: Machine) -> None:
    """The text of a machine is the machine; the text of that is the same text."""
    text = machine_to_text(machine)
    again = read_back(machine)
    assert again == machine
    assert machine_to_text(again) == text


@given(scenes())
def test_what_is_saved_is_valid(machine: Machine) -> None:
    assert valid(machine_to_text(machine))
    agrees(machine_to_text(machine))


def test_there_are_scenes() -> None:
    assert len(SCENES) >= 20
    assert {"roller-coaster", "pendulum", "gyroscope", "rattleback"} <= {*SCENES}


@pytest.mark.parametrize("name", SCENES)
def test_examples_read_back_the_same(name: str, tmp_path: Path) -> None:
    machine = load(name)
    path = tmp_path / f"{name}.toml"
    save(machine, path)
    assert load(path) == machine
    assert valid(path.read_text("utf-8"))


@pytest.mark.parametrize("case", FAULTS)
def test_the_schema_and_the_reader_agree_on_faults(case: str) -> None:
    """What is wrong in structure both refuse; what is wrong in meaning the schema lets pass."""
    agrees(FAULTS[case][0])


TABLES = ("frame.f", "constraint.c", "initial.i", "energy.e", "control.k", "surface.s")


@pytest.mark.parametrize("table", TABLES)
def test_unknown_keys_are_named(table: str) -> None:
    text = f"linkwork = 1\ndimension = 3\n[{table}]\nunheard = 1\n"
    with pytest.raises(PlacedError, match="unheard") as caught:
        machine_from_text(text, "m.toml", "m")
    assert caught.value.line in (3, 4)  # where a key is missing, that may be told first
    assert caught.value.fix
    assert not valid(text)


@pytest.mark.parametrize("table", ["constrain", "energies", "controls", "surfac", "functions", "initials"])
def test_unknown_tables_are_named(table: str) -> None:
    with pytest.raises(PlacedError, match=table) as caught:
        machine_from_text(f"linkwork = 1\n[{table}.x]\nholds = 'x == 1'\n", "m.toml", "m")
    assert caught.value.fix.startswith("did you mean")
