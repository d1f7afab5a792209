"""What here is no test."""

collect_ignore = ["make_with_occt.py"]
