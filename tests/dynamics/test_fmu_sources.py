"""The sources of functional mock-up units: strict C99, clean under the sanitizers, linked several at once."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from fmu_units import TARGETS, machine
from target_programs import run

from linkwork import load, synthesise
from linkwork.cli.run import run as run_command
from linkwork.dynamics.fmu import library_sources
from linkwork.simulation import SourceOnly

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
SANITIZED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

DRIVER2 = r"""
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmi2.h"

#define DECLARED(p, name) \
    fmi2Component p##fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *, \
                                     fmi2Boolean, fmi2Boolean); \
    void p##fmi2FreeInstance(fmi2Component); \
    fmi2Status p##fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real); \
    fmi2Status p##fmi2EnterInitializationMode(fmi2Component); \
    fmi2Status p##fmi2ExitInitializationMode(fmi2Component); \
    fmi2Status p##fmi2Reset(fmi2Component); \
    fmi2Status p##fmi2DoStep(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean); \
    fmi2Status p##fmi2GetReal(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]); \
    fmi2Status p##fmi2SetReal(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]); \
    fmi2Status p##fmi2GetFMUstate(fmi2Component, fmi2FMUstate *); \
    fmi2Status p##fmi2SetFMUstate(fmi2Component, fmi2FMUstate); \
    fmi2Status p##fmi2FreeFMUstate(fmi2Component, fmi2FMUstate *); \
    fmi2Status p##fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo *); \
    fmi2Status p##fmi2EnterContinuousTimeMode(fmi2Component); \
    fmi2Status p##fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean *, fmi2Boolean *); \
    fmi2Status p##fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference[], size_t, \
                                               const fmi2ValueReference[], size_t, const fmi2Real[], fmi2Real[]);
DECLARED(first_, 0)
DECLARED(second_, 0)

static int allocated, messages;

static void *allocate(size_t count, size_t size)
{
    ++allocated;
    return calloc(count, size);
}

static void release(void *memory)
{
    --allocated;
    free(memory);
}

static void told(fmi2ComponentEnvironment e, fmi2String instance, fmi2Status s, fmi2String c, fmi2String text, ...)
{
    (void)e;
    (void)instance;
    (void)s;
    (void)c;
    messages += text[0] != '\0';
}

#define CHECK(truth) \
    if (!(truth)) { \
        printf("line %d: %s\n", __LINE__, #truth); \
        exit(1); \
    }

#define TRIED(p, token, variables) \
    { \
        fmi2CallbackFunctions callbacks = {told, allocate, release, NULL, NULL}; \
        fmi2ValueReference every[variables], beyond = variables; \
        fmi2Real before[variables], after[variables], one = 1.0; \
        fmi2FMUstate state = NULL; \
        fmi2EventInfo info; \
        fmi2Boolean enter, end; \
        fmi2Component u = p##fmi2Instantiate("u", fmi2CoSimulation, token, "", &callbacks, 0, 1); \
        CHECK(u != NULL); \
        CHECK(p##fmi2Instantiate("u", fmi2CoSimulation, "{}", "", &callbacks, 0, 1) == NULL); \
        for (unsigned i = 0; i < variables; ++i) { \
            every[i] = i; \
        } \
        CHECK(p##fmi2SetupExperiment(u, 1, 1e-8, 0.0, 0, 0.0) == fmi2OK); \
        CHECK(p##fmi2EnterInitializationMode(u) == fmi2OK); \
        CHECK(p##fmi2GetReal(u, every, variables, before) == fmi2OK); \
        CHECK(p##fmi2ExitInitializationMode(u) == fmi2OK); \
        for (int i = 0; i < 20; ++i) { \
            CHECK(p##fmi2DoStep(u, 0.1 * i, 0.1, 1) == fmi2OK); \
        } \
        CHECK(p##fmi2GetFMUstate(u, &state) == fmi2OK); \
        CHECK(p##fmi2DoStep(u, 2.0, 0.5, 1) == fmi2OK); \
        CHECK(p##fmi2GetReal(u, every, variables, before) == fmi2OK); \
        CHECK(p##fmi2SetFMUstate(u, state) == fmi2OK); \
        CHECK(p##fmi2DoStep(u, 2.0, 0.5, 1) == fmi2OK); \
        CHECK(p##fmi2GetReal(u, every, variables, after) == fmi2OK); \
        CHECK(memcmp(before, after, sizeof before) == 0); \
        CHECK(p##fmi2FreeFMUstate(u, &state) == fmi2OK && state == NULL); \
        CHECK(p##fmi2GetReal(u, &beyond, 1, after) == fmi2Error && messages > 0); \
        CHECK(p##fmi2SetReal(u, every, 1, &one) == fmi2Error); \
        CHECK(p##fmi2Reset(u) == fmi2OK); \
        CHECK(p##fmi2DoStep(u, 0.0, 0.1, 1) == fmi2Error); \
        p##fmi2FreeInstance(u); \
        u = p##fmi2Instantiate("u", fmi2ModelExchange, token, NULL, &callbacks, 0, 0); \
        CHECK(p##fmi2EnterInitializationMode(u) == fmi2OK && p##fmi2ExitInitializationMode(u) == fmi2OK); \
        CHECK(p##fmi2NewDiscreteStates(u, &info) == fmi2OK && p##fmi2EnterContinuousTimeMode(u) == fmi2OK); \
        CHECK(p##fmi2CompletedIntegratorStep(u, 1, &enter, &end) == fmi2OK && !end); \
        CHECK(p##fmi2GetDirectionalDerivative(u, every + variables - 1, 1, every, 1, &one, after) == fmi2Error); \
        p##fmi2FreeInstance(u); \
        p##fmi2FreeInstance(NULL); \
    }

int main(void)
{
    TRIED(first_, FIRST_TOKEN, FIRST_VARIABLES)
    TRIED(second_, SECOND_TOKEN, SECOND_VARIABLES)
    CHECK(allocated == 0);
    puts("all went well");
    return 0;
}
"""

DRIVER3 = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmi3.h"

#define DECLARED(p) \
    fmi3Instance p##fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, bool, bool, bool, bool, \
        const fmi3ValueReference[], size_t, fmi3InstanceEnvironment, fmi3LogMessageCallback *, void (*)(void)); \
    void p##fmi3FreeInstance(fmi3Instance); \
    fmi3Status p##fmi3EnterInitializationMode(fmi3Instance, bool, double, double, bool, double); \
    fmi3Status p##fmi3ExitInitializationMode(fmi3Instance); \
    fmi3Status p##fmi3DoStep(fmi3Instance, double, double, bool, bool *, bool *, bool *, double *); \
    fmi3Status p##fmi3GetFloat64(fmi3Instance, const fmi3ValueReference[], size_t, double[], size_t); \
    fmi3Status p##fmi3GetFMUState(fmi3Instance, fmi3FMUState *); \
    fmi3Status p##fmi3SetFMUState(fmi3Instance, fmi3FMUState); \
    fmi3Status p##fmi3FreeFMUState(fmi3Instance, fmi3FMUState *);
DECLARED(first_)
DECLARED(second_)

#define CHECK(truth) \
    if (!(truth)) { \
        printf("line %d: %s\n", __LINE__, #truth); \
        exit(1); \
    }

#define TRIED(p, token, variables) \
    { \
        fmi3ValueReference every[variables]; \
        double before[variables], after[variables], reached; \
        bool event, end, early; \
        fmi3FMUState state = NULL; \
        fmi3Instance u = p##fmi3InstantiateCoSimulation("u", token, "", 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL); \
        CHECK(u != NULL); \
        CHECK(!p##fmi3InstantiateCoSimulation("u", "", "", 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL)); \
        for (unsigned i = 0; i < variables; ++i) { \
            every[i] = i; \
        } \
        CHECK(p##fmi3EnterInitializationMode(u, true, 1e-8, 0.0, false, 0.0) == fmi3OK); \
        CHECK(p##fmi3ExitInitializationMode(u) == fmi3OK); \
        CHECK(p##fmi3GetFMUState(u, &state) == fmi3OK); \
        CHECK(p##fmi3DoStep(u, 0.0, 2.0, true, &event, &end, &early, &reached) == fmi3OK && reached == 2.0); \
        CHECK(p##fmi3GetFloat64(u, every, variables, before, variables) == fmi3OK); \
        CHECK(p##fmi3SetFMUState(u, state) == fmi3OK); \
        CHECK(p##fmi3DoStep(u, 0.0, 2.0, true, &event, &end, &early, &reached) == fmi3OK && !end); \
        CHECK(p##fmi3GetFloat64(u, every, variables, after, variables) == fmi3OK); \
        CHECK(memcmp(before, after, sizeof before) == 0); \
        CHECK(p##fmi3GetFloat64(u, every, variables, after, 1) == fmi3Error); \
        CHECK(p##fmi3FreeFMUState(u, &state) == fmi3OK); \
        p##fmi3FreeInstance(u); \
    }

int main(void)
{
    TRIED(first_, FIRST_TOKEN, FIRST_VARIABLES)
    TRIED(second_, SECOND_TOKEN, SECOND_VARIABLES)
    puts("all went well");
    return 0;
}
"""


def compiled(*words: str) -> None:
    """Run gcc."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    done = subprocess.run(["gcc", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]


def sources(name: str, target: str, folder: Path) -> tuple[list[str], str, int]:
    """The sources of a unit in a folder, its token and how many variables it has."""
    program = synthesise(machine(name), target)
    folder.mkdir()
    for path, text in program.files.items():
        if path.startswith("sources/"):
            (folder / path.removeprefix("sources/")).write_text(text, encoding="utf-8")
    header = (folder / "fmu.h").read_text()
    description = program.files["modelDescription.xml"]
    token = header.split('FMU_TOKEN "')[1].split('"')[0]
    count = len(re.findall("<(?:ScalarVariable|Float64) ", description))
    return sorted(str(path) for path in folder.glob("*.c")), token, count


@pytest.mark.parametrize(
    ("target", "driver"), [("fmu2", DRIVER2), pytest.param("fmu3", DRIVER3, marks=pytest.mark.slow)]
)
def test_two_units_in_one_program_are_clean_under_the_sanitizers(
    target: str, driver: str, tmp_path: Path
) -> None:
    """File by file with all warnings as errors; no leak, nothing undefined; memory through the importer's functions."""
    objects, defined = [], []
    for prefix, name in (("first_", "mixed orders"), ("second_", "double pendulum")):
        files, token, count = sources(name, target, tmp_path / prefix)
        macro = f"-D{target.replace('fmu', 'FMI')}_FUNCTION_PREFIX={prefix}"
        for file in files:
            objects.append(f"{file}.o")
            compiled(*STRICT, *SANITIZED, macro, "-c", file, "-o", objects[-1])
        word = prefix.upper()
        defined += [f'-D{word}TOKEN="{token}"', f"-D{word}VARIABLES={count}"]
    (tmp_path / "driver.c").write_text(driver)
    include = ["-I", str(tmp_path / "first_")]
    program = str(tmp_path / "driver")
    compiled(
        "-std=c99", *SANITIZED, *defined, *include, str(tmp_path / "driver.c"), *objects, "-lm", "-o", program
    )
    assert run([program]) == ("all went well\n", "")


@pytest.mark.parametrize("target", TARGETS)
def test_machines_without_states_or_parameters_compile_strictly(target: str, tmp_path: Path) -> None:
    files, _, _ = sources("order zero", target, tmp_path / "zero")
    compiled(*STRICT, "-O2", "-fPIC", "-shared", *files, "-lm", "-o", str(tmp_path / "zero.so"))


# ---------------------------------------------------------------------------------------- the command


def test_a_unit_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pendulum.fmu"
    assert run_command(["synthesise", "pendulum", "--target", "fmu2", "-o", str(path)]) == 0
    captured = capsys.readouterr()
    assert captured.err == f"wrote {path}\n"
    assert captured.out.startswith("pendulum in fmu2: ")
    assert [each.name for each in tmp_path.iterdir()] == ["pendulum.fmu"]
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "modelDescription.xml"
    assert path.read_bytes() == synthesise(load("pendulum"), "fmu2").archive().content


def test_the_document_names_file_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.fmu"
    words = ["synthesise", "pendulum", "--target", "fmu3", "--set", "l=3", "--json", "-q", "-o", str(path)]
    assert run_command(words) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    with zipfile.ZipFile(path) as archive:
        assert document["files"] == archive.namelist()
        assert 'name="l" valueReference="2"' in archive.read("modelDescription.xml").decode()
    assert (document["file"], document["target"], captured.err) == (str(path), "fmu3", "")


def test_without_a_compiler_a_unit_has_sources_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINKWORK_COMPILER", "none")
    path = tmp_path / "p.fmu"
    told = "the unit has no library, only sources"
    assert run_command(["synthesise", "pendulum", "--target", "fmu2", "-o", str(path)]) == 0
    assert told in capsys.readouterr().out
    with zipfile.ZipFile(path) as archive:
        assert not any(name.startswith("binaries") for name in archive.namelist())
        assert "sources/fmi2.c" in archive.namelist()
    assert run_command(["synthesise", "pendulum", "--target", "fmu2", "--json", "-o", str(path)]) == 0
    assert told in json.loads(capsys.readouterr().out)["warning"]
    with pytest.warns(SourceOnly, match=told):
        synthesise(load("pendulum"), "fmu3").save(tmp_path / "q.fmu")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["pendulum", "--target", "fmu2", "-o", "pendulum.zip"], "-o pendulum.fmu"),
        (["pendulum", "--target", "fmu2", "-o", "pendulum"], "needs a suffix"),
        (["pendulum", "--target", "fmu3", "-o", "-"], "is no text"),
        (["pendulum", "--target", "fmu", "-o", "a.fmu"], "did you mean fmu"),
        (["pendulum", "--target", "fmu2", "-o", "nowhere/a.fmu"], "there is no folder nowhere"),
        (["four-bar-table", "--target", "fmu2"], "has no parts"),
    ],
)
def test_wrong_use(
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(["synthesise", *words]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_compiled_beside_one_another_is_apart(target: str) -> None:
    """Rates, derivatives along directions and the functions of FMI are each in a text of their own."""
    unit = synthesise(load("roller-coaster"), target)
    texts = library_sources(target, unit.name, unit.files)
    marks = (f"void {unit.name}_derivative(", "derivative_along(const double", f"fmi{target[-1]}DoStep")
    definitions = [[re.search(rf"{re.escape(mark)}[^;{{]*{{", text) for mark in marks] for text in texts]
    assert [[bool(each) for each in row] for row in definitions] == [
        [place == other for other in range(3)] for place in range(3)
    ]
