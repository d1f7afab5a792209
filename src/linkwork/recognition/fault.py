"""The error of solids that are no machine."""

from __future__ import annotations

from linkwork.errors import LinkworkError


class RecognitionError(LinkworkError):
    """Solids that are no machine: a part that hangs in the air, parts that overlap."""
