"""Derivation pages: well formed, harmless, linked throughout, and readable in a browser and on paper."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork.algebra import Definition, Table, time_derivative
from linkwork.view.derivation import Code, DerivationPage, Given, Result, Section, Step, derivation_page
from strategies import tables

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
HOSTILE = "</script><script>window.struck = 1</script><img src=x onerror='window.struck = 2'>\"&"
PICTURE = '<svg viewBox="0 0 300 100" width="300" height="100"><path d="M10 90L290 90L150 10Z"/></svg>'
VOID = {"meta", "img", "wbr", "br", "link"}


def four_bar_table() -> Table:
    text = files("linkwork.examples").joinpath("four-bar-table.toml").read_text(encoding="utf-8")
    machine = tomllib.loads(text)
    lines = [
        Definition.of(name, **(given if isinstance(given, dict) else {"explicit": given}))
        for name, given in machine["definition"].items()
    ]
    return Table.of(lines, outputs=machine["outputs"])


def four_bar_page() -> DerivationPage:
    table = four_bar_table()
    rates = time_derivative(table, ["e"])
    values = table.evaluate({"a": 2, "b": 7, "c": 5, "d": 6, "e": 1.0471975511965976})
    return DerivationPage(
        title="Four-bar: the coupler's midpoint",
        introduction=("A crank of length *a* drives the rocker through the coupler.",),
        picture=PICTURE,
        caption="The linkage at *e* = 60°",
        construction=(
            Step("Construct a point *P2* at the origin."),
            Step(
                "Construct a point *P6* at the distance *c* from *P1* and *d* from *P4*.",
                ("P6d", "P6c", "P6e", "P6x", "P6y"),
            ),
            Step("Construct a point *P9* halfway from *P4* to *P6*.", ("P9x", "P9y", "P9z")),
        ),
        assumptions=("*a*, *b*, *c* and *d* are positive.",),
        given=(
            Given("a", "length of the crank", "2", "cm"),
            Given("b", "length of the frame", "7", "cm"),
            Given("c", "length of the rocker", "5", "cm"),
            Given("d", "length of the coupler", "6", "cm"),
            Given("e", "angle of the crank", "60", "°"),
            Given("V_e", "speed of the crank", "1", "rad/s"),
        ),
        sections=(
            Section("Position", table.definitions),
            Section("Velocity", tuple(line for line in rates if line.name not in table)),
        ),
        results=tuple(Result(name, f"{value:.4f}", "cm") for name, value in values.items()),
        code=(Code("c", "double f(double x)\n{\n    return x < 2 && x > 1;\n}\n"), Code("python", "x = 1\n")),
        notes=("Rates follow from the implicit forms.",),
    )


class Outline(HTMLParser):
    """The elements of a page: that they close in order, their ids, addresses and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        found = dict(attributes)
        self.ids += [value for key, value in attributes if key == "id" and value]
        self.addresses += [str(found[key]) for key in ("href", "src") if key in found]
        assert not any(key.startswith("on") for key in found)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text += data


def check(page: str) -> Outline:
    """Closed elements, no id twice, and every address in the page itself and really there."""
    outline = Outline(page)
    assert len(set(outline.ids)) == len(outline.ids)
    for address in outline.addresses:
        if not address.startswith("data:image/svg+xml;base64,"):
            assert address.startswith("#")
            assert address[1:] in outline.ids
    return outline


def equation(page: str, name: str) -> str:
    found = re.search(rf'<div class="equation[^"]*" id="eq-{name}">(.*?)\n</div>', page, re.DOTALL)
    assert found, name
    return found[1]


def test_every_part_is_there_in_order() -> None:
    outline = check(derivation_page(four_bar_page()))
    headings = "Construction Assumptions Given Position Velocity Numeric Code Notes".split()
    places = [outline.text.rindex(f"\n{heading}") for heading in headings]
    assert places == sorted(places)
    for words in ("at the distance", "length of the coupler", "6.2450", "return x < 2 && x > 1;", "60°"):
        assert words in outline.text


def test_a_page_of_nothing_but_a_title() -> None:
    page = derivation_page(DerivationPage(""))
    assert check(page).tags.count("section") == 0
    assert "<title>Derivation</title>" in page


def test_names_lead_to_what_they_mean() -> None:
    """Definitions at their line, inputs in the table of what is given, and a line does not link to itself."""
    page = derivation_page(four_bar_page())
    line = equation(page, "P6x")
    assert {'href="#eq-P6d"', 'href="#eq-P6c"', 'href="#in-a"', 'href="#in-e"'} <= set(
        re.findall(r'href="[^"]*"', line)
    )
    assert line.count("#eq-P6x") == 1  # its own number
    assert 'href="#eq-P9z"' not in page  # a construction may define what was eliminated


def test_implicit_and_explicit_forms() -> None:
    """Both are shown where they differ, one where they do not, and what has no explicit form is said."""
    page = derivation_page(four_bar_page())
    assert equation(page, "P6d").count('class="right explicit"') == 1
    assert "<msqrt>" in equation(page, "P6d")
    assert "explicit" not in equation(page, "P6c")
    line = Definition.of("u", implicit="cos(u) + u*k = 1")
    assert line.explicit is None
    alone = derivation_page(DerivationPage("u", sections=(Section("One", (line,)),)))
    assert "solved numerically" in equation(alone, "u")


def test_lines_are_numbered_through_and_repeated_ones_keep_the_anchors_unique() -> None:
    lines = four_bar_table().definitions
    sections = (Section("First", lines), Section("Again", lines))
    page = derivation_page(DerivationPage("Twice", sections=sections))
    check(page)
    assert re.findall(r">\((\d+)\)</a>", page) == [str(place) for place in range(1, 2 * len(lines) + 1)]


def test_marked_names_and_mere_stars() -> None:
    words = "*P6* has 2*a*b and a * b * c, **no** and *two words*, (*L3*)."
    page = derivation_page(DerivationPage("Words", introduction=(words,)))
    assert re.findall(r"<em>(.*?)</em>", page) == ["P6", "two words", "L3"]
    assert "2*a*b and a * b * c, **no**" in page


def test_hostile_text_is_shown_not_run() -> None:
    """Whatever a file may call its parts, the page holds only the elements it means to."""
    page = derivation_page(
        DerivationPage(
            *(HOSTILE, (HOSTILE, f"*{HOSTILE}*"), f"<svg><title>{HOSTILE}</title></svg>", HOSTILE),
            construction=(Step(HOSTILE, (HOSTILE,)),),
            assumptions=(HOSTILE,),
            given=(Given(HOSTILE, HOSTILE, HOSTILE, HOSTILE), Given("a\x00\n b")),
            sections=(Section(HOSTILE, (Definition.of("x", "y"),)),),
            results=(Result(HOSTILE, HOSTILE, HOSTILE),),
            code=(Code(HOSTILE, HOSTILE),),
            notes=(HOSTILE,),
        )
    )
    outline = check(page)
    assert outline.tags.count("script") == 1
    assert outline.tags.count("img") == 1
    assert outline.text.count("window.struck = 1") > 10


def test_no_network_and_the_same_every_time() -> None:
    page = derivation_page(four_bar_page())
    assert page == derivation_page(four_bar_page())
    assert "://" not in page
    assert "default-src 'none'" in page
    assert len(page) < 100_000


@settings(max_examples=30)
@given(tables(most=8), st.text(max_size=30), st.text(max_size=30))
def test_any_table_and_any_words(table: Table, words: str, name: str) -> None:
    page = DerivationPage(
        *(words, (words,)),
        construction=(Step(words, (name, "u0")),),
        given=tuple(Given(each, words) for each in (*table.inputs, name)),
        sections=(Section(words, table.definitions),),
        results=(Result("u0", words), Result(name, words)),
        code=(Code(name, words),),
    )
    check(derivation_page(page))


# ---- In the browser -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


Show = Callable[..., Any]


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Show]:
    """Opens a page; nothing may be complained of, and nothing asked of a network."""
    complaints: list[str] = []
    contexts = []

    def open_page(page: DerivationPage, **options: Any) -> Any:
        file = tmp_path / "page.html"
        file.write_text(derivation_page(page), encoding="utf-8")
        context = browser.new_context(
            viewport=options.pop("viewport", {"width": 900, "height": 600}), **options
        )
        contexts.append(context)
        shown = context.new_page()
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "data:")) else complaints.append(request.url)
            ),
        )
        shown.goto(file.as_uri())
        return shown

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def is_in_view(shown: Any, anchor: str) -> bool:
    box = shown.locator(f"#{anchor}").bounding_box()
    return bool(box and 0 <= box["y"] <= shown.viewport_size["height"] - 20)


@pytest.mark.parametrize(("line", "name"), [("V_P6y", "eq-P6e"), ("V_P9y", "in-e"), ("P6e", "in-c")])
@pytest.mark.parametrize("script", [True, False])
def test_a_click_on_a_name_arrives_at_its_definition(line: str, name: str, script: bool, show: Show) -> None:
    """With the script and without it."""
    shown = show(four_bar_page(), java_script_enabled=script)
    shown.locator(f'#eq-{line} a[href="#{name}"]').first.click()
    assert shown.url.endswith(f"#{name}")
    assert is_in_view(shown, name)
    shown.go_back()
    assert "#" not in shown.url


def test_names_are_reached_by_the_keyboard(show: Show) -> None:
    shown = show(four_bar_page())
    shown.locator('#eq-P9y a[href="#eq-P6y"]').focus()
    shown.keyboard.press("Enter")
    assert shown.url.endswith("#eq-P6y")
    assert is_in_view(shown, "eq-P6y")


def test_hovering_shows_the_formula(show: Show) -> None:
    """A definition shows its equation, an input its meaning and value; leaving hides it."""
    shown = show(four_bar_page())
    tip = shown.locator("[role=tooltip]")
    assert not tip.is_visible()
    for name, words in (("eq-P6e", "P6e"), ("in-b", "b = 7 cm, length of the frame")):
        shown.locator(f'#eq-P6x a[href="#{name}"]').first.hover()
        assert tip.is_visible()
        assert words in tip.text_content()
        box = tip.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 900
        shown.mouse.move(1, 1)
        assert not tip.is_visible()


def test_equals_signs_are_aligned(show: Show) -> None:
    """In each section, explicit forms included."""
    shown = show(four_bar_page())
    for place in range(2):
        signs = shown.locator(".equations").nth(place).locator(".equals:not(.explicit) math")
        lefts = [sign.bounding_box()["x"] for sign in signs.all()]
        assert len(lefts) == 7
        assert max(lefts) - min(lefts) < 1


@pytest.mark.parametrize("width", [320, 390, 900, 1600])
def test_nothing_sticks_out(width: int, show: Show) -> None:
    """Not even formulas of many terms, long names, code without spaces or a wide picture."""
    terms = " + ".join(f"mass_{k}*(speed_{k} - rate_{k})^2*sin(angle_{k})" for k in range(30))
    lines = (
        Definition.of("energy", f"({terms})/(2*length)"),
        Definition.of("root", f"sqrt({terms})"),
        Definition.of("u", implicit=f"cos(u) + u*({terms}) = 1"),
        Definition.of("a" * 150, "x"),
    )
    page = four_bar_page()
    wide = DerivationPage(
        *("W" * 200, ("w" * 400,), PICTURE.replace("300", "3000"), "c" * 300),
        construction=(Step("s" * 300, ("a" * 150, "root")),),
        given=(Given("g" * 90, "m" * 200, "1" * 80, "unit"), *page.given),
        sections=(Section("h" * 300, lines), *page.sections),
        code=(Code("c", "x" * 2000),),
    )
    shown = show(wide, viewport={"width": width, "height": 700})
    assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_wide_formulas_are_printed_smaller(show: Show) -> None:
    """On paper nothing can be scrolled: a root wider than the sheet shrinks, other lines keep their size."""
    terms = " + ".join(f"mass_{k}*speed_{k}^2" for k in range(10))
    page = four_bar_page()
    lines = Section("Root", (Definition.of("root", f"sqrt({terms})"),))
    shown = show(
        DerivationPage("Paper", sections=(*page.sections, lines)), viewport={"width": 660, "height": 900}
    )
    shown.emulate_media(media="print")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 660
    size = "getComputedStyle(document.querySelector('#eq-{} .right')).fontSize"
    assert float(shown.evaluate(size.format("root"))[:-2]) < float(shown.evaluate(size.format("P6c"))[:-2])


def test_long_sums_are_broken_into_lines(show: Show) -> None:
    terms = " + ".join(f"m_{k}*v_{k}^2" for k in range(30))
    page = DerivationPage("Long", sections=(Section("One", (Definition.of("T", f"({terms})/2"),)),))
    right = show(page, viewport={"width": 500, "height": 700}).locator(".right")
    assert right.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert right.bounding_box()["height"] > 100


def test_code_is_folded_copied_and_printed(show: Show) -> None:
    shown = show(four_bar_page(), permissions=["clipboard-read", "clipboard-write"])
    first = shown.locator("details").first
    assert not first.locator("pre").is_visible()
    first.locator("summary").click()
    first.locator("button").click()
    first.locator("button", has_text="Copied").wait_for()  # the page's policy forbids to poll by eval
    assert shown.evaluate("navigator.clipboard.readText()") == four_bar_page().code[0].text
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.locator("details[open]").count() == 2
    shown.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.locator("details[open]").count() == 1


def test_the_picture_is_shown_and_cannot_run(show: Show) -> None:
    picture = PICTURE.replace("</svg>", "<script>window.top.struck = 1</script></svg>")
    shown = show(DerivationPage("Picture", picture=picture))
    assert shown.evaluate("document.querySelector('img').naturalWidth") == 300
    assert shown.evaluate("window.struck") is None


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_light_and_dark(scheme: str, dark: bool, show: Show) -> None:
    shown = show(four_bar_page(), color_scheme=scheme)
    colour = "getComputedStyle(document.body).backgroundColor"
    assert (shown.evaluate(colour) != "rgb(255, 255, 255)") is dark
    shown.emulate_media(media="print", color_scheme=scheme)
    assert shown.evaluate(colour) == "rgb(255, 255, 255)"


@pytest.mark.parametrize(
    "name", ["truss", "spring-mass-damper-arm", "crank-piston", "k33", "four-bar-drawing"]
)
def test_pictures_of_drawings_hold_all_their_letters(name: str) -> None:
    """Every label is within the picture, every point has its name, and the picture is well-formed."""
    from linkwork import derive, load
    from linkwork.view.dimensioned import drawing_png, drawing_svg, layout_of, painted
    from linkwork.view.primitive import Text

    derivation = derive(load(name), tidy=False)
    layout = layout_of(derivation)
    assert layout is not None
    texts = [
        each for each in painted(derivation.machine.drawing, layout, (640, 400)) if isinstance(each, Text)
    ]
    assert {*derivation.construction.drawing.points} <= {each.text for each in texts}
    assert all(0 <= each.at.real <= 640 for each in texts)
    ElementTree.fromstring(drawing_svg(derivation))
    assert drawing_png(derivation)[1:4] == b"PNG"
