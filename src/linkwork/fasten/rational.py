"""Numbers as people write them, read exactly: ``-23/4``, ``0.25``, ``1e-3``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from linkwork.errors import LinkworkError

MOST_DIGITS: Final = 1000
"""Digits of a number, also those that an exponent adds. Exact arithmetic multiplies them many times over."""
LARGEST: Final = Fraction(10) ** 50
"""Numbers beyond it, or nearer to zero than its inverse, belong to no drawing; their powers leave the doubles."""

_RATIONAL: Final = re.compile(
    r"(?P<sign>[-+]?)"
    r"(?:(?P<over>[0-9]+)/(?P<under>[0-9]+)"
    r"|(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?(?:[eE](?P<exponent>[-+]?[0-9]+))?)"
)
_WANTED: Final = 'a rational number, such as "-23/4", "0.25" or "1e-3"'


def rational(text: str) -> Fraction:
    """The number that a text says, no less and no more.

    >>> rational("-23/4"), rational("0.25"), rational("1e-3")
    (Fraction(-23, 4), Fraction(1, 4), Fraction(1, 1000))
    >>> rational("pi")
    Traceback (most recent call last):
    linkwork.errors.LinkworkError: this is no rational number
      got:    pi
      wanted: a rational number, such as "-23/4", "0.25" or "1e-3"
      fix:    1
    """
    written = text.strip()
    if len(written) > MOST_DIGITS + 20:
        raise _too_long(written)
    found = _RATIONAL.fullmatch(written)
    if found is None or not (found["over"] or found["whole"] or found["part"]):
        raise _not_rational(written)
    return checked_size(-_size(found, written) if found["sign"] == "-" else _size(found, written))


def checked_size(value: Fraction) -> Fraction:
    """The number itself, unless it is too large or too small for a drawing."""
    if value and not 1 / LARGEST <= abs(value) <= LARGEST:
        raise LinkworkError(
            "this number is too " + ("large" if abs(value) > 1 else "small"),
            got=f"about 1e{_magnitude(value)}",
            wanted="0, or between 1e-50 and 1e50 in size",
            why="a drawing's lengths are much nearer to one another",
            fix="choose another unit of length, time or force",
        )
    return value


def _size(found: re.Match[str], written: str) -> Fraction:
    if found["over"]:
        if len(found["over"]) + len(found["under"]) > 2 * MOST_DIGITS:
            raise _too_long(written)
        if not int(found["under"]):
            raise LinkworkError("this divides by zero", got=written[:60], wanted=_WANTED, fix="1")
        return Fraction(int(found["over"]), int(found["under"]))
    whole, part, exponent = found["whole"], found["part"] or "", found["exponent"] or "0"
    if len(whole) + len(part) + _few(exponent) > MOST_DIGITS:
        raise _too_long(written)
    return Fraction(int(f"{whole}{part}" or "0")) * Fraction(10) ** (int(exponent) - len(part))


def _few(exponent: str) -> int:
    """The digits that an exponent adds; one of many digits need not be read for that."""
    return abs(int(exponent)) if len(exponent) < 8 else 10**8


def _too_long(written: str) -> LinkworkError:
    return LinkworkError(
        "this number is absurdly long",
        got=f"{written[:40]}… of {len(written)} characters" if len(written) > 60 else written,
        wanted=f"at most {MOST_DIGITS} digits, with those that an exponent stands for",
        fix=f"{written[:12]}" if re.fullmatch(r"[-+]?[0-9]+\.[0-9]+", written) else "1",
    )


def _not_rational(written: str) -> LinkworkError:
    why, fix = "", "1"
    if written.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        why = "every number of a design is finite"
    elif _RATIONAL.fullmatch(plainer := written.replace("−", "-").replace(" ", "").replace(",", ".")):
        fix = plainer or fix
    return LinkworkError(
        "this is no rational number", got=written[:60] or "an empty text", wanted=_WANTED, why=why, fix=fix
    )


def _magnitude(value: Fraction) -> int:
    return len(str(abs(value.numerator))) - len(str(value.denominator))
