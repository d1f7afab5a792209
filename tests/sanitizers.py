"""The sanitizers of compilers: their flags, and the library that Python must load before it loads what they watch."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from linkwork.emit.compiler import find_compiler

SANITIZERS = (
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-g",
)


def sanitizer_library() -> str:
    """The shared library of gcc's address sanitizer, to be loaded before Python's own."""
    compiler = find_compiler()
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    question = [*compiler.command, "-print-file-name=libasan.so"]
    answer = subprocess.run(question, capture_output=True, text=True).stdout.strip()
    if not os.path.isabs(answer):
        pytest.skip(f"{' '.join(compiler.command)} has no shared address sanitizer")
    return answer
