"""What a scene has besides parts and joints: conditions, energies, controls, surfaces, written as formulas."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.model.field import Entries, OneOrMore, Record, Scalar, Size, Sizes, Text, given


@dataclass(frozen=True)
class Condition(Record):
    """Equations that hold at all times, or among the initial ones at the first time.

    An equation between vectors stands for one between each of their components.

    >>> Condition("position(ball).z == r").holds
    ('position(ball).z == r',)
    """

    holds: tuple[str, ...] = given(
        OneOrMore(Text("an equation", "position(car).z == 2"), 1, about="an equation, or a list of them",
                  example=("position(car).z == 2",))
    )  # fmt: skip


@dataclass(frozen=True)
class Energy(Record):
    """Potential energy: one ``value``, or one for ``each`` body, or for each ``pair`` of bodies.

    In ``each`` the word ``body`` stands for the body, in ``pair`` the words ``a`` and ``b``. ``bodies`` names those
    that are meant; without it all bodies with mass.
    """

    value: str = given(Text("a formula", "k/2*(distance(p, q) - l)^2"), "")
    each: str = given(Text("a formula of body", "mass(body)*g*position(body).z"), "")
    pair: str = given(Text("a formula of a and b", "-G*mass(a)*mass(b)/distance(a, b)"), "")
    bodies: tuple[str, ...] = given(
        Entries(Text("a body", "ball"), 0, about="a list of bodies", example=("ball", "moon")), ()
    )


@dataclass(frozen=True)
class Control(Record):
    """An input that is set while the program runs, by the keyboard for example; formulas use it by its name."""

    start: Size = given(Scalar(), 0, "its value before anyone touches it")
    range: Sizes = given(
        Entries(Scalar(), 2, 2, "a list of two numbers", example=(-1, 1)),
        (-1, 1),
        "its smallest and largest value",
    )
    keys: tuple[str, ...] = given(
        Entries(Text("a key", "ArrowUp"), 0, 2, "a list of two keys", example=("ArrowDown", "ArrowUp")),
        (),
        "the keys that make it small and large",
    )


@dataclass(frozen=True)
class Surface(Record):
    """The places where ``level``, an expression of x, y and z in the axes of a frame, is zero."""

    level: Size = given(Scalar(own=("x", "y", "z"), example="x^2 + y^2 + z^2 - r^2"))
    on: str = given(Text("the frame or part that carries it", "drum"), "ground")
