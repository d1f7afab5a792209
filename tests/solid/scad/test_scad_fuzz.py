"""Whatever a text says, it is a solid or an error of ours: no other exception, and an end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from linkwork.solid import Solid
from linkwork.solid.scad import ScadError, limits, read_scad

HERE = Path(__file__).parent
TEXTS = [path.read_text() for path in sorted(HERE.glob("*/*.scad")) if "use <" not in path.read_text()]
DUMPS = [path.read_text() for path in sorted(HERE.glob("models/*.csg"))]
WORDS = sorted({word for text in TEXTS for word in text.replace("(", " ( ").replace(",", " , ").split()})
PIECES = [
    *"()[]{};,.=+-*/%^<>!?:&|#$\"'\\",
    *"for if else let each module function true false undef include use <a.scad> cube sphere cylinder".split(),
    *"translate rotate scale mirror hull minkowski offset polygon circle square linear_extrude".split(),
    *"rotate_extrude resize multmatrix union difference intersection children echo assert $fn $children".split(),
    *'0 1 -1 3 1e9 1e-9 1e308 0.5 1/0 0/0 [] [1,2,3] [0:1] [0:1e9] [[0,0],[1,0],[0,1]] "a" x y f(x)'.split(),
    "//\n",
    "/*",
    "*/",
    " ",
    "\n",
]


@contextmanager
def low_limits() -> Iterator[None]:
    """Limits at which a bomb ends soon."""
    with (
        patch.object(limits, "MOST_STEPS", 20_000),
        patch.object(limits, "MOST_SHAPES", 500),
        patch.object(limits, "MOST_MAKING", 300_000),
    ):
        yield


def is_read(text: str) -> None:
    """A text is read, or refused with a place in it."""
    found: Solid | ScadError
    with low_limits():
        try:
            found = read_scad(text)
        except ScadError as error:
            found = error
    if isinstance(found, Solid):
        assert not found.is_empty
    else:
        assert found.problem
        assert 1 <= found.line <= text.count("\n") + 1, str(found)
        assert found.column >= 1


@given(st.text(max_size=200))
def test_any_characters(text: str) -> None:
    """Any characters."""
    is_read(text)


@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    """Any bytes, as a file may have them."""
    is_read(content.decode("utf-8", errors="replace"))


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@example(["cube", "(", "1", ")"])
def test_any_words(pieces: list[str]) -> None:
    """Words of the language in any order."""
    is_read(" ".join(pieces))


@given(st.data())
def test_texts_with_a_piece_missing(data: st.DataObject) -> None:
    """Models and dumps from which something was cut."""
    text = data.draw(st.sampled_from(TEXTS + DUMPS))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    is_read(text[:start] + text[end:])


@given(st.data())
def test_texts_that_end_early(data: st.DataObject) -> None:
    """Models and dumps that end anywhere."""
    text = data.draw(st.sampled_from(TEXTS + DUMPS))
    is_read(text[: data.draw(st.integers(0, len(text)))])


@given(st.data())
def test_texts_with_other_words(data: st.DataObject) -> None:
    """Models in which some words are replaced by others."""
    words = data.draw(st.sampled_from(TEXTS + DUMPS)).split(" ")
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(words) - 1))
        words[place] = data.draw(st.sampled_from(PIECES + WORDS))
    is_read(" ".join(words))


# ------------------------------------------------------------------------- texts that are well formed

ODD = ["0", "-1", "1e-9", "1e9", "1/0", "0/0", "undef", '"a"', "true", "1e-12"]
sizes = st.integers(1, 12).map(str)
numbers = st.one_of(
    sizes,
    st.integers(-10, 10).map(lambda number: str(number / 2)),
    st.integers(-12, 12).map(lambda number: str(15 * number)),
    st.floats(0.1, 10).map(lambda number: f"{number:.6g}"),
    st.integers(0, 40).flatmap(lambda odd: st.sampled_from(ODD) if odd == 0 else sizes),
)
vectors = st.one_of(
    st.tuples(numbers, numbers, numbers).map(lambda each: f"[{', '.join(each)}]"),
    st.tuples(numbers, numbers).map(lambda each: f"[{', '.join(each)}]"),
)
values = st.one_of(numbers, vectors)
flat = st.one_of(
    values.map(lambda each: f"square({each}, true);"),
    st.tuples(sizes, sizes).map(lambda each: f"square([{', '.join(each)}]);"),
    sizes.map(lambda each: f"circle({each});"),
    st.tuples(sizes, st.integers(1, 30)).map(lambda each: f"circle({each[0]}, $fn = {each[1]});"),
    st.lists(vectors, min_size=2, max_size=6).map(lambda each: f"polygon([{', '.join(each)}]);"),
)


def changed(shapes: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Plane shapes or solids, changed and combined."""
    word = st.sampled_from(["translate", "rotate", "scale", "mirror", "resize"])
    several = st.sampled_from(["union", "difference", "intersection", "hull", "minkowski"])
    return st.one_of(
        st.tuples(word, values, shapes).map(lambda each: f"{each[0]}({each[1]}) {each[2]}"),
        st.tuples(several, shapes, shapes).map(lambda each: f"{each[0]}() {{ {each[1]} {each[2]} }}"),
        st.tuples(numbers, shapes).map(lambda each: f"for (i = [0:{each[0]}]) {each[1]}"),
    )


def changed_outline(shapes: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Plane shapes, changed, combined and offset."""
    word = st.sampled_from(["r", "delta", "chamfer = true, delta"])
    offset = st.tuples(word, numbers, shapes).map(lambda each: f"offset({each[0]} = {each[1]}) {each[2]}")
    return changed(shapes) | offset


outlines = st.recursive(flat, changed_outline, max_leaves=5)
drawn = st.one_of(
    st.tuples(values, outlines).map(lambda each: f"linear_extrude(height = 3, scale = {each[0]}) {each[1]}"),
    st.tuples(sizes, outlines).map(lambda each: f"linear_extrude(height = {each[0]}, twist = 30) {each[1]}"),
    st.tuples(sizes, outlines).map(lambda each: f"linear_extrude(height = {each[0]}) {each[1]}"),
    st.tuples(numbers, outlines).map(
        lambda each: f"rotate_extrude(angle = {each[0]}) translate([30, 0]) {each[1]}"
    ),
    st.tuples(st.integers(1, 40), outlines).map(
        lambda each: f"rotate_extrude($fn = {each[0]}) translate([30, 0]) {each[1]}"
    ),
)
simple = st.one_of(
    values.map(lambda each: f"cube({each});"),
    st.tuples(sizes, sizes, sizes).map(lambda each: f"cube([{', '.join(each)}]);"),
    st.tuples(sizes, sizes, numbers).map(lambda each: f"cylinder({', '.join(each)});"),
    st.tuples(sizes, st.integers(1, 30)).map(lambda each: f"sphere({each[0]}, $fn = {each[1]});"),
    st.tuples(st.integers(1, 50), sizes).map(
        lambda each: f"involute_gear({each[0]}, modul = {each[1]}, h = 2);"
    ),
)
solids = st.recursive(st.one_of(simple, drawn), changed, max_leaves=5)


@given(st.lists(solids, min_size=1, max_size=3))
def test_any_shapes(shapes: list[str]) -> None:
    """Shapes with all sorts of numbers, changed and combined in all sorts of ways."""
    is_read("\n".join(shapes))
