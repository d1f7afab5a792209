"""The page of a forecast: its sentences, a timeline, how the pattern changes, what it looks like, and what was tested.

One HTML file without a network. All but the animation is there without a script, and prints on paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from linkwork.errors import LinkworkError
from linkwork.view.chart import Curve, chart, chart_colours, short
from linkwork.view.document import html_document
from linkwork.view.forecast import Simulated, later_times, shown, simulated_repetitions
from linkwork.view.motion_file import motion_file
from linkwork.view.primitive import readable
from linkwork.view.solution import usual_columns
from linkwork.view.timeline import Lane, timeline

if TYPE_CHECKING:
    from linkwork.foresee import Forecast
    from linkwork.foresee.forecast import Ending, ForeseenPattern
    from linkwork.simulation import Solution

MOST_CHARTS: Final = 6
"""Variables of a pattern whose swings, or whose phase portraits, are drawn."""
ROWS, MOST_ROWS = 400, 1500
"""Of what is played: of one repetition, unless it has many minima; and at most."""
ROWS_A_MINIMUM: Final = 25
FEW_RESTARTS: Final = 12
"""So many are shown at once."""
RATE: Final = "V_"
"""What the name of a rate begins with among the variables of a state."""


def forecast_page(forecast: Forecast) -> str:
    """The page as HTML.

    >>> from linkwork import load, predict
    >>> page = forecast_page(predict(load("ratchet-cw")))
    >>> page.startswith("<!doctype html>"), "jammed" in page, "://" in page.replace("http://www.w3.org", "")
    (True, True, False)
    """
    title = _text(forecast.machine.title or forecast.machine.name)
    seen = _Seen(forecast)
    parts = [
        ("In time", _timeline(forecast)),
        (seen.heading, seen.player),
        ("How it changes", _changes(forecast)),
        ("State against rate", seen.portraits),
        ("What was tested", _tests(forecast)),
        ("Rejected", _rejected(forecast)),
    ]
    body = "\n".join(
        f"<section>\n<h2>{_text(heading)}</h2>\n{content}\n</section>"
        for heading, content in parts
        if content
    )
    partial = '<p class="partial">Partial: the forecast was interrupted.</p>\n' if forecast.is_partial else ""
    said = "\n".join(f"<li>{_text(each)}</li>" for each in forecast.summary.split("; "))
    content = f"""<main style="{chart_colours()}">
<header><h1>{title}</h1>
{partial}<ul class="said">
{said}
</ul>
<p class="aside">{_effort(forecast)}</p></header>
{body}
</main>"""
    return html_document(title, ("theme.css", "forecast.css"), content, ())


def _text(text: str) -> str:
    return escape(readable(text))


def _effort(forecast: Forecast) -> str:
    until = min(forecast.reached, forecast.known_until)
    of = f" of {short(until)}" if forecast.simulated_time < until else ""
    contact = f", contacts {forecast.contact}" if forecast.contact else ""
    return _text(f"simulated {short(forecast.simulated_time)}{of}{contact}")


# ------------------------------------------------------------------------------------------ in time


def _timeline(forecast: Forecast) -> str:
    begin = min(each.course.time for each in forecast.foreseen)
    reached = forecast.reached
    if reached <= begin:  # nothing is known
        reached = begin + forecast.simulated_time
    end = reached + 0.06 * (reached - begin or 1.0) * any(each.kind != "horizon" for each in forecast.endings)
    lanes = [_pattern_lane(each) for each in forecast.patterns]
    lanes += list(_superimposed_lanes(forecast))
    restarts = [each for each in simulated_repetitions(forecast) if each.deviation > 0]
    if restarts:
        told = tuple((each.time, f"t = {short(each.time)}: {_deviation(each)}") for each in restarts)
        lanes.append(Lane("restarts of the simulation", moments=told, kind="restarts"))
    lanes += [_ending_lane(each, end, len(forecast.endings) > 1) for each in forecast.endings]
    kept = [lane for lane in lanes if lane.spans or lane.moments]
    return timeline(kept, begin, end) if kept else ""


def _pattern_lane(pattern: ForeseenPattern) -> Lane:
    words = f"t = {short(pattern.valid_from)} to {short(pattern.valid_until)}, until {pattern.ends_because}"
    period = short(pattern.duration)
    if not math.isclose(pattern.duration, pattern.last_duration, rel_tol=1e-4):
        period += f" to {short(pattern.last_duration)}"
    name = f"repeats itself, period {period}, {pattern.repetitions:.0f} times"
    return Lane(name, ((pattern.valid_from, pattern.valid_until, words),), kind="pattern")


def _superimposed_lanes(forecast: Forecast) -> Iterator[Lane]:
    for each in forecast.superimposed:
        name = " and ".join(each.parts)
        moments = [(time, f"t = {short(time)}, simulated") for time in each.times]
        if each.period is not None:
            name += f", every {short(each.period)}"
            moments += [(time, f"t = {short(time)}, foretold") for time in later_times(forecast, each)]
        yield Lane(name, moments=tuple(moments), kind="superimposed")


def _ending_lane(ending: Ending, end: float, with_parts: bool) -> Lane:
    who = f" ({', '.join(ending.parts)})" if with_parts else ""
    name = {"rest": "at rest", "unknown": "unknown", "goes on": "goes on"}.get(ending.kind, "")
    if not name:
        return Lane("")
    return Lane(
        f"{name}{who} from t = {short(ending.t)}", ((ending.t, end, ending.why),), kind=name.replace(" ", "-")
    )


# ----------------------------------------------------------------------------------- how it changes


def _changes(forecast: Forecast) -> str:
    """Periods, swings and deviations at each repetition that was simulated."""
    rows = simulated_repetitions(forecast)
    drawn = []
    for place, pattern in enumerate(forecast.patterns):
        own = [each for each in rows if each.pattern == place]
        times = [each.time for each in own]
        which = f", pattern {place + 1}" if len(forecast.patterns) > 1 else ""
        durations = Curve("period", times, [each.duration for each in own], has_dots=True)
        drawn.append(chart(f"Period{which}", [durations], "time", "time"))
        for name in list(pattern.swings)[:MOST_CHARTS]:
            ends = [
                Curve(
                    word,
                    times,
                    [shown(name, each.ends[name][end]) for each in own],
                    colour=end,
                    has_dots=True,
                )
                for end, word in enumerate(("lowest", "highest"))
            ]
            drawn.append(chart(f"Swing of {_owner(name)}{which}", ends, "time", _unit(name)))
        restarts = [each for each in own if each.deviation > 0]
        if restarts:
            off = [100 * each.deviation for each in restarts]
            dots = Curve("", [each.time for each in restarts], off, 5, has_dots=True, has_line=False)
            drawn.append(chart(f"Deviation found at restarts{which}", [dots], "time", "% of a swing"))
    return f'<div class="charts">{"".join(drawn)}</div>' if drawn else ""


def _owner(name: str) -> str:
    return name.removesuffix(".angle")


def _unit(name: str, rate: bool = False) -> str:
    return ("°" if name.endswith("angle") else _owner(name).rpartition(".")[2]) + " per time" * rate


# ------------------------------------------------------------------------------ what it looks like


class _Seen:
    """One repetition of the last pattern, first and last; without a pattern all that happens."""

    def __init__(self, forecast: Forecast) -> None:
        self.forecast = forecast
        self.pattern = forecast.patterns[-1] if forecast.patterns else None
        self.runs: dict[str, Solution] = {}
        for name, begin, end, rows in self._spans():
            try:
                self.runs[name] = forecast.replay(begin, end, rows)
            except LinkworkError:  # then it is not shown
                continue

    @property
    def heading(self) -> str:
        """What the animation shows."""
        return "One repetition" if self.pattern is not None else "What it does"

    def _spans(self) -> Iterator[tuple[str, float, float, int]]:
        """What is played: names, from when to when, in how many rows."""
        forecast, pattern = self.forecast, self.pattern
        if pattern is None:
            yield self._from_the_start()
            return
        own = [each for each in simulated_repetitions(forecast) if each.pattern == len(forecast.patterns) - 1]
        begin, rows = own[0].time, min(max(ROWS, ROWS_A_MINIMUM * pattern.minima), MOST_ROWS)
        yield "first", begin, begin + pattern.duration, rows
        last = own[-1].time - own[-1].duration
        if last > begin + pattern.duration:
            yield "last", last, own[-1].time, rows

    def _from_the_start(self) -> tuple[str, float, float, int]:
        """As long as the rows, as close as foresight needed them, are not too many."""
        forecast = self.forecast
        first = min(each.course.time for each in forecast.foreseen)
        last = max(
            (each.t for each in forecast.endings if each.t > first), default=first + forecast.simulated_time
        )
        followers = [each.follower for each in forecast.foreseen if each.follower is not None]
        spacing = min((each.spacing for each in followers), default=(last - first) / ROWS or 1.0)
        end = min(last, first + MOST_ROWS * spacing)
        return "all", first, end, max(int((end - first) / spacing), 2)

    @property
    def player(self) -> str:
        """The page that plays it, in a frame of its own."""
        motion = next(iter(self.runs.values()), None)
        if motion is None or len(motion) < 2:
            return ""
        try:
            page = str(motion_file(motion, ".html", plots=usual_columns(motion)))
        except LinkworkError as error:
            return f"<p>{_text(str(error))}</p>"
        return (
            f'<iframe sandbox="allow-scripts" title="{_text(self.heading)}" srcdoc="{escape(page)}"></iframe>'
        )

    @property
    def portraits(self) -> str:
        """For each variable its rate over its place, in the first repetition and the last."""
        names = [name for each in self.forecast.foreseen for name in each.course.variables]
        known = [name for name in names if RATE + name in names]
        moving = self.pattern.change if self.pattern is not None else known
        drawn = [self._portrait(name, names) for name in known if name in moving and self._moves(name, names)]
        return f'<div class="charts">{"".join(drawn[:MOST_CHARTS])}</div>' if drawn else ""

    def _moves(self, name: str, names: list[str]) -> bool:
        column = names.index(name)
        return any(
            len(run.states) > 1 and float(run.states[:, column].max() - run.states[:, column].min()) > 1e-6
            for run in self.runs.values()
        )

    def _portrait(self, name: str, names: list[str]) -> str:
        swings = self.pattern is None or name in self.pattern.swings
        curves = []
        for colour, (word, run) in enumerate(self.runs.items()):
            place, rate = (run.states[:, names.index(each)].tolist() for each in (name, RATE + name))
            start = 0.0 if swings else place[0]
            x = [shown(name, value - start) for value in place]
            curves.append(Curve(f"{word} repetition", x, [shown(name, value) for value in rate], 3 * colour))
        label = _unit(name) if swings else f"{_unit(name)} since its start"
        return chart(_owner(name), curves, label, _unit(name, rate=True))


# -------------------------------------------------------------------------------- what was tested


def _tests(forecast: Forecast) -> str:
    """By what each pattern was believed, and all restarts."""
    from linkwork.foresee.pattern import CONFIRMATIONS, STATE_MATCH, TIME_MATCH

    rows = simulated_repetitions(forecast)
    told = []
    for place, pattern in enumerate(forecast.patterns):
        own = [each for each in rows if each.pattern == place and each.deviation > 0]
        contacts = ", ".join(" and ".join(pair) for pair in pattern.contacts)
        touching = f"; in each of them {contacts} touch" if contacts else ""
        words = (
            f"{pattern.minima} minima of the kinetic energy: at least {CONFIRMATIONS} more repetitions lasted as long"
            f" to {TIME_MATCH:.0%} and changed all variables alike to {STATE_MATCH:.0%} of their range{touching}."
        )
        told.append(f"<p>{_text(words)}</p>")
        if own:
            told.append(_restart_table(own))
    return "\n".join(told)


def _restart_table(rows: list[Simulated]) -> str:
    cells = "".join(
        f"<tr><td>{short(each.time)}</td><td>{each.number:.0f}</td><td>{short(each.duration)}</td>"
        f"<td>{100 * each.deviation:.2g} %</td></tr>"
        for each in rows
    )
    head = "".join(f"<th>{each}</th>" for each in ("restart at t", "repetition", "period", "off by"))
    is_open = " open" if len(rows) <= FEW_RESTARTS else ""
    return f"""<details{is_open}><summary>{len(rows)} restarts</summary>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table></div></details>
<p class="aside">Off by: how far the simulation was at most from what had been foretold, of the range of a variable in
one repetition.</p>"""


def _deviation(each: Simulated) -> str:
    return f"{100 * each.deviation:.2g} % of a swing"


def _rejected(forecast: Forecast) -> str:
    items = "".join(
        f"<li>{_text(f'{each.minima} minima, at t = {short(each.t)}: {each.why}')}</li>"
        for each in forecast.rejected
    )
    return f"<ul>{items}</ul>" if items else ""
