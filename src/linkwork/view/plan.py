"""A plan as a picture: the matrix of the accelerations in block triangular form, and which block waits for which."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from linkwork.dynamics.plan import Part, Plan
from linkwork.planning import Block
from linkwork.view.theme import PALETTE, THEMES, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LARGEST_LABELLED = 60
"""Unknowns up to which rows and columns have names."""
LONGEST_LABEL = 34


def plan_svg(plan: Plan) -> str:
    """The picture as SVG."""
    return _saved(plan, "svg").decode()


def plan_png(plan: Plan) -> bytes:
    """The picture as PNG."""
    return _saved(plan, "png")


def _saved(plan: Plan, format: str) -> bytes:
    from matplotlib import rc_context

    file = BytesIO()
    no_date: dict[str, Any] = {"Date": None} if format == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "linkwork"}):
        _figure(plan).savefig(file, format=format, metadata=no_date, dpi=120)
    return file.getvalue()


def _figure(plan: Plan) -> Figure:
    from matplotlib.figure import Figure

    part = plan.accelerations
    size = max(len(part.unknowns), 8)
    inches = min(4.0 + 0.16 * size, 16.0)
    figure = Figure(figsize=(2.1 * inches, inches + 0.6), layout="constrained")
    matrix, graph = figure.subplots(1, 2)
    title = plan.specification.machine.title or plan.specification.machine.name
    figure.suptitle(f"{title}: accelerations, {len(part.equations)} equations")
    blocks = part.finer or tuple(Block(equations, unknowns) for equations, unknowns in part.blocks)
    _draw_matrix(matrix, plan, blocks)
    _draw_graph(graph, plan, part, blocks)
    return figure


def _draw_matrix(axes: Axes, plan: Plan, blocks: tuple[Block, ...]) -> None:
    """Which equation mentions which unknown, blocks shaded."""
    from matplotlib.patches import Rectangle

    equations = [name for block in blocks for name in block.equations]
    unknowns = [name for block in blocks for name in block.unknowns]
    column = {name: place for place, name in enumerate(unknowns)}
    begin = 0
    for number, block in enumerate(blocks):
        colour = mix(PALETTE[number % len(PALETTE)], THEMES["light"].paper, 0.65)
        corner = (begin - 0.5, begin - 0.5)
        axes.add_patch(Rectangle(corner, block.size, block.size, facecolor=colour, edgecolor="none"))
        begin += block.size
    structure = plan.motion_structure
    rows, columns = [], []
    for row, equation in enumerate(equations):
        for name in structure.mentioned_in(equation):
            rows.append(row)
            columns.append(column[name])
    size = len(unknowns)
    axes.scatter(
        columns, rows, s=max(2.0, min(30.0, 900.0 / max(size, 1))), color=THEMES["light"].text, zorder=3
    )
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_title("which equation mentions which unknown, in the order of solving", fontsize=10)
    if size <= LARGEST_LABELLED:
        axes.set_xticks(range(size), [_short(name) for name in unknowns], rotation=90, fontsize=6)
        axes.set_yticks(range(size), [_short(name) for name in equations], fontsize=6)


def _draw_graph(axes: Axes, plan: Plan, part: Part, blocks: tuple[Block, ...]) -> None:
    """Blocks in columns by the length of the way to them, with arrows from what each waits for."""
    needs = plan.block_needs(blocks)
    depth = [0] * len(blocks)
    for place, others in enumerate(needs):
        depth[place] = 1 + max((depth[other] for other in others), default=-1)
    height: dict[int, int] = {}
    spots: list[tuple[float, float]] = []
    for place in range(len(blocks)):
        row = height.get(depth[place], 0)
        height[depth[place]] = row + 1
        spots.append((float(depth[place]), float(row)))
    tallest = max(height.values(), default=1)
    spots = [(x, y + (tallest - height[int(x)]) / 2) for x, y in spots]
    kept = {name for place in part.kept for name in part.blocks[place][1]}
    for place, others in enumerate(needs):
        for other in others:
            arrow = {
                "arrowstyle": "-|>",
                "color": THEMES["light"].faint,
                "shrinkA": 16,
                "shrinkB": 16,
                "lw": 0.8,
            }
            axes.annotate("", xy=spots[place], xytext=spots[other], arrowprops=arrow)
    for place, block in enumerate(blocks):
        is_kept = not kept or not kept.isdisjoint(block.unknowns)
        colour = PALETTE[place % len(PALETTE)] if is_kept else THEMES["light"].faint
        axes.annotate(
            f"{block.size}: {_short(block.unknowns[0])}" + (", …" if block.size > 1 else ""),
            spots[place], ha="center", va="center", fontsize=7,
            bbox={"boxstyle": "round", "fc": mix(colour, THEMES["light"].paper, 0.75), "ec": colour},
        )  # fmt: skip
    axes.set_xlim(-0.7, max((x for x, _ in spots), default=0.0) + 0.7)
    axes.set_ylim(tallest - 0.3, -0.7)
    axes.set_axis_off()
    axes.set_title("which block waits for which (grey: not needed for the motion)", fontsize=10)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"
