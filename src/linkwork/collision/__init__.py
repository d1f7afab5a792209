"""Which parts of a machine would collide while its joints travel, where, and how deep."""

from linkwork.collision.compare import Clash
from linkwork.collision.travel import Clashes, clash

__all__ = ["Clash", "Clashes", "clash"]
