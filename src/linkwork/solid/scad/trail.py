"""Where an evaluation stands: its work, the calls that are under way, and the errors that tell of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from linkwork.solid.scad.fault import Complaint, Place, ScadError
from linkwork.solid.scad.limits import DEEPEST_CALLS, Work

Result = TypeVar("Result")
MOST_CALLERS_TOLD: Final = 3


class Trail:
    """One evaluation of one text."""

    def __init__(self) -> None:
        self.work = Work()
        self.calls: list[tuple[str, Place]] = []
        self.place: Place | None = None
        self.last_undefined = ""

    def fail(self, complaint: Complaint, place: Place) -> ScadError:
        """The error for a complaint, with the calls that led here and where undef last came from."""
        reasons = [complaint.parts["why"]] if complaint.parts["why"] else []
        if "undef" in complaint.problem and self.last_undefined:
            reasons.append(f"the last operation without a meaning: {self.last_undefined}")
        callers = [f"{name} at {at}" for name, at in reversed(self.calls[-MOST_CALLERS_TOLD:]) if at != place]
        if callers:
            reasons.append(f"called by {', by '.join(callers)}")
        return Complaint(complaint.problem, **complaint.parts | {"why": "\n".join(reasons)}).at(place)

    def guarded(self, place: Place, doing: Callable[[], Result]) -> Result:
        """Do something that may complain, and tell where."""
        try:
            return doing()
        except Complaint as complaint:
            raise self.fail(complaint, place) from None

    def enter(self, name: str, place: Place, ending: str) -> None:
        """A call begins; ``ending`` shows how a recursion of its kind ends."""
        self.calls.append((name, place))
        self.place = place
        if len(self.calls) > DEEPEST_CALLS:
            raise self.fail(
                Complaint(
                    f"'{name}' calls itself without an end, or {DEEPEST_CALLS:,} times inside one another",
                    wanted="a condition that ends the recursion",
                    fix=ending.format(name=name if name.isidentifier() else "f"),
                ),
                place,
            )

    def leave(self) -> None:
        """A call ends."""
        self.calls.pop()
