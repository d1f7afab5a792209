"""Derivation pages: a drawing, how it is constructed, and its formulas, as one HTML file for reading.

The page is a document: it is complete without its script, prints on paper, and asks no network for
anything. Names in formulas are links to where they are defined.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from linkwork.algebra.expression import Expression
from linkwork.algebra.mathml import Link, mathml_name, mathml_terms
from linkwork.algebra.table import Definition
from linkwork.algebra.text import shortened
from linkwork.view.document import html_document
from linkwork.view.primitive import readable

WIDE_LEFT = 26
"""Characters of a left-hand side beyond which it stands on a line of its own above the equals sign."""

LONG_NAME = 40
"""Characters of a name beyond which it is plain text among words, where a line can be broken inside it."""

_LANGUAGES = {"c": "C", "javascript": "JavaScript", "python": "Python", "latex": "LaTeX"}
_MARKED = re.compile(r"(?<![\w*])\*(\S(?:[^*]*[^*\s])?)\*(?![\w*])")


@dataclass(frozen=True)
class Step:
    """One elementary construction in words, names marked as ``*P6*``, and the names it defines."""

    words: str
    defines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """Formulas under one heading, set one below the other."""

    heading: str
    lines: tuple[Definition, ...]


class Given(NamedTuple):
    """A quantity that is given: its value as text, ready to be read."""

    name: str
    meaning: str = ""
    value: str = ""
    unit: str = ""


class Result(NamedTuple):
    """A quantity that was computed in the numeric example."""

    name: str
    value: str
    unit: str = ""


class Code(NamedTuple):
    """A program for the same formulas."""

    language: str
    text: str


@dataclass(frozen=True)
class DerivationPage:
    """What a derivation page shows, in the order of the page. Parts that are empty are left out.

    Words (introduction, construction, assumptions, meanings, notes, caption) are plain text in which
    ``*name*`` marks a name: it is emphasised, and linked where the page defines or is given it.
    """

    title: str
    introduction: tuple[str, ...] = ()
    picture: str = ""
    caption: str = ""
    construction: tuple[Step, ...] = ()
    assumptions: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()
    sections: tuple[Section, ...] = ()
    results: tuple[Result, ...] = ()
    code: tuple[Code, ...] = ()
    notes: tuple[str, ...] = ()


def derivation_page(page: DerivationPage) -> str:
    """The page as HTML.

    >>> line = Definition.of("r", implicit="r^2 = x^2 + y^2")
    >>> html = derivation_page(DerivationPage("A length", sections=(Section("Formulas", (line,)),)))
    >>> html.startswith("<!doctype html>"), 'id="eq-r"' in html
    (True, True)
    """
    title = escape(readable(page.title) or "Derivation")
    anchors = _anchors(page)
    parts = _parts(page, anchors)
    body = "\n".join(
        f'<section id="part-{place}">\n<h2>{heading}</h2>\n{content}\n</section>'
        for place, (heading, content) in enumerate(parts, 1)
    )
    content = f"""<header>
<h1>{title}</h1>
{_paragraphs(page.introduction, anchors)}
{_contents(parts)}
</header>
<main>
{_figure(page, anchors)}
{body}
</main>"""
    return html_document(title, ("derivation.css",), content, ("derivation.js",))


def _parts(page: DerivationPage, anchors: dict[str, str]) -> list[tuple[str, str]]:
    """The headings of the page and what stands below each, both as HTML."""
    given = _given_table(page.given, anchors)
    parts = [
        ("Construction", _construction(page.construction, anchors)),
        ("Assumptions", _list(page.assumptions, anchors)),
        ("Given", given),
    ]
    number = 1
    placed: set[str] = set()  # a name that is defined twice is linked to its first definition
    for section in page.sections:
        lines = _equations(section.lines, anchors, number, placed)
        parts.append((_text(section.heading) or "Formulas", lines))
        number += len(section.lines)
    parts += [
        ("Numeric example", _results_table(page.results, anchors, bool(given))),
        ("Code", "\n".join(_code_block(code) for code in page.code)),
        ("Notes", _list(page.notes, anchors)),
    ]
    return [(heading, content) for heading, content in parts if content]


# ------------------------------------------------------------------------------------------- anchors


def _anchors(page: DerivationPage) -> dict[str, str]:
    """Where each name is explained: at its definition, or in the table of what is given."""
    given = {row.name: _anchor("in", row.name) for row in map(Given._make, page.given)}
    defined = {line.name: _anchor("eq", line.name) for section in page.sections for line in section.lines}
    return given | defined


def _anchor(kind: str, name: str) -> str:
    """The id of a name's place, without the characters an id cannot have.

    >>> _anchor("eq", "crank.angle"), _anchor("in", "a b")
    ('eq-crank.angle', 'in-a_20_b')
    """
    return f"{kind}-" + re.sub(r"[^\w.-]", lambda found: f"_{ord(found[0]):x}_", name)


def _link(anchors: dict[str, str]) -> Link:
    def address(name: str) -> str | None:
        anchor = anchors.get(name)
        return None if anchor is None else f"#{anchor}"

    return address


# ---------------------------------------------------------------------------------------------- words


def _text(text: str) -> str:
    return escape(readable(text))


def _words(words: str, anchors: dict[str, str]) -> str:
    """Plain text as HTML, with marked names emphasised and, where they are known, linked.

    >>> _words("*P6* at c*d < 2 from *a*", {"a": "in-a"})
    '<em>P6</em> at c*d &lt; 2 from <em><a href="#in-a"><math><mi>a</mi></math></a></em>'
    """
    shown: list[str] = []
    pieces = _MARKED.split(readable(words))
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            shown.append(escape(piece))
        else:
            shown.append(f"<em>{_named(piece, anchors) if piece in anchors else escape(piece)}</em>")
    return "".join(shown)


def _named(name: str, anchors: dict[str, str]) -> str:
    """A name in running text: set as in the formulas, linked where it is known."""
    shown = f"<math>{mathml_name(readable(name))}</math>" if len(name) < LONG_NAME else _text(name)
    return f'<a href="#{escape(anchors[name])}">{shown}</a>' if name in anchors else shown


def _paragraphs(texts: Iterable[str], anchors: dict[str, str]) -> str:
    return "\n".join(f"<p>{_words(text, anchors)}</p>" for text in texts)


def _list(texts: Iterable[str], anchors: dict[str, str]) -> str:
    items = "\n".join(f"<li>{_words(text, anchors)}</li>" for text in texts)
    return f"<ul>\n{items}\n</ul>" if items else ""


def _contents(parts: list[tuple[str, str]]) -> str:
    links = [f'<a href="#part-{place}">{heading}</a>' for place, (heading, _) in enumerate(parts, 1)]
    return f'<nav aria-label="Contents">{" ".join(links)}</nav>' if len(links) > 2 else ""


def _construction(steps: Iterable[Step], anchors: dict[str, str]) -> str:
    items = []
    for step in steps:
        names = [_named(name, anchors) for name in step.defines if name in anchors]
        gives = f' <span class="aside">gives {", ".join(names)}</span>' if names else ""
        items.append(f"<li>{_words(step.words, anchors)}{gives}</li>")
    return "<ol>\n" + "\n".join(items) + "\n</ol>" if items else ""


def _figure(page: DerivationPage, anchors: dict[str, str]) -> str:
    """The picture as an image: what is inside it can neither run nor change the look of the page."""
    if not page.picture.strip():
        return ""
    picture = page.picture
    if "xmlns=" not in picture.partition(">")[0]:
        picture = picture.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    data = b64encode(picture.encode()).decode()
    caption = f"<figcaption>{_words(page.caption, anchors)}</figcaption>" if page.caption else ""
    name = escape(readable(page.caption.replace("*", "") or page.title))
    return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{name}">{caption}</figure>'


# ------------------------------------------------------------------------------------------- formulas


def _equations(lines: Iterable[Definition], anchors: dict[str, str], first: int, placed: set[str]) -> str:
    rows = []
    for number, line in enumerate(lines, first):
        anchor = anchors[line.name] if line.name not in placed else f"line-{number}"
        placed.add(line.name)
        rows.append(_equation(line, escape(anchor), number, _link(anchors)))
    return '<div class="equations">\n' + "\n".join(rows) + "\n</div>" if rows else ""


def _equation(line: Definition, anchor: str, number: int, link: Link) -> str:
    """One line: the form to be read, its number, and below it the explicit form where that differs."""

    def other_names(name: str) -> str | None:
        return None if name == line.name else link(name)

    left, right = line.equation
    cells = [
        *_sides(left, right, other_names),
        f'<div class="number"><a href="#{anchor}" aria-label="Equation {number}">({number})</a></div>',
    ]
    if line.explicit is None:
        cells.append('<div class="status">implicit: solved numerically</div>')
    elif left is not line.symbol or right is not line.explicit:
        cells += _sides(line.symbol, line.explicit, other_names, " explicit")
    wide = " wide" if len(shortened(left)) > WIDE_LEFT else ""
    return f'<div class="equation{wide}" id="{anchor}">\n' + "\n".join(cells) + "\n</div>"


def _sides(left: Expression, right: Expression, link: Link, kind: str = "") -> list[str]:
    return [
        f'<div class="left{kind}">{_formula(left, link)}</div>',
        f'<div class="equals{kind}"><math><mo>=</mo></math></div>',
        f'<div class="right{kind}">{_formula(right, link)}</div>',
    ]


def _formula(expression: Expression, link: Link) -> str:
    """The terms of a formula side by side: a line may end between two."""
    return "<wbr>".join(f'<math displaystyle="true">{term}</math>' for term in mathml_terms(expression, link))


# --------------------------------------------------------------------------------------------- tables


def _given_table(given: Iterable[Given], anchors: dict[str, str]) -> str:
    rows = []
    placed: set[str] = set()
    for name, meaning, value, unit in given:
        anchor = _anchor("in", name)
        own = f' id="{escape(anchor)}"' if anchor not in placed else ""
        placed.add(anchor)
        cells = f"<td><math>{mathml_name(readable(name))}</math></td><td>{_words(meaning, anchors)}</td>"
        rows.append(f'<tr{own}>{cells}<td class="value">{_text(value)}</td><td>{_text(unit)}</td></tr>')
    head = '<th scope="col">Symbol</th><th scope="col">Meaning</th>'
    return _table(head + '<th scope="col" class="value">Value</th><th scope="col">Unit</th>', rows)


def _results_table(results: Iterable[Result], anchors: dict[str, str], given: bool) -> str:
    rows = [
        f'<tr><td>{_named(name, anchors)}</td><td class="value">{_text(value)}</td><td>{_text(unit)}</td></tr>'
        for name, value, unit in results
    ]
    head = '<th scope="col">Symbol</th><th scope="col" class="value">Value</th><th scope="col">Unit</th>'
    words = "<p>For the given values the formulas yield:</p>\n" if given and rows else ""
    return words + _table(head, rows)


def _table(head: str, rows: list[str]) -> str:
    if not rows:
        return ""
    body = "\n".join(rows)
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _code_block(code: Code) -> str:
    language, text = code
    name = _LANGUAGES.get(language.casefold(), language)
    return (
        f'<details><summary>{_text(name)}</summary><div class="code">'
        f'<button type="button" hidden>Copy</button><pre><code>{escape(text)}</code></pre></div></details>'
    )
