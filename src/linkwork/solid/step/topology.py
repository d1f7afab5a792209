"""Bodies of a STEP file: their faces, with surfaces and loops of edges, as the file has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, Triple, cross, triple
from linkwork.solid.shell.distance import distances
from linkwork.solid.shell.edge import Edge, Segment, points_along
from linkwork.solid.shell.sewing import Border, Piece
from linkwork.solid.shell.vector import across
from linkwork.solid.step.axes import Measures
from linkwork.solid.step.curve import edge_between
from linkwork.solid.step.record import Record
from linkwork.solid.step.surface import Bearing, bearing, inner_torus
from linkwork.solid.surface import Face, PlaneFace, RoundFace, TorusFace

LOOSE: Final = 5e-3
"""How far edges may be from each other and from their surface, in sizes of a face: splines of some programs are."""
_SHARES: Final = np.array([0.0, 0.37, 0.5, 1.0])
SHELLS = ("CLOSED_SHELL", "OPEN_SHELL", "CONNECTED_FACE_SET", "ORIENTED_CLOSED_SHELL", "ORIENTED_OPEN_SHELL")
SOLIDS = ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP")
SHEETS = ("SHELL_BASED_SURFACE_MODEL", "FACE_BASED_SURFACE_MODEL")


@dataclass
class Topology:
    """Reads the faces of bodies; edges and surfaces that faces share are read once."""

    measures: Measures
    _edges: dict[int, Edge | None] = field(default_factory=dict)

    def shells(self, body: Record) -> Iterator[list[Piece]]:
        """The shells of a body: the outer one first, then those of its voids; the sheets of a surface together."""
        for kind in SHEETS:
            if kind in body.parts:
                shells = body.part(kind).records(1, *SHELLS)
                yield [piece for shell in shells for piece in self._pieces(shell)]
                return
        kind = next(kind for kind in SOLIDS if kind in body.parts)
        if "MANIFOLD_SOLID_BREP" in body.parts and kind == "MANIFOLD_SOLID_BREP" and len(body.parts) > 1:
            yield self._pieces(body.part(kind).record(0, *SHELLS))
            if "BREP_WITH_VOIDS" in body.parts:
                for void in body.part("BREP_WITH_VOIDS").records(0, *SHELLS):
                    yield self._pieces(void)
            return
        given = body.part(kind)
        yield self._pieces(given.record(1, *SHELLS))
        if kind == "BREP_WITH_VOIDS":
            for void in given.records(2, *SHELLS):
                yield self._pieces(void)

    def _pieces(self, shell: Record) -> list[Piece]:
        turned = False
        for kind in ("ORIENTED_CLOSED_SHELL", "ORIENTED_OPEN_SHELL"):
            if kind in shell.parts:
                given = shell.part(kind)
                turned = not given.flag(3)
                shell = given.record(2, "CLOSED_SHELL", "OPEN_SHELL")
        kind = next((kind for kind in SHELLS[:3] if kind in shell.parts), "")
        faces = shell.part(kind).records(1) if kind else []
        if not faces:
            shell.fail("a shell has no faces", wanted="a list of ADVANCED_FACE")
        read = [self._face(face) for face in faces]
        self._check([(record, piece.surface, piece.loops) for record, piece in read])
        pieces = [piece for _, piece in read]
        return [piece.reversed() for piece in pieces] if turned else pieces

    def _face(self, record: Record) -> tuple[Record, Piece]:
        """A face and the record that tells it."""
        turned = False
        if "ORIENTED_FACE" in record.parts:
            given = record.part("ORIENTED_FACE")
            turned, record = not given.flag(3), given.record(2)
        kind = next((kind for kind in ("ADVANCED_FACE", "FACE_SURFACE", "FACE") if kind in record.parts), "")
        if not kind:
            record.fail(f"{record!r} stands where a face belongs", wanted="ADVANCED_FACE or FACE_SURFACE")
        given = record.part(kind)
        loops = [self._bound(bound) for bound in given.records(1)]
        loops = [loop for loop in loops if loop]
        if kind == "FACE":
            found, same = self._flat(record, loops), True
        else:
            found, same = bearing(given.record(2), self.measures), given.flag(3)
        found = self._lobe(found, loops)
        piece = Piece(found.surface, loops, same == found.as_ours)
        return record, piece.reversed() if turned else piece

    def _lobe(self, found: Bearing, loops: Sequence[Sequence[Border]]) -> Bearing:
        """Of a double cone, or of a torus that passes through itself, the part on which the edges lie."""
        other = _other_lobe(found)
        if not loops or other is None:
            return found
        points = points_along([border.edge for loop in loops for border in loop], _SHARES).reshape(-1, 3)
        gaps = [float(np.abs(distances(each.surface, points)).max()) for each in (found, other)]
        return found if gaps[0] <= gaps[1] else other

    def _check(self, faces: Sequence[tuple[Record, Face, Sequence[Sequence[Border]]]]) -> None:
        """Edges must follow each other and lie on the surface, as far as the file is exact; all faces at once."""
        bordered = [(record, surface, loops) for record, surface, loops in faces if loops]
        if not bordered:
            return
        borders = [border for _, _, loops in bordered for loop in loops for border in loop]
        counts = [sum(len(loop) for loop in loops) for _, _, loops in bordered]
        first = np.cumsum([0, *counts[:-1]])
        points = points_along([border.edge for border in borders], _SHARES)
        low, high = (end.reduceat(end.reduce(points, axis=1), first) for end in (np.minimum, np.maximum))
        near = np.maximum(LOOSE * np.linalg.norm(high - low, axis=1), 10 * self.measures.uncertainty)
        lengths = np.array([len(loop) for _, _, loops in bordered for loop in loops])
        ends = np.cumsum(lengths)
        after = np.arange(1, len(borders) + 1)
        after[ends - 1] = ends - lengths
        gaps = np.maximum.reduceat(np.linalg.norm(points[after, 0] - points[:, -1], axis=1), first)
        off = np.maximum.reduceat(self._off(bordered, points, counts), first)
        for place in np.flatnonzero(~((gaps <= near) & (off <= near))):
            record = bordered[place][0]
            if not gaps[place] <= near[place]:
                record.fail(
                    "the edges of this face do not follow each other", got=f"a gap of {gaps[place]:.3g}"
                )
            record.fail(
                "the edges of this face do not lie on its surface",
                got=f"{off[place]:.3g} beside it",
                wanted=f"at most {near[place]:.2g}",
            )

    def _off(
        self, faces: Sequence[tuple[Record, Face, object]], points: Floats, counts: Sequence[int]
    ) -> Floats:
        """How far from its surface each edge comes; planes are looked at all together."""
        flat = [surface if isinstance(surface, PlaneFace) else None for _, surface, _ in faces]
        origins = np.array([(0.0, 0.0, 0.0) if each is None else each.point for each in flat])
        normals = np.array([(0.0, 0.0, 0.0) if each is None else each.normal for each in flat])
        owner = np.repeat(np.arange(len(faces)), counts)
        found = np.abs(np.einsum("ijk,ik->ij", points - origins[owner][:, None], normals[owner])).max(axis=1)
        start = 0
        for (_, surface, _), count in zip(faces, counts, strict=True):
            if not isinstance(surface, PlaneFace):
                own = points[start : start + count]
                away = np.abs(distances(surface, own.reshape(-1, 3))).reshape(count, -1)
                found[start : start + count] = away.max(axis=1)
            start += count
        return np.asarray(found)

    def _flat(self, record: Record, loops: list[list[Border]]) -> Bearing:
        """The plane through the corners of a face that names no surface (Newell's normal)."""
        corners = np.array([border.edge.start for loop in loops[:1] for border in loop])
        normal = np.zeros(3)
        if len(corners):
            ways = corners - corners[0]
            normal = np.cross(ways, np.roll(ways, -1, axis=0)).sum(axis=0)
        length = float(np.linalg.norm(normal))
        if not length > 0:
            record.fail("a face has no area", wanted="three corners that are not on one line")
        normal = normal / length
        first = across(normal)
        second = cross(normal, first)
        return Bearing(PlaneFace(triple(corners[0]), triple(first), triple(second), (0.0, 0.0), (0.0, 0.0)))

    # ---------------------------------------------------------------------------------- loops

    def _bound(self, bound: Record) -> list[Border]:
        kind = next((kind for kind in ("FACE_OUTER_BOUND", "FACE_BOUND") if kind in bound.parts), "")
        if not kind:
            bound.fail(f"{bound!r} stands where the bound of a face belongs", wanted="FACE_BOUND")
        given = bound.part(kind)
        loop = given.record(1, "EDGE_LOOP", "POLY_LOOP", "VERTEX_LOOP")
        if "VERTEX_LOOP" in loop.parts:
            return []
        borders = self._polygon(loop) if "POLY_LOOP" in loop.parts else self._edge_loop(loop)
        return borders if given.flag(2) else [border.reversed() for border in borders[::-1]]

    def _polygon(self, loop: Record) -> list[Border]:
        corners = loop.part("POLY_LOOP").records(1, "CARTESIAN_POINT")
        if len(corners) < 3:
            loop.fail("a POLY_LOOP has fewer than three corners", wanted="three corners at least")
        found = []
        for first, second in zip(corners, [*corners[1:], corners[0]], strict=True):
            start, end = self.measures.point(first), self.measures.point(second)
            ends = sorted((first.number, second.number))
            if start != end:
                found.append(Border(Segment(start, end), (ends[0], ends[1]), first.number < second.number))
        return found

    def _edge_loop(self, loop: Record) -> list[Border]:
        found = []
        for record in loop.part("EDGE_LOOP").records(1, "ORIENTED_EDGE", "EDGE_CURVE"):
            along, edge = True, record
            if "ORIENTED_EDGE" in record.parts:
                given = record.part("ORIENTED_EDGE")
                along, edge = given.flag(4), given.record(3, "EDGE_CURVE")
            curve = self._edge(edge)
            if curve is not None:
                found.append(Border(curve if along else curve.reversed(), (edge.number, 0), along))
        return found

    def _edge(self, record: Record) -> Edge | None:
        """The edge of an EDGE_CURVE; none where it has shrunk to a point."""
        if record.number not in self._edges:
            given = record.part("EDGE_CURVE")
            first, second = (given.record(place, "VERTEX_POINT") for place in (1, 2))
            start, end = self._corner(first), self._corner(second)
            curve = given.record(3)
            closed = first.number == second.number
            self._edges[record.number] = (
                None
                if start == end and "LINE" in curve.parts
                else edge_between(curve, self.measures, start, end, closed=closed, along=given.flag(4))
            )
        return self._edges[record.number]

    def _corner(self, vertex: Record) -> Triple:
        return self.measures.point(vertex.part("VERTEX_POINT").record(1, "CARTESIAN_POINT"))


def _other_lobe(found: Bearing) -> Bearing | None:
    surface = found.surface
    if isinstance(surface, TorusFace) and 0 < surface.radius < surface.tube:
        return inner_torus(found)
    if isinstance(surface, RoundFace) and not surface.is_cylinder:
        return Bearing(
            replace(surface, radius=-surface.radius, far_radius=-surface.far_radius), found.as_ours
        )
    return None
