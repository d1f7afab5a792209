"""Laws of the file reader under fire: only our errors escape, and what is saved loads back equal."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_fuzz import assembled_texts, damaged_texts, mutated_texts

from linkwork.errors import LinkworkError
from linkwork.model import Contact, Machine, PlacedError, load, save
from linkwork.model.read import machine_from_text
from linkwork.model.write import machine_to_text
from strategies import points, smooth_expressions, tables

in_a_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


ANY_TEXT = st.one_of(
    assembled_texts(),
    damaged_texts(),
    mutated_texts(),
    mutated_texts(),
    st.text(),
    st.text().map("linkwork = 1\n{}".format),
)


@given(ANY_TEXT)
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text: str) -> None:
    """A fault names a line of the text; a machine that is accepted survives being written."""
    machine = read(text)
    if isinstance(machine, PlacedError):
        assert 0 < machine.line <= text.count("\n") + 1
        assert machine.problem.startswith(f"file:{machine.line}: ")
        assert str(machine)
    else:
        assert read(machine_to_text(machine)) == machine


def read(text: str) -> Machine | PlacedError:
    try:
        return machine_from_text(text, "file", "name")
    except PlacedError as error:
        return error


@given(content=st.binary(max_size=200))
@in_a_folder
def test_any_bytes_are_refused_or_read(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_bytes(content)
    with pytest.raises(LinkworkError):
        load(path)
    path.write_bytes(b"linkwork = 1\n# " + content)
    with suppress(PlacedError):
        load(path)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Any machine: parameters that depend on each other, lines with both forms, names beyond ASCII."""
    parameters = dict(draw(points()))
    extra = draw(st.lists(st.sampled_from(["θ", "crank.angle", "p_1", "Ω"]), unique=True, max_size=3))
    values = {name: draw(smooth_expressions()) for name in extra}
    table = draw(tables())
    names = [line.name for line in table]
    return Machine.of(
        draw(st.text(min_size=1)),
        {**parameters, **values},
        table.definitions,
        title=draw(st.text()),
        outputs=draw(st.lists(st.sampled_from(names), unique=True)) if names else (),
        units=draw(st.dictionaries(st.sampled_from([*parameters, *names, *extra]), st.text())),
        contact=draw(contacts()),
    )


def contacts() -> st.SearchStrategy[Contact]:
    """What contacts are like: any of the constants, of all parts and of the ground."""
    share, size = st.fractions(0, 1, max_denominator=100), st.integers(1, 10**6)
    kinds = {"friction": share, "restitution": share, "stiffness": size, "damping": size, "pressing": size}
    constants = st.fixed_dictionaries({}, optional=kinds)
    pairs = st.dictionaries(st.just("ground"), constants)
    return st.builds(lambda common, pair: Contact(**common, pair=pair), constants, pairs)


@given(machine=machines())
@in_a_folder
def test_a_saved_machine_loads_back_equal(machine: Machine, tmp_path: Path) -> None:
    save(machine, tmp_path / "m.toml")
    again = load(tmp_path / "m.toml")
    assert again == machine
    assert again.values() == machine.values()
    assert machine_to_text(again) == machine_to_text(machine)
