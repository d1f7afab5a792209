"""NaN goes through native code as it does everywhere else, whatever the compiler makes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from emit_languages import needs_compiler
from emit_special import A, composition

from linkwork.emit import Program, compiled, interpreted


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWORK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@needs_compiler
@pytest.mark.parametrize("outer", ["sin", "cos"])
def test_native_code_hands_on_nan(outer: str) -> None:
    """sin(atan(NaN)) is NaN: gcc would write x/sqrt(1 + x^2) behind a test that NaN fails."""
    program = Program.of("nested", [A], {"r": composition(outer, "atan")})
    assert math.isnan(interpreted(program)(math.nan)["r"])
    assert math.isnan(compiled(program)(math.nan)["r"])
