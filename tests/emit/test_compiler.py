"""Finding a C compiler, building with it, and what is said when it is absent or fails."""

from __future__ import annotations

import ast
import ctypes
import os
import shlex
import shutil
import stat
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path

import pytest

from linkwork.emit import compiler as compiler_module
from linkwork.emit.compiler import (
    Compiler,
    CompilerFailed,
    CompilerMissing,
    NativeWarning,
    build_library,
    find_compiler,
    load_library,
)
from linkwork.errors import ToolMissing, UsageError

ANSWER = "int answer(void);\nint answer(void) { return 42; }\n"

REAL_CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(REAL_CC is None, reason="no C compiler on this machine")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LINKWORK_COMPILER", raising=False)
    monkeypatch.delenv("CC", raising=False)


def script(path: Path, body: str, *, version: str = "fake 1.0") -> Path:
    """An executable that tells a version and otherwise does what ``body`` says, in the shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" && exit 0\n{body}\n')
    path.chmod(0o755)
    return path


def only_path(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Hide every compiler but those in ``folder``; the shell's own commands stay reachable."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("PATH", str(folder))


# The search


def test_the_names_are_tried_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for count, name in enumerate(("gcc", "clang", "cc")):
        folder = tmp_path / str(count)
        for present in ("gcc", "clang", "cc")[: count + 1]:
            script(folder / present, "exit 1", version=f"{present} 9")
        only_path(monkeypatch, folder)
        assert find_compiler() == Compiler((str(folder / name),), f"{name} 9")


def test_one_that_does_not_answer_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_path(monkeypatch, tmp_path / "bin")
    (tmp_path / "bin/cc").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin/cc").chmod(0o755)
    script(tmp_path / "bin/gcc", "exit 1")
    found = find_compiler()
    assert found is not None
    assert found.command == (str(tmp_path / "bin/gcc"),)


def test_cc_may_hold_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = script(tmp_path / "a folder/my cc", "exit 1")
    monkeypatch.setenv("CC", f"{shlex.quote(str(fake))} -m64 '-DNAME=a b'")
    # --version is the third word here, so the script does not know it as the first
    script(fake, "echo 'fake 2'")
    assert find_compiler() == Compiler((str(fake), "-m64", "-DNAME=a b"), "fake 2")


@needs_compiler
def test_arguments_in_cc_reach_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{REAL_CC} -DNUMBER=17")
    library = load_library("int number(void);\nint number(void) { return NUMBER; }\n")
    assert library.number() == 17


def test_linkwork_compiler_comes_before_cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(script(tmp_path / "one", "exit 1")))
    monkeypatch.setenv("LINKWORK_COMPILER", str(script(tmp_path / "two", "exit 1")))
    found = find_compiler()
    assert found is not None
    assert found.command == (str(tmp_path / "two"),)


@needs_compiler
@pytest.mark.parametrize("broken", ["/nonexistent/cc", "no-such-compiler-anywhere -O2", "'unbalanced", "''"])
def test_a_broken_cc_is_passed_over_with_one_warning(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", broken)
    with pytest.warns(NativeWarning, match="does not run as a C compiler") as caught:
        found = find_compiler()
    assert found is not None
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find_compiler() == found


@pytest.mark.parametrize("word", ["none", "None", " none "])
def test_native_code_can_be_switched_off(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKWORK_COMPILER", word)
    assert find_compiler() is None
    with pytest.raises(CompilerMissing, match="switched off") as caught:
        build_library(ANSWER)
    assert caught.value.fix == "unset LINKWORK_COMPILER"


def test_no_compiler_at_all_is_an_error_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_path(monkeypatch, tmp_path / "empty")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert find_compiler() is None
    with pytest.raises(CompilerMissing, match="no C compiler") as caught:
        build_library(ANSWER)
    assert isinstance(caught.value, ToolMissing)
    assert "pip install 'linkwork[compiler]'" in caught.value.fix


def fake_zig(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package ziglang that notes its arguments, cache folders and working folder and calls the real cc."""
    package = folder / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(
        textwrap.dedent(f"""\
        import os, subprocess, sys
        if sys.argv[1:] == ["version"]:
            print("0.99.0")
            sys.exit(0)
        caches = [os.environ[f"ZIG_{{kind}}_CACHE_DIR"] for kind in ("GLOBAL", "LOCAL")]
        with open({str(folder / "seen")!r}, "w") as seen:
            print(sys.argv[1], *caches, os.getcwd(), *sys.argv[2:], sep="\\n", file=seen)
        flags = [word for word in sys.argv[2:] if not word.startswith(("-mcpu", "-fno-sanitize"))]
        sys.exit(subprocess.call([{str(REAL_CC)!r}, *flags], env=os.environ | {{"PATH": {os.defpath!r}}}))
        """)
    )
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))


@needs_compiler
def test_the_ziglang_wheel_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_path(monkeypatch, tmp_path / "empty")
    fake_zig(tmp_path / "site", monkeypatch)
    found = find_compiler()
    assert found is not None
    assert found.version == "zig 0.99.0"
    assert found.command[0] == sys.executable
    assert found.command[-4:] == ("ziglang", "cc", "-mcpu=baseline", "-fno-sanitize=undefined")
    assert load_library(ANSWER + "/* zig */").answer() == 42
    verb, global_cache, local_cache, folder, *flags = (tmp_path / "site/seen").read_text().splitlines()
    assert verb == "cc"
    assert global_cache == local_cache == str((tmp_path / "cache/zig").resolve())
    assert Path(folder).parent == (tmp_path / "cache").resolve()
    assert "-mcpu=baseline" in flags


def test_a_compiler_on_the_path_comes_before_zig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "bin/gcc", "exit 1")
    only_path(monkeypatch, tmp_path / "bin")
    fake_zig(tmp_path / "site", monkeypatch)
    found = find_compiler()
    assert found is not None
    assert found.command == (str(tmp_path / "bin/gcc"),)


# Building


@needs_compiler
def test_a_library_is_built_loaded_and_remembered(tmp_path: Path) -> None:
    library = load_library(ANSWER)
    assert library.answer() == 42
    assert load_library(ANSWER) is library
    path = build_library(ANSWER)
    assert path.is_relative_to((tmp_path / "cache").resolve())
    assert ctypes.CDLL(str(path)).answer() == 42


@needs_compiler
def test_the_key_depends_on_all_that_matters_and_on_nothing_else(tmp_path: Path) -> None:
    first = build_library(ANSWER, directory=tmp_path / "one")
    elsewhere = build_library(ANSWER, directory=tmp_path / "two")
    assert first.relative_to((tmp_path / "one").resolve()) == elsewhere.relative_to(
        (tmp_path / "two").resolve()
    )
    assert first.read_bytes() == elsewhere.read_bytes()
    other_keys = {
        build_library(ANSWER + "\n").parent.name,
        build_library(ANSWER, optimise="-O1").parent.name,
        build_library(ANSWER, extra_flags=("-DA",)).parent.name,
        build_library(ANSWER, extra_flags=("-DB",)).parent.name,
    }
    assert len(other_keys) == 4
    assert first.parent.name not in other_keys


def test_the_key_is_the_same_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = script(tmp_path / "cc", "cp program.c library.so; cp program.c library.dylib")
    monkeypatch.setenv("CC", str(fake))
    ours = build_library(ANSWER, directory=tmp_path / "one")
    program = f"from linkwork.emit.compiler import build_library; print(build_library({ANSWER!r}))"
    environment = os.environ | {"LINKWORK_CACHE": str(tmp_path / "two"), "PYTHONHASHSEED": "7"}
    theirs = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert Path(theirs.stdout.strip()).parts[-2:] == ours.parts[-2:]


def test_a_new_version_of_the_compiler_has_a_new_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = set()
    for version in ("fake 1", "fake 2"):
        script(tmp_path / "cc", "cp program.c library.so; cp program.c library.dylib", version=version)
        monkeypatch.setenv("CC", str(tmp_path / "cc"))
        compiler_module._search.cache_clear()
        keys.add(build_library(ANSWER).parent.name)
    assert len(keys) == 2


@needs_compiler
def test_products_and_sums_are_not_fused() -> None:
    """With a fused multiply-add the result would be the rounding error of the product, not zero."""
    source = "double f(double a, double b);\ndouble f(double a, double b) { return a * b - (a * b); }\n"
    library = load_library(source, optimise="-O3")
    library.f.restype = ctypes.c_double
    assert library.f(ctypes.c_double(0.1), ctypes.c_double(0.3)) == 0.0


@needs_compiler
def test_a_function_named_like_one_of_libm_is_still_ours() -> None:
    source = "double gamma(double x) { return x + 1; }\ndouble f(double x) { return gamma(x); }\n"
    library = load_library(source, optimise="-O0")
    library.f.restype = ctypes.c_double
    assert library.f(ctypes.c_double(4.0)) == 5.0


@pytest.mark.parametrize("level", ["-Ofast", "O2", ""])
def test_an_optimisation_that_breaks_arithmetic_is_not_offered(level: str) -> None:
    with pytest.raises(UsageError, match="not offered"):
        build_library(ANSWER, optimise=level)


# Failure


@needs_compiler
def test_an_error_in_the_source_is_repeated_with_the_command() -> None:
    with pytest.raises(CompilerFailed, match="exit status") as caught:
        build_library("int broken(void) { return nowhere; }\n")
    assert isinstance(caught.value, ToolMissing)
    assert "nowhere" in caught.value.why
    assert "-ffp-contract=off" in caught.value.got
    assert "LINKWORK_COMPILER=none" in caught.value.fix


@needs_compiler
def test_a_warning_is_an_error() -> None:
    with pytest.raises(CompilerFailed):
        build_library("int f(void);\nint f(void) { int unused; return 0; }\n")


def test_long_messages_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = "i=0; while [ $i -lt 50 ]; do i=$((i+1)); echo line $i >&2; done; exit 3"
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", noise)))
    with pytest.raises(CompilerFailed, match="exit status 3") as caught:
        build_library(ANSWER)
    lines = caught.value.why.split("\n")
    assert lines[0] == "line 1"
    assert lines[-2:] == ["line 20", "… and 30 more lines"]


def test_a_compiler_that_writes_nothing_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", "exit 0")))
    with pytest.raises(CompilerFailed, match="wrote no library"):
        build_library(ANSWER)


def test_a_compiler_that_is_killed_half_way_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = "printf half > library.so; printf half > library.dylib; kill -9 $$"
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", half)))
    with pytest.raises(CompilerFailed, match="killed by signal 9"):
        build_library(ANSWER)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["zig"]


def test_a_compiler_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f'sleep 1000 & echo "$! $$" > {shlex.quote(str(tmp_path / "processes"))}; wait'
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", body)))
    monkeypatch.setattr(compiler_module, "COMPILE_TIMEOUT", 2.0)
    with pytest.raises(CompilerFailed, match="took longer than 2 s"):
        build_library(ANSWER)
    for process in map(int, (tmp_path / "processes").read_text().split()):
        assert has_ended(process)


def has_ended(process: int) -> bool:
    """A killed process that is not our child ends when the system next lets it run: wait for it."""
    for _ in range(1000):
        if not is_running(process):
            return True
        time.sleep(0.05)
    return False


def is_running(process: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.strip().startswith("Z")


def test_a_compiler_that_vanished_after_the_search_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = script(tmp_path / "cc", "exit 0")
    monkeypatch.setenv("CC", str(fake))
    assert find_compiler() is not None
    fake.unlink()
    with pytest.raises(CompilerFailed, match="cannot be started"):
        build_library(ANSWER)


def test_what_a_compiler_calls_a_library_but_is_none_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garbage = "cp program.c library.so; cp program.c library.dylib"
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", garbage)))
    with (
        pytest.warns(NativeWarning, match="cannot be loaded"),
        pytest.raises(CompilerFailed, match="cannot be loaded"),
    ):
        load_library(ANSWER)


def test_the_heavy_modules_are_imported_only_when_needed() -> None:
    tree = ast.parse(Path(compiler_module.__file__).read_text(encoding="utf-8"))
    imported = {name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names}
    assert imported.isdisjoint({"ctypes", "hashlib", "subprocess", "tempfile", "shutil", "json"})


def test_the_private_folder_is_private_and_gone_at_the_end(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import os
        from linkwork.emit.compiler import _private_directory
        folder = _private_directory(os.getpid())
        print(folder, oct(folder.stat().st_mode))
        child = os.fork()
        if child == 0:
            raise SystemExit  # runs the parent's exit handlers, which must spare the parent's folder
        os.waitpid(child, 0)
        assert folder.exists()
    """)
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    folder, mode = answer.stdout.split()
    assert stat.S_IMODE(int(mode, 8)) == 0o700
    assert Path(folder).parent == tmp_path
    assert not Path(folder).exists()
