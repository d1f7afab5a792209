"""Words a name may not be, each refused with a reason; words that only look forbidden, each accepted."""

from __future__ import annotations

import keyword
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from emit_agreement import check_or_refused
from emit_headers import library_names, macros
from emit_languages import (
    STRICT,
    build_c,
    cases_of,
    compile_c,
    joined_c,
    needs_compiler,
    needs_node,
    node,
    run_executable,
)

from linkwork.algebra import Definition, Table, minimum, symbol, symbols
from linkwork.emit import Program, print_c, print_javascript
from linkwork.errors import BadName

X, Y = symbols("x y")

# Written down here once more, from the standards, so that a word lost from the package's lists is missed.
C_WORDS = """auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union unsigned void
    volatile while""".split()
JAVASCRIPT_WORDS = """arguments await break case catch class const continue debugger default delete do else
    enum eval export extends false finally for function if implements import in instanceof interface let new
    null package private protected public return static super switch this throw true try typeof var void
    while with yield""".split()
ALGEBRA_WORDS = "sqrt sin cos tan asin acos atan exp log abs sign atan2 min max select pi deg".split()
WORDS = sorted({*C_WORDS, *JAVASCRIPT_WORDS, *keyword.kwlist, *ALGEBRA_WORDS})


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_any_language_names_nothing(word: str) -> None:
    """Not a quantity, an argument, a result or a function; the error says why and what instead."""
    attempts: list[Callable[[], object]] = [
        lambda: symbol(word),
        lambda: Definition.of(word, "x"),
        lambda: Program.of("f", {word: [X]}, {"r": X}),
        lambda: Program.of("f", [X], {word: X}),
        lambda: Program.of("f", [X], {word: [X]}),
        lambda: Program.of(word, [X], {"r": X}),
        lambda: Program.of_table(Table.of({"r": "x + 1"}), word),
    ]
    for attempt in attempts:
        with pytest.raises(BadName) as caught:
            attempt()
        assert caught.value.got == word
        assert caught.value.why.startswith("it ")
        assert f"{word}_" in caught.value.fix or "machine" in caught.value.fix


@pytest.mark.parametrize("word", sorted({*C_WORDS, *JAVASCRIPT_WORDS, *keyword.kwlist}))
def test_a_word_is_no_part_of_a_dotted_name(word: str) -> None:
    """crank.if would be no property in some language."""
    with pytest.raises(BadName):
        symbol(f"crank.{word}")


@pytest.mark.parametrize(
    "text", ["", " ", "1x", "a b", "a-b", "x y", "a'", 'a"', "a;", "a\n", "*/", "x)", "💥"]
)
def test_what_is_no_identifier_names_no_argument_and_no_function(text: str) -> None:
    """Nothing of a name reaches a program's text unless it is letters, digits and underscores."""
    attempts: list[Callable[[], object]] = [
        lambda: Program.of("f", {text: [X]}, {"r": X}),
        lambda: Program.of("f", [X], {text: X}),
        lambda: Program.of(text, [X], {"r": X}),
    ]
    for attempt in attempts:
        with pytest.raises(BadName) as caught:
            attempt()
        assert caught.value.fix.removeprefix("call it ").isidentifier()


@pytest.mark.parametrize("name", "_Bool _Complex __func__ __LINE__ __debug__ __proto__ a._B a.__b".split())
def test_names_that_languages_keep_for_themselves_are_refused(name: str) -> None:
    """C owns _X and __x, Python __debug__, JavaScript the property __proto__."""
    for attempt in (partial(symbol, name), lambda: Program.of("f", [X], {name: [X]})):
        with pytest.raises(BadName, match="cannot be the name"):
            attempt()


@pytest.mark.parametrize("name", ["a..b", "a.", ".a", "a.1b", "."])
def test_dots_stand_between_names(name: str) -> None:
    """What is no symbol is no argument either."""
    for attempt in (partial(symbol, name), lambda: Program.of("f", [X], {name: [X]})):
        with pytest.raises(BadName):
            attempt()


@needs_node
def test_every_word_that_javascript_refuses_is_refused_before(tmp_path: Path) -> None:
    """Among all words of the three languages, one we accept is accepted by node as a parameter."""
    words = sorted(
        {*C_WORDS, *JAVASCRIPT_WORDS, *keyword.kwlist, *keyword.softkwlist, "of", "get", "as", "meta"}
    )
    accepted = [word for word in words if _is_accepted(word)]
    assert accepted
    node("\n".join(f"export function f_{word}({word}) {{ return {word}; }}" for word in accepted), tmp_path)


def _is_accepted(word: str) -> bool:
    try:
        symbol(word)
    except BadName:
        return False
    return True


@needs_compiler
@pytest.mark.parametrize("flags", [STRICT, ()], ids=["strict C99", "as it comes"])
def test_no_macro_of_the_compiler_and_of_math_h_gets_in_the_way(
    flags: tuple[str, ...], tmp_path: Path
) -> None:
    """Every macro name that begins with a letter can be an input, a definition and a result."""
    names = [name for name in macros(*flags) if not name.startswith("_")]
    assert "INFINITY" in names
    leaves = symbols(names)
    inputs = Program.of("f", leaves, dict(zip(names, leaves, strict=True)))
    lines = [Definition.of(name, X + place) for place, name in enumerate(names)]
    defined = Program.of("f", [X], {name: symbol(name) for name in names}, lines)
    row = [float(place) for place in range(len(names))]
    cases = cases_of([inputs, defined], [[row], [[0.0]]])
    for found in run_executable(build_c(cases, tmp_path, strict=flags), cases, tmp_path):
        np.testing.assert_array_equal(found, [row])


FUNCTION_NAMES = ["f", "f_", "F", "x", "evaluate", "f1", "swing_rate", "a" * 150, "length"]


@needs_compiler
@needs_node
@pytest.mark.parametrize("name", FUNCTION_NAMES)
def test_a_function_has_the_name_that_was_asked_for(name: str, tmp_path: Path) -> None:
    """In C with its loop over rows, in JavaScript as an export, in Python as a function of a module."""
    program = Program.of(name, [X, Y], {"r": minimum(X, Y) + 1})
    main = f"int main(void) {{ double r; {name}(1, 2, &r); return r != 2; }}\n"
    subprocess.run([compile_c(print_c(program) + main, tmp_path, "-std=c99", "-Wall", "-Wextra")], check=True)
    called = f"console.log({name}(1, 2).r);\n"
    assert node(print_javascript(program) + called, tmp_path) == "2\n"


@needs_compiler
@needs_node
@pytest.mark.parametrize("name", "größe a.b np \u00b5 \ufb01x __debug__ Float64Array _f Object".split())
def test_a_name_that_one_language_cannot_have_is_refused(name: str, tmp_path: Path) -> None:
    """A dot, letters beyond ASCII, Python's np; or it is carried through all languages."""
    check_or_refused(lambda: Program.of(name, [X, Y], {"r": [X + Y]}), [1.0, 2.0], [3.0], tmp_path)


@needs_compiler
@pytest.mark.parametrize("flags", [STRICT, ("-Wall", "-Wextra", "-Werror")], ids=["C99", "as it comes"])
def test_a_function_of_the_c_library_is_refused_or_can_be_replaced(
    flags: tuple[str, ...], tmp_path: Path
) -> None:
    """Every name that a header of C declares or defines, as far as we accept it, compiles as a function."""
    names = library_names(*flags)
    assert {"floorf", "strlen", "double_t"} <= names
    programs = [
        Program.of(name, [X, Y], {"r": minimum(X, Y) + 1}) for name in sorted(names) if _can_be_called(name)
    ]
    compile_c(joined_c(programs) + "int main(void) { return 0; }\n", tmp_path, *flags)


def _can_be_called(name: str) -> bool:
    try:
        Program.of(name, [X], {"r": X})
    except BadName:
        return False
    return True
