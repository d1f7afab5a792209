"""The same program gives the same bytes: in any process, after any other work, today and as recorded.

``UPDATE_GOLDEN=1 pytest tests/emit`` records anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from emit_programs import GOLDEN, PRINTED, all_programs, long_program

from linkwork.algebra import sin, symbols
from linkwork.emit import Program, print_c, print_javascript, print_python

HERE = Path(__file__).parent
UPDATE = os.environ.get("UPDATE_GOLDEN") == "1"


@pytest.mark.parametrize("ending", PRINTED)
@pytest.mark.parametrize("name", all_programs())
def test_the_text_is_the_recorded_one(name: str, ending: str) -> None:
    """Byte for byte; a deliberate change is recorded with UPDATE_GOLDEN=1."""
    text = PRINTED[ending](all_programs()[name])
    file = GOLDEN / f"emit_{name}.{ending}"
    if UPDATE:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
    assert file.read_bytes().decode() == text, "if this is meant: UPDATE_GOLDEN=1 pytest tests/emit"


def test_no_recorded_file_is_left_over() -> None:
    """Every file recorded for this folder has its program."""
    wanted = {f"emit_{name}.{ending}" for name in all_programs() for ending in PRINTED}
    assert {path.name for path in GOLDEN.glob("emit_*")} == wanted


SCRIPT = """
import random, sys
sys.path[:0] = [{tests!r}, {here!r}]
from strategies import random_expression
kept = [random_expression(400, seed) for seed in range({unrelated})]
for each in kept[::2]:
    each * 2 + each ** 2  # built and dropped again
from emit_programs import PRINTED, all_programs, long_program
for program in (*all_programs().values(), long_program(400, 20)):
    for printed in PRINTED.values():
        sys.stdout.buffer.write(printed(program).encode())
"""


def test_the_bytes_do_not_depend_on_the_process() -> None:
    """Not on the seed of hashes, nor on expressions built before, nor on the order of other programs."""
    outputs = set()
    for seed, unrelated in (("0", 0), ("1", 3), ("4242", 10)):
        script = SCRIPT.format(tests=str(HERE.parent), here=str(HERE), unrelated=unrelated)
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script]
        outputs.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    programs = (*all_programs().values(), long_program(400, 20))
    here = "".join(printed(program) for program in programs for printed in PRINTED.values())
    assert outputs == {here.encode()}


@pytest.mark.parametrize("printed", [print_c, print_javascript, print_python])
def test_printing_leaves_no_trace(printed: object) -> None:
    """Printing twice, or another program between, changes nothing."""
    assert callable(printed)
    program = all_programs()["four_bar"]
    first = printed(program)
    x, y = symbols("x y")
    printed(Program.of("other", [x, y], {"r": sin(x) * y, "s": [x, sin(x)]}))
    assert printed(program) == first
    assert printed(all_programs()["four_bar"]) == first


def test_text_is_plain() -> None:
    """Lines end with a newline and nothing before it, no tabs, ASCII where the names are."""
    for program in all_programs().values():
        for printed in PRINTED.values():
            text = printed(program)
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert "\t" not in text
            assert "\r" not in text
            assert text.isascii()
            assert all(line == line.rstrip() for line in text.split("\n"))
