"""Pipes, terminals and signals: what a shell does to a program must not show a traceback."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_runner import SCRIPT, clean_environment, script

HEAVY = ("numpy", "scipy", "sympy", "rich", "pydantic", "matplotlib")


def bash(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        env={**clean_environment(), "L": str(SCRIPT), **environment},
        timeout=60,
        check=False,
    )


def modules_after(arguments: Sequence[str]) -> set[str]:
    program = (
        "import sys\nfrom linkwork.cli.run import run\n"
        f"assert run({list(arguments)!r}) == 0\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {*done.stderr.split()}


def test_the_version_loads_nothing_heavy() -> None:
    assert not modules_after(["--version"]) & {*HEAVY}


def test_help_loads_nothing_heavy() -> None:
    assert not modules_after(["derive", "--help"]) & {*HEAVY} - {"pydantic"}  # typer needs that one


def test_a_table_needs_no_arrays() -> None:
    assert not modules_after(["derive", "cam-table", "--as", "c"]) & {"numpy", "scipy", "sympy", "rich"}


@pytest.mark.parametrize("verb", ["--help", "examples", "derive four-bar-table --as c"])
def test_a_reader_that_leaves_is_no_error(verb: str) -> None:
    done = bash(
        f"set -o pipefail; $L {verb} | head -n 1 >/dev/null; $L {verb} | true; echo ${{PIPESTATUS[0]}}"
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("verb", ["--help", "examples --json"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_told(verb: str) -> None:
    done = bash(f"$L {verb} >/dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("error: the output cannot be written\n  why:    No space left")
    assert "Exception ignored" not in done.stderr


def test_closed_streams() -> None:
    done = bash("$L examples >&-")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: there is no stdout to write to")
    done = bash("$L derive nothing --json 2>&-")
    assert done.returncode == 2
    assert done.stdout.startswith("{")
    assert bash("$L derive nothing 2>/dev/full").returncode == 2


def test_a_machine_through_a_pipe() -> None:
    done = bash("$L examples cam-table | $L derive /dev/stdin | tail -n 1")
    assert done.stdout.startswith("slope = ")


def test_output_to_a_device_keeps_the_device() -> None:
    assert bash("$L examples -o /dev/null && test -c /dev/null").returncode == 0


def test_an_interrupt_ends_it_quietly(tmp_path: Path) -> None:
    """A named pipe without a writer keeps the verb waiting until Ctrl-C."""
    os.mkfifo(tmp_path / "pipe.toml")
    command = [str(SCRIPT), "derive", str(tmp_path / "pipe.toml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            deadline = time.monotonic() + 30
            while _state(process.pid) != "S" or _loaded_modules(process.pid) < 1:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, b"", b"")


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def _loaded_modules(pid: int) -> int:
    return Path(f"/proc/{pid}/maps").read_text().count(".so")


# -------------------------------------------------------------------------------------- a terminal


def in_terminal(command: Sequence[str], **environment: str) -> tuple[int, str]:
    """Run with stderr on a pseudo-terminal; the exit code and what appeared there."""
    ours, theirs = pty.openpty()
    settings = {**clean_environment(), "TERM": "xterm", **environment}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=settings)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # Linux says so when the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return process.wait(), shown.decode()


def test_errors_are_red_in_a_terminal_unless_told_otherwise() -> None:
    command = [str(SCRIPT), "xyzzy"]
    code, shown = in_terminal(command)
    assert (code, shown[:13]) == (2, "\033[1;31merror:")
    assert "\033" not in in_terminal(command, NO_COLOR="1")[1]
    assert "\033" not in in_terminal(command, TERM="dumb")[1]


PROGRESS = """
import time
from linkwork.cli.progress import progress
with progress("winding", total=4, quiet={quiet}) as done:
    for step in range(4):
        done(step + 1)
        time.sleep(0.05)
"""


def test_progress_is_shown_in_a_terminal_only() -> None:
    command = [sys.executable, "-c", PROGRESS.format(quiet=False)]
    code, shown = in_terminal(command)
    assert code == 0
    assert "winding" in shown
    assert "winding" not in in_terminal([sys.executable, "-c", PROGRESS.format(quiet=True)])[1]
    piped = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (piped.stdout, piped.stderr) == ("", "")


def test_progress_without_colour() -> None:
    shown = in_terminal([sys.executable, "-c", PROGRESS.format(quiet=False)], NO_COLOR="1")[1]
    assert "winding" in shown
    assert "\033[3" not in shown


# -------------------------------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("linkwork de", "derive"),
        ("linkwork derive four-bar-t", "four-bar-table"),
        ("linkwork derive cam-table --as java", "javascript"),
    ],
)
def test_completion(words: str, wanted: str) -> None:
    answer = script(
        _LINKWORK_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1)
    )
    assert (answer.code, answer.out.split(), answer.err) == (0, [wanted], "")


def test_the_completion_script() -> None:
    answer = script(_LINKWORK_COMPLETE="source_bash")
    assert answer.code == 0
    assert "complete -o default" in answer.out
