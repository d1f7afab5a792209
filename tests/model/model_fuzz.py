"""Texts that are nearly machine files: pieces put together at random, and real files damaged."""

from __future__ import annotations

import re
from typing import Final

from hypothesis import strategies as st

from linkwork import examples

EXAMPLE_TEXTS: Final = tuple(examples.path(name).read_text("utf-8") for name in examples.names())

_KEYS: Final = (
    *("linkwork", "title", "name", "outputs", "parameter", "definition", "units", "part", "explicit"),
    *(
        "frame",
        "joint",
        "joint.A",
        "drive.d",
        "force.f",
        "time",
        "view",
        "gravity",
        "dimension",
        "part.crank",
    ),
    *("points", "mass", "shape", "start", "draw", "between", "parts", "at", "axis", "type", "of", "value"),
    *("implicit", "a", "b", "r", "sin", "if", "x.y", '"x.y"', '"θ"', "θ", "''", "1", "__proto__", "a b"),
)
_VALUES: Final = (
    *("1", "-0.0", "1e400", "1e-400", "inf", "-nan", "0x1F", "1_000", "true", "1979-05-27", "[]", "{}"),
    *('""', '"a"', '"b"', '"a + b"', '"a = b"', '"r^2 = a^2 + b^2"', '"2*(a"', '"1/0"', '"9^9^9^9"'),
    *('"sqrt(-1)"', '"30 deg"', '"a b"', '"nan"', '"\\u0000"', "'''a\n+b'''", '"""b\n"""', "'é'", '"😀"'),
    *('"revolute"', '"gear"', '"cam"', '["ground", "crank"]', '"crank.x"', "[0, 1]", "[0, 0, 1]", "[[0, 1]]"),
    *("{ A = [0, 0] }", '{ form = "disc", radius = 1 }', '[{ shape = "disc" }]', "3", '"t"', '"360 deg"'),
    *('["a", "b"]', '[1, "r", "r"]', '{ explicit = "a" }', '{ implicit = "r*r = a" }', "{ r = 1, r = 2 }"),
    *("[" * 300, "9" * 5000, '"' + "(" * 900 + '"', "{ explicit = 1, implicit = [] }", "cos(1)", "1,5", "="),
)
_TOKENS: Final = (
    *_KEYS,
    *_VALUES,
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "#",
    "\n",
    "\r",
    '"',
    "'''",
)


def _statements() -> st.SearchStrategy[str]:
    key, value = st.sampled_from(_KEYS), st.sampled_from(_VALUES)
    return st.one_of(
        st.builds("{} = {}".format, key, value),
        st.builds("[{}]".format, key),
        st.builds("[{}.{}]".format, key, key),
        st.builds("[[{}]]".format, key),
        st.builds("# {}".format, value),
    )


def assembled_texts() -> st.SearchStrategy[str]:
    """Statements in a row, most of them with the format's key in front."""
    return st.builds(
        "{}{}\n".format,
        st.sampled_from(("linkwork = 1\n", "linkwork = 1\n[parameter]\na = 1\nb = 2\n[definition]\n", "")),
        st.lists(_statements(), max_size=8).map("\n".join),
    )


@st.composite
def damaged_texts(draw: st.DrawFn) -> str:
    """An example with up to four pieces cut out, doubled or replaced."""
    text = draw(st.sampled_from(EXAMPLE_TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        kind = draw(st.sampled_from(("cut", "double", "replace", "noise")))
        piece = {
            "cut": "",
            "double": text[start:end] * 2,
            "replace": draw(st.sampled_from(_TOKENS)),
            "noise": draw(st.text(max_size=4)),
        }[kind]
        text = text[:start] + piece + text[end:]
    return text


_TOKEN: Final = re.compile(r""""[^"\n]*"|[\w.-]+|[^\w\s]|\s+""")


@st.composite
def mutated_texts(draw: st.DrawFn) -> str:
    """An example with up to four tokens doubled, exchanged or altered, or lines left out: mostly still TOML."""
    tokens = _TOKEN.findall(re.sub("#[^\n]*", "", draw(st.sampled_from(EXAMPLE_TEXTS))))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        alike = [token for token in tokens if _sort_of(token) == _sort_of(tokens[place])]
        kind = draw(st.sampled_from(("copy", "copy", "value", "line", "line", "token", "drop", "double")))
        if kind == "copy":
            tokens[place] = draw(st.sampled_from(alike))
        elif kind == "value" and _sort_of(tokens[place]) in "text number":
            tokens[place] = draw(st.sampled_from(_VALUES))
        elif kind == "line":
            tokens = _TOKEN.findall(_without_line("".join(tokens), place)) or [""]
        elif kind == "token":
            tokens[place] = draw(st.sampled_from(_TOKENS))
        elif kind == "drop":
            tokens[place] = ""
        else:
            tokens[place] *= 2
    return "".join(tokens)


def _sort_of(token: str) -> str:
    first = token[:1]
    return "text" if first == '"' else "number" if first.isdigit() else "word" if first.isalpha() else first


def _without_line(text: str, place: int) -> str:
    lines = text.split("\n")
    del lines[place % len(lines)]
    return "\n".join(lines)
