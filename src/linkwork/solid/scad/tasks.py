"""Recursion on a stack of our own: depth costs memory and is counted, and never meets the limit of Python.

A *task* is a generator that hands out what it needs, a further task or a value that is known already, and is sent
the value back; what it returns is its own value.
"""

from __future__ import annotations

from collections.abc import Generator
from types import GeneratorType
from typing import Any, Final, TypeVar

from linkwork.solid.scad.fault import Complaint
from linkwork.solid.scad.limits import DEEPEST_NESTING, TASKS_A_BRACKET, Work

Value = TypeVar("Value")
Task = Generator[Any, Any, Value]

COUNTED_AT_ONCE: Final = 64
"""Steps, for the sake of speed."""


def run(task: Task[Value], work: Work | None = None) -> Value:
    """The value of a task, each of its tasks counted as a step of work where one counts.

    >>> def factorial(n):
    ...     return n * (yield factorial(n - 1)) if n else 1
    >>> run(factorial(20))
    2432902008176640000
    """
    waiting: list[Task[Any]] = []
    current: Task[Any] = task
    sent: Any = None
    steps = 0
    while True:
        try:
            sent = current.send(sent)
        except StopIteration as end:
            sent = end.value
            if not waiting:
                found: Value = sent
                return found
            current = waiting.pop()
            continue
        if type(sent) is GeneratorType:
            waiting.append(current)
            current, sent = sent, None
            steps += 1
            if steps == COUNTED_AT_ONCE:
                steps = 0
                if work is not None:
                    work.spend(COUNTED_AT_ONCE)
            if len(waiting) >= DEEPEST_NESTING:
                raise Complaint(
                    "this is nested too deeply",
                    wanted=f"at most about {DEEPEST_NESTING // TASKS_A_BRACKET:,} brackets in one another",
                    fix="give what is innermost a name: part = …; or module part() { … }",
                )
