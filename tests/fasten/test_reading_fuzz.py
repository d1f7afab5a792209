"""Laws of the reader of designs under fire: only our errors escape, and what is accepted survives being written."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from designs import RATIONAL_TEXTS, tee
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkwork.errors import LinkworkError
from linkwork.fasten import Design, design_from_text, design_to_text, load_design
from linkwork.model import PlacedError

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        RATIONAL_TEXTS,
        st.just("1e9999"),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["poly", "name", "k", "half_tan", "turns", "hinge", "x"]), inner, max_size=4
        ),
    ),
    max_leaves=8,
)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside."""
    found = [path] if path else []
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        found += places(value, (*path, key))
    return found


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The text of a good design of which some values are replaced, removed or doubled."""
    data = tee()
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(data)))
        holder = data
        for key in path[:-1]:
            holder = holder[key]
        kind = draw(st.integers(0, 3))
        if kind == 0:
            del holder[path[-1]]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(path[-1], draw(st.sampled_from(holder)))
        else:
            holder[path[-1]] = draw(st.one_of(RATIONAL_TEXTS, VALUES))
    return json.dumps(data, indent=draw(st.sampled_from([None, 1])))


@st.composite
def cut(draw: st.DrawFn) -> str:
    """A good text with a piece of it taken out, or other characters put in."""
    text = json.dumps(tee())
    begin = draw(st.integers(0, len(text)))
    end = draw(st.integers(begin, min(begin + 20, len(text))))
    return text[:begin] + draw(st.text(alphabet='{}[],:"\\0123456789/-e. \n\x00é', max_size=6)) + text[end:]


def read(text: str, file: str) -> Design | PlacedError:
    try:
        return design_from_text(text, file, "name")
    except PlacedError as error:
        return error


@given(
    st.one_of(mutated(), mutated(), cut(), VALUES.map(json.dumps), st.text()),
    st.sampled_from(["d.json", "d"]),
)
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text: str, file: str) -> None:
    found = read(text, file)
    if isinstance(found, PlacedError):
        assert 0 < found.line <= text.count("\n") + 1
        assert found.problem.startswith(f"{file}:{found.line}: ")
        assert str(found)
        assert found.exit_code == 3
    else:
        assert read(design_to_text(found), file) == found


@given(content=st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_refused(content: bytes, tmp_path: Path) -> None:
    for name in ("d.json", "d.toml", "d"):
        (tmp_path / name).write_bytes(content)
        with suppress(LinkworkError):
            load_design(tmp_path / name)
            raise AssertionError("this is no design")
