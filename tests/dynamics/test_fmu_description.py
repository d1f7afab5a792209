"""What functional mock-up units say of themselves: valid by the schemas of FMI, complete, the same every time."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fmu_units import TARGETS, UNUSED_BRAKE, machine, unit
from target_programs import machine_of

from linkwork import Machine, load, synthesise
from linkwork.emit.fmu import binary_path, structured, zipped
from linkwork.emit.fmu.units import base_unit
from linkwork.errors import UsageError
from linkwork.model.scene import Control
from linkwork.simulation import SimulationProgram

fmpy = pytest.importorskip("fmpy")

GOLDEN = Path(__file__).parent.parent / "golden"
SCENES = """acrobat ball-in-drum bicycle ellipsoid-on-plane foucault-pendulum gyroscope linked-pendula
    nested-toruses pendula-on-wheel pendulum rattleback roller-coaster roller-coaster-one-car sliding-coaster
    snowman spring-coupled-pendula three-bodies torus-on-plane two-snowmen""".split()
LINKAGES = """bennett bricard cam-flat cam-law cam-roller cardan-joint cv-joint differential double-cardan
    four-bar geared-five-bar jansen-leg oldham parallelogram peaucellier planetary-gear quick-return rssr
    sarrus scissor scotch-yoke screw-jack slider-crank stephenson-six-bar stewart stewart-inverse
    watt-six-bar""".split()
QUICK = ("four-bar", "slider-crank", "parallelogram", "cam-law", "scotch-yoke")


def described(given: Machine, target: str) -> Any:
    """The description as FMPy reads it, from an archive of sources alone, after all its checks."""
    return read(synthesise(given, target))


def read(program: SimulationProgram) -> Any:
    """The same of a program."""
    from fmpy.validation import validate_fmu

    content = zipped(program.files)
    assert validate_fmu(io.BytesIO(content)) == []
    return fmpy.read_model_description(io.BytesIO(content))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "name",
    [
        *SCENES,
        *(pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in LINKAGES),
    ],
)
def test_all_examples_are_valid(name: str, target: str) -> None:
    """By the schemas and by FMPy's further checks; every column of a simulation is an output under its own name."""
    program = synthesise(load(name), target)
    description = read(program)
    outputs = {each.name for each in description.modelVariables if each.causality == "output"}
    columns = program.files[f"sources/{program.name}.c"].split("_names_of_columns[] = {")[1].split("}")[0]
    switches = {each.name for each in description.modelVariables if each.name.startswith("switch_")}
    assert len(switches) == description.numberOfEventIndicators
    assert outputs | switches == {structured(each) for each in re.findall(r'"([^"]*)"', columns)} - {"time"}
    assert not outputs & switches
    assert {"kinetic", "potential", "energy"} <= outputs
    assert len(description.derivatives) == description.numberOfContinuousStates


@pytest.mark.parametrize("target", TARGETS)
def test_a_unit_with_a_library_is_valid_and_loads(target: str) -> None:
    from fmpy.validation import validate_fmu

    path = unit("double pendulum", target)
    assert validate_fmu(path) == []
    assert fmpy.platform in fmpy.supported_platforms(path)


@pytest.mark.parametrize(("target", "file"), [("fmu2", "fmu2_mixed.xml"), ("fmu3", "fmu3_mixed.xml")])
def test_the_description_of_a_machine_with_everything(target: str, file: str) -> None:
    """Parameters that follow, a control that nobody uses, orders zero, one and two, units and a base unit."""
    text = UNUSED_BRAKE + '[units]\nlength = "mm"\ntime = "s"\nmass = "kg"\nr = "mm"\n'
    found = synthesise(machine_of(text, "mixed"), target).files["modelDescription.xml"]
    found = re.sub(r"\{[0-9a-f-]{36}\}", "{…}", re.sub(r"linkwork \d+\.\d+\.\d+", "linkwork", found))
    path = GOLDEN / file
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_machine_gives_the_same_bytes(target: str) -> None:
    """Also in another process with other hashes; another parameter gives another token."""
    pendulum = machine("double pendulum")
    here = synthesise(pendulum, target).archive().content
    assert synthesise(pendulum, target).archive().content == here
    script = f"""
import sys, linkwork as lw
assert lw.__file__ == {sys.modules["linkwork"].__file__!r}
sys.stdout.buffer.write(lw.synthesise(lw.load("snowman"), {target!r}).archive().content)
"""
    written = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert written[0] == written[1]
    tokens = {_token(pendulum, target), _token(pendulum.with_parameters({"l": 2}), target)}
    assert len(tokens) == 2


def _token(given: Machine, target: str) -> str:
    return str(described(given, target).guid)


@pytest.mark.parametrize("target", TARGETS)
def test_names_and_titles_of_all_kinds(target: str) -> None:
    """A model name that is no identifier, a title that is a script: escaped, and read back as they were."""
    title = "<script>alert('x')</script> & \"quotes\" \u2028 \x07"
    given = replace(load("pendulum"), name="3 cars / <b>", title=title)
    description = described(given, target)
    assert description.modelName == "3 cars / <b>"
    assert description.description == "<script>alert('x')</script> & \"quotes\""
    assert description.coSimulation.modelIdentifier == "machine_3_cars_b"
    page = synthesise(given, target).files["documentation/index.html"]
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("target", TARGETS)
def test_letters_beyond_ascii_make_names_flat(target: str) -> None:
    text = '[parameter]\n"α" = 2\n[frame."β"]\nvaries = ["tx"]\nmass = "α"\n'
    description = described(machine_of(f"linkwork = 1\ndimension = 3\n{text}", "greek"), target)
    assert description.variableNamingConvention == "flat"
    assert {"α", "β.tx", "der(β.tx)"} <= {each.name for each in description.modelVariables}
    assert described(load("pendulum"), target).variableNamingConvention == "structured"


@pytest.mark.parametrize("target", TARGETS)
def test_a_parameter_that_is_called_like_a_column(target: str) -> None:
    """All names of a unit are distinct; what comes later gets an underscore."""
    text = '[parameter]\nenergy = 2\n[frame.a]\nvaries = ["tx"]\nmass = "energy"\n'
    given = machine_of(f"linkwork = 1\ndimension = 3\n{text}", "e")
    names = [each.name for each in described(given, target).modelVariables]
    assert "energy" in names
    assert "energy_" in names


def test_a_control_that_nobody_uses_is_noted() -> None:
    for target in TARGETS:
        program = synthesise(machine("mixed orders"), target)
        assert program.notes == ("no formula uses the control brake: as an input it changes nothing",)
        assert program.to_json()["notes"] == list(program.notes)
        assert "no formula uses the control brake" in program.files["documentation/index.html"]
    assert synthesise(load("roller-coaster-one-car"), "fmu2").notes == ()


def test_units_are_told_in_base_units() -> None:
    wanted = {
        "m": (1.0, {"m": 1}),
        "mm": (1e-3, {"m": 1}),
        "cm/s": (1e-2, {"m": 1, "s": -1}),
        "deg": (0.017453292519943295, {"rad": 1}),
        "kg cm^2/s^2": (1e-4, {"kg": 1, "m": 2, "s": -2}),
        "N mm": (1e-3, {"kg": 1, "m": 2, "s": -2}),
        "kN": (1e3, {"kg": 1, "m": 1, "s": -2}),
        "1/min": (1 / 60, {"s": -1}),
        "m s^-2": (1.0, {"m": 1, "s": -2}),
        "g·µm": (1e-9, {"kg": 1, "m": 1}),
        "rad/s^3": (1.0, {"rad": 1, "s": -3}),
        "in": (0.0254, {"m": 1}),
    }
    for text, (factor, exponents) in wanted.items():
        found = base_unit(text)
        assert found is not None, text
        assert found.factor == pytest.approx(factor, rel=1e-15), text
        assert {name: int(each) for name, each in found.attributes.items() if name != "factor"} == exponents
    for unknown in ("", "furlong", "m/parsec", "2 m", "m^x", "/", "xm"):
        assert base_unit(unknown) is None, unknown


def test_libraries_lie_where_each_version_wants_them() -> None:
    paths = {
        ("linux", "x86_64"): ("linux64/a.so", "x86_64-linux/a.so"),
        ("linux", "i686"): ("linux32/a.so", "x86-linux/a.so"),
        ("linux", "aarch64"): ("linux64/a.so", "aarch64-linux/a.so"),
        ("darwin", "arm64"): ("darwin64/a.dylib", "aarch64-darwin/a.dylib"),
        ("darwin", "x86_64"): ("darwin64/a.dylib", "x86_64-darwin/a.dylib"),
        ("win32", "AMD64"): ("win64/a.dll", "x86_64-windows/a.dll"),
        ("win32", "x86"): ("win32/a.dll", "x86-windows/a.dll"),
    }
    for (system, processor), (second, third) in paths.items():
        assert binary_path("a", "2.0", system, processor) == f"binaries/{second}"
        assert binary_path("a", "3.0", system, processor) == f"binaries/{third}"
    assert binary_path("a", "2.0", "linux", "riscv64") is None


def test_what_is_no_unit() -> None:
    with pytest.raises(UsageError, match="nothing that could move"):
        synthesise(Machine.of("still"), "fmu2")
    with pytest.raises(UsageError, match="is a folder of files"):
        synthesise(load("pendulum"), "c").archive()


def test_a_range_that_depends_on_parameters() -> None:
    given = machine("mixed orders")
    controls = {**given.controls, "throttle": Control(start="r", range=("-2*r", "2*r"))}
    described_ = described(replace(given, controls=type(given.controls)(controls)), "fmu2")
    (throttle,) = (each for each in described_.modelVariables if each.name == "throttle")
    assert (float(throttle.min), float(throttle.max), float(throttle.start)) == (-0.6, 0.6, 0.3)


def test_archives_hold_all_sources() -> None:
    for target, more in (("fmu2", set()), ("fmu3", {"sources/buildDescription.xml"})):
        with zipfile.ZipFile(unit("mixed orders", target)) as archive:
            names = set(archive.namelist())
            assert all(each.date_time == (1980, 1, 1, 0, 0, 0) for each in archive.infolist())
        stem = target.replace("fmu", "fmi")
        own = {"fmu.h", "fmu.c", "fmu_run.c", f"{stem}.h", f"{stem}.c", f"{stem}_run.c"}
        own |= {"mixed.h", "mixed.c", "mixed_along.c", "linkwork_runtime.h"}
        wanted = (
            {f"sources/{each}" for each in own} | more | {"modelDescription.xml", "documentation/index.html"}
        )
        (library,) = names - wanted
        assert names - {library} == wanted
        assert library.startswith("binaries/")
