"""One HTML file, no network: what pages of machines and of derivations have in common."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def html_document(title: str, style: str, body: str, scripts: Sequence[str]) -> str:
    """The file: ``title`` and ``body`` are HTML, ``style`` and ``scripts`` names of files beside this one."""
    script = "\n".join(_file(name) for name in scripts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{title}</title>
<style>
{_file(style)}</style>
</head>
<body>
{body}
<script>
(() => {{
"use strict";
{script}}})();
</script>
</body>
</html>
"""


def _file(name: str) -> str:
    return files("linkwork.view").joinpath(name).read_text(encoding="utf-8")
