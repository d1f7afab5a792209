"""Recognise the joints of a machine that is given by the solids of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from linkwork.errors import LinkworkError, UnknownName, UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.recognition.fastener_names import is_fastener_name, is_rivet_name
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.finding import Recognition, recognise_solids
from linkwork.recognition.fitness import check_parts, check_volumes, why_meshes_fail
from linkwork.recognition.frame_names import called_frame
from linkwork.recognition.frameless import is_frameless, with_empty_ground, with_stand_in, without_stand_in
from linkwork.recognition.heaviest import volume
from linkwork.recognition.pulls import pulls_of
from linkwork.recognition.wishes import Wishes
from linkwork.solid import Polyhedron, Solid
from linkwork.solid.mass import NoVolume
from linkwork.solid.pieces import pieces
from linkwork.solid.scad.changes import SCREW


def recognise(machine: Machine) -> Recognition:
    """What is joined to what in a machine of solids, and how; ``machine`` of the result has the joints."""
    solids = part_solids(machine)
    if not solids:
        raise UsageError(
            f"the machine {machine.name} has no solids to find joints between",
            wanted="parts with a solid",
            fix='[part.wheel]\nsolid = "cylinder(d=10, h=1);"',
        )
    check_parts(machine, solids)
    if is_frameless(machine, solids):
        whole = with_empty_ground(machine)
        found = _found(with_stand_in(solids), GROUND, _wishes(machine, solids, None))
        return replace(without_stand_in(found), given=whole, solids=solids)
    ground = _ground(machine, solids)
    _check_name_of_ground(machine, solids, ground)
    found = _found(solids, ground, _wishes(machine, solids, ground))
    return replace(found, given=machine, solids=solids)


def _found(solids: Mapping[str, Solid], ground: str | None, wishes: Wishes) -> Recognition:
    """What recognition finds, or why it cannot."""
    try:
        return recognise_solids(solids, ground, wishes)
    except RecognitionError as error:
        check_volumes(solids)
        error.why = error.why or why_meshes_fail(solids)
        raise
    except (ValueError, NoVolume):
        check_volumes(solids)  # of which nothing is left has neither faces to compare nor a volume
        raise
    except MemoryError:
        raise _too_large(solids) from None


def _too_large(solids: Mapping[str, Solid]) -> RecognitionError:
    """What is said where there is not memory enough."""
    counts = {name: sum(_faces(each.solid) for each in pieces(solid)) for name, solid in solids.items()}
    most = max(counts, key=counts.__getitem__)
    return RecognitionError(
        "these solids need more memory than there is",
        got=f"{sum(counts.values()):,} faces; {most} has most of them, {counts[most]:,}",
        wanted="parts of some hundred thousand faces altogether",
        fix=f"give {most} fewer facets: a smaller $fn, fewer slices, or a coarser mesh",
    )


def _faces(solid: Solid) -> int:
    return len(solid.polygons) if isinstance(solid, Polyhedron) else 1


def _ground(machine: Machine, solids: Mapping[str, Solid]) -> str | None:
    """The part that stands still, if one says so or is called so."""
    said = [name for name in solids if machine.parts[name].fixed]
    words = [name for name, word in machine.pair_words.items() if word == "fixed" and name in solids]
    held = [name for name in solids if not machine.parts[name].free]
    called = called_frame(held, lambda name: volume(solids[name])) if not said else None
    return next(iter([*said, *([called] if called else []), *words]), None)


def _check_name_of_ground(machine: Machine, solids: Mapping[str, Solid], ground: str | None) -> None:
    """A part that may move cannot be called ground: that is what stands still in the found machine."""
    if GROUND in solids and ground not in (None, GROUND) and not machine.parts[GROUND].fixed:
        error = RecognitionError(
            f"the part {GROUND} may move, for {ground} is what stands still",
            got=f"[part.{GROUND}], without fixed = true",
            wanted="another name for it",
            why=f"{GROUND} is what stands still in every machine: joints name it so",
            fix=f"[part.{GROUND}_plate]",
        )
        error.where = ("part", GROUND)
        raise error


def _wishes(machine: Machine, solids: Mapping[str, Solid], ground: str | None) -> Wishes:
    between: dict[frozenset[str], str] = {}
    threads: dict[frozenset[str], float] = {}
    turning: set[str] = set()
    guided: list[frozenset[str]] = []
    for key, word in machine.pair_words.items():
        kind, _, pitch = word.partition(" ")
        for pair in _named(key, word, solids, ground):
            if kind == "screw":
                threads[pair] = float(pitch)
                turning |= {name.strip() for name in key.split("/")}
            elif kind == "slot":
                guided.append(pair)
            else:
                between[pair] = word
    for name in solids:
        if ground is not None and machine.parts[name].fixed and name != ground:
            between[frozenset((ground, name))] = "fixed"
    fasteners = {
        name: "its name says that it is a fastener"
        for name in solids
        if is_fastener_name(name) and name not in turning
    }
    fasteners |= {
        name: "it is marked as a screw"
        for name, solid in solids.items()
        if any(piece.label == SCREW for piece in pieces(solid))
    }
    fasteners |= {name: "the file says so" for name in solids if machine.parts[name].fastener}
    free = [name for name in solids if machine.parts[name].free]
    holding = {name: why for name, why in fasteners.items() if name != ground}
    said = pulls_of(machine, solids), guided, [*machine.frames], machine.is_flat, machine.is_spatial
    rivets = [name for name in holding if is_rivet_name(name) and not machine.parts[name].fastener]
    return Wishes(between, free, holding, threads, *said, rivets=rivets, turning=_turning(machine))


def _turning(machine: Machine) -> list[str]:
    """The parts with a spring, friction or a drive of their own."""
    driven = [f"{drive.joint}{drive.of.rpartition('.')[0]}" for drive in machine.drives.values()]
    return [
        name
        for name, part in machine.parts.items()
        if part.spring is not None or part.friction is not None or any(name in each for each in driven)
    ]


def _named(key: str, word: str, solids: Mapping[str, Solid], ground: str | None) -> list[frozenset[str]]:
    """The pairs of parts that a key of the table of joints means."""
    names = [name.strip() for name in key.split("/")]
    first = ground or next(iter(solids))
    second = next((name for name in solids if name != first), first)
    example = f'"{first}/{second}" = "{word}"'
    error: LinkworkError | None = None
    if len(names) > 2 or len({*names}) < len(names):
        problem = f"joint {key}: a word stands for what is between two parts, or for one part and all others"
        error = RecognitionError(problem, got=key, wanted="one part, or two parts with a slash", fix=example)
    for name in names:
        if name not in solids:
            error = UnknownName(
                f"there is no part '{name}' with a solid",
                got=key,
                wanted=listed(solids),
                fix=did_you_mean(name, solids, example),
            )
    if error is not None:
        error.where = ("joint", key)
        raise error
    if len(names) == 2:
        return [frozenset(names)]
    if word == "fixed":
        return [] if ground in (None, names[0]) else [frozenset((names[0], ground))]
    return [frozenset((names[0], other)) for other in solids if other != names[0]]
