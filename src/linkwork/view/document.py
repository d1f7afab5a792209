"""One HTML file, no network: what pages of machines and of derivations have in common."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files

# No network: the browser itself refuses whatever the page does not hold.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; img-src data:"
_SCRIPTS = "'unsafe-inline'"
_SCRIPTS_AND_MODULES = "'unsafe-inline' 'wasm-unsafe-eval'"  # modules of WebAssembly, and still no eval
_ENDING = re.compile(r"<(?=/script|!--)", re.IGNORECASE)


def html_document(
    title: str,
    styles: Sequence[str],
    body: str,
    scripts: Sequence[str],
    *,
    libraries: Sequence[str] = (),
    with_module: bool = False,
) -> str:
    """The file: ``title`` and ``body`` are HTML, ``styles`` and ``scripts`` names of files beside this one.

    ``libraries`` are the texts of scripts that come first; ``scripts`` see what these define at their top level.
    ``with_module`` they may run WebAssembly.
    """
    policy = _POLICY.format(scripts=_SCRIPTS_AND_MODULES if with_module else _SCRIPTS)
    style = "".join(file_text(name) for name in styles)
    script = "\n".join(file_text(name) for name in scripts)
    before = "".join(f"<script>\n{_script_text(text)}</script>\n" for text in libraries)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{body}
{before}<script>
(() => {{
"use strict";
{script}}})();
</script>
</body>
</html>
"""


def data_element(name: str, data: object) -> str:
    r"""Plain data in an element that scripts find by its name; no text in it can end the element.

    >>> print(data_element("words", ["</script>"]))
    <script type="application/json" id="words">["\u003c/script>"]</script>
    """
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    escaped = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{escaped}</script>'


def packed_element(name: str, text: str) -> str:
    """Packed text in an element that scripts find by its name."""
    return f'<script type="text/plain" id="{name}">{text}</script>'


def file_text(name: str) -> str:
    """The text of a file beside this one."""
    return files("linkwork.view").joinpath(name).read_text(encoding="utf-8")


def _script_text(text: str) -> str:
    r"""A script whose comments and strings cannot end the element it stands in.

    >>> _script_text("// </script>")
    '// \\x3c/script>'
    """
    return _ENDING.sub(r"\\x3c", text)
