"""Which parts of a machine would collide while its joints travel, where, and how deep."""

from linkwork.collision.travel import Clash, Clashes, clash

__all__ = ["Clash", "Clashes", "clash"]
