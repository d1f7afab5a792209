"""The units of a motion's columns, from the units that a machine names for length, time, mass and angle."""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.model.machine import Machine


def column_units(machine: Machine, columns: Sequence[str]) -> dict[str, str]:
    """The unit of each column that has one.

    >>> from linkwork.model import load
    >>> column_units(load("four-bar"), ["time", "crank.x", "crank.vx", "crank.angle"])
    {'time': 's', 'crank.x': 'cm', 'crank.vx': 'cm/s', 'crank.angle': 'rad'}

    A frame's ``tx`` is how far it is shifted, ``turn`` how far it is turned; ``tx`` of anything else is a torque.
    """
    units = dict(machine.units)
    length, time, mass = units.get("length", ""), units.get("time", ""), units.get("mass", "")
    angle = units.get("angle", "rad") if length or time else units.get("angle", "")
    force = units.get("force", f"{mass} {length}/{time}^2" if mass and length and time else "")
    torque = f"{force} {length}" if "force" in units and length else ""
    if mass and length and time and not torque:
        torque = f"{mass} {length}^2/{time}^2"

    def per(unit: str, order: int) -> str:
        return f"{unit}/{time}{'' if order == 1 else f'^{order}'}" if unit and time else ""

    of_kind = {"x": length, "y": length, "z": length, "displacement": length, "length": length}
    of_kind |= {
        f"{prefix}{axis}": per(length, order) for order, prefix in enumerate("vaj", 1) for axis in "xyz"
    }
    of_kind |= {
        "angle": angle,
        "transmission": angle,
        "rate": per(angle, 1),
        "acceleration": per(angle, 2),
        "jerk": per(angle, 3),
    }
    of_kind |= {
        "transmission": angle,
        "angle_rate": per(angle, 1),
        "displacement_rate": per(length, 1),
        "length_rate": per(length, 1),
    }
    of_kind |= {f"w{axis}": per(angle, 1) for axis in "xyz"} | {
        f"alpha{axis}": per(angle, 2) for axis in "xyz"
    }
    of_kind |= (
        {f"f{axis}": force for axis in "xyz"} | {f"t{axis}": torque for axis in "xyz"} | {"torque": torque}
    )
    of_frame = {f"t{axis}": length for axis in "xyz"} | {f"t{axis}_rate": per(length, 1) for axis in "xyz"}
    of_frame |= {f"r{each}_rate": per("1", 1) for each in "wxyz"}
    of_frame |= {"turn": angle, "turn_rate": per(angle, 1)}
    of_whole = {"time": time} | dict.fromkeys(("kinetic", "potential", "energy"), torque)
    found = {}
    for name in columns:
        owner, _, kind = name.rpartition(".")
        if name in units:
            unit = units[name]
        elif name in machine.drives:
            unit = angle if drives_an_angle(machine, name) else length
        elif kind == "effort":
            unit = torque if drives_an_angle(machine, owner) else force
        elif owner in machine.frames:
            unit = of_frame.get(kind, of_kind.get(kind, ""))
        else:
            unit = of_kind.get(kind, "") if owner else of_whole.get(name, "")
        if unit:
            found[name] = unit
    return found


def drives_an_angle(machine: Machine, drive: str) -> bool:
    """Whether a drive turns something rather than shifting it."""
    given = machine.drives[drive]
    if given.of:
        return given.of.rpartition(".")[2] == "angle"
    coordinate = given.coordinate or next(iter(machine.world().measured(given.joint)), "")
    return coordinate in machine.joints[given.joint].angles()
