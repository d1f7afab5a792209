"""Rows of a benchmark, written as JSON and as a table to ``results/``, with the machine they came from."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


class Report:
    """Collects rows by section and writes them once, at the end."""

    def __init__(self, name: str, title: str, times: str = "Times are CPU times, best of several.") -> None:
        self.name = name
        self.title = title
        self.times = times
        self.sections: dict[str, list[dict[str, Any]]] = {}

    def add(self, section: str, row: dict[str, Any]) -> None:
        """Add a row to a section."""
        self.sections.setdefault(section, []).append(row)

    def add_ratios(self, ours: str, peers: tuple[str, ...]) -> None:
        """For each section a table of peer ÷ ours: above 1 we are better."""
        for section, rows in list(self.sections.items()):
            ratios = []
            own = {row["n"]: row for row in rows if row["system"] == ours}
            for row in rows:
                if row["system"] in peers:
                    ratio: dict[str, Any] = {"peer ÷ ours": row["system"], "n": row["n"]}
                    for key in ("total ms", "operations", "compile s", "ns"):
                        if key in row and own[row["n"]].get(key):
                            ratio[key] = round(row[key] / own[row["n"]][key], 2)
                    ratios.append(ratio)
            self.sections[f"{section}: peer ÷ ours"] = ratios

    def write(self) -> None:
        """Write ``results/NAME.json`` and ``results/NAME.md``."""
        RESULTS.mkdir(exist_ok=True)
        machine = f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}"
        data = {"title": self.title, "machine": machine, "sections": self.sections}
        (RESULTS / f"{self.name}.json").write_text(json.dumps(data, indent=1) + "\n")
        lines = [f"# {self.title}", "", f"Measured on {machine}. {self.times}", ""]
        for section, rows in self.sections.items():
            lines += [f"## {section}", "", *_table(rows), ""]
        (RESULTS / f"{self.name}.md").write_text("\n".join(lines))
        print("\n".join(lines))


def _table(rows: list[dict[str, Any]]) -> list[str]:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in rows:
        lines.append("| " + " | ".join(str(row.get(column, "")) for column in columns) + " |")
    return lines
