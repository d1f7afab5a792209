"""Random plane regions, as machines have them: on grids, flush, touching, and nearly so."""

from __future__ import annotations

import math

import numpy as np
import shapely
from hypothesis import strategies as st

from linkwork.solid.region import Region

ANGLES = (0.0, math.pi / 2, math.pi / 4, math.pi / 6, math.pi, 1.0)


@st.composite
def simple_regions(draw: st.DrawFn, noisy: bool = False) -> Region:
    """A rectangle, a disc or a polygon (which may cross itself) with whole coordinates, perhaps turned."""
    kind = draw(st.sampled_from(("rectangle", "circle", "polygon")))
    whole = st.integers(-3, 3)
    if kind == "rectangle":
        region = Region.rectangle(draw(st.integers(1, 4)), draw(st.integers(1, 4)))
    elif kind == "circle":
        region = Region.circle(draw(st.sampled_from((0.5, 1.0, 2.0, 3.0))))
    else:
        region = Region.polygon(draw(st.lists(st.tuples(whole, whole), min_size=3, max_size=6)))
    region = region.moved((draw(whole), draw(whole))).turned(draw(st.sampled_from(ANGLES)))
    if noisy:
        noise = st.integers(-130, -60).map(lambda power: 10 ** (power / 10))
        region = region.moved((draw(noise), -draw(noise))).turned(draw(noise))
    return region


@st.composite
def regions(draw: st.DrawFn, noisy: bool = False) -> Region:
    """Up to three simple regions combined."""
    region = draw(simple_regions(noisy))
    for _ in range(draw(st.integers(0, 2))):
        other = draw(simple_regions(noisy))
        region = draw(st.sampled_from((region | other, region - other, region & other, region ^ other)))
    return region


def grid_points() -> np.ndarray:
    """Points over all that random regions cover, hardly ever on a boundary."""
    steps = np.linspace(-9.03, 9.01, 31)
    return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)


def as_shapely(region: Region, deviation: float = 1e-5) -> shapely.Geometry:
    """The region as polygons of shapely."""
    pieces = [
        shapely.Polygon(rings[0], rings[1:])
        for rings in (piece.outlines(deviation) for piece in region.components)
    ]
    return shapely.union_all([shapely.make_valid(piece) for piece in pieces])
