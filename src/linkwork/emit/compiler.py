"""Find a C compiler and turn C99 text into a shared library, building the same thing only once.

An entry of the cache is ``<cache>/<key>/<digest>.so``. The key hashes all that decides the outcome (the
text, the compiler and its version, the flags, the machine); the digest hashes the library's own bytes. So
a file's name says what it must hold: a truncated or damaged library is noticed before it is loaded (loading
one can kill the process with SIGBUS), and there is no second file that could contradict it. Nothing is
appended to the library, because macOS signs it to its last byte.

A library is compiled in a work folder of its own inside the cache and moved to its name when complete. Two
processes that build the same thing at once both move a whole file there, and either may win.
"""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.errors import ToolMissing, UsageError

if TYPE_CHECKING:
    import ctypes

SWITCH = "LINKWORK_COMPILER"
"""The variable that names the C compiler; ``none`` switches native code off."""

CACHE_FORMAT = 1
"""Part of every key. Raise it when the layout of the cache or the meaning of an entry changes."""

COMPILE_TIMEOUT = 600.0
"""Seconds a compiler may take. Large generated programs need a minute, so this ends only a stuck one."""

PROBE_TIMEOUT = 60.0
"""Seconds a compiler may take to tell its version; the first call after an installation can be slow."""

STALE_AFTER = 24 * 3600.0
"""Seconds after which a work folder belongs to a process that died. Must exceed ``COMPILE_TIMEOUT``."""

SHOWN_MESSAGE_LINES = 20
"""How much of the compiler's messages an error repeats."""

OPTIMISATIONS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os")
"""What ``optimise`` may be. ``-Ofast`` is absent: it gives up IEEE arithmetic and our NaN tests with it."""

# No fused multiply-add, no fast-math, no -march: a program gives the same bits here, on the next machine
# that shares the cache, and in the JavaScript and Python printed from the same table.
# gcc turns sin(atan(x)) into algebra that loses a NaN, unless atan is kept a plain function.
_FLAGS = ("-std=c99", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fno-builtin-atan")
_STRICTNESS = ("-Wall", "-Wextra", "-Werror")
# Without it a generated function called `gamma` or `y0` would, on ELF, be bound to libm's.
_LINUX_FLAGS = ("-Wl,-Bsymbolic",)
# zig builds for the host's processor and traps on signed overflow unless told otherwise.
_ZIG_FLAGS = ("-mcpu=baseline", "-fno-sanitize=undefined")

_SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"
_PRODUCT = f"library{_SUFFIX}"
_WORK_PREFIX = "work-"


class NativeWarning(UserWarning):
    """Native code works, but not in the way that was asked for: another compiler, another cache folder."""


class CompilerMissing(ToolMissing):
    """No C compiler was found, or native code is switched off."""


class CompilerFailed(ToolMissing):
    """A C compiler was found but gave no library that can be loaded."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler that answered: the words that start it and the line with which it names its version."""

    command: tuple[str, ...]
    version: str


def find_compiler() -> Compiler | None:
    """The C compiler to use, or None: $LINKWORK_COMPILER, $CC, cc, clang, gcc, then the ziglang wheel.

    The two variables may hold arguments (``CC="ccache gcc"``); one that does not run is passed over with a
    warning. ``LINKWORK_COMPILER=none`` switches native code off. The search is done once for each setting.
    """
    if os.name != "posix" or is_switched_off():
        return None
    variables = (SWITCH, "CC")
    wishes = tuple((name, os.environ[name].strip()) for name in variables if os.environ.get(name, "").strip())
    return _search(wishes, os.environ.get("PATH", ""))


def build_library(
    source: str,
    *,
    optimise: str = "-O2",
    extra_flags: Sequence[str] = (),
    directory: str | os.PathLike[str] | None = None,
) -> Path:
    """The shared library compiled from the C99 text ``source``, from the cache when it is there.

    ``directory`` stands in for the cache folder. Raises :class:`CompilerMissing` or :class:`CompilerFailed`;
    a cache folder that cannot be used costs a :class:`NativeWarning`, and the library is then built in a
    private folder that is removed when the process ends.
    """
    return _build(_job(source, optimise, extra_flags), directory)


def build_object(source: str, *, optimise: str = "-O2", extra_flags: Sequence[str] = ()) -> Path:
    """The same as an object file, to be named among the ``extra_flags`` of a library that it becomes part of.

    It has the suffix of libraries, for the cache knows no other; linkers look at the content.
    """
    return _build(_job(source, optimise, extra_flags, is_linked=False), None)


def build_by(compiler: Compiler, flags: Sequence[str], source: str) -> Path:
    """What a compiler makes of ``source`` with these flags and no others; under the suffix of libraries, too."""
    return _build(_job_of(source, compiler, (*flags, "program.c", "-o", _PRODUCT)), None)


def load_library(
    source: str,
    *,
    optimise: str = "-O2",
    extra_flags: Sequence[str] = (),
    directory: str | os.PathLike[str] | None = None,
) -> ctypes.CDLL:
    """Build ``source`` (see :func:`build_library`) and load it; a second call returns the same object.

    A cache on a file system that forbids execution is treated like one that cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load_library("int answer(void) { return 42; }", directory=folder).answer()
    42
    """
    import ctypes

    job = _job(source, optimise, extra_flags)
    if job.key not in _loaded:
        library = _build(job, directory)
        try:
            _loaded[job.key] = ctypes.CDLL(str(library))
        except OSError as problem:
            warn_once(f"{library} cannot be loaded ({problem}); building it again in a private folder")
            try:
                _loaded[job.key] = ctypes.CDLL(str(_build_privately(job)))
            except OSError as again:
                raise _failure(job.command, "built a library that cannot be loaded", str(again)) from again
    return _loaded[job.key]


_loaded: dict[str, ctypes.CDLL] = {}


# The search for a compiler.


def is_switched_off(variable: str = SWITCH) -> bool:
    """Whether a variable says that no compiler shall be used."""
    return os.environ.get(variable, "").strip().lower() == "none"


@functools.cache
def _search(wishes: tuple[tuple[str, str], ...], path: str) -> Compiler | None:
    """Do the work of :func:`find_compiler`; the arguments are what decides the result, PATH included."""
    for variable, wish in wishes:
        compiler = probe(wish, path)
        if compiler:
            return compiler
        warn_once(f"{variable}={wish!r} does not run as a C compiler; looking for another one")
    for name in ("cc", "clang", "gcc"):
        compiler = probe(name, path)
        if compiler:
            return compiler
    return probe_zig()


def probe(wish: str, path: str) -> Compiler | None:
    """The compiler that a wish means, if it answers."""
    import shlex
    import shutil

    try:
        program, *arguments = shlex.split(wish)
    except ValueError:
        return None
    executable = shutil.which(program, path=path)
    if executable is None:
        return None
    command = (os.path.abspath(executable), *arguments)
    version = _first_line_of((*command, "--version"))
    return None if version is None else Compiler(command, version)


def probe_zig() -> Compiler | None:
    """That of the ziglang wheel, if it is there."""
    import importlib.util

    if not sys.executable or importlib.util.find_spec("ziglang") is None:
        return None
    # -P keeps a file called ziglang.py in the current folder from being run instead.
    zig = (sys.executable, "-P", "-m", "ziglang")
    # Not `zig cc --version`, which needs a writable cache folder and can spin for ever without one.
    version = _first_line_of((*zig, "version"))
    return None if version is None else Compiler((*zig, "cc", *_ZIG_FLAGS), f"zig {version}")


def _first_line_of(command: Sequence[str]) -> str | None:
    """What ``command`` says first, or None if it does not run."""
    import subprocess

    try:
        answer = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PROBE_TIMEOUT,
            cwd=os.sep,
            env=os.environ | {"LC_ALL": "C"},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if answer.returncode != 0:
        return None
    return answer.stdout.decode(errors="replace").partition("\n")[0].strip()


# What is to be built.


@dataclass(frozen=True, slots=True)
class _Job:
    """The text, the command that compiles it in a work folder, and the key of what comes out."""

    source: str
    command: tuple[str, ...]
    key: str


def _job(source: str, optimise: str, extra_flags: Sequence[str], *, is_linked: bool = True) -> _Job:
    if optimise not in OPTIMISATIONS:
        wanted = "one of " + ", ".join(OPTIMISATIONS)
        raise UsageError("this optimisation is not offered", got=repr(optimise), wanted=wanted)
    compiler = find_compiler()
    if compiler is None:
        raise _missing()
    linking = ("-shared", *(_LINUX_FLAGS if sys.platform == "linux" else ())) if is_linked else ("-c",)
    flags = (*_FLAGS, *linking, *_STRICTNESS, optimise)
    # Libraries among the extra flags must follow the source that needs them.
    files = ("program.c", *extra_flags, *(("-lm",) if is_linked else ()), "-o", _PRODUCT)
    return _job_of(source, compiler, (*flags, *files))


def _job_of(source: str, compiler: Compiler, arguments: Sequence[str]) -> _Job:
    import json

    command = (*compiler.command, *arguments)
    machine = (sys.platform, os.uname().machine)
    key = _digest(json.dumps((CACHE_FORMAT, command, compiler.version, machine, source)).encode())
    return _Job(source, command, key)


def _missing() -> CompilerMissing:
    if is_switched_off():
        return CompilerMissing("native code is switched off", got=f"{SWITCH}=none", fix=f"unset {SWITCH}")
    return CompilerMissing(
        "there is no C compiler on this machine",
        wanted="$CC, cc, clang, gcc or the ziglang wheel",
        fix="apt install gcc          (Debian, Ubuntu)\n"
        "xcode-select --install   (macOS)\n"
        "pip install 'linkwork[compiler]'",
    )


# The cache.


def _build(job: _Job, directory: str | os.PathLike[str] | None) -> Path:
    cache = _cache_directory() if directory is None else Path(directory)
    try:
        return _find_or_compile(job, cache)
    except OSError as problem:
        # Not str(problem): it may hold the name of a work folder, and then every warning would be new.
        reason = problem.strerror or problem
        warn_once(
            f"the cache folder {cache} cannot be used ({reason}); building in a private folder instead, so "
            "the next run compiles again. Set LINKWORK_CACHE to a folder of your own that can be written."
        )
    return _build_privately(job)


def _build_privately(job: _Job) -> Path:
    try:
        return _find_or_compile(job, _private_directory(os.getpid()))
    except OSError as problem:
        raise _failure(job.command, "was not started: no folder can be written", str(problem)) from problem


def _cache_directory() -> Path:
    named = os.environ.get("LINKWORK_CACHE")
    if named:
        return Path(os.path.expanduser(named))
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):  # the XDG specification has relative paths ignored
        return Path(base, "linkwork")
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        warn_once("the home folder is unknown; set LINKWORK_CACHE to keep what is compiled")
        return _private_directory(os.getpid())
    return Path(home, ".cache", "linkwork")


@functools.cache
def _private_directory(process: int) -> Path:
    """A folder of this process alone, removed when it ends; a forked child asks for its own."""
    import atexit
    import shutil
    import tempfile

    directory = Path(tempfile.mkdtemp(prefix="linkwork-"))

    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return directory


def _find_or_compile(job: _Job, cache: Path) -> Path:
    """The library of ``job`` in ``cache``; an OSError means that the folder is at fault, not the job."""
    cache.mkdir(mode=0o755, parents=True, exist_ok=True)
    cache = cache.resolve()
    _require_trust(cache)
    for folder in cache.parents:
        _require_closed(folder)
    entry = cache / job.key
    return _find_verified(entry) or _compile(job, cache, entry)


def _find_verified(entry: Path) -> Path | None:
    """The library in ``entry`` whose bytes have the digest that its name promises.

    A damaged one is left for the next build to replace: deleting it here could hit the good file that
    another process has just moved to the same name.
    """
    if not entry.exists():
        return None
    _require_trust(entry)
    for library in sorted(entry.glob(f"*{_SUFFIX}")):
        _require_trust(library)
        if _digest(library.read_bytes()) == library.stem:
            return library
    return None


def _require_trust(path: Path) -> None:
    """Refuse what a stranger may have written: to load a library is to run it."""
    owner = path.lstat().st_uid
    if owner not in (os.geteuid(), 0):
        raise PermissionError(f"{path} belongs to another user, number {owner}")
    _require_closed(path)


def _require_closed(path: Path) -> None:
    """Refuse what everybody may write, unless it is a folder in which only owners may rename (sticky)."""
    import stat

    mode = path.lstat().st_mode
    sticky_folder = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
    if mode & stat.S_IWOTH and not sticky_folder:
        raise PermissionError(f"{path} can be changed by every user")


def _compile(job: _Job, cache: Path, entry: Path) -> Path:
    import shutil
    import tempfile

    _remove_stale_work(cache)
    work = Path(tempfile.mkdtemp(prefix=_WORK_PREFIX, dir=cache))
    try:
        (work / "program.c").write_text(job.source, encoding="utf-8", newline="\n")
        built = _run_compiler(job, work, cache)
        library = entry / f"{_digest(built.read_bytes())}{_SUFFIX}"
        built.chmod(0o644)
        _flush_to_disk(built)
        entry.mkdir(mode=0o755, exist_ok=True)
        _require_trust(entry)
        os.replace(built, library)
        return library
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _remove_stale_work(cache: Path) -> None:
    import shutil
    import time

    for work in cache.glob(f"{_WORK_PREFIX}*"):
        try:
            age = time.time() - work.lstat().st_mtime
        except FileNotFoundError:  # its process has just finished
            continue
        if age > STALE_AFTER:
            shutil.rmtree(work, ignore_errors=True)


def _flush_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _digest(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


# The run of the compiler.


def _run_compiler(job: _Job, work: Path, cache: Path) -> Path:
    """Compile ``program.c`` in ``work`` and return the library there."""
    import errno

    zig_cache = cache / "zig"
    zig_cache.mkdir(mode=0o755, exist_ok=True)
    _require_trust(zig_cache)
    failure, messages = _run(job.command, work, _environment(work, zig_cache))
    library = work / _PRODUCT
    if not failure and library.is_file():
        return library
    for full in (errno.ENOSPC, errno.EDQUOT):
        if os.strerror(full) in messages:
            raise OSError(full, os.strerror(full))
    raise _failure(job.command, failure or "ended well but wrote no library", messages)


def _environment(work: Path, zig_cache: Path) -> dict[str, str]:
    """English messages; temporary files where we remove them; zig's caches, also needed if CC is "zig cc"."""
    return os.environ | {
        "LC_ALL": "C",
        "TMPDIR": str(work),
        "ZIG_GLOBAL_CACHE_DIR": str(zig_cache),
        "ZIG_LOCAL_CACHE_DIR": str(zig_cache),
    }


def _run(command: Sequence[str], work: Path, environment: dict[str, str]) -> tuple[str, str]:
    """Run ``command`` in ``work``; say how it failed, in no words if it ended well, and what it printed.

    A compiler is a family of processes, so it gets a session of its own and is ended as a whole. Its
    messages go to a file, since a pipe would keep us waiting for as long as any child holds it; and to one
    outside ``work``, since a full disk there is among the things they may have to tell.
    """
    import contextlib
    import signal
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as messages:
        try:
            process = subprocess.Popen(
                command,
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=messages,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as problem:
            return f"cannot be started: {problem}", ""
        failure = ""
        try:
            status = process.wait(COMPILE_TIMEOUT)
        except BaseException as interruption:
            with contextlib.suppress(OSError):  # it has just ended by itself
                os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
            if not isinstance(interruption, subprocess.TimeoutExpired):
                raise
            failure = f"took longer than {COMPILE_TIMEOUT:g} s and was ended"
        if status < 0:
            failure = failure or f"was killed by signal {-status} ({signal.strsignal(-status)})"
        elif status > 0:
            failure = f"ended with exit status {status}"
        messages.seek(0)
        return failure, messages.read().decode(errors="replace")


def _failure(command: Sequence[str], outcome: str, messages: str) -> CompilerFailed:
    import shlex

    lines = messages.strip().split("\n")
    left_out = len(lines) - SHOWN_MESSAGE_LINES
    shown = lines[:SHOWN_MESSAGE_LINES] + ([f"… and {left_out} more lines"] if left_out > 0 else [])
    return CompilerFailed(
        f"the C compiler {outcome}",
        got=shlex.join(command),
        why="\n".join(shown),
        fix="export CC=...                   (another compiler)\n"
        "export LINKWORK_COMPILER=none   (run in Python, without native code)",
    )


@functools.cache
def warn_once(message: str) -> None:
    """A :class:`NativeWarning`, the first time that there is reason for it."""
    warnings.warn(message, NativeWarning, stacklevel=2)
