"""A tree of pawls that nothing holds turns at one time: overdamped, to the next rest or equilibrium.

Every hinge is damped in proportion to its stiffness, as parts of one material are. So with contacts c

    k θ' = -k(θ - rest) + Σ λ_c (∂gap_c/∂θ - μ s_c ∂along_c/∂θ),

which without contact is a straight way to rest. Which contacts press, slide or stick is tried: those count whose
forces push, whose sliding is against their friction, and after which the tree is inside of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np

from linkwork.fasten.lost import MotionLost
from linkwork.fasten.tree.bodies import Bodies, Floats, Touch
from linkwork.fasten.tree.equilibrium import Equilibria, Hold, Mode
from linkwork.fasten.tree.touching import first_touch, is_inside, touching

STRIDE = 0.06
"""Radians of a step along contacts, which goes the way that the tree turns in its middle."""
SETTLED = 0.02
"""Radians within which an equilibrium is gone to at once."""
LOOK = 0.1
"""Radians of a free way that are looked at together."""
PROBE = 1e-6
"""Radians by which a way is tried."""
STILL = 1e-9
"""A turning that is slower, in radians by the springs' own time, is none."""
MOST_STEPS = 3000


class Turning(NamedTuple):
    """Which way the tree turns, and the contacts it keeps on the way."""

    rate: Floats
    mode: Mode


def modes(touches: Sequence[Touch], count: int, rubs: bool) -> Iterator[Mode]:
    """All ways to hold a tree by some of its contacts, none first: with friction they slide or stick."""
    statuses = (1, -1, 0) if rubs else (1,)
    for size in range(min(count, len(touches)) + 1):
        for chosen in combinations(touches, size):
            for slides in product(statuses, repeat=size):
                if sum(1 if slide else 2 for slide in slides) <= count:
                    yield tuple(Hold(touch, slide) for touch, slide in zip(chosen, slides, strict=True))


def turning(bodies: Bodies, mu: float, t: float, theta: Floats) -> Turning | None:
    """How the tree turns by itself at a configuration; none where it stays."""
    best: Turning | None = None
    most = STILL
    for mode in modes(touching(bodies, t, theta), bodies.count, mu > 0):
        found = _rate(bodies, mode, mu, t, theta)
        if found is None:
            continue
        size = float(np.abs(found).max())
        if size <= STILL and any(not hold.slide for hold in mode):
            return None  # friction holds what it can
        if size > most and not is_inside(bodies, t, theta + PROBE * found / size):
            best, most = Turning(found, mode), size
            if not mode:
                return best
    return best


def _rate(bodies: Bodies, mode: Mode, mu: float, t: float, theta: Floats) -> Floats | None:
    """θ' with these contacts kept; none where their forces would pull or rub the wrong way."""
    offset = bodies.offset(theta)
    if not mode:
        return np.asarray(-offset / bodies.k)
    system = Equilibria(bodies, mode, mu)
    pushes = system.pushes(np.concatenate([[t], theta]))
    pose = bodies.pose(t, theta.tolist())
    contacts = [bodies.contact(hold.touch, pose) for hold in mode]
    kept = np.array(
        [
            row
            for hold, contact in zip(mode, contacts, strict=True)
            for row in ((contact.gap_by,) if hold.slide else (contact.gap_by, contact.along_by))
        ]
    )
    eased = pushes / bodies.k[:, None]
    try:
        forces = np.linalg.solve(kept @ eased, kept @ (offset / bodies.k))
    except np.linalg.LinAlgError:
        return None
    rate = eased @ forces - offset / bodies.k
    place = 0
    for hold, contact in zip(mode, contacts, strict=True):
        press = forces[place]
        if press < -1e-12:
            return None
        if hold.slide and mu > 0 and hold.slide * float(contact.along_by @ rate) < -STILL:
            return None
        if not hold.slide and abs(forces[place + 1]) > mu * press * (1 + 1e-9) + 1e-12:
            return None
        place += hold.rows
    return np.asarray(rate)


def relaxed(bodies: Bodies, mu: float, t: float, theta: Floats) -> Floats:
    """Where the tree comes to rest by itself, at one time."""
    for _ in range(MOST_STEPS):
        found = turning(bodies, mu, t, theta)
        if found is None:
            return theta
        theta, is_done = _stepped(bodies, mu, t, theta, found)
        if is_done:
            return theta
    raise MotionLost(
        "a tree of pawls does not come to rest",
        got=f"pawl {bodies.pawls[0].name} at t = {t * bodies.pace:.9g}",
        wanted="an equilibrium",
        why="its contacts follow one another too closely to be told apart in floating point",
        fix="move the corners that coincide apart by a little",
    )


def _stepped(bodies: Bodies, mu: float, t: float, theta: Floats, found: Turning) -> tuple[Floats, bool]:
    """A step on the way, to the first new contact at most, and whether nothing turns any more after it."""
    if not found.mode:
        return _straight(bodies, t, theta)
    settled = _settled(bodies, found.mode, mu, t, theta)
    if settled is not None:
        return settled, True
    quickest = float(np.abs(found.rate).max())
    size = min(STRIDE / quickest, 0.5)
    middle = _rate(bodies, found.mode, mu, t, _kept(bodies, found.mode, t, theta + size / 2 * found.rate))
    rate = found.rate if middle is None else middle

    @cache
    def kept(part: float) -> tuple[float, Floats]:
        # It leaves as it turns where it is, and goes where it turns on its middle.
        way = part * size * ((1 - part) * found.rate + part * rate)
        return t, _kept(bodies, found.mode, t, theta + way)

    # What touches where it begins has been tried, and gives way.
    begin = min(PROBE / (size * quickest), 0.5)
    held = [hold.touch for hold in found.mode]
    met = first_touch(bodies, lambda part: kept(begin + part), 1.0 - begin, held)
    return kept(1.0 if met is None else begin + met[0])[1], False


def _straight(bodies: Bodies, t: float, theta: Floats) -> tuple[Floats, bool]:
    """Free, to rest or to the first contact on the way."""
    whole = bodies.rest - theta
    size = float(np.abs(whole).max())
    marks = np.linspace(min(PROBE / size, 0.5), 1.0, 2 + int(size / LOOK))

    def straight(part: float) -> tuple[float, Floats]:
        return t, theta + part * whole

    for low, high in pairwise(marks.tolist()):
        met = first_touch(bodies, lambda place, low=low: straight(low + place), high - low, ())  # type: ignore[misc]
        if met is not None:
            return straight(low + met[0])[1], False
    return bodies.rest.copy(), True


def _settled(bodies: Bodies, mode: Mode, mu: float, t: float, theta: Floats) -> Floats | None:
    """The equilibrium on these contacts, where it is near, stable and free."""
    system = Equilibria(bodies, mode, mu)
    y = system.at_time(system.guess(t, theta), t, SETTLED)
    if y is None or y[-1] <= 0:
        return None
    found = y[1 : 1 + bodies.count]
    is_near = np.abs(found - theta).max() < SETTLED
    if not is_near or not system.is_stable(y) or is_inside(bodies, t, found):
        return None
    pose = bodies.pose(t, found.tolist())
    for hold, (press, _) in zip(mode, system.press(y), strict=True):
        along = bodies.place(hold.touch, pose)[1]
        if press < 0 or not -1e-12 <= along <= bodies.length(hold.touch) + 1e-12:
            return None
    return np.asarray(found)


def _kept(bodies: Bodies, mode: Mode, t: float, theta: Floats) -> Floats:
    """The nearest configuration at which contacts close (by the springs' measure)."""
    for _ in range(20):
        pose = bodies.pose(t, theta.tolist())
        contacts = [bodies.contact(hold.touch, pose) for hold in mode]
        gaps = np.array([contact.gap for contact in contacts])
        if np.abs(gaps).max(initial=0.0) < 1e-14:
            break
        rows = np.array([contact.gap_by for contact in contacts])
        eased = rows.T / bodies.k[:, None]
        theta = theta - eased @ np.linalg.lstsq(rows @ eased, gaps, rcond=None)[0]
    return theta


def closed(bodies: Bodies, touches: Sequence[Touch], t: float, theta: Floats) -> Floats:
    """The nearest configuration at which these contacts are closed."""
    return _kept(bodies, tuple(Hold(touch) for touch in touches), t, theta)
