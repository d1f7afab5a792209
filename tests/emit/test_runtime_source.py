"""The text of the runtime: complete, deterministic, strict C99, quiet under every compiler, shipped."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from linkwork.emit.compiler import build_library, find_compiler
from linkwork.emit.runtime import (
    PARTS,
    STEERING,
    runtime_halves,
    runtime_library,
    runtime_source,
    write_runtime,
)
from linkwork.errors import UnknownName

STRICT = ("-pedantic", "-Wshadow", "-Wmissing-prototypes", "-Wstrict-prototypes", "-Wvla")
PROJECT = Path(__file__).parents[2]
OF_SPACE = "#define LW_SPACE\n"
"""The line that chooses the contacts of space instead of those of the plane."""
SEES_SPACE = [part for part in PARTS if "LW_SPACE" in runtime_source(part)]

plane_or_space = pytest.mark.parametrize("before", ["", OF_SPACE], ids=["plane", "space"])

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")


def test_asking_for_nothing_gives_nothing() -> None:
    assert runtime_source() == ""


def test_a_part_brings_what_it_needs_before_itself() -> None:
    text = runtime_source("newton")
    for needed in ("lw_dot(int", "lw_lu_solve(int", "lw_minimum_norm_solve(int", "LW_NO_PROGRESS"):
        assert text.index(needed) < text.index("lw_newton(int")
    assert "lw_brent(" not in text
    assert '#include "' not in text


def test_two_halves_have_every_function_once() -> None:
    """Linked with each other they are the library: what one lacks it declares, and the other has."""
    body = re.compile(r"^LW_STATIC ([^;{}]*?)\n\{", re.MULTILINE)
    halves = [body.findall(half) for half in runtime_halves("passage", "saved")]
    assert {*PARTS} >= STEERING
    assert all(halves)
    assert sorted(itertools.chain(*halves)) == sorted(body.findall(runtime_library("passage", "saved")))


def test_root_is_brent_and_itp() -> None:
    assert "lw_brent(" in runtime_source("root")
    assert "lw_itp(" in runtime_source("root")


def test_the_order_and_the_number_of_askings_make_no_difference() -> None:
    parts = ("itp", "cholesky", "lu", "newton")
    texts = {runtime_source(*order) for order in itertools.permutations(parts)}
    assert texts == {runtime_source(*parts, *parts)}


def test_an_unknown_part_is_named_and_the_known_ones_too() -> None:
    with pytest.raises(UnknownName, match="'qr'") as caught:
        runtime_source("lu", "qr")
    assert all(part in str(caught.value) for part in PARTS)


@needs_compiler
@pytest.mark.parametrize("part", PARTS)
def test_every_part_compiles_alone_and_unused_without_a_warning(part: str, tmp_path: Path) -> None:
    program = runtime_source(part) + "int answer(void);\nint answer(void) { return 42; }\n"
    assert build_library(program, optimise="-O0", extra_flags=STRICT, directory=tmp_path).exists()


@needs_compiler
@pytest.mark.parametrize("part", SEES_SPACE)
def test_every_part_of_contacts_compiles_for_space_too(part: str, tmp_path: Path) -> None:
    program = OF_SPACE + runtime_source(part) + "int answer(void);\nint answer(void) { return 42; }\n"
    assert build_library(program, optimise="-O0", extra_flags=STRICT, directory=tmp_path).exists()


@needs_compiler
def test_pasting_twice_is_harmless(tmp_path: Path) -> None:
    program = runtime_source("lu") + runtime_source("newton") + "int answer(void);\n"
    assert build_library(program, optimise="-O0", extra_flags=STRICT, directory=tmp_path).exists()


@needs_compiler
@plane_or_space
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O3", "-Os"])
def test_the_whole_compiles_at_every_level_of_optimisation(level: str, before: str, tmp_path: Path) -> None:
    program = before + runtime_source(*PARTS) + "int answer(void);\nint answer(void) { return 42; }\n"
    assert build_library(program, optimise=level, extra_flags=STRICT, directory=tmp_path).exists()


@plane_or_space
@pytest.mark.parametrize("name", ["gcc", "clang"])
def test_gcc_and_clang_both_find_nothing_to_say(
    name: str, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not on this machine")
    monkeypatch.setenv("CC", name)
    monkeypatch.delenv("LINKWORK_COMPILER", raising=False)
    program = before + runtime_source(*PARTS) + "int answer(void);\nint answer(void) { return 42; }\n"
    assert build_library(program, extra_flags=STRICT, directory=tmp_path).exists()


@needs_compiler
def test_the_headers_can_be_included_by_name(tmp_path: Path) -> None:
    written = write_runtime(tmp_path / "include")
    assert sorted(path.stem for path in written) == list(PARTS)
    includes = "".join(f'#include "{path.name}"\n' for path in written)
    program = includes + "int answer(void);\nint answer(void) { return LW_CONVERGED; }\n"
    flags = (*STRICT, f"-I{tmp_path / 'include'}")
    assert build_library(program, extra_flags=flags, directory=tmp_path / "cache").exists()


def test_the_runtime_says_what_it_does_without_state_or_allocation() -> None:
    for part in PARTS:
        text = (PROJECT / f"src/linkwork/emit/runtime/{part}.h").read_text(encoding="utf-8")
        assert text.startswith("/* "), part
        assert max(map(len, text.splitlines())) <= 110, part
        for forbidden in ("malloc", "alloca", "printf", "\nstatic ", "TODO"):
            assert forbidden not in text, (part, forbidden)


def test_the_headers_are_in_the_wheel(tmp_path: Path) -> None:
    if not (PROJECT / "pyproject.toml").exists():
        pytest.skip("not in a source checkout")
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"linkwork/emit/runtime/{part}.h" for part in PARTS} <= names
    assert {f"linkwork/emit/runtime/block.{ending}" for ending in ("mjs", "py.txt")} <= names
