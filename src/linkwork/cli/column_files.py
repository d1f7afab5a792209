"""Columns of numbers as the contents of files: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from linkwork.errors import ToolMissing

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from linkwork.kinematics.columned import Columned

    Columns = Mapping[str, NDArray[float64]]


def heading(name: str, unit: str = "") -> str:
    """A column's name with its unit.

    >>> heading("slider.x", "mm"), heading("A.angle")
    ('slider.x [mm]', 'A.angle')
    """
    plain = " ".join(unit.split())
    return f"{name} [{plain}]" if plain else name


def csv_text(columns: Columns, units: Mapping[str, str]) -> str:
    """The columns as CSV, every number with all its digits.

    >>> import numpy as np
    >>> print(csv_text({"time": np.array([0, 0.1])}, {"time": "s"}), end="")
    time [s]
    0.0
    0.1
    """
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([heading(name, units.get(name, "")) for name in columns])
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    return file.getvalue()


def column_content(result: Columned, names: Sequence[str], suffix: str) -> str | bytes:
    """Some columns of a result as CSV or Parquet."""
    columns = {name: result[name] for name in names}
    if suffix == ".csv":
        return csv_text(columns, result.units_of(names))
    about = {"machine": result.machine.name, "title": result.machine.title, "status": result.status}
    return parquet_bytes(columns, result.units_of(names), about)


def parquet_bytes(columns: Columns, units: Mapping[str, str], about: Mapping[str, str]) -> bytes:
    """The columns as Parquet: units in the headings and in the fields' metadata, ``about`` in the file's."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ToolMissing(
            "Parquet files are written with pyarrow, which is not installed",
            wanted="the package pyarrow",
            fix="pip install 'linkwork[parquet]'",
        ) from None
    fields, arrays = [], []
    for name, column in columns.items():
        unit = units.get(name, "")
        metadata = {"name": name} | ({"unit": unit} if unit else {})
        fields.append(pyarrow.field(heading(name, unit), pyarrow.float64(), metadata=metadata))
        arrays.append(pyarrow.array(column, pyarrow.float64()))
    table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, metadata=dict(about)))
    file = BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()
