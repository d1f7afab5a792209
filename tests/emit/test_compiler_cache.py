"""The cache of compiled libraries: nothing damaged or strange is loaded, and processes share it unlocked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

from linkwork.emit import compiler as compiler_module
from linkwork.emit.compiler import CompilerFailed, NativeWarning, build_library, load_library

ANSWER = "int answer(void);\nint answer(void) { return 42; }\n"
REAL_CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

pytestmark = pytest.mark.skipif(REAL_CC is None, reason="no C compiler on this machine")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("LINKWORK_COMPILER", raising=False)
    monkeypatch.setattr(compiler_module, "_loaded", {})
    folder = tmp_path.resolve() / "cache"
    monkeypatch.setenv("LINKWORK_CACHE", str(folder))
    return folder


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that grows by a line whenever the compiler compiles."""
    log = tmp_path / "runs"
    log.touch()
    counting = tmp_path / "counting-cc"
    counting.write_text(f'#!/bin/sh\n[ "$1" = --version ] || echo run >> "{log}"\nexec {REAL_CC} "$@"\n')
    counting.chmod(0o755)
    monkeypatch.setenv("CC", str(counting))
    return log


def count(runs: Path) -> int:
    return len(runs.read_text().splitlines())


def answer_of(library: Path) -> int:
    """Load in a process of its own, since one process maps a file only once."""
    program = f"import ctypes; print(ctypes.CDLL({str(library)!r}).answer())"
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)


def test_the_second_build_is_a_look_up(runs: Path) -> None:
    first = build_library(ANSWER)
    assert build_library(ANSWER) == first
    assert count(runs) == 1


def test_the_name_of_a_library_is_the_digest_of_its_bytes(cache: Path) -> None:
    import hashlib

    library = build_library(ANSWER)
    assert library.stem == hashlib.sha256(library.read_bytes()).hexdigest()
    assert library.parent.parent == cache
    assert [path.name for path in library.parent.iterdir()] == [library.name]


@pytest.mark.parametrize(
    ("linkwork", "xdg", "expected"),
    [
        ("own", "xdg", "own"),
        (None, "xdg", "xdg/linkwork"),
        (None, None, "home/.cache/linkwork"),
        ("", "", "home/.cache/linkwork"),
    ],
)
def test_the_folder_is_chosen_by_the_environment(
    linkwork: str | None, xdg: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable, folder in (("LINKWORK_CACHE", linkwork), ("XDG_CACHE_HOME", xdg)):
        if folder is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, str(tmp_path / folder) if folder else "")
    assert build_library(ANSWER).is_relative_to((tmp_path / expected).resolve())


def test_a_relative_xdg_folder_is_ignored_as_its_specification_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LINKWORK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert build_library(ANSWER).is_relative_to((tmp_path / "home").resolve())


def test_without_a_home_a_private_folder_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LINKWORK_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    with pytest.warns(NativeWarning, match="home folder is unknown"):
        library = build_library(ANSWER)
    assert library.is_relative_to(compiler_module._private_directory(os.getpid()).resolve())


# Damage


@pytest.mark.parametrize("kept", [0, 1, 100, 5000, -1])
def test_a_truncated_library_is_built_again(kept: int, runs: Path) -> None:
    library = build_library(ANSWER)
    whole = library.read_bytes()
    library.write_bytes(whole[:kept])
    again = build_library(ANSWER)
    assert again.read_bytes() == whole
    assert answer_of(again) == 42
    assert count(runs) == 2


def test_a_library_with_one_changed_bit_is_built_again(runs: Path) -> None:
    library = build_library(ANSWER)
    damaged = bytearray(library.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    library.write_bytes(damaged)
    assert answer_of(build_library(ANSWER)) == 42
    assert count(runs) == 2


def test_an_empty_entry_and_foreign_files_are_no_obstacle(runs: Path) -> None:
    library = build_library(ANSWER)
    library.unlink()
    (library.parent / f"0000{library.suffix}").write_bytes(b"not a library")
    (library.parent / "notes.txt").write_text("hello")
    assert build_library(ANSWER) == library
    assert count(runs) == 2


def test_a_damaged_library_beside_a_whole_one_is_passed_over(runs: Path) -> None:
    library = build_library(ANSWER)
    (library.parent / f"0000{library.suffix}").write_bytes(b"not a library")
    assert build_library(ANSWER) == library
    assert count(runs) == 1


def test_work_folders_are_removed_when_a_day_old_and_not_before(cache: Path) -> None:
    for name, age in (("work-old", 25 * 3600), ("work-new", 3600)):
        folder = cache / name
        folder.mkdir(parents=True)
        (folder / "library.so").write_bytes(b"half")
        then = folder.stat().st_mtime - age
        os.utime(folder, (then, then))
    build_library(ANSWER)
    assert not (cache / "work-old").exists()
    assert (cache / "work-new").exists()


# Folders that cannot be used


def assert_built_privately(match: str) -> None:
    """One warning, the library in the private folder; no second warning for the next library."""
    with pytest.warns(NativeWarning, match=match) as caught:
        library = build_library(ANSWER)
    assert len(caught) == 1
    assert "LINKWORK_CACHE" in str(caught[0].message)
    assert library.is_relative_to(compiler_module._private_directory(os.getpid()).resolve())
    assert answer_of(library) == 42
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        build_library(ANSWER + "/* another */")


def test_a_cache_that_is_a_file_is_replaced_by_a_private_folder(cache: Path) -> None:
    cache.write_text("a file")
    assert_built_privately("File exists")


def test_a_cache_below_a_file_is_replaced_by_a_private_folder(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("a file")
    monkeypatch.setenv("LINKWORK_CACHE", str(cache / "below"))
    assert_built_privately("Not a directory")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc, where nobody may write")
def test_a_cache_that_cannot_be_written_is_replaced_by_a_private_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINKWORK_CACHE", "/proc/linkwork")
    assert_built_privately("/proc/linkwork")


def test_a_read_only_cache_still_serves_what_it_holds(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = build_library(ANSWER)

    def refuse(*_: object, **options: object) -> str:
        if options.get("dir") == cache:
            raise PermissionError(13, "Permission denied", str(cache / "work-random"))
        return str(shutil.copytree(tmp_path / "empty", tmp_path / "private", dirs_exist_ok=True))

    (tmp_path / "empty").mkdir()
    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    assert build_library(ANSWER) == library
    with pytest.warns(NativeWarning, match=r"Permission denied\)"):
        other = build_library(ANSWER + "/* not held */")
    assert not other.is_relative_to(cache)


@pytest.mark.parametrize("message", ["No space left on device", "Disk quota exceeded"])
def test_a_full_disk_under_the_cache_is_left_for_the_private_folder(
    message: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = tmp_path / "full-cc"
    full.write_text(
        textwrap.dedent(f"""\
        #!/bin/sh
        [ "$1" = --version ] && echo full && exit 0
        case $PWD in {cache}/*) echo "as: library.so: {message}" >&2; exit 1;; esac
        exec {REAL_CC} "$@"
        """)
    )
    full.chmod(0o755)
    monkeypatch.setenv("CC", str(full))
    assert_built_privately(message)


def test_a_disk_that_fills_while_the_library_is_moved_is_left_too(monkeypatch: pytest.MonkeyPatch) -> None:
    flush = compiler_module._flush_to_disk
    refusals = iter([OSError(28, "No space left on device")])

    def flush_or_refuse(path: Path) -> None:
        for refusal in refusals:
            raise refusal
        flush(path)

    monkeypatch.setattr(compiler_module, "_flush_to_disk", flush_or_refuse)
    with pytest.warns(NativeWarning, match="No space left"):
        assert answer_of(build_library(ANSWER)) == 42


def test_nowhere_to_write_is_an_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("a file")

    def refuse(process: int) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(compiler_module, "_private_directory", refuse)
    with pytest.warns(NativeWarning), pytest.raises(CompilerFailed, match="no folder can be written"):
        build_library(ANSWER)


def test_a_cache_from_which_nothing_may_be_run_is_replaced_by_a_private_folder(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file system mounted with noexec."""
    import ctypes

    load = ctypes.CDLL

    def refuse(path: str) -> ctypes.CDLL:
        if path.startswith(str(cache)):
            raise OSError(f"{path}: failed to map segment from shared object")
        return load(path)

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    with pytest.warns(NativeWarning, match="cannot be loaded"):
        assert load_library(ANSWER + "/* noexec */").answer() == 42


# Strangers


def test_a_folder_that_everybody_may_write_is_refused(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    assert_built_privately("can be changed by every user")


def test_a_folder_above_that_everybody_may_write_is_refused(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    monkeypatch.setenv("LINKWORK_CACHE", str(cache / "inner"))
    assert_built_privately("can be changed by every user")


def test_a_sticky_folder_such_as_tmp_is_accepted(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o1777)
    assert build_library(ANSWER).is_relative_to(cache)


def test_a_library_that_everybody_may_write_is_refused() -> None:
    build_library(ANSWER).chmod(0o666)
    with pytest.warns(NativeWarning, match="can be changed by every user"):
        build_library(ANSWER)


def test_a_library_built_without_a_umask_is_still_closed() -> None:
    before = os.umask(0)
    try:
        library = build_library(ANSWER)
    finally:
        os.umask(before)
    assert library.stat().st_mode & 0o022 == 0
    assert library.parent.stat().st_mode & 0o022 == 0


@pytest.mark.parametrize("level", ["cache", "entry", "library"])
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_another_user_is_refused(level: str, cache: Path) -> None:
    library = build_library(ANSWER)
    os.chown({"cache": cache, "entry": library.parent, "library": library}[level], 12345, -1)
    with pytest.warns(NativeWarning, match="belongs to another user"):
        again = build_library(ANSWER)
    assert not again.is_relative_to(cache)


def test_what_belongs_to_another_user_is_refused_for_everyone(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same law without root: we pretend to be somebody else, and root's files stay trusted."""
    owner = build_library(ANSWER).stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    if owner == 0:
        assert build_library(ANSWER).is_relative_to(cache)
    else:
        with pytest.warns(NativeWarning, match="belongs to another user"), pytest.raises(CompilerFailed):
            build_library(ANSWER)


def test_a_link_in_the_place_of_a_library_is_not_followed(cache: Path, tmp_path: Path) -> None:
    library = build_library(ANSWER)
    moved = shutil.move(library, tmp_path / "moved")
    library.symlink_to(moved)
    with pytest.warns(NativeWarning):
        assert not build_library(ANSWER).is_relative_to(cache)


def test_a_cache_reached_through_a_link_is_fine(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    (tmp_path / "link").symlink_to(cache)
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "link"))
    assert build_library(ANSWER).is_relative_to(cache)


# Several at once


def test_processes_that_build_the_same_thing_at_once_all_succeed(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler that waits until all have started makes sure that they overlap."""
    number = 4
    waiting = tmp_path / "waiting-cc"
    waiting.write_text(
        textwrap.dedent(f"""\
        #!/bin/sh
        [ "$1" = --version ] && echo waiting && exit 0
        touch "{tmp_path}/started-$$"
        while [ "$(ls "{tmp_path}" | grep -c started)" -lt {number} ]; do sleep 0.01; done
        exec {REAL_CC} "$@"
        """)
    )
    waiting.chmod(0o755)
    monkeypatch.setenv("CC", str(waiting))
    program = f"from linkwork.emit.compiler import load_library; print(load_library({ANSWER!r}).answer())"
    processes = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(number)
    ]
    for process in processes:
        assert process.communicate() == (b"42\n", b"")
        assert process.returncode == 0
    entries = [path for path in cache.iterdir() if path.name != "zig"]
    assert len(entries) == 1
    assert len(list(entries[0].iterdir())) == 1


def test_a_loaded_library_survives_the_rebuilding_of_its_file() -> None:
    """The new file is moved into place; to write into the old one would pull it from under the process."""
    library = build_library(ANSWER)
    loaded = load_library(ANSWER)
    library.unlink()
    library.write_bytes(b"damage")
    again = build_library(ANSWER)
    assert loaded.answer() == 42
    assert answer_of(again) == 42
