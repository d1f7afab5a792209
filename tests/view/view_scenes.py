"""Scenes made by hand, one for each way a picture can look: tests and a person's eyes use the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.view import (
    Bar,
    Block,
    Body,
    Box,
    Column,
    Connector,
    Curve,
    Disc,
    Gear,
    Hinge,
    Label,
    Pin,
    Plate,
    Rack,
    Rail,
    Scene,
    Sphere,
    Trace,
    Track,
)

TURN = 2 * np.pi
Array = NDArray[np.float64]


def four_bar(frames: int = 121) -> Scene:
    """A crank-rocker with a coupler triangle and its coupler curve."""
    ground, crank, coupler, rocker = 7.0, 2.0, 6.0, 5.0
    phi = np.linspace(0, TURN, frames)
    a = crank * np.exp(1j * phi)
    gap = ground - a
    along = (np.abs(gap) ** 2 + coupler**2 - rocker**2) / (2 * np.abs(gap))
    b = a + gap / np.abs(gap) * (along + 1j * np.sqrt(coupler**2 - along**2))
    theta, psi = np.unwrap(np.angle(b - a)), np.unwrap(np.angle(b - ground))
    poses = np.zeros((frames, 4, 3))
    poses[:, 1, 2] = phi
    poses[:, 2] = np.stack([a.real, a.imag, theta], -1)
    poses[:, 3] = np.stack([0 * phi + ground, 0 * phi, psi], -1)
    bodies = [
        Body("ground", (Pin((0, 0), grounded=True), Pin((ground, 0), grounded=True))),
        Body("crank", (Bar(((0, 0), (crank, 0))), Pin((crank, 0)))),
        Body(
            "coupler",
            (Bar(((0, 0), (coupler, 0), (3.2, 2.6))), Pin((coupler, 0)), Label((3.2, 2.6), "P")),
        ),
        Body("rocker", (Bar(((0, 0), (rocker, 0))),)),
    ]
    return Scene.of(
        "Crank-rocker with its coupler curve",
        bodies,
        poses,
        times=phi / TURN * 4,
        traces=[Trace("P", "coupler", (3.2, 2.6))],
        drive=Column("crank angle", tuple(np.degrees(phi)), "°"),
        columns=[
            Column("rocker angle", tuple(np.degrees(psi)), "°"),
            Column("coupler angle", tuple(np.degrees(theta)), "°"),
            Column("x of P", tuple((a + np.exp(1j * theta) * (3.2 + 2.6j)).real), "cm"),
        ],
        unit="cm",
    )


def slider_crank(frames: int = 91) -> Scene:
    """A crank, a rod and a piston between hatched guides, with a spring behind it."""
    r, rod = 1.0, 2.8
    phi = np.linspace(0, TURN, frames)
    beta = -np.arcsin(r * np.sin(phi) / rod)
    x = r * np.cos(phi) + rod * np.cos(beta)
    poses = np.zeros((frames, 4, 3))
    poses[:, 1, 2] = phi
    poses[:, 2] = np.stack([r * np.cos(phi), r * np.sin(phi), beta], -1)
    poses[:, 3, 0] = x
    wall = Curve(((6.0, 0.5), (6.0, -0.5)))
    bodies = [
        Body("ground", (Pin((0, 0), grounded=True), Rail((2.9, 0), 0.0, 2.9), wall)),
        Body("crank", (Bar(((0, 0), (r, 0))), Pin((r, 0)), Label((r, 0), "A"))),
        Body("connecting rod", (Bar(((0, 0), (rod, 0))),)),
        Body("slider", (Block((0, 0)), Pin((0, 0)), Label((0, 0), "B"))),
    ]
    return Scene.of(
        "Slider-crank",
        bodies,
        poses,
        times=np.linspace(0, 3, frames),
        connectors=[Connector("spring", "slider", (0.3, 0), "ground", (6.0, 0))],
        drive=Column("crank angle", tuple(phi), "rad"),
        columns=[Column("stroke", tuple(x), "m")],
        unit="m",
    )


def planetary(frames: int = 121) -> Scene:
    """A sun, three planets on a carrier, and a ring that stands still."""
    module = 0.1
    sun, planet = 24, 18
    ring = sun + 2 * planet
    carrier_radius = module * (sun + planet) / 2
    carrier = np.linspace(0, TURN / 3, frames)
    poses = np.zeros((frames, 6, 3))
    poses[:, 1, 2] = carrier * (1 + ring / sun) + np.pi / sun
    poses[:, 2, 2] = carrier
    for k in range(3):
        turn = carrier + TURN * k / 3
        poses[:, 3 + k, 0] = carrier_radius * np.cos(turn)
        poses[:, 3 + k, 1] = carrier_radius * np.sin(turn)
        poses[:, 3 + k, 2] = -carrier * (ring / planet - 1) + TURN * k / 3 * (1 - ring / planet)
    arms = tuple(
        (carrier_radius * float(np.cos(TURN * k / 3)), carrier_radius * float(np.sin(TURN * k / 3)))
        for k in range(3)
    )
    bodies = [
        Body("ground", (Gear((0, 0), module * ring / 2, ring, internal=True), Pin((0, 0)))),
        Body("sun", (Gear((0, 0), module * sun / 2, sun),)),
        Body("carrier", (*(Bar(((0, 0), arm), 0.22) for arm in arms), *(Pin(arm) for arm in arms))),
        *(Body(f"planet {k + 1}", (Gear((0, 0), module * planet / 2, planet),)) for k in range(3)),
    ]
    return Scene.of("Planetary gear", bodies, poses, traces=[Trace("rim", "planet 1", (0.9, 0))])


def cam(frames: int = 121) -> Scene:
    """A cam lifts a roller on a follower that slides in a guide against a spring."""
    phi = np.linspace(0, TURN, frames)
    base, lift, roller = 1.2, 0.8, 0.32

    def pitch(angle: Array) -> Array:
        return np.asarray(base + roller + lift * (1 - np.cos(angle)) / 2)

    turn = np.linspace(0, TURN, 181)[:-1]
    rho = pitch(turn)
    slope = lift * np.sin(turn) / 2
    center = rho * np.exp(1j * turn)
    tangent = (slope + 1j * rho) * np.exp(1j * turn)
    outline = center + roller * 1j * tangent / np.abs(tangent)
    height = pitch(np.pi / 2 - phi)
    poses = np.zeros((frames, 4, 3))
    poses[:, 1, 2] = phi
    poses[:, 2, 1] = height
    poses[:, 3, 1] = height
    poses[:, 3, 2] = -phi * 4
    bodies = [
        Body("ground", (Pin((0, 0), grounded=True), Rail((0, 3.8), np.pi / 2, 1.0, 0.4))),
        Body("cam", (Curve(tuple((float(p.real), float(p.imag)) for p in outline), closed=True),)),
        Body("follower", (Block((0, 1.5), np.pi / 2, 3.0, 0.3),)),
        Body("roller", (Disc((0, 0), roller), Pin((0, 0)))),
    ]
    return Scene.of("Cam with a roller follower", bodies, poses, times=np.linspace(0, 2, frames))


def workshop() -> Scene:
    """A still of the other shapes of the plane: rack and pinion, slotted link, belt, damper."""
    bodies = [
        Body("ground", (Pin((0, 0), grounded=True), Pin((5, 0), grounded=True), Bar(((0, -3.4), (5, -3.4))))),
        Body("pinion", (Gear((0, 0), 1.0, 20, phase=np.pi / 2 + np.pi / 20),)),
        Body("rack", (Rack((0, 1.0), np.pi, 5.0, np.pi / 10),)),
        Body("slotted link", (Rail((0, 1.4), np.pi / 2, 1.8), Pin((0, 0)))),
        Body("stone", (Block((0, 0)), Pin((0, 0)))),
        Body("pulley", (Disc((0, 0), 0.9), Pin((0, 0)))),
        Body("small pulley", (Disc((0, 0), 0.45), Pin((0, 0)))),
    ]
    poses = np.zeros((1, 7, 3))
    poses[0, 3:] = [[5, 0, -0.4], [5.55, 1.3, 1.17], [8, -1, 0.5], [10.5, 0.8, 2]]
    connectors = [
        Connector("belt", "pulley", (0, 0), "small pulley", (0, 0), 0.9, 0.45),
        Connector("damper", "ground", (2.5, -3.4), "slotted link", (0, 0)),
        Connector("rod", "rack", (2.0, 1.6), "stone", (0, 0)),
    ]
    return Scene.of("Shapes", bodies, poses, connectors=connectors, unit="mm")


def quaternion(matrix: Array) -> Array:
    """The unit quaternion, scalar first, of a rotation matrix that turns by less than half a turn."""
    w = np.sqrt(max(0.0, 1 + np.trace(matrix))) / 2
    if w > 0.1:
        skew = (matrix - matrix.T) / (4 * w)
        return np.array([w, skew[2, 1], skew[0, 2], skew[1, 0]])
    _, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    axis = vectors[:, -1]
    angle = np.arccos(np.clip((np.trace(matrix) - 1) / 2, -1, 1))
    skew = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    axis = axis if axis @ skew >= 0 else -axis
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])


def bennett(frames: int = 91) -> Scene:
    """Bennett's linkage: four bars, hinges askew; sin(alpha)/a = sin(beta)/b."""
    a, alpha = 2.0, np.radians(60)
    beta = np.radians(90)
    b = a * np.sin(beta) / np.sin(alpha)

    def step(theta: float, length: float, twist: float) -> Array:
        c, s, ct, st = np.cos(theta), np.sin(theta), np.cos(twist), np.sin(twist)
        return np.array(
            [
                [c, -s * ct, s * st, length * c],
                [s, c * ct, -c * st, length * s],
                [0, st, ct, 0],
                [0, 0, 0, 1],
            ]
        )

    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    poses = np.zeros((frames, 4, 7))
    for k, theta in enumerate(np.linspace(0.7, TURN + 0.7, frames)):
        other = 2 * np.arctan2(ratio * np.cos(theta / 2), np.sin(theta / 2))
        angles = (theta, other, TURN - theta, TURN - other)
        link = np.eye(4)
        for place, (angle, length, twist) in enumerate(
            zip(angles, (a, b, a, b), (alpha, beta, alpha, beta), strict=True)
        ):
            link = link @ step(angle, length, twist)
            poses[k, (place + 1) % 4] = [*link[:3, 3], *quaternion(link[:3, :3])]
    poses[:, 0] = poses[0, 0]
    names = ("ground", "crank", "coupler", "rocker")
    bodies = [
        Body(
            name,
            (
                Bar(((-length, 0, 0), (0, 0, 0))),
                Hinge((0, 0, 0), (0, 0, 1)),
                Label((-length / 2, 0, 0), name),
            ),
        )
        for name, length in zip(names, (b, a, b, a), strict=True)
    ]
    return Scene.of(
        "Bennett's linkage",
        bodies,
        poses,
        times=np.linspace(0, 5, frames),
        traces=[Trace("middle", "coupler", (-b / 2, 0, 0))],
        drive=Column("crank angle", tuple(np.linspace(0, 360, frames)), "°"),
    )


def space_parts() -> Scene:
    """A still of the shapes of space."""
    bodies = [
        Body("ground", (Track((0, 0, 0), (1, 0, 0), 6), Box((0, 2.5, 0.3), (2, 1, 0.6)))),
        Body("slider", (Box((0, 0, 0), (1.0, 0.7, 0.7)), Sphere((0, 0, 0.6), 0.28))),
        Body("rod", (Bar(((0, 0, 0), (0, 2.5, 1.2))),)),
        Body(
            "arm",
            (Plate(((0, 0, 0), (1.6, 0, 0), (1.2, 0, 1.2), (0.2, 0, 1.2))), Hinge((0, 0, 0), (0, 1, 0))),
        ),
        Body("ternary", (Bar(((0, 0, 0), (2, 0, 0), (1, 0, 1.6))), Sphere((1, 0, 1.6), 0.2))),
    ]
    places = [(0, 0, 0), (-1.5, 0, 0), (-1.5, 0, 0.6), (0, 2.5, 1.8), (1, -1.5, 0.5)]
    poses = [[[*place, 1.0, 0, 0, 0] for place in places]]
    connectors = [Connector("spring", "slider", (0, 0, 0.6), "arm", (0, 0, 0))]
    return Scene.of("Parts in space", bodies, poses, connectors=connectors)


ALL = (four_bar, slider_crank, planetary, cam, workshop, bennett, space_parts)
