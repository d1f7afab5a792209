"""Pictures, films and pages of scenes: what a machine looks like and how it moves."""

from linkwork.view.paint import paint
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
