"""Finding a compiler for WebAssembly, building with it, and the C library that modules bring with them."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.emit import webassembly
from linkwork.emit.compiler import CompilerFailed, CompilerMissing, NativeWarning, find_compiler, load_library
from linkwork.emit.webassembly import CHOICE, build_module, find_module_compiler, freestanding

SOURCE = "int two(void);\nint two(void) { return 2; }\n"
MAKES_A_MODULE = 'while [ "$1" != -o ]; do shift; done\nprintf "\\0asm%s" "$(wc -c < program.c)" > "$2"'
"""A compiler whose modules say how long their text was."""


@pytest.fixture(autouse=True)
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs of the tests are found; there is no ziglang wheel."""
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "cache"))
    for variable in (CHOICE, "LINKWORK_COMPILER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(webassembly, "probe_zig", lambda: None)
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    compiler(folder / "clang", "exit 1")
    return folder


def compiler(path: Path, body: str) -> Path:
    """A program that tells a version, notes each other run in a file, and does what ``body`` says in the shell."""
    log = path.with_suffix(".runs")
    head = f'#!/bin/sh\ncase "$*" in *--version) echo "fake 1"; exit 0;; esac\necho "$@" >> {log}\n'
    path.write_text(f"{head}{body}\n")
    path.chmod(0o755)
    return path


def runs(path: Path) -> list[str]:
    return path.with_suffix(".runs").read_text().splitlines()


def test_a_clang_that_makes_no_module_is_no_compiler_for_it() -> None:
    assert find_module_compiler() is None
    with pytest.raises(CompilerMissing) as caught:
        build_module(SOURCE)
    assert "WebAssembly" in caught.value.problem
    assert "wasm-ld" in caught.value.wanted
    assert "linkwork[wasm]" in caught.value.fix
    assert "--program javascript" in caught.value.fix


def test_what_a_compiler_writes_must_be_a_module(bin_folder: Path) -> None:
    compiler(bin_folder / "clang", 'while [ "$1" != -o ]; do shift; done\necho ELF > "$2"')
    assert find_module_compiler() is None


def test_a_module_is_built_once(bin_folder: Path) -> None:
    clang = compiler(bin_folder / "clang", MAKES_A_MODULE)
    module = build_module(SOURCE)
    assert module == b"\0asm%d" % len(SOURCE)
    assert len(runs(clang)) == 2, "a trial, and the module"
    assert build_module(SOURCE) == module
    assert len(runs(clang)) == 2
    assert all("wasm32" in run and "-ffp-contract=off" in run for run in runs(clang))


def test_the_variable_comes_first(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clang = compiler(bin_folder / "clang", MAKES_A_MODULE)
    other = compiler(bin_folder / "other", MAKES_A_MODULE)
    monkeypatch.setenv(CHOICE, "other --quickly")
    build_module(SOURCE)
    assert len(runs(other)) == 2
    assert not clang.with_suffix(".runs").exists()
    assert "--quickly" in runs(other)[1]


def test_a_variable_that_names_none_is_passed_over(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(bin_folder / "clang", MAKES_A_MODULE)
    monkeypatch.setenv(CHOICE, str(bin_folder / "nobody"))
    with pytest.warns(NativeWarning, match="nobody"):
        assert find_module_compiler() is not None


@pytest.mark.parametrize("variable", [CHOICE, "LINKWORK_COMPILER"])
def test_it_can_be_switched_off(variable: str, bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(bin_folder / "clang", MAKES_A_MODULE)
    monkeypatch.setenv(variable, "none")
    assert find_module_compiler() is None
    with pytest.raises(CompilerMissing) as caught:
        build_module(SOURCE)
    assert (caught.value.got, caught.value.fix) == (f"{variable}=none", f"unset {variable}")


def test_a_compiler_that_fails_is_told_with_a_way_out(bin_folder: Path) -> None:
    compiler(
        bin_folder / "clang", f"grep -q two program.c && echo 'program.c: no' && exit 1\n{MAKES_A_MODULE}"
    )
    with pytest.raises(CompilerFailed) as caught:
        build_module(SOURCE)
    assert caught.value.why == "program.c: no"
    assert "--program javascript" in caught.value.fix


# ---- The C library that a module brings with it, compiled for this machine

CALLS = """
double larger(double a, double b);
double smaller(double a, double b);
double power(double x, int e);
double share(double x, int *e);
int compared(const char *a, const char *b, int count);
double larger(double a, double b) { return fmax(a, b); }
double smaller(double a, double b) { return fmin(a, b); }
double power(double x, int e) { return ldexp(x, e); }
double share(double x, int *e) { return frexp(x, e); }
int compared(const char *a, const char *b, int count) { return memcmp(a, b, (size_t)count); }
"""


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    if find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    found = load_library(freestanding(CALLS), extra_flags=["-Wno-attributes", "-Wno-unknown-attributes"])
    for name in ("larger", "smaller", "power", "share"):
        getattr(found, name).restype = ctypes.c_double
    for name in ("larger", "smaller"):
        getattr(found, name).argtypes = [ctypes.c_double, ctypes.c_double]
    found.power.argtypes = [ctypes.c_double, ctypes.c_int]
    found.share.argtypes = [ctypes.c_double, ctypes.POINTER(ctypes.c_int)]
    return found


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_the_larger_and_the_smaller(library: ctypes.CDLL, a: float, b: float) -> None:
    assert (library.larger(a, b), library.smaller(a, b)) == (max(a, b), min(a, b))
    for one, other in ((a, math.nan), (math.nan, a)):
        assert library.larger(one, other) == library.smaller(one, other) == a


@given(st.floats(allow_nan=False))
def test_shares_and_exponents(library: ctypes.CDLL, x: float) -> None:
    exponent = ctypes.c_int(7)
    share = library.share(x, exponent)
    assert share == math.frexp(x)[0]
    assert exponent.value == math.frexp(x)[1]


@given(st.floats(min_value=0.5, max_value=1, exclude_max=True), st.integers(-1021, 1024))
def test_powers_of_two(library: ctypes.CDLL, x: float, exponent: int) -> None:
    assert library.power(x, exponent) == math.ldexp(x, exponent)


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_bytes_in_order(library: ctypes.CDLL, a: bytes, b: bytes) -> None:
    count = min(len(a), len(b))
    expected = (a[:count] > b[:count]) - (a[:count] < b[:count])
    assert library.compared(a, b, count) == expected
