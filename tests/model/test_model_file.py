"""Machine files: read, written, and refused with a line and a cure."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork import contents, examples
from linkwork.algebra import Definition, Expression, sin, symbol
from linkwork.errors import LinkworkError, MachineFileError
from linkwork.model import Machine, NoSuchMachineError, PlacedError, load, save, store, write

HEAD = "linkwork = 1\n"


def written(folder: Path, text: str | bytes, name: str = "m.toml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_file_becomes_a_machine(tmp_path: Path) -> None:
    text = """
        # a comment
        linkwork = 1
        title = "Two lines"
        outputs = ["r"]
        [parameter]
        x = 3
        y = "x + 1"
        z = 0.1
        [definition]
        r = { explicit = "sqrt(x^2 + y^2)", implicit = "r^2 = x^2 + y^2" }
        s = 2
        t = "r*s"
        [units]
        x = "mm"
    """
    machine = load(written(tmp_path, text))
    assert machine == Machine.of(
        "m",
        {"x": 3, "y": "x + 1", "z": 0.1},
        machine.definitions,
        title="Two lines",
        outputs=["r"],
        units={"x": "mm"},
    )
    assert str(machine.table()) == "r^2 = x^2 + y^2\ns = 2\nt = r*s"
    assert machine.table().evaluate(machine.values()) == {"r": 5.0, "s": 2.0, "t": 10.0}


# Each fault: the text, the line to blame, words of the message, and words of the cure.
FAULTS: dict[str, tuple[str, int, str, str]] = {
    "empty": ("", 1, "the key linkwork is missing", "linkwork = 1"),
    "no key": ('title = "x"\n', 1, "the key linkwork is missing", "linkwork = 1"),
    "newer format": ("\nlinkwork = 2\n", 2, "another format", "linkwork = 1"),
    "format as text": ('linkwork = "1"\n', 1, "another format", "linkwork = 1"),
    "format as truth": ("linkwork = true\n", 1, "another format", "linkwork = 1"),
    "not first": ('title = "x"\nlinkwork = 1\n', 2, "must be the first key", "move linkwork = 1"),
    "not TOML": (HEAD + "[parameter\na = 1\n", 2, "not TOML", "linkwork examples"),
    "JSON": ('{"linkwork": 1}', 1, "not TOML", "linkwork examples"),
    "open string": (HEAD + 'title = "x\n', 2, "not TOML", "linkwork examples"),
    "expression without quotes": (HEAD + "[parameter]\na = cos(1)\n", 3, "not TOML", 'a = "cos(1)"'),
    "degrees without quotes": (HEAD + "[parameter]\na = 30 deg\n", 3, "not TOML", 'a = "30 deg"'),
    "decimal comma": (HEAD + "[parameter]\na = 1,5\n", 3, "not TOML", "a = 1.5"),
    "no digit before the point": (HEAD + "[parameter]\na = -.5\n", 3, "not TOML", "a = -0.5"),
    "no digit behind the point": (HEAD + "[parameter]\na = 2.e3\n", 3, "not TOML", "a = 2.0e3"),
    "Greek without quotes": (HEAD + "[parameter]\nθ = 3\n", 3, "not TOML", '"θ" = 3'),
    "given twice": (HEAD + "[parameter]\na = 1\n\na = 2\n", 5, "'a' is given twice", "remove one"),
    "table twice": (HEAD + "[units]\n[units]\n", 3, "'units' is given twice", "remove one"),
    "unknown key": (HEAD + 'titel = "x"\n', 2, "no key 'titel'", "did you mean title?"),
    "unknown table": (HEAD + "\n[parameters]\na = 1\n", 3, "no key 'parameters'", "did you mean parameter?"),
    "far from any key": (HEAD + "qqqqqq = 1\n", 2, "no key 'qqqqqq'", "remove qqqqqq"),
    "contacts as a list": (HEAD + "[[contact]]\n", 2, "contact is a list", "[contact]"),
    "too much restitution": (
        HEAD + "[contact]\nfriction = 1\nrestitution = 1.1\n",
        4,
        "the restitution of a contact makes no sense",
        "restitution = 0.1",
    ),
    "negative friction": (
        HEAD + "[contact]\nfriction = -0.1\n",
        3,
        "the friction of a contact",
        "friction = 0.1",
    ),
    "no stiffness": (HEAD + "[contact]\nstiffness = 0\n", 3, "the stiffness of a contact", "stiffness = 1e5"),
    "unknown constant of contacts": (
        HEAD + "[contact]\nfricton = 1\n",
        3,
        "no key 'fricton'",
        "mean friction?",
    ),
    "friction of a part that is not there": (
        HEAD
        + "[part.lever]\n[part.wheel]\n[contact.pair]\nlever.friction = 1\n[contact.pair.whel]\nfriction = 1\n",
        6,
        "there is no part 'whel'",
        "did you mean wheel?",
    ),
    "friction of three parts": (
        HEAD + "[part.a]\n[part.b]\n[contact.pair.'a/b/ground']\nfriction = 1\n",
        4,
        "contacts are between two parts",
        '[contact.pair."a/b"]',
    ),
    "friction of a pair twice": (
        HEAD + "[part.a]\n[part.b]\n[contact.pair]\n'a/b'.friction = 1\n'b/a'.friction = 2\n",
        6,
        "told twice",
        'remove [contact.pair."b/a"]',
    ),
    "friction of a pair below 0": (
        HEAD + "[parameter]\nm = -1\n[part.a]\n[part.b]\n[contact.pair]\n'a/b'.friction = 'm'\n",
        7,
        "the friction of a contact",
        "friction = 0.1",
    ),
    "title as number": (HEAD + "title = 3\n", 2, "title is a number", 'title = "'),
    "name empty": (HEAD + 'name = ""\n', 2, "name is an empty text", 'name = "'),
    "outputs as text": (HEAD + 'outputs = "x"\n', 2, "outputs is text", 'outputs = ["x", "y"]'),
    "output as number": (HEAD + 'outputs = [\n "x",\n 3]\n', 4, "output 2 is a number", '"x"'),
    "parameter as value": (HEAD + "parameter = 3\n", 2, "parameter is a number", "[parameter]"),
    "truth value": (HEAD + "[parameter]\na = true\n", 3, "parameter a is true or false", "a = 1.5"),
    "date": (HEAD + "[parameter]\na = 1979-05-27\n", 3, "parameter a is a date", "a = 1.5"),
    "list": (HEAD + "[parameter]\na = [1]\n", 3, "parameter a is a list", "a = 1.5"),
    "dotted name": (HEAD + "[parameter]\ncrank.x = 1\n", 3, "parameter crank is a table", '"crank.x" = 1'),
    "infinite": (HEAD + "[parameter]\na = -inf\n", 3, "parameter a is infinite", "a = 1.0"),
    "not a number": (HEAD + "[parameter]\na = nan\n", 3, "parameter a is not a number", "a = 1.0"),
    "beyond doubles": (HEAD + "[parameter]\na = 1e999\n", 3, "outside the range", "units"),
    "huge integer": (HEAD + f"[parameter]\na = 0x{'f' * 400}\n", 3, "left the range", "units"),
    "endless integer": (HEAD + f"[parameter]\na = {'9' * 5000}\n", 3, "thousands of digits", "right file"),
    "endless name": (HEAD + f"[parameter]\n{'a.' * 200}b = 1\n", 3, "hundred dots", "right file"),
    "deep nesting": (HEAD + f"\nx = {'[' * 3000}\n", 3, "nested too deeply", "right file"),
    "no finite value": (HEAD + '[parameter]\na = "sqrt(-1)"\n', 3, "no finite value", "a = 1"),
    "division by zero": (HEAD + '[parameter]\na = "1/0"\n', 3, "division by an exact zero", "divisor"),
    "circle": (HEAD + '[parameter]\na = 1\nb = "c"\nc = "b"\n', 4, "in a circle", "b = 1"),
    "by itself": (HEAD + '[parameter]\na = "2*a"\n', 3, "defined by itself", "a = 1"),
    "no name": (HEAD + '[parameter]\n"a b" = 1\n', 3, "not a name", "crank_angle"),
    "reserved name": (HEAD + "[definition]\nfor = 1\n", 3, "cannot be the name", "for_"),
    "unknown name": (HEAD + '[definition]\nx = "2*q"\n', 3, "nothing here is called 'q'", "[parameter]\n"),
    "misspelt name": (
        HEAD + '[parameter]\nlength = 1\n[definition]\nx = "2*lenght"\n',
        5,
        "nothing here is called 'lenght'",
        "did you mean length?",
    ),
    "definition in a parameter": (
        HEAD + '[parameter]\na = "r"\n[definition]\nr = 3\n',
        3,
        "'r' is a definition",
        "move a to [definition]",
    ),
    "open bracket": (HEAD + '[definition]\nx = "2*(1 + 3"\n', 3, "never closed", "2*(1 + 3)"),
    "both": (
        HEAD + "[parameter]\na = 1\n[definition]\na = 2\n",
        5,
        "both a parameter and defined",
        "remove a",
    ),
    "equation for expression": (
        HEAD + '[definition]\nr = "r^2 = 4"\n',
        3,
        "an equation stands where",
        'r = { implicit = "r^2 = 4" }',
    ),
    "equation of another": (
        HEAD + '[parameter]\ny = 1\n[definition]\nr = { implicit = "y = 4" }\n',
        5,
        "does not mention it",
        "r = ",
    ),
    "no equation": (HEAD + '[definition]\nr = { implicit = "r^2" }\n', 3, "not an equation", "= 0"),
    "empty definition": (HEAD + "[definition]\nr = {}\n", 3, "is an empty table", "r = "),
    "misspelt form": (HEAD + '[definition]\nr = { implict = "r = 1" }\n', 3, "'implict'", "mean implicit?"),
    "form in a table": (HEAD + '[definition.r]\nexplicit = "1"\nfoo = 1\n', 4, "no key 'foo'", "remove foo"),
    "definition by itself": (HEAD + '[definition]\nx = "x - 2"\n', 3, "by itself", 'implicit = "x = x - 2"'),
    "circle of definitions": (HEAD + '[definition]\nx = "y"\ny = "x"\n', 3, "in a circle", "x"),
    "wrong sign": (
        HEAD + '[parameter]\na = 3\n[definition]\nr = { explicit = "-a", implicit = "r = a" }\n',
        5,
        "disagree",
        "signs",
    ),
    "unknown output": (
        HEAD + 'outputs = ["rd"]\n[definition]\nrod = 3\n',
        2,
        "'rd' is an output",
        "mean rod?",
    ),
    "output twice": (HEAD + 'outputs = ["r", "r"]\n[definition]\nr = 3\n', 2, "named twice", "once"),
    "unit of nothing": (HEAD + '[units]\nq = "mm"\n', 3, "'q' has a unit", "remove q"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_have_a_line_and_a_cure(case: str, tmp_path: Path) -> None:
    text, line, problem, cure = FAULTS[case]
    path = written(tmp_path, text)
    with pytest.raises(MachineFileError) as caught:
        load(path)
    error = caught.value
    assert isinstance(error, PlacedError)
    assert (error.file, error.line) == (str(path), line)
    assert error.problem.startswith(f"{path}:{line}: ")
    assert problem in error.problem
    assert cure in error.fix
    assert error.got
    assert error.exit_code == 3
    assert error.to_json() | {"error": "MachineFileError", "file": str(path), "line": line} == error.to_json()


def test_the_caret_stands_under_the_fault(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + '[parameter]\na = 1\n[definition]\nr = { implicit = "r^2 = a + ) " }\n')
    with pytest.raises(PlacedError) as caught:
        load(path)
    assert caught.value.got == "r^2 = a + ) \n          ^"
    assert caught.value.problem == f"{path}:5: definition r implicit: a value is expected before ')'"


FILES: dict[str, tuple[bytes, str]] = {
    "binary": (bytes(range(256)), "not text"),
    "zeros": (b"linkwork = 1\n\0\0\0", "not text"),
    "Latin-1": ("linkwork = 1\ntitle = 'Größe'".encode("latin-1"), "not text"),
    "UTF-16": ("linkwork = 1".encode("utf-16"), "not text"),
    "half a character": (b"linkwork = 1 # \xc3", "not text"),
}


@pytest.mark.parametrize("case", FILES)
def test_what_is_no_text_is_refused(case: str, tmp_path: Path) -> None:
    content, problem = FILES[case]
    with pytest.raises(PlacedError, match=problem) as caught:
        load(written(tmp_path, content))
    assert caught.value.line >= 1


def test_a_byte_order_mark_and_windows_lines_are_accepted(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbflinkwork = 1\r\n[parameter]\r\na = 1\r\n"
    assert load(written(tmp_path, text)).values() == {"a": 1.0}


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with open(path, "wb") as file:
        file.truncate(store.LARGEST_FILE + 1)
    with pytest.raises(PlacedError, match="too large"):
        load(path)


def test_an_endless_file_is_refused() -> None:
    with pytest.raises(PlacedError, match="too large"):
        load("/dev/zero")


def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, HEAD, "crank.toml")
    for name, cure in {
        "four-bar-tabel": "did you mean four-bar-table?",
        "crank": "did you mean crank.toml?",
        "crnk.toml": "did you mean crank.toml?",
        "": "linkwork examples",
        "a\0b": "linkwork examples",
        "no/such/folder/m.toml": "linkwork examples",
    }.items():
        with pytest.raises(NoSuchMachineError) as caught:
            load(name)
        assert cure in caught.value.fix
        assert caught.value.exit_code == 2


def test_a_folder_is_no_machine(tmp_path: Path) -> None:
    with pytest.raises(NoSuchMachineError, match="folder"):
        load(tmp_path)


def refused(*arguments: object) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, HEAD)
    monkeypatch.setattr(contents, "open", refused, raising=False)  # root may read everything
    with pytest.raises(NoSuchMachineError, match="cannot be read"):
        load(path)


def test_links_are_followed_and_dead_ones_told(tmp_path: Path) -> None:
    (tmp_path / "link.toml").symlink_to(written(tmp_path, HEAD))
    assert load(tmp_path / "link.toml").name == "link"
    (tmp_path / "dead.toml").symlink_to(tmp_path / "nothing")
    with pytest.raises(NoSuchMachineError, match="cannot be read"):
        load(tmp_path / "dead.toml")


def test_a_file_comes_before_an_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cam-table").mkdir()
    assert load("cam-table").title.startswith("Cam")
    written(tmp_path, HEAD, "pendulum-table")
    assert load("pendulum-table") == Machine("pendulum-table")


# ------------------------------------------------------------------------------------------- writing


@pytest.mark.parametrize("name", examples.names())
def test_examples_survive_a_round_trip(name: str, tmp_path: Path) -> None:
    machine = load(name)
    save(machine, tmp_path / "other.toml")
    assert load(tmp_path / "other.toml") == machine
    save(machine, tmp_path / f"{name}.toml")
    assert load(tmp_path / f"{name}.toml") == machine
    assert "name =" not in (tmp_path / f"{name}.toml").read_text()


def test_numbers_are_written_as_people_write_them(tmp_path: Path) -> None:
    values: dict[str, str | float] = {
        "a": 3,
        "b": 0.125,
        "c": "1/3",
        "d": 10**30,
        "e": -1e-300,
        "f": "pi/6",
        "g": 2**63,
        "θ": 1,
    }
    save(Machine.of("m", values), tmp_path / "m.toml")
    assert (tmp_path / "m.toml").read_text("utf-8").splitlines() == [
        "linkwork = 1",
        "",
        "[parameter]",
        "a = 3",
        "b = 0.125",
        'c = "1/3"',
        "d = 1e+30",
        "e = -1e-300",
        'f = "pi/6"',
        'g = "9223372036854775808"',
        '"θ" = 1',
    ]


def test_saving_replaces_the_whole_file_and_keeps_its_mode(tmp_path: Path) -> None:
    path = written(tmp_path, "old " * 1000)
    path.chmod(0o640)
    save(Machine.of("m", {"a": 1}), path)
    assert path.read_text() == "linkwork = 1\n\n[parameter]\na = 1\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["m.toml"]


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save(Machine("m"), tmp_path / "m.toml")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "m.toml").stat().st_mode) == 0o640


def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    target = written(tmp_path, HEAD, "target.toml")
    (tmp_path / "link.toml").symlink_to("target.toml")
    save(Machine.of("link", {"a": 1}), tmp_path / "link.toml")
    assert (tmp_path / "link.toml").is_symlink()
    assert load(target).values() == {"a": 1.0}


def test_a_device_is_written_to_not_replaced() -> None:
    save(Machine("m"), os.devnull)
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("moment", ["write", "replace"])
def test_a_failure_leaves_the_old_file(moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "old")

    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync" if moment == "write" else "replace", fail)
    with pytest.raises(store.WriteError, match="cannot be written"):
        save(Machine("m"), path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["m.toml"]


def test_a_process_that_is_killed_leaves_the_old_file(tmp_path: Path) -> None:
    path = written(tmp_path, "old")
    program = (
        "import os, signal, sys\n"
        "from linkwork.model import Machine, save\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "save(Machine('m'), sys.argv[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode < 0
    assert path.read_text() == "old"


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    for target, words in {
        tmp_path / "no" / "m.toml": "no folder",
        tmp_path: "folder",
        tmp_path / ("x" * 300): "cannot be written",
    }.items():
        with pytest.raises(store.WriteError, match=words) as caught:
            save(Machine("m"), target)
        assert caught.value.exit_code == 2
    with pytest.raises(LinkworkError):
        save(Machine("m"), "a\0b")


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "old")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda target, mode: False)  # root may write everywhere
    with pytest.raises(store.WriteError, match="read-only"):
        save(Machine("m"), path)
    assert path.read_text() == "old"


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(store.WriteError, match="Permission denied"):
        save(Machine("m"), tmp_path / "m.toml")


def test_an_expression_that_is_endless_when_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sharing makes a graph of 60 nodes into 2^60 characters; that must not fill the disk."""
    monkeypatch.setattr(write, "LARGEST_FILE", 2**16)
    x: Expression = symbol("x")
    for _ in range(60):
        x = sin(x) * (x + 1)
    with pytest.raises(LinkworkError, match="too large"):
        save(Machine.of("m", {"x": 1}, [Definition("y", x)]), tmp_path / "m.toml")
    assert not list(tmp_path.iterdir())


SOLIDS = """[part.rail]
solid = "cube(4);"
[part.sledge]
solid = "cube(2);"
"""


def test_gravity_in_space_makes_a_machine_of_solids_one_of_space(tmp_path: Path) -> None:
    machine = load(written(tmp_path, HEAD + "gravity = [0, 0, -9.81]\n" + SOLIDS))
    assert (machine.dimension, len(machine.gravity or ())) == (3, 3)
    save(machine, tmp_path / "again.toml")
    again = load(tmp_path / "again.toml")
    assert (again.dimension, again.gravity) == (3, machine.gravity)
    assert load(written(tmp_path, HEAD + "gravity = [0, -9.81]\n" + SOLIDS)).dimension == 2


def test_solids_that_say_that_they_are_plane_lie_in_space_all_the_same(tmp_path: Path) -> None:
    """Whether they are is found, so it is kept beside the vectors of three entries."""
    machine = load(written(tmp_path, HEAD + "dimension = 2\ngravity = [0, 0, -9.81]\n" + SOLIDS))
    assert (machine.dimension, machine.is_flat) == (3, True)
    save(machine, tmp_path / "again.toml")
    assert load(tmp_path / "again.toml") == machine
    assert not load(written(tmp_path, HEAD + "gravity = [0, 0, -9.81]\n" + SOLIDS)).is_flat


def test_gravity_in_space_is_refused_where_joints_are(tmp_path: Path) -> None:
    joint = '[joint.A]\ntype = "revolute"\nbetween = ["rail", "sledge"]\n'
    with pytest.raises(PlacedError) as joined:
        load(written(tmp_path, HEAD + "gravity = [0, 0, -9.81]\n" + SOLIDS + joint))
    assert joined.value.fix == "gravity = [0, 0]"


@pytest.mark.parametrize(
    ("word", "cure"),
    [
        ('"revolute"', 'remove "rail/sledge"   # which joint is there is found from the solids'),
        ('"screw"', '"rail/sledge" = "screw 2"'),
        ('"screw nan"', '"rail/sledge" = "screw 2"'),
        ('"fixd"', "did you mean fixed?"),
    ],
)
def test_a_word_that_says_nothing_between_solids_has_its_own_cure(
    word: str, cure: str, tmp_path: Path
) -> None:
    with pytest.raises(PlacedError) as caught:
        load(written(tmp_path, HEAD + SOLIDS + f'[joint]\n"rail/sledge" = {word}\n'))
    assert caught.value.fix == cure


def test_a_number_between_solids_is_told_that_a_word_would_do(tmp_path: Path) -> None:
    with pytest.raises(PlacedError) as caught:
        load(written(tmp_path, HEAD + SOLIDS + '[joint]\n"rail/sledge" = 3\n'))
    assert (
        'or of solids a word: "fixed", "contact", "ignore", "slot", "overlap" or "screw 2"'
        in caught.value.wanted
    )


def test_solids_may_say_that_they_move_in_space(tmp_path: Path) -> None:
    """Gravity with three entries does not say so."""
    plain, said = (
        load(written(tmp_path, HEAD + line + "gravity = [0, 0, -9.81]\n" + SOLIDS))
        for line in ("", "dimension = 3\n")
    )
    assert (plain.is_spatial, said.is_spatial) == (False, True)
    for machine in (plain, said):
        save(machine, tmp_path / "again.toml")
        assert load(tmp_path / "again.toml") == machine
