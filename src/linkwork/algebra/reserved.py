"""The words that cannot name a quantity, each with the reason: a printed program would not compile.

Only words that every user must avoid stand here; words that clash in one language alone (macros of
``math.h``) are renamed by that language's printer.
"""

from __future__ import annotations

from typing import Final

FUNCTION_NAMES: Final = frozenset(
    "sqrt sin cos tan asin acos atan exp log abs sign atan2 min max select".split()
)
CONSTANT_NAMES: Final = frozenset(("pi", "deg"))

_C: Final = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int
    long register restrict return short signed sizeof static struct switch typedef union unsigned void
    volatile while""".split()
)
_PYTHON: Final = frozenset(
    """and as assert async await break class continue def del elif else except finally for from global if
    import in is lambda nonlocal not or pass raise return try while with yield None True False""".split()
)
_JAVASCRIPT: Final = frozenset(
    """await break case catch class const continue debugger default delete do else enum export extends false
    finally for function if implements import in instanceof interface let new null package private
    protected public return static super switch this throw true try typeof var void while with yield
    arguments eval undefined NaN Infinity Math""".split()
)


def reserved_because(name: str) -> str:
    """Why ``name`` is taken; empty where it is free.

    >>> reserved_because("double")
    'it is a word of C'
    >>> reserved_because("crank")
    ''
    """
    if name in FUNCTION_NAMES:
        return f"it is the function {name}(…)"
    if name in CONSTANT_NAMES:
        return f"it stands for {'the number π' if name == 'pi' else 'degrees (30 deg)'}"
    for part in name.split("."):
        languages = [
            language
            for language, words in (("C", _C), ("JavaScript", _JAVASCRIPT), ("Python", _PYTHON))
            if part in words
        ]
        if languages:
            return f"it is a word of {' and '.join(languages)}"
    return ""
