"""A design with some of its numbers given anew: ``mu``, ``p0``, ``v``, ``duration``, of a pawl L ``L.k`` and so on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from linkwork.errors import LinkworkError, UsageError
from linkwork.fasten.angle import rest_of_radians
from linkwork.fasten.check import check
from linkwork.fasten.design import Design, Pawl, Rest, Vector, changed_pawls, every_pawl, with_stiffness
from linkwork.fasten.rational import rational
from linkwork.model.fault import did_you_mean, listed


def vector(text: str) -> Vector:
    """Two numbers with a comma between them.

    >>> vector("0, -2/5")
    (Fraction(0, 1), Fraction(-2, 5))
    """
    entries = text.strip().removeprefix("(").removesuffix(")").split(",")
    if len(entries) != 2:
        raise LinkworkError("this is no vector", got=text[:60], wanted="x and y, such as 0,-2/5", fix="0,-1")
    x, y = (rational(entry) for entry in entries)
    return x, y


def rest(text: str) -> Rest:
    """A rest angle in radians."""
    return rest_of_radians(rational(text))


OF_DESIGN: Final[Mapping[str, Callable[[str], Any]]] = {
    "mu": rational,
    "p0": vector,
    "v": vector,
    "duration": rational,
}
OF_PAWL: Final[Mapping[str, Callable[[str], Any]]] = {
    "k": rational,
    "hinge": vector,
    "rest": rest,
    "theta_init": rational,
}


def with_settings(design: Design, given: Mapping[str, str]) -> Design:
    """The design with numbers given anew, as texts; a design that they leave without a meaning is refused.

    >>> from linkwork.fasten import load_design
    >>> float(with_settings(load_design("two-pawl-tee"), {"mu": "3/4", "L.k": "2"}).mu)
    0.75
    """
    for name, text in given.items():
        design = _set(design, name, text)
    if given:
        check(design)
    return design


def _set(design: Design, name: str, text: str) -> Design:
    if name in OF_DESIGN:
        return replace(design, **{name: _value(OF_DESIGN[name], name, text)})
    owner, _, field = name.rpartition(".")
    names = [pawl.name for pawl in every_pawl(design.pawls)]
    if owner not in names or field not in OF_PAWL:
        known = [*OF_DESIGN, *(f"{pawl}.{key}" for pawl in names for key in OF_PAWL)]
        raise UsageError(
            f"there is nothing called '{name[:60]}' to be set",
            wanted="one of " + listed(known),
            fix=did_you_mean(name, known, "mu=1/10"),
        )
    value = _value(OF_PAWL[field], name, text)

    def changed(pawl: Pawl) -> Pawl:
        if pawl.name != owner:
            return pawl
        return with_stiffness(pawl, value) if field == "k" else replace(pawl, **{field: value})

    return replace(design, pawls=changed_pawls(design.pawls, changed))


def _value(read: Callable[[str], Any], name: str, text: str) -> Any:
    try:
        return read(text)
    except LinkworkError as error:
        raise UsageError(
            f"{name}: {error.problem}",
            got=error.got,
            wanted=error.wanted,
            why=error.why,
            fix=f"{name}={error.fix}",
        ) from error
