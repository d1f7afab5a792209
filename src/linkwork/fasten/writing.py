"""A design as a file: the data of its JSON, and their text; reading it gives an equal design."""

from __future__ import annotations

import json
import os
from typing import Any

from linkwork.fasten.design import Design, Obstacle, Pawl, Polygon, Rest, Search, Vector
from linkwork.fasten.schema import FORMAT
from linkwork.model.store import write_text


def save_design(design: Design, path: str | os.PathLike[str]) -> None:
    """Write a design's file, whole or not at all."""
    write_text(path, design_to_text(design))


def design_to_text(design: Design) -> str:
    """The JSON text of a design: a line for each key, polygon and part."""
    lines = []
    for key, value in design_to_json(design).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n  ".join(json.dumps(each, ensure_ascii=False) for each in value)
            lines.append(f"{json.dumps(key)}: [\n  {entries}]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{" + ",\n ".join(lines) + "}\n"


def design_to_json(design: Design) -> dict[str, Any]:
    """A design's data as its file holds them."""
    found: dict[str, Any] = {"schema": FORMAT, "name": design.name}
    if design.title:
        found["title"] = design.title
    found["obstacles"] = [_obstacle(each) for each in design.obstacles]
    found["root"] = None if design.root is None else _polygon(design.root)
    found["pawls"] = [_pawl(each) for each in design.pawls]
    found |= {"p0": _vector(design.p0), "v": _vector(design.v)}
    found |= {"duration": str(design.duration), "mu": str(design.mu)}
    if design.start_region is not None:
        found["start_region"] = _polygon(design.start_region)
    if design.directions:
        found["directions"] = [_vector(each) for each in design.directions]
    if design.farthest is not None:
        found["farthest"] = str(design.farthest)
    if design.tolerances is not None:
        each = design.tolerances
        found["tolerances"] = {"coordinates": str(each.coordinates), "mu": str(each.mu), "k": str(each.k)}
    if design.search is not None:
        found["search"] = _search(design.search)
    return found


def _obstacle(obstacle: Obstacle) -> dict[str, Any]:
    found: dict[str, Any] = {"name": obstacle.name, "poly": _polygon(obstacle.poly)}
    return found | ({"cut": list(obstacle.cut)} if obstacle.cut else {})


def _search(search: Search) -> dict[str, Any]:
    goal = {
        key: value if isinstance(value, bool) else str(value)
        for key, value in vars(search.goal).items()
        if value is not None
    }
    vary: dict[str, dict[str, Any]] = {}
    for each in search.vary:
        vary[each.name] = {"low": str(each.low), "high": str(each.high)}
        if each.moves:
            vary[each.name]["moves"] = {f"{name}.{vertex}": _vector(by) for name, vertex, by in each.moves}
        if each.sets:
            vary[each.name]["sets"] = each.sets
    return {"vary": vary, "goal": goal}


def _pawl(pawl: Pawl) -> dict[str, Any]:
    found: dict[str, Any] = {"name": pawl.name, "poly": _polygon(pawl.poly), "hinge": _vector(pawl.hinge)}
    if pawl.cantilever is None:
        found["k"] = str(pawl.k)
    else:
        found["cantilever"] = {key: str(size) for key, size in vars(pawl.cantilever).items()}
    found["rest"] = _rest(pawl.rest)
    if pawl.theta_init is not None:
        found["theta_init"] = str(pawl.theta_init)
    if pawl.pawls:
        found["pawls"] = [_pawl(each) for each in pawl.pawls]
    return found


def _rest(rest: Rest) -> Any:
    if rest.radians is not None:
        return str(rest.radians)
    return {"half_tan": str(rest.half_tan), "turns": rest.turns} if rest != Rest() else "0"


def _polygon(polygon: Polygon) -> list[list[str]]:
    return [_vector(corner) for corner in polygon]


def _vector(vector: Vector) -> list[str]:
    return [str(each) for each in vector]
