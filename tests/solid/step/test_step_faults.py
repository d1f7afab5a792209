"""Broken STEP files: each fault is told with its line, its record, and a cure."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from step_writer import StepWriter

from linkwork.solid import Placement
from linkwork.solid.step import StepError, read_step
from linkwork.solid.step.record import DEEPEST, StepFile
from linkwork.solid.step.text import StepText

GOLDEN = Path(__file__).parents[2] / "golden" / "step_faults.txt"


def plate() -> str:
    writer = StepWriter()
    part = writer.product("plate", [writer.block((12, 8, 2), holes=[(3, 3, 1.0)])])
    writer.put(writer.product("top"), part, "plate:1", Placement.shift((1, 2, 3)))
    return str(writer)


def without(kind: str) -> Callable[[], str]:
    """The plate's file without the first record of a kind."""
    return lambda: re.sub(rf"#\d+={kind}\(.*\);\n", "", plate(), count=1)


def instead(pattern: str, other: str, count: int = 1) -> Callable[[], str]:
    """The plate's file with something replaced."""
    return lambda: re.sub(pattern, other, plate(), count=count)


def circle_of_assemblies() -> str:
    writer = StepWriter()
    part = writer.product("part", [writer.block((1, 1, 1))])
    first, second = writer.product("first"), writer.product("second")
    top = writer.product("top")
    for parent, child in ((top, first), (first, second), (second, first), (first, part)):
        writer.put(parent, child, "inner")
    return str(writer)


def all_in_a_circle() -> str:
    writer = StepWriter()
    first, second = writer.product("first", [writer.block((1, 1, 1))]), writer.product("second")
    writer.put(first, second, "a")
    writer.put(second, first, "b")
    return str(writer)


def a_circle_beside_a_part() -> str:
    writer = StepWriter()
    writer.product("part", [writer.block((1, 1, 1))])
    own = writer.product("own", [writer.block((1, 1, 1))])
    writer.put(own, own, "a")
    return str(writer)


def mapped_in_a_circle() -> str:
    writer = StepWriter()
    part = writer.product("part", [writer.block((1, 1, 1))])
    text = str(writer)
    number = int(part.representation[1:])
    item = len(writer.records) + 1
    own = [
        f"#{item}=REPRESENTATION_MAP({part.origin},{part.representation});",
        f"#{item + 1}=MAPPED_ITEM('',#{item},{part.origin});",
    ]
    text = text.replace(
        f"#{number}=SHAPE_REPRESENTATION('part',(", f"#{number}=SHAPE_REPRESENTATION('part',(#{item + 1},"
    )
    return text.replace("\nENDSEC;\nEND-ISO", "\n" + "\n".join(own) + "\nENDSEC;\nEND-ISO")


def many_in_few() -> str:
    """Assemblies of two of the next, forty deep."""
    writer = StepWriter()
    inner = writer.product("part", [writer.block((1, 1, 1))])
    for depth in range(40):
        outer = writer.product(f"level {depth}")
        for side in ("left", "right"):
            writer.put(outer, inner, side)
        inner = outer
    return str(writer)


def units_in_a_circle() -> str:
    text = StepWriter("inch")
    text.product("block", [text.block((1, 1, 1))])
    return re.sub(r"(LENGTH_MEASURE_WITH_UNIT\(LENGTH_MEASURE\(25.4\),)#\d+", r"\1#4", str(text))


def only_curves() -> str:
    writer = StepWriter()
    curve = writer.add(f"CIRCLE('',{writer.placement((0, 0, 0))},3.)")
    writer.product("wire", [writer.add(f"GEOMETRIC_CURVE_SET('',({curve}))")])
    return str(writer)


def parts_elsewhere() -> str:
    writer = StepWriter()
    writer.put(writer.product("top"), writer.product("leg"), "leg:1")
    writer.add("DOCUMENT_FILE('leg.stp','','',#1,'',$)")
    return str(writer)


def splined() -> str:
    """A spline with too few knots where the plate has a circle."""
    return re.sub(
        r"CIRCLE\('',#\d+,1\.0\)",
        "B_SPLINE_CURVE_WITH_KNOTS('',2,(#20,#21,#22),.UNSPECIFIED.,.F.,.F.,(3,2),(0.,1.),.UNSPECIFIED.)",
        re.sub(r"#(20|21|22)=.*\n", r"#\1=CARTESIAN_POINT('',(0.,0.,0.));\n", plate()),
        count=1,
    )


def saddle() -> str:
    """A surface over four corners that are not in one plane, where the plate has a cylinder."""
    writer = StepWriter()
    a, b, c, d = (writer.point(each) for each in ((0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 0)))
    writer.product("plate", [writer.block((12, 8, 2), holes=[(3, 3, 1.0)])])
    surface = f"BEZIER_SURFACE('',1,1,(({a},{b}),({c},{d})),.UNSPECIFIED.,.F.,.F.,.F.)"
    return re.sub(r"CYLINDRICAL_SURFACE\([^)]*\)", surface, str(writer), count=1)


FAULTS: dict[str, Callable[[], str]] = {
    "an empty file": lambda: "\n",
    "another file": lambda: "solid cube\nfacet normal 0 0 1\n",
    "an IFC file": lambda: plate().replace("AUTOMOTIVE_DESIGN", "IFC4"),
    "cut off in the data": lambda: plate()[: plate().index("#100=") + 20],
    "cut off before the end": lambda: plate().replace("END-ISO-10303-21;", ""),
    "no data": lambda: re.sub(r"DATA;.*ENDSEC;\n(?=END)", "", plate(), flags=re.DOTALL),
    "a text that does not end": lambda: plate().replace("'plate'", "'plate", 1),
    "a record twice": lambda: plate().replace("#40=", "#39="),
    "no record": lambda: plate().replace("#40=", "40 ="),
    "a missing point": without("CARTESIAN_POINT"),
    "a missing edge": without("EDGE_CURVE"),
    "a missing face": without("ADVANCED_FACE"),
    "a missing product": without("PRODUCT"),
    "a missing context": without(r"\(GEOMETRIC_REPRESENTATION_CONTEXT"),
    "too few arguments": instead(r"(VERTEX_POINT\('')[^)]*", r"\1"),
    "a record of another kind": instead(r"(VERTEX_POINT\('',)#\d+", r"\1#2"),
    "a word for a number": instead(r"(CYLINDRICAL_SURFACE\('',#\d+,)1\.0", r"\1.T."),
    "a number too large": instead(r"(CARTESIAN_POINT\('',\()0,", r"\g<1>1E999,"),
    "a point at the end of the world": instead(r"(CARTESIAN_POINT\('',\()0,", r"\g<1>1E300,"),
    "a radius below zero": instead(r"(CYLINDRICAL_SURFACE\('',#\d+,)1\.0", r"\1-1.0"),
    "a direction of no length": instead(r"DIRECTION\('',\([^)]*\)", "DIRECTION('',(0.,0.,0.)"),
    "an edge beside its face": instead(r"(CYLINDRICAL_SURFACE\('',#\d+,)1\.0", r"\g<1>1.5"),
    "edges that do not follow": instead(r"(EDGE_LOOP\('',\(#\d+),#\d+", r"\1"),
    "an open solid": instead(r"(CLOSED_SHELL\('',\(#\d+),#\d+", r"\1"),
    "no faces": instead(r"CLOSED_SHELL\('',\([^)]*\)", "CLOSED_SHELL('',()"),
    "a bracket too many": instead(r"VERTEX_POINT\('',", "VERTEX_POINT((('',"),
    "a comma too many": instead(r"VERTEX_POINT\('',", "VERTEX_POINT(,'',"),
    "brackets without end": instead(r"VERTEX_POINT\(''", "VERTEX_POINT(" + "(" * 10 * DEEPEST),
    "a free-form surface": saddle,
    "a broken surface of splines": instead(r"CYLINDRICAL_SURFACE\(", "B_SPLINE_SURFACE_WITH_KNOTS("),
    "an unknown surface": instead(r"CYLINDRICAL_SURFACE\(", "OFFSET_SURFACE("),
    "an unknown curve": instead(r"CIRCLE\(", "CLOTHOID("),
    "a broken spline": splined,
    "no unit": lambda: plate().replace("LENGTH_UNIT()", "MASS_UNIT()"),
    "an unknown unit": lambda: plate().replace("SI_UNIT(.MILLI.,.METRE.)", "CONTEXT_DEPENDENT_UNIT('ell')"),
    "a unit that measures time": lambda: plate().replace(".MILLI.,.METRE.", ".MILLI.,.SECOND."),
    "an unknown prefix": lambda: plate().replace(".MILLI.", ".GIANT."),
    "units in a circle": units_in_a_circle,
    "assemblies in a circle": circle_of_assemblies,
    "only assemblies in a circle": all_in_a_circle,
    "an assembly that is in itself, beside a part": a_circle_beside_a_part,
    "representations in a circle": mapped_in_a_circle,
    "a million million parts": many_in_few,
    "only curves": only_curves,
    "parts in other files": parts_elsewhere,
}


@pytest.fixture(autouse=True)
def _without_occt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words are those of our own reader."""
    monkeypatch.setattr("linkwork.solid.step.read.is_there", lambda: False)


@cache
def told(case: str) -> StepError:
    with pytest.raises(StepError) as caught:
        read_step(FAULTS[case]())
    return caught.value


@pytest.mark.parametrize("case", FAULTS)
def test_faults_have_a_line_and_a_cure(case: str) -> None:
    error = told(case)
    assert error.line >= 1
    assert error.got
    assert error.fix
    assert error.exit_code == 3
    if error.entity:
        assert re.match(rf"#{error.entity}\s*=", FAULTS[case]().splitlines()[error.line - 1])


def test_the_words_of_every_fault() -> None:
    """The messages are part of the product: read the difference before you accept it."""
    shown = "".join(f"--- {case}\n{told(case)}\n" for case in FAULTS)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(shown, "utf-8")
    assert shown == GOLDEN.read_text("utf-8")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name in (tmp_path / "no.step", tmp_path, "a\0b"):
        with pytest.raises(StepError, match="cannot be read"):
            read_step(name)
    (tmp_path / "empty.step").write_bytes(b"")
    with pytest.raises(StepError, match=r"empty\.step:1: this is no STEP file"):
        read_step(tmp_path / "empty.step")
    (tmp_path / "binary.step").write_bytes(bytes(range(256)) * 10)
    with pytest.raises(StepError, match="this is no STEP file"):
        read_step(tmp_path / "binary.step")


def test_units_must_be_known() -> None:
    with pytest.raises(StepError, match="is no unit of length"):
        read_step(plate(), unit="furlong")
    with pytest.raises(StepError, match="is no unit of length"):
        read_step(plate(), assume="ell")


def test_errors_are_data_too() -> None:
    told_as = told("a missing point").to_json()
    assert told_as["error"] == "StepError"
    assert told_as["entity"] > 0
    assert told_as["line"] > 0


def test_records_are_read_when_they_are_asked_for() -> None:
    """What nothing refers to may be broken; comments, blanks and several kinds at once are no trouble."""
    text = StepText(
        "ISO-10303-21; /* a; comment ' */ HEADER; FILE_SCHEMA(('AUTOMOTIVE_DESIGN')); ENDSEC; DATA;\n"
        "#1 = POINT ( 'it''s; #5' , ( 1 , -2.5E1 , .5 ) , $ , * , .U. ) ;\n"
        "/* #9=X(); */ #2=(A(1.)B()C(#1,'\\X2\\03B1\\X0\\')); #3=BROKEN((((; #4=T(LENGTH_MEASURE(3.),(#1,#2));\n"
        "ENDSEC; END-ISO-10303-21;"
    )
    file = StepFile(text)
    record = file.record(1)
    assert record.text(0) == "it's; #5"
    assert record.numbers(1) == [1.0, -25.0, 0.5]
    assert record.optional(2) is None
    assert record.word(4) == "U"
    several = file.record(2)
    assert several.part("C").text(1) == "α"
    assert several.part("C").record(0) is record
    assert file.record(4).number_at(0) == 3.0
    assert [each.number for each in file.of_kind("A", "POINT")] == [1, 2]
    with pytest.raises(StepError, match="#3"):
        file.record(3)
