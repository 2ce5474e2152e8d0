"""What a goal wants of a hotel, a restaurant or an attraction: around a place that is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.tasks.dst.goals.booking import booking
from pipeline.tasks.dst.goals.goal import Part, Want
from pipeline.tasks.dst.goals.searching import otherwise, searching
from pipeline.tasks.dst.goals.setting import Occasion
from pipeline.tasks.dst.ground.names import AREA, NAME
from pipeline.tasks.dst.knowledge.entry import Entry


def venue(occasion: Occasion) -> Part | None:
    """Draw what is wanted of a place; None when no place has the fixed values."""
    target, near = _target(occasion)
    if target is None:
        return None
    named = not (occasion.searched or near) and _happens(occasion, "named", occasion.rates.named)
    wants, matches = ([], (target,)) if named else _searched(occasion, target, near)
    wants.append(Want(f"{occasion.domain}-{NAME}", tuple(entry.name for entry in matches)))
    booked = _is_booked(occasion)
    if booked:
        wants += booking(occasion, matches)
    return Part(
        occasion.domain,
        tuple(wants),
        _asks(occasion, booked=booked),
        matches,
        named=named,
        booked=booked,
    )


def _target(occasion: Occasion) -> tuple[Entry | None, Want | None]:
    """Draw a place, and the area before that the user wants it near, if so."""
    entries = _pooled(occasion, occasion.matching(occasion.searched))
    areas, near = occasion.earlier(AREA), None
    if areas and f"{occasion.domain}-{AREA}" not in occasion.searched:
        area = occasion.chance.pick("area", areas)
        there = [entry for entry in entries if entry.get(AREA) == area.value]
        if there and _happens(occasion, "near", occasion.rates.near):
            entries, near = there, area
    return (occasion.chance.pick("target", entries) if entries else None), near


def _pooled(occasion: Occasion, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the unseen ones for a goal of dev and test, or the others; all if there are none."""
    if occasion.pool == "train":
        return entries
    unseen = _happens(occasion, "unseen", occasion.setting.sampling.unseen_targets)
    return [entry for entry in entries if (entry.pool == "held_out") == unseen] or entries


def _searched(
    occasion: Occasion, target: Entry, near: Want | None
) -> tuple[list[Want], tuple[Entry, ...]]:
    """Return what is searched for, and the places that the search shows, the target first."""
    wants = searching(occasion, target, near)
    fitting = occasion.matching({want.slot: want.value for want in wants})
    others = [entry for entry in occasion.chance.turned("matches", fitting) if entry is not target]
    matches = (target, *others[: occasion.setting.sampling.fitting - 1])
    if not occasion.fixed and _happens(occasion, "otherwise", occasion.rates.otherwise):
        wants = otherwise(occasion, wants)
    return wants, matches


def _is_booked(occasion: Occasion) -> bool:
    if not occasion.bookable:
        return False
    fixed = bool(occasion.mine.keys() & occasion.bookable)
    return fixed or _happens(occasion, "b", occasion.rates.booked)


def _asks(occasion: Occasion, *, booked: bool) -> tuple[str, ...]:
    """Draw what to ask for: most often the reference number of a booking, and a few others."""
    slots = occasion.schema.requestable(occasion.domain)
    after = [slot.id for slot in slots if slot.after_booking and booked]
    other = [slot.id for slot in slots if not slot.after_booking]
    size = occasion.chance.number("asks", 1, occasion.setting.sampling.asked)
    first = after if after and _happens(occasion, "reference", 0.5) else []
    chosen = set(occasion.chance.some("ask", other, size - len(first)))
    return (*(slot for slot in other if slot in chosen), *first)


def _happens(occasion: Occasion, what: str, share: float) -> bool:
    return occasion.chance.happens(what, share)
