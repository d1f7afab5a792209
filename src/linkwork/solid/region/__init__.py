"""Regions of the plane bounded by straight lines and circular arcs, exact within one tolerance."""

from linkwork.solid.region.biarc import biarcs
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.fault import RegionError
from linkwork.solid.region.gear import involute_gear, rack
from linkwork.solid.region.hull import hull
from linkwork.solid.region.loop import Loop
from linkwork.solid.region.region import EMPTY_REGION, Region, difference, intersection, union

__all__ = [
    "EMPTY_REGION",
    "Arc",
    "Edge",
    "Line",
    "Loop",
    "Point",
    "Region",
    "RegionError",
    "biarcs",
    "difference",
    "hull",
    "intersection",
    "involute_gear",
    "rack",
    "union",
]
