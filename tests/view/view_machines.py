"""Machines for every joint that is drawn, and hostile ones: tests and a person's eyes use the same."""

from __future__ import annotations

from linkwork.model import Draw, Drive, Frame, Machine, Part, Pose, View, force, joint

TURN = Drive("A")


def _slider_crank_parts() -> dict[str, Part]:
    return {
        "crank": Part(points={"A": (0, 0), "B": (1, 0)}),
        "rod": Part(points={"B": (0, 0), "C": (3, 0)}),
        "slider": Part(points={"C": (0, 0)}, start=Pose(at=(4, 0))),
    }


def slider_crank() -> Machine:
    """A slider without a drawing of its own, and a spring behind it."""
    return Machine.of(
        "slider-crank",
        parts={"ground": Part(points={"W": (7, 0)}), **_slider_crank_parts()},
        joints={
            "A": joint.Revolute(("ground", "crank.A")),
            "B": joint.Revolute(("crank.B", "rod.B")),
            "C": joint.Revolute(("rod.C", "slider.C")),
            "S": joint.Prismatic(("slider.C", "ground")),
        },
        drives={"turn": TURN},
        forces={"spring": force.Spring(("slider.C", "ground.W"), stiffness=2, length=3)},
    )


def scotch_yoke() -> Machine:
    """A pin in a slot across the way of the slider."""
    return Machine.of(
        "scotch yoke",
        parts={
            "crank": Part(points={"B": (1, 0)}),
            "yoke": Part(points={"E": (2.5, 0)}, start=Pose(at=(1, 0))),
        },
        frames={"slot": Frame(on="yoke", turn="90 deg")},
        joints={
            "A": joint.Revolute(("ground", "crank")),
            "B": joint.PointOnLine(("slot", "crank.B")),
            "S": joint.Prismatic(("ground", "yoke.E")),
        },
        drives={"turn": TURN},
    )


def quick_return() -> Machine:
    """A block on a crank slides along a lever."""
    return Machine.of(
        "quick return",
        parts={
            "ground": Part(points={"O": (0, -3)}),
            "crank": Part(points={"B": (1, 0)}),
            "block": Part(points={"B": (0, 0)}, start=Pose(at=(1, 0), turn="70 deg")),
            "lever": Part(points={"O": (0, 0), "E": (5.5, 0)}, start=Pose(at=(0, -3), turn="70 deg")),
        },
        joints={
            "A": joint.Revolute(("ground", "crank")),
            "B": joint.Revolute(("crank.B", "block.B")),
            "O": joint.Revolute(("ground.O", "lever.O")),
            "S": joint.Prismatic(("lever.O", "block.B")),
        },
        drives={"turn": TURN},
        view=View(traces=("lever.E",)),
    )


def gear_pair() -> Machine:
    """Two wheels by their teeth."""
    return Machine.of(
        "gear pair",
        parts={"ground": Part(points={"B": (3, 0.5)}), "small": Part(), "large": Part()},
        joints={
            "A": joint.Revolute(("ground", "small")),
            "B": joint.Revolute(("ground.B", "large")),
            "mesh": joint.Gear(("small", "large"), teeth=(17, 31)),
        },
        drives={"turn": TURN},
    )


def planetary() -> Machine:
    """A sun, a planet on an arm, and a fixed ring."""
    return Machine.of(
        "planetary",
        parts={"sun": Part(), "arm": Part(points={"P": (3, 0)}), "planet": Part(start=Pose(at=(3, 0)))},
        joints={
            "A": joint.Revolute(("ground", "sun")),
            "O": joint.Revolute(("ground", "arm")),
            "P": joint.Revolute(("arm.P", "planet")),
            "inner": joint.Gear(("sun", "planet"), carrier="arm", radii=(2, 1)),
            "outer": joint.Gear(("planet", "ground"), carrier="arm", radii=(1, 4), internal=True),
        },
        drives={"turn": TURN},
        view=View(traces=("planet",)),
    )


def belt_drive(crossed: bool = False) -> Machine:
    """Two pulleys and a belt."""
    return Machine.of(
        "crossed belt" if crossed else "belt",
        parts={"ground": Part(points={"B": (5, 1)}), "one": Part(), "other": Part()},
        joints={
            "A": joint.Revolute(("ground", "one")),
            "B": joint.Revolute(("ground.B", "other")),
            "belt": joint.Belt(("one", "other"), radii=(1, 2), crossed=crossed),
        },
        drives={"turn": TURN},
    )


def rack_and_pinion() -> Machine:
    """A pinion shifts a rack."""
    return Machine.of(
        "rack and pinion",
        parts={"pinion": Part(points={"E": (0.7, 0)}), "rack": Part(start=Pose(at=(0, -1.2)))},
        frames={"way": Frame(on="ground", at=(0, -1.2))},
        joints={
            "A": joint.Revolute(("ground", "pinion")),
            "S": joint.Prismatic(("way", "rack")),
            "mesh": joint.Rack(pinion="pinion", rack="rack", radius=1),
        },
        drives={"turn": Drive("A", range=("-90 deg", "90 deg"))},
    )


def cam(follower: str = "roller") -> Machine:
    """An egg-shaped cam under a follower that slides."""
    radius = 0.4 if follower == "roller" else 0
    return Machine.of(
        f"cam with {follower} follower",
        parts={"cam": Part(), "follower": Part(points={"T": (0, 0), "E": (0, 3)}, start=Pose(at=(0, 2.2)))},
        frames={
            "guide": Frame(on="ground", at=(0, 4), x=(0, 1)),
            "stem": Frame(on="follower", at=(0, 2), x=(0, 1)),
        },
        joints={
            "A": joint.Revolute(("ground", "cam")),
            "S": joint.Prismatic(("guide", "stem")),
            "touch": joint.Cam(
                ("cam", "follower.T"), follower=follower, profile="1.5 + 0.3*cos(angle)", radius=radius
            ),
        },
        drives={"turn": TURN},
    )


def cam_by_law(follower: str = "roller") -> Machine:
    """The lift is given, the outline follows."""
    return Machine.of(
        f"cam by its lift, {follower}",
        parts={"cam": Part(), "follower": Part(points={"T": (0, 0), "E": (2, 0)}, start=Pose(turn="90 deg"))},
        frames={"guide": Frame(on="ground", x=(0, 1))},
        joints={
            "A": joint.Revolute(("ground", "cam")),
            "S": joint.Prismatic(("guide", "follower.T")),
            "law": joint.Cam(
                axles=("A", "S"), follower=follower, lift="2 + 0.5*(1 - cos(2*angle))", radius=0.3
            ),
        },
        drives={"turn": TURN},
    )


def cam_with_lever() -> Machine:
    """The lift is the angle of a lever."""
    return Machine.of(
        "cam with lever",
        parts={
            "ground": Part(points={"O": (3, 0)}),
            "cam": Part(),
            "lever": Part(
                points={"O": (0, 0), "R": (-2.5, 0), "E": (2, 0)}, start=Pose(at=(3, 0), turn="-20 deg")
            ),
        },
        joints={
            "A": joint.Revolute(("ground", "cam")),
            "O": joint.Revolute(("ground.O", "lever.O")),
            "law": joint.Cam(axles=("A", "O"), lift="-0.6 - 0.1*(1 - cos(angle))", radius=0.3),
        },
        drives={"turn": TURN},
    )


def rolling_wheel() -> Machine:
    """A wheel on a line, a point of its rim traced."""
    return Machine.of(
        "rolling wheel",
        parts={"wheel": Part(points={"C": (0, 0), "R": (0, -1)}, start=Pose(at=(0, 1)))},
        joints={"roll": joint.Rolling(("ground", "wheel.C"), radius=1)},
        drives={"turn": Drive("roll")},
        view=View(traces=("wheel.R",)),
    )


def hypocycloid() -> Machine:
    """A wheel rolls inside a circle on an arm."""
    return Machine.of(
        "hypocycloid",
        parts={
            "arm": Part(points={"C": (3, 0)}),
            "wheel": Part(points={"C": (0, 0), "R": (1, 0)}, start=Pose(at=(3, 0))),
        },
        joints={
            "A": joint.Revolute(("ground", "arm")),
            "C": joint.Revolute(("arm.C", "wheel.C")),
            "roll": joint.Gear(("wheel", "ground"), carrier="arm", radii=(1, 4), internal=True),
        },
        drives={"turn": TURN},
        view=View(traces=("wheel.R",)),
    )


def bead_on_curve() -> Machine:
    """A slider on a rod whose end follows a curved slot."""
    return Machine.of(
        "bead on a curve",
        parts={"arm": Part(points={"A": (0, 0)}), "bead": Part(start=Pose(at=(2, 0)))},
        joints={
            "A": joint.Revolute(("ground", "arm.A")),
            "S": joint.Prismatic(("arm", "bead")),
            "track": joint.PointOnCurve(("ground", "bead"), curve=("2*cos(s)", "sin(s)")),
        },
        drives={"turn": TURN},
    )


def rods() -> Machine:
    """A plate on two rods, and a leg whose length is driven."""
    return Machine.of(
        "rods",
        parts={
            "ground": Part(points={"A": (0, 0), "B": (4, 0), "C": (-1, 3)}),
            "plate": Part(points={"P": (0, 0), "Q": (3, 0), "R": (1.5, 1)}, start=Pose(at=(0.5, 3))),
        },
        joints={
            "left": joint.Distance(("ground.A", "plate.P"), length=3),
            "right": joint.Distance(("ground.B", "plate.Q"), length=3),
            "leg": joint.Distance(("ground.C", "plate.R")),
        },
        drives={"push": Drive("leg", range=(2.8, 3.4))},
    )


def pendulum() -> Machine:
    """A mass on a string: nothing but a centre."""
    return Machine.of(
        "pendulum",
        parts={"bob": Part(mass=1, centre=(0, -2), inertia=(0.1,))},
        joints={"A": joint.Revolute(("ground", "bob"))},
        drives={"turn": Drive("A", range=(-1, 1))},
    )


def stewart() -> Machine:
    """A platform on six legs."""
    import math

    def ring(radius: float, spread: float, first: float) -> list[tuple[float, float, float]]:
        turns = [first + 120 * k + side * spread for k in range(3) for side in (-1, 1)]
        return [
            (radius * math.cos(math.radians(turn)), radius * math.sin(math.radians(turn)), 0.0)
            for turn in turns
        ]

    base, top = ring(3, 14, 0), ring(1.8, 46, 0)
    return Machine.of(
        "stewart",
        dimension=3,
        parts={
            "ground": Part(points={f"G{k}": point for k, point in enumerate(base)}),
            "plate": Part(points={f"P{k}": point for k, point in enumerate(top)}, start=Pose(at=(0, 0, 3))),
        },
        joints={f"leg{k}": joint.Distance((f"ground.G{k}", f"plate.P{k}")) for k in range(6)},
        drives={f"drive{k}": Drive(f"leg{k}", value=f"3.4 + 0.3*sin(t + {k})") for k in range(6)},
    )


def rssr() -> Machine:
    """A crank and a rocker about crossing axes, and a rod with balls between them."""
    return Machine.of(
        "RSSR",
        dimension=3,
        parts={
            "ground": Part(points={"A": (0, 0, 0), "D": (4, 0, 0)}),
            "crank": Part(points={"A": (0, 0, 0), "B": (1, 0, 0)}),
            "rod": Part(points={"B": (0, 0, 0), "C": (4.2, 0, 0)}, start=Pose(at=(1, 0, 0), turn="20 deg")),
            "rocker": Part(points={"D": (0, 0, 0), "C": (0, 2.5, 0)}, start=Pose(at=(4, 0, 0))),
        },
        frames={
            "ground_D": Frame(on="ground", at=(4, 0, 0), z=(1, 0, 0.3)),
            "rocker_D": Frame(on="rocker", z=(1, 0, 0.3)),
        },
        joints={
            "A": joint.Revolute(("ground.A", "crank.A")),
            "B": joint.Universal(("crank.B", "rod.B")),
            "C": joint.Spherical(("rod.C", "rocker.C")),
            "D": joint.Revolute(("ground_D", "rocker_D")),
        },
        drives={"turn": Drive("A", range=(0, "90 deg"))},
    )


def press() -> Machine:
    """In space: a screw moves a ram that slides on the frame."""
    return Machine.of(
        "screw press",
        dimension=3,
        parts={
            "ground": Part(points={"A": (0, 0, 0)}),
            "spindle": Part(points={"top": (0, 0, 3), "bar": (1.5, 0, 3)}),
            "ram": Part(points={"N": (0, 0, 1), "S": (2, 0, 1)}),
        },
        frames={"column": Frame(on="ground", at=(2, 0, 0)), "sleeve": Frame(on="ram", at=(2, 0, 1))},
        joints={
            "A": joint.Revolute(("ground", "spindle")),
            "thread": joint.Screw(("spindle", "ram"), pitch=0.5),
            "S": joint.Prismatic(("column", "sleeve")),
        },
        drives={"turn": Drive("A", range=(0, "720 deg"))},
    )


def cardan() -> Machine:
    """Two shafts at an angle with a universal joint: all joints near one point."""
    return Machine.of(
        "cardan",
        dimension=3,
        parts={
            "ground": Part(points={"A": (0, 0, -3)}),
            "first": Part(points={"A": (0, 0, -3), "O": (0, 0, 0)}),
            "second": Part(
                points={"O": (0, 0, 0), "B": (0, 0, 3)}, start=Pose(turn="30 deg", axis=(0, 1, 0))
            ),
        },
        frames={"bearing": Frame(on="ground", at=(1.5, 0, "3*sqrt(3)/2"), turn="30 deg", axis=(0, 1, 0))},
        joints={
            "A": joint.Revolute(("ground.A", "first.A")),
            "O": joint.Universal(("first.O", "second.O")),
            "B": joint.Cylindrical(("bearing", "second.B")),
        },
        drives={"turn": TURN},
    )


def spherical_four_bar() -> Machine:
    """All axes meet in one point, where all frames stand."""

    def along(angle: float) -> Frame:
        return Frame(on="", turn=f"{angle} deg", axis=(1, 0, 0))

    twists = {"ground": 70, "crank": 25, "coupler": 60, "rocker": 55}
    frames = {
        f"{part}_end": Frame(on=part, turn=f"{angle} deg", axis=(1, 0, 0)) for part, angle in twists.items()
    }
    return Machine.of(
        "spherical four-bar",
        dimension=3,
        parts={name: Part() for name in twists},
        frames=frames,
        joints={
            "A": joint.Revolute(("ground", "crank")),
            "B": joint.Revolute(("crank_end", "coupler"), start="60 deg"),
            "C": joint.Revolute(("coupler_end", "rocker"), start="60 deg"),
            "D": joint.Revolute(("rocker_end", "ground_end"), start="60 deg"),
        },
        drives={"turn": Drive("A", range=(0, "40 deg"))},
    )


def drawn_shapes() -> Machine:
    """Every shape that a file can draw."""
    shapes = (
        Draw("bar", points=((0, 0), (3, 0))),
        Draw("disc", at=(3, 0), radius=0.6),
        Draw("polygon", points=((0, 1), (1, 1), (0.5, 2))),
        Draw("line", points=((0, -1), (2, -1), (3, -2))),
        Draw("box", at=(2, 1.5), size=(1, 0.5)),
        Draw("sphere", at=(4, 1), radius=0.4),
        Draw("label", at=(1, 0.5), text="</svg><script>"),
    )
    return Machine.of(
        "drawn",
        parts={"arm": Part(draw=shapes)},
        joints={"A": joint.Revolute(("ground", "arm"))},
        drives={"turn": TURN},
    )


def no_points() -> Machine:
    """Parts without points, masses or sizes, all in one place."""
    return Machine.of(
        "points nowhere",
        parts={"one": Part(), "two": Part()},
        joints={"A": joint.Revolute(("ground", "one")), "B": joint.Revolute(("one", "two"))},
        drives={"turn": TURN, "more": Drive("B")},
    )


def zero_lengths() -> Machine:
    """Bars, radii and shapes of no size."""
    return Machine.of(
        "nothing",
        {"a": 0},
        parts={
            "one": Part(points={"A": (0, 0), "B": ("a", 0)}, draw=(Draw("disc", radius="a"), Draw("bar"))),
            "two": Part(points={"B": (0, 0), "C": ("a", 0)}),
        },
        joints={
            "A": joint.Revolute(("ground", "one.A")),
            "B": joint.Revolute(("one.B", "two.B")),
        },
        drives={"turn": TURN, "more": Drive("B")},
        view=View(traces=("two.C",)),
    )


PLANE = {
    "slider-crank": slider_crank,
    "scotch-yoke": scotch_yoke,
    "quick-return": quick_return,
    "gear-pair": gear_pair,
    "planetary": planetary,
    "belt": belt_drive,
    "crossed-belt": lambda: belt_drive(True),
    "rack": rack_and_pinion,
    "cam-roller": cam,
    "cam-flat": lambda: cam("flat"),
    "cam-point": lambda: cam("point"),
    "law-roller": cam_by_law,
    "law-flat": lambda: cam_by_law("flat"),
    "law-lever": cam_with_lever,
    "rolling": rolling_wheel,
    "hypocycloid": hypocycloid,
    "bead": bead_on_curve,
    "rods": rods,
    "pendulum": pendulum,
    "drawn": drawn_shapes,
}
SPACE = {
    "stewart": stewart,
    "rssr": rssr,
    "press": press,
    "cardan": cardan,
    "spherical": spherical_four_bar,
}
HOSTILE = {"no-points": no_points, "zero-lengths": zero_lengths}
EVERY = PLANE | SPACE | HOSTILE
