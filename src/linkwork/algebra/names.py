"""How names are read by a person: Greek letters, stems and indices, derivatives."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma
    tau upsilon phi chi psi omega""".split()
GREEK: Final = dict(zip(_SMALL, "αβγδεζηθικλμνξοπρστυφχψω", strict=True)) | dict(
    zip(
        "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        "ΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)


def name_parts(name: str) -> tuple[str, list[str]]:
    """The stem of a name and its indices.

    >>> name_parts("x12"), name_parts("crank.angle"), name_parts("P6x")
    (('x', ['12']), ('crank', ['angle']), ('P6x', []))
    """
    stem, *indices = [part for part in name.replace(".", "_").split("_") if part] or ["x"]
    numbered = re.fullmatch(r"([^\W\d]+)(\d+)", stem)
    if numbered and (len(numbered[1]) == 1 or numbered[1] in GREEK):
        return numbered[1], [numbered[2], *indices]
    return stem, indices


def derivative_parts(name: str) -> tuple[str, list[str]] | None:
    """What is differentiated and by what; None for a name that is not a derivative's.

    >>> derivative_parts("P6d_by_e"), derivative_parts("P6d_by_e_e"), derivative_parts("P6d")
    (('P6d', ['e']), ('P6d', ['e', 'e']), None)
    """
    function, *variables = name.split("_by_")
    if not variables or not function or not all(variables) or function in variables:
        return None
    first, _, second = variables[-1].partition("_")
    if first and first == second:  # x_by_a_a is the second derivative by a
        variables[-1:] = [first, second]
    return function, variables
