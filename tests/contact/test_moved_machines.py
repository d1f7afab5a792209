"""Laws of random ratchets: a machine that is mirrored, moved, turned in space or scaled goes as it did before."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactSolution, Law, Laws
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

UNTIL = 6.0
SHAPES = {
    "frame": """union() {{
  translate([-9, -9, -2]) cube([20, 20, 1]);
  translate([0, 0, -2]) cylinder(d=1, h=4);
  translate([8, 6.6, -2]) cylinder(d=1, h=4);
}}""",
    "wheel": """rotate([0, 0, {turn}]) difference() {{
  union() {{
    cylinder(d=10, h=1);
    for (k = [1:{teeth}]) rotate([0, 0, 360*k/{teeth}]) translate([-4.2, 0, 0]) cube([0.4, {tip}, 1]);
  }}
  cylinder(d=1, h=1);
}}""",
    "pawl": """translate([8, 6.6, 0]) rotate([0, 0, {lean}]) difference() {{
  union() {{
    translate([-6.7, -0.3, 0]) cube([6.7, 0.6, 1]);
    cylinder(d=1.6, h=1);
  }}
  cylinder(d=1, h=1);
}}""",
}


@dataclass(frozen=True)
class Ratchet:
    """A wheel with teeth that a spring turns, and a pawl on them; and how all of it is placed."""

    teeth: int
    turn: float
    tip: float
    lean: float
    rest: float
    place: str = ""
    mirrored: bool = False
    """Whether the plane of the machine is seen from below: then angles, and those of springs, are the other way."""
    slower: float = 1.0

    @classmethod
    def by(cls, rng: random.Random) -> Ratchet:
        teeth = rng.randint(8, 15)
        rest = rng.choice((-1, 1)) * rng.uniform(600, 1500)
        return cls(teeth, rng.uniform(0, 360 / teeth), rng.uniform(4.3, 4.6), 6.0, rest)

    @property
    def text(self) -> str:
        way, s = (-1 if self.mirrored else 1), self.slower
        place = self.place + (" mirror([1, 0, 0])" if self.mirrored else "")
        numbers = {"teeth": self.teeth, "turn": self.turn, "tip": self.tip, "lean": self.lean}
        solids = {name: f'"""{place} {shape.format(**numbers)}"""' for name, shape in SHAPES.items()}
        return f"""
linkwork = 1
[part.frame]
fixed = true
solid = {solids["frame"]}
[part.wheel]
solid = {solids["wheel"]}
inertia = {20 * s**2}
friction = {40 * s}
spring = {{ rest = "{way * self.rest} deg", stiffness = 2 }}
[part.pawl]
solid = {solids["pawl"]}
inertia = {2 * s**2}
friction = {2 * s}
spring = {{ rest = "{way * 25} deg", stiffness = 4 }}
"""

    def run(self, law: Law = Law()) -> ContactSolution:  # noqa: B008 - a frozen value
        machine = machine_from_text(self.text, "ratchet.toml", "ratchet")
        until = UNTIL * self.slower
        found = lw.simulate(machine, until=until, step=until / 600, contact="rigid", laws=Laws(law))
        assert isinstance(found, ContactSolution)
        assert found.status == "complete", found.why
        return found

    def drawn(self) -> bool:
        """Whether the pawl is clear of the wheel where it is drawn."""
        try:
            self.run()
        except lw.LinkworkError:
            return False
        return True


def angles(found: ContactSolution) -> Matrix:
    return np.column_stack([found.columns["wheel.angle"], found.columns["pawl.angle"]])


def kinds(found: ContactSolution) -> list[str]:
    return [event["kind"] for event in found.events]


def hard_impacts(found: ContactSolution) -> Matrix:
    """The times of impacts with more than a thousandth of the largest speed."""
    impacts = [event for event in found.events if event["kind"] == "impact"]
    largest = max((event["approach"] for event in impacts), default=0.0)
    return np.array([event["t"] for event in impacts if event["approach"] > 1e-3 * largest])


@pytest.fixture(scope="module", params=range(4))
def ratchet(request: pytest.FixtureRequest) -> Ratchet:
    rng = random.Random(request.param)
    return next(each for each in iter(lambda: Ratchet.by(rng), None) if each.drawn())


PLACES = {
    "shifted": "translate([31, -17, 4])",
    "turned": "rotate([0, 0, 77])",
    "a hundred times as large": "scale(100)",
    "a hundredth as large": "scale(0.01)",
}


@pytest.mark.parametrize("place", PLACES)
def test_it_goes_the_same_way_wherever_it_is_and_however_large(ratchet: Ratchet, place: str) -> None:
    """Moments of inertia, springs and dampers are given, so lengths do not count: angles over time stay."""
    one, other = ratchet.run(), replace(ratchet, place=PLACES[place]).run()
    assert one.events
    assert angles(other) == pytest.approx(angles(one), abs=1e-6)
    assert kinds(other) == kinds(one)


@pytest.mark.parametrize("turn", [(90, 0, 0), (50, 0, 0), (180, 0, 0), (50, 20, 110), (-70, 200, 13)])
def test_it_goes_the_same_way_in_any_plane(ratchet: Ratchet, turn: tuple[float, float, float]) -> None:
    """Turned about x, then y, then z: springs turn with it."""
    one, other = ratchet.run(), replace(ratchet, place=f"rotate({list(turn)})").run()
    assert angles(other) == pytest.approx(angles(one), abs=1e-6)
    assert kinds(other) == kinds(one)


@pytest.mark.parametrize(
    "law", [Law(), Law(friction=0.2), Law(restitution=0.3)], ids=["smooth", "rough", "e"]
)
def test_a_mirrored_machine_moves_as_in_a_mirror(ratchet: Ratchet, law: Law) -> None:
    one, other = ratchet.run(law), replace(ratchet, mirrored=True).run(law)
    assert angles(other) == pytest.approx(-angles(one), abs=1e-6)
    if not law.restitution:  # where bounces would go on without end, rounding decides which is the last
        assert kinds(other) == kinds(one)
    assert hard_impacts(other) == pytest.approx(hard_impacts(one), rel=1e-6)


@pytest.mark.parametrize("slower", [0.01, 100])
def test_more_inertia_makes_it_slower(ratchet: Ratchet, slower: float) -> None:
    """With inertias s², dampers s and springs as before all times are s as long."""
    one, other = ratchet.run(), replace(ratchet, slower=slower).run()
    assert angles(other) == pytest.approx(angles(one), abs=1e-6)
    times = [np.array([event["t"] for event in each.events]) for each in (one, other)]
    assert times[1] == pytest.approx(slower * times[0], rel=1e-6)


def test_energy_goes_into_impacts_and_dampers(ratchet: Ratchet) -> None:
    """What is lost in smooth contacts is lost in impacts; the rest is the work of the dampers, ∫ c ω² dt."""
    found = ratchet.run()
    rates = {part: found.columns[f"{part}.rate"] for part in ("wheel", "pawl")}
    dampers = sum(c * np.trapezoid(rates[part] ** 2, found.times) for part, c in (("wheel", 40), ("pawl", 2)))
    energy = found.columns["energy"]
    gone = float(energy[0] - energy[-1])
    assert gone == pytest.approx(found.lost["impacts"] + dampers, rel=2e-2)
    assert found.lost["impacts"] > 0
    rounding = 1e-12 * float(energy[0])
    assert all(event["lost"] >= -rounding for event in found.events if event["kind"] == "impact")
    assert math.isclose(sum(found.lost.values()), gone, rel_tol=1e-9)
