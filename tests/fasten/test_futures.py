"""Many starts on one slice: what is looked up is what the follower finds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from exact import design_value
from random_designs import KINDS, random_design

from linkwork.fasten.algebraic import Root, as_fmpq
from linkwork.fasten.angle import rest_of_radians
from linkwork.fasten.check import start_faults
from linkwork.fasten.course import Course
from linkwork.fasten.futures import Futures
from linkwork.fasten.motion import Follower, rest_chart
from linkwork.fasten.pawl_motion import exact_json
from linkwork.fasten.point import Point

STARTS = 12


def story(course: Course) -> Any:
    """Events with their features and exact times, the stretches between them, and the end."""
    events = [
        (each.kind, each.before, each.after, exact_json(each.at.t), each.to.theta) for each in course.events
    ]
    stretches = [(each.feature, each.way, each.start.time, each.end.time) for each in course.stretches]
    return events, stretches, course.cause, course.contact


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_looked_up_motions_are_those_that_are_followed(seed: int) -> None:
    """From random times and angles of the slice, in any order; the same start again takes no new arc."""
    design, random = design_value(random_design(seed)), Random(seed)
    pawl = design.pawls[0]
    futures = Futures(design, pawl)
    for _ in range(STARTS):
        t = Fraction(random.randint(0, 900), 1000) * design.duration
        theta = Fraction(random.randint(-3000, 3000), 1000)
        place = (design.p0[0] + design.v[0] * t, design.p0[1] + design.v[1] * t)
        if any(start_faults(replace(design, p0=place, pawls=(replace(pawl, theta_init=theta),), root=None))):
            continue
        chart, u = rest_chart(rest_of_radians(theta))
        followed = Follower(design, pawl, as_fmpq(design.duration)).run(
            Point(chart, Root.of(u), t=Root.of(as_fmpq(t)))
        )
        assert story(futures.course(str(t), str(theta))) == story(followed)
        known = futures.count
        futures.course(str(t), str(theta))
        assert futures.count == known
