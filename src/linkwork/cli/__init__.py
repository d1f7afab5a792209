"""The command line. ``main`` is the console script; each verb is one file, listed in ``verbs``."""

from linkwork.cli.run import main

__all__ = ["main"]
