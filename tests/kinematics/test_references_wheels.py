"""Closed forms and published numbers for wheels, belts, racks and screws; the source stands with each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from closeness import close

import linkwork as lw

J, P, F = lw.joint, lw.Part, lw.Pose


@pytest.mark.parametrize("description", ["parts", "axles"])
def test_planetary_train_by_willis(description: str) -> None:
    """Willis (1841): (ω_s − ω_a)/(ω_r − ω_a) = −z_r/z_s, with both the sun and the arm driven."""
    wheels = {"sun": 20, "planet": 16, "ring": 52}
    if description == "parts":
        mesh = {
            "outer": J.Gear(parts=("sun", "planet"), carrier="arm", teeth=(20, 16)),
            "inner": J.Gear(parts=("planet", "ring"), carrier="arm", teeth=(16, 52), internal=True),
        }
    else:
        mesh = {
            "outer": J.Gear(axles=("S", "C"), teeth=(20, 16)),
            "inner": J.Gear(axles=("C", "R"), teeth=(16, 52), internal=True),
        }
    machine = lw.Machine.of(
        "planetary",
        parts={"arm": P(points={"C": (1.8, 0)}), **{name: P() for name in wheels}},
        joints={
            "O": J.Revolute(("ground", "arm")),
            "S": J.Revolute(("arm", "sun")),
            "R": J.Revolute(("arm", "ring")),
            "C": J.Revolute(("arm.C", "planet")),
            **mesh,
        },
        drives={"arm": lw.Drive("O", value="t^2"), "sun": lw.Drive(of="sun.angle", value="3*t")},
    )
    motion = lw.move(machine, steps=10, until=2)
    t = motion.times
    arm, sun = 2 * t, 3.0
    close(motion["ring.rate"], arm - (sun - arm) * 20 / 52)
    close(motion["planet.rate"], arm - (sun - arm) * 20 / 16)
    close(motion["ring.acceleration"], 2 + 2 * 20 / 52)
    assert lw.show(machine).mobility == 2


def test_belts_and_racks_on_a_moving_carrier() -> None:
    """Open belt: ω₁r₁ = ω₂r₂ against the carrier, crossed: the opposite; rack: shift = r·θ."""
    machine = lw.Machine.of(
        "belts",
        parts={
            "arm": P(points={"Q": (4, 0), "R": (0, 1)}),
            "one": P(),
            "two": P(),
            "three": P(),
            "rack": P(start=F(at=(0, 1))),
        },
        joints={
            "O": J.Revolute(("ground", "arm")),
            "A": J.Revolute(("arm", "one")),
            "B": J.Revolute(("arm.Q", "two")),
            "C": J.Revolute(("arm.Q", "three")),
            "open": J.Belt(parts=("one", "two"), carrier="arm", radii=(2, 0.5)),
            "crossed": J.Belt(parts=("one", "three"), carrier="arm", radii=(2, 0.5), crossed=True),
            "slide": J.Prismatic(("arm.R", "rack")),
            "mesh": J.Rack(pinion="one", rack="rack", carrier="arm", radius=-2),
        },
        drives={"arm": lw.Drive("O", value="sin(t)"), "one": lw.Drive("A", value="t")},
    )
    motion = lw.move(machine, steps=12, until=5)
    t = motion.times
    close(motion["two.angle"], np.sin(t) + 4 * t)
    close(motion["three.angle"], np.sin(t) - 4 * t)
    close(motion["three.rate"], np.cos(t) - 4)
    close(motion["slide.displacement"], -2 * t)
    close(motion["rack.x"], -np.sin(np.sin(t)) - 2 * t * np.cos(np.sin(t)))


def test_screw_and_its_pitch() -> None:
    """The nut rises by the pitch each turn, over several turns and backwards."""
    machine = lw.Machine.of(
        "screw",
        dimension=3,
        parts={"nut": P()},
        joints={"thread": J.Screw(("ground", "nut"), pitch=0.5, axis=(1, 2, 2))},
        drives={"turn": lw.Drive("thread", value="20*sin(t)")},
    )
    motion = lw.move(machine, steps=50, until=6)
    rise = 0.5 * motion["turn"] / (2 * math.pi)
    for axis, share in zip("xyz", (1 / 3, 2 / 3, 2 / 3), strict=True):
        close(motion[f"nut.{axis}"], rise * share)
        close(motion[f"nut.w{axis}"], 20 * np.cos(motion.times) * share)
    close(motion["nut.q0"], np.cos(motion["turn"] / 2))


def test_a_wheel_on_a_line_draws_a_cycloid() -> None:
    """x = −rθ, and a rim point drawn at angle θ − 90° goes along the cycloid; its cusp has no speed."""
    machine = lw.Machine.of(
        "wheel",
        parts={"wheel": P(points={"rim": (0, -2)}, start=F(at=(0, 2)))},
        joints={"road": J.Rolling(("ground", "wheel"), radius=2)},
        drives={"roll": lw.Drive("road", value="-t")},
        view=lw.View(traces=("wheel.rim",)),
    )
    motion = lw.move(machine, steps=48, until=4 * math.pi)
    t = motion.times
    close(motion["wheel.x"], 2 * t)
    close(motion["wheel.rim.x"], 2 * (t - np.sin(t)))
    close(motion["wheel.rim.y"], 2 * (1 - np.cos(t)))
    close(motion["wheel.rim.vx"][[0, 24, 48]], 0)


@pytest.mark.parametrize(("big", "r"), [(3.0, 1.0), (-3.0, 1.0), (-2.0, 1.0)])
def test_a_wheel_on_a_circle_draws_epi_and_hypocycloids(big: float, r: float) -> None:
    """z = (R+r)e^{iψ} − r·e^{iψ(R+r)/r}; inside (R < 0) with R = 2r it is a straight line (Cardano 1570)."""
    reach = big + r
    machine = lw.Machine.of(
        "gears",
        parts={
            "arm": P(points={"C": (reach, 0)}),
            "wheel": P(points={"rim": (-r, 0)}, start=F(at=(reach, 0))),
        },
        joints={
            "O": J.Revolute(("ground", "arm")),
            "C": J.Revolute(("arm.C", "wheel")),
            "roll": J.Rolling(("ground", "wheel"), radius=r, on=big),
        },
        drives={"arm": lw.Drive("O", range=(0, "720 deg"))},
        view=lw.View(traces=("wheel.rim",)),
    )
    motion = lw.move(machine, steps=90)
    assert motion.status == "complete"
    psi = motion["arm"]
    z = reach * np.exp(1j * psi) - r * np.exp(1j * psi * reach / r)
    close(motion["wheel.angle"], psi * reach / r)
    close(motion["wheel.rim.x"], z.real)
    close(motion["wheel.rim.y"], z.imag)
    if big == -2 * r:
        assert min(np.ptp(z.real), np.ptp(z.imag)) < 1e-9
