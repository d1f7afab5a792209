"""linkwork: describe a machine once; everything else is derived."""

__version__ = "0.1.0"
