"""Where edges cross or touch: line with line, line with arc, arc with arc.

Curves that only nearly touch (their gap is within the tolerance) touch in the middle of the gap. Edges that
lie on each other have no single points in common; their ends, which lie on the other edge, say where they
part, and are looked for elsewhere.
"""

from __future__ import annotations

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Places, Points, Truths, cross, dot


def crossing_points(edges: Columns, i: Places, j: Places, tolerance: float) -> Points:
    """The points that edges i[k] and j[k] have in common, for all k."""
    round_i, round_j = edges.turn[i] != 0, edges.turn[j] != 0
    found = [_of_lines(edges, *_chosen(~round_i & ~round_j, i, j), tolerance)]
    if round_i.any() or round_j.any():
        one = round_i != round_j
        line, arc = np.where(round_i, j, i)[one], np.where(round_i, i, j)[one]
        found.append(_of_line_with_arc(edges, line, arc, tolerance))
        found.append(_of_arcs(edges, *_chosen(round_i & round_j, i, j), tolerance))
    return np.concatenate(found)


def _chosen(which: Truths, i: Places, j: Places) -> tuple[Places, Places]:
    return i[which], j[which]


def _of_lines(edges: Columns, i: Places, j: Places, tolerance: float) -> Points:
    first, second = edges.chord[i], edges.chord[j]
    between = edges.start[j] - edges.start[i]
    across = cross(first, second)
    slanted = across != 0
    i, j, first, between, across = i[slanted], j[slanted], first[slanted], between[slanted], across[slanted]
    share = cross(between, edges.chord[j]) / across
    points: Points = edges.start[i] + share * first
    on: Truths = _within(edges, i, share, tolerance) & _on(edges, j, points, tolerance)
    return points[on]


def _of_line_with_arc(edges: Columns, line: Places, arc: Places, tolerance: float) -> Points:
    """The foot of the centre on the line, plus or minus half the chord that the circle cuts off."""
    along = edges.chord[line] / edges.length[line]
    to_centre = edges.centre[arc] - edges.start[line]
    off, radius = cross(along, to_centre), edges.radius[arc]
    depth = radius - np.abs(off)
    half = np.sqrt(depth.clip(0) * (radius + np.abs(off)))
    gap = -0.5 * depth.clip(None, 0) * np.sign(off)  # half of what is missing, towards the circle
    foot = edges.start[line] + (dot(along, to_centre) + 1j * gap) * along
    return _two_sides(edges, line, arc, foot, half * along, depth >= -tolerance, tolerance)


def _of_arcs(edges: Columns, i: Places, j: Places, tolerance: float) -> Points:
    """With d between the centres, the chord of both circles stands across at a from the first centre.

    a = (d² + r² − s²) / 2d, and the triangle of sides d, r, s has 16·area² = (d+r+s)(r+s−d)(d+r−s)(d−r+s).
    """
    between = edges.centre[j] - edges.centre[i]
    distance = np.abs(between)
    r, s = edges.radius[i], edges.radius[j]
    outside = distance - (r + s)  # the gap of circles beside each other
    inside = np.abs(r - s) - distance  # and of one within the other
    same = (distance <= tolerance) & (np.abs(r - s) <= tolerance)
    touch = (outside <= tolerance) & (inside <= tolerance) & ~same & (distance > 0)
    i, j, between, distance = i[touch], j[touch], between[touch], distance[touch]
    r, s, outside, inside = r[touch], s[touch], outside[touch], inside[touch]
    along = between / distance
    square = (distance + r + s) * (-outside) * (distance + r - s) * (distance - r + s)
    half = np.sqrt(square.clip(0)) / (2 * distance)
    a = (distance**2 + (r - s) * (r + s)) / (2 * distance)
    a = np.where(outside > 0, r + outside / 2, a)
    a = np.where(inside > 0, np.where(r > s, r - inside / 2, -r - inside / 2), a)
    half = np.where((outside > 0) | (inside > 0), 0.0, half)
    foot = edges.centre[i] + a * along
    return _two_sides(edges, i, j, foot, 1j * half * along, np.full(len(i), True), tolerance)


def _two_sides(
    edges: Columns, i: Places, j: Places, foot: Points, aside: Points, real: Truths, tolerance: float
) -> Points:
    """Those of the points foot ± aside that are real and lie on both edges."""
    found = []
    for points, which in ((foot + aside, real), (foot - aside, real & (aside != 0))):
        on = which & _on(edges, i, points, tolerance) & _on(edges, j, points, tolerance)
        found.append(points[on])
    return np.concatenate(found)


def _on(edges: Columns, places: Places, points: Points, tolerance: float) -> Truths:
    return _within(edges, places, edges.shares(places, points), tolerance)


def _within(edges: Columns, places: Places, share: Numbers, tolerance: float) -> Truths:
    slack = tolerance / edges.length[places]
    return (share >= -slack) & (share <= 1 + slack)
