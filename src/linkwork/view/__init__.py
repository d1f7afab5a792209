"""Pictures, films and pages of scenes: what a machine looks like and how it moves."""

from linkwork.view.page import scene_page
from linkwork.view.paint import paint
from linkwork.view.plot import plot_columns
from linkwork.view.raster import scene_gif, scene_png
from linkwork.view.scene import GROUND, Body, Column, Connector, Scene, Trace
from linkwork.view.shape import (
    Bar,
    Block,
    Box,
    Curve,
    Disc,
    Gear,
    Hinge,
    Label,
    Pin,
    Plate,
    Polygon,
    Rack,
    Rail,
    Shape,
    Sphere,
    Track,
)
from linkwork.view.svg import scene_svg

__all__ = [
    "GROUND",
    "Bar",
    "Block",
    "Body",
    "Box",
    "Column",
    "Connector",
    "Curve",
    "Disc",
    "Gear",
    "Hinge",
    "Label",
    "Pin",
    "Plate",
    "Polygon",
    "Rack",
    "Rail",
    "Scene",
    "Shape",
    "Sphere",
    "Trace",
    "Track",
    "paint",
    "plot_columns",
    "scene_gif",
    "scene_page",
    "scene_png",
    "scene_svg",
]
