"""Functional mock-up units: a cart, and a heavy mass tied to it by spring and damper, coupled by a master.

Usage: python demo.py [FOLDER]. Writes both units to FOLDER and runs them together with FMPy (pip install fmpy).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import linkwork as lw
from linkwork.model.read import machine_from_text

PLANT = """
linkwork = 1
title = "A cart that is pushed"
dimension = 3
[units]
length = "m"
time = "s"
mass = "kg"
push = "N"
[parameter]
drag = 0.2
[control.push]
range = [-50, 50]
[frame.cart]
varies = ["tx"]
at = [1, 0, 0]
mass = 2
[force.all]
type = "force"
at = "cart"
force = ["push - drag*cart.tx_rate", 0, 0]
"""

DAMPER = """
linkwork = 1
title = "A heavy mass that a spring and a damper tie to a moving point"
dimension = 3
[units]
length = "m"
time = "s"
mass = "kg"
point = "m"
point_rate = "m/s"
[parameter]
k = 12
c = 4
[control.point]
range = [-10, 10]
[control.point_rate]
range = [-10, 10]
[frame.mass]
varies = ["tx"]
mass = 5
[force.tie]
type = "force"
at = "mass"
force = ["k*(point - mass.tx) + c*(point_rate - mass.tx_rate)", 0, 0]
[definition]
pull = "k*(mass.tx - point) + c*(mass.tx_rate - point_rate)"
"""

UNTIL, STEP = 8.0, 2e-3


def main(folder: Path) -> None:
    """Write the units, and run them together."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text, target in (("cart", PLANT, "fmu2"), ("damper", DAMPER, "fmu3")):
        path = folder / f"{name}.fmu"
        lw.synthesise(machine_from_text(text, f"{name}.toml", name), target).save(path)
        print(f"    {path.name:12} {path.stat().st_size:8} bytes, FMI {target[-1]}.0")
    try:
        import fmpy  # noqa: F401
    except ImportError:
        print("\nTo run them together: pip install fmpy")
        return
    print("\nThe cart begins one metre off; the mass that is tied to it follows, until both move together:\n")
    print("      time   cart.tx   mass.tx      pull")
    for time, cart, mass, pull in coupled(folder):
        print(f"    {time:6.2f} {cart:9.5f} {mass:9.5f} {pull:9.5f}")


def coupled(folder: Path) -> list[tuple[float, ...]]:
    """A master: outputs of each unit become inputs of the other, then both make a step."""
    cart, damper = begun(folder / "cart.fmu"), begun(folder / "damper.fmu")
    rows = []
    for number in range(round(UNTIL / STEP) + 1):
        time = number * STEP
        x, v = cart.get("cart.tx", "cart.tx_rate")
        damper.set({"point": x, "point_rate": v})
        (pull,) = damper.get("pull")
        cart.set({"push": pull})
        if number % round(0.5 / STEP) == 0:
            rows.append((time, x, *damper.get("mass.tx"), pull))
        for unit in (cart, damper):
            unit.fmu.doStep(currentCommunicationPoint=time, communicationStepSize=STEP)
    return rows


class Unit:
    """A unit with names in place of value references, the same for FMI 2 and 3."""

    def __init__(self, fmu: Any, references: dict[str, int]) -> None:
        self.fmu = fmu
        self.references = references
        is_second = hasattr(fmu, "getReal")
        self.read = fmu.getReal if is_second else fmu.getFloat64
        self.write = fmu.setReal if is_second else fmu.setFloat64

    def get(self, *names: str) -> list[float]:
        """Values by name."""
        return list(self.read([self.references[name] for name in names]))

    def set(self, values: dict[str, float]) -> None:
        """Set values by name."""
        self.write([self.references[name] for name in values], list(values.values()))


def begun(path: Path) -> Unit:
    """An instance that is initialised."""
    import fmpy

    description = fmpy.read_model_description(str(path))
    fmu = fmpy.instantiate_fmu(fmpy.extract(str(path)), description, "CoSimulation")
    if description.fmiVersion == "2.0":
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    return Unit(fmu, {each.name: each.valueReference for each in description.modelVariables})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("fmu"))
