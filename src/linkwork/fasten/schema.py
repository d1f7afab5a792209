"""The structure of design files, said once: the published JSON Schema, by which they are also read."""

from __future__ import annotations

from typing import Any, Final

FORMAT: Final = "linkwork-fastening/1"
"""What ``schema`` says in the files this version reads and writes."""

DEEPEST: Final = 8
"""Pawls in a row, each carried by the one before."""

MOST_TURNS: Final = 1_000_000
"""Whole turns of a rest angle."""


def design_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of design files.

    >>> design_schema()["required"]
    ['obstacles', 'pawls', 'p0', 'v', 'duration']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:linkwork:fastening:1",
        "title": "linkwork snap-fit design",
        "type": "object",
        "required": ["obstacles", "pawls", "p0", "v", "duration"],
        "properties": {
            "schema": {"const": FORMAT, "description": "the version of the format", "examples": [FORMAT]},
            "name": _text("the design's name; without it the file's name counts", "two-pawl-tee"),
            "title": {**_text("one line about the design", "Two pawls and a T"), "minLength": 0},
            "obstacles": _list_of(_obstacle(), "the polygons that stand still"),
            "root": {
                **_polygon("the polygon that carries the hinges, or null where it meets nothing"),
                "type": ["array", "string", "object", "null"],
            },
            "pawls": _list_of(_pawl(DEEPEST), "the polygons on spring hinges"),
            "p0": _point("where the root is at the time 0"),
            "v": _point("the root's velocity", ["0", "-1"]),
            "duration": _number("how long it is pushed, more than 0", "10"),
            "mu": _number("the coefficient of friction, 0 or more", "1/10"),
            "start_region": _polygon("where the root may be at the time 0"),
            "directions": {
                "type": "array",
                "items": _point("a velocity", ["0", "1"]),
                "description": "a list of velocities to ask about",
                "examples": [[["0", "1"], ["1", "1"]]],
            },
            "farthest": _number("how far parts that went right through are pulled back at most", "60"),
            "tolerances": _tolerances(),
            "search": _search(),
        },
        "additionalProperties": False,
    }


def _tolerances() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "a table: by how much numbers may be off, to either side",
        "properties": {
            "coordinates": _number("every coordinate of every corner and hinge", "1/100"),
            "mu": _number("the friction", "1/20"),
            "k": _number("the stiffness, as a part of itself, less than 1", "1/10"),
        },
        "additionalProperties": False,
    }


def _search() -> dict[str, Any]:
    dimension = {
        "type": "object",
        "description": "a table: a number to be varied, with what it moves or sets",
        "required": ["low", "high"],
        "properties": {
            "low": _number("its least value", "-1/4"),
            "high": _number("its greatest value", "1/4"),
            "moves": {
                "type": "object",
                "description": "a table: vertices, as in L.2 or H.0, and the vectors by which 1 of it moves them",
                "additionalProperties": _point("a vector", ["1", "0"]),
            },
            "sets": _text("mu, or a pawl's stiffness as in L.k", "L.k"),
        },
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "description": "a table: dimensions to vary and the goal of a search",
        "required": ["vary"],
        "properties": {
            "vary": {
                "type": "object",
                "description": "a table: dimensions by name",
                "additionalProperties": dimension,
            },
            "goal": {
                "type": "object",
                "description": "a table: what is wanted of the design",
                "properties": {
                    "insertion_most": _number("the greatest force to put it together, more than 0", "1/10"),
                    "retention_least": _number("the least force to pull it apart, more than 0", "1/5"),
                    "removable": {
                        "type": "boolean",
                        "description": "true or false: must come apart or must not",
                    },
                },
                "additionalProperties": False,
            },
        },
        "additionalProperties": False,
    }


def _obstacle() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "a table: a polygon that stands still",
        "required": ["name", "poly"],
        "properties": {
            "name": _text("a name", "H"),
            "poly": _polygon("its corners"),
            "cut": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "description": "an edge", "examples": [1]},
                "description": "a list of edges beyond which it goes on without end, as wide as it is there",
                "examples": [[1]],
            },
        },
        "additionalProperties": False,
    }


def _pawl(deep: int) -> dict[str, Any]:
    """A pawl that may carry pawls, so many deep."""
    carried = {"pawls": _list_of(_pawl(deep - 1), "the pawls that it carries")} if deep > 1 else {}
    return {
        "type": "object",
        "description": "a table: a polygon on a spring hinge",
        "required": ["name", "poly"],
        "properties": {
            "name": _text("a name", "L"),
            "poly": _polygon("its corners at the angle 0, with the hinge at the origin"),
            "hinge": _point(
                "the hinge in the frame of the root, or of the pawl that carries it; without it the origin",
                ["-23/4", "0"],
            ),
            "k": _number("the hinge's torsional stiffness, more than 0; or else a cantilever", "1"),
            "cantilever": _cantilever(),
            "rest": _rest(),
            "theta_init": _number("the angle at the start in radians; without it the rest angle", "0.3"),
            **carried,
        },
        "additionalProperties": False,
    }


def _cantilever() -> dict[str, Any]:
    measures = {
        "modulus": _number("Young's modulus of the material", "2000"),
        "width": _number("across the drawing", "5"),
        "thickness": _number("in the direction in which it bends", "2"),
        "length": _number("from the clamped end to where the hook is pushed", "20"),
    }
    return {
        "type": "object",
        "description": "a table: the beam whose stiffness the hinge has, instead of k",
        "required": [*measures],
        "properties": measures,
        "additionalProperties": False,
        "examples": [{key: value["examples"][0] for key, value in measures.items()}],
    }


def _rest() -> dict[str, Any]:
    """Exactly by the tangent of half the angle, or in radians, which is exact only for 0."""
    return {
        "type": ["string", "number", "object"],
        "description": 'the angle of the relaxed hinge: "0", a table with half_tan and turns, or radians',
        "required": ["half_tan"],
        "properties": {
            "half_tan": _number("the tangent of half the angle", "1/3"),
            "turns": {
                "type": "integer",
                "description": "whole turns to be added",
                "examples": [0],
                "minimum": -MOST_TURNS,
            },
        },
        "additionalProperties": False,
        "examples": ["0"],
    }


def _text(about: str, example: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "description": f"text: {about}", "examples": [example]}


def _number(about: str, example: str) -> dict[str, Any]:
    return {"type": ["string", "number"], "description": about, "examples": [example]}


def _point(about: str, example: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "array",
        "items": _number("a rational number", "1/2"),
        "minItems": 2,
        "maxItems": 2,
        "description": f"x and y: {about}",
        "examples": [example or ["0", "10"]],
    }


def _polygon(about: str) -> dict[str, Any]:
    """Its corners, or a drawing that has it."""
    return {
        "type": ["array", "string", "object"],
        "items": _point("a corner"),
        "minLength": 1,
        "required": ["file"],
        "properties": {
            "file": _text("a DXF or SVG drawing, beside the design", "hook.dxf"),
            "part": _text("the outline in it: a layer, an id, or its number from 1", "hook"),
            "origin": _point("the place in the drawing that becomes the origin", ["0", "0"]),
            "scale": _number("what the drawing's lengths are multiplied by, more than 0", "1"),
            "deviation": _number(
                "how far chords may be from arcs and curves, in the drawing's units", "0.01"
            ),
        },
        "additionalProperties": False,
        "description": f"a list of corners, or a drawing: {about}",
        "examples": [[["0", "0"], ["1", "0"], ["0", "1"]]],
    }


def _list_of(entry: dict[str, Any], about: str) -> dict[str, Any]:
    shown = {
        key: entry["properties"][key]["examples"][0]
        for key in ("name", "poly", "k")
        if key in entry["properties"]
    }
    return {
        "type": "array",
        "items": entry,
        "description": f"a list of tables: {about}",
        "examples": [[shown]],
    }
