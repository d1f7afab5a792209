"""Where a machine can be: its positions, and how they move."""
