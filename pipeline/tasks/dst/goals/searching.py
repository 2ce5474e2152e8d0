"""By what a place is searched: type, area, price range and features."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.tasks.dst.goals.goal import Want
from pipeline.tasks.dst.goals.setting import Occasion
from pipeline.tasks.dst.ground.names import ANY, AREA, word_of
from pipeline.tasks.dst.knowledge.entry import Entry


def searching(occasion: Occasion, target: Entry, near: Want | None) -> list[Want]:
    """Draw what is wanted of a place so that the target fits; `near` is the area of one before."""
    found = []
    for slot in occasion.schema.searched(occasion.domain):
        if near and word_of(slot.id) == AREA:
            found.append(Want(slot.id, near.values, same_as=near.slot))
        else:
            free = occasion.is_free(slot.id, slot.id)
            found.append(Want(slot.id, (ANY if free else target.slots[slot.id],)))
    return found + _features(occasion, target)


def _features(occasion: Occasion, target: Entry) -> list[Want]:
    """Return the fixed features, and so many others as are drawn."""
    chance, fixed = occasion.chance, occasion.mine
    slots = {slot.id: target.slots.get(slot.id) for slot in occasion.schema.features(target.domain)}
    weights = {
        slot: 1.0 if value == "yes" else occasion.rates.no
        for slot, value in slots.items()
        if value and slot not in fixed
    }
    size = chance.weighted("features", dict(enumerate(occasion.rates.features)))
    drawn = chance.order("feature", weights)[: max(size - len(fixed.keys() & slots.keys()), 0)]
    found = [Want(slot, (fixed[slot],)) for slot in slots if slot in fixed]
    for slot in drawn:
        free = chance.happens(f"any/{slot}", occasion.rates.any)
        found.append(Want(slot, (ANY if free else target.slots[slot],)))
    return found


def otherwise(occasion: Occasion, wants: list[Want]) -> list[Want]:
    """Let one want begin with a value that finds nothing, if there is any such value."""
    required = [want for want in wants if occasion.schema.slots[want.slot].required]
    closed = [want for want in required if want.value != ANY and not want.same_as]
    for want in occasion.chance.some("which", closed, len(closed)):
        if values := _nowhere(occasion, want, wants):
            changed = Want(want.slot, want.values, first=occasion.chance.pick("first", values))
            return [changed if w is want else w for w in wants]
    return wants


def _nowhere(occasion: Occasion, want: Want, wants: Sequence[Want]) -> list[str]:
    """Return the values of a slot that some places have, but none that fits all other wants."""
    rest = {w.slot: w.value for w in wants if w.slot != want.slot}
    there = {entry.slots[want.slot] for entry in occasion.matching(rest)}
    known = {entry.slots[want.slot] for entry in occasion.matching({})}
    return [v for v in occasion.schema.values(want.slot) if v in known - there]
