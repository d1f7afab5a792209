"""An anchor escapement after Graham: 30 teeth, a pendulum of one second; its shape, and our machine file of it.

Lengths in metres, masses in kilograms. The wheel is driven by a constant torque; the pallets are quadrilaterals whose
corners lie on circles around the pivot of the anchor, an impulse face between them.
"""

from __future__ import annotations

import math

RADIUS, TEETH = 0.05, 30
DISTANCE = RADIUS * math.sqrt(2)
"""From the wheel's axis to that of the anchor."""
WIDTH, DEPTH, BACK = math.radians(4.5) * RADIUS, math.radians(2.0) * RADIUS, -0.006
"""Of a pallet: along the radius of the anchor, of its impulse face, and where it ends behind."""
THICKNESS, ROOT, LEAN = 0.0002, 0.011, math.radians(5)
"""Of a tooth: half its thickness, its length, how far its root lies behind its tip."""
TORQUE, FRICTION = 6e-4, 0.05
WHEEL_INERTIA, WHEEL_MASS, WHEEL_DAMPING = 5e-6, 0.02, 1e-6
BOB_INERTIA, BOB_MASS, BOB_ARM, BOB_DAMPING = 1e-5, 0.5, 0.25, 1e-3
GRAVITY = 9.81
START = math.radians(3)

Polygon = list[tuple[float, float]]


def pallet(side: int) -> Polygon:
    """The corners of a pallet, seen from the pivot of the anchor, which stands upright."""
    out = (-side / math.sqrt(2), -1 / math.sqrt(2))
    into = (side / math.sqrt(2), -1 / math.sqrt(2))
    near, far = RADIUS - WIDTH / 2, RADIUS + WIDTH / 2
    locking, releasing = (far, near) if side > 0 else (near, far)
    places = ((locking, -DEPTH / 2), (releasing, DEPTH / 2), (releasing, BACK), (locking, BACK))
    return [(out[0] * r + into[0] * s, out[1] * r + into[1] * s) for r, s in places]


def tooth(number: int) -> Polygon:
    """The corners of a tooth: thin, leaning backwards."""
    angle = math.tau * number / TEETH + math.radians(140)
    tip = (math.cos(angle) * RADIUS, math.sin(angle) * RADIUS)
    root = (math.cos(angle + LEAN) * (RADIUS - ROOT), math.sin(angle + LEAN) * (RADIUS - ROOT))
    length = math.dist(tip, root)
    nx, ny = (root[1] - tip[1]) / length * THICKNESS, (tip[0] - root[0]) / length * THICKNESS
    ends = ((root, 1), (root, -1), (tip, -1), (tip, 1))
    return [(x + way * nx, y + way * ny) for (x, y), way in ends]


def machine_file() -> str:
    """The escapement as solids, with no joint given."""
    teeth = "\n".join(_prism(tooth(number)) for number in range(TEETH))
    pallets = "\n".join(_prism(pallet(side)) for side in (1, -1))
    return f'''linkwork = 1
title = "Anchor escapement after Graham"
gravity = [0, -{GRAVITY}]

[part.frame]
fixed = true
solid = """
translate([-0.06, -0.06, -0.006]) cube([0.12, 0.16, 0.002]);
translate([0, 0, -0.006]) cylinder(d=0.004, h=0.01);
translate([0, {DISTANCE!r}, -0.006]) cylinder(d=0.004, h=0.01);
"""

[part.wheel]
solid = """
difference() {{
  union() {{
    cylinder(r=0.0405, h=0.002);
{teeth}
  }}
  translate([0, 0, -0.001]) cylinder(d=0.004, h=0.004);
}}
"""
mass = {WHEEL_MASS}
inertia = {WHEEL_INERTIA}
centre = [0, 0]
friction = {WHEEL_DAMPING}

[part.anchor]
solid = """
translate([0, {DISTANCE!r}, 0]) rotate({math.degrees(START)!r}) difference() {{
  union() {{
{pallets}
    translate([-0.0433, -0.012, 0.002]) cube([0.0866, 0.02, 0.001]);
    for (x = [-0.0433, 0.0267]) translate([x, -0.045, 0.002]) cube([0.0166, 0.05, 0.001]);
  }}
  translate([0, 0, -0.001]) cylinder(d=0.004, h=0.006);
}}
"""
mass = {BOB_MASS}
inertia = {BOB_INERTIA}
centre = [{BOB_ARM * math.sin(START)!r}, {DISTANCE - BOB_ARM * math.cos(START)!r}]
friction = {BOB_DAMPING}

[force.weight]
type = "torque"
on = "wheel"
torque = -{TORQUE}
'''


def _prism(polygon: Polygon) -> str:
    corners = ", ".join(f"[{x!r}, {y!r}]" for x, y in polygon)
    return f"    linear_extrude(0.002) polygon([{corners}]);"
