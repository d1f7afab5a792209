"""The arrays that kinematics calculates with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
"""Numbers in one, two or three dimensions; rows of a motion come first."""
Places = NDArray[np.intp]
"""Places of rows or columns."""
