"""Find a compiler for WebAssembly and turn C99 text into a module for browsers, building the same thing only once.

A module has no C library: what it needs is in its text, and the functions of ``Math`` are those of the browser, so that
it computes what JavaScript does.
"""

from __future__ import annotations

import functools
import os
import re
from typing import Final

from linkwork.emit.compiler import (
    SWITCH,
    Compiler,
    CompilerFailed,
    CompilerMissing,
    build_by,
    is_switched_off,
    probe,
    probe_zig,
    warn_once,
)
from linkwork.emit.runtime import template

CHOICE: Final = "LINKWORK_WASM_COMPILER"
"""The variable that names the compiler; ``none`` stands for none."""

# As for this machine: the same bits everywhere. The stack is as large as that of a process.
_FLAGS: Final = (
    *(
        "-std=c99",
        "-ffp-contract=off",
        "-fno-math-errno",
        "-mbulk-memory",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O2",
    ),
    *("-nostdlib", "-s", "-Wl,--no-entry", "-Wl,-z,stack-size=8388608"),
)
# Where the stack lies first, running over it is noticed; zig sees to that by itself.
_CLANG_FLAGS: Final = ("--target=wasm32-unknown-unknown", "-Wl,--stack-first")
_ZIG_FLAGS: Final = ("-target", "wasm32-freestanding")
_TRIAL: Final = 'int answer(void);\n__attribute__((export_name("answer"))) int answer(void) { return 42; }\n'
_SYSTEM_HEADER: Final = re.compile(r"^#include <\w+\.h>\n", re.MULTILINE)


class SwitchedOff(CompilerMissing):
    """Somebody has said that no module shall be compiled."""


def freestanding(source: str) -> str:
    r"""A C text that stands alone, with what it needs of the C library in place of its headers.

    >>> text = freestanding("#include <math.h>\ndouble f(double x) { return fmax(x, 0.0); }\n")
    >>> "<math.h>" in text, "lw_fmax(double a, double b)" in text
    (False, True)
    """
    return template("freestanding.c.txt", {}) + _SYSTEM_HEADER.sub("", source)


def find_module_compiler() -> Compiler | None:
    """The compiler for WebAssembly, or None: $LINKWORK_WASM_COMPILER, clang if it has wasm-ld, the ziglang wheel.

    ``LINKWORK_WASM_COMPILER=none`` switches it off, and so does ``LINKWORK_COMPILER=none``. What is found has
    compiled a module. The search is done once for each setting.
    """
    wish = os.environ.get(CHOICE, "").strip()
    if os.name != "posix" or is_switched_off(SWITCH) or is_switched_off(CHOICE):
        return None
    return _search(wish, os.environ.get("PATH", ""))


def build_module(source: str) -> bytes:
    """The module compiled from a freestanding C text, from the cache when it is there.

    Raises :class:`CompilerMissing` or :class:`CompilerFailed`.
    """
    compiler = find_module_compiler()
    if compiler is None:
        raise missing_module_compiler()
    try:
        return _built(compiler, source)
    except CompilerFailed as problem:
        fix = f"export {CHOICE}=...   (another compiler)\n--program javascript               (needs none)"
        raise CompilerFailed(problem.problem, got=problem.got, why=problem.why, fix=fix) from None


def missing_module_compiler() -> CompilerMissing:
    """Why there is no compiler for WebAssembly, and what mends it."""
    for variable in (CHOICE, SWITCH):
        if is_switched_off(variable):
            problem = "compiling for WebAssembly is switched off"
            return SwitchedOff(problem, got=f"{variable}=none", fix=f"unset {variable}")
    return CompilerMissing(
        "there is no compiler for WebAssembly on this machine",
        wanted=f"${CHOICE}, clang with wasm-ld, or the ziglang wheel",
        fix="apt install clang lld              (Debian, Ubuntu)\n"
        "pip install 'linkwork[wasm]'\n"
        "--program javascript               (needs none)",
    )


def _built(compiler: Compiler, source: str) -> bytes:
    return build_by(compiler, _FLAGS, source).read_bytes()


@functools.cache
def _search(wish: str, path: str) -> Compiler | None:
    """Do the work of :func:`find_module_compiler`; the arguments are what decides the result, PATH included."""
    if wish:
        found = _proven(probe(wish, path), _CLANG_FLAGS)
        if found:
            return found
        warn_once(f"{CHOICE}={wish!r} makes no module of WebAssembly; looking for another compiler")
    return _proven(probe("clang", path), _CLANG_FLAGS) or _proven(probe_zig(), _ZIG_FLAGS)


def _proven(compiler: Compiler | None, flags: tuple[str, ...]) -> Compiler | None:
    """A compiler with the flags for WebAssembly, if it makes a module of a small text."""
    if compiler is None:
        return None
    found = Compiler((*compiler.command, *flags), compiler.version)
    try:
        return found if _built(found, _TRIAL).startswith(b"\0asm") else None
    except CompilerFailed:
        return None
