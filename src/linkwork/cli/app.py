"""The typer application: the verbs of the registry, and help for words that are none of them."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkwork import __version__
from linkwork.cli.output import write
from linkwork.cli.verbs import LATER, VERBS
from linkwork.errors import UsageError
from linkwork.model.fault import did_you_mean


class Verbs(TyperGroup):
    """The group of all verbs, which knows those to come and guesses at misspelt ones."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The verb that the first word names."""
        if args[0] not in self.commands and not ctx.resilient_parsing:
            raise no_such_verb(args[0])
        return super().resolve_command(ctx, args)


def no_such_verb(word: str) -> UsageError:
    """The error for a first word that is no verb of this version."""
    known = [verb.name for verb in VERBS]
    if word in LATER:
        return UsageError(
            f"this version of linkwork has no verb '{word}' yet",
            wanted=", ".join(known),
            why=f"{word} ({LATER[word]}) will come in a later version",
            fix="linkwork --help",
        )
    return UsageError(
        f"there is no verb '{word}'",
        wanted=", ".join(known),
        fix=did_you_mean(word, [*known, *LATER], "linkwork --help"),
    )


def _show_version(wanted: bool) -> None:
    if wanted:
        write(f"linkwork {__version__}\n")
        raise typer.Exit


def _start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version.", show_default=False
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(UsageError.exit_code)


def build() -> typer.Typer:
    """The application with every verb of the registry."""
    # Plain help: the same text in a terminal, a pipe and a test, and rich is never loaded for it.
    built = typer.Typer(
        name="linkwork",
        cls=Verbs,
        help="Describe a machine once; everything else is derived.\n\n"
        "\b\nExamples:\n  linkwork examples\n  linkwork derive four-bar-table",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    built.callback()(_start)
    for verb in VERBS:
        built.command(verb.name, help=verb.help, short_help=verb.summary)(verb.run)
    return built


app = build()
