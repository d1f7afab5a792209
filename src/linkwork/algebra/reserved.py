"""The words that cannot name a quantity, each with the reason: a printed program would not compile.

Only words that every user must avoid stand here; words that clash in one language alone (macros of
``math.h``) are renamed by that language's printer.
"""

from __future__ import annotations

from typing import Final

FUNCTION_NAMES: Final = frozenset(
    "sqrt sin cos tan asin acos atan exp log abs sign atan2 min max select".split()
)
CONSTANT_NAMES: Final = {"pi": "the number π", "π": "the number π", "deg": "degrees (30 deg)"}

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
    arguments eval undefined NaN Infinity Math Object""".split()
)


_LANGUAGES: Final = {"C": _C, "JavaScript": _JAVASCRIPT, "Python": _PYTHON}


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
        return f"it stands for {CONSTANT_NAMES[name]}"
    for part in name.split("."):
        languages = [language for language, words in _LANGUAGES.items() if part in words]
        if languages:
            return f"it is a word of {' and '.join(languages)}"
        if part.startswith("__") or (part.startswith("_") and part[1:2].isupper()):
            return "C keeps names that begin like this for itself"
    return ""


def free_name(name: str) -> str:
    """A name near ``name`` that is not reserved.

    >>> free_name("double"), free_name("Math.x"), free_name("__file__")
    ('double_', 'Math_.x', 'file__')
    """
    if name in FUNCTION_NAMES or name in CONSTANT_NAMES:
        return "pi_" if name == "π" else f"{name}_"
    parts = [part.lstrip("_") or "q" if part.startswith("_") else part for part in name.split(".")]
    return ".".join(
        f"{part}_" if any(part in words for words in _LANGUAGES.values()) else part for part in parts
    )
