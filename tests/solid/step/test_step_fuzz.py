"""Damaged STEP files: solids come of them or an error of ours, never anything else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from step_writer import StepWriter

from linkwork.errors import LinkworkError
from linkwork.solid import Placement
from linkwork.solid.step import StepError, read_step

FILES = Path(__file__).parent / "files"
SMALL = [path.read_bytes() for path in sorted(FILES.glob("part_*.step")) if path.stat().st_size < 10_000]


@pytest.fixture(autouse=True)
def _without_occt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwork.solid.step.read.is_there", lambda: False)


def small() -> bytes:
    writer = StepWriter("inch")
    part = writer.product("it''s a rod", [writer.rod(2.0, 0.0, 1.0)])
    writer.put(writer.product("top"), part, "rod:1", Placement.shift((1, 2, 3)))
    return str(writer).encode()


def survives(content: bytes) -> None:
    """An assembly of finite solids, or an error of ours."""
    try:
        found = read_step(content)
    except LinkworkError:
        return
    for part in found.parts:
        low, high = part.solid.box
        assert np.all(np.isfinite([low, high]))
        part.solid.contains(np.array([(low + high) / 2]))


def test_a_file_that_ends_anywhere() -> None:
    """The end is missed wherever it is cut off."""
    content = small()
    ends = content.rindex(b"END-ISO-10303-21;")
    for length in range(ends):
        with pytest.raises(StepError):
            read_step(content[:length])


@given(st.sampled_from([*SMALL, small()]), st.data())
def test_bytes_changed_anywhere(content: bytes, data: st.DataObject) -> None:
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 5))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(damaged))


@given(st.sampled_from([*SMALL, small()]), st.data())
def test_numbers_and_references_changed_anywhere(content: bytes, data: st.DataObject) -> None:
    """What bytes seldom hit: other records, other numbers, other words."""
    words = data.draw(
        st.sampled_from([b"#", b".T.", b"0.", b"1.", b"''", b",", b"(", b"CARTESIAN_POINT", b"PLANE"])
    )
    others = st.sampled_from(
        [
            b"#1",
            b"#40",
            b"#99999999",
            b".F.",
            b"$",
            b"*",
            b"-1.",
            b"1.E300",
            b"1.E-300",
            b"",
            b"()",
            b"DIRECTION",
        ]
    )
    places = [place for place in range(len(content)) if content.startswith(words, place)]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    survives(content[:place] + data.draw(others) + content[place + len(words) :])


@given(st.sampled_from([*SMALL, small()]), st.data())
def test_lines_gone_or_moved(content: bytes, data: st.DataObject) -> None:
    lines = content.split(b"\n")
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(lines) - 1))
        line = lines.pop(place)
        if data.draw(st.booleans()):
            lines.insert(data.draw(st.integers(0, len(lines))), line)
    survives(b"\n".join(lines))


@given(st.binary(max_size=300))
def test_any_bytes(content: bytes) -> None:
    survives(content)
    survives(b"ISO-10303-21;HEADER;ENDSEC;DATA;" + content)
    survives(b"ISO-10303-21;HEADER;ENDSEC;DATA;#1=" + content + b";ENDSEC;END-ISO-10303-21;")


def test_the_time_is_linear() -> None:
    """Work is counted, not time: each record is read at most once, those that matter to nobody never."""
    from linkwork.solid.step.record import StepFile
    from linkwork.solid.step.text import StepText

    writer = StepWriter()
    for place in range(20_000):
        writer.add(f"DATE_AND_TIME(#{place + 1},#{place + 2})")
    writer.product("block", [writer.block((1, 1, 1))])
    text = StepText(str(writer))
    assert len(text.spans) > 20_000
    file = StepFile(text)
    from linkwork.solid.step.assembly import Walk
    from linkwork.solid.step.unit import wanted_unit

    Walk(file, wanted_unit("mm"), "", None).assembly("")
    assert file.count_read < 400
