"""Random solids: simple ones on grids, turned or not, and what is made of them."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from linkwork.solid import Block, Cone, Cylinder, Polyhedron, Prism, Solid, Sphere
from linkwork.solid.region import Region

WEDGE = Polyhedron(
    ((0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (0, 0, 2), (0, 1, 2)),
    ((0, 3, 2, 1), (0, 1, 4), (1, 2, 5, 4), (2, 3, 5), (3, 0, 4, 5)),
)
BRACKET = Region.polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]) - Region.circle(0.25, (2, 0.5))
PRISMATIC = (Block((2, 3, 1)), Cylinder(1, 2), Prism(BRACKET, 1.5), Cylinder(0.5, 4), Block((4, 0.5, 0.5)))
OTHERS = (Sphere(1.5), Cone(1.5, 0.5, 2), Cone(0, 1, 2), WEDGE)
AXES = ((0, 0, 1), (1, 0, 0), (0, 1, 0))


@st.composite
def simple_solids(draw: st.DrawFn, square: bool = False, prismatic: bool = False) -> Solid:
    """A simple solid; ``square`` ones are turned by right angles only."""
    solid: Solid = draw(st.sampled_from(PRISMATIC if prismatic else PRISMATIC + OTHERS))
    quarter = math.pi / 2
    if square:
        solid = solid.turned(quarter * draw(st.integers(0, 3)), draw(st.sampled_from(AXES)))
    else:
        axis = draw(st.sampled_from((*AXES, (1, 2, 3), (1, 0, 1))))
        solid = solid.turned(draw(st.sampled_from((0.0, quarter, 0.4, 2.0))), axis)
    halves = st.integers(-3, 3).map(lambda half: half / 2)
    return solid.moved((draw(halves), draw(halves), draw(halves)))


@st.composite
def solids(draw: st.DrawFn, square: bool = False, prismatic: bool = False) -> Solid:
    """Up to three simple solids combined."""
    solid = draw(simple_solids(square, prismatic))
    for _ in range(draw(st.integers(0, 2))):
        other = draw(simple_solids(square, prismatic))
        solid = draw(st.sampled_from((solid | other, solid - other, solid & other)))
    return solid
