"""Runs the command line: one place turns whatever happens into an exit code and a message.

Exit codes: 0 done; 2 wrong use; 3 the machine is invalid; 4 there is no answer; 5 a tool is missing;
70 linkwork itself failed; 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from linkwork.cli.output import complain, json_text, note, write
from linkwork.errors import LinkworkError, UsageError
from linkwork.model.store import WriteError

INTERRUPTED = 130
"""What shells report for a program that Ctrl-C ended."""


class InternalError(LinkworkError):
    """A fault of linkwork's own, not of the machine or its user."""

    exit_code = 70


def main() -> NoReturn:
    """The console script.

    Matrices of machines are small: threads that share them wait for one another longer than they work.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; nothing is raised."""
    as_json = "--json" in arguments
    quiet = "--quiet" in arguments or "-q" in arguments
    try:
        _prepare_streams()
        with warnings.catch_warnings():
            warnings.showwarning = _ignore if quiet else _warn
            return _invoke(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as leaving:
        # typer leaves so after completion, and with 1 where the reader of a pipe has gone (| head),
        # who has then got what he wanted.
        code = leaving.code if isinstance(leaving.code, int) else 0
        return 0 if isinstance(leaving.__context__, BrokenPipeError) else code
    except BrokenPipeError:
        return 0
    except Exception as error:
        return _report(_as_ours(error, arguments), error, as_json=as_json, quiet=quiet)


def _invoke(arguments: Sequence[str]) -> int:
    import typer

    from linkwork.cli.app import app

    command = typer.main.get_command(app)
    try:
        code = command.main(args=list(arguments), prog_name="linkwork", standalone_mode=False)
    except typer.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _report(ours: LinkworkError, error: Exception, *, as_json: bool, quiet: bool) -> int:
    """Tell of an error: in words on stderr, and as the JSON document on stdout where one was asked for."""
    if os.environ.get("LINKWORK_DEBUG") == "1":
        import traceback

        note("".join(traceback.format_exception(error)).rstrip())
    if as_json:
        try:
            write(json_text(ours.to_json()))
        except (OSError, LinkworkError):
            quiet = False  # then stderr is the only place left
    if not (as_json and quiet):
        complain(ours)
    return ours.exit_code


def _as_ours(error: Exception, arguments: Sequence[str]) -> LinkworkError:
    if isinstance(error, LinkworkError):
        return error
    if hasattr(error, "format_message"):  # typer's own, whichever click it stands on
        return _usage_error(error, arguments)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return WriteError("the output cannot be written", why=error.strerror or str(error))
    if isinstance(error, MemoryError):
        return LinkworkError(
            "this needs more memory than there is",
            why="meshes of very many triangles, or rows without end",
            fix="give meshes fewer triangles, or ask for fewer rows",
        )
    message = str(error).split("\n")[0][:200]
    return InternalError(
        f"linkwork itself failed: {type(error).__name__}{f': {message}' if message else ''}",
        why="this is a fault of linkwork, not of your machine",
        fix="run it again with LINKWORK_DEBUG=1 and report what it shows",
    )


def _usage_error(error: Any, arguments: Sequence[str]) -> UsageError:
    """A complaint of typer about the command line, in our format."""
    from linkwork.cli.verbs import VERBS

    verb = next((each for each in VERBS if each.name in arguments[:1]), None)
    option = getattr(error, "option_name", "")
    if option and hasattr(error, "possibilities"):
        return _no_such_option(option, error.ctx, "linkwork" if verb is None else f"linkwork {verb.name}")
    message = error.format_message().strip().rstrip(".")
    fix = "linkwork --help" if verb is None else verb.examples[0]
    return UsageError(message[:1].lower() + message[1:], fix=fix)


def _no_such_option(option: str, context: Any, words: str) -> UsageError:
    from linkwork.model.fault import did_you_mean

    def options(command: Any) -> list[str]:
        return [name for each in command.params for name in each.opts if name.startswith("-")]

    known = [name for name in [*options(context.command), "--help"] if name.startswith("--")]
    fix = did_you_mean(option, known, f"{words} --help")
    if words == "linkwork" and any(option in options(verb) for verb in context.command.commands.values()):
        fix = f"options stand behind the verb: linkwork derive four-bar-table {option}"
    return UsageError(f"{words} has no option {option}", wanted=", ".join(known), fix=fix)


def _prepare_streams() -> None:
    """Characters that a terminal cannot show are escaped, instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _warn(message: Warning | str, category: type[Warning], *place: object, **more: object) -> None:
    note(f"warning: {message}")


def _ignore(message: Warning | str, category: type[Warning], *place: object, **more: object) -> None:
    """With ``--quiet`` warnings are dropped."""
