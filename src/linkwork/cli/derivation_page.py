"""The page of a derivation: what a sheet holds, in the order in which a reader wants it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkwork.algebra import Definition
from linkwork.cli.meaning import meaning
from linkwork.emit import print_c, print_javascript, print_python
from linkwork.view.derivation import Code, DerivationPage, Given, Result, Section, Step, derivation_page

if TYPE_CHECKING:
    from linkwork.cli.derivation import Sheet

NAME = re.compile(r"[^\W\d]\w*")
_IN_WORDS = re.compile(r"(?<![\w-])(?!a (?:point|line|frame)\b)[^\W\d]\w*(?![\w-])")
"""A word that may be a name: not the article of "a point", not the axis of "x-axis"."""


def page_of(sheet: Sheet, name: str) -> str:
    """The page as HTML."""
    machine = sheet.machine
    program = sheet.program(name)
    page = DerivationPage(
        title=machine.title or machine.name,
        introduction=_introduction(sheet),
        picture=_picture(sheet),
        caption="The drawing with its dimensions, for the values of the example.",
        construction=_construction(sheet),
        assumptions=_assumptions(sheet),
        given=tuple(
            Given(each, marked(meaning(sheet.machine, each), sheet), _number(sheet, each), sheet.unit(each))
            for each in sheet.table.inputs
        ),
        sections=tuple(Section(heading, tuple(lines)) for heading, lines in _sections(sheet) if lines),
        results=tuple(
            Result(each, _number(sheet, each), sheet.unit(each))
            for each in sheet.table.outputs
            if each in sheet.values
        ),
        code=(
            Code("c", print_c(program)),
            Code("python", print_python(program)),
            Code("javascript", print_javascript(program)),
        ),
        notes=tuple(each.removeprefix("note: ") for each in sheet.notes()),
    )
    return derivation_page(page)


def _positive(lengths: list[str]) -> str:
    shown = ", ".join(f"*{name}*" for name in lengths)
    return f"The length {shown} is positive." if len(lengths) == 1 else f"The lengths {shown} are positive."


def marked(words: str, sheet: Sheet) -> str:
    """Words with the names in them marked, so that they are set like names."""
    drawing = sheet.machine.drawing
    if drawing is None:
        return words
    names = {*drawing.points, *drawing.all_lines, *drawing.circles, *sheet.table.inputs}
    return _IN_WORDS.sub(lambda word: f"*{word[0]}*" if word[0] in names else word[0], words)


def _number(sheet: Sheet, name: str) -> str:
    return f"{sheet.values[name]:.8g}" if name in sheet.values else ""


def _introduction(sheet: Sheet) -> tuple[str, ...]:
    table = sheet.table
    wanted = ", ".join(f"*{name}*" for name in table.outputs)
    given = ", ".join(f"*{name}*" for name in table.inputs)
    return (f"Wanted: {wanted}. Given: {given or 'nothing'}.",)


def _picture(sheet: Sheet) -> str:
    if sheet.derivation is None:
        return ""
    from linkwork.view.dimensioned import drawing_svg

    return drawing_svg(sheet.derivation)


def _construction(sheet: Sheet) -> tuple[Step, ...]:
    if sheet.derivation is None:
        return ()
    shown = {line.name for line in sheet.table}
    return tuple(
        Step(marked(step.words, sheet), tuple(each for each in step.defines if each in shown))
        for step in sheet.derivation.construction.steps
    )


def _assumptions(sheet: Sheet) -> tuple[str, ...]:
    if sheet.derivation is None:
        return ()
    construction = sheet.derivation.construction
    lengths = [
        str(each.value)
        for each in construction.drawing.constraints.values()
        if each.word in ("distance", "radius") and NAME.fullmatch(str(each.value))
    ]
    found = [_positive(list(dict.fromkeys(lengths)))] if lengths else []
    roots = [
        line.name for line in sheet.table if line.implicit is not None and line.implicit[0] is line.symbol**2
    ]
    if roots:
        found.append(
            f"Of each square root the positive value is taken: {', '.join(f'*{name}*' for name in roots)}."
        )
    return (*found, *(marked(each, sheet) for each in construction.assumptions))


def _sections(sheet: Sheet) -> list[tuple[str, list[Definition]]]:
    """The lines by what they are about: geometry, motion, and what was asked for."""
    outputs = {*sheet.table.outputs}
    motion = ("V_", "A_", "C_", "a_", "K_", "G_", "b_", "load_", "inertia_")
    geometry, rates, results = [], [], []
    for line in sheet.table:
        if line.name in outputs:
            results.append(line)
        elif line.name.startswith(motion) or "_by_" in line.name or "_per_" in line.name:
            rates.append(line)
        else:
            geometry.append(line)
    return [("Geometry", geometry), ("Derivatives and motion", rates), ("Result", results)]
