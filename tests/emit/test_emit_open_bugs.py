"""Laws that do not hold yet. Each test is the smallest reproduction; when it passes it moves to its file."""

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
    """sin(atan(NaN)) is 1 and cos(atan(NaN)) is 0 in native code, NaN everywhere else.

    With -fno-math-errno gcc writes |x| <= c ? x/sqrt(1 + x^2) : copysign(1, x), and NaN takes the second
    way. Without that flag, or with -fno-builtin-atan beside it, it does not. Until then a random example
    of test_emit_agreement.py or test_emit_native.py may meet it; SWALLOWED in test_emit_special_values.py
    leaves these two out.
    """
    program = Program.of("nested", [A], {"r": composition(outer, "atan")})
    assert math.isnan(interpreted(program)(math.nan)["r"])
    assert math.isnan(compiled(program)(math.nan)["r"])
