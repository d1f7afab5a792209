"""A cantilever as a pawl on a hinge: against the beam's equations, and against the elastica for large angles."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from designs import damaged, read
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from linkwork.errors import LinkworkError
from linkwork.fasten import check, design_from_text, design_to_text, fasten, load_design, with_settings
from linkwork.fasten.cantilever import SMALL_ANGLE, Cantilever, cantilever_for
from linkwork.model import PlacedError

SIZES = st.fractions(Fraction(1, 100), 1000, max_denominator=100)
CLIP = Cantilever(Fraction(2000), Fraction(5), Fraction(2), Fraction(20))


class Elastica(NamedTuple):
    """A beam of length 1 and E I = 1 under a force across its undeformed axis (Euler 1744)."""

    force: float
    deflection: float
    shortening: float
    slope: float
    curvature: float


def elastica(slope: float) -> Elastica:
    """By the first integral of θ'' = -P cos θ: θ'² = 2 P (sin φ - sin θ), with the end's slope φ."""

    def integral(weight: Any) -> float:
        def inner(root: float) -> float:  # θ = φ - root², so that the end is no singularity
            theta = slope - root**2
            drop = math.sin(slope) - math.sin(theta)
            return (
                float(weight(theta)) * 2 * root / math.sqrt(drop) if root else 2 / math.sqrt(math.cos(slope))
            )

        return float(quad(inner, 0, math.sqrt(slope))[0])

    length = integral(lambda theta: 1.0)
    force = length**2 / 2
    return Elastica(
        force,
        integral(math.sin) / length,
        1 - integral(math.cos) / length,
        slope,
        math.sqrt(2 * force * math.sin(slope)),
    )


def bent(deflection: float) -> Elastica:
    found: float = brentq(lambda slope: elastica(slope).deflection - deflection, 1e-6, 1.4)
    return elastica(found)


def test_the_elastica_is_that_of_the_tables() -> None:
    """Mattiasson, Int. J. Numer. Methods Eng. 17 (1981) 145-153: end loads P L²/E I = 1 and 2."""
    for force, deflection, shortening, slope in (
        (1, 0.30172, 0.05643, 0.46135),
        (2, 0.49346, 0.16064, 0.78175),
    ):
        found = elastica(brentq(lambda angle, wanted=force: elastica(angle).force - wanted, 1e-6, 1.5))
        assert found[1:4] == pytest.approx((deflection, shortening, slope), abs=6e-6)


@given(SIZES, SIZES, SIZES, SIZES)
def test_a_small_force_bends_and_turns_both_alike(
    modulus: Fraction, width: Fraction, thickness: Fraction, length: Fraction
) -> None:
    """δ = P L³/3EI and φ = P L²/2EI, exactly; and the strain of the clamped end's moment."""
    beam = Cantilever(modulus, width, thickness, length)
    bending = modulus * width * thickness**3 / 12
    force = Fraction(1, 7)
    turned = force * beam.arm / beam.stiffness
    assert turned == force * length**2 / (2 * bending)
    assert turned * beam.arm == force * length**3 / (3 * bending)
    assert beam.strain(float(turned)) == pytest.approx(float(force * length * thickness / (2 * bending)))
    assert beam.hinge + beam.arm == length


@given(SIZES, SIZES, SIZES, SIZES, st.fractions(Fraction(1, 1000), Fraction(1, 10), max_denominator=1000))
def test_and_back(
    modulus: Fraction, width: Fraction, thickness: Fraction, length: Fraction, strain: Fraction
) -> None:
    beam = Cantilever(modulus, width, thickness, length)
    deflection = beam.arm * strain * length / thickness
    assert cantilever_for(beam.stiffness, beam.arm, modulus, deflection, strain) == beam
    assert beam.deflection(float(strain)) == pytest.approx(float(deflection))


@pytest.mark.parametrize(
    ("deflection", "force", "slope", "strain", "end"),
    [
        (0.05, 0.0012, 0.0004, -0.0001, 0.0004),
        (0.1, 0.0048, 0.0017, -0.0005, 0.0015),
        (0.2, 0.0206, 0.0073, -0.0021, 0.0064),
        (0.3, 0.0526, 0.0178, -0.0045, 0.0155),
    ],
)
def test_how_far_from_the_elastica(
    deflection: float, force: float, slope: float, strain: float, end: float
) -> None:
    """The errors that the page tells, relative but for the place of the end, which is in lengths."""
    found = bent(deflection)
    arm, k = 2 / 3, 4 / 3
    angle = math.asin(deflection / arm)
    assert (angle <= SMALL_ANGLE + 0.005) == (deflection <= 0.2)
    errors = (
        k * angle / (arm * math.cos(angle)) / found.force - 1,
        angle / found.slope - 1,
        2 * angle / found.curvature - 1,
        arm * (1 - math.cos(angle)) - found.shortening,
    )
    assert errors == pytest.approx((force, slope, strain, end), abs=1e-4)


def test_limits_are_told() -> None:
    assert CLIP.limits(0.1) == []
    assert len(replace(CLIP, thickness=Fraction(5)).limits(0.31)) == 2


# -------------------------------------------------------------------------------------------- in designs


def with_beam(**change: Any) -> dict[str, Any]:
    beam = {"modulus": "2000", "width": "5", "thickness": "2", "length": "20", **change}

    def change_pawl(data: dict[str, Any]) -> None:
        del data["pawls"][0]["k"]
        data["pawls"][0]["cantilever"] = beam

    return damaged(change_pawl)


def test_a_design_may_give_a_beam_instead_of_a_stiffness() -> None:
    design = read(with_beam())
    assert design.pawls[0].cantilever == CLIP
    assert design.pawls[0].k == CLIP.stiffness
    assert design_from_text(design_to_text(design), "d.json", "d") == design
    assert with_settings(design, {"L.k": "3"}).pawls[0].cantilever is None
    with pytest.raises(LinkworkError, match="is not that of its cantilever"):
        check(replace(design, pawls=(replace(design.pawls[0], k=Fraction(1)),)))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (with_beam(width="0"), "pawl L, cantilever, width: a beam's measures are positive"),
        (with_beam(modulus="-1"), "pawl L, cantilever, modulus: a beam's measures are positive"),
        (with_beam(thickness="thin"), "pawl L, cantilever, thickness: this is no rational number"),
        (with_beam(hight="1"), "there is no key 'hight' in pawl L, cantilever"),
        (damaged(lambda data: data["pawls"][0].update(cantilever={"length": "1"})), "has no modulus"),
        (with_beam() | {"pawls": [with_beam()["pawls"][0] | {"k": "1"}]}, "pawl L has k and a cantilever"),
    ],
)
def test_bad_beams_are_refused(data: dict[str, Any], words: str) -> None:
    with pytest.raises(PlacedError) as caught:
        read(data)
    assert words in caught.value.problem


def test_along_a_ramp_push_and_deflection_have_the_ratio_of_the_handbooks() -> None:
    """W/P = (μ + tan α)/(1 - μ tan α) for a hook's tip on a ramp of tan α = 1/2, at any time on it."""
    for mu in (Fraction(0), Fraction(1, 5), Fraction(1, 2)):
        design = with_settings(load_design("cantilever-hook"), {"mu": str(mu)})
        found = fasten(design)
        motion = found.pawls["hook"]
        meets, leaves = (event.t for event in motion.told[:2])
        for share in (0.1, 0.5, 0.9):
            force = motion.root_force_at(meets + share * (leaves - meets))
            assert abs(force[1] / force[0]) == pytest.approx(
                float((mu + Fraction(1, 2)) / (1 - mu / 2)), rel=1e-9
            )


def test_the_strain_of_the_hook_is_that_of_its_greatest_angle() -> None:
    """The tip is pushed aside by 1: ε = 3 t δ/(2 L²) for small angles."""
    design = load_design("cantilever-hook")
    beam = design.pawls[0].cantilever
    assert beam is not None
    (strain,) = (pawl["peak_strain"] for pawl in fasten(design).to_json()["pawls"].values())
    assert strain == pytest.approx(float(3 * beam.thickness / (2 * beam.length**2)), rel=0.02)
